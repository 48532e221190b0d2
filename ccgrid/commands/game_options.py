"""Options of several commands on games."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from ccgrid import services
from ccgrid.catalog.card_ids import id_part
from ccgrid.commands.options import complete_query
from ccgrid.commands.paths import file_only
from ccgrid.engine.games import GAMES, find_game, ready_decks

if TYPE_CHECKING:
    from ccgrid.engine.many.runner import Runner


def listed(names: Sequence[str], joint: str) -> str:
    """Join names as in a sentence.

    >>> listed(["red", "green", "blue"], "or")
    'red, green or blue'
    """
    return f" {joint} ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


_WITH_DECKS = GAMES.having("decks")
_WITH_FACTIONS = GAMES.having("factions")

GAMES_WITH_DECKS = listed(_WITH_DECKS, "or")
"""The games with decks, for help texts."""

GAMES_WITH_FACTIONS = listed(_WITH_FACTIONS, "or")
"""The games with factions, for help texts."""


def names_beginning_with(names: Sequence[str], incomplete: str) -> list[str]:
    """Return the names that the shell offers for an incomplete one."""
    return [name for name in names if name.startswith(incomplete)]


def complete_deck_game(incomplete: str) -> list[str]:
    """Return the games with decks that the shell offers."""
    return names_beginning_with(_WITH_DECKS, incomplete)


def complete_players(incomplete: str) -> list[str]:
    """Return the computer players that the shell offers after the last comma."""
    from ccgrid.engine.players import PLAYERS

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names_beginning_with(PLAYERS.names, last)]


def complete_factions(incomplete: str) -> list[str]:
    """Return the bundled factions that the shell offers after the last comma."""
    before, comma, last = incomplete.rpartition(",")
    names = [deck.name for decks in ready_decks().values() for deck in decks.bundled()]
    return [f"{before}{comma}{name}" for name in names_beginning_with(names, last)]


def check_game_name(text: str) -> str:
    """Return the name of a game that is named in any case or by its title, and other texts unchanged.

    Raises:
        typer.BadParameter: If it names a card game.
    """
    if text in GAMES.names or not text:
        return text
    named = id_part(text)
    found = next((one for one in GAMES.names if named in (one, id_part(find_game(one).title))), "")
    if not found:
        sources = import_module("ccgrid.catalog.sources")  # only an unknown game needs it
        if sources.find_card_game(text) in sources.layout_files():
            raise typer.BadParameter(f"{text!r} is a card game; its cards are for {listed(GAMES.names, 'or')}")
    return found or text


def split_names(text: str | None) -> tuple[str, ...]:
    """Split the value of an option at commas; a part in double quotes may contain commas.

    >>> split_names('Ann, "cmd:./mine 1,2"')
    ('Ann', 'cmd:./mine 1,2')
    """
    found: list[str] = []
    for part in [] if text is None else text.split(","):
        if found and found[-1].startswith('"') and not _is_quoted(found[-1]):
            found[-1] += f",{part.rstrip()}"
        else:
            found.append(part.strip())
    return tuple(part[1:-1] if _is_quoted(part) else part for part in found)


def _is_quoted(part: str) -> bool:
    return len(part) > 1 and part[0] == part[-1] == '"'


_FROM: Final = typer.Option(
    "--from",
    metavar="all|collection|QUERY",
    help="'collection' (cards you own that are not out), or a query.",
    autocompletion=complete_query,
)
From = Annotated[str, _FROM]
"""The cards that a deck may contain."""
FromOrNone = Annotated[str | None, _FROM]
"""The same option for commands that accept a deck instead."""

Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Cores to use; all by default.", show_default=False)
]
"""The number of processes; None for a suitable number."""

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on a running Dask cluster, such as tcp://host:8786.",
        show_default=False,
    ),
]
"""The address of a Dask cluster; None for this machine."""


class Machines(NamedTuple):
    """The options for the machines that play many games."""

    workers: Workers = None
    cluster: Cluster = None

    def runner(self) -> "Runner":
        """Return the runner; raise ContradictionError if both options are given."""
        runner: Runner = services.simulations.Runner(self.workers, self.cluster)
        return runner


_COUNTS = file_only("the counts are saved in it")

Resume = Annotated[
    Path | None,
    typer.Option(
        "--resume",
        **_COUNTS,
        metavar="FILE",
        help="Save the counts in this file, and continue from it.",
        show_default=False,
    ),
]
"""The file that stores the counts; None for none."""
