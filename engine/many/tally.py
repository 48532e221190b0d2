"""What is counted over many games between computer players, how scripts see it, and counts in files to go on from."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, Generic, Literal, NotRequired, Protocol, Self, TypedDict, TypeVar

import msgspec

from ccgrid.catalog.files import check_target, copy_new, open_own, rename, write_whole
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.errors import EngineError, harmless, quoted
from ccgrid.engine.game import Outcome
from ccgrid.engine.many.runner import Result, Runner, Task
from ccgrid.engine.records.match import Match

Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A sum of points, or anything else that may be less than 0."""

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""How often something happened, or a sum of squares."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """What is played: a game between computer players, one policy for each seat, with decks from a source.

    `options` are the game's variants.
    """

    game: str
    policies: tuple[str, ...]
    decks: DeckSource
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order: the policy and the number of the seat."""
        return tuple(f"{policy}-{seat + 1}" for seat, policy in enumerate(self.policies))


@dataclass(slots=True)
class Tally:
    """What was counted over some games; in lists, one entry for each seat. Tallies add up, in whatever order."""

    seats: int
    games: Count = 0
    moves: Count = 0
    draws: Count = 0
    first_player_wins: Count = 0
    wins: list[Count] = field(default_factory=list)
    shared: list[Count] = field(default_factory=list)
    points: list[Whole] = field(default_factory=list)

    def __post_init__(self) -> None:
        for counts in (self.wins, self.shared, self.points):
            counts.extend([0] * (self.seats - len(counts)))

    def count(self, outcome: Outcome, first: int, moves: int) -> None:
        """Adds a game that the seat `first` started."""
        self.games += 1
        self.moves += moves
        for seat, score in enumerate(outcome.scores):
            self.points[seat] += score
        if outcome.winner is None:
            self.draws += 1
            for seat in outcome.leaders:
                self.shared[seat] += 1
        else:
            self.wins[outcome.winner] += 1
            self.first_player_wins += outcome.winner == first

    # In place: whoever adds up a million games makes no new lists.
    def add(self, other: "Tally") -> None:
        """Adds the games of another tally."""
        self.games += other.games
        self.moves += other.moves
        self.draws += other.draws
        self.first_player_wins += other.first_player_wins
        for mine, theirs in ((self.wins, other.wins), (self.shared, other.shared), (self.points, other.points)):
            mine[:] = [a + b for a, b in zip(mine, theirs, strict=True)]

    def adds_up(self, games: int) -> bool:
        """Whether these can be the counts of `games` games: each is won by one seat, or drawn between two at least."""
        won = sum(self.wins)
        return (
            games == self.games == won + self.draws
            and self.first_player_wins <= won
            and max(self.shared, default=0) <= self.draws
            # Each draw is shared by two seats at least.
            and 2 * self.draws <= sum(self.shared)
        )


class MatchPlayerJson(TypedDict):
    """What a player came to; its draws are those in which it shared the lead."""

    name: str
    wins: int
    draws: int
    mean_score: float


class SimulatedPlayerJson(MatchPlayerJson):
    """The same with the policy that it played by."""

    policy: str


class SimulatedMatchesJson(TypedDict):
    """What was counted over matches, each of `length` games, null for whole matches."""

    matches: int
    length: int | None
    counts: str
    same_deal: bool
    players: list[MatchPlayerJson]
    draws: int


class SimulationJson(TypedDict):
    """The outcome of many games; the rate leaves out start-up and compilation.

    Attributes:
        match: what was counted over the matches, where games are parts of some.
        interrupted: there where it ended before all games were played.
    """

    game: str
    games: int
    seed: int
    players: list[SimulatedPlayerJson]
    first_player_wins: int
    draws: int
    mean_moves: float
    games_per_second: float
    match: NotRequired[SimulatedMatchesJson]
    interrupted: NotRequired[Literal[True]]


