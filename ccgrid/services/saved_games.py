"""What is saved between two evenings: games in progress, also those on phones, ratings, and which puzzles were missed.

All of it lies in the state folder, and goes nowhere else.
"""

import hashlib
import json
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.documents import DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import lock_beside, make_folder, remove, rename, write_atomically
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.insight.glicko import Rating, update_rating
from ccgrid.engine.records.files import read_games
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import Record
from ccgrid.services.session import MatchSession, Session
from ccgrid.services.state_folder import state_folder
from ccgrid.services.tables import Dealer, computer_seats, is_refereed, reopen

LAST: Final = "last"
"""Stands for the game that was left last, where a record is to be loaded."""

_NAME: Final = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-[a-z0-9_]+-[0-9a-f]{4}\.jsonl")
"""What the files of games are called: when they began, which game, and four digits that tell them apart."""
_FORMAT: Final = 1
_LIMITS: Final = Limits(4 << 20, any_characters=True)
_MOST_FINISHED: Final = 100
"""So many games that are over are kept, the newest ones."""


def games_folder() -> Path:
    """Where games in progress are kept."""
    return state_folder() / "games"


@dataclass(slots=True)
class SavedGame:
    """The file in which one game, or the games of a match, are kept while they are played.

    Attributes:
        path: the games, a line each, as records hold them.
        failed: is told once, in words, where they cannot be kept; the game goes on.
        record: the file in which people wanted the games of a match.
    """

    path: Path
    failed: Callable[[str], object] = field(repr=False)
    record: Path | None = None
    _complained: bool = False

    @classmethod
    def begin(cls, game: str, failed: Callable[[str], object]) -> "SavedGame":
        """A file that no other game has; it is there after the first move."""
        name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}-{secrets.token_hex(2)}.jsonl"
        return cls(games_folder() / name, failed)

    def keep(self, session: Session) -> None:
        """Writes the game as it is now, whole; one in which nobody has moved is kept with real cards alone."""
        record = session.record()
        if session.moves or session.resigned or is_refereed(record):
            self._write(self.path, record.to_json_line() + "\n")
        else:
            self._do(lambda: remove(self.path))

    def keep_match(self, match: MatchSession) -> None:
        """Writes the games of a match as they are now."""
        self._do(lambda: match.write(self.path))

    def keep_plan(self, match: MatchSession, dealer: Dealer, record: Path | None) -> None:
        """Writes down how a match is played, so that its next games can be dealt."""
        self.record = record
        plan = {
            "format": _FORMAT,
            "game": match.match.game,
            "players": match.match.players,
            "length": match.match.length,
            "adds_points": match.match.adds_points,
            "same_deal": match.match.same_deal,
            "seed": dealer.seed,
            "options": dealer.options,
            "decks": [[asdict(card) for card in deck] for deck in dealer.decks],
            "record": None if record is None else str(record.absolute()),
        }
        self._write(self._plan, json.dumps(plan, ensure_ascii=True))

    def finish(self, *, saved: bool) -> None:
        """Takes a game that is over from those that go on; it stays among the finished ones if it is nowhere else."""

        def move() -> None:
            remove(self._plan)
            if saved:
                remove(self.path)
            elif self.path.exists():
                finished = self.path.parent / "finished"
                make_folder(finished)
                rename(self.path, finished / self.path.name)
                remove(*sorted(_files_in(finished))[:-_MOST_FINISHED])

        self._do(move)

    def leave(self) -> None:
        """Drops the plan of a match in which nobody has moved."""
        if not self.path.exists():
            self._do(lambda: remove(self._plan))

    @property
    def is_there(self) -> bool:
        """Whether there is anything to go on with."""
        return self.path.exists()

    @property
    def _plan(self) -> Path:
        return self.path.with_suffix(".match.json")

    def _write(self, path: Path, text: str) -> None:
        def write() -> None:
            make_folder(path.parent, private=True)
            write_atomically(path, text)

        self._do(write)

    def _do(self, work: Callable[[], object]) -> None:
        """Does something with the files; a disk that does not allow it costs nobody their game."""
        try:
            work()
        except OSError as error:
            if not self._complained:
                self._complained = True
                self.failed(f"The game cannot be saved in {self.path.parent}: {error.strerror or error}.")


def _files_in(folder: Path) -> list[Path]:
    """The files of games in a folder of ours; what somebody else put there is none, whatever is in it."""
    return [path for path in folder.glob("*.jsonl") if _NAME.fullmatch(path.name) and not path.is_symlink()]


def left_games(failed: Callable[[str], object] = str) -> list[SavedGame]:
    """The games that can be gone on with, the one that was left last at the end."""
    try:
        found = sorted(_files_in(games_folder()), key=lambda path: (path.stat().st_mtime_ns, path.name))
    except OSError:
        return []
    return [SavedGame(path, failed) for path in found]


