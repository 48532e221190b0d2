"""Puzzles out of games with the cards somebody has, and what was answered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path

from catalog.card import CatalogError
from catalog.files import write_whole
from catalog.matching.asking import Choose
from ccgrid.services.dealing import dealt_with
from ccgrid.services.deck_sources import from_collection, query_of
from ccgrid.services.owned_decks import draw_owned
from ccgrid.services.session import Session, take_up
from engine.deck_sources import FixedDecks
from engine.decks import DeckSource
from engine.dice import Dice
from engine.games import find_game
from engine.insight.puzzles import Puzzle, check_puzzles, find_puzzles
from engine.records.files import JSON_LINES, write_game


@dataclass(frozen=True, slots=True)
class PuzzleRequest:
    """What somebody said about puzzles: game, decks or card games, `all`, `collection` or a query, the catalogue."""

    game: str
    files: tuple[Path, ...] = ()
    card_games: tuple[str, ...] = ()
    source: str = "all"
    database: Path | None = None


def puzzles(
    request: PuzzleRequest,
    count: int,
    seed: int,
    *,
    progress: Callable[[int], object],
    remark: Callable[[str], None],
    waiting: Callable[[], None],
    ask: Choose | None = None,
) -> list[Puzzle]:
    """So many puzzles, which catalogue, request and seed alone decide.

    Raises:
        CatalogError: what was said does not fit together, a deck is not legal, or there are too few cards.
        EngineError: there are no puzzles of this game, or none is found.
    """
    game = find_game(request.game).name
    check_puzzles(game)
    source = _decks(request, seed, remark, waiting, ask)
    return list(islice(find_puzzles(game, source, seed, progress), count))


def _decks(
    request: PuzzleRequest,
    seed: int,
    remark: Callable[[str], None],
    waiting: Callable[[], None],
    ask: Choose | None,
) -> DeckSource:
    if from_collection(request.source):
        if request.files:
            raise CatalogError("The cards come from decks or from the collection: leave --deck or --from out.")
        cards = draw_owned(request.game, request.card_games, Dice(seed), request.database, waiting)
        return FixedDecks((tuple(cards),))
    dealt = dealt_with(
        request.game,
        2,
        files=request.files,
        card_games=request.card_games,
        query=query_of(request.source),
        database=request.database,
        remark=remark,
        ask=ask,
    )
    return dealt.source


def daily_seed(day: date) -> int:
    """The seed of a day's puzzle: the number of the day, counted from the first of year 1."""
    return day.toordinal()


def check_holds(path: Path, count: int) -> None:
    """Refuses a file that by its name cannot hold so many records; raises CatalogError."""
    if count > 1 and path.suffix.lower() not in JSON_LINES:
        raise CatalogError(f"{path} would hold one puzzle: write many into a file like {path.stem}.jsonl.")


def export(found: Sequence[Puzzle], path: Path) -> None:
    """Writes puzzles as records, the answers in their notes; all or nothing."""
    if len(found) == 1:
        write_game(found[0].noted(), path)
    else:
        write_whole(path, "".join(f"{puzzle.noted().to_json_line()}\n" for puzzle in found))


def set_up(puzzle: Puzzle) -> Session:
    """The position as a game in progress, between people."""
    return take_up(puzzle.record, {}, Dice(puzzle.record.seed or 0))
