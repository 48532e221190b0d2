"""Which cards on which pictures a person has accepted: settled once, and whose picture is of which card."""

from collections.abc import Sequence
from typing import Final

from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.journal import SCANS, note_row

WHOLE: Final = -1
"""In place of that of a card: all cards of the picture are accepted."""
_DIGITS: Final = 32


def key(digest: str, place: int) -> tuple[str, int]:
    """How the card at a place on a picture, whose SHA-256 it is, is kept."""
    return digest[:_DIGITS], place


def accepted(store: Store) -> set[tuple[str, int]]:
    """The keys of all cards that were accepted."""
    return set(store.connection.execute("SELECT picture, place FROM scans").fetchall())


def accepted_as(store: Store, card_ids: Sequence[str] | None = None) -> list[tuple[str, str, int]]:
    """The name of a card and the key of its place on a picture, of these cards or of all; the last accepted first."""
    of_these = "" if card_ids is None else f" AND card_id IN ({', '.join('?' * len(card_ids))})"
    query = (
        "SELECT c.name, s.picture, s.place FROM scans AS s JOIN cards AS c ON c.id = s.card_id"  # noqa: S608  only marks
        f" WHERE s.place >= 0{of_these} ORDER BY s.id DESC"
    )
    return store.connection.execute(query, [*(card_ids or ())]).fetchall()


def accept(store: Store, digest: str, place: int, cards: int, card_id: str) -> None:
    """Keeps that one of so many cards on a picture was accepted, and the picture where all were. In a change."""
    _write(store, *key(digest, place), card_id)
    count = "SELECT count(*) FROM scans WHERE picture = ? AND place BETWEEN 0 AND ? - 1"
    if store.connection.execute(count, key(digest, cards)).fetchone() == (cards,):
        _write(store, *key(digest, WHOLE), "")


def _write(store: Store, picture: str, place: int, card_id: str) -> None:
    """Writes a row, newer than all others, and notes what stood there before."""
    connection = store.connection
    before = connection.execute("SELECT id FROM scans WHERE picture = ? AND place = ?", (picture, place)).fetchone()
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM scans").fetchone()
    for number in (*(before or ()), last + 1):
        note_row(store, SCANS, str(number))
    replace = "REPLACE INTO scans (id, picture, place, card_id) VALUES (?, ?, ?, ?)"
    connection.execute(replace, (last + 1, picture, place, card_id))
