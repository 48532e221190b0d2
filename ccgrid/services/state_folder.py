"""The folder of files that the program keeps for the user, such as unfinished games."""

import os
from pathlib import Path


def state_folder() -> Path:
    """Where what is noted down is kept: in `$CCGRID_STATE`, else in the platform's folder for that."""
    if state := os.environ.get("CCGRID_STATE"):
        return Path(state)
    from platformdirs import user_state_path

    return user_state_path("ccgrid", appauthor=False)
