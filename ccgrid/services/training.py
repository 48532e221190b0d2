"""Lessons and puzzles."""

import json
from collections.abc import Callable, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from ccgrid.catalog.answer_fields import with_fields
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.file_kinds import GAME_FILES
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.matching.asking import Choose
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.lessons import Figure, MeasuredLesson, ShownLesson, find_lessons, measure, saved_figures
from ccgrid.engine.insight.puzzles import Puzzle, PuzzleSolution, check_puzzles, find_puzzles, puzzles_missed
from ccgrid.engine.records.files import JSON_LINES, read_games, write_game
from ccgrid.engine.records.record import Record
from ccgrid.services.choices import Choices
from ccgrid.services.dealing import choose_decks
from ccgrid.services.deck_search import draw_owned
from ccgrid.services.progress import changed_progress, load_progress, puzzle_key
from ccgrid.services.records import card_lookup, check_game_file, deck_lookup_for
from ccgrid.services.requests import GameRequest
from ccgrid.services.seats import computer_seats
from ccgrid.services.session import Session, resume_session


def saved_lessons(game: str) -> list[MeasuredLesson]:
    """Return the lessons of a game with their bundled figures; raise EngineError if it has none."""
    lessons, figures = find_lessons(game), saved_figures(game)
    return [MeasuredLesson(lesson, figures[lesson.name], lesson.experiment.games) for lesson in lessons]


def games_to_play(game: str, games: int | None) -> int:
    """Return the number of games of all experiments of a game, with `games` for each, or else their default."""
    return sum(games or lesson.experiment.games for lesson in find_lessons(game))


def measure_lessons(
    request: GameRequest,
    games: int | None,
    seed: int,
    *,
    progress: Callable[[int], object],
    remark: Callable[[str], None],
) -> list[MeasuredLesson]:
    """Return the lessons of a game with figures from new games.

    Args:
        request: The game that teaches, and the cards.
        games: The number of games for each lesson, at least two; None for the default.
        seed: The master seed.
        progress: Called with 1 after each game.
        remark: Called once if the bundled cards are used.

    Raises:
        CatalogError: If no deck can be drawn.
        EngineError: If the game has no lessons.
    """
    found = []
    seen: set[str] = set()

    def once(line: str) -> None:
        if line not in seen:
            seen.add(line)
            remark(line)

    for lesson in find_lessons(request.game):
        experiment = lesson.experiment
        source = choose_decks(request._replace(players=tuple(map(str, experiment.players))), once).source
        figures = measure(request.game, experiment, source, seed, games, progress)
        missing = {
            word: Figure(0.0, 0.0) for word in lesson.figures_named() if word not in figures
        }  # events that did not occur in few games
        figures |= missing
        doubts = [*(f"{word} was never seen" for word in missing), *lesson.doubts(figures)]
        found.append(MeasuredLesson(lesson, figures, games or experiment.games, tuple(doubts)))
    return found


_SOLVERS: Final = ("Ann", "Bob")
"""The players of the games in which puzzles are searched."""


def puzzles(
    request: GameRequest,
    count: int,
    seed: int,
    *,
    progress: Callable[[int], object],
    remark: Callable[[str], None],
    waiting: Callable[[], None],
    ask: Choose | None = None,
) -> list[Puzzle]:
    """Return `count` puzzles, which the catalogue, the request and the seed determine.

    Raises:
        CatalogError: If options exclude each other, a deck is not legal, or there are too few cards.
        EngineError: If the game has no puzzles, or none is found.
    """
    game = find_game(request.game).name
    check_puzzles(game)
    source = _decks(request, seed, remark, waiting, ask)
    return list(islice(find_puzzles(game, source, seed, progress), count))


def _decks(
    request: GameRequest,
    seed: int,
    remark: Callable[[str], None],
    waiting: Callable[[], None],
    ask: Choose | None,
) -> DeckSource:
    if request.drawn.is_owned:
        if request.decks:
            raise UsageError("Choose --deck or --from, not both.")
        cards = draw_owned(request.drawn, Dice(seed), waiting)
        return FixedDecks((tuple(cards),))
    return choose_decks(request._replace(players=_SOLVERS), remark, ask).source


