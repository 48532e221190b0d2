"""Files of a folder whose names are numbers; no number is given twice."""

from pathlib import Path
from typing import Final

from ccgrid.catalog.files import remove, write_atomically

_REMOVED: Final = ".removed"
"""The suffix of an empty file that keeps the number of a removed file."""


def numbers(folder: Path, suffix: str) -> list[int]:
    """Return the numbers of the files with a suffix in a folder."""
    stems = (path.stem for path in folder.glob(f"*{suffix}"))
    return [int(stem) for stem in stems if stem.isdecimal() and len(stem) < 7]


def next_number(folder: Path) -> int:
    """Return a number that no file of the folder has or had; folders without files begin with 1."""
    return max(numbers(folder, ""), default=0) + 1


def remove_numbered(*paths: Path) -> None:
    """Delete files with the same number, which no other file gets."""
    folder, number = paths[0].parent, int(paths[0].stem)
    if number == next_number(folder) - 1:
        remove(*folder.glob(f"*{_REMOVED}"))
        write_atomically(folder / f"{number}{_REMOVED}", "")
    remove(*paths)