@dataclass(frozen=True, slots=True)
class SimulationSummary:
    """The outcome of many games, or matches: what was played, what was counted, and in how many seconds on the clock.

    `plan` is what a match is, and `matches` what was counted over the matches; both `None` where games stand alone.
    `is_interrupted` where somebody ended it before all were played.
    """

    match: Lineup
    tally: Tally
    seconds: float
    plan: Match | None = None
    matches: Tally | None = None
    is_interrupted: bool = False

    def to_dict(self) -> SimulationJson:
        """The summary as scripts see it: `simulate --json`. A player's draws are those in which it shared the lead."""
        tally = self.tally
        games = max(tally.games, 1)
        players: list[SimulatedPlayerJson] = [
            {**player, "policy": policy}
            for player, policy in zip(self._players(tally), self.match.policies, strict=True)
        ]
        summary: SimulationJson = {
            "game": self.match.game,
            "games": tally.games,
            "seed": self.match.seed,
            "players": players,
            "first_player_wins": tally.first_player_wins,
            "draws": tally.draws,
            "mean_moves": tally.moves / games,
            "games_per_second": tally.games / self.seconds if self.seconds else 0.0,
        }
        if self.plan is not None and self.matches is not None:
            summary["match"] = self._match(self.plan, self.matches)
        if self.is_interrupted:
            summary["interrupted"] = True
        return summary

    def _match(self, plan: Match, tally: Tally) -> SimulatedMatchesJson:
        return {
            "matches": tally.games,
            "length": plan.length,
            "counts": plan.next_game.counts,
            "same_deal": plan.same_deal,
            "players": self._players(tally),
            "draws": tally.draws,
        }

    def _players(self, tally: Tally) -> list[MatchPlayerJson]:
        return [
            {
                "name": name,
                "wins": tally.wins[seat],
                "draws": tally.shared[seat],
                "mean_score": tally.points[seat] / max(tally.games, 1),
            }
            for seat, name in enumerate(self.match.players)
        ]


CountsT = TypeVar("CountsT")

_FORMAT: Final[Literal[1]] = 1
_EVERY: Final = 2.0
"""Seconds between two times that the file is written."""
_LARGEST: Final = 256 << 20
"""In bytes: no more of a file is read."""


class _File(msgspec.Struct):
    """The file's content."""

    ccgrid: Literal[1]
    work: dict[str, Any]
    done: Count
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    counts: msgspec.Raw

    def __post_init__(self) -> None:
        msgspec.convert(self.seed, Count | None)  # of what is in `work`, this alone is used and not only compared

    @property
    def seed(self) -> Any:
        return self.work.get("seed")


class SavedCounts(Generic[CountsT]):
    """The file that holds what was counted over the first numbers of some work.

    `work` says in words and numbers what the work is; of what is long, such as decks, `digest` is enough. A file of
    other work is refused.
    """

    def __init__(self, path: Path | None, work: Mapping[str, Any], kind: type[CountsT]) -> None:
        self.path = path
        self._work = msgspec.to_builtins(work)
        self._kind = kind
        self._written = time.monotonic()

    def load(self, empty: CountsT, adds_up: Callable[[CountsT, int], bool]) -> tuple[int, float, CountsT] | None:
        """How many numbers are done, in how many seconds, and what was counted; nothing where there is no file yet.

        Args:
            empty: the counts of nothing; the file's have as many entries.
            adds_up: whether counts can come from a number of games.

        Raises:
            EngineError: the file is of other work, or damaged, or its counts contradict each other, or it is no such
                file at all.
        """
        if self.path is None or not self.path.exists():
            return None
        file = _read(self.path)
        # Keys of both: neither may say something that the other does not.
        for key in [*self._work, *file.work]:
            if file.work.get(key) != self._work.get(key):
                raise EngineError(f"{self._name} is of other games: {self._difference(key, file.work)}")
        try:
            document = msgspec.json.decode(file.counts)
            # The types alone would accept lists of any length.
            # The empty counts as a document: the lists have as many entries as there are seats.
            if _same_shape(document, msgspec.json.decode(msgspec.json.encode(empty))):
                counts = msgspec.json.decode(file.counts, type=self._kind)
                if adds_up(counts, file.done):
                    return file.done, file.seconds, counts
        except (msgspec.DecodeError, ValueError):
            pass
        raise EngineError(f"{self._name} is damaged: its counts do not add up. Delete it to start again")

    def save(self, done: int, seconds: float, counts: CountsT, *, now: bool = False) -> None:
        """Writes the file whole, if a while has passed since it was written, or `now`; raises OSError."""
        if self.path is None or not (now or time.monotonic() - self._written >= _EVERY):
            return
        file = _File(_FORMAT, self._work, done, seconds, msgspec.Raw(msgspec.json.encode(counts)))
        write_whole(self.path, msgspec.json.encode(file) + b"\n")
        self._written = time.monotonic()

    @property
    def _name(self) -> str:
        return harmless(self.path)

    def _difference(self, key: str, work: Mapping[str, Any]) -> str:
        there, here = work.get(key), self._work.get(key)
        if isinstance(there, str) and isinstance(here, str) and len(there) == len(here) == _DIGEST_LENGTH:
            return f"the {key} are not the same"
        if there is None or here is None:
            return f"{key} is said {'here' if there is None else 'there'} alone"
        return f"there {key} is {quoted(there)}, and here {quoted(here)}"