def last_saved(failed: Callable[[str], object]) -> SavedGame | None:
    """The game that was left last; None where none is kept."""
    found = left_games(failed)
    return found[-1] if found else None


def saved_with_record(record: Path, failed: Callable[[str], object]) -> SavedGame | None:
    """The match whose games are also in this file, if it is kept."""
    for plan in sorted(games_folder().glob("*.match.json"), reverse=True):
        saved = SavedGame(plan.with_name(plan.name.replace(".match.json", ".jsonl")), failed)
        try:
            if saved.is_there and _read_plan(saved).get("record") == str(record.absolute()):
                return saved
        except CatalogError:
            continue
    return None


@dataclass(frozen=True, slots=True)
class GameInProgress:
    """A game, or a match, that goes on."""

    play: Session | MatchSession
    saved: SavedGame


def records_of(saved: SavedGame) -> list[Record]:
    """The games in the file, the last one perhaps unfinished; CatalogError where it is damaged."""
    try:
        found = [reading.require() for reading in read_games(saved.path)]
    except EngineError as error:
        raise CatalogError(f"{saved.path} cannot be continued: {error}") from None
    return found


def description(saved: SavedGame) -> str:
    """What is kept, in a few words: which game, who plays, how far it is."""
    records = records_of(saved)
    last = records[-1]
    moves = f"{len(last.moves)} move{'' if len(last.moves) == 1 else 's'}"
    what = f"match of {last.setup.game}" if saved._plan.exists() else f"game of {last.setup.game}"
    when = f"{datetime.fromtimestamp(saved.path.stat().st_mtime):%Y-%m-%d %H:%M}"
    number = f"game {len(records)}, " if saved._plan.exists() else ""
    return f"{what}, {', '.join(last.setup.players)}: {number}{moves}, left {when}"


def resume(saved: SavedGame, seed: int) -> GameInProgress:
    """The game or the match as it was left; raises CatalogError where its file is damaged."""
    records = records_of(saved)
    if not saved._plan.exists():
        session = reopen(records[-1], seed)
        session.on_change = saved.keep
        return GameInProgress(session, saved)
    plan = _read_plan(saved)
    try:
        plays = plan["game"], tuple(plan["players"]), int(plan["length"])
        make = Match.by_points if plan["adds_points"] else Match.best_of
        match = make(*plays, same_deal=bool(plan.get("same_deal", False)))
        finished = [record for record in records if record.final().outcome() is not None]
        match = match.add_all(finished)
        decks = [[_card(card) for card in deck] for deck in plan["decks"]]
        own, dealt_from = int(plan["seed"]), computer_seats(match.players)
        dealer = Dealer(match.game, match.players, decks, plan["options"], dealt_from, own, Dice(own))
        unfinished = records[len(finished) :]
        session = reopen(unfinished[-1], seed) if unfinished else dealer.deal(match)
    except (KeyError, TypeError, ValueError, EngineError) as error:
        raise CatalogError(f"{saved.path} cannot be continued: {error}") from None
    saved.record = Path(plan["record"]) if plan.get("record") else None
    return GameInProgress(MatchSession(match, session, dealer.deal), saved)


def _read_plan(saved: SavedGame) -> Mapping[str, Any]:
    try:
        with saved._plan.open("rb") as file:
            plan = load_json(read_text(file.read(_LIMITS.size + 1), _LIMITS), _LIMITS)
    except DocumentError as error:
        raise CatalogError(f"{saved._plan} cannot be continued: it {error}.") from None
    except OSError as error:
        raise CatalogError(f"{saved._plan} cannot be continued: {error.strerror or error}.") from None
    if not isinstance(plan, dict) or plan.get("format") != _FORMAT:
        raise CatalogError(f"{saved._plan} cannot be continued: another version of ccgrid wrote it.")
    return plan


def _card(fields: Mapping[str, Any]) -> Card:
    return Card(**{**fields, "face": tuple(fields["face"])})


def forget_same_game(record: Record) -> None:
    """Drops the kept games that this finished one is the end of: it was gone on with from another file."""
    for path in _single_games():
        try:
            found = [reading.require() for reading in read_games(path)]
        except EngineError:
            continue
        if found and found[-1].setup == record.setup and record.moves[: len(found[-1].moves)] == found[-1].moves:
            remove(path)


def _single_games() -> Sequence[Path]:
    return [path for path in _files_in(games_folder()) if not path.with_suffix(".match.json").exists()]


_PROGRESS_FORMAT: Final = 1

_DAYS: Final = (1, 3, 7, 21, 60, 180)
"""A puzzle that was solved so often in a row comes again after so many days (Leitner's boxes)."""

