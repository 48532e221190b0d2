"""Reads the decks that MTGJSON publishes, one JSON document each: `{"data": {"name": …, "mainBoard": [card, …]}}`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.formats.format import (
    LONGEST_RAW,
    LONGEST_TEXT,
    MOST_COPIES,
    CollectionFile,
    FileRows,
    Skipped,
)
from ccgrid.catalog.documents import LARGEST_DOCUMENT, DocumentError, Limits, load_json, read_text
from ccgrid.catalog.holding import NORMAL
from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.words import language_code

_LIMITS: Final = Limits(LARGEST_DOCUMENT)
_DECK: Final = ("commander", "mainBoard")
_BESIDE: Final = ("sideBoard", "displayCommander", "planes", "schemes", "tokens")
_BEGINNING: Final = re.compile(rb'\{\s*"(?:meta|data)"\s*:\s*\{')
_BOARD: Final = re.compile(rb'"(?:mainBoard|commander)"\s*:\s*\[')
_IDS: Final = {"scryfallId": "scryfall"}


def sniff(file: CollectionFile) -> bool:
    """Whether a file begins as MTGJSON's decks do, or its sets, which are refused when they are read."""
    start = file.beginning()
    return start.startswith(b"{") and bool(_BEGINNING.match(start) or _BOARD.search(start))


def read(file: CollectionFile) -> FileRows:
    """The rows of a deck; raises CatalogError where the file is none of MTGJSON's."""
    with open_data(file.path) as stream:
        data = stream.read(LARGEST_DOCUMENT + 1)
    try:
        found = load_json(read_text(data, _LIMITS), _LIMITS)
    except DocumentError as error:
        raise CatalogError(f"{file.name}: this looks like a deck of MTGJSON, but the file {error}.") from None
    deck = found.get("data", found) if isinstance(found, dict) else None
    if not isinstance(deck, dict) or not isinstance(deck.get("mainBoard"), list):
        whole = " To import the cards of a set: ccgrid import mtgjson FILE" if _is_set(deck) else ""
        raise CatalogError(f"{file.name}: not a deck of MTGJSON: it has no list 'mainBoard'.{whole}")
    name = deck.get("name")
    return FileRows(_rows(deck), "utf-8", deck=name[:LONGEST_TEXT] if isinstance(name, str) else "")


def _is_set(deck: object) -> bool:
    return isinstance(deck, dict) and isinstance(deck.get("cards"), list)


def _rows(deck: Mapping[str, Any]) -> Iterator[Row | Skipped]:
    number = 0
    for board in (*_DECK, *_BESIDE):
        cards = deck.get(board)
        for card in cards if isinstance(cards, list) else ():
            number += 1
            yield _row(number, f"{board}: ", card, beside=board in _BESIDE)


def _row(number: int, where: str, card: object, *, beside: bool) -> Row | Skipped:
    if not isinstance(card, dict):
        return Skipped(number, f"{where}{card}"[:LONGEST_RAW], "not a card")
    name, set_code, own = (_text(card, key) for key in ("name", "setCode", "number"))
    count, raw = card.get("count", 1), f"{where}{card.get('count', 1)} {name} ({set_code}) {own}"[:LONGEST_RAW]
    if not isinstance(count, int) or isinstance(count, bool) or not 0 < count <= MOST_COPIES:
        return Skipped(number, raw, f"{str(count)[:40]!r} is not a number of copies")
    if not name:
        return Skipped(number, raw, "it names no card")
    ids = card.get("identifiers")
    told = ids if isinstance(ids, dict) else {}
    finish = "etched" if card.get("isEtched") is True else "foil" if card.get("isFoil") is True else NORMAL
    return Row(
        number,
        raw,
        ((finish, count),),
        name,
        set_code,
        "",
        own,
        tuple((kind, value) for key, kind in _IDS.items() if (value := _text(told, key))),
        language=language_code(_text(card, "language")),
        rarity=_text(card, "rarity"),
        beside=beside,
    )


def _text(card: Mapping[str, Any], key: str) -> str:
    value = card.get(key)
    return value[:LONGEST_TEXT] if isinstance(value, str) else ""
