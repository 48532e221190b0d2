"""Reading of any table or JSON file of cards by a layout alone, without code for the game."""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.copy_terms import language_code
from ccgrid.catalog.documents import LARGEST_DOCUMENT
from ccgrid.catalog.errors import CatalogError, FileFormatError, UsageError
from ccgrid.catalog.extras import check_installed
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.layouts.descriptions import DescriptionPlan
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import all_layouts
from ccgrid.catalog.layouts.printed_fields import (
    NAMES,
    SPELLINGS,
    DataColumns,
    Text,
    first_text,
    fold_heading,
    value_at,
    value_text,
)
from ccgrid.catalog.printing import DataRow, Printing, SourceRow, UnreadRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import values_at
from ccgrid.catalog.readers.json_rows import json_rows
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.readers.tables import TextTable, headings_shown, rows_as_dicts, with_points, without_formulas
from ccgrid.catalog.readers.text_lines import survey, warn_about_survey
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.words import fold, vocabulary
from ccgrid.catalog.zones import FACE

READER: Final = 7
JSON_PATTERNS: Final = ("*.json", "*.jsonl", "*.ndjson", "*.hjson", "*.json.gz", "*.jsonl.gz")
PATTERNS: Final = (*JSON_PATTERNS, "*.csv", "*.tsv", "*.tab", "*.txt")
"""The data files of a folder, if the layout names none."""
_LONGEST_NAME: Final = 1000  # characters of all texts of a printing
_LONGEST_ID: Final = 100  # characters
_MOST_ROWS_WITHOUT_CARDS: Final = 10_000  # of a file such as a list of sets
_MOST_FILES: Final = 5  # for guessing the game
_SAMPLE_ROWS: Final = 200  # per file, for guessing the game
_MOST_FITTING: Final = 3  # suggested layouts
_CODES: Final = ("code", "abbrev", "abbreviation", *SPELLINGS["set_code"], "id")
_SET_NAMES: Final = (*SPELLINGS["set_name"], *SPELLINGS["name"], "fullname", "label")
_RELEASES: Final = (*SPELLINGS["released"], "daterelease", "releasedon", "date")
"""Headings of code, name and date in lists of sets."""
# 2024-03-08 · 2024/3/8 · 2024.03.08; no digit may follow, or it would be part of a longer number.
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")

