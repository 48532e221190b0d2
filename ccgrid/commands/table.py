"""Commands at a real table: the referee, and puzzles."""

from collections.abc import Sequence
from datetime import date, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ccgrid import services, terminal
from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.formatting import shell_word
from ccgrid.commands.game_options import From, complete_factions, listed, split_names
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import (
    Database,
    Force,
    Games,
    Json,
    Output,
    Seed,
    check_names_length,
    seed_or_random,
    waiting,
)
from ccgrid.commands.paths import INPUT, INPUT_OR_NAME, PLAYED, tell_written
from ccgrid.commands.play_options import Decks, Load, Variants, complete_game
from ccgrid.commands.signatures import Fill
from ccgrid.engine.errors import RecordError
from ccgrid.engine.games import GAMES
from ccgrid.services.files import check_folder, check_free
from ccgrid.services.output_kinds import RECORD
from ccgrid.services.requests import GameRequest
from ccgrid.view.output import progress, remark, show_json

if TYPE_CHECKING:
    from ccgrid.engine.insight.puzzles import Puzzle
    from ccgrid.engine.records.record import Record
    from ccgrid.services.choices import Choices
    from ccgrid.services.saved_games import SavedGame

app = CommandModule()

_PEOPLE = ("First", "Second", "Third", "Fourth")


def _complete_words(incomplete: str) -> list[str]:
    return [*complete_game(incomplete), *complete_factions(incomplete)]


