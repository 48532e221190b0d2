"""The apps whose tables are known: `data/formats/*.toml`, and users' own files before them.

One file reads and writes a format. A column is (heading, field): a field of `FIELDS`, "=text" for a fixed text when
writing, "@app" for what the app itself calls the printing, or "" for what a collection does not hold, such as what a
card costs today.
"""

import json
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from ccgrid.catalog.checked_file import SUFFIX, own_files, own_folders, read_own_files
from ccgrid.catalog.collection.formats.app import App
from ccgrid.catalog.collection.formats.app_file import parse_app
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.words import heading_key, own_words

_NEEDS: Final = re.compile(r"^needs *= *(\[.*\])$", re.MULTILINE)
OWN_TABLE: Final = "csv"
"""The name of the table that ccgrid itself writes."""


def own_folder_list() -> list[Path]:
    """Return the folders of users' own formats: `$CCGRID_FORMATS`, by default in the user data folder."""
    return own_folders("CCGRID_FORMATS", "formats")


def app_names() -> tuple[str, ...]:
    """Return the names of all apps in alphabetical order, ccgrid's own table last."""
    return tuple(sorted({*_shipped_files(), *own_files(own_folder_list())}, key=lambda name: (name == OWN_TABLE, name)))


def all_apps() -> tuple[App, ...]:
    """Return every app whose file can be read."""
    return tuple(app for name in app_names() if (app := find_app(name)) is not None)


def find_app(name: str) -> App | None:
    """Return the app of this name, a user's own before a shipped one; None if no file that can be read has it."""
    return _own_apps()[0].get(name) or (_shipped_app(name) if name in _shipped_files() else None)


def own_table() -> App:
    """Return the table of this program, which keeps everything."""
    table = find_app(OWN_TABLE)
    assert table is not None  # noqa: S101  it is shipped
    return table


def broken_files() -> list[CatalogError]:
    """Return what is wrong with users' own files of formats and words, of each that cannot be read."""
    return [*_own_apps()[1], *own_words()[1]]


def app_of(header: list[str]) -> App | None:
    """Return the app whose table has this header, or None if it is not that of a known app.

    If several match, prefer the one that recognises most headings and misses fewest of its own.
    """
    keys = {heading_key(heading) for heading in header if heading}
    best: tuple[float, App] | None = None
    for app in _apps_with(keys):
        if not all(heading_key(heading) in keys for heading in app.needs):
            continue
        own = {heading_key(heading) for heading, _ in app.columns}
        known = len(keys & set(app.field_of()))
        # Each heading known counts one; each of its own that is missing takes a third.
        score = known - 0.3 * len(own - keys)
        if best is None or score > best[0]:
            best = score, app
    return best[1] if best else None


def _apps_with(keys: set[str]) -> list[App]:
    """Return the apps that may have written a table with these headings, users' own first."""
    own = _own_apps()[0]
    # Only the files that may be meant are read whole: a look at the line of needed headings takes a tenth of the time.
    meant = [name for name, needs in _shipped_needs().items() if name not in own and needs <= keys]
    return [*own.values(), *map(_shipped_app, meant)]


@cache
def _shipped_needs() -> dict[str, frozenset[str]]:
    """Return the headings that each shipped app needs, as `heading_key` writes them."""
    found = {name: _NEEDS.search(_shipped_text(name)) for name in _shipped_files()}
    return {
        name: frozenset(map(heading_key, json.loads(needs[1]))) if needs else frozenset[str]()
        for name, needs in found.items()
    }


def _own_apps() -> tuple[dict[str, App], list[CatalogError]]:
    return read_own_files(
        own_files(own_folder_list()), "format", lambda text, file: parse_app(text, file.removesuffix(SUFFIX), file)
    )


@cache
def _shipped_files() -> dict[str, Traversable]:
    files = (one for one in resources.files("ccgrid.data.formats").iterdir() if one.name.endswith(SUFFIX))
    return {one.name.removesuffix(SUFFIX): one for one in sorted(files, key=str)}


@cache
def _shipped_text(name: str) -> str:
    return _shipped_files()[name].read_text(encoding="utf-8")


@cache
def _shipped_app(name: str) -> App:
    return parse_app(_shipped_text(name), name, f"{name}{SUFFIX}")
