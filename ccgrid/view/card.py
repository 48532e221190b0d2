"""Draws one card with its numbers in their zones, and explains under it where each number was read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from catalog.card import Card
from catalog.evidence import guessed_zones
from ccgrid.view.drawing import Drawing
from ccgrid.view.output import Column, show, show_table
from ccgrid.view.tiles import draw_tiles
from ccgrid.view.verdicts import verdict
from ccgrid.view.words import ZONE_PHRASES, reason_in_words
from engine.picture import Tile

INNER: Final = 30
HEIGHT: Final = 15
MOST_SHOWN: Final = 3
"""At most this many numbers are written into one zone of the picture; the table under it lists them all."""

_COLUMNS: Final = (
    Column("zone"),
    Column("field", wrap=True),
    Column("raw", wrap=True, spare=1),
    Column("value", "right"),
    Column("counts"),
    Column("why", wrap=True),
)


def show_card(card: Card, numbers: Sequence[Mapping[str, Any]]) -> None:
    """Print a card: its picture, whether it may be used, and each number with where it was read and what it counts.

    `numbers` are the rows of `show --json`: zone (or face), field, raw, value, counts, why, confidence.
    """
    printing = " ".join(part for part in (card.set_name, card.set_code and f"({card.set_code})") if part)
    printed = ", ".join(part for part in (printing, card.collector_number and f"no. {card.collector_number}") if part)
    show(card.name, " - ".join(part for part in (card.id, printed) if part), draw_card(card, numbers))
    if card.legal:
        show(verdict("Legal", ": it may be used in decks.", good=True))
    else:
        why = reason_in_words(card.reason) if card.reason else "for a reason that is not recorded"
        show(verdict("Barred", f" from decks: {why}", good=False))
    if numbers:
        show("")
        show_table(_COLUMNS, [_row(number) for number in numbers])
    guessed = guessed_zones(numbers)
    for zone in guessed:
        told = _guesses(number for number in numbers if _zone(number) == zone)
        show("", f"Only a guess puts a number {ZONE_PHRASES[zone]}: {told}.")
    if guesses := _guesses(number for number in numbers if _zone(number) not in guessed):
        show("", f"Not sure where it is printed: {guesses}.")


def draw_card(card: Card, numbers: Sequence[Mapping[str, Any]] = ()) -> Drawing:
    """Draw a card upright, 32 cells by 17, several numbers in one zone as `2 2!`.

    Without `numbers` only the zones that hold exactly one are known.
    """
    face = " ".join(map(str, card.face))
    fight = f"attack {card.attack}  defense {card.defense}" if card.attack is not None else ""
    captions = [
        f"{card.set_code} {card.collector_number}".strip(),
        fight,
        f"face {face}" if face else "",
        f"score {card.score}",
        "legal" if card.legal else "! barred !",
    ]
    tile = Tile(name=card.name, zones=_zones(card, numbers), captions=tuple(caption for caption in captions if caption))
    return draw_tiles([tile], 1, inner=INNER, height=HEIGHT)


def _zones(card: Card, numbers: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what to write into each zone: its number, or its numbers with an exclamation mark, and `?` at a guess."""
    found: dict[str, list[str]] = {}
    for number in numbers:
        if number.get("counts") and number.get("value") is not None:
            found.setdefault(_zone(number), []).append(str(number["value"]))
    shown = {zone: str(value) for zone, value in card.zones.items()}
    for zone, values in found.items():
        if len(values) > 1:
            shown[zone] = " ".join(values[:MOST_SHOWN]) + ("+!" if len(values) > MOST_SHOWN else "!")
    return shown | {zone: f"{shown[zone]}?" for zone in guessed_zones(numbers) if zone in shown}


def _guesses(numbers: Iterable[Mapping[str, Any]]) -> str:
    """Return the fields whose zone is a guess, each with how sure that is."""
    found = {
        str(number.get("field")): str(number["confidence"])
        for number in numbers
        if number.get("confidence", "high") != "high"
    }
    return ", ".join(f"{name} (confidence {confidence})" for name, confidence in found.items())


def _zone(number: Mapping[str, Any]) -> str:
    return str(number.get("zone") or "face")


def _row(number: Mapping[str, Any]) -> tuple[str, str, str, int | None, str, str]:
    counts = number.get("counts")
    return (
        _zone(number),
        str(number.get("field") or ""),
        str(number.get("raw") or ""),
        number.get("value"),
        ("yes" if counts else "no") if isinstance(counts, bool) else str(counts or ""),
        str(number.get("why") or ""),
    )