def missed_puzzles(games: Sequence[Record], count: int, today: date, progress: Callable[[int], object]) -> list[Puzzle]:
    """Return up to `count` puzzles from played games: positions where a person missed the only best move, due today.

    Puzzles that were also missed as puzzles come first, then new ones, then solved ones.

    Raises:
        CatalogError: If the file of answered puzzles cannot be read, or there is no puzzle.
    """
    remembered, found = load_progress(), dict[str, Puzzle]()
    for number, record in enumerate(games, 1):
        if len(record.setup.players) == 2:
            found |= {
                puzzle_key(one.record): one for one in puzzles_missed(record, lambda name: not computer_seats((name,)))
            }
        progress(number)
    due = [key for key in found if remembered.is_due(key, today)]
    if not due:
        why = (
            f"{counted(len(found), 'puzzle')} will return on later days."
            if found
            else "no human player missed the only best move of a position."
        )
        raise CatalogError(f"These games have no puzzle for today: {why}")
    due.sort(key=lambda key: remembered.puzzles[key].solved if key in remembered.puzzles else 1)
    return [found[key] for key in due[:count]]


def games_in(file: Path, database: Path | None) -> list[Record]:
    """Read the games in a file; raise RecordError with the first error."""
    check_game_file(file, GAME_FILES)
    with card_lookup(database) as find:
        return [reading.require() for reading in read_games(file, find, deck_lookup_for(file, database, Choices(None)))]


def remember_answer(puzzle: Puzzle, right: bool) -> None:
    """Record the answer to a puzzle from the user's own games; raise CatalogError if that fails."""
    with changed_progress() as remembered:
        remembered.note_answer(puzzle_key(puzzle.record), right=right, today=date.today())


def daily_seed(day: date) -> int:
    """Return the seed of a day's puzzle: the number of days since the first day of year 1."""
    return day.toordinal()


def check_holds(path: Path, count: int) -> None:
    """Raise CatalogError if a file cannot hold this number of records because of its suffix."""
    if count > 1 and path.suffix.lower() not in JSON_LINES:
        raise UsageError(f"{path} holds one puzzle: for many, use a file like {path.stem}.jsonl.")


def write_puzzles(found: Sequence[Puzzle], path: Path) -> None:
    """Write puzzles atomically as records, with the answers in their notes."""
    if len(found) == 1:
        write_game(found[0].to_record(), path)
    else:
        write_atomically(path, "".join(f"{puzzle.to_record().to_json_line()}\n" for puzzle in found))


def set_up(puzzle: Puzzle) -> Session:
    """Return the position as a game in progress between people."""
    return resume_session(puzzle.record, {}, Dice(puzzle.record.seed or 0))


class Lessons(msgspec.Struct, frozen=True, kw_only=True):
    """What wins at a game; `measured` is true if the figures were measured now, with the user's cards."""

    game: str
    title: str
    measured: bool
    lessons: list[ShownLesson]


def lessons_answer(game: str, lessons: Sequence[MeasuredLesson], *, measured: bool) -> Lessons:
    """Return the lessons of a game as `learn --json` prints them."""
    shown = [one.answer() for one in lessons]
    return Lessons(game=game, title=find_game(game).title, measured=measured, lessons=shown)


class PosedPuzzle(PuzzleSolution, frozen=True, kw_only=True):
    """A puzzle with its answer: the `date` of a daily one, or null, the seed, and the record up to the position.

    A puzzle from a game that the user played has neither date nor seed.
    """

    # msgspec lets a keyword field without a default replace one with a default.
    game: str  # pyright: ignore[reportGeneralTypeIssues]
    date: str | None  # pyright: ignore[reportGeneralTypeIssues]
    seed: int | None  # pyright: ignore[reportGeneralTypeIssues]
    record: dict[str, Any]


def posed_puzzle(puzzle: Puzzle, day: date | None, seed: int | None) -> PosedPuzzle:
    """Return a puzzle as `puzzle --json` prints it; without a seed it is from a game that the user played."""
    document = json.loads(puzzle.record.to_json_line())  # dates as text
    text = None if day is None else str(day)
    return with_fields(puzzle.solution(), PosedPuzzle, game=document["game"], date=text, seed=seed, record=document)
