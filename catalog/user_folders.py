"""The folders in which the platform keeps files of programs for a user."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

Kind = Literal["cache", "config", "data", "state"]

_USUAL: Final[Mapping[Kind, str]] = {
    "cache": ".cache",
    "config": ".config",
    "data": ".local/share",
    "state": ".local/state",
}
"""The folders of the XDG Base Directory Specification in the home folder, if no variable names another one."""


def user_folder(kind: Kind) -> Path:
    """Return the folder of this program for a kind of files."""
    if sys.platform in ("win32", "darwin"):
        import platformdirs

        folder: Path = getattr(platformdirs, f"user_{kind}_path")("ccgrid", appauthor=False)
        return folder
    # These are the folders of platformdirs, which would take a tenth of the time of a short command to load.
    given = Path(os.environ.get(f"XDG_{kind.upper()}_HOME", ""))
    return (given if given.is_absolute() else Path.home() / _USUAL[kind]) / "ccgrid"
