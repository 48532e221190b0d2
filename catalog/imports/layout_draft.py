"""Begins a layout from a data file: what fields it has, which of them hold numbers, and the file that says where."""

import dataclasses
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, NamedTuple, cast

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.file_kinds import DATA_FILES, FileKind, check_kind
from ccgrid.catalog.imports.data_shape import KeyField, files_again, files_beside, key_field, lists_in
from ccgrid.catalog.layouts import described
from ccgrid.catalog.layouts.described import JSON_PATTERNS, FoundRow, data_files, file_rows
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.printed_fields import SPELLINGS, DataColumns, fold_heading, value_at
from ccgrid.catalog.numbers import scan
from ccgrid.catalog.printing import DataRow, SkippedRows, UnreadRow
from ccgrid.catalog.readers.archives import Tree, open_tree
from ccgrid.catalog.readers.tables import headings_shown
from ccgrid.catalog.readers.xml_elements import roots
from ccgrid.catalog.sources import cockatrice, lackey, octgn
from ccgrid.catalog.zones import FACE, Zone

FEWEST: Final = 2
"""The fewest cards that must show a field in a zone."""
_LUCK: Final = {"high": 1e-4, "medium": 2e-3, "low": 1e-2}  # how likely chance alone may be to show as much
_HIGH: Final = (6, 0.85)  # how many cards have the field, and what part of them show it
_MEDIUM: Final = (3, 0.6)  # the same for medium confidence
_LOW: Final = (2, 0.34)  # and for low
_TELLING: Final = 0.02  # how likely chance may be to part cards by a column as they are parted
_MOST_VALUES: Final = 8  # of a column that tells where a field is printed
_MOST_PLACES: Final = 40  # places in a draft

Reading = tuple[str, str]
"""How a field is read (`collector` or nothing) and which part of it."""


class KnownCard(NamedTuple):
    """One card: what each field and reading of its data gives, what parts it from others, and the numbers on it."""

    values: Mapping[tuple[str, Reading], Counter[int]]
    columns: Mapping[str, str]
    zones: Mapping[str, Sequence[int]]


class LearnedPlace(NamedTuple):
    """A field and the zone it is in, on `seen` of the `cards` whose data have a number there, and how sure.

    `reading` is how the field is read; `column` and `among` say of which cards this holds, nothing of all; `unseen` are
    values of that column that are on no picture.
    """

    field: str
    zone: str
    seen: int
    cards: int
    confidence: str
    reading: Reading = ("", "")
    column: str = ""
    among: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """How often it was seen, in words, for a layout."""
        unseen = f"; no scan shows {', '.join(self.unseen)}" if self.unseen else ""
        return f"seen there on {self.seen} of {self.cards} scans{unseen}"

    @property
    def cases(self) -> str:
        """Of which cards it holds, in words; nothing of all."""
        return f" where {self.column} is {' or '.join(self.among)}" if self.column else ""


class UnexplainedZone(msgspec.Struct, frozen=True, kw_only=True):
    """A zone with numbers that no field of the data accounts for, and the number of cards that show some."""

    zone: str
    cards: int


def places(known: Sequence[KnownCard]) -> tuple[list[LearnedPlace], list[UnexplainedZone]]:
    """Where the fields are printed, the clearest first, and the zones whose numbers stay unexplained."""
    # For each card the numbers of each zone that nothing explains yet.
    left = [{zone: Counter(numbers) for zone, numbers in card.zones.items()} for card in known]
    found: list[LearnedPlace] = []
    # Greedy: the clearest place first. The numbers that it explains are taken off the cards before the next is sought.
    for _ in range(_MOST_PLACES):
        best = min(_candidates(known, left, found), key=lambda one: one[0], default=None)
        if best is None:
            break
        _, place, hits = best
        found.append(place)
        for card in hits:
            left[card][place.zone] -= known[card].values[place.field, place.reading]
    rest: Counter[str] = Counter(zone for zones in left for zone, numbers in zones.items() if numbers.total())
    return found, [UnexplainedZone(zone=zone, cards=cards) for zone, cards in rest.most_common() if cards >= FEWEST]


