"""MTGJSON as it was until 2019: sets with their cards, as an object by code, as a list, or one set in a file.

A card has no id of others and no frame, and in old sets no number; a split or double-faced card is several cards that
name each other. Cards are put into the words of today's files.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec

from ccgrid.catalog.card import Printing, SourceRow, Unread, id_part
from ccgrid.catalog.readers.json_rows import picked, read_fact
from ccgrid.catalog.sources.magic_frames import usual_frame
from ccgrid.catalog.sources.scryfall import ScryfallCard, ScryfallFace, printing

_FACTS: Final = ("name", "code", "releaseDate", "onlineOnly")
_PATHS: Final = (*(f"{below}{what}" for below in ("", "*.") for what in (*_FACTS, "cards.*")),)
_LONGEST_NAME: Final = 1000
_MOST_CARDS: Final = 50_000
_LAYOUTS: Final = {"double-faced": "transform", "plane": "planar", "phenomenon": "planar"}
_SHIFTED: Final = {"fut": "future", "tsb": "1997"}
"""On which frame the timeshifted cards of a set are printed."""
_Value = str | int | float | None


class _Entry(msgspec.Struct, rename="camel"):
    """One card of a set, or one face of a card with several, which `names` lists."""

    name: str
    number: str | None = None
    mci_number: str | None = None
    layout: str = "normal"
    names: list[str] = []
    mana_cost: str | None = None
    type: str | None = None
    text: str | None = None
    flavor: str | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: _Value = None
    multiverseid: int | None = None
    release_date: str | None = None
    timeshifted: bool = False


_decode = msgspec.json.Decoder(_Entry).decode


def old_sets(stream: BinaryIO, name: str) -> Iterator[SourceRow]:
    """The printings of a file in this shape, set by set; none where it has another."""
    facts: dict[str, Any] = {}
    cards: list[_Entry] = []
    key = ""
    for keys, body in picked(stream, name, _PATHS):
        where = keys[0] if len(keys) == (3 if keys[-1] == "" else 2) else ""
        what = keys[-2] if keys[-1] == "" else keys[-1]
        if where != key or (what in facts and what != "cards"):  # a list of sets has no keys: a fact comes again
            yield from _printings(facts, cards)
            facts, cards, key = {}, [], where
        if what != "cards":
            facts[what] = read_fact(body)
        elif len(cards) < _MOST_CARDS:
            try:
                cards.append(_decode(body))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                yield Unread(f"{where or 'the set'}, card {len(cards) + 1}", str(error))
    yield from _printings(facts, cards)


def _printings(facts: dict[str, Any], cards: list[_Entry]) -> Iterator[SourceRow]:
    """A set's cards as Scryfall would have them; the later faces of a card stand behind its first."""
    code, title = _text(facts.get("code")).lower(), _text(facts.get("name"))
    by_name = {card.name: card for card in cards}
    for count, card in enumerate(cards, 1):
        where = f"{code or 'the set'}, card {count}"
        if not card.name or not code or len(card.name) + len(title) + len(card.number or "") > _LONGEST_NAME:
            yield Unread(where, "no usable name, or its set has no code")
        elif card.layout != "meld" and len(card.names) > 1 and card.name != card.names[0] and card.names[0] in by_name:
            yield Unread(where, f"it is the other face of {card.names[0]}; only fronts count")
        else:
            names = card.names if card.layout != "meld" and len(card.names) > 1 else []
            yield _printing(card, [by_name[name] for name in names if name in by_name], facts, code, title)


def _printing(card: _Entry, faces: list[_Entry], facts: dict[str, Any], code: str, title: str) -> Printing:
    released = _text(card.release_date) or _text(facts.get("releaseDate")) or None
    number = card.number or (card.mci_number or "").rpartition("/")[2]
    if len(faces) > 1:
        number = number.rstrip("ab")
    made = printing(
        ScryfallCard(
            **(_words(card) | {"name": " // ".join(face.name for face in faces) or card.name}),
            set=code,
            collector_number=number,
            layout=_LAYOUTS.get(card.layout, card.layout),
            set_name=title,
            released_at=released,
            frame=_SHIFTED.get(code, usual_frame(released)) if card.timeshifted else usual_frame(released),
            digital=facts.get("onlineOnly") is True,
            card_faces=[ScryfallFace(**_words(face)) for face in faces] if len(faces) > 1 else None,
            multiverse_ids=[face.multiverseid for face in faces or [card] if face.multiverseid is not None],
        )
    )
    return made if number else made._replace(id=f"mtg:{code}/{id_part(card.name)}")


def _words(card: _Entry) -> dict[str, Any]:
    """The texts of a card, or of a face, under the names that Scryfall gives them."""
    return {
        "name": card.name,
        "mana_cost": card.mana_cost,
        "type_line": card.type,
        "oracle_text": card.text,
        "flavor_text": card.flavor,
        "power": card.power,
        "toughness": card.toughness,
        "loyalty": None if card.loyalty is None else str(card.loyalty),
    }


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
