"""The registry of collection files: what can be read and written, and which of them a file is."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from ccgrid.catalog.collection.formats import lists, tables, xml_lists
from ccgrid.catalog.collection.formats.apps import APPS
from ccgrid.catalog.collection.formats.format import CollectionFile, FileReading, Format, check_rows
from ccgrid.catalog.collection.formats.tables import parse_map
from ccgrid.catalog.errors import NoSuchNameError
from ccgrid.catalog.readers.streams import Remark

__all__ = ["FORMATS", "FileReading", "Format", "find_format", "format_of", "games_of", "open_rows", "parse_map"]

_ANY_TABLE: Final = "csv"
_OTHERWISE: Final = "arena"
"""What a file is taken for that no format knows as its own."""
_MAGIC: Final = ("mtg",)

# Files are sniffed in this order: the first format that takes a file for its own reads it.
FORMATS: Final = (
    Format("mtgjson-deck", "a deck of MTGJSON", lists.read_mtgjson, sniff=lists.sniff_mtgjson),
    Format("ydk", "a .ydk deck of Yu-Gi-Oh!", lists.read_ydk, sniff=lists.sniff_ydk),
    Format(
        "jsonl",
        "JSON Lines",
        lists.read_own,
        sniff=lists.sniff_own,
        write=lists.write_json_lines,
        ending=".jsonl",
    ),
    # Of all tables only ccgrid's own entry sniffs: `tables.read` then finds the app by its headings.
    *(
        Format(
            app.name,
            app.title,
            partial(tables.read, app),
            sniff=tables.sniff if app.name == _ANY_TABLE else None,
            write=partial(tables.write_table, app) if app.writes else None,
            games=app.games,
            ending=".csv" if app.name == _ANY_TABLE else "",
        )
        for app in APPS
    ),
    Format(
        "arena",
        "a list for Arena or Moxfield",
        lists.read,
        write=partial(lists.write_list, printing=True),
        games=_MAGIC,
    ),
    Format("text", "a list", lists.read, write=partial(lists.write_list, printing=False)),
    Format(
        "mtgo-dek",
        "a Magic Online .dek",
        xml_lists.read,
        sniff=xml_lists.sniff,
        write=xml_lists.write_mtgo,
        games=_MAGIC,
    ),
    Format("lackey", "a LackeyCCG .dek", xml_lists.read, write=xml_lists.write_lackey),
    Format("cockatrice", "a Cockatrice .cod", xml_lists.read, write=xml_lists.write_cockatrice, ending=".cod"),
    Format("octgn", "an OCTGN .o8d", xml_lists.read),
)


def find_format(name: str) -> Format:
    """The format of this name; NoSuchNameError lists the formats there are."""
    for one in FORMATS:
        if one.name == name.casefold():
            return one
    raise NoSuchNameError(f"There is no format {name!r}. There are: {', '.join(one.name for one in FORMATS)}.")


def format_of(output: Path | None, otherwise: str = "jsonl") -> str:
    """The name of the format that the ending of a file means, or another where it means none, or several."""
    ending = "" if output is None else output.suffix.lower()
    return next((one.name for one in FORMATS if ending and one.ending == ending), otherwise)


def games_of(name: str, path: Path) -> tuple[str, ...]:
    """The games that a file of a format is for; none where it is for any, or may be a list of any game."""
    if name == "octgn":
        return xml_lists.octgn_games(path)
    return () if name == _OTHERWISE else next((one.games for one in FORMATS if one.name == name), ())


def open_rows(
    path: Path, name: str, wanted: Format | None, columns: Mapping[str, str] | None, remark: Remark
) -> FileReading:
    """A file's format, detected from its content unless `wanted`, and its rows; `columns` maps fields to headings.

    Raises CatalogError where it is none of the formats.
    """
    file = CollectionFile(path, name, remark, columns, named=wanted is not None)
    if wanted is None:
        # Who says what the columns are means a table.
        wanted = find_format(_ANY_TABLE) if columns is not None else _detect_format(file)
    reading = wanted.read(file)
    found = find_format(reading.name) if reading.name else wanted
    if reading.title:
        found = replace(found, title=reading.title)
    return FileReading(
        found, reading.written, check_rows(reading.rows, name), reading.unused, reading.deck, reading.fields
    )


def _detect_format(file: CollectionFile) -> Format:
    """The format of a file, by how it begins: the first that takes it for its own."""
    return next((one for one in FORMATS if one.sniff is not None and one.sniff(file)), find_format(_OTHERWISE))
