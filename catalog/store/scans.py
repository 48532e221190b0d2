"""Cards on pictures that the user accepted."""

from collections.abc import Sequence
from typing import Final

from ccgrid.catalog.store.catalogue import Store

WHOLE: Final = -1
"""The position that stands for all cards of a picture."""

_DIGITS: Final = 32  # of the 64 hexadecimal digits of a picture's SHA-256


def scan_key(digest: str, place: int) -> tuple[str, int]:
    """Return the key of the card at a position on a picture with this SHA-256."""
    return digest[:_DIGITS], place


def accepted_keys(store: Store) -> set[tuple[str, int]]:
    """Return the keys of all accepted cards."""
    return set(store.connection.execute("SELECT picture, place FROM scans").fetchall())


def accepted_names(store: Store, card_ids: Sequence[str] | None = None) -> list[tuple[str, str, int]]:
    """Return names and keys of the accepted cards, or of these ones, the last accepted first."""
    of_these = "" if card_ids is None else f" AND card_id IN ({', '.join('?' * len(card_ids))})"
    query = (
        "SELECT c.name, s.picture, s.place FROM scans AS s JOIN cards AS c ON c.id = s.card_id"  # noqa: S608  only marks
        f" WHERE s.place >= 0{of_these} ORDER BY s.id DESC"
    )
    return store.connection.execute(query, [*(card_ids or ())]).fetchall()


def accept(store: Store, digest: str, place: int, cards: int, card_id: str) -> None:
    """Record inside a change that one of the `cards` on a picture was accepted, and the picture if all of them were."""
    _write_accepted(store, *scan_key(digest, place), card_id)
    count = "SELECT count(*) FROM scans WHERE picture = ? AND place BETWEEN 0 AND ? - 1"
    if store.connection.execute(count, scan_key(digest, cards)).fetchone() == (cards,):
        _write_accepted(store, *scan_key(digest, WHOLE), "")


def _write_accepted(store: Store, picture: str, place: int, card_id: str) -> None:
    """Write a row, newer than all others, in place of an earlier one."""
    connection = store.connection
    connection.execute("DELETE FROM scans WHERE picture = ? AND place = ?", (picture, place))
    query = "INSERT INTO scans (picture, place, card_id) VALUES (?, ?, ?)"
    connection.execute(query, (picture, place, card_id))
