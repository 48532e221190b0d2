"""Many games between computer players, played on the core of their game: as by the readable rules, game for game."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeVar

from ccgrid.engine.dice import ALL, SEED_BITS, STEP, fork_seeds, mix
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.many.tally import Lineup, Tally
from ccgrid.engine.options import slower_notice, unknown_options
from ccgrid.engine.records.match import Match
from ccgrid.engine.rows import core as contract
from ccgrid.engine.rows import dealing, saved_code
from ccgrid.engine.rows.binding import bound, outside
from ccgrid.engine.rows.games import DiceStarts, GameColumns, Room, play_games

Thing = TypeVar("Thing")

Column = Sequence[int]
"""A number for each game of a batch, in the order of the games' numbers."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Where the dice of some games begin, in columns of seeds, and who starts: the games of matches, and others.

    Attributes:
        drawing: the seed of the dice that draw each game's decks.
        dealing: of the dice that deal; where there are none, the same dice go on.
        playing: of the dice that are thrown for moves; where there are none, the same dice go on.
        first: the seat that starts; where there are none, the dice or the rules decide.
        turn: by how many seats the players have moved on, leaving their decks where they were.
    """

    drawing: Column
    dealing: Column = ()
    playing: Column = ()
    first: Column = ()
    turn: int = 0

    def seated(self, things: Sequence[Thing]) -> tuple[Thing, ...]:
        """What belongs to the players of a lineup, their names or policies, in the order in which they sit now."""
        # `turn` 1: who sat in seat 1 sits in seat 0 now.
        return (*things[self.turn :], *things[: self.turn])


@dataclass(frozen=True, slots=True)
class Batch:
    """How a range of games went, in columns; seats are counted from 0.

    Attributes:
        numbers: the games' numbers.
        first: the seat that made the first move.
        plies: how many moves there were.
        scores: for each seat a column with its score, in points.
        endings: why the game was over, as a place in `codes`.
        codes: the codes of the endings of this game.
        moves: every game's moves as records write them, if they were wanted.
    """

    numbers: range
    first: Column
    plies: Column
    scores: tuple[Column, ...]
    endings: Column
    codes: tuple[str, ...]
    moves: Sequence[tuple[str, ...]] | None = None

    def rows(self) -> list[tuple[int, ...]]:
        """Each game's scores, one for each seat."""
        return list(zip(*self.scores, strict=True))

    def tally(self) -> Tally:
        """What is counted over these games."""
        seats = range(len(self.scores))
        tally = Tally(len(seats), games=len(self.numbers), moves=sum(self.plies))
        tally.points = [sum(column) for column in self.scores]
        # Column by column becomes game by game.
        for first, scores in zip(self.first, zip(*self.scores, strict=True), strict=True):
            best = max(scores)
            if scores.count(best) == 1:
                winner = scores.index(best)
                tally.wins[winner] += 1
                tally.first_player_wins += winner == first
            else:
                tally.draws += 1
                for seat in seats:
                    tally.shared[seat] += scores[seat] == best
        return tally


POLICIES: Final = ("random", "greedy")
"""The players that cores play like, by their places."""

_MOST_CACHED: Final = 8
_AT_ONCE: Final = 200
_AT_ONCE_COMPILED: Final = 50_000


class _CacheEntry(NamedTuple):
    """What was prepared, for which decks, players and options; and the table and the pool as the loop takes them."""

    decks: object
    players: tuple[str, ...]
    options: dict[str, object]
    games: contract.CoreGames | None
    table: Any = None
    pool: Any = None