@app.command()
def table(
    words: Annotated[
        list[Any] | None,
        typer.Argument(
            **INPUT_OR_NAME,
            metavar="GAME|DECK|FACTION",
            help="The deck on the table, or one per player; also the game, if they do not say it.",
            show_default=False,
            autocompletion=_complete_words,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            help=f"Names in seat order (default: {','.join(_PEOPLE[:2])}).",
            show_default=False,
            callback=check_names_length,
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option("--first", metavar="NAME", help="Who starts (default: the first player).", show_default=False),
    ] = None,
    option: Variants = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            "-o",
            **PLAYED,
            help="Save the game here (default: named by date and time).",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    load: Load = None,
    database: Database = None,
) -> None:
    """Referee a game played with real cards.

    You shuffle and deal. ccgrid asks for the cards on the table and for moves, refuses illegal ones, counts, and writes
    a record. It needs only what everyone can see; hands stay hidden. The game is saved after every move.

    Example: ccgrid table deck.toml --players Ann,Bob

    Example: ccgrid table bastion cinder --players Ann,Bob
    """
    saved = _last() if str(load) == services.saved_games.LAST and load is not None and not load.exists() else None
    begun = None if saved is None else saved.record
    file = record or begun or _new_record_file(datetime.now())
    check_folder(file)
    if load is None or file.absolute() != load.absolute():
        check_free(file, RECORD, force=force or file == begun)
    choices = services.choices.Choices(terminal.choosing.interactive_chooser())
    if load is not None:
        if players or first or option:
            raise typer.BadParameter("the record sets players and options: give only decks or --record with it")
        if saved is not None:
            game = services.saved_games.records_of(saved)[-1]
        else:
            game = _read(load, database, choices)
            terminal.checks.report_resignation(game)
        if services.seats.computer_seats(game.setup.players):
            raise UsageError("This game has a computer player: continue with ccgrid play --load.")
        if words:
            game = services.real_records.with_decks(game, _decks(words, game, database, choices))
    elif words:
        names = split_names(players)
        found = services.real_decks.real_decks(words, len(names) or None, database, choices)
        seats = names or _PEOPLE[: max(2, len(found.decks))]
        game = services.real_records.begin(
            found.game, seats, first, services.dealing.read_options(found.game, option or ()), found.decks
        )
    else:
        raise typer.BadParameter("name the deck on the table, or the game, or --load a record")
    terminal.choosing.show_choices(choices)
    try:
        terminal.referee.referee_game(
            game, file, saved or services.saved_games.SavedGame.begin(game.setup.game, remark)
        )
    except terminal.keyboard.PlayerQuit:
        remark("The game has not started.")


def _decks(
    words: Sequence[str | Path], game: "Record", database: Path | None, choices: "Choices"
) -> Sequence[Sequence[Card]]:
    """Return the decks for a resumed record; a deck that names no game is for the game of the record."""
    named = words[0] in GAMES.names
    every = words if named else [game.setup.game, *words]
    return services.real_decks.real_decks(every, len(game.setup.players), database, choices).decks


def _last() -> "SavedGame":
    """Return the last unfinished game; raise CatalogError if it was not played with real cards."""
    saved = services.saved_games.last_saved(remark)
    if saved is None:
        raise CatalogError("There is no unfinished game. To start one: ccgrid table DECK")
    if not services.real_records.is_refereed(services.saved_games.records_of(saved)[-1]):
        raise CatalogError(
            "The last unfinished game was not played with real cards. To continue it: ccgrid play --load last"
        )
    return saved


def _read(file: Path, database: Path | None, choices: "Choices") -> "Record":
    """Read the game in a file, whose moves may need cards that it does not name."""
    try:
        return services.records.read_unfinished(file, database, choices, lambda _: True)
    except RecordError as error:
        raise typer.Exit(terminal.checks.report_record_error(str(file), error)) from None


def _new_record_file(moment: datetime) -> Path:
    """Return a file name for a game: its time, and a number if several games share it."""
    name = f"table-{moment:%Y-%m-%d-%H%M%S}"
    files = (Path(f"{name}{'' if number == 1 else f'-{number}'}.toml") for number in count(1))
    return next(file for file in files if not file.exists())


PuzzleGame = Annotated[
    str, typer.Argument(help=f"Which game: {listed(GAMES.names, 'or')}.", autocompletion=complete_game)
]


class Daily(NamedTuple):
    """The options for the puzzle of a day."""

    is_daily: Annotated[
        bool, typer.Option("--daily", help="The puzzle of the day, the same for everyone with the same catalogue.")
    ] = False
    day: Annotated[
        datetime | None,
        typer.Option(
            "--date",
            metavar="YYYY-MM-DD",
            formats=["%Y-%m-%d"],
            help="With --daily: the puzzle of this day.",
            show_default=False,
        ),
    ] = None


@app.command()
def puzzle(
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, help="Number of puzzles.")] = 1,
    *,
    daily: Daily,
    request: Annotated[
        GameRequest,
        Fill(
            {
                "game": (PuzzleGame, GAMES.default),
                "decks": Decks,
                "source": From,
                "card_games": Games,
                "database": Database,
            }
        ),
    ],
    seed: Seed = None,
    own_games: Annotated[
        Path | None,
        typer.Option(
            "--from-games",
            **INPUT,
            metavar="FILE",
            help="Positions of these games where a person missed the best move. Missed puzzles return.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[Output, "Write the puzzles to this file (.toml, .jsonl), with answers, and do not ask."],
    as_json: Json = False,
) -> None:
    """Find the one best move of a position; it is proved and explained.

    Positions come from games of computer players with your cards. Exactly one move is best when all cards are known.
    The difficulty is how often greedy and strong miss it. With --from-games they come from your own games: a solved
    puzzle returns after 3 days, then 7, 21, 60 and 180, a missed one tomorrow.

    Example: ccgrid puzzle --seed 7
    """
    output = to.output
    is_daily, day = daily
    if day is not None and not is_daily:
        raise UsageError("--date needs --daily.")
    if is_daily and (seed is not None or count > 1 or request.decks or request.source != "all"):
        raise UsageError("The daily puzzle is the same for all players. Leave out --seed, --count, --deck and --from.")
    is_plain = request == GameRequest(game=request.game, database=request.database)
    if own_games is not None and (is_daily or not is_plain or seed is not None):
        raise UsageError("With --from-games leave --daily, --deck, --from, --game and --seed out.")
    if output is not None:
        services.training.check_holds(output, count)
        check_free(output, RECORD, force=to.force)
    if own_games is not None:
        _show_puzzles(_missed_puzzles(own_games, count, request.database), output, as_json=as_json)
        return
    today = (day.date() if day else date.today()) if is_daily else None
    used = seed_or_random(seed) if today is None else services.training.daily_seed(today)
    with progress("Looking through games") as report:
        found = services.training.puzzles(
            request,
            count,
            used,
            progress=report,
            remark=remark,
            waiting=waiting,
            ask=terminal.choosing.interactive_chooser(as_json=as_json),
        )
    _show_puzzles(found, output, used, today, as_json=as_json)


def _missed_puzzles(games: Path, count: int, database: Path | None) -> "list[Puzzle]":
    """Return puzzles from the user's games."""
    try:
        records = services.training.games_in(games, database)
    except RecordError as error:
        raise typer.Exit(terminal.checks.report_record_error(str(games), error)) from None
    with progress("Looking through games", total=len(records)) as report:
        return services.training.missed_puzzles(records, count, date.today(), report)


def _show_puzzles(
    found: "Sequence[Puzzle]", output: Path | None, seed: int | None = None, day: date | None = None, *, as_json: bool
) -> None:
    """Write puzzles, print them, or ask them; those without a seed are from the user's games."""
    if output is not None:
        services.training.write_puzzles(found, output)
        tell_written(output, f". Prove it with: ccgrid solve {shell_word(output)}" if len(found) == 1 else "")
    if as_json:
        for one in found:
            show_json(services.training.posed_puzzle(one, day, seed))
    elif output is None and seed is None:
        terminal.puzzles.solve_puzzles(found, services.training.remember_answer)
    elif output is None:
        terminal.puzzles.solve_puzzles(found)