_DECIMALS: Final = 4


class NamedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player with their rating in a game."""

    name: str
    rating: float
    deviation: float
    volatility: float
    won: int
    drawn: int
    lost: int


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The players of each game, the best rated first, and the numbers of remembered puzzles and of those due today."""

    ratings: dict[str, list[NamedPlayer]]
    puzzles: int
    due: int


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """How a player stands in one game: the rating, and how many games were won, drawn and lost."""

    rating: Rating = field(default_factory=Rating)
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def to_document(self) -> dict[str, Any]:
        """Return the rating as the file stores it."""
        return {
            "rating": round(self.rating.rating, _DECIMALS),
            "deviation": round(self.rating.deviation, _DECIMALS),
            "volatility": round(self.rating.volatility, _DECIMALS),
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
        }


@dataclass(frozen=True, slots=True)
class Repetition:
    """When a puzzle comes again: how often in a row it was solved, and from which day on."""

    solved: int
    due: date


@dataclass(slots=True)
class Progress:
    """All that is remembered: standings by game and player's name, and puzzles by `puzzle_key`."""

    standings: dict[str, dict[str, RatedPlayer]] = field(default_factory=dict)
    puzzles: dict[str, Repetition] = field(default_factory=dict)

    def rated_player(self, game: str, player: str) -> RatedPlayer:
        """How a player stands in a game, who need not have played it."""
        return self.standings.get(game, {}).get(player, RatedPlayer())

    def count(self, game: str, players: Sequence[str], leaders: Sequence[int]) -> None:
        """Counts a game that these seats won, or shared: everybody against everybody."""
        before = [self.rated_player(game, player) for player in players]
        table = self.standings.setdefault(game, {})
        for seat, player in enumerate(players):
            others = [other for other in range(len(players)) if other != seat]
            scores = [_score(seat in leaders, other in leaders) for other in others]
            new = update_rating(
                before[seat].rating, list(zip([before[other].rating for other in others], scores, strict=True))
            )
            won, drawn = list(leaders) == [seat], seat in leaders and len(leaders) > 1
            old = before[seat]
            table[player] = RatedPlayer(new, old.won + won, old.drawn + drawn, old.lost + (seat not in leaders))

    def note_answer(self, key: str, *, right: bool, today: date) -> None:
        """Remembers whether a puzzle was solved: one that was comes again later and later, else tomorrow."""
        solved = (self.puzzles[key].solved if key in self.puzzles else 0) + 1 if right else 0
        days = _DAYS[min(solved, len(_DAYS) - 1)] if right else _DAYS[0]
        self.puzzles[key] = Repetition(solved, today + timedelta(days))

    def is_due(self, key: str, today: date) -> bool:
        """Whether a puzzle may be asked: it never was, or its day has come."""
        return key not in self.puzzles or self.puzzles[key].due <= today

    def to_document(self) -> dict[str, Any]:
        """Return the document in the file."""
        return {
            "format": _PROGRESS_FORMAT,
            "ratings": {
                game: {player: one.to_document() for player, one in table.items()}
                for game, table in self.standings.items()
            },
            "puzzles": {key: {"solved": one.solved, "due": str(one.due)} for key, one in self.puzzles.items()},
        }


def _score(wins: bool, other_wins: bool) -> float:
    """What a seat has of a game against another: won, lost, or even."""
    return 0.5 if wins == other_wins else float(wins)


def puzzle_key(record: Record) -> str:
    """What tells the position of a puzzle from all others: a digest of setup and moves."""
    document = {"setup": record.setup.to_table(), "moves": list(record.moves), "players": list(record.setup.players)}
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:16]


def progress_file() -> Path:
    """Where it is kept."""
    return state_folder() / "progress.json"


def load_progress() -> Progress:
    """What is remembered; nothing where nobody has played.

    Raises:
        CatalogError: the file is damaged, or another version wrote it; says what to do.
    """
    path = progress_file()
    if not path.exists():
        return Progress()
    try:
        with path.open("rb") as file:
            return _read(load_json(read_text(file.read(_LIMITS.size + 1), _LIMITS), _LIMITS))
    except OSError as error:
        raise CatalogError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (DocumentError, KeyError, TypeError, ValueError, AttributeError):
        raise CatalogError(f"{path} is damaged, or from another version: move it away to start again.") from None


def _read(document: Any) -> Progress:
    if document["format"] != _PROGRESS_FORMAT:
        raise ValueError
    standings = {}
    for game, table in document["ratings"].items():
        standings[game] = {player: _read_player(one) for player, one in table.items()}
    puzzles = {
        key: Repetition(int(one["solved"]), date.fromisoformat(one["due"])) for key, one in document["puzzles"].items()
    }
    return Progress(standings, puzzles)