_decode = msgspec.json.Decoder().decode
FoundRow = tuple[str, DataRow]


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in all data files of a data set, file by file, by the columns of a layout.

    Raises:
        CatalogError: If there is no data file, one cannot be read, or one has none of the layout's fields.
    """
    names = data_files(tree, layout.columns.files)
    if not names:
        wanted = ", ".join(layout.columns.files or PATTERNS)
        raise FileFormatError(f"no data file in it; looked for {wanted}.", file=tree.name)
    without_cards = _files_without_cards(tree, names, layout, warn) if len(names) > 1 else {}
    sets = dict(_facts_of_sets(without_cards.values()))
    files = [name for name in names if name not in without_cards]
    found = chain.from_iterable(
        with_file_name(read_file(tree, name, layout, warn), name, len(names) > 1) for name in files
    )
    for row in with_fields_checked(found, layout, tree.name, warn):
        # A list of sets supplies name and date that the card lacks.
        if isinstance(row, Printing) and (known := sets.get(row.set_code.casefold())):
            row = row._replace(set_name=row.set_name or known[0], released=row.released or known[1])
        yield row


def with_fields_checked(rows: Iterable[SourceRow], layout: Layout, name: str, warn: Warn) -> Iterator[SourceRow]:
    """Yield the rows of a data set, and warn at the end about fields with numbers that no card has."""
    lacking, has_cards = dict.fromkeys(layout.numbers()), False
    for row in rows:
        if lacking and isinstance(row, Printing):
            has_cards = True
            for field in [field for field in lacking if field in row.fields]:
                del lacking[field]
        yield row
    if lacking and has_cards:
        fields = ", ".join(map(repr, lacking))
        warn(f"{name}: no card has {fields}, where the layout of {layout.name} reads numbers.")


def data_files(tree: Tree, patterns: Sequence[str] = ()) -> list[str]:
    """Return the data files that match patterns or the usual suffixes, except those that match a pattern after `!`."""
    # With exclusions only, start from the usual files.
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")] or PATTERNS
    left_out = set(tree.matching(*(pattern[1:] for pattern in patterns if pattern.startswith("!"))))
    # A single file may have any name.
    found = tree.matching(*wanted) or (list(tree.names) if len(tree.names) == 1 else [])
    return [name for name in found if name not in left_out]


def recognise(tree: Tree) -> Layout:
    """Raise UsageError with the layouts whose fields the data have: the user must choose the game."""
    draft = Layout("any", "any", ())
    have: dict[str, None] = {}
    names = data_files(tree)
    layouts = [layout for layout in all_layouts()[0] if layout.numbers()]
    # Each path at which some layout finds its rows in JSON.
    for rows in dict.fromkeys(layout.columns.rows for layout in layouts):
        for name in names[:_MOST_FILES]:
            with suppress(CatalogError):
                sample = file_rows(tree, name, replace(draft, columns=DataColumns(rows=rows)), _ignore_warning)
                fields = (row[1] for row in islice(sample, _SAMPLE_ROWS) if not isinstance(row, UnreadRow))
                have |= dict.fromkeys(field for row in fields for field in _fields_of(row, layouts))
    fitting = [layout for layout in layouts if all(fold_heading(field) in have for field in layout.numbers())]
    if best := sorted(fitting, key=lambda layout: -len(layout.numbers()))[:_MOST_FITTING]:
        named = " or ".join(f"--layout {layout.game} ({layout.name})" for layout in best)
        raise UsageError(f"{tree.name}: which game is it? Its fields fit {named}.")
    raise UsageError(
        f"{tree.name}: which game is it? Name its layout: --layout my.toml\n"
        f"No layout has its fields. To start one: ccgrid layout new {shell_word(tree.name)}"
    )


def _fields_of(row: DataRow, layouts: Sequence[Layout]) -> Iterator[str]:
    """Yield the normalised fields of a row: its headings, and nested fields that layouts use."""
    yield from map(fold_heading, row)
    deep = dict.fromkeys(field for layout in layouts for field in layout.numbers() if "." in field)
    yield from (fold_heading(field) for field in deep if value_at(row, field) is not None)


def _files_without_cards(tree: Tree, names: Sequence[str], layout: Layout, warn: Warn) -> dict[str, list[DataRow]]:
    """Return the files without cards, such as a list of sets, with their rows: none has a field that the layout reads.

    Names and collector numbers do not count, since sets may have them, too. A card has both, and a set.
    """
    # Only the first key of a path: `stats` of `stats.attack`.
    lines = [(fold_heading(line.field.partition(".")[0]), line) for line in layout.printed if not line.text]
    wanted = {key for key, line in lines if line.read != "collector" and line.field not in NAMES}
    of_cards = [
        {key for key, line in lines if line.read == "collector"},
        *map(set, (SPELLINGS["name"], SPELLINGS["set_code"])),
    ]
    found: dict[str, list[DataRow]] = {}
    for name in names:
        rows = list[DataRow]()
        for one in file_rows(tree, name, layout, _ignore_warning, checked=False):
            if (
                isinstance(one, UnreadRow)
                or len(rows) == _MOST_ROWS_WITHOUT_CARDS
                or not wanted.isdisjoint(keys := {*map(fold_heading, one[1])})
                or all(not keys.isdisjoint(some) for some in of_cards)
            ):
                break
            rows.append(one[1])
        # No row has a field that the layout reads.
        else:
            found[name] = rows
    # Read all files if no file would be left, or the layout reads no other field.
    if not wanted or len(found) == len(names):
        return {}
    for name, rows in found.items():
        warn(
            f"{name}: skipped: its {counted(len(rows), 'row')} {'has' if len(rows) == 1 else 'have'} "
            "nothing that the layout reads."
        )
    return found


def _ignore_warning(sentence: str) -> None:
    """Ignore a warning: the import repeats it when it reads the file."""


def _facts_of_sets(files: Iterable[Sequence[DataRow]]) -> Iterator[tuple[str, tuple[str, str | None]]]:
    """Yield the code of each set in lists of sets, with its name and date."""
    for row in (row for rows in files for row in rows):
        facts = {fold_heading(key): value_text(value) for key, value in row.items() if isinstance(value, (str, int))}
        code, name, released = (
            next((facts[word] for word in words if facts.get(word)), "") for words in (_CODES, _SET_NAMES, _RELEASES)
        )
        if code and name:
            yield code.casefold(), (name, _date(released) or None)


def read_file(tree: Tree, name: str, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in one data file, in file order; a row that is not a card becomes an `UnreadRow`."""
    return printings(file_rows(tree, name, layout, warn), layout, name.rsplit("/", 1)[-1], warn)