_Candidate = tuple[float, LearnedPlace, list[int]]
"""How good a place is, the least the best and of equals the first; the place; and the cards that show it."""


def _candidates(
    known: Sequence[KnownCard], left: Sequence[Mapping[str, Counter[int]]], found: Sequence[LearnedPlace]
) -> Iterator[_Candidate]:
    """The places that the numbers left speak for."""
    readings = dict.fromkeys(key for card in known for key in card.values)
    zones = sorted({zone for card in left for zone, numbers in card.items() if numbers.total()})
    chosen = {place.field: place.reading for place in found}
    for field, reading in readings:
        if chosen.get(field, reading) != reading:
            continue  # a field is read in one way
        having = [card for card in range(len(known)) if (field, reading) in known[card].values]
        for zone in zones:
            taken = [place for place in found if (place.field, place.zone) == (field, zone)]
            if taken and not all(place.column for place in taken):
                # It is printed there on all cards already.
                continue
            # Cards of types for which this field has this zone already are no news.
            cards = [card for card in having if not any(known[card].columns.get(p.column) in p.among for p in taken)]
            # `<=` of counters: every number of the field is among those of the zone.
            hits = [card for card in cards if known[card].values[field, reading] <= left[card].get(zone, Counter())]
            if len(hits) >= FEWEST:
                column, among = _best_column(known, cards, hits)
                within = [card for card in cards if not column or known[card].columns.get(column) in among]
                shown = sorted(set(hits).intersection(within))
                candidate = _weigh(
                    known, left, LearnedPlace(field, zone, 0, 0, "", reading, column, among), within, shown
                )
                if candidate is not None:
                    yield candidate


def _weigh(
    known: Sequence[KnownCard],
    left: Sequence[Mapping[str, Counter[int]]],
    place: LearnedPlace,
    cards: Sequence[int],
    hits: list[int],
) -> _Candidate | None:
    """A place with how sure it is; None where chance alone may well show as much."""
    key = (place.field, place.reading)
    # Every field's numbers against every card's zone: n of these pairs are of one card, n * (n - 1) of two.
    chance_hits = _fitting([known[card].values[key] for card in cards], [left[card].get(place.zone) for card in cards])
    others = len(cards) * (len(cards) - 1)
    # The chance of a hit by luck is how often the numbers of other cards fit, smoothed so that it is never 0.
    luck = at_least(len(hits), len(cards), (chance_hits - len(hits) + 0.5) / (others + 1))
    once = Counter(known[card].columns.get(place.column, "") for card in cards) if place.column else Counter[str]()
    for confidence, (fewest, part) in (("high", _HIGH), ("medium", _MEDIUM), ("low", _LOW)):
        if len(cards) >= fewest and len(hits) >= max(FEWEST, part * len(cards)) and luck < _LUCK[confidence]:
            # Of some type there is one card only.
            if confidence == "high" and 1 in once.values():
                confidence = "medium"  # one card says little of all of its type
            seen = place._replace(seen=len(hits), cards=len(cards), confidence=confidence)
            # Rather by chance, or on fewer of the cards: worse.
            return luck * len(cards) / len(hits), seen, hits
    return None


def _fitting(values: Sequence[Counter[int]], zones: Sequence[Counter[int] | None]) -> int:
    """How often the numbers of a field of one card are in a zone of one, its own or another; equal ones told once."""
    # Equal numbers and equal zones are many: each pair of kinds is compared once, and counted as often as it is there.
    fields = Counter(frozenset(value.items()) for value in values)
    shown = Counter(frozenset((zone or Counter()).items()) for zone in zones)
    return sum(
        many * often
        for value, many in fields.items()
        for zone, often in shown.items()
        if Counter(dict(value)) <= Counter(dict(zone))
    )


