"""The options of the commands that play many games: where they are played, and how they go on later."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ccgrid.commands.paths import FilePath

_INTERRUPTED: Final = 130
"""What a shell takes for a command that was interrupted."""

Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Cores to use; all by default.", show_default=False)
]
"""The number of processes; None for as many as are worth it."""

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on a Dask cluster that is there, such as tcp://host:8786.",
        show_default=False,
    ),
]
"""The address of a Dask cluster; None for this machine."""

_COUNTS = FilePath("counts are kept in it and gone on from")

Resume = Annotated[
    Path | None,
    typer.Option(
        "--resume",
        click_type=_COUNTS,
        metavar="FILE",
        help="Keep the counts in this file, and go on from what it holds.",
        show_default=False,
    ),
]
"""The file that keeps what was counted; None for none."""


def end_interrupted(result: Mapping[str, Any]) -> None:
    """Ends the command as one that was interrupted, after its result is shown, if it was; raises typer.Exit."""
    if result.get("interrupted"):
        raise typer.Exit(_INTERRUPTED)