def _same_shape(found: Any, empty: Any) -> bool:
    """Whether counts may be some of those that begin with these: as many in every list, and what is not 0 the same."""
    if isinstance(empty, dict):
        return isinstance(found, dict) and all(
            key in found and _same_shape(found[key], one) for key, one in empty.items()
        )
    if isinstance(empty, list):
        return isinstance(found, list) and len(found) == len(empty) and all(map(_same_shape, found, empty))
    # A number that is not 0 at the beginning (how many seats there are) must be the same.
    return bool(found == empty or not empty)


def saved_seed(path: Path | None) -> int | None:
    """The seed of the work in a file, for whoever goes on with it and says none; nothing where there is no file yet.

    Raises:
        EngineError: it is no such file.
    """
    return _read(path).seed if path is not None and path.exists() else None


def _read(path: Path) -> _File:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST), type=_File)
    # Deep brackets end in a RecursionError.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise EngineError(f"{harmless(path)} has no games to continue: name another file, or a new one") from None


def check_enough(path: Path | None, done: int, wanted: int, what: str) -> None:
    """Refuses to go on with work of which more is done than is wanted; raises EngineError."""
    if done > wanted:
        raise EngineError(f"{harmless(path)} holds {done:,} {what} already: ask for at least as many")


_DIGEST_LENGTH: Final = 32


def digest(value: object) -> str:
    """A short text that is the same for equal values: of texts, numbers, sequences, mappings and dataclasses of these.

    Raises:
        EngineError: there is something in it that has no such text.

    >>> digest([1, "a"]) == digest((1, "a")), digest([1, "a"]) == digest([1, "b"])
    (True, False)
    """
    seen = hashlib.sha256()
    for part in _parts(value):
        # Names from files may hold lone surrogates, which UTF-8 alone would refuse.
        seen.update(part.encode("utf-8", "surrogatepass"))
        # A mark between the parts: "ab", "c" is not "a", "bc".
        seen.update(b"\0")
    return seen.hexdigest()[:_DIGEST_LENGTH]


def _parts(value: object) -> Iterable[str]:
    if value is None or isinstance(value, str | int | float | bool):
        return (repr(value),)
    if is_dataclass(value) and not isinstance(value, type):
        # Fields that do not count in a comparison do not count here.
        inner = (_parts(getattr(value, one.name)) for one in fields(value) if one.compare)
        return chain((type(value).__name__, "("), chain.from_iterable(inner), (")",))
    if isinstance(value, Mapping):
        # In the order of the keys, however the mapping was made.
        items = sorted(value.items())
        return chain(("{",), chain.from_iterable(_parts(one) for item in items for one in item), ("}",))
    if isinstance(value, Sequence):
        return chain(("[",), chain.from_iterable(map(_parts, value)), ("]",))
    raise EngineError(f"what is played with {type(value).__name__} cannot be continued later")


_CHUNK: Final = 1 << 20


def refuse(path: Path) -> None:
    """The check of whoever writes over nothing; raises EngineError."""
    raise EngineError(f"{harmless(path)} exists already: name another file, or write over it with --force")


