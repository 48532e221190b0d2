"""The folder of files that the program keeps for the user, such as unfinished games."""

import os
from pathlib import Path

from ccgrid.catalog.user_folders import user_folder


def state_folder() -> Path:
    """Return the folder: `$CCGRID_STATE`, or the platform's folder for such files."""
    state = os.environ.get("CCGRID_STATE")
    return Path(state) if state else user_folder("state")
