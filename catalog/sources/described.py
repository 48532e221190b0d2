"""Reads any table or JSON file of cards by a layout alone: the columns that it names, and no code for the game."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

import msgspec

from catalog.card import CatalogError
from catalog.columns import NAMES, SPELLINGS, Text, find, first, folded
from catalog.layouts import Layout
from catalog.sources.json_paths import values_at
from catalog.sources.printing import Printing, Row, Unread
from catalog.sources.streams import json_rows
from catalog.sources.tables import Table, rows_as_dicts
from catalog.sources.texts import Remark, survey, tell_encoding
from catalog.sources.trees import Tree

READER: Final = 1
PATTERNS: Final = ("*.json", "*.jsonl", "*.ndjson", "*.csv", "*.tsv", "*.tab", "*.txt", "*.json.gz", "*.jsonl.gz")
"""The data files of a folder, where the layout names none."""
_LONGEST_NAME: Final = 1000
_NOT_IN_ID = re.compile(r"[^\w.+★†-]+")
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_LANGUAGES: Final = {
    **{"english": "en", "german": "de", "deutsch": "de", "french": "fr", "italian": "it", "spanish": "es"},
    **{"portuguese": "pt", "japanese": "ja", "korean": "ko", "russian": "ru", "dutch": "nl", "polish": "pl"},
}

_decode = msgspec.json.Decoder().decode
Found = tuple[str, Mapping[str, Any]]


def read_tree(tree: Tree, layout: Layout, remark: Remark) -> Iterator[Row]:
    """The printings in all data files of a data set, in the order of the files, by a layout that names the columns.

    Raises CatalogError where no file is one, where a file cannot be read, or where it has none of the layout's fields.
    """
    names = tree.matching(*(layout.columns.files or PATTERNS)) or (list(tree.names) if len(tree.names) == 1 else [])
    if not names:
        wanted = ", ".join(layout.columns.files or PATTERNS)
        raise CatalogError(f"{tree.name}: no data file in it; looked for {wanted}.")
    for name in names:
        yield from read_file(tree, name, layout, remark)


def read_file(tree: Tree, name: str, layout: Layout, remark: Remark) -> Iterator[Row]:
    """The printings in one data file of a data set, in file order; a row that is none is handed on as `Unread`."""
    return printings(found_in(tree, name, layout, remark), layout, name.rsplit("/", 1)[-1], remark)


def found_in(
    tree: Tree, name: str, layout: Layout, remark: Remark, *, quoted: bool | None = None
) -> Iterator[Found | Unread]:
    """The rows of one data file of a data set, whatever its form, each with where it stands.

    With `quoted` False it is a table with tabs in which quotation marks are plain text, as LackeyCCG has it.
    """
    with tree.open(name) as stream:
        head = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if quoted is None and head.startswith((b"{", b"[")):
        yield from _json(tree, name, layout)
        return
    with tree.open(name) as stream:
        look = survey(stream, name)
    tell_encoding(look, name, remark)
    with tree.open(name) as stream:
        table = Table(stream, look, name, remark, "" if quoted is None else "\t", quoted)
        _check_header(table.header, layout, name, remark)
        yield from rows_as_dicts(table.header, table)


def _json(tree: Tree, name: str, layout: Layout) -> Iterator[Found | Unread]:
    with tree.open(name) as stream:
        if layout.columns.rows:
            raws = ((where, key, body) for where, key, body in values_at(stream, name, layout.columns.rows))
        else:
            raws = ((raw.where, "", bytes(raw.body)) for raw in json_rows(stream, name))
        for where, key, body in raws:
            try:
                row = _decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                yield Unread(where, f"not JSON: {error}")
                continue
            if isinstance(row, dict):
                yield where, {"@key": key, **row} if key else row
            else:
                yield Unread(where, "no object with fields")


def _check_header(header: list[str], layout: Layout, name: str, remark: Remark) -> None:
    """Says which of a layout's fields a table has not; CatalogError where it has none at all."""
    known = {folded(heading) for heading in header} | {folded(column) for column in NAMES}
    wanted = dict.fromkeys(line.field for line in layout.printed)
    missing = [field for field in wanted if folded(field) not in known]
    if wanted and len(missing) == len(wanted):
        shown = ", ".join(heading for heading in header if heading) or "none"
        raise CatalogError(
            f"{name}: it has none of the columns that the layout of {layout.name} reads ({', '.join(missing)}).\n"
            f"Its columns: {shown}."
        )
    if missing:
        remark(
            f"{name}: it has no column {', '.join(map(repr, missing))}, of which the layout of {layout.name} speaks."
        )


