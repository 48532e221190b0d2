"""Finds layouts: the shipped ones, those in people's own folders, which come first, and single files."""

import os
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from catalog.card import CatalogError, UnknownNameError
from catalog.layouts.layout import Layout
from catalog.layouts.layout_file import LARGEST, check_size, parse_layout

SUFFIX: Final = ".toml"


def user_folders() -> list[Path]:
    """Where people's own layouts are: `$CCGRID_LAYOUTS` (one folder, or several), else in the user data folder."""
    if named := os.environ.get("CCGRID_LAYOUTS"):
        return [Path(folder).expanduser() for folder in named.split(os.pathsep) if folder]
    from platformdirs import user_data_path

    return [user_data_path("ccgrid", appauthor=False) / "layouts"]


def layout_files() -> dict[str, Path | None]:
    """The names of all layouts, in alphabetical order, with the file of each; None stands for a shipped one."""
    shipped = (entry.name for entry in resources.files("data.layouts").iterdir())
    found: dict[str, Path | None] = {name.removesuffix(SUFFIX): None for name in shipped if name.endswith(SUFFIX)}
    for folder in reversed(user_folders()):
        with suppress(OSError):  # a folder that may not be looked into is as good as none
            found.update((path.stem, path) for path in folder.iterdir() if path.suffix == SUFFIX)
    return dict(sorted(found.items()))


def find_layout(game: str) -> Layout:
    """The layout of this name, a person's own before a shipped one; UnknownNameError names those there are."""
    if game.replace("-", "").replace("_", "").isalnum():
        for folder in user_folders():
            if os.path.isfile(path := folder / f"{game}{SUFFIX}"):  # noqa: PTH113  says no where it may not look
                return load_layout(path)
        if (resources.files("data.layouts") / f"{game}{SUFFIX}").is_file():
            return _shipped(game)
    raise UnknownNameError(f"No layout for the game {game!r}. There are layouts for: {', '.join(layout_files())}.")


@cache
def _shipped(game: str) -> Layout:
    text = (resources.files("data.layouts") / f"{game}{SUFFIX}").read_text(encoding="utf-8")
    return parse_layout(text, f"{game}{SUFFIX}")


def all_layouts() -> tuple[list[Layout], list[CatalogError]]:
    """Every layout there is, by their names, and what is wrong with those of people's own that cannot be read."""
    layouts, wrong = list[Layout](), list[CatalogError]()
    for name in layout_files():
        try:
            layouts.append(find_layout(name))
        except CatalogError as error:
            wrong.append(error)
    return layouts, wrong


def choose_layout(chosen: str | Path) -> Layout:
    """The layout that a person means: a file, or the name of a layout; CatalogError where there is neither."""
    path = Path(chosen)
    if isinstance(chosen, Path) or path.suffix == SUFFIX or path.name != chosen or path.is_file():
        return load_layout(path)
    return find_layout(chosen)


def load_layout(path: Path) -> Layout:
    """A layout from somebody's own file; CatalogError names the line or the key that is wrong."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        check_size(len(raw), path.name)
        return parse_layout(raw.decode("utf-8-sig"), path.name)
    except UnicodeDecodeError as error:
        raise CatalogError(f"{path}: a layout is a UTF-8 text, and this is not (byte {error.start}).") from None
    except OSError as error:
        raise CatalogError(f"{path}: {error.strerror or error}.") from None
