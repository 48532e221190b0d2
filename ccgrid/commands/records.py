"""Commands on games that were played: check them, score them."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ccgrid import services, terminal, view
from ccgrid.commands.options import Database, Json
from ccgrid.commands.paths import INPUT
from ccgrid.engine.schema import RecordError
from ccgrid.services.choices import Choices
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import show_json
from ccgrid.view.streams import can_ask
from ccgrid.view.text import counted

if TYPE_CHECKING:
    from ccgrid.engine.records.record import Reading, Record

app = typer.Typer()

Records = Annotated[
    list[Path], typer.Argument(click_type=INPUT, help="Records of games: .toml, or .jsonl with a game a line.")
]


@app.command()
def validate(records: Records, database: Database = None, as_json: Json = False) -> None:
    """Check whether games were played by the rules.

    Example: ccgrid validate game.toml
    """
    raise typer.Exit(terminal.checks.show_checks(records, database, scores=False, as_json=as_json))


@app.command()
def score(
    records: Records,
    piles: Annotated[
        bool,
        typer.Option("--piles", "--ending", help="The files hold final piles, not moves."),
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check games and count their scores.

    If you noted only the end, such as what each player took, write that into a file and use --ending. The rules end
    with an example of such a file: ccgrid rules GAME.

    Example: ccgrid score game.toml
    """
    raise typer.Exit(terminal.checks.show_checks(records, database, ending=piles, scores=True, as_json=as_json))


@app.command("replay")
def replay_command(
    record: Annotated[Path, typer.Argument(click_type=INPUT, help="The record of one game.")],
    begin: Annotated[int | None, typer.Option("--from", min=1, help="First move to show.", show_default=False)] = None,
    end: Annotated[int | None, typer.Option("--to", min=0, help="Last move to show.", show_default=False)] = None,
    pause: Annotated[
        bool | None,
        typer.Option(help="Show one position at a time (default at a terminal)."),
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Step through a game, move by move.

    At a terminal the arrow keys move back and forth, Home and End go to the first and last position, and q quits. An
    invalid game is shown up to its first mistake.

    Example: ccgrid replay game.toml --from 3 --to 5
    """
    choices = Choices(asking(as_json=as_json))
    try:
        reading = services.records.read_reading(record, database, choices)
        if reading.record is None:
            reading.require()
    except RecordError as error:
        terminal.checks.complain(str(record), error)
        raise typer.Exit(terminal.checks.status_of(error)) from None
    tell_choices(choices)
    if reading.record is not None:
        _show(reading, reading.record, begin, end, pause, as_json=as_json)
    if reading.error is not None:
        terminal.checks.complain(str(record), reading.error)
        raise typer.Exit(terminal.checks.status_of(reading.error))


def _show(
    reading: "Reading", record: "Record", begin: int | None, end: int | None, pause: bool | None, *, as_json: bool
) -> None:
    """Shows as much of the game as is wanted, and as could be played."""
    for name, number in (("--from", begin), ("--to", end)):
        if number is not None and number > len(record.moves):
            raise typer.BadParameter(f"{name} {number}: the game has {counted(len(record.moves), 'move')}")
    if begin is not None and end is not None and begin > end:
        raise typer.BadParameter(f"--from {begin} comes after --to {end}")
    last = reading.played if end is None else min(end, reading.played)
    first = min((begin or 1) - 1, last)
    if as_json:
        if reading.error is None or (end is not None and end <= reading.played):
            show_json(services.records.replay_json(replace(record, moves=record.moves[:last]), first))
        return
    replay = terminal.replay.Replay.of(reading, record, last)
    is_terminal = can_ask()
    waits = is_terminal if pause is None else pause
    if waits and is_terminal and view.games.obeys():
        is_wanted_last = begin is None and (end is not None or reading.error is not None)
        terminal.replay.turn_pages(replay, first, last if is_wanted_last else first, terminal.prompts.read_key)
    else:
        terminal.replay.step_through(replay, first, waits=waits)