class CoreKernel:
    """Plays the games of a core, between random and greedy players; with options and decks that the core knows."""

    def __init__(self, core: ModuleType, *, is_compiled: bool) -> None:
        """What is compiled takes the extra `fast`."""
        self.core = core
        self.is_compiled = is_compiled
        self.games_at_once = _AT_ONCE_COMPILED if is_compiled else _AT_ONCE
        self._cache: tuple[_CacheEntry, ...] = ()

    def load(self) -> None:
        """Compiles its loop, or loads it, which is no part of how long games take."""
        self._loop()

    def is_saved(self) -> bool:
        """Whether its loop was compiled before."""
        return saved_code.is_saved(play_games, self.core)

    def fits(self, lineup: Lineup) -> bool:
        """Whether it plays this lineup: the policies of all seats, the options and the decks."""
        known = all(name in POLICIES for name in lineup.policies) and self.core.OPTIONS.issuperset(lineup.options)
        # Whether the core takes decks and options is seen by preparing them, which is kept for the games.
        return known and self._entry_for(lineup, lineup.players).games is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers, as the readable rules would."""
        forks = import_module("ccgrid.engine.rows.compiling").fork_seeds if self.is_compiled else fork_seeds
        seeds = forks(lineup.seed & ALL, numbers)
        return replace(self.run_deals(lineup, Deals(seeds), keep_moves=keep_moves), numbers=numbers)

    def run_deals(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Plays games with dice and starters of their own; they are numbered from 0."""
        entry = self._entry_for(lineup, deals.seated(lineup.players))
        games, seats = len(deals.drawing), len(lineup.policies)
        if entry.games is None:
            raise ValueError("this lineup does not fit")
        most = entry.games.plies if keep_moves else 0
        # first, plies, scores of each seat, endings, moves: so many numbers for each game.
        columns = GameColumns(*[self._zeros(games * width) for width in (1, 1, seats, 1, most)])
        given: Any = (deals.drawing, deals.dealing, deals.playing, deals.first)
        starts = DiceStarts(*given)
        greedy = [POLICIES.index(name) for name in deals.seated(lineup.policies)]
        moves = [0] * self.core.MOST_MOVES
        room = Room([0, 0], [0] * self.core.length(entry.table), moves, moves[:], [0] * seats)
        columns = self._play(entry, dealing.room(entry.games.pool), starts, greedy, room, columns)
        scores = tuple(columns.scores[seat * games : (seat + 1) * games] for seat in range(seats))
        texts = None
        if keep_moves:
            name = entry.games.name
            ends = enumerate(map(int, columns.plies))  # 16 bits are too few for the places of many games
            rows = (columns.moves[game * most : game * most + plies] for game, plies in ends)
            texts = [tuple([name(int(move)) for move in row]) for row in rows]
        # The class with arrays is imported only where arrays are.
        kind = import_module("ccgrid.engine.many.arrays").Arrays if self.is_compiled else Batch
        batch: Batch = kind(
            range(games), columns.first, columns.plies, scores, columns.endings, self.core.ENDINGS, texts
        )
        return batch

    def _play(self, entry: _CacheEntry, seat_decks: Any, starts: Any, greedy: Any, room: Any, columns: Any) -> Any:
        """The columns, filled: rows, or arrays."""
        if self.is_compiled:
            rows: Any = import_module("ccgrid.engine.rows.compiling")
            seat_decks, starts, room, columns = map(rows.arrays, (seat_decks, starts, room, columns))
            greedy = rows.ints(greedy)
        else:
            # Seeds may come as NumPy's numbers, which do not go beyond 64 bits and make plain Python slow.
            starts = DiceStarts(*[list(map(int, column)) for column in starts])
        self._loop()(entry.table, entry.pool, seat_decks, starts, greedy, room, columns)
        return columns

    def _loop(self) -> Any:
        """The loop, bound to the core."""
        bind = import_module("ccgrid.engine.rows.compiling").compiled if self.is_compiled else bound
        return bind(play_games, self.core)

    def _zeros(self, count: int) -> Any:
        return import_module("ccgrid.engine.rows.compiling").zeros(count, "uint8") if self.is_compiled else [0] * count

    def _entry_for(self, lineup: Lineup, players: tuple[str, ...]) -> _CacheEntry:
        """What the lineup is played with when players sit so, made now or before; several threads may ask."""
        options = dict(lineup.options)
        # A tuple that is replaced as a whole: another thread sees the old or the new one.
        for entry in self._cache:
            # The same object: to compare thousands of cards would take longer than to prepare them.
            if entry.decks is lineup.decks and (entry.players, entry.options) == (players, options):
                return entry
        prepare = outside(self.core.games, self.core, is_compiled=self.is_compiled)
        made = prepare(lineup.decks, players, options)
        entry = _CacheEntry(lineup.decks, players, options, made)
        if made is not None:
            finish = import_module("ccgrid.engine.rows.compiling").arrays if self.is_compiled else _with_slots
            entry = entry._replace(table=finish(made.table), pool=finish(made.pool))
        self._cache = (entry, *self._cache[: _MOST_CACHED - 1])
        return entry


