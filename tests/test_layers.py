"""Imports go down only: the house's floors, read off the source with `ast`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("ccgrid", "catalog", "engine", "data")
MODULES = sorted(path.relative_to(ROOT) for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))

# What may be imported only here: the beginning of a module's name -> the beginnings of the files that may.
ONLY = {
    "ccgrid": ("ccgrid/",),
    "engine": ("ccgrid/", "engine/"),
    "catalog": ("ccgrid/", "catalog/", "engine/"),
    "typer": ("ccgrid/app.py", "ccgrid/commands/"),
    "rich": ("ccgrid/view/output.py", "ccgrid/view/text.py"),
    "sqlite3": ("catalog/store/",),
    "sqlite_utils": ("catalog/store/",),
    "requests": ("catalog/download/",),
    "urllib3": ("catalog/download/",),
    "socket": ("catalog/download/",),
    "http.client": ("catalog/download/",),
    "urllib.request": (),
    "click": (),  # Typer carries its own
    "pickle": (),  # no file may be able to run anything
}

COMMON = ("catalog.card.", "catalog.documents.", "catalog.files.")
"""What the engine may use of the catalogue: cards, and how documents of strangers are read and files are written."""

CATALOG = (
    ("card",),
    ("numbers", "files", "documents", "holding", "printing", "sampling"),
    ("evidence", "readers", "decks", "download", "matching"),
    ("custom_card", "layouts"),
    ("store", "sources"),
    ("imports", "collection"),
)
"""The floors of the catalogue, the lowest first: its rooms use what lies below them, and nothing beside them."""


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports anywhere; `from a import b` counts as `a` and as `a.b`."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_go_down_only(path: Path) -> None:
    for name in imported(path):
        for start, places in ONLY.items():
            if f"{name}.".startswith(f"{start}."):
                assert path.as_posix().startswith(places), f"{path} may not import {name}"
        if path.parts[0] == "engine" and name.startswith("catalog"):
            assert name.startswith(COMMON), f"{path} may use of the catalogue what both stand on, not {name}"


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.parts[0] == "catalog" and len(path.parts) > 1], ids=str
)
def test_a_room_of_the_catalogue_uses_what_lies_below_it(path: Path) -> None:
    floors = {room: number for number, floor in enumerate(CATALOG) for room in floor}
    own = path.with_suffix("").parts[1]
    if own == "__init__":  # the face shows every room
        return
    for name in imported(path):
        if name.startswith("catalog.") and (room := name.split(".")[1]) != own:
            assert floors[room] < floors[own], f"{path} may not import {name}: it does not lie below {own}"


def test_every_floor_is_looked_at() -> None:
    assert {path.parts[0] for path in MODULES} == set(FLOORS)
