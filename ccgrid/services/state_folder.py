"""The folder of files that the program keeps for the user, such as unfinished games."""

import os
from pathlib import Path


def state_folder() -> Path:
    """Return the folder: `$CCGRID_STATE`, or the platform's folder for such files."""
    if state := os.environ.get("CCGRID_STATE"):
        return Path(state)
    from platformdirs import user_state_path

    return user_state_path("ccgrid", appauthor=False)