def _best_column(known: Sequence[KnownCard], cards: Sequence[int], hits: Sequence[int]) -> tuple[str, tuple[str, ...]]:
    """The column that tells on which cards a field is in a zone, and its values there; nothing where none tells."""
    columns = dict.fromkeys(column for card in cards for column in known[card].columns)
    # The more columns are tried, the more likely one of them fits by chance (Bonferroni's correction).
    best: tuple[float, str, tuple[str, ...]] = (_TELLING / max(1, len(columns)), "", ())
    for column in columns:
        every = Counter(known[card].columns.get(column, "") for card in cards)
        shown = Counter(known[card].columns.get(column, "") for card in hits)
        # The values on more than half of whose cards the field is there.
        among = tuple(sorted(value for value in shown if value and 2 * shown[value] > every[value]))
        within, right = sum(every[value] for value in among), sum(shown[value] for value in among)
        if not among or within == len(cards) or len(every) > _MOST_VALUES:
            continue
        # Fisher's exact test: how likely hits are to fall into these values so often by chance.
        chance = drawn(right, len(hits), within, len(cards))
        if chance < best[0]:
            best = chance, column, among
    return best[1:]


def at_least(hits: int, cards: int, chance: float) -> float:
    """How likely so many hits or more are on so many cards, each of them a hit with that chance.

    >>> at_least(2, 2, 0.5), at_least(0, 2, 0.5)
    (0.25, 1.0)
    """
    return sum(math.comb(cards, n) * chance**n * (1 - chance) ** (cards - n) for n in range(hits, cards + 1))


def drawn(right: int, hits: int, within: int, cards: int) -> float:
    """How likely it is that of so many hits so many or more fall within a part of the cards, if they fall anyhow.

    >>> drawn(2, 2, 2, 4) == 1 / 6, drawn(0, 2, 2, 4)
    (True, 1.0)
    """
    # The hypergeometric distribution: of all ways to choose the hits among the cards, those with so many within.
    ways = sum(math.comb(within, n) * math.comb(cards - within, hits - n) for n in range(right, min(within, hits) + 1))
    return ways / math.comb(cards, hits)


SAMPLE_ROWS: Final = 2000
"""How many rows are looked at."""
_MOST_FIELDS: Final = 300  # fields in a draft
_DEEPEST: Final = 4  # keys in a path to a field
_SHORT: Final = 16  # characters in the mean, up to which a field is numbers
_LONG: Final = 30  # characters in the mean, from which a field is a text

_EVERY_PLUGIN: Final = frozenset({"name", "set", "imagefile", "type", "rarity", "text"})


@dataclass(slots=True)
class DraftField:
    """A field of a data file: its path, in how many rows it is filled, in how many with numbers, and examples."""

    path: str
    filled: int = 0
    numbers: int = 0
    length: int = 0
    examples: list[str] = dataclasses.field(default_factory=list)

    @property
    def kind(self) -> str:
        """What the field looks like: `name`, `collector`, `numbers`, `text`, or nothing of these."""
        # The last key that says something: "stats.#" is called "stats".
        heading = next(filter(None, map(fold_heading, reversed(self.path.split(".")))), "")
        if heading in SPELLINGS["name"]:
            return "name"
        if heading in SPELLINGS["collector_number"]:
            return "collector"
        if not self.filled or any(heading in SPELLINGS[name] for name in ("set_code", "set_name", "released", "lang")):
            return ""
        mean = self.length / self.filled
        if mean <= _SHORT and self.numbers * 2 >= self.filled:
            return "numbers"
        is_code = self.examples[0].isascii() and " " not in self.examples[0]  # an address, an id
        return "text" if mean >= _LONG and not is_code else ""

    def add(self, texts: Sequence[str]) -> None:
        """Counts what one row has in the field."""
        shown = [text for text in texts if text]
        if not shown:
            return
        self.filled += 1
        self.length += len(shown[0])
        self.numbers += any(scan(text) for text in shown)
        if shown[0] not in self.examples and len(self.examples) < 5:
            self.examples.append(shown[0])


