"""The registry of collection files: what can be read and written, and which of them a file is."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from catalog.card import CatalogError
from catalog.collection.formats import json_lines, lists, tables, xml_lists
from catalog.collection.formats.apps import APPS, ID_FIELDS, SYNONYMS, heading_key, recognise
from catalog.collection.formats.row import Skipped
from catalog.holding import Holding
from catalog.matching.row import Row
from catalog.readers.encodings import Remark, survey
from catalog.readers.streams import open_data
from catalog.readers.tables import TextTable

EVERYTHING: Final = frozenset(("copies", "name", "set", "number", "finish", "condition", "language", "place"))
"""What a holding says, each of which a format keeps or loses."""

Writer = Callable[[Iterable[Holding]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file: what people type, what it is, what of a holding it keeps, and how it is written, if it is."""

    name: str
    title: str
    keeps: frozenset[str]
    write: Writer | None = None


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file that is about to be read: what it was taken for, and what of it a collection has no place for."""

    format: Format
    written: str
    """How it is written, such as `semicolon, utf-8`."""
    rows: Iterator[Row | Skipped]
    unused: tuple[str, ...] = ()


def _kept(fields: Iterable[str]) -> frozenset[str]:
    """What a table with these fields keeps of a holding."""
    have = set(fields)
    kept = have & EVERYTHING
    if have & {"set", "set_code", "set_name", *ID_FIELDS}:
        kept.add("set")
    if have & set(ID_FIELDS):
        kept |= {"name", "number"}
    if {"box", "row", "slot"} <= have:
        kept.add("place")
    elif "box" in have:
        kept.add("box")
    return frozenset(kept)


_LIST = frozenset(("copies", "name"))
_PRINTING = _LIST | {"set", "number"}

FORMATS: Final = (
    Format("jsonl", "JSON Lines", EVERYTHING, json_lines.write_json_lines),
    *(
        Format(app.name, app.title, _kept(app.fields), partial(tables.write_table, app) if app.writes else None)
        for app in APPS
    ),
    Format("arena", "a list for Arena or Moxfield", _PRINTING | {"finish"}, partial(lists.write_list, printing=True)),
    Format("text", "a list", _LIST, partial(lists.write_list, printing=False)),
    Format("mtgo-dek", "a Magic Online .dek", _LIST, xml_lists.write_mtgo),
    Format("lackey", "a LackeyCCG .dek", _LIST | {"set"}, xml_lists.write_lackey),
    Format("cockatrice", "a Cockatrice .cod", _PRINTING, xml_lists.write_cockatrice),
)


def find_format(name: str) -> Format:
    """The format of this name; CatalogError lists the formats there are."""
    for one in FORMATS:
        if one.name == name.casefold():
            return one
    raise CatalogError(f"There is no format {name!r}. There are: {', '.join(one.name for one in FORMATS)}.")


def open_rows(
    path: Path, name: str, wanted: Format | None, columns: Mapping[str, str] | None, remark: Remark
) -> OpenedFile:
    """A file's format, told by its content unless `wanted` says it, and its rows; `columns` maps fields to headings.

    Raises CatalogError where it is none of the formats.
    """
    kind = wanted.name if wanted is not None else "csv" if columns is not None else _kind(path, name)
    if kind == "jsonl":
        return OpenedFile(find_format(kind), "utf-8", json_lines.read_json_lines(path, name))
    if kind in ("mtgo-dek", "lackey", "cockatrice"):
        found, rows = xml_lists.read_xml(path, name)
        return OpenedFile(find_format(found), "XML", rows)
    if kind in ("arena", "text"):
        encoding, rows = lists.read_list(path, name, remark)
        return OpenedFile(find_format(kind), encoding, rows)
    app = None if wanted is None or columns is not None else tables.find_app(kind)
    used, written, rows = tables.read_table(path, name, app, columns, remark)
    found_format = find_format(used.app.name)
    return OpenedFile(
        Format(found_format.name, used.app.title, _kept(used.places), found_format.write), written, rows, used.unused
    )


def _kind(path: Path, name: str) -> str:
    """The name of the format of a file, by how it begins."""
    with open_data(path) as stream:
        start = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        return "mtgo-dek"
    if start.startswith(b"{") or start.startswith(b"[{") or start.split(b"\n")[0].strip() == b"[":
        return "jsonl"
    with open_data(path) as stream:
        found = survey(stream, name)
    with open_data(path) as stream:
        header = TextTable(stream, found, name, lambda message: None).header
    fields = {SYNONYMS.get(heading_key(heading), "") for heading in header} - {""}
    names_cards = fields & {"name", "number", *ID_FIELDS}
    if recognise(header) or (names_cards and (len(fields) > 1 or len(header) == 1)):
        return "csv"
    suffixes = {suffix.casefold() for suffix in path.suffixes}
    return "csv" if suffixes & {".csv", ".tsv"} or len(header) > 3 else "arena"
