"""Changes of cards in the text of a deck file, whose other lines stay."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import shown_card
from ccgrid.catalog.decks import ListedDeck
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.toml_values import toml_value

_BEGIN: Final = re.compile(r"cards\s*=\s*\[\s*(?:#.*)?")
_END: Final = re.compile(r"\]\s*(?:#.*)?")
_LINE: Final = re.compile(r"line (\d+)")
_COUNTED: Final = re.compile(r"(\s*)(\d{1,4})(.*)", re.DOTALL)
_ELSEWHERE: Final = "write the deck to another file: -o deck.toml"


@dataclass(frozen=True, slots=True)
class DeckChanges:
    """Changes of a deck: `at` maps an index to its new card, or to None for a removed card; `added` are new cards."""

    at: Mapping[int, Card | None] = field(default_factory=dict)
    added: tuple[Card, ...] = ()

    def apply(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of the changed deck."""
        places = [self.at.get(place, card) for place, card in enumerate(cards)]
        return (*(card for card in places if card is not None), *self.added)


def edited_text(text: str, listed: ListedDeck, changes: DeckChanges) -> str:
    """Return the text of a deck in TOML, JSON or lines with these changes; `listed` was read from it.

    Raises:
        CatalogError: If its form does not allow a change without a loss.
    """
    start = text.lstrip()[:1]
    if listed.second:
        raise CatalogError(f"This list has a sideboard or more cards after a blank line: {_ELSEWHERE}")
    if start == "{":
        return _json(text, changes)
    if all(entry.where.startswith("cards[") for entry in listed.entries):
        return _toml(text, changes)
    return _lines(text, listed, changes)


def _json(text: str, changes: DeckChanges) -> str:
    document = json.loads(text)
    document["cards"] = _apply_changes(document["cards"], changes)
    indent = 2 if "\n" in text.strip() else None
    return json.dumps(document, ensure_ascii=False, indent=indent) + "\n"


def _apply_changes(values: Sequence[object], changes: DeckChanges) -> list[object]:
    """Return the changed list of cards; new entries are written like the others."""
    is_named = all(isinstance(value, str) for value in values)
    places = [(place, value) for place, value in enumerate(values) if changes.at.get(place, ...) is not None]
    values_now = [_value_of(changes.at[place], is_named) if place in changes.at else value for place, value in places]
    return [*values_now, *(_value_of(card, is_named) for card in changes.added)]


def _value_of(card: Card | None, is_named: bool) -> object:
    assert card is not None  # noqa: S101  removed cards were left out
    if is_named and card.id:
        return card.id
    return {key: value for key, value in msgspec.to_builtins(shown_card(card)).items() if value is not None}


def _toml(text: str, changes: DeckChanges) -> str:
    """Return the text with the lines of the changed cards edited; all other lines stay."""
    lines = text.splitlines(keepends=True)
    begin = next((number for number, line in enumerate(lines) if _BEGIN.fullmatch(line.strip())), None)
    array = None if begin is None else _array_at(lines, begin)
    values = tomllib.loads(text)["cards"]
    if begin is None or array is None or [value for _, row in array for value in row] != values:
        raise CatalogError(f"The cards of this deck are not one per line: {_ELSEWHERE}")
    wanted, place, changed, end = _apply_changes(values, changes), 0, list[str](), begin + 1
    is_named, ending = all(isinstance(value, str) for value in values), _ending(lines[begin])
    for number, row in array:
        places = range(place, place + len(row))
        place += len(row)
        end = number + 1
        if changes.at.keys().isdisjoint(places):
            line = lines[number]
            changed.append(line if not row or _ends_in_comma(line) else _with_comma(line, ending))
            continue
        for at, value in zip(places, row, strict=True):
            if at not in changes.at:
                changed.append(_toml_line(value, ending))
            elif (card := changes.at[at]) is not None:
                changed.append(_toml_line(_value_of(card, is_named), ending))
    changed += [_toml_line(_value_of(card, is_named), ending) for card in changes.added]
    edited = "".join([*lines[: begin + 1], *changed, *lines[end:]])
    # Parse the edited text again, to prove that nothing else changed.
    if tomllib.loads(edited)["cards"] != wanted:
        raise CatalogError(f"The cards of this deck are written in an unusual way: {_ELSEWHERE}")
    return edited


def _array_at(lines: Sequence[str], begin: int) -> list[tuple[int, list[object]]] | None:
    """Return the values in each line of the list, or None if a value spans several lines."""
    found: list[tuple[int, list[object]]] = []
    for number in range(begin + 1, len(lines)):
        if _END.fullmatch(lines[number].strip()):
            return found
        try:
            found.append((number, tomllib.loads(f"x = [\n{lines[number]}\n]")["x"]))
        except tomllib.TOMLDecodeError:
            return None
    return None


def _ends_in_comma(line: str) -> bool:
    try:
        tomllib.loads(f"x = [\n{line}\n0]")
    except tomllib.TOMLDecodeError:
        return False
    return True


def _with_comma(line: str, ending: str) -> str:
    """Return a list's last line with a comma, which it lacks; a comment may follow it there."""
    text = line.rstrip()
    # Try every position, because a `#` may begin a comment or be in a text.
    for place in range(1, len(text) + 1):
        if _ends_in_comma(with_one := f"{text[:place]},{text[place:]}{ending}"):
            return with_one
    return line


def _toml_line(value: object, ending: str) -> str:
    return f"  {toml_value(value)},{ending}"


def _ending(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n"


def _lines(text: str, listed: ListedDeck, changes: DeckChanges) -> str:
    """Return the list with fewer copies in the lines of removed cards, and a new line for each added card."""
    lines = text.splitlines(keepends=True)
    numbers = [int(found[1]) - 1 if (found := _LINE.fullmatch(entry.where)) else -1 for entry in listed.entries]
    if min(numbers) < 0 or max(numbers) >= len(lines):
        raise CatalogError(f"This deck is in another program's format: {_ELSEWHERE}")
    ending = _ending(lines[numbers[0]])
    last = max(numbers)
    if not lines[last].endswith(("\n", "\r")):
        lines[last] += ending
    after: dict[int, list[str]] = {number: [] for number in numbers}
    for place, card in changes.at.items():
        lines[numbers[place]] = _one_less(lines[numbers[place]])
        after[numbers[place]] += [] if card is None else [_deck_line(card, ending)]
    after[last] += [_deck_line(card, ending) for card in changes.added]
    return "".join(part for number, line in enumerate(lines) for part in (line, *after.get(number, ())))


def _one_less(line: str) -> str:
    """Return the line with one copy less, or "" if it was the last."""
    counted = _COUNTED.fullmatch(line)
    copies = int(counted[2]) if counted else 1
    return f"{counted[1]}{copies - 1}{counted[3]}" if counted and copies > 1 else ""


def _deck_line(card: Card, ending: str) -> str:
    beside = f" ({card.set_code.upper()}) {card.collector_number}".rstrip() if card.set_code else ""
    return f"1 {card.name}{beside}{ending}"
