"""Learning of layouts: the zones of fields, from data and pictures of their cards."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec
from rapidfuzz import fuzz, process

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.imports.layout_draft import Draft, DraftField, examine
from ccgrid.catalog.imports.layout_places import FEWEST, KnownCard, LearnedPlace, Reading, UnexplainedZone, places
from ccgrid.catalog.layouts.described import data_files, file_rows
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.printed_fields import DataColumns, value_at
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.numbers import collector_number, numerals
from ccgrid.catalog.printing import DataRow, UnreadRow
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import lackey

_MOST_ROWS: Final = 50_000  # rows of the data in memory
_SAME_NAME: Final = 82.0  # least similarity of a read name to that of a row, of 100
_LONGEST: Final = 24  # mean characters of a field that is a number
_LONGEST_CODE: Final = 60  # of one that contains a code: MS_069_Gundam_Heavyarms_Custom
_LONGEST_WORD: Final = 40  # characters of a type
_MOST_UNSEEN: Final = 4  # named types
_MOST_FEW: Final = 8  # requested types
_KINDS: Final = ("collector", "numbers", "")
"""The order of kinds for fields that match equally well."""
_NUMBERS: Final[tuple[Reading, ...]] = (("", ""),)
_COLLECTOR: Final[tuple[Reading, ...]] = (("collector", ""), ("collector", "last"))


class Sighting(NamedTuple):
    """A card on a picture: its possible names, the most likely first, and the numbers in each zone."""

    names: tuple[str, ...]
    zones: Mapping[str, Sequence[int]]


class UnplacedField(msgspec.Struct, frozen=True, kw_only=True):
    """A field that is placed nowhere, and the number of cards that have a number in it.

    Attributes:
        zone: the zone that shows the number on most cards, or null.
        seen: the number of those cards.
    """

    field: str
    cards: int
    zone: str | None
    seen: int

    @property
    def reason(self) -> str:
        """The reason why it is not placed."""
        if self.cards < FEWEST:
            return f"{self.cards or 'none'} of the cards has a number there; scan cards that have one"
        if not self.seen:
            return f"none of the {counted(self.cards, 'card')} shows its number at an edge"
        return f"seen most at {self.zone}, on {self.seen} of {counted(self.cards, 'card')}, which may be chance"


class LearningResult(NamedTuple):
    """What was learned.

    Attributes:
        draft: The fields of the data.
        places: Their places.
        cards: The number of pictures whose card is in the data.
        unexplained: Zones with numbers of no field.
        unplaced: Fields without a certain place.
        few: Types of cards with too few pictures, and the number of pictures of each.
    """

    draft: Draft
    places: tuple[LearnedPlace, ...]
    cards: int
    unexplained: tuple[UnexplainedZone, ...] = ()
    unplaced: tuple[UnplacedField, ...] = ()
    few: Mapping[str, int] = MappingProxyType({})


def learn(data: Path, sightings: Sequence[Sighting], draft: Draft | None = None) -> LearningResult:
    """Learn the zone of each field with numbers from pictures of cards.

    Args:
        data: The data file.
        sightings: The cards on the pictures.
        draft: The examined data, if available.

    Raises:
        CatalogError: If the data cannot be read, or contain none of the cards.
    """
    draft = draft or examine(data)
    rows = _rows(data, draft)
    names = next((field.path for field in draft.fields if field.kind == "name"), None)
    if names is None:
        raise FileFormatError("no name field, which is needed to find the cards on pictures.", file=data)
    pairs = list(_match_rows(rows, names, sightings))
    if not pairs:
        raise CatalogError(f"None of the {counted(len(sightings), 'card')} on the pictures has a name found in {data}.")
    # Of fields that match equally well the first is placed.
    fields = sorted(filter(_may_be_printed, draft.fields), key=lambda field: _KINDS.index(field.kind))
    columns = _type_columns(draft, rows)
    known = [_known_card(row, sighting, fields, columns) for row, sighting in pairs]
    found, unexplained = places(known)
    seen = {
        column.path: {card.columns[column.path] for card in known if column.path in card.columns} for column in columns
    }
    complete = tuple(_with_unseen(place, rows, seen.get(place.column, ())) for place in found)
    placed = {place.field for place in found}
    others = (_unplaced_field(field.path, known) for field in fields if field.path not in placed)
    # Names of files often contain digits that are not on the card.
    unplaced = tuple(one for one in others if one.cards or draft.find_field(one.field).kind in _KINDS[:2])
    return LearningResult(
        draft, complete, len(pairs), tuple(unexplained), unplaced, _few_seen_types(columns, rows, known, found)
    )


def _unplaced_field(field: str, known: Sequence[KnownCard]) -> UnplacedField:
    """Return what the pictures show of a field without a place."""
    cards, seen = 0, Counter[str]()
    for card in known:
        values = [numbers for (name, _), numbers in card.values.items() if name == field]
        cards += bool(values)
        seen.update(zone for zone, numbers in card.zones.items() if any(value <= Counter(numbers) for value in values))
    zone, most = seen.most_common(1)[0] if seen else (None, 0)
    return UnplacedField(field=field, cards=cards, zone=zone, seen=most)


def _few_seen_types(
    columns: Sequence[DraftField],
    rows: Sequence[DataRow],
    known: Sequence[KnownCard],
    found: Sequence[LearnedPlace],
) -> dict[str, int]:
    """Return the most common types with too few pictures, and the number of pictures of each."""
    parting = [place.column for place in found if place.column]
    # "Type", "Card Type", "supertype"
    types = [column.path for column in columns if "type" in fold(column.path)]
    column = next(iter((*parting, *types)), None)
    if column is None:
        return {}
    usual = Counter(value for row in rows if isinstance(value := value_at(row, column), str) and value.strip())
    seen = Counter(card.columns.get(column) for card in known)
    return {value: seen[value] for value in islice((v for v, _ in usual.most_common() if seen[v] < FEWEST), _MOST_FEW)}


def _rows(data: Path, draft: Draft) -> list[DataRow]:
    with open_tree(data) as tree:
        plugin, without = lackey.is_plugin(tree), [f"!{pattern}" for pattern in draft.again]
        names = lackey.card_files(tree, _ignore) if plugin else data_files(tree, without) or list(tree.names)
        layout = Layout("draft", "draft", (), columns=DataColumns(rows=draft.rows))
        found = (
            row for name in names for row in file_rows(tree, name, layout, _ignore, quoted=False if plugin else None)
        )
        return [row[1] for row in islice(found, _MOST_ROWS) if not isinstance(row, UnreadRow)]


def _ignore(sentence: str) -> None:
    """Ignore a warning: an import repeats it."""


def _match_rows(
    rows: Sequence[DataRow], names: str, sightings: Iterable[Sighting]
) -> Iterable[tuple[DataRow, Sighting]]:
    """Yield the row with the most similar name for each card, with the common fields if several rows have that name."""
    folded: dict[str, list[DataRow]] = defaultdict(list)
    for row in rows:
        # All printings with this name: the picture may show any of them.
        folded[fold(_text(row, names))].append(row)
    # An empty normalised name would match any line without letters.
    folded.pop("", None)
    for sighting in sightings:
        for name in sighting.names:
            # If the best match of all rows is not good enough, try the next possible name.
            best = process.extractOne(fold(name), folded.keys(), scorer=fuzz.ratio, score_cutoff=_SAME_NAME)
            if best is not None:
                yield _common_columns(folded[best[0]]), sighting
                break


def _common_columns(rows: Sequence[DataRow]) -> DataRow:
    """Return the columns that are equal in all printings of a name."""
    return {key: value for key, value in rows[0].items() if all(row.get(key) == value for row in rows)}


def _text(row: DataRow, path: str) -> str:
    value = value_at(row, path)
    return value if isinstance(value, str) else " ".join(map(str, value or ()))


def _may_be_printed(field: DraftField) -> bool:
    """Return whether a field contains digits, and is neither the name nor a long text."""
    digits = any(character.isdecimal() for example in field.examples for character in example)
    return digits and field.kind not in ("name", "text") and field.length <= _LONGEST_CODE * field.filled


def _readings(field: DraftField) -> tuple[Reading, ...]:
    """Return the possible readings of a field, the most likely first."""
    if field.kind == "numbers":
        return (*_NUMBERS, *_COLLECTOR)
    # A short text may be a number or a code; a longer one, such as the name of a file, can only contain a code.
    short = field.length <= _LONGEST * field.filled
    return (*_COLLECTOR, *_NUMBERS) if short and field.kind != "collector" else _COLLECTOR


def _known_card(
    row: DataRow, sighting: Sighting, fields: Sequence[DraftField], columns: Sequence[DraftField]
) -> KnownCard:
    """Return a card with the numbers of its data in every possible reading, and those on its picture."""
    values = {}
    for field in fields:
        text = _text(row, field.path)
        for reading in _readings(field):
            if numbers := _numbers(text, reading):
                values[field.path, reading] = numbers
    parts = {column.path: value for column in columns if isinstance(value := value_at(row, column.path), str) and value}
    return KnownCard(values, parts, sighting.zones)


def _numbers(text: str, reading: Reading) -> Counter[int]:
    """Return the numbers of a field's text as a zone shows them."""
    if not reading[0]:
        # Recognition may miss a minus.
        return Counter(abs(found.value) for found in numerals(text, "stats"))
    number = collector_number(text, "last" if reading[1] == "last" else "first")
    return Counter() if number is None else Counter((number,))


def _type_columns(draft: Draft, rows: Sequence[DataRow]) -> list[DraftField]:
    """Return the fields that may determine the layout of a card: words that many cards share, such as its type."""
    found = []
    for field in draft.fields:
        if field.kind in ("name", "collector", "text") or any(c.isdecimal() for text in field.examples for c in text):
            continue
        values = {value for row in rows if isinstance(value := value_at(row, field.path), str)}
        # At most one value for six rows.
        if 1 < len(values) <= max(4, len(rows) // 6) and max(map(len, values)) <= _LONGEST_WORD:
            found.append(field)
    return found


def _with_unseen(place: LearnedPlace, rows: Sequence[DataRow], seen: Collection[str]) -> LearnedPlace:
    """Return the place with the other values of its column in the data, which no picture shows."""
    if not place.column:
        return place
    values = {value for row in rows if isinstance(value := value_at(row, place.column), str) and value.strip()}
    return place._replace(unseen=tuple(sorted(values - set(seen)))[:_MOST_UNSEEN])
