"""Where records are wrong, and the few cards that they may name."""

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.records.record import read_document


def error_of(document, *lookup, **more):
    """Where the document of a record is wrong, and how."""
    error = read_document(document, *lookup, **more).error
    assert error is not None
    return error.where, error.message


def lookup_among(cards):
    """What finds these cards by the words of a record, and no others."""

    def find(wanted):
        if wanted not in cards:
            raise CatalogError(f"no card {wanted}")
        return cards[wanted]

    return find
