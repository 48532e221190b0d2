"""Counts over many games between computer players, their JSON form, and files from which counting resumes."""

import hashlib
import os
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import chain
from operator import add
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, Literal, Protocol, Self, TypeVar

import msgspec

from ccgrid.catalog.files import check_target, copy_new, open_growing_file, rename, write_atomically
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, harmless, quoted
from ccgrid.engine.game import Outcome, Setup
from ccgrid.engine.games import find_game
from ccgrid.engine.many.runner import Result, Runner, Task
from ccgrid.engine.players import Player, policy_name
from ccgrid.engine.records.match import Match


@dataclass(frozen=True, slots=True)
class Lineup:
    """A game between computer players: one policy for each seat, and a source of decks.

    A policy is the name of a player, or a player itself, which several processes may copy. `options` are the game's
    options.
    """

    game: str
    policies: tuple[str | Player, ...]
    decks: DeckSource
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order: the policy and the number of the seat."""
        return tuple(f"{name}-{seat + 1}" for seat, name in enumerate(self.policy_names))

    @property
    def policy_names(self) -> tuple[str, ...]:
        """The names of the policies, with their parameters."""
        return tuple(map(policy_name, self.policies))

    def deal(self, number: int) -> tuple[Setup, Dice]:
        """Deal game `number`, counted from 1; return the setup, and the game's generator, which continues."""
        dice = Dice(self.seed).fork(number)
        return find_game(self.game).deal(self.players, self.decks(dice), dice, options=self.options), dice


@dataclass(slots=True)
class Tally:
    """Counts over some games; lists have one entry per seat. Tallies can be added in any order."""

    seats: int
    games: int = 0
    moves: int = 0
    draws: int = 0
    first_player_wins: int = 0
    wins: list[int] = field(default_factory=list)
    shared: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for counts in (self.wins, self.shared, self.points):
            counts.extend([0] * (self.seats - len(counts)))

    def count(self, outcome: Outcome, first: int, moves: int) -> None:
        """Add a game started by the seat `first`."""
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

    def add(self, other: "Tally") -> None:
        """Add the games of another tally."""
        self.games += other.games
        self.moves += other.moves
        self.draws += other.draws
        self.first_player_wins += other.first_player_wins
        for own, more in ((self.wins, other.wins), (self.shared, other.shared), (self.points, other.points)):
            own[:] = map(add, own, more)


class MatchPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's result; its draws are those in which it shared the lead."""

    name: str
    wins: int
    draws: int
    mean_score: float


class SimulatedPlayer(MatchPlayer, frozen=True, kw_only=True):
    """A player's result, with its policy, and with its faction if that was chosen by name."""

    policy: str
    faction: str | msgspec.UnsetType = msgspec.UNSET


class SimulatedMatches(msgspec.Struct, frozen=True, kw_only=True):
    """The counts over matches, each of `length` games; null if the length is unknown."""

    matches: int
    length: int | None
    counts: str
    same_deal: bool
    players: list[MatchPlayer]
    draws: int


class SimulationResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of many games; the rate excludes start-up and compilation.

    Attributes:
        match: The counts over the matches, if games belong to matches.
        interrupted: Present if the simulation was interrupted before all games were played.
    """

    game: str
    games: int
    seed: int
    players: list[SimulatedPlayer]
    first_player_wins: int
    draws: int
    mean_moves: float
    games_per_second: float
    match: SimulatedMatches | msgspec.UnsetType = msgspec.UNSET
    interrupted: Literal[True] | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True, slots=True)
class SimulationSummary:
    """The result of many games, or matches: the lineup, the counts, and the elapsed seconds.

    `plan` describes a match, and `matches` has the counts over the matches; both are None for single games.
    `is_interrupted` is true if the user interrupted it before all games were played.
    """

    lineup: Lineup
    tally: Tally
    seconds: float
    plan: Match | None = None
    matches: Tally | None = None
    is_interrupted: bool = False

    def answer(self) -> SimulationResult:
        """Return the result that `simulate --json` prints; a player's draws are those with a shared lead."""
        tally = self.tally
        games = max(tally.games, 1)
        return SimulationResult(
            game=self.lineup.game,
            games=tally.games,
            seed=self.lineup.seed,
            players=[
                SimulatedPlayer(policy=str(policy), **msgspec.structs.asdict(player))
                for player, policy in zip(self._players(tally), self.lineup.policies, strict=True)
            ],
            first_player_wins=tally.first_player_wins,
            draws=tally.draws,
            mean_moves=tally.moves / games,
            games_per_second=tally.games / self.seconds if self.seconds else 0.0,
            match=self._match_counts(self.plan, self.matches) if self.plan and self.matches else msgspec.UNSET,
            interrupted=True if self.is_interrupted else msgspec.UNSET,
        )

    def _match_counts(self, plan: Match, tally: Tally) -> SimulatedMatches:
        return SimulatedMatches(
            matches=tally.games,
            length=plan.length,
            counts=plan.next_game.counts,
            same_deal=plan.same_deal,
            players=self._players(tally),
            draws=tally.draws,
        )

    def _players(self, tally: Tally) -> list[MatchPlayer]:
        return [
            MatchPlayer(
                name=name,
                wins=tally.wins[seat],
                draws=tally.shared[seat],
                mean_score=tally.points[seat] / max(tally.games, 1),
            )
            for seat, name in enumerate(self.lineup.players)
        ]


CountsT = TypeVar("CountsT")

_FORMAT: Final[Literal[1]] = 1
_SAVE_INTERVAL_SECONDS: Final = 2.0
"""The minimum number of seconds between two writes of the file."""
_MAX_FILE_BYTES: Final = 256 << 20
"""The maximum size of the file in bytes."""


class _File(msgspec.Struct, omit_defaults=True):
    """The content of the file. Files of earlier versions have no checksum."""

    ccgrid: Literal[1]
    work: dict[str, Any]
    done: int
    seconds: float
    counts: msgspec.Raw
    checksum: int | None = None

    def to_bytes(self) -> bytes:
        """Return the file with the checksum (CRC-32) of everything before it."""
        self.checksum = None
        self.checksum = zlib.crc32(msgspec.json.encode(self))
        return msgspec.json.encode(self) + b"\n"


class SavedCounts(Generic[CountsT]):
    """A file with the counts over the first numbers of some work.

    `work` identifies the work; for long values, such as decks, a `digest` is enough. Files of other work are rejected.
    """

    def __init__(self, path: Path | None, work: Mapping[str, object], kind: type[CountsT]) -> None:
        self.path = path
        self._work = msgspec.to_builtins(work)
        self._kind = kind
        self._written = time.monotonic()

    def load(self) -> tuple[int, float, CountsT] | None:
        """Return the number of finished numbers, their duration in seconds, and the counts; None without a file.

        Raises:
            EngineError: If the file belongs to other work, is damaged, or is not such a file.
        """
        if self.path is None or not self.path.exists():
            return None
        file = _read(self.path)
        # The keys of both, because either may have a key that the other lacks.
        for key in [*self._work, *file.work]:
            if file.work.get(key) != self._work.get(key):
                raise EngineError(f"{self._name} has counts of other games: {self._difference(key, file.work)}")
        try:
            return file.done, file.seconds, msgspec.json.decode(file.counts, type=self._kind)
        except msgspec.DecodeError:
            raise _damaged(self.path) from None

    def save(self, done: int, seconds: float, counts: CountsT, *, now: bool = False) -> None:
        """Write the file atomically, if `now` or if the last write is long enough ago; raise OSError if that fails."""
        if self.path is None or not (now or time.monotonic() - self._written >= _SAVE_INTERVAL_SECONDS):
            return
        file = _File(_FORMAT, self._work, done, seconds, msgspec.Raw(msgspec.json.encode(counts)))
        write_atomically(self.path, file.to_bytes())
        self._written = time.monotonic()

    @property
    def _name(self) -> str:
        return harmless(self.path)

    def _difference(self, key: str, work: Mapping[str, object]) -> str:
        saved, requested = work.get(key), self._work.get(key)
        if isinstance(saved, str) and isinstance(requested, str) and len(saved) == len(requested) == _DIGEST_LENGTH:
            return f"the {key} are not the same"
        if saved is None or requested is None:
            return f"only {'the command' if saved is None else 'the file'} has {key}"
        return f"{key} is {quoted(_as_typed(saved))} in the file, and {quoted(_as_typed(requested))} in the command"