class SavedRecords:
    """The records of games whose counts are kept, too: `NAME.part` until all are played, and then the file itself.

    A file of either name that is there, and is not of the games that are counted, is given to `check`, which raises
    `CatalogError` or `EngineError` where it may not be written over.
    """

    def __init__(self, path: Path, check: Callable[[Path], object] = refuse) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.part")
        self._check = check
        self._file: BinaryIO | None = None
        self._before: os.stat_result | None = None

    def begin(self, written: int | None, games: int = 0) -> None:
        """Opens the file, of which `written` bytes are records of games that are counted, and cuts off the rest.

        These are `games` records. Without counts `written` is None: no file is of these games then.

        Raises:
            EngineError: the bytes are not that many records, or the file was not begun by these games.
            OSError: it cannot be written.
        """
        check_target(self.path)
        self._before = self.path.stat() if self.path.exists() else None
        if written and not os.path.lexists(self._part) and _holds(self.path, written, games, whole=True):
            copy_new(self.path, self._part)  # more games than were asked for before
        is_there = os.path.lexists(self._part)
        # A new work, and a file that some other one left.
        if written is None and is_there:
            self._check(self._part)
        elif written is not None and (written or is_there) and not _holds(self._part, written, games):
            raise EngineError(
                f"{harmless(self._part)}, which holds the records of the games so far, is gone or damaged: start "
                f"again with another file to resume from"
            )
        if self._before is not None and not (written and _begins(self.path, self._part)):
            self._check(self.path)
        self._file = open_own(self._part)
        # What was written after the counts is cut off: those games are played again.
        self._file.truncate(written or 0)
        self._file.seek(written or 0)

    def write(self, lines: Iterable[str]) -> int:
        """Writes records down, each a line with its end; gives how many bytes they take."""
        text = "".join(lines).encode("utf-8", "surrogatepass")
        rest = memoryview(text)
        while rest and self._file is not None:
            rest = rest[self._file.write(rest) :]  # unbuffered: the counts are written after them
        return len(text)

    def finish(self) -> None:
        """All games are played: the file takes its name.

        Raises:
            EngineError: a file was put there meanwhile.
        """
        if self._file is not None:
            # On the disk before it has its name.
            os.fsync(self._file.fileno())
            self.close()
            if self.path.exists() and (self._before is None or not os.path.samestat(self._before, self.path.stat())):
                raise EngineError(f"{harmless(self.path)} was made meanwhile; the records are in {self._part.name}")
            rename(self._part, self.path)

    def close(self) -> None:
        """Leaves the file where it is, for games that follow."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _holds(path: Path, written: int, games: int, *, whole: bool = False) -> bool:
    """Whether a file's first `written` bytes are `games` lines; with `whole`, there is nothing else."""
    if path.is_symlink() or not path.is_file():
        return False
    size = path.stat().st_size
    if size < written or (whole and size > written):
        return False
    lines, last = 0, b"\n"
    with path.open("rb") as file:
        if not written:
            # Nothing is counted yet: an empty file will do, and one that begins as records do.
            return file.read(1) in (b"", b"{")
        while written and (piece := file.read(min(written, _CHUNK))):
            lines, last, written = lines + piece.count(b"\n"), piece[-1:], written - len(piece)
    # The last byte ends a line, and there are as many lines as games.
    return lines == games and last == b"\n"


def _begins(path: Path, longer: Path) -> bool:
    """Whether a file is the beginning of another."""
    with path.open("rb") as file, longer.open("rb") as other:
        while data := file.read(_CHUNK):
            if data != other.read(len(data)):
                return False
    return True


class Addable(Protocol):
    """Counts that others of their kind are added to."""

    def add(self, other: Self) -> None:
        """Adds the counts of other games."""

    def adds_up(self, done: int) -> bool:
        """Whether these can be the counts of `done` games, matches or deals, all that there are."""


Counts = TypeVar("Counts", bound=Addable)


@dataclass(frozen=True, slots=True)
class CountResult(Generic[Counts]):
    """What was counted, in how many seconds on the clock, and whether somebody ended it before all was played."""

    counts: Counts
    seconds: float
    is_interrupted: bool


def count_all(
    work: Task[Result],
    wanted: int,
    empty: Counts,
    take: Callable[[Result], Counts],
    *,
    saved: SavedCounts[Counts],
    runner: Runner | None = None,
    progress: Callable[[int], object] | None = None,
    what: str = "games",
) -> CountResult[Counts]:
    """Plays the numbers from 1 to `wanted`, but for those whose counts are kept already, and adds all up.

    An interrupt from the keyboard ends it with what was played, unless that is nothing.

    Args:
        work: what is played.
        wanted: how many numbers.
        empty: the counts of nothing, to which is added.
        take: the counts of what came of a portion.
        saved: the file that keeps them.
        runner: where they are played.
        progress: called now and then with how many more are done.
        what: the numbers in a word, for messages.

    Raises:
        EngineError: the file is of other games, or of more; and whatever playing raises.
    """
    done, before, counts = saved.load(empty, type(empty).adds_up) or (0, 0.0, empty)
    check_enough(saved.path, done, wanted, what)
    saved.save(done, before, counts, now=True)  # whether it can be written shows before anything is played
    if progress and done:
        progress(done)
    start, is_interrupted = time.perf_counter(), False
    try:
        for numbers, result, _ in (runner or Runner()).run(work, range(done + 1, wanted + 1)):
            counts.add(take(result))
            done += len(numbers)
            if progress:
                progress(len(numbers))
            saved.save(done, before + time.perf_counter() - start, counts)
    except KeyboardInterrupt:
        if not done:
            raise
        is_interrupted = True
    seconds = before + time.perf_counter() - start
    saved.save(done, seconds, counts, now=True)
    return CountResult(counts, seconds, is_interrupted)
