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
    from engine.record import Reading, Record
    from engine.record_files import Ending

    Found = Callable[[str], Card]

app = typer.Typer()

Records = Annotated[list[Path], typer.Argument(help="Records of games: .toml, or .jsonl with a game a line.")]

NOT_VALID = 1
NOT_READ = 3


@contextmanager
def card_lookup(database: Path | None) -> "Iterator[Found]":
    """Finds cards that a record names; the catalogue is opened when the first is asked for.

    Where there is none that is an EngineError: it is no fault of the record, as a card that is not found would be.
    """
    from contextlib import ExitStack

    from catalog.card import CatalogError
    from ccgrid.services.catalogue import open_catalogue
    from ccgrid.services.deck_entries import with_sides
    from engine.game import EngineError, quoted

    with ExitStack() as stack:
        opened: list[Any] = []

        def find(text: str) -> "Card":
            if not opened:
                try:
                    opened.append(stack.enter_context(open_catalogue(database)))
                except CatalogError as error:
                    raise EngineError(f"it names {quoted(text)} without its numbers. {error}") from None
            return with_sides(opened[0], opened[0].find(text))

        yield find


def read_valid(file: Path, database: Path | None) -> "Record":
    """The one game in a file; where that is not valid, says so and ends the command with the status that it means."""
    from engine.game import EngineError
    from engine.record_files import read_game
    from engine.schema import RecordError

    with card_lookup(database) as find:
        try:
            return read_game(file, find)
        except RecordError as error:
            _complain(str(file), error)
            raise typer.Exit(NOT_READ if error.where == "file" else NOT_VALID) from None
        except EngineError as error:
            raise EngineError(f"{file}: {error}") from None


def _complain(file: str, error: Any) -> None:
    from ccgrid.view.output import remark

    remark(f"Error: {file}: {error.message if error.where == 'file' else error}")


def _status(reading: "Reading | Ending") -> int:
    """0 for a game that is as it should be, 1 for one that is not, 3 for what cannot be read as a game at all."""
    if reading.error is None:
        return 0
    return NOT_READ if reading.error.where == "file" else NOT_VALID


def _check(files: list[Path], read: "Callable[[Path], Iterator[Reading | Ending]]", as_json: bool, scores: bool) -> int:
    """Show what became of every game in the files; returns the exit status that all of them come to."""
    from ccgrid.view.output import remark, show_json
    from ccgrid.view.scores import show_score, show_validity

    view = show_json if as_json else show_score if scores else show_validity
    status = 0
    for file in files:
        unread, others = 0, 0
        for reading in _readings(file, read):
            code = _status(reading)
            if code == NOT_READ:
                unread += 1
            else:
                others += 1
                status = max(status, code)
            if reading.error is not None and code == NOT_READ and not as_json:
                if unread == 1:  # a file of another kind may have millions of such lines
                    _complain(reading.file, reading.error)
                continue
            result = reading.to_dict()
            view(result if scores else {key: value for key, value in result.items() if key != "scores"})
        if unread > 1 and not as_json:
            remark(f"Error: {file}: {unread - 1:,} more of its lines cannot be read")
        if unread:  # a line that cannot be read among others that can is a game that is not valid
            status = max(status, NOT_VALID if others else NOT_READ)
    return status


def _readings(file: Path, read: "Callable[[Path], Iterator[Reading | Ending]]") -> "Iterator[Reading | Ending]":
    """The games in a file; a file that cannot be opened or checked is a game that cannot be read."""
    from engine.game import EngineError
    from engine.record import Reading
    from engine.schema import RecordError

    try:
        yield from read(file)
    except EngineError as error:
        message = error.message if isinstance(error, RecordError) else " ".join(str(error).split())
        yield Reading(str(file), error=RecordError("file", message))


@app.command()
def validate(records: Records, database: Database = None, as_json: Json = False) -> None:
    """Check whether games were played by the rules.

    Example: ccgrid validate game.toml
    """
    from engine.record_files import read_games

    with card_lookup(database) as find:
        raise typer.Exit(_check(records, lambda file: read_games(file, find), as_json, scores=False))


@app.command()
def score(
    records: Records,
    piles: Annotated[
        bool,
        typer.Option("--piles", "--ending", help="The files hold no moves but what each player ended with."),
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    r"""Check games and count their scores.

    Who kept no record can score what each player took, a TOML file:

    \b
        game = "grid"
        [piles]
        Ann = ["mtg:m10/146", "Lightning Strike"]
        Bob = [{ name = "Brass Ferryman", score = 9 }]

    Of the other games the last board, or each player's life: ccgrid rules GAME.

    Example: ccgrid score game.toml
    """
    from engine.record_files import read_ending, read_games

    def read(file: Path) -> "Iterator[Reading | Ending]":
        return iter([read_ending(file, find)]) if piles else read_games(file, find)

    with card_lookup(database) as find:
        raise typer.Exit(_check(records, read, as_json, scores=True))


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
    from ccgrid.view.games import describe_move, show_position
    from ccgrid.view.names import player_name
    from ccgrid.view.output import show, show_json
    from engine.notation import play
    from engine.record import replay_json

    game = read_valid(record, database)
    if as_json:
        show_json(replay_json(game))
        return
    waits = pause if pause is not None else sys.stdin.isatty() and sys.stdout.isatty()
    name = game.setup.game
    state = game.setup.start()
    show("The beginning.")
    show_position(name, state)
    for number, move in enumerate(game.moves, 1):
        if waits and not _goes_on():
            return
        what = f"{number}. {player_name(state.players[state.to_move])} plays {move}: {describe_move(name, state, move)}"
        state = play(state, move)
        show("", what)
        show_position(name, state, move)
    outcome = state.outcome()
    if outcome is None:
        show("", "The game is not over.")
        return
    winner = "A draw" if outcome.winner is None else f"{player_name(state.players[outcome.winner])} wins"
    show("", f"{winner}: {outcome.reason}.")


def _goes_on() -> bool:
    """Wait until the person presses Enter; False where they want to see no more."""
    try:
        return not input("Enter goes on, q ends. ").strip().lower().startswith("q")
    except EOFError:
        print()  # the prompt's line has no end
        return False
