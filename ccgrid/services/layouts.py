"""Drafts of layouts from data, their files, and the answers of the commands on layouts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from ccgrid.catalog.checked_file import SUFFIX
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.imports.layout_draft import Draft, Reading, layout_text
from ccgrid.catalog.imports.layout_trial import LayoutReport
from ccgrid.catalog.layouts.layout import Guess, Layout
from ccgrid.catalog.layouts.layout_file import parse_layout, user_folders
from ccgrid.catalog.store import history, recording
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.zones import parse_place
from ccgrid.services.catalogue import catalogue_path


def zone_and_reading(word: str) -> tuple[str, Reading] | None:
    """Parse a zone and a reading, such as `br`, `br:collector` or `br:last`; return None if the text is not one.

    >>> zone_and_reading("br"), zone_and_reading("bottom-right:collector:2")
    (('bottom-right', ('', '')), ('bottom-right', ('collector', '2')))
    >>> zone_and_reading("left:last"), zone_and_reading("left:middle")
    (('left', ('collector', 'last')), None)
    """
    zone_word, *rest = (part.strip().casefold() for part in word.split(":"))
    zone = parse_place(zone_word)
    if rest[:1] in (["collector"], ["numbers"]):
        read = rest.pop(0).replace("numbers", "")
    else:
        read = "collector" if rest else ""
    part = rest.pop() if rest else ""
    is_part = part in ("", "first", "last") or (part.isdecimal() and part.isascii() and 1 <= int(part[:3]) <= 99)
    if zone is None or rest or not is_part or (part and read != "collector"):
        return None
    return zone, (read, part)


def new_layout_file(game: str) -> Path:
    """Return the path of a game's layout in the user's folder.

    Raises:
        CatalogError: If it exists already.
    """
    path = user_folders()[0] / f"{game}{SUFFIX}"
    if path.exists():
        raise CatalogError(f"You have a layout {game!r} already: {path}")
    return path


def draft_text(
    draft: Draft,
    game: str,
    title: str,
    zones: Mapping[str, str],
    reads: Mapping[str, Reading] | None = None,
) -> str:
    """Return the text of a layout.

    Args:
        draft: The fields of the data.
        game: The short name of the game.
        title: The name of the game.
        zones: The zone of each field by its path.
        reads: How to read fields.

    Raises:
        CatalogError: If the name of the game is not valid, or no field has a zone.
    """
    text = layout_text(draft, game, title, zones, reads)
    parse_layout(text, f"{game}{SUFFIX}")
    return text


def write_layout(path: Path, text: str, database: Path | None, waiting: Callable[[], None]) -> None:
    """Write a layout atomically; in the user's folder of layouts as a change that can be undone."""
    if path.absolute().parent == user_folders()[0].absolute():
        own = path.absolute()
        with history.write_on_success(own, text):
            work_on(catalogue_path(database), lambda store: recording.note_layout(store, own, waiting))
    else:
        write_atomically(path, text)


class WrongLayout(msgspec.Struct, frozen=True, kw_only=True):
    """A layout that cannot be used, and why."""

    ok: Literal[False]
    error: str


class CheckedLayout(msgspec.Struct, frozen=True, kw_only=True):
    """A layout that can be used: the fields whose place it is not sure of, and what it reads from data."""

    ok: Literal[True]
    game: str
    guesses: list[Guess]
    trial: LayoutReport | None


class DraftedLayout(msgspec.Struct, frozen=True, kw_only=True):
    """A drafted layout: its text, the zone of each field, and the file that it was written to, or null."""

    game: str
    file: str | None
    zones: dict[str, str]
    layout: str


def checked_layout(layout: Layout, trial: LayoutReport | None) -> CheckedLayout:
    """Return the answer of `layout check` for a valid layout."""
    guesses = [Guess(field=one.field, zone=one.zone, confidence=one.confidence) for one in layout.guesses()]
    return CheckedLayout(ok=True, game=layout.game, guesses=guesses, trial=trial)