@cache
def core_kernel(core: ModuleType, *, is_compiled: bool) -> CoreKernel:
    """The kernel on a core; what it made for one lineup it has for the next."""
    return CoreKernel(core, is_compiled=is_compiled)


def _with_slots(bundle: Any) -> Any:
    """The same as an object whose attributes are read faster than those of a tuple."""
    # A class for this bundle alone, with a slot for each field.
    made = type("Slots", (), {"__slots__": bundle._fields})()
    for name, value in bundle._asdict().items():
        setattr(made, name, value)
    return made


def find_kernel(
    lineup: Lineup, games: int | None = None, *, tell: Callable[[str], object] | None = None
) -> CoreKernel | None:
    """The kernel that plays this lineup, or nothing where the readable rules alone can.

    Args:
        lineup: what is played.
        games: how many, if that is known: for few games nothing is loaded or compiled.
        tell: called with a sentence before something slow is compiled, and where an option is not known.

    >>> from ccgrid.engine.decks import FixedDecks
    >>> from ccgrid.engine.many.tally import Lineup
    >>> find_kernel(Lineup("grid", ("random", "somebody"), FixedDecks(()), 1)) is None
    True
    """
    game = find_game(lineup.game)
    try:
        variant = game.variant(lineup.options)
    except EngineError:  # which is raised where the first game is dealt
        return None
    core = game.core
    if core is None:
        return None
    if unknown := unknown_options(variant, core.OPTIONS):
        if tell:
            tell(slower_notice(unknown))
        return None
    worth = getattr(core, "WORTH_COMPILING", contract.WORTH_COMPILING)
    # For fewer games the same core plays in plain Python.
    kernel = core_kernel(core, is_compiled=can_compile() and (games is None or games >= worth))
    if not kernel.fits(lineup):
        return None
    if tell and kernel.is_compiled and not kernel.is_saved():
        tell(saved_code.announcement(lineup.game, "some seconds"))
    return kernel