@dataclass(frozen=True, slots=True)
class Draft:
    """What data tell by themselves: the path of the list of cards, and its fields in the order of the file.

    `plugin` is what a LackeyCCG plugin may be called, `octgn` the ids of the games that OCTGN's sets are of; nothing
    where the data are neither. `left` are the other lists and files, each with how many rows it has, `telling` the
    field without which cards would be taken for each other, and `cards` how many there are. `again` are patterns of
    files with the same cards once more, such as translations.
    """

    rows: str
    fields: tuple[DraftField, ...]
    plugin: tuple[str, ...] = ()
    octgn: tuple[str, ...] = ()
    left: tuple[tuple[str, int], ...] = ()
    telling: KeyField | None = None
    cards: int = 0
    again: tuple[str, ...] = ()

    @property
    def has_numbers(self) -> bool:
        """Whether any field holds numbers as cards print them."""
        return any(field.kind in ("numbers", "collector") for field in self.fields)

    def find_field(self, path: str) -> DraftField:
        """The field of this path or heading; CatalogError names those there are."""
        for found in self.fields:
            if fold_heading(found.path) == fold_heading(path):
                return found
        raise CatalogError(
            f"The data have no field {path!r}. They have: {headings_shown(f.path for f in self.fields)}."
        )


def examine(path: Path, rows: str | None = None) -> Draft:
    """Looks at a data file, or all files of a folder or an archive; `rows` is where the cards are in JSON, if given.

    Raises CatalogError where it cannot be read.
    """
    check_kind(path, DATA_FILES, FileKind.CARD_DATA.value)
    with open_tree(path) as tree:
        if lackey.is_plugin(tree):
            return _examine_plugin(tree)
        kind = _xml_source(tree)
        if kind is octgn:
            files = octgn.set_files(tree)
            in_sets = chain.from_iterable(octgn.cards(tree, name, _ignore) for name in files)
            fields = tuple(field for field in _fields(in_sets, tree.name) if field.path != octgn.CARD_ID)
            return Draft("", fields, octgn=tuple(sorted(octgn.game_ids(tree, files))))
        if kind is cockatrice:
            in_files = (
                cockatrice.printing_rows(tree, name, _ignore) for name in cockatrice.database_files(tree, _ignore)
            )
            return Draft("", _fields(chain.from_iterable(in_files), tree.name))
        return _examine_files(tree, path, rows)


def _examine_files(tree: Tree, path: Path, rows: str | None) -> Draft:
    names = data_files(tree) or list(tree.names)
    if not names:
        raise FileFormatError("no data file in it.", file=path)
    # `data` is where many files have their cards, and needs no word of a layout.
    lists = [one for one in lists_in(tree, names[0]) if one.path != "data"] if len(names) == 1 else []
    chosen = rows if rows is not None else _path_of_lists(tree, names)
    layout = Layout("draft", "draft", (), columns=DataColumns(rows=chosen))

    def found(name: str) -> Iterator[DataRow]:
        return (row[1] for row in file_rows(tree, name, layout, _ignore) if not isinstance(row, UnreadRow))

    # One file needs no comparison.
    samples = {name: list(islice(found(name), SAMPLE_ROWS)) for name in names} if len(names) > 1 else {}
    again = files_again(samples)
    beside = files_beside({name: rows for name, rows in samples.items() if name not in again})
    # Everything would be left out: then nothing is.
    if len(beside) + len(again) == len(names):
        beside = []
    with_cards = (name for name in names if name not in beside and name not in again)
    cards = list(islice(chain.from_iterable(map(found, with_cards)), MOST_ROWS))
    fields = _fields((("", row) for row in _spread(cards)), path.name)
    left = [(one.path, one.rows) for one in lists if one.path != chosen]
    left += [(name, sum(1 for _ in found(name))) for name in beside]
    folders = Counter[str]()
    for name in again:
        folders[_folder_pattern(name, names, again)] += sum(1 for _ in found(name))
    left += folders.items()
    telling = key_field(cards, [field.path for field in fields if field.kind != "text"])
    return Draft(chosen, fields, left=tuple(left), telling=telling, cards=len(cards), again=tuple(folders))


