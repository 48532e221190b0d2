"""Commands that say what positions are worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ccgrid import engine, services, terminal, view
from ccgrid.commands.options import Database, Force, Json, Seed, any_seed
from ccgrid.commands.paths import INPUT, OUTPUT, tell_written
from ccgrid.engine.schema import RecordError
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import RECORD, check_free
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import progress, remark, show_json

if TYPE_CHECKING:
    from ccgrid.engine.game import State
    from ccgrid.engine.records.record import Record

app = typer.Typer()

_INTERRUPTED = 130

Position = Annotated[
    Path, typer.Argument(click_type=INPUT, metavar="RECORD", help="The record of one game, finished or not.")
]

After = Annotated[
    int | None,
    typer.Option("--after", metavar="N", min=0, help="Position after N moves (default: the last).", show_default=False),
]

Seconds = Annotated[
    float | None,
    typer.Option("--think", metavar="SECONDS", min=0.001, help="Time limit.", show_default=False),
]


def read_position(record: Path, after: int | None, database: Path | None, *, as_json: bool) -> "State":
    """The position that is meant, or the end of the command where the record is not valid."""
    return services.solving.position_after(_read(record, database, as_json=as_json), after)


def _read(record: Path, database: Path | None, *, as_json: bool) -> "Record":
    """The record, or the end of the command where it is not valid."""
    try:
        game = services.records.read_record(record, database, choices := Choices(asking(as_json=as_json)))
    except RecordError as error:
        terminal.checks.complain(str(record), error)
        raise typer.Exit(terminal.checks.status_of(error)) from None
    tell_choices(choices)
    return game


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

    Positions too far from the end are refused with a reason. Ctrl-C stops with what is proved so far.

    Example: ccgrid solve game.toml --after 0
    """
    proof = services.solving.proof_of(
        read_position(record, after, database, as_json=as_json), think, terminal.prompts.tell_bounds(), remark
    )
    if as_json:
        show_json(proof.to_dict())
    else:
        view.insight.show_proof(proof)
    if proof.interrupted:
        raise typer.Exit(_INTERRUPTED)


@app.command()
def advise(
    record: Position,
    think: Annotated[float, typer.Option("--think", metavar="SECONDS", min=0.01, help="Time limit.")] = 1.0,
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
    """Rank the legal moves by what they are worth.

    The worth is the final lead in points with good play. It is proved if possible, and else estimated with its
    standard error, with hidden cards dealt at random.

    Example: ccgrid advise game.toml --after 4 --think 0.5
    """
    if hand is None:
        state = read_position(record, after, database, as_json=as_json)
    else:
        state = services.solving.position_held(_read(record, database, as_json=as_json), after, hand)
    thought = services.solving.advice_on(state, think, any_seed(seed), is_open=is_open)
    if as_json:
        show_json(thought.to_dict())
    else:
        view.insight.show_advice(thought)


@app.command()
def analyze(
    record: Position,
    think: Annotated[
        float, typer.Option("--think", metavar="SECONDS", min=0.01, help="Time to think about each move.")
    ] = 0.2,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=OUTPUT, help="Write the marked record to this file.", show_default=False
        ),
    ] = None,
    force: Force = False,
    seed: Seed = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Review a game: the best moves, and what mistakes cost.

    If cards are drawn, it separates luck from skill.

    Each move is judged by what its player could know, and in hindsight with all cards known, if that can be proved. ?!
    loses a little, ? more, ?? much. --output saves the marks in the record, and replay shows them.

    Example: ccgrid analyze game.toml --think 0.05 -o marked.toml
    """
    if output is not None:
        check_free(output, RECORD, force=force)
    game = _read(record, database, as_json=as_json)
    with progress("Looking at moves") as report:
        analysis = services.solving.analysis_of(game, think, any_seed(seed), report)
    if output is not None:
        engine.write_game(services.solving.annotated(game, analysis), output)
        tell_written(output, f". To see it: ccgrid replay {output}")
    if as_json:
        show_json(services.solving.analysis_json(game, analysis))
    else:
        view.insight.show_analysis(analysis)
