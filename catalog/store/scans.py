"""Which cards on which pictures a person has accepted: kept in the catalogue, in one unit of work with the cards."""

from typing import Final

from catalog.store.catalogue import Store

WHOLE: Final = -1
"""In place of that of a card: all cards of the picture are accepted."""
_DIGITS: Final = 32


def key(digest: str, place: int) -> tuple[str, int]:
    """How the card at a place on a picture, whose SHA-256 it is, is kept."""
    return digest[:_DIGITS], place


def accepted(store: Store) -> set[tuple[str, int]]:
    """The keys of all cards that were accepted."""
    return set(store.connection.execute("SELECT picture, place FROM scans").fetchall())


def accept(store: Store, digest: str, place: int, cards: int, card_id: str) -> None:
    """Keeps that one of so many cards on a picture was accepted, and the picture where all were. In a transaction."""
    replace = "REPLACE INTO scans (picture, place, card_id) VALUES (?, ?, ?)"
    store.connection.execute(replace, (*key(digest, place), card_id))
    count = "SELECT count(*) FROM scans WHERE picture = ? AND place BETWEEN 0 AND ? - 1"
    if store.connection.execute(count, key(digest, cards)).fetchone() == (cards,):
        store.connection.execute(replace, (*key(digest, WHOLE), ""))