def _folder_pattern(name: str, names: Sequence[str], again: Sequence[str]) -> str:
    """The pattern of all files in the folder of one that is left out, or the file alone where others are not."""
    folder = name.rpartition("/")[0]
    others = {one for one in names if one.rpartition("/")[0] == folder}
    return f"{folder}/*" if folder and others <= set(again) else name


def _path_of_lists(tree: Tree, names: Sequence[str]) -> str:
    """Where the cards are in JSON documents: the path of the longest list in any of them."""
    longest = max((one for name in names for one in lists_in(tree, name)[:1]), key=lambda one: one.rows, default=None)
    return "" if longest is None or longest.path == "data" else longest.path


def _spread(rows: Sequence[DataRow]) -> Sequence[DataRow]:
    """Rows from all over, so that kinds of cards that come late are among them."""
    # Every n-th row, so many that no more than `SAMPLE_ROWS` are left.
    return rows[:: 1 + len(rows) // SAMPLE_ROWS]


def _xml_source(tree: Tree) -> ModuleType | None:
    """The module that reads a data set in XML; None where it is in none, or of a kind that no module reads."""
    kinds = set(roots(tree).values())
    return octgn if "set" in kinds else cockatrice if cockatrice.ROOT in kinds else None


def _examine_plugin(tree: Tree) -> Draft:
    files = lackey.card_files(tree, _ignore)
    layout = Layout("draft", "draft", ())
    rows = chain.from_iterable(file_rows(tree, name, layout, _ignore, quoted=False) for name in files)
    # Reversed, so that of two spellings the first wins; turned back in the end.
    names = {fold_heading(name): name for name in reversed(list(lackey.plugin_names(tree, files)))}
    usual = {fold_heading(name) for name in ("sets", "set", "data", "")}
    return Draft("", _fields(rows, tree.name), tuple(name for key, name in names.items() if key not in usual)[::-1])


def _ignore(sentence: str) -> None:
    """What an import would remark is not said of a draft."""


def _fields(rows: Iterable[FoundRow | UnreadRow], name: str) -> tuple[DraftField, ...]:
    fields: dict[str, DraftField] = {}
    for found in islice(rows, SAMPLE_ROWS):
        if not isinstance(found, UnreadRow):
            _count(found, fields)
    if not fields:
        raise FileFormatError("no rows with fields in it.", file=name)
    return tuple(fields.values())


def _count(found: FoundRow, fields: dict[str, DraftField]) -> None:
    row = found[1]
    # A list of attacks has the same path several times: it counts once.
    for path in dict.fromkeys(_paths(row, "", 0)):
        # No more fields than anybody looks through; a file with a key for each card has thousands.
        if path not in fields and len(fields) < _MOST_FIELDS:
            fields[path] = DraftField(path)
        if path in fields and (value := value_at(row, path)) is not None:
            fields[path].add([value] if isinstance(value, str) else value)


def _paths(value: Any, path: str, depth: int) -> Iterator[str]:
    """The paths of all texts and numbers below a value."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, inner in value.items():
            if key:
                yield from _paths(inner, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list):
        # Ten entries show what fields there are.
        for inner in value[:10]:
            yield from _paths(inner, path, depth)
    elif path:
        yield path


def layout_text(
    draft: Draft,
    game: str,
    title: str,
    zones: Mapping[str, str],
    reads: Mapping[str, Reading] | None = None,
    learned: Mapping[str, Sequence[LearnedPlace]] = MappingProxyType({}),
) -> str:
    """The text of a layout; `zones` maps a field to its zone, `face`, or nothing for what is not printed.

    `reads` maps a field to how its text is read, where somebody said so: as a collector number, and which part of it.
    `learned` maps a field to the places that were learned of it, each with how sure it is and why; `zones` go before.
    A field that holds numbers and has no zone is written as a comment, for its zone to be filled in.
    """
    if not any(zones.values()) and not any(found.kind in ("name", "text") for found in draft.fields):
        shown = headings_shown(found.path for found in draft.fields)
        raise CatalogError(f"Name the zone of a field, as in --at Cost=top-left. The fields: {shown}.")
    lines = [
        f"# Where {_plain(title)} prints its numbers. CONTRIBUTING.md explains the format; check this file with:",
        "# ccgrid layout check THIS_FILE --data FILE",
        "format = 1",
        f"game = {_quoted(game)}",
        f"name = {_quoted(title)}",
        *_columns(draft),
        *_lackey(draft),
        *(["", "[octgn]", f"games = [{', '.join(map(_quoted, draft.octgn))}]"] if draft.octgn else []),
    ]
    # Learned places, unless somebody named a zone; then zones that were named; then guesses; the rest as comments.
    for found in draft.fields:
        if found.path in learned and found.path not in zones:
            lines += [line for place in learned[found.path] for line in ("", *_place_lines(found.path, place))]
            continue
        zone = zones.get(found.path)
        guessed = zone is None and found.kind in ("name", "text")
        if guessed:
            zone = FACE
        # Named as not printed; or nobody said anything, and it holds no numbers.
        if zone == "" or (zone is None and found.kind not in ("numbers", "collector")):
            continue
        table = ["[[printed]]", f"field = {_quoted(found.path)}", f"zone = {_quoted(zone or '?')}"]
        table += _reading((reads or {}).get(found.path), found.kind)
        if guessed and found.kind == "text":
            table.append('confidence = "low"  # is it printed at all?')
        lines.append("")
        if zone is None:
            examples = ", ".join(_plain(example[:_SHORT]) for example in found.examples)
            lines.append(f"# {_plain(found.path)} holds numbers ({examples}). Where is it printed?")
            table = [f"# {line}" for line in table]
        lines += table
    name = next((found.path for found in draft.fields if found.kind == "name"), None)
    if not draft.has_numbers and not learned and name and all(zone in ("", FACE) for zone in zones.values()):
        lines += ["", "[[barred]]", 'reason = "data:numbers" # no field holds the numbers that the cards print']
        lines += [f"when = {{ {_quoted(name)} = {{ present = true }} }}"]
    return "\n".join(lines) + "\n"


def _place_lines(field: str, place: LearnedPlace) -> list[str]:
    """The table of one place that was learned."""
    table = ["[[printed]]", f"field = {_quoted(field)}", f"zone = {_quoted(place.zone)}"]
    table += _reading(place.reading, "")
    if place.column:
        table.append(f"when = {{ {_quoted(place.column)} = [{', '.join(map(_quoted, place.among))}] }}")
    return [*table, f"confidence = {_quoted(place.confidence)}", f"note = {_quoted(place.note)}"]


def _reading(reading: Reading | None, kind: str) -> Iterable[str]:
    """The keys that say how a field is read."""
    read, part = reading or ("collector" if kind == "collector" else "", "")
    if read == "collector":
        yield 'read = "collector"'
    if part:
        yield f"part = {part if part.isdecimal() else _quoted(part)}"


def _lackey(draft: Draft) -> Iterable[str]:
    """The table by which a plugin is recognised: what it is called, and the columns that not every plugin has."""
    if not draft.plugin:
        return []
    headings = [found.path for found in draft.fields if fold_heading(found.path) not in _EVERY_PLUGIN]
    names, columns = (", ".join(map(_quoted, words)) for words in (draft.plugin, headings))
    return ["", "[lackey]", f"names = [{names}]", *([f"columns = [{columns}]"] if headings else [])]


def _columns(draft: Draft) -> Iterable[str]:
    """The table of columns, where the usual headings do not say all."""
    columns = dict[str, str | list[str]]()
    if draft.again:
        columns["files"] = [f"!{pattern}" for pattern in draft.again]
    if draft.rows:
        columns["rows"] = draft.rows
    for name in ("name", "collector_number"):
        kind = "name" if name == "name" else "collector"
        found = [field.path for field in draft.fields if field.kind == kind]
        if found and "." in found[0]:
            columns[name] = found[0]
    if draft.telling:
        columns["collector_number" if draft.telling.is_number else "id"] = _of_set(draft)
    written = (f"{name} = {_quoted(value)}" for name, value in columns.items())
    return ["", "[columns]", *written] if columns else []


def _of_set(draft: Draft) -> str:
    """The column that tells cards apart: a number as it is, anything else within the set where there is one."""
    assert draft.telling is not None  # noqa: S101  asked before
    field = draft.telling.field
    codes = [one.path for one in draft.fields if fold_heading(one.path) in SPELLINGS["set_code"]]
    # "{set}/{field}", a template of the layout.
    return field if draft.telling.is_number or not codes else f"{{{codes[0]}}}/{{{field}}}"


def game_name(file: str) -> str:
    """A short name for a game, from the name of a file."""
    # "Legend of the Five Rings.csv" becomes "legend-of-the-five-rings"; accents fall off with NFKD.
    plain = unicodedata.normalize("NFKD", file.partition(".")[0]).casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "game"


def _quoted(text: str | list[str]) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _plain(text: str) -> str:
    """A text as a comment may hold it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


MOST_ROWS: Final = 100_000
"""How many rows are read."""
_EXAMPLES: Final = 5


class ReadCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that was read: the numbers in each zone, and on its face."""

    id: str
    name: str
    zones: dict[Zone, list[int]]
    face: list[int]


class LayoutReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a layout reads from data: rows read and skipped, cards legal and barred by reason, and the first legal ones.

    Attributes:
        zones: the number of cards with a number in each zone.
    """

    read: int
    skipped: int
    legal: int
    barred: dict[str, int]
    zones: dict[Zone, int]
    examples: list[ReadCard]
    remarks: list[str]


def try_layout(layout: Layout, data: Path) -> tuple[LayoutReport, SkippedRows]:
    """Read a data file, or a folder of them, by a layout; store nothing.

    Raises:
        CatalogError: If the data cannot be read.
    """
    check_kind(data, DATA_FILES, FileKind.CARD_DATA.value)
    reasons, remarks, reader = SkippedRows(), list[str](), layout.compiled()
    read = skipped = legal = 0
    barred, zones, examples = Counter[str](), Counter[Zone](), list[ReadCard]()
    with open_tree(data) as tree:
        is_json = tree.matching(*JSON_PATTERNS) and not lackey.is_plugin(tree)
        is_lackey = layout.lackey and not is_json
        module = _xml_source(tree) or (lackey if is_lackey else described)
        for row in islice(module.read_tree(tree, layout, remarks.append), MOST_ROWS):
            read += 1
            if isinstance(row, UnreadRow):
                skipped += 1
                reasons.note(row.where, row.why)
                continue
            reading = reader.read(row.fields)
            numbers = cast("dict[Zone, list[int]]", reading.zones)
            zones.update(numbers.keys())
            if reading.reason is not None:
                barred[reading.reason] += 1
                continue
            legal += 1
            if len(examples) < _EXAMPLES:
                examples.append(ReadCard(id=row.id, name=row.name, zones=numbers, face=reading.face))
    report = LayoutReport(
        read=read,
        skipped=skipped,
        legal=legal,
        barred=dict(barred.most_common()),
        zones=dict(zones.most_common()),
        examples=examples,
        remarks=remarks,
    )
    return report, reasons
