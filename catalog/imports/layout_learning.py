"""Learns from cards whose numbers were seen on pictures in which zone each field of their data is printed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz, process

from catalog.card import CatalogError
from catalog.imports.layout_draft import Draft, Field, examine
from catalog.layouts.columns import Columns, find
from catalog.layouts.described import PATTERNS, found_in
from catalog.layouts.layout import Layout
from catalog.matching.search import fold
from catalog.numbers import collector_number, numerals
from catalog.printing import Unread
from catalog.readers.archives import open_tree
from catalog.sources import lackey

_MOST_ROWS: Final = 50_000
_SAME_NAME: Final = 82.0  # of 100, from which on a name that was read is that of a row
_FEWEST: Final = 2  # cards that show a field in a zone
_LONGEST: Final = 24  # characters of a field that is printed as a number


class Sighting(NamedTuple):
    """One card on a picture: what may be its name, most likely first, and the numbers seen in each zone."""

    names: tuple[str, ...]
    zones: Mapping[str, Sequence[int]]


class LearnedPlace(NamedTuple):
    """A field and the zone it stands in, on `seen` of the `cards` whose data have a number there, and how sure."""

    field: str
    zone: str
    seen: int
    cards: int
    confidence: str

    @property
    def note(self) -> str:
        """The same in words, for a layout."""
        return f"seen there on {self.seen} of {self.cards} scans"


class Learned(NamedTuple):
    """What was learned: the fields of the data, their places, and how many pictures were of a card of the data."""

    draft: Draft
    places: tuple[LearnedPlace, ...]
    cards: int


def learn(data: Path, sightings: Sequence[Sighting]) -> Learned:
    """The zone of each field that holds numbers, as far as the cards tell it.

    Raises CatalogError where the data cannot be read, or none of the cards is in them.
    """
    draft = examine(data)
    rows = _rows(data, draft)
    names = next((field.path for field in draft.fields if field.kind == "name"), None)
    if names is None:
        raise CatalogError(f"{data}: no field is called a name, by which cards on pictures could be found.")
    pairs = list(_matched(rows, names, sightings))
    if not pairs:
        raise CatalogError(f"None of the {len(sightings)} cards on the pictures has a name that is in {data}.")
    places = [place for field in draft.fields if _may_be_printed(field) for place in _place(field, pairs)]
    taken = {place.zone for place in places if place.confidence != "low"}
    kept = [place for place in places if place.confidence != "low" or place.zone not in taken]
    return Learned(draft, tuple(kept), len(pairs))


def _rows(data: Path, draft: Draft) -> list[Mapping[str, Any]]:
    with open_tree(data) as tree:
        plugin = lackey.is_plugin(tree)
        names = lackey.card_files(tree, _ignore) if plugin else tree.matching(*PATTERNS) or list(tree.names)
        layout = Layout("draft", "draft", (), columns=Columns(rows=draft.rows))
        found = (
            row for name in names for row in found_in(tree, name, layout, _ignore, quoted=False if plugin else None)
        )
        return [row[1] for row in islice(found, _MOST_ROWS) if not isinstance(row, Unread)]


def _ignore(sentence: str) -> None:
    """What an import would remark teaches nothing."""


def _matched(
    rows: Sequence[Mapping[str, Any]], names: str, sightings: Iterable[Sighting]
) -> Iterable[tuple[Mapping[str, Any], Sighting]]:
    """The row of each card whose name is nearly that of one; of several of that name, what all of them say."""
    folded: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        folded[fold(_text(row, names))].append(row)
    folded.pop("", None)
    for sighting in sightings:
        for name in sighting.names:
            best = process.extractOne(fold(name), folded.keys(), scorer=fuzz.ratio, score_cutoff=_SAME_NAME)
            if best is not None:
                yield _common(folded[best[0]]), sighting
                break


def _common(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The columns in which printings of one name are alike: those of the picture say the same, whichever it is."""
    return {key: value for key, value in rows[0].items() if all(row.get(key) == value for row in rows)}


def _text(row: Mapping[str, Any], path: str) -> str:
    value = find(row, path)
    return value if isinstance(value, str) else " ".join(map(str, value or ()))


def _may_be_printed(field: Field) -> bool:
    digits = any(character.isdecimal() for example in field.examples for character in example)
    return digits and field.length <= _LONGEST * field.filled and field.kind not in ("name", "text")


def _values(field: Field, text: str) -> frozenset[int]:
    if field.kind == "collector":
        number = collector_number(text)
        return frozenset() if number is None else frozenset((number,))
    return frozenset(abs(found.value) for found in numerals(text, "stats"))


def _place(field: Field, pairs: Sequence[tuple[Mapping[str, Any], Sighting]]) -> Iterable[LearnedPlace]:
    """The zone in which the field's numbers stand far more often than another card's numbers would."""
    told = [(values, seen.zones) for row, seen in pairs if (values := _values(field, _text(row, field.path)))]
    best: tuple[float, LearnedPlace] | None = None
    for zone in sorted({zone for _, zones in told for zone in zones}):
        shown = [frozenset(zones.get(zone, ())) for _, zones in told]
        hits = sum(values <= numbers for (values, _), numbers in zip(told, shown, strict=True))
        chance = sum(values <= numbers for values, _ in told for numbers in shown) / len(told)
        gain = hits - min(chance, hits) if len(set(map(tuple, map(sorted, (values for values, _ in told))))) > 1 else 0
        if hits >= _FEWEST and gain > 0.25 * hits and (best is None or gain > best[0]):
            best = gain, LearnedPlace(field.path, zone, hits, len(told), _sure(hits, len(told)))
    return [best[1]] if best else []


def _sure(hits: int, cards: int) -> str:
    """How sure a place is, in the words of layouts."""
    if cards >= 6 and hits >= 0.85 * cards:
        return "high"
    return "medium" if hits >= 3 and hits >= 0.6 * cards else "low"
