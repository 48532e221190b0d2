"""Checks by content of whether a file is of the kind that a command overwrites."""

import json
import re
from collections.abc import Mapping
from itertools import islice
from os import SEEK_END
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.file_kinds import COLLECTION_FILES, FileKind, detect_kind
from ccgrid.services.output_kinds import (
    BACKUP,
    CARDS,
    CORRECTIONS,
    DECK,
    LAYOUT,
    LOSSES,
    PAGE,
    PDF,
    PICTURE,
    RECORD,
    OutputKind,
)

_MOST: Final = 1000
"""The number of games or cards that are checked."""
_LARGEST: Final = 4 << 20
"""The number of bytes that are checked, except in lists of cards, which are checked line by line."""
_AMOUNTS: Final = {"copies", "zones"}
"""One of these keys marks a line of JSON as a holding or a card."""
_LISTED: Final = re.compile(r"\d{1,4} \S.*")


def _is_record(path: Path) -> bool:
    """Return whether every game in a file names its game and its players; the last line may be cut off."""
    from ccgrid.engine.errors import EngineError
    from ccgrid.engine.records.files import read_games

    try:
        games = [bool(reading.game and reading.players) for reading in islice(read_games(path), _MOST)]
    except EngineError:
        return False
    is_cut = len(games) > 1 and not _end(path).endswith(b"\n")
    return all(games[:-1] if is_cut else games)


def _is_deck(path: Path) -> bool:
    """Return whether a file is a deck in TOML, and not a list of cards."""
    import tomllib

    from ccgrid.catalog.deck_text import parse_deck

    text = _beginning(path)
    return "cards" in tomllib.loads(text) and bool(parse_deck(text, path.stem).entries)


def _is_layout(path: Path) -> bool:
    """Return whether a file is a valid layout."""
    from ccgrid.catalog.layouts.layout_file import parse_layout

    parse_layout(_beginning(path), path.name)
    return True


def _is_card_list(path: Path) -> bool:
    """Return whether a file is a table, a list, JSON Lines or XML of cards of this program or a card app."""
    from ccgrid.catalog.collection.formats.xml_lists import read_xml
    from ccgrid.catalog.readers.worksheets import as_table

    kind = detect_kind(path).kind
    if kind is FileKind.PARQUET:
        return _names_columns(path)
    if kind is FileKind.SPREADSHEET:
        return _is_header(as_table(path, path.name).readline().decode())
    with path.open(encoding="utf-8-sig") as file:
        lines = [line for line in (file.readline(_LARGEST) for _ in range(_MOST)) if line.strip()]
    first = lines[0] if lines else ""
    if first.startswith("<"):
        read_xml(path, path.name)
        return True
    if first.startswith("[") and kind in (FileKind.COLLECTION, FileKind.CATALOGUE_CARDS):
        return all(_is_card(value) for value in json.loads(path.read_text(encoding="utf-8-sig")))
    if first.startswith("{"):
        return all(_is_card(json.loads(line)) for line in lines)
    return _is_header(first) or all(_LISTED.fullmatch(line.rstrip()) for line in lines)


def _is_card(value: object) -> bool:
    return isinstance(value, Mapping) and {"id", "name"} <= value.keys() and not value.keys().isdisjoint(_AMOUNTS)


def _is_header(line: str) -> bool:
    import csv

    from ccgrid.catalog.collection.export import HEADINGS
    from ccgrid.catalog.collection.formats.apps import app_of

    for delimiter in ",;\t":
        header = next(csv.reader([line.rstrip("\n")], delimiter=delimiter), [])
        if tuple(header) == HEADINGS or set(header) >= _exported() or app_of(header) is not None:
            return True
    return False


def _exported() -> set[str]:
    """Return headings of a table of the catalogue's cards."""
    from ccgrid.catalog.zones import ZONES

    return {"id", "game", "name", *ZONES}


def _names_columns(path: Path) -> bool:
    """Return whether the end of a Parquet file, which describes its content, names the columns of exported cards."""
    with path.open("rb") as file:
        size = file.seek(0, SEEK_END)
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
        file.seek(max(0, size - 8 - length))
        described = file.read(min(length, _LARGEST))
    return all(column.encode() in described for column in _exported())


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_LARGEST).decode("utf-8-sig")


def _end(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 64))
        return file.read()


_CARD_LISTS: Final = COLLECTION_FILES | {FileKind.CATALOGUE_CARDS, FileKind.PARQUET}
_KINDS: Final = {
    RECORD: {FileKind.RECORD},
    DECK: {FileKind.DECK},
    LAYOUT: {FileKind.LAYOUT},
    PAGE: {FileKind.PAGE},
    PDF: {FileKind.OUR_PDF},
    BACKUP: {FileKind.BACKUP},
    PICTURE: {FileKind.OUR_PICTURE},
    CARDS: _CARD_LISTS,
    CORRECTIONS: _CARD_LISTS,
    LOSSES: _CARD_LISTS,
}
"""The kinds of files that may be written over with one of each kind."""
_IS_WHOLE: Final = {
    RECORD: _is_record,
    DECK: _is_deck,
    LAYOUT: _is_layout,
    CARDS: _is_card_list,
    CORRECTIONS: _is_card_list,
    LOSSES: _is_card_list,
}
"""Whether all of a file is of its kind, for those of which a beginning alone is no proof."""


def is_of_kind(kind: OutputKind, path: Path) -> bool:
    """Return whether a file is of this kind and can be read."""
    try:
        return detect_kind(path).kind in _KINDS[kind] and (kind not in _IS_WHOLE or _IS_WHOLE[kind](path))
    except (CatalogError, OSError, ValueError, RecursionError):
        return False