@cache
def can_compile() -> bool:
    """Whether the extra `fast` is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


class Round(NamedTuple):
    """One game of each match that was still going on.

    Attributes:
        places: which matches these are, counted from 0.
        batch: how the games went, by the seats in which the players sat.
        turn: by how many seats the players had moved on.
    """

    places: Sequence[int]
    batch: Batch
    turn: int


class KernelMatches:
    """Plays matches with these numbers by a kernel, as a plan has them, of which nothing is played yet."""

    def __init__(self, kernel: CoreKernel, lineup: Lineup, plan: Match, numbers: range) -> None:
        self._kernel = kernel
        self._lineup = lineup
        self._plan = plan
        self._seats = len(lineup.policies)
        self._numbers = numbers
        self._seeds = fork_seeds(lineup.seed, numbers)
        # `Dice.fork` mixes the seed first: that part is the same for all games of a match.
        self._forks = [mix(seed) for seed in self._seeds]
        self._totals = [[0] * self._seats for _ in numbers]
        self._lengths = [0] * len(numbers)
        self._starters: list[int] = []

    def rounds(self, *, keep_moves: bool = False) -> Iterator[Round]:
        """The games, one of every match at a time."""
        has_first = find_game(self._lineup.game).has_first
        going: Sequence[int] = range(len(self._numbers))
        starts: Sequence[int] = ()
        for number in range(self._plan.length or 0):
            # With the same deal the players move on by a seat after each game.
            turn = number % self._seats if self._plan.same_deal else 0
            deals = self._deals(going, number, turn, starts)
            batch = self._kernel.run_deals(self._lineup, deals, keep_moves=keep_moves)
            yield Round(going, batch, turn)
            first = [int(seat) for seat in batch.first]
            # Seats of this game, turned back to those of the lineup.
            rows = [row[self._seats - turn :] + row[: self._seats - turn] for row in batch.rows()]
            if number == 0:
                self._starters = first
            goes_on = [self._count_game(place, row) for place, row in zip(going, rows, strict=True)]
            if self._plan.same_deal:
                # The next game is the same deal, so the same seat starts; after the last of them the dice decide anew.
                starts = first if has_first and turn + 1 < self._seats else ()
            elif has_first:
                starts = [_next_first(row, seat) for row, seat in zip(rows, first, strict=True)]
            # Only the matches that go on; not strict, since there may be no starts at all.
            starts = [seat for seat, goes in zip(starts, goes_on, strict=False) if goes]
            going = [place for place, goes in zip(going, goes_on, strict=True) if goes]
            if not going:
                break

    def count(self) -> tuple[Tally, Tally]:
        """What is counted over the games, and over the matches, when all are played."""
        games, seats = Tally(self._seats), self._seats
        for _, batch, turn in self.rounds():
            tally = batch.tally()
            # Counts of seats, turned back to those of the lineup.
            for counts in (tally.wins, tally.shared, tally.points):
                counts[:] = counts[seats - turn :] + counts[: seats - turn]
            games.add(tally)
        columns = tuple(zip(*self._totals, strict=True))
        # Matches are counted as games are: starters, games as moves, and the points or games won as scores.
        codes = [0] * len(self._numbers)
        return games, Batch(self._numbers, self._starters, self._lengths, columns, codes, ("over",)).tally()

    def _deals(self, going: Sequence[int], number: int, turn: int, starts: Sequence[int]) -> Deals:
        # Game number n has fork n. With the same deal decks and cards come from the fork of the first of these games,
        # and only the moves have one of their own.
        drawing = [self._seeds[place] for place in going]
        playing = self._fork_seeds(going, number + 1)
        if turn == 0:
            return Deals(drawing, playing, first=starts)
        return Deals(drawing, self._fork_seeds(going, number + 1 - turn), playing, starts, turn)

    def _fork_seeds(self, going: Sequence[int], number: int) -> list[int]:
        """The seeds of the games with this number, as `Dice.fork` gives them."""
        step, shift, forks = number * STEP, 64 - SEED_BITS, self._forks
        return [mix((forks[place] + step) & ALL) >> shift for place in going]

    def _count_game(self, place: int, row: Sequence[int]) -> bool:
        """Adds a game with these scores to a match; whether that goes on."""
        totals = self._totals[place]
        self._lengths[place] += 1
        left = (self._plan.length or 0) - self._lengths[place]
        if self._plan.adds_points:
            totals[:] = [total + score for total, score in zip(totals, row, strict=True)]
            return left > 0
        best = max(row)
        if row.count(best) == 1:
            totals[row.index(best)] += 1
        # Over as soon as nobody can catch up.
        # Who is second would have to win all that are left.
        first, second = sorted(totals, reverse=True)[:2]
        return left > 0 and first <= second + left


def _next_first(row: Sequence[int], starter: int) -> int:
    best = max(row)
    return row.index(best) if row.count(best) == 1 else (starter + 1) % len(row)