def _as_typed(value: object) -> str:
    """Return a value of some work as a user types it: names with commas between them, options as `komi=5`."""
    if isinstance(value, Mapping):
        return " ".join(f"{name}={one}" for name, one in value.items()) or "none"
    return ", ".join(map(_as_typed, value)) if isinstance(value, list) else str(value)


def saved_seed(path: Path | None) -> int | None:
    """Return the seed of the work in a file, to resume it; None if there is no file yet.

    Raises:
        EngineError: If it is not a file of counts, or is damaged.
    """
    seed: int | None = _read(path).work.get("seed") if path is not None and path.exists() else None
    return seed


def _read(path: Path) -> _File:
    try:
        with path.open("rb") as stream:
            file = msgspec.json.decode(stream.read(_MAX_FILE_BYTES), type=_File)
    # Deeply nested brackets raise a RecursionError.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise EngineError(f"{harmless(path)} has no games to continue: name another file, or a new one") from None
    checksum = file.checksum
    file.to_bytes()
    if checksum not in (None, file.checksum):
        raise _damaged(path)
    return file


def _damaged(path: Path) -> EngineError:
    return EngineError(f"{harmless(path)} is damaged: its checksum does not match. Delete it to start again")


def check_enough(path: Path | None, done: int, wanted: int, what: str) -> None:
    """Raise EngineError if more is done than is requested."""
    if done > wanted:
        raise EngineError(f"{harmless(path)} already has {done:,} {what}: request at least that number")


_DIGEST_LENGTH: Final = 32


def digest(value: object) -> str:
    """Return a short text that is equal for equal values: texts, numbers, sequences, mappings and dataclasses of these.

    Raises:
        EngineError: If the value contains another type.

    >>> digest([1, "a"]) == digest((1, "a")), digest([1, "a"]) == digest([1, "b"])
    (True, False)
    """
    seen = hashlib.sha256()
    for part in _parts(value):
        # Names from files may contain lone surrogates, which UTF-8 cannot encode.
        seen.update(part.encode("utf-8", "surrogatepass"))
        # A separator between the parts: "ab", "c" differs from "a", "bc".
        seen.update(b"\0")
    return seen.hexdigest()[:_DIGEST_LENGTH]


def _parts(value: object) -> Iterable[str]:
    if value is None or isinstance(value, str | int | float | bool):
        return (repr(value),)
    if is_dataclass(value) and not isinstance(value, type):
        # Fields excluded from comparison are ignored here, too.
        inner = (_parts(getattr(value, one.name)) for one in fields(value) if one.compare)
        return chain((type(value).__name__, "("), chain.from_iterable(inner), (")",))
    if isinstance(value, Mapping):
        # Sorted by key, independently of the insertion order.
        items = sorted(value.items())
        return chain(("{",), chain.from_iterable(_parts(one) for item in items for one in item), ("}",))
    if isinstance(value, Sequence):
        return chain(("[",), chain.from_iterable(map(_parts, value)), ("]",))
    raise EngineError(f"games with {type(value).__name__} cannot be resumed")


_CHUNK: Final = 1 << 20


def reject_overwriting(path: Path) -> None:
    """Raise EngineError: the default check, which never overwrites a file."""
    raise EngineError(f"{harmless(path)} exists already: name another file, or write over it with --force")