def file_rows(
    tree: Tree, name: str, layout: Layout, warn: Warn, *, quoted: bool | None = None, checked: bool = True
) -> Iterator[FoundRow | UnreadRow]:
    """Yield the rows of one data file in any format, each with its position.

    Args:
        tree: The data set.
        name: The name of the file in it.
        layout: The layout.
        warn: Receives warnings.
        quoted: False for a table of LackeyCCG, with tabs and without quoting; None for any other file.
        checked: Whether the columns of a table must be those of the layout. False if the caller prepares the rows.

    Raises:
        CatalogError: If the file cannot be read.
    """
    # Three passes, to keep nothing in memory: the first bytes, the encoding, the rows.
    with tree.open(name) as stream:
        # The first character after a byte order mark tells whether it is JSON.
        head = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if quoted is None and (head.startswith((b"{", b"[")) or is_hjson(name)):
        yield from _json(tree, name, layout)
        return
    with tree.open(name) as stream:
        look = survey(stream, name)
    warn_about_survey(look, name, warn)
    with tree.open(name) as stream:
        # Tables of LackeyCCG always have tabs.
        table = TextTable(stream, look, name, warn, "" if quoted is None else "\t", quoted)
        if quoted is None and checked:
            check_columns([table.header], layout, name, warn)
        # In a table with semicolons decimals may have commas.
        rows = with_points(table, name, warn) if table.delimiter == ";" else table
        yield from rows_as_dicts(table.header, without_formulas(rows) if quoted is None else rows)


def map_rows(
    rows: Iterable[FoundRow | UnreadRow], change: Callable[[DataRow], DataRow]
) -> Iterator[FoundRow | UnreadRow]:
    """Yield the rows with `change` applied to each, and unread rows unchanged."""
    for row in rows:
        yield row if isinstance(row, UnreadRow) else (row[0], change(row[1]))


def expand_rows(
    rows: Iterable[FoundRow | UnreadRow], change: Callable[[str, DataRow], Iterable[FoundRow | UnreadRow]]
) -> Iterator[FoundRow | UnreadRow]:
    """Yield what `change` makes of each row and its place, and unread rows unchanged."""
    for row in rows:
        if isinstance(row, UnreadRow):
            yield row
        else:
            yield from change(*row)


def is_hjson(name: str) -> bool:
    """Return whether a file is HJSON: JSON with comments, and without commas and quotation marks."""
    return name.casefold().endswith(".hjson")


@contextmanager
def open_json(tree: Tree, name: str) -> Iterator[BinaryIO]:
    """Open a JSON file, or a converted HJSON file, for the duration of the block.

    Raises:
        MissingExtraError: If the extra that reads HJSON is not installed.
        FileFormatError: If the HJSON is not valid or too large.
    """
    with tree.open(name) as stream:
        if not is_hjson(name):
            yield stream
            return
        check_installed("hjson", f"{name}: HJSON")
        import hjson

        body = stream.read(LARGEST_DOCUMENT + 1)
        if len(body) > LARGEST_DOCUMENT:
            raise FileFormatError(f"over {LARGEST_DOCUMENT >> 20} MiB. Is it the right file?", file=name)
        try:
            document = msgspec.json.encode(hjson.loads(body.decode("utf-8-sig")))
        except (ValueError, OverflowError, RecursionError) as error:
            raise FileFormatError(f"not HJSON ({error}).", file=name) from None
        yield io.BytesIO(document)