def printings(rows: Iterator[Found | Unread], layout: Layout, file: str, remark: Remark) -> Iterator[Row]:
    """Rows as printings, by the columns that a layout names."""
    make = _Maker(layout, file.partition(".")[0])
    each = layout.columns.each
    for found in rows:
        if isinstance(found, Unread):
            yield found
            continue
        where, row = found
        entries = row.get(each) if each else None
        if isinstance(entries, list) and entries:
            for number, entry in enumerate(entries, 1):
                yield make.printing(f"{where}, {each} {number}", {**row, each: entry})
        else:
            yield make.printing(where, row)


class _Maker:
    """Makes printings out of rows; knows which fields the layout asks for, and which heading stands for which."""

    def __init__(self, layout: Layout, file: str) -> None:
        self.game, self.file = layout.game, file
        self.trim = layout.columns.trim
        self.columns = dict(layout.columns.columns)
        self.wanted = sorted(layout.fields() - set(NAMES))
        self.told = layout.fields() & set(NAMES)
        self.folded: dict[str, str] = {}
        self.paths: dict[tuple[str, ...], dict[str, str]] = {}

    def printing(self, where: str, row: Mapping[str, Any]) -> Row:
        """The printing that a row describes, or why it is none."""
        headings = self._headings(row)

        def get(path: str) -> Text | None:
            if path == "@file":
                return self.file
            return find(row, headings.get(path, path))

        told = {name: self._told(name, get, headings) for name in NAMES}
        name = told["name"].strip(self.trim + " \t") if self.trim else told["name"]
        if not name:
            return Unread(where, "it has no name")
        if sum(map(len, told.values())) > _LONGEST_NAME:
            return Unread(where, "its name, set and number are too long to be those of a card")
        told["name"], told["released"] = name, _date(told["released"])
        told["lang"] = _LANGUAGES.get(told["lang"].casefold(), told["lang"].casefold()) or "en"
        fields: dict[str, Any] = {path: value for path in self.wanted if (value := get(path)) is not None}
        for column in self.told:
            if (value := told[column] or get(column)) is not None:
                fields[column] = value
        return Printing(
            self._id(told),
            name,
            fields,
            told["set_code"],
            told["set_name"],
            told["collector_number"],
            told["released"] or None,
            told["lang"],
            told["printed_name"] or None,
        )

    def _told(self, name: str, get: Callable[[str], Text | None], headings: Mapping[str, str]) -> str:
        column = self.columns.get(name)
        if column is not None:
            return column.text(get)
        return first(get(headings[f"={name}"])).strip() if f"={name}" in headings else ""

    def _headings(self, row: Mapping[str, Any]) -> dict[str, str]:
        """Which key of a row stands for a path that differs from it in case or spacing, and for a column left out."""
        keys = tuple(row)
        known = self.paths.get(keys)
        if known is None:
            if len(self.paths) > 1000:
                self.paths.clear()
            folds: dict[str, str] = {}
            for key in keys:
                folds.setdefault(folded(key), key)
            asked = chain(self.wanted, *(column.paths() for column in self.columns.values()))
            known = {
                path: folds[folded(path)]
                for path in asked
                if path.partition(".")[0] not in row
                and folded(path) in folds  # `stats.⭐` is no other word for `stats`
            }
            for name, spellings in SPELLINGS.items():
                if name not in self.columns and (found := [folds[word] for word in spellings if word in folds]):
                    known[f"={name}"] = found[0]
            self.paths[keys] = known
        return known

    def _id(self, told: Mapping[str, str]) -> str:
        if told["id"]:
            parts = told["id"].split("/")
        else:
            parts = [told["set_code"], told["collector_number"] or told["name"]]
            if told["lang"] != "en":
                parts.append(told["lang"])
        told_apart = "/".join(part for text in parts if (part := id_part(text)))
        return f"{self.game}:{told_apart or told['name'].encode('utf-8', 'replace').hex()}"


def id_part(text: str) -> str:
    """A text as a part of an id: small letters, whatever is no letter, digit or mark of a number as a hyphen.

    >>> id_part("Ærie of the 3 Dragons!"), id_part("Café"), id_part("T26/T46")
    ('ærie-of-the-3-dragons', 'cafe', 't26-t46')
    """
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return _NOT_IN_ID.sub("-", plain.casefold()).strip("-")


def _date(text: str) -> str:
    """A date written year first, whatever parts it; anything else as it is."""
    found = _DATE.match(text)
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}" if found else text
