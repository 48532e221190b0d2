"""The progress of players: their ratings and their answered puzzles, which one file stores."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from ccgrid.catalog.documents import DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import lock_beside, make_folder, write_atomically
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.engine.insight.glicko import Rating, update_rating
from ccgrid.engine.records.record import Record
from ccgrid.services.session import Session
from ccgrid.services.state_folder import state_folder

_DAYS: Final = (1, 3, 7, 21, 60, 180)
"""The days until a puzzle returns, by the number of times in a row that it was solved (Leitner's boxes)."""


_LIMITS: Final = Limits(4 << 20, any_characters=True)
_DECIMALS: Final = 4
"""The decimals of the figures in the file."""


class NamedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player with their rating in a game."""

    name: str
    rating: float
    deviation: float
    volatility: float
    won: int
    drawn: int
    lost: int


class ProgressReport(msgspec.Struct, frozen=True, kw_only=True):
    """The players of each game, the best rated first, and the numbers of remembered puzzles and of those due today."""

    ratings: dict[str, list[NamedPlayer]]
    puzzles: int
    due: int


_NEW: Final = Rating()


class RatedPlayer(msgspec.Struct, frozen=True):
    """A player's rating in one game, and the numbers of games won, drawn and lost, as the file stores them."""

    rating: Annotated[float, Meta(gt=-10_000, lt=10_000)] = _NEW.rating
    deviation: Annotated[float, Meta(gt=0, le=_NEW.deviation)] = _NEW.deviation
    volatility: Annotated[float, Meta(gt=0, lt=10)] = _NEW.volatility
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def glicko(self) -> Rating:
        """Return the rating for calculations."""
        return Rating(self.rating, self.deviation, self.volatility)


class Repetition(msgspec.Struct, frozen=True):
    """The repetition of a puzzle: how often in a row it was solved, and the day when it returns."""

    solved: int
    due: date


class Progress(msgspec.Struct, forbid_unknown_fields=True, rename={"standings": "ratings"}):
    """The content of the file: rated players by game and name, and repetitions of puzzles by `puzzle_key`."""

    format: Literal[1] = 1
    standings: dict[str, dict[str, RatedPlayer]] = {}
    puzzles: dict[str, Repetition] = {}

    def rated_player(self, game: str, player: str) -> RatedPlayer:
        """Return a player's rating in a game; that of a new player if they have not played it."""
        return self.standings.get(game, {}).get(replace_surrogates(player), RatedPlayer())

    def count(self, game: str, players: Sequence[str], leaders: Sequence[int]) -> None:
        """Count a game that the seats in `leaders` won or shared, as a game of every player against every other."""
        before = [self.rated_player(game, player) for player in players]
        ratings = [one.glicko() for one in before]
        table = self.standings.setdefault(game, {})
        for seat, player in enumerate(players):
            others = [other for other in range(len(players)) if other != seat]
            scores = [_score(seat in leaders, other in leaders) for other in others]
            new = update_rating(ratings[seat], list(zip([ratings[other] for other in others], scores, strict=True)))
            won, drawn = list(leaders) == [seat], seat in leaders and len(leaders) > 1
            old = before[seat]
            table[replace_surrogates(player)] = RatedPlayer(
                round(new.rating, _DECIMALS),
                round(new.deviation, _DECIMALS),
                round(new.volatility, _DECIMALS),
                old.won + won,
                old.drawn + drawn,
                old.lost + (seat not in leaders),
            )

    def note_answer(self, key: str, *, right: bool, today: date) -> None:
        """Record an answer: a solved puzzle returns later each time, a missed one on the next day."""
        solved = (self.puzzles[key].solved if key in self.puzzles else 0) + 1 if right else 0
        days = _DAYS[min(solved, len(_DAYS) - 1)] if right else _DAYS[0]
        self.puzzles[key] = Repetition(solved, today + timedelta(days))

    def is_due(self, key: str, today: date) -> bool:
        """Return whether a puzzle was never asked or its day has come."""
        return key not in self.puzzles or self.puzzles[key].due <= today


def _score(wins: bool, other_wins: bool) -> float:
    """Return a seat's score against another: 1 for a win, 0 for a loss, 0.5 if both have the same result."""
    return 0.5 if wins == other_wins else float(wins)


def puzzle_key(record: Record) -> str:
    """Return a digest of setup and moves that identifies a position."""
    document = {"setup": record.setup.to_table(), "moves": list(record.moves), "players": list(record.setup.players)}
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:16]