def _json(tree: Tree, name: str, layout: Layout) -> Iterator[FoundRow | UnreadRow]:
    with open_json(tree, name) as stream:
        if layout.columns.rows:
            raws = ((where, key, body) for where, key, body in values_at(stream, name, layout.columns.rows))
        else:
            # JSON Lines, or one list.
            raws = ((raw.where, "", bytes(raw.body)) for raw in json_rows(stream, name))
        for where, key, body in raws:
            try:
                row = _decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                yield UnreadRow(where, f"not JSON: {error}")
                continue
            if isinstance(row, dict):
                # Layouts can use `@key` as a column.
                yield where, {"@key": key, **row} if key else row
            else:
                yield UnreadRow(where, "no object with fields")


def check_columns(headers: Sequence[Sequence[str]], layout: Layout, name: str, warn: Warn) -> None:
    """Warn about fields of a layout that tables lack.

    Raises:
        FileFormatError: If the tables have none of the fields, or lack one with numbers for which the layout has no
            test `present`: without the numbers, cards would count as legal.
    """
    known = {fold_heading(heading) for header in headers for heading in header} | {
        fold_heading(column) for column in NAMES
    }
    wanted = dict.fromkeys(line.field for line in layout.printed if not line.text)
    missing = [field for field in wanted if fold_heading(field) not in known]
    if wanted and len(missing) == len(wanted):
        raise FileFormatError(
            f"it has none of the columns that the layout of {layout.name} reads ({', '.join(missing)}).\n"
            f"Its columns: {_headings(headers)}.",
            file=name,
        )
    if numbers := [field for field in layout.numbers() if fold_heading(field) not in known]:
        lacking = ", ".join(map(repr, numbers))
        raise FileFormatError(
            f"it has no column {lacking}, in which the layout of {layout.name} reads numbers. Its columns:\n"
            f"{_headings(headers)}. A layout for data that may lack it says so:"
            f' [[barred]] reason = "data:missing", when = {{ "{numbers[0]}" = {{ present = false }} }}.',
            file=name,
        )
    texts = [line.field for line in layout.printed if line.zone == FACE and line.field not in NAMES and not line.text]
    # If the data have some of the texts on the face, do not warn about the others.
    if not set(texts) <= set(missing):
        missing = [field for field in missing if field not in texts]
    if missing:
        warn(f"{name}: it has no column {', '.join(map(repr, missing))}, which the layout of {layout.name} names.")


def _headings(headers: Sequence[Sequence[str]]) -> str:
    found = dict.fromkeys(heading for header in headers for heading in header if heading)
    return headings_shown(found)


def printings(rows: Iterator[FoundRow | UnreadRow], layout: Layout, file: str, warn: Warn) -> Iterator[SourceRow]:
    """Convert rows into printings by the columns of a layout."""
    make = _PrintingMaker(layout, file.partition(".")[0])
    each = layout.columns.each
    for found in rows:
        if isinstance(found, UnreadRow):
            yield found
            continue
        where, row = found
        entries = row.get(each) if each else None
        if isinstance(entries, list) and entries:
            for number, entry in enumerate(entries, 1):
                # Each entry is a printing with the other fields of the row.
                yield make.printing(f"{where}, {each} {number}", {**row, each: entry})
        else:
            yield make.printing(where, row)


class _KeyPlan(NamedTuple):
    """How rows with the same keys are read.

    Attributes:
        spelled: The keys of paths that the rows spell differently.
        plain: The columns with a usual heading, and their keys.
        fields: The fields of the layout, and their keys.
        description: How the rows are described.
    """

    spelled: dict[str, str]
    plain: list[tuple[str, str]]
    fields: list[tuple[str, str]]
    description: DescriptionPlan


