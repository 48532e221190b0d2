"""The command that answers other programs in lines: ccgrid as the player of somebody else's table."""

import sys
from collections.abc import Iterator
from importlib.metadata import version
from typing import Annotated

import typer

from ccgrid import services
from ccgrid.commands.game_options import complete_players
from ccgrid.commands.options import Seed, any_seed
from ccgrid.view.streams import flush, write_data

app = typer.Typer()


@app.command()
def engine(
    player: Annotated[
        str, typer.Option("--player", help="Which computer player chooses.", autocompletion=complete_players)
    ] = "strong",
    seed: Seed = None,
) -> None:
    """Choose moves for another program, line by line.

    It reads positions from standard input and writes moves to standard output; docs/protocol.md has the protocol. 'play
    --players Ann,cmd:./mine' asks your own program in the same way. An empty input ends it.

    Example: ccgrid engine --player strong:0.5s
    """
    for answer in services.protocol.answers(_lines(), player, any_seed(seed), f"ccgrid {version('ccgrid')}"):
        write_data([f"{answer}\n"])
        flush()


def _lines() -> Iterator[str]:
    """The lines of standard input, as they come."""
    while sys.stdin is not None and (line := sys.stdin.readline(services.protocol.LONGEST_LINE)):
        yield line
