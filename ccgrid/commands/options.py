"""The options that several commands share, so that each is spelled and explained in one place."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
"""Print JSON in place of tables and pictures."""

Database = Annotated[
    Path | None,
    typer.Option("--db", metavar="PATH", envvar="CCGRID_DB", help="The catalogue file.", show_default=False),
]
"""The catalogue file; None stands for the one in the platform's user data folder."""

Games = Annotated[
    list[str] | None,
    typer.Option("--game", "-g", metavar="GAME", help="Only cards of this card game; repeatable.", show_default=False),
]
"""Card games, such as mtg; None stands for all of them."""
