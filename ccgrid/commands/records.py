"""Commands on recorded games: check, score, replay, solve, advise and analyse."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ccgrid import engine, services, terminal, view
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.commands.asking import asked_choices
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Json, Output, Seed, end_interrupted, seed_or_random
from ccgrid.commands.paths import INPUT, tell_written
from ccgrid.services.output_kinds import RECORD
from ccgrid.view.output import progress, remark, show_json
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.engine.game import State
    from ccgrid.engine.records.record import Reading, Record

app = CommandModule()

Position = Annotated[Path, typer.Argument(**INPUT, metavar="RECORD", help="The record of one game, finished or not.")]

After = Annotated[
    int | None,
    typer.Option(
        "--after",
        metavar="NUMBER",
        min=0,
        help="Position after this many moves (default: the last).",
        show_default=False,
    ),
]

Seconds = Annotated[
    float | None,
    typer.Option("--think", metavar="SECONDS", min=0.001, help="Time limit.", show_default=False),
]


def read_position(record: Path, after: int | None, database: Path | None, *, as_json: bool) -> "State":
    """Return the position of a record; end the command if the record is not valid."""
    return services.positions.position_after(_read(record, database, as_json=as_json), after)


def _read(record: Path, database: Path | None, *, as_json: bool) -> "Record":
    """Return the record; end the command if it is not valid."""
    with asked_choices(as_json=as_json, record=record) as choices:
        return services.records.read_record(record, database, choices)


@app.command()
def solve(
    record: Position,
    after: After = None,
    think: Seconds = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Prove what a position is worth when all cards are known.

    It also prints the best line.

    Positions too far from the end are refused with a reason. Ctrl-C stops with what has been proved so far.

    'advise' uses only what the player can know, and 'analyze' reviews a whole game.

    Example: ccgrid solve game.toml --after 0
    """
    proof = services.advice.solve(
        read_position(record, after, database, as_json=as_json), think, terminal.prompts.bounds_reporter(), remark
    )
    if as_json:
        show_json(proof.answer())
    else:
        view.insight.show_proof(proof)
    end_interrupted(proof.interrupted)


@app.command()
def advise(
    record: Position,
    think: Annotated[float, typer.Option("--think", metavar="SECONDS", min=0.01, help="Time limit.")] = 3.0,
    is_open: Annotated[
        bool, typer.Option("--open", help="Use cards hidden from the player to move, such as the pile's order.")
    ] = False,
    hand: Annotated[
        str | None,
        typer.Option(
            "--hand",
            metavar="NAME,NAME",
            help="The hand of the player to move, if the record lacks it.",
            show_default=False,
        ),
    ] = None,
    after: After = None,
    seed: Seed = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Rank the legal moves by their value.

    The value is the final lead in points with good play. It is proved if possible, and else estimated with its
    standard error, with hidden cards dealt at random.

    'solve' proves a position with all cards known, and 'analyze' reviews a whole game.

    Example: ccgrid advise game.toml --after 4 --think 0.5
    """
    if hand is None:
        state = read_position(record, after, database, as_json=as_json)
    else:
        state = services.positions.position_with_hand(_read(record, database, as_json=as_json), after, hand)
    thought = services.advice.advice_on(state, think, seed_or_random(seed), is_open=is_open)
    if as_json:
        show_json(thought.answer())
    else:
        view.insight.show_advice(thought)


@app.command()
def analyze(
    record: Position,
    think: Annotated[
        float, typer.Option("--think", metavar="SECONDS", min=0.01, help="Time to think about each move.")
    ] = 0.2,
    *,
    to: Annotated[Output, "Write the marked record to this file: .toml or .jsonl."],
    seed: Seed = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Review a game: the best moves, and what mistakes cost.

    If cards are drawn, it separates luck from skill.

    Each move is judged by what its player could know, and in hindsight with all cards known, if that can be proved. ?!
    loses a little, ? more, ?? much. --output saves the marks in the record, and replay shows them.

    'advise' is for one position, and 'solve' proves one with all cards known.

    Example: ccgrid analyze game.toml --think 0.05 -o marked.toml
    """
    output = to.output
    to.check(RECORD)
    game = _read(record, database, as_json=as_json)
    with progress("Looking at moves") as report:
        analysis = services.reviews.analysis_of(game, think, seed_or_random(seed), report)
    if output is not None:
        engine.write_game(services.reviews.with_notes(game, analysis), output)
        tell_written(output, f". To see it: ccgrid replay {shell_word(output)}")
    if as_json:
        show_json(analysis.answer(game.setup.game))
    else:
        view.insight.show_analysis(analysis)
        view.insight.show_turning_point(services.reviews.review(game, analysis))


Records = Annotated[
    list[Path], typer.Argument(**INPUT, help="Records of games: .toml, or .jsonl with one game per line.")
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
    record: Annotated[Path, typer.Argument(**INPUT, help="The record of one game.")],
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
    with asked_choices(as_json=as_json, record=record) as choices:
        reading = services.records.read_reading(record, database, choices)
        if reading.record is None:
            reading.require()
    if reading.record is not None:
        _show(reading, reading.record, begin, end, pause, as_json=as_json)
    if reading.error is not None:
        raise typer.Exit(terminal.checks.report_record_error(str(record), reading.error))


def _show(
    reading: "Reading", record: "Record", begin: int | None, end: int | None, pause: bool | None, *, as_json: bool
) -> None:
    """Show the requested moves up to the first error."""
    for name, number in (("--from", begin), ("--to", end)):
        if number is not None and number > len(record.moves):
            raise typer.BadParameter(f"{name} {number}: the game has {counted(len(record.moves), 'move')}")
    if begin is not None and end is not None and begin > end:
        raise typer.BadParameter(f"--from {begin} comes after --to {end}")
    last = reading.plies if end is None else min(end, reading.plies)
    first = min((begin or 1) - 1, last)
    if as_json:
        if reading.error is None or (end is not None and end <= reading.plies):
            show_json(services.records.replay(replace(record, moves=record.moves[:last]), first))
        return
    replay = terminal.replay.Replay.of(reading, record, last)
    is_terminal = can_ask()
    waits = is_terminal if pause is None else pause
    if waits and is_terminal and view.games.supports_escape_sequences():
        is_wanted_last = begin is None and (end is not None or reading.error is not None)
        terminal.replay.turn_pages(replay, first, last if is_wanted_last else first, terminal.prompts.read_key)
    else:
        terminal.replay.step_through(replay, first, waits=waits)
