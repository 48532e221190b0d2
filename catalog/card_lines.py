"""Cards as short lines of text, for codes and pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import HIGHEST, Card
from ccgrid.catalog.zones import ZONES

# A card is a line: a letter and a digit for each zone, or `*` and all eight; what else is in the score; attack and
# defense; then name, id and, where the id does not have them, set and number.
#
#     a4et+1=3/2 Amber Drake|mtg:m15/235
_ZONE_LETTERS: Final = dict(zip(ZONES, "abcdefgh", strict=True))
_ZONES: Final = {letter: zone for zone, letter in _ZONE_LETTERS.items()}
_TEN: Final = "t"
_ALL: Final = "*"
_NONE: Final = "-"
_FEW: Final = 4  # zones of a card; with more of them all eight are written in a row
_FIELD: Final = "|"
_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n", _FIELD: "\\i"}
_ESCAPED: Final = {escape[1]: plain for plain, escape in _ESCAPES.items()}
_LARGEST_SCORE: Final = 10_000
"""No score is higher."""


def to_lines(cards: Iterable[Card]) -> str:
    """Return cards as text, one per line.

    >>> to_lines([Card("mtg:m15/235", "mtg", "Amber Drake", {"top-left": 4, "right": 10}, 15, "m15", "", "235")])
    'a4et+1 Amber Drake|mtg:m15/235'
    """
    return "\n".join(map(_line, cards))


def from_lines(text: str) -> tuple[Card, ...]:
    """Parse one card per line.

    Raises:
        ValueError: If a line is not a card.
    """
    return tuple(_card(line) for line in text.split("\n")) if text else ()


def shorten(card: Card, letters: int | None, *, with_id: bool) -> Card:
    """Return the card with at most `letters` letters of its name, and perhaps without its id and set."""
    name = card.name if letters is None else card.name[:letters].rstrip()
    return replace(card, name=name) if with_id else replace(card, id="", name=name, set_code="", collector_number="")


def _line(card: Card) -> str:
    zones = _zones(card.zones)
    more = card.score - sum(card.zones.values())
    fight = "" if card.attack is None or card.defense is None else f"={card.attack}/{card.defense}"
    numbers = zones + (f"+{more}" if more else "") + fight
    named = [_plain(text) for text in (card.name, card.id, *_set_and_number(card))]
    while named and not named[-1]:
        named.pop()
    return f"{numbers} {_FIELD.join(named)}" if named else numbers


def _zones(zones: Mapping[str, int]) -> str:
    """Return the numbers with their zones; if there are many, all eight in a row."""
    digits = {zone: _TEN if number == HIGHEST else str(number) for zone, number in zones.items()}
    if len(digits) > _FEW:
        return _ALL + "".join(digits.get(zone, _NONE) for zone in ZONES)
    return "".join(f"{letter}{digits[zone]}" for zone, letter in _ZONE_LETTERS.items() if zone in digits)


def _set_and_number(card: Card) -> tuple[str, ...]:
    """Return the set and number that differ from those in the id; a dot for one that is missing."""
    _, set_code, number = id_in_parts(card.id)
    texts = (card.set_code, set_code), (card.collector_number, number)
    return tuple("" if own == part else own or "." for own, part in texts)


def id_in_parts(card_id: str) -> tuple[str, str, str]:
    """Return the game, the set and the number in an id.

    >>> id_in_parts("mtg:m15/235")
    ('mtg', 'm15', '235')
    """
    game, colon, rest = card_id.partition(":")
    set_code, slash, number = rest.partition("/")
    return (game if colon else "", set_code if slash else "", number if slash else "")


def _plain(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def _card(line: str) -> Card:
    numbers, _, names = line.partition(" ")
    name, card_id, set_code, number, *_ = [*_fields(names), "", "", "", ""]
    game, id_set, id_number = id_in_parts(card_id)
    zones_text, _, fight = numbers.partition("=")
    zones_text, _, more = zones_text.partition("+")
    zones = _read_zones(zones_text)
    attack, _, defense = fight.partition("/")
    return Card(
        id=card_id,
        game=game,
        name=name,
        zones=zones,
        score=sum(zones.values()) + (_whole(more, _LARGEST_SCORE) if more else 0),
        set_code=_or_id_in_parts(set_code, id_set),
        collector_number=_or_id_in_parts(number, id_number),
        attack=_whole(attack, HIGHEST) if fight else None,
        defense=_whole(defense, HIGHEST) if fight else None,
    )


def _or_id_in_parts(text: str, whole: str) -> str:
    return "" if text == "." else text or whole


def _read_zones(text: str) -> dict[str, int]:
    if text.startswith(_ALL) and len(text) == len(_ALL) + len(ZONES):
        pairs = [pair for pair in zip(_ZONES, text[len(_ALL) :], strict=True) if pair[1] != _NONE]
    else:
        pairs = list(zip(text[::2], text[1::2], strict=False))
        if len(text) % 2:
            raise ValueError(f"{text!r} is not a list of numbers in zones")
    if any(letter not in _ZONES for letter, _ in pairs):
        raise ValueError(f"{text!r} is not a list of numbers in zones")
    return {_ZONES[letter]: HIGHEST if number == _TEN else _whole(number, HIGHEST) for letter, number in pairs}


def _whole(text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most):
        raise ValueError(f"{text!r} is not a number of 0 to {most}")
    return int(text)


def _fields(text: str) -> Sequence[str]:
    """Split a text at the bars, and resolve the escapes."""
    fields, letters = [""], iter(text)
    for letter in letters:
        if letter == _FIELD:
            fields.append("")
        elif letter == "\\":
            fields[-1] += _ESCAPED.get(next(letters, ""), "")
        else:
            fields[-1] += letter
    return fields
