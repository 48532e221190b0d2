"""The seed of many games that may go on from a file, apart from the options of commands that never do."""

from pathlib import Path

from ccgrid.commands.options import any_seed
from engine.many.saved_counts import kept_seed


def seed_to_go_on(given: int | None, resume: Path | None) -> int:
    """The seed that was given, else that of the games in the file to resume from, else any."""
    kept = kept_seed(resume) if given is None else given
    return any_seed(kept)