def progress_file() -> Path:
    """Return the path of the file."""
    return state_folder() / "progress.json"


def load_progress() -> Progress:
    """Read the file; return an empty progress if it does not exist.

    Raises:
        CatalogError: If the file is damaged, or another version wrote it.
    """
    path = progress_file()
    if not path.exists():
        return Progress()
    try:
        with path.open("rb") as file:
            document = load_json(read_text(file.read(_LIMITS.size + 1), _LIMITS), _LIMITS)
        return msgspec.convert(document, Progress)
    except OSError as error:
        raise CatalogError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (DocumentError, msgspec.ValidationError):
        raise CatalogError(f"{path} is damaged, or from another version: move it away to start again.") from None


def save_progress(progress: Progress) -> None:
    """Write the file atomically; raise CatalogError if it cannot be written."""
    path = progress_file()
    try:
        make_folder(path.parent, private=True)
        write_atomically(path, json.dumps(msgspec.to_builtins(progress), ensure_ascii=True, indent=1) + "\n")
    except OSError as error:
        raise CatalogError(f"Ratings cannot be saved in {path}: {error.strerror or error}.") from None


@contextmanager
def changed_progress() -> Iterator[Progress]:
    """Load the progress, hold its lock during the block, and save it afterwards.

    Raises:
        CatalogError: If the file cannot be read or written.
    """
    path = progress_file()
    with ExitStack() as stack:
        try:
            make_folder(path.parent, private=True)
            stack.enter_context(lock_beside(path))
        except OSError as error:
            raise CatalogError(f"Ratings cannot be saved in {path}: {error.strerror or error}.") from None
        progress = load_progress()
        yield progress
        save_progress(progress)


def count_game(session: Session) -> dict[str, tuple[Rating, Rating]]:
    """Count a finished game, and return each person's rating before and after it.

    A game in which a person used a hint, the coach or undo does not count.

    Raises:
        CatalogError: If the file of ratings cannot be read or written.
    """
    outcome, players, game = session.state.outcome(), session.state.players, session.setup.game
    if session.is_helped or not session.moves:
        return {}
    if outcome is not None:
        leaders: tuple[int, ...] = outcome.leaders
    elif session.resigned is not None:
        leaders = tuple(seat for seat, player in enumerate(players) if player != session.resigned)
    else:
        return {}
    names = [str(session.computers[seat]) if seat in session.computers else name for seat, name in enumerate(players)]
    if len(set(names)) < len(names):  # two seats have the same computer player
        return {}
    with changed_progress() as progress:
        before = [progress.rated_player(game, name).glicko() for name in names]
        progress.count(game, names, leaders)
    people = [seat for seat in range(len(players)) if seat not in session.computers]
    return {names[seat]: (before[seat], progress.rated_player(game, names[seat]).glicko()) for seat in people}


def standings() -> ProgressReport:
    """Return what `progress --json` prints.

    Raises:
        CatalogError: If the file of ratings cannot be read.
    """
    progress, today = load_progress(), date.today()
    ratings = {
        game: [
            NamedPlayer(name=player, **msgspec.structs.asdict(one))
            for player, one in sorted(table.items(), key=lambda item: (-item[1].rating, item[0]))
        ]
        for game, table in progress.standings.items()
    }
    due = sum(one.due <= today for one in progress.puzzles.values())
    return ProgressReport(ratings=ratings, puzzles=len(progress.puzzles), due=due)
