"""What a file is, found by reading it as that: `--force` writes over it only where it is what is to be written."""

import csv
import json
import re
import tomllib
from collections.abc import Mapping
from itertools import islice
from os import SEEK_END
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.card import ZONES
from ccgrid.catalog.collection.export import HEADINGS
from ccgrid.catalog.collection.formats.apps import recognise
from ccgrid.catalog.collection.formats.xml_lists import read_xml
from ccgrid.catalog.decks import parse_deck
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.engine.errors import EngineError
from ccgrid.engine.records.files import read_games
from ccgrid.services.imports import read_patch

_MOST: Final = 1000
"""So many games or cards tell what a file is."""
_LARGEST: Final = 4 << 20
"""In bytes: no more of a file is read to tell what it is, but of lists of cards, which tell it by each line."""
_EXPORTED: Final = {"id", "game", "name", *ZONES}
"""Headings of a table of the catalogue's cards."""
_PAGE: Final = '<meta name="generator" content="ccgrid">'
_SVG: Final = "<title>ccgrid</title>"
_MARK: Final = b"%ccgrid\n"
_PARQUET: Final = b"PAR1"
_AMOUNTS: Final = {"copies", "zones"}
"""Of one of these a line of JSON tells: a holding, or a card."""
_LISTED: Final = re.compile(r"\d{1,4} \S.*")


def is_record(path: Path) -> bool:
    """Whether every game in a file says which game it is and who plays; the last line may be cut off."""
    try:
        games = [bool(reading.game and reading.players) for reading in islice(read_games(path), _MOST)]
    except EngineError:
        return False
    is_cut = len(games) > 1 and not _end(path).endswith(b"\n")
    return all(games[:-1] if is_cut else games)


def is_deck(path: Path) -> bool:
    """Whether a file is a deck of our own, in TOML: a list is not written over with one."""
    text = _text(path)
    return "cards" in tomllib.loads(text) and bool(parse_deck(text, path.stem).entries)


def is_layout(path: Path) -> bool:
    """Whether a file is a layout without a mistake."""
    parse_layout(_text(path), path.name)
    return True


def is_patch(path: Path) -> bool:
    """Whether a file is a patch without a mistake."""
    read_patch(path)
    return True


def is_page(path: Path) -> bool:
    """Whether a file is a page that this program made."""
    return _PAGE in _text(path)


def is_picture(path: Path) -> bool:
    """Whether a file is a picture of counts that this program made."""
    return _end(path).endswith(_MARK) or _SVG in _text(path)


def is_pdf(path: Path) -> bool:
    """Whether a file is a PDF that this program made."""
    return _end(path).endswith(_MARK)


def is_card_list(path: Path) -> bool:
    """Whether a file is a table, a list, JSON Lines or XML of cards, as this program and apps for cards write them."""
    if _end(path).endswith(_PARQUET):
        return _names_columns(path)
    with path.open(encoding="utf-8-sig") as file:
        lines = [line for line in (file.readline(_LARGEST) for _ in range(_MOST)) if line.strip()]
    first = lines[0] if lines else ""
    if first.startswith("<"):
        read_xml(path, path.name)
        return True
    if first.startswith("{"):
        return all(_is_card(json.loads(line)) for line in lines)
    return _is_header(first) or all(_LISTED.fullmatch(line.rstrip()) for line in lines)


def _is_card(value: Any) -> bool:
    return isinstance(value, Mapping) and {"id", "name"} <= value.keys() and not value.keys().isdisjoint(_AMOUNTS)


def _is_header(line: str) -> bool:
    for delimiter in ",;\t":
        header = next(csv.reader([line.rstrip("\n")], delimiter=delimiter), [])
        if tuple(header) == HEADINGS or set(header) >= _EXPORTED or recognise(header) is not None:
            return True
    return False


def _names_columns(path: Path) -> bool:
    """Whether the end of a Parquet file, which says what is in it, names the columns of our cards."""
    with path.open("rb") as file:
        size = file.seek(0, SEEK_END)
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
        file.seek(max(0, size - 8 - length))
        described = file.read(min(length, _LARGEST))
    return all(column.encode() in described for column in _EXPORTED)


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_LARGEST).decode("utf-8-sig")


def _end(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 64))
        return file.read()