class SavedRecords:
    """The records of games whose counts are saved: `NAME.part` until all are played, then the file itself.

    `check` is called with an existing file of either name that does not belong to the counted games. It raises
    `CatalogError` or `EngineError` if the file must not be overwritten.
    """

    def __init__(self, path: Path, check: Callable[[Path], object] = reject_overwriting) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.part")
        self._check = check
        self._file: BinaryIO | None = None
        self._before: os.stat_result | None = None

    def begin(self, written: int | None, games: int = 0) -> None:
        """Open the file and truncate it after the records of counted games.

        Args:
            written: The number of bytes of records of counted games; None without counts, so that no file belongs to
                them.
            games: The number of these records.

        Raises:
            EngineError: If the bytes are not that many records, or the file belongs to other games.
            OSError: If the file cannot be written.
        """
        check_target(self.path)
        self._before = self.path.stat() if self.path.exists() else None
        if written and not os.path.lexists(self._part) and _contains_records(self.path, written, games, exact=True):
            copy_new(self.path, self._part)  # resumed with more games than requested before
        part_exists = os.path.lexists(self._part)
        # New work, and a file of other work.
        if written is None and part_exists:
            self._check(self._part)
        elif written is not None and (written or part_exists) and not _contains_records(self._part, written, games):
            raise EngineError(
                f"{harmless(self._part)}, which has the records of the games so far, is missing or damaged: start "
                f"again with another file to resume from"
            )
        if self._before is not None and not (written and _is_prefix(self.path, self._part)):
            self._check(self.path)
        self._file = open_growing_file(self._part)
        # Records written after the counts were saved are cut off: those games are played again.
        self._file.truncate(written or 0)
        self._file.seek(written or 0)

    def write(self, lines: Iterable[str]) -> int:
        """Write records, each a line with its line break, and return their number of bytes."""
        text = "".join(lines).encode("utf-8", "surrogatepass")
        rest = memoryview(text)
        while rest and self._file is not None:
            rest = rest[self._file.write(rest) :]  # unbuffered: the counts are saved only after the records
        return len(text)

    def finish(self) -> None:
        """Give the file its final name, after all games have been played.

        Raises:
            EngineError: If another program created a file of that name meanwhile.
        """
        if self._file is not None:
            # Flush to disk before renaming.
            os.fsync(self._file.fileno())
            self.close()
            if self.path.exists() and (self._before is None or not os.path.samestat(self._before, self.path.stat())):
                raise EngineError(
                    f"{harmless(self.path)} was created by another program; the records are in {self._part.name}"
                )
            rename(self._part, self.path)

    def close(self) -> None:
        """Close the file and keep it, so that the games can be resumed."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _contains_records(path: Path, written: int, games: int, *, exact: bool = False) -> bool:
    """Return whether a file's first `written` bytes are `games` lines; with `exact`, whether there is nothing else."""
    if path.is_symlink() or not path.is_file():
        return False
    size = path.stat().st_size
    if size < written or (exact and size > written):
        return False
    lines, last = 0, b"\n"
    with path.open("rb") as file:
        if not written:
            # Nothing is counted yet: accept an empty file, or one that begins like a record.
            return file.read(1) in (b"", b"{")
        while written and (piece := file.read(min(written, _CHUNK))):
            lines, last, written = lines + piece.count(b"\n"), piece[-1:], written - len(piece)
    # The last byte must end a line, and the number of lines must be that of the games.
    return lines == games and last == b"\n"


def _is_prefix(path: Path, longer: Path) -> bool:
    """Return whether a file is a prefix of another."""
    with path.open("rb") as file, longer.open("rb") as other:
        while data := file.read(_CHUNK):
            if data != other.read(len(data)):
                return False
    return True


class Addable(Protocol):
    """Counts that can be added."""

    def add(self, other: Self) -> None:
        """Add the counts of other games."""


Counts = TypeVar("Counts", bound=Addable)


@dataclass(frozen=True, slots=True)
class CountResult(Generic[Counts]):
    """The counts, the elapsed seconds, and whether the user interrupted the games."""

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
    """Play the numbers from 1 to `wanted`, except those whose counts are saved, and add up the counts.

    After a keyboard interrupt, the result covers the numbers played so far; if there are none, the interrupt is raised.

    Args:
        work: The task.
        wanted: The total number of numbers.
        empty: The counts of nothing, to which results are added.
        take: Returns the counts of a chunk's result.
        saved: The file that stores the counts.
        runner: The runner that plays them.
        progress: Called from time to time with the number of newly finished numbers.
        what: The plural noun for the numbers in messages.

    Returns:
        The counts of all finished numbers.

    Raises:
        EngineError: If the file belongs to other work or contains more numbers. Errors of the task are raised as
            well.
    """
    done, before, counts = saved.load() or (0, 0.0, empty)
    check_enough(saved.path, done, wanted, what)
    saved.save(done, before, counts, now=True)  # before playing, to detect whether the file can be written
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