class _PrintingMaker:
    """The conversion of rows into printings by a layout."""

    def __init__(self, layout: Layout, file: str) -> None:
        self.game, self.file = layout.game, replace_surrogates(file)
        self.trim = layout.columns.trim
        self.columns = dict(layout.columns.columns)
        self.made = [(name, column) for name, column in layout.columns.columns if name in NAMES]
        self.data_columns = layout.columns
        self.ids = layout.columns.ids
        self.wanted = sorted(layout.fields() - set(NAMES))
        self.asked = sorted(layout.fields() & set(NAMES))
        # Most files have one or two different sets of keys.
        self.plan = lru_cache(1000)(self._key_plan)

    def printing(self, where: str, row: DataRow) -> SourceRow:
        """Convert a row into a printing, or an `UnreadRow` with the reason."""
        spelled, plain, wanted, description = self.plan(tuple(row))

        def get(path: str) -> Text | None:
            # `Card Name` for `cardname`.
            return self.file if path == "@file" else value_at(row, spelled.get(path, path))

        texts = dict.fromkeys(NAMES, "")
        # Columns of the layout replace those with usual headings.
        for column, key in plain:
            texts[column] = first_text(value_at(row, key)).strip()
        for column, recipe in self.made:
            texts[column] = recipe.text(get)
        name = texts["name"].strip(self.trim + " \t") if self.trim else texts["name"]
        if not name:
            return UnreadRow(where, "it has no name")
        if not (texts["set_code"] or texts["collector_number"]) and _is_total(name, row):
            return UnreadRow(where, "it is a total of the rows above")
        if sum(map(len, texts.values())) > _LONGEST_NAME:
            return UnreadRow(where, "its name, set and number are too long")
        texts["name"], texts["released"] = name, _date(texts["released"])
        texts["lang"] = language_code(texts["lang"]).casefold() or "en"
        fields: dict[str, Any] = {path: value for path, key in wanted if (value := value_at(row, key)) is not None}
        ids = ((kind, "".join(recipe.text(get).split())) for kind, recipe in self.ids)
        # A field with the name of a column, such as `name`, has the value of the column.
        for column in self.asked:
            if (value := texts[column] or get(column)) is not None:
                fields[column] = value
        return Printing(
            self._id(texts),
            name,
            fields,
            texts["set_code"],
            texts["set_name"],
            texts["collector_number"],
            texts["released"] or None,
            texts["lang"],
            texts["printed_name"] or None,
            " ".join(f"{kind}:{value.casefold()}" for kind, value in ids if value and len(value) <= _LONGEST_ID),
            *description.described(get),
        )

    def _key_plan(self, keys: tuple[str, ...]) -> _KeyPlan:
        folds: dict[str, str] = {}
        for key in keys:
            # Use the first of headings that are equal when normalised.
            folds.setdefault(fold_heading(key), key)
        columns = (*self.columns.values(), *(column for _, column in self.ids))
        asked = chain(self.wanted, *(column.paths() for column in columns))
        # `stats.#` is not another spelling of `stats`.
        others = [path for path in asked if path not in keys and path.partition(".")[0] not in keys]
        spelled = {path: folds[fold_heading(path)] for path in others if fold_heading(path) in folds}
        usual = {
            name: next((folds[word] for word in spellings if word in folds), None)
            for name, spellings in SPELLINGS.items()
            if name not in self.columns
        }
        plain = [(name, key) for name, key in usual.items() if key is not None]
        recipes = (*(column for _, column in self.made), *(column for _, column in self.ids))
        used = [key for _, key in plain] + [path.partition(".")[0] for column in recipes for path in column.paths()]
        return _KeyPlan(
            spelled,
            plain,
            [(path, spelled.get(path, path)) for path in self.wanted],
            DescriptionPlan(keys, self.data_columns, used),
        )

    def _id(self, texts: Mapping[str, str]) -> str:
        if texts["id"]:
            parts = texts["id"].split("/")
        else:
            parts = [texts["set_code"], texts["collector_number"] or texts["name"]]
            if texts["lang"] != "en":
                # Ids contain only languages other than English.
                parts.append(texts["lang"])
        # A name without any letter or digit is written as its bytes, so that ids stay different.
        joined = "/".join(part for text in parts if (part := id_part(text)))
        return f"{self.game}:{joined or texts['name'].encode().hex()}"


def _is_total(name: str, row: DataRow) -> bool:
    """Return whether a row has the name of a total, and otherwise nothing but numbers."""
    others = (value_text(value) for value in row.values() if value != name)
    return vocabulary().has("totals", fold(name.rstrip(":"))) and all(not text or text.isdecimal() for text in others)


def _date(text: str) -> str:
    """Return a date, year first with any separator, in ISO format; return any other text unchanged."""
    found = _DATE.match(text)
    # With leading zeros, so that dates sort as texts.
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}" if found else text
