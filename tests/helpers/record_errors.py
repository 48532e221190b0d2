"""Errors in records, and lookups limited to a few cards."""

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.records.record import read_document


def error_of(document, *lookup, **more):
    """Return the location and the message of the error in a record's document."""
    error = read_document(document, *lookup, **more).error
    assert error is not None
    return error.where, error.message


def lookup_among(cards):
    """Return a lookup that finds only these cards."""

    def find(wanted):
        if wanted not in cards:
            raise CatalogError(f"no card {wanted}")
        return cards[wanted]

    return find
