"""Commands on games that were played: check them, score them, step through them."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ccgrid.commands.options import Database, Json

if TYPE_CHECKING:
    from catalog.card import Card
    from engine.files import Ending
    from engine.record import Reading

app = typer.Typer()

Records = Annotated[list[Path], typer.Argument(help="Records of games: .toml, or .jsonl with a game a line.")]

NOT_VALID = 1
NOT_READ = 3


@contextmanager
def _lookup(database: Path | None) -> "Iterator[Callable[[str], Card]]":
    """Finds cards that a record names; the catalogue is opened when the first is asked for."""
    from contextlib import ExitStack

    from ccgrid.shelf import open_catalogue

    with ExitStack() as stack:
        opened: list[Any] = []

        def find(text: str) -> "Card":
            if not opened:
                opened.append(stack.enter_context(open_catalogue(database)))
            card: Card = opened[0].find(text)
            return card

        yield find


def _status(reading: "Reading | Ending") -> int:
    """0 for a game that is as it should be, 1 for one that is not, 3 for a file in which no game can be read."""
    if reading.error is None:
        return 0
    return NOT_READ if reading.error.where == "file" else NOT_VALID


@app.command()
def validate(records: Records, database: Database = None, as_json: Json = False) -> None:
    """Check whether games were played by the rules.

    Example: ccgrid validate game.toml
    """
    from ccgrid.view.output import show_json
    from ccgrid.view.scores import show_validity
    from engine.files import read_games

    status = 0
    with _lookup(database) as find:
        for file in records:
            for reading in read_games(file, find):
                status = max(status, _status(reading))
                result = reading.to_json(scores=False)
                if as_json:
                    show_json(result)
                else:
                    show_validity(result)
    raise typer.Exit(status)


@app.command()
def score(
    records: Records,
    piles: Annotated[
        bool, typer.Option("--piles", help="The files hold no moves but what each player ended with.")
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check games and count their scores.

    Who kept no record can score what each player took, a TOML file:

        game = "grid"

        [piles]

        Ann = ["mtg:m10/146", "Lightning Strike"]

        Bob = [{ name = "Brass Ferryman", score = 9 }]

    Example: ccgrid score game.toml
    """
    from ccgrid.view.output import show_json
    from ccgrid.view.scores import show_score
    from engine.files import read_ending, read_games

    status = 0
    with _lookup(database) as find:
        for file in records:
            readings: Iterator[Any] = iter([read_ending(file, find)]) if piles else read_games(file, find)
            for reading in readings:
                status = max(status, _status(reading))
                result = reading.to_json()
                if as_json:
                    show_json(result)
                else:
                    show_score(result)
    raise typer.Exit(status)


@app.command()
def replay(
    record: Annotated[Path, typer.Argument(help="The record of one game.")],
    pause: Annotated[
        bool | None, typer.Option(help="Wait for Enter after each move; the default on a terminal.")
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Step through a game, the board drawn after every move.

    Example: ccgrid replay game.toml
    """
    from ccgrid.view.games import describe_move, draw_state, standing
    from ccgrid.view.output import show, show_json
    from engine.files import read_game
    from engine.record import replay_json
    from engine.shape import RecordError

    with _lookup(database) as find:
        try:
            game = read_game(record, find)
        except RecordError as error:
            from ccgrid.view.output import remark

            remark(f"Error: {record}: {error}")
            raise typer.Exit(NOT_READ if error.where == "file" else NOT_VALID) from None
    if as_json:
        show_json(replay_json(game))
        return
    waits = pause if pause is not None else sys.stdin.isatty() and sys.stdout.isatty()
    name = game.setup.game
    state = game.setup.start()
    show("The beginning.", draw_state(name, state))
    for number, move in enumerate(game.moves, 1):
        if waits and input("Enter goes on, q ends. ").strip().lower().startswith("q"):
            return
        what = f"{number}. {state.players[state.to_move]} plays {move}: {describe_move(name, state, move)}"
        state = state.play(move)
        show("", what, draw_state(name, state, move), standing(state))
    outcome = state.outcome()
    if outcome is None:
        show("", "The game is not over.")
        return
    winner = "A draw" if outcome.winner is None else f"{state.players[outcome.winner]} wins"
    show("", f"{winner}: {outcome.reason}.")
