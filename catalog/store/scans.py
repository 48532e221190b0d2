"""Cards on pictures that the user accepted."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_table

WHOLE: Final = -1
"""In place of that of a card: all cards of the picture are accepted."""

_DIGITS: Final = 32  # of the 64 hexadecimal digits of a picture's SHA-256


def scan_key(digest: str, place: int) -> tuple[str, int]:
    """How the card at a place on a picture, whose SHA-256 it is, is kept."""
    return digest[:_DIGITS], place


def accepted_keys(store: Store) -> set[tuple[str, int]]:
    """The keys of all cards that were accepted."""
    return set(store.connection.execute("SELECT picture, place FROM scans").fetchall())


def accepted_names(store: Store, card_ids: Sequence[str] | None = None) -> list[tuple[str, str, int]]:
    """The name of a card and the key of its place on a picture, of these cards or of all; the last accepted first."""
    of_these = "" if card_ids is None else f" AND card_id IN ({', '.join('?' * len(card_ids))})"
    query = (
        "SELECT c.name, s.picture, s.place FROM scans AS s JOIN cards AS c ON c.id = s.card_id"  # noqa: S608  only marks
        f" WHERE s.place >= 0{of_these} ORDER BY s.id DESC"
    )
    return store.connection.execute(query, [*(card_ids or ())]).fetchall()


class AcceptedScan(NamedTuple):
    """A card that was accepted on a picture: the key of its place there, the card's id, and what was seen, as JSON."""

    picture: str
    place: int
    card_id: str
    seen: dict[str, Any]


def accepted_scans(store: Store, game: str = "", card_id: str = "") -> list[AcceptedScan]:
    """What was seen on accepted cards, of a game, of one card, or of all; the last accepted first."""
    query = (
        "SELECT s.picture, s.place, s.card_id, s.seen FROM scans AS s JOIN cards AS c ON c.id = s.card_id"
        " WHERE s.place >= 0 AND ?1 IN ('', c.game) AND ?2 IN ('', c.id) ORDER BY s.id DESC"
    )
    found = store.connection.execute(query, (game, card_id)).fetchall()
    return [AcceptedScan(picture, place, of, cell_table(seen)) for picture, place, of, seen in found]


def accept(store: Store, digest: str, place: int, cards: int, card_id: str, seen: Mapping[str, Any]) -> None:
    """Records that one of the `cards` on a picture was accepted, and the picture where all were. In a change.

    `seen` is what was seen on the card.
    """
    _write_accepted(store, *scan_key(digest, place), card_id, seen)
    count = "SELECT count(*) FROM scans WHERE picture = ? AND place BETWEEN 0 AND ? - 1"
    if store.connection.execute(count, scan_key(digest, cards)).fetchone() == (cards,):
        _write_accepted(store, *scan_key(digest, WHOLE), "", {})


def _write_accepted(store: Store, picture: str, place: int, card_id: str, seen: Mapping[str, Any]) -> None:
    """Write a row, newer than all others, in place of the one that was there before."""
    connection = store.connection
    connection.execute("DELETE FROM scans WHERE picture = ? AND place = ?", (picture, place))
    query = "INSERT INTO scans (picture, place, card_id, seen) VALUES (?, ?, ?, ?)"
    connection.execute(query, (picture, place, card_id, json.dumps(seen)))
