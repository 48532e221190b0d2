"""The options that several commands share, so that each is spelled and explained in one place."""

from os import urandom
from pathlib import Path
from typing import Annotated, Final

import typer

from catalog.card import LONGEST_NAME
from ccgrid.commands.completion import complete_card_games
from ccgrid.commands.paths import FilePath
from ccgrid.view.output import note

_LARGEST_SEED: Final = 2**63 - 1
"""Records hold their seed, and whole numbers there have 64 bits."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
"""Print JSON in place of tables and pictures."""

_CATALOGUE = FilePath("a catalogue is kept")

Database = Annotated[
    Path | None,
    typer.Option(
        "--db",
        click_type=_CATALOGUE,
        metavar="PATH",
        envvar="CCGRID_DB",
        help="The catalogue file.",
        show_default=False,
    ),
]
"""The catalogue file; None stands for the one in the platform's user data folder."""

Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        help="Only cards of this card game; repeatable.",
        show_default=False,
        autocompletion=complete_card_games,
    ),
]
"""Card games, such as mtg; None stands for all of them."""


Force = Annotated[bool, typer.Option("--force", help="Write over a file of the same kind that is there.")]
"""Write over files; without it what is there stays."""


def bounded(text: str | None) -> str | None:
    """The name that was typed, which is not too long."""
    _check_length(len(text or ""))
    return text


def bounded_names(text: str | None) -> str | None:
    """The names that were typed with commas between, none of them too long."""
    _check_length(max(map(len, (text or "").split(","))))
    return text


def _check_length(longest: int) -> None:
    if longest > LONGEST_NAME:
        raise typer.BadParameter(f"a name has {longest:,} characters; {LONGEST_NAME} is the most")


def read_seed(text: str) -> int:
    """The seed that was typed, of any size that a record can hold."""
    if not str(text).isdecimal() or len(str(text)) > 19 or int(text) > _LARGEST_SEED:
        raise typer.BadParameter(f"a seed is a whole number from 0 to {_LARGEST_SEED}")
    return int(text)


Seed = Annotated[
    int | None,
    typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="The same seed gives the same cards and dice."),
]
"""What all dice of a command follow from; None stands for any."""


def any_seed(given: int | None) -> int:
    """The seed that was given, else any."""
    return int.from_bytes(urandom(4)) >> 1 if given is None else given


def waiting() -> None:
    """Says that another command has the catalogue."""
    note("Another command is writing to the catalogue; waiting for it to end.")