def _read_player(one: Any) -> RatedPlayer:
    rating = Rating(float(one["rating"]), float(one["deviation"]), float(one["volatility"]))
    if not (abs(rating.rating) < 10_000 and 0 < rating.deviation <= 350 and 0 < rating.volatility < 10):
        raise ValueError
    return RatedPlayer(rating, int(one["won"]), int(one["drawn"]), int(one["lost"]))


def save_progress(progress: Progress) -> None:
    """Writes it down, whole or not at all; raises CatalogError where that cannot be done."""
    path = progress_file()
    try:
        make_folder(path.parent, private=True)
        write_atomically(path, json.dumps(progress.to_document(), ensure_ascii=True, indent=1) + "\n")
    except OSError as error:
        raise CatalogError(f"Ratings cannot be saved in {path}: {error.strerror or error}.") from None


@contextmanager
def changed_progress() -> Iterator[Progress]:
    """Load what is remembered, and save it as the block leaves it; other processes wait meanwhile.

    Raises:
        CatalogError: It cannot be read or written.
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
    """Counts a game that is over, and gives each person's rating before and after it.

    Nothing is counted of a game in which somebody was helped: by a hint, the coach, or a move taken back.

    Raises:
        CatalogError: what is remembered cannot be read or written.
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
    if len(set(names)) < len(names):  # two seats of one computer player
        return {}
    with changed_progress() as progress:
        before = [progress.rated_player(game, name).rating for name in names]
        progress.count(game, names, leaders)
    people = [seat for seat in range(len(players)) if seat not in session.computers]
    return {names[seat]: (before[seat], progress.rated_player(game, names[seat]).rating) for seat in people}


def standings() -> Standings:
    """Return what `progress --json` prints.

    Raises:
        CatalogError: If the file of ratings cannot be read.
    """
    progress, today = load_progress(), date.today()
    ratings = {
        game: [
            NamedPlayer(name=player, **one.to_document())
            for player, one in sorted(table.items(), key=lambda item: (-item[1].rating.rating, item[0]))
        ]
        for game, table in progress.standings.items()
    }
    due = sum(one.due <= today for one in progress.puzzles.values())
    return Standings(ratings=ratings, puzzles=len(progress.puzzles), due=due)


TABLE_FORMAT: Final = 1
MOST_GAMES: Final = 20
"""So many games of a table that are over are kept, the newest ones."""


@dataclass(slots=True)
class TableFile(ABC):
    """A table by its number, and the file that holds it.

    Attributes:
        number: what people call it.
        path: the file.
        games: the games before the one that is played, which are over.
        remarks: what was said of its cards.
        version: counts the changes that anybody sees, from when the program was started.
        on_change: is called after every change.
        failed: why it could not be written.
        where: the word with which the address of its page begins.
    """

    where: ClassVar[str] = "table"

    number: int
    path: Path
    games: list[Record] = field(default_factory=list, kw_only=True)
    remarks: tuple[str, ...] = field(default=(), kw_only=True)
    version: int = field(default=0, kw_only=True)
    on_change: Callable[[], object] | None = field(default=None, kw_only=True)
    failed: str = field(default="", kw_only=True)

    @property
    @abstractmethod
    def game(self) -> str:
        """The name of the game."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""

    @property
    @abstractmethod
    def playing(self) -> Session | None:
        """The game that is played, or was played last; None before its cards lie on the table."""

    @property
    @abstractmethod
    def turn(self) -> str:
        """What is to be done next, in a word: what was meant for another turn is refused."""

    @abstractmethod
    def _document(self) -> dict[str, Any]:
        """What the file holds besides what all have."""

    @property
    def is_over(self) -> bool:
        """Whether nobody moves any more."""
        return self.playing is not None and self.playing.is_over

    @property
    def finished(self) -> list[Record]:
        """The games that are over, the first one first."""
        return [*self.games, *([self.playing.record()] if self.playing is not None and self.is_over else [])]

    def keep(self) -> None:
        """Writes the table, whole; a disk that does not allow it costs nobody their game, and `failed` says so."""
        document = {
            "format": TABLE_FORMAT,
            "number": self.number,
            "remarks": list(self.remarks),
            "games": [record.to_document() for record in self.games],
            **self._document(),
        }
        try:
            make_folder(self.path.parent, private=True)
            write_atomically(self.path, json.dumps(document, default=str))  # days are texts
            self.failed = ""
        except OSError as error:
            self.failed = f"The game cannot be saved in {self.path.parent}: {error.strerror or error}."

    def _note(self) -> None:
        """Keeps the table as it is now, and lets everybody know."""
        self.version += 1
        self.keep()
        if self.on_change is not None:
            self.on_change()
