"""Fast play of many games between computer players on integer arrays, with the same results as the readable rules."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
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
from ccgrid.engine.rows.binding import backend, outside
from ccgrid.engine.rows.games import DiceStarts, GameColumns, Room, play_games
from ccgrid.engine.rows.saved_code import can_compile

Thing = TypeVar("Thing")

Column = Sequence[int]
"""An integer for each game of a batch, in the order of the games' numbers."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Seeds and starting players of a batch of games, in columns.

    Attributes:
        drawing: The seeds of the generators that draw the decks.
        dealing: The seeds for dealing; if empty, the generator that drew the decks continues.
        playing: The seeds for moves; if empty, the generator that dealt continues.
        first: The starting seats; if empty, the generator or the rules decide.
        turn: The number of seats by which the players have moved on; the decks stay in their seats.
    """

    drawing: Column
    dealing: Column = ()
    playing: Column = ()
    first: Column = ()
    turn: int = 0

    def in_seat_order(self, things: Sequence[Thing]) -> tuple[Thing, ...]:
        """Return items of the players of a lineup, such as names or policies, in the current seat order."""
        # `turn` 1: the player of seat 1 is now in seat 0.
        return (*things[self.turn :], *things[: self.turn])


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of a range of games, in columns; seats are counted from 0.

    Attributes:
        numbers: The games' numbers.
        first: The seats that made the first move.
        plies: The numbers of moves.
        scores: A column of scores in points for each seat.
        endings: Why the games ended, as indices in `codes`.
        codes: The codes of the endings of this game.
        moves: Every game's moves in canonical notation, or None if they were not requested.
    """

    numbers: range
    first: Column
    plies: Column
    scores: tuple[Column, ...]
    endings: Column
    codes: tuple[str, ...]
    moves: Sequence[tuple[str, ...]] | None = None

    def rows(self) -> list[tuple[int, ...]]:
        """Return each game's scores in seat order."""
        return list(zip(*self.scores, strict=True))

    def tally(self) -> Tally:
        """Return the tally of these games."""
        seats = range(len(self.scores))
        tally = Tally(len(seats), games=len(self.numbers), moves=sum(self.plies))
        tally.points = [sum(column) for column in self.scores]
        # Transpose columns into games.
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


CORE_POLICIES: Final = ("random", "greedy")
"""The policies that cores implement, by index. They play a million games while others play a few hundred."""

_MAX_CACHE_ENTRIES: Final = 8
_GAMES_PER_CHUNK: Final = 200
_GAMES_PER_CHUNK_COMPILED: Final = 50_000


class _CacheEntry(NamedTuple):
    """Data prepared for certain decks, players and options, with the table and the pool in the loop's form."""

    decks: object
    players: tuple[str, ...]
    options: dict[str, object]
    games: contract.CoreGames[contract.Table] | None
    table: Any = None
    pool: Any = None


class CoreKernel:
    """Plays games of a core between random and greedy players, with options and decks that the core supports."""

    def __init__(self, core: ModuleType, *, is_compiled: bool) -> None:
        """Create a kernel; compilation needs the extra `fast`."""
        self.core = core
        self.is_compiled = is_compiled
        self.games_at_once = _GAMES_PER_CHUNK_COMPILED if is_compiled else _GAMES_PER_CHUNK
        self._cache: tuple[_CacheEntry, ...] = ()

    def load(self) -> None:
        """Compile or load the loop in advance, so that it is not part of the games' time."""
        self._loop()

    def is_saved(self) -> bool:
        """Return whether the compiled loop is saved on disk."""
        return saved_code.is_saved(play_games, self.core)

    def supports(self, lineup: Lineup) -> bool:
        """Return whether the kernel supports a lineup: the policies of all seats, the options and the decks."""
        known = all(name in CORE_POLICIES for name in lineup.policies) and self.core.OPTIONS.issuperset(lineup.options)
        # Only preparing decks and options shows whether the core supports them; the result is cached for the games.
        return known and self._entry_for(lineup, lineup.players).games is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Play the games with these numbers, with the same results as the readable rules."""
        seeds = self._backend().fork_seeds(lineup.seed & ALL, numbers)
        return replace(self.run_deals(lineup, Deals(seeds), keep_moves=keep_moves), numbers=numbers)

    def run_deals(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Play games with given seeds and starting players; they are numbered from 0."""
        entry = self._entry_for(lineup, deals.in_seat_order(lineup.players))
        games, seats = len(deals.drawing), len(lineup.policies)
        if entry.games is None:
            raise ValueError("this lineup does not fit")
        most = entry.games.plies if keep_moves else 0
        # The width is the number of integers per game: first, plies, scores of each seat, endings, moves.
        columns = GameColumns(*[self._backend().zeros(games * width, "uint8") for width in (1, 1, seats, 1, most)])
        given: Any = (deals.drawing, deals.dealing, deals.playing, deals.first)
        starts = DiceStarts(*given)
        greedy = [CORE_POLICIES.index(name) for name in deals.in_seat_order(lineup.policies)]
        moves = [0] * self.core.MOST_MOVES
        room = Room([0, 0], [0] * self.core.length(entry.table), moves, moves[:], [0] * seats)
        columns = self._play(entry, dealing.room(entry.games.pool), starts, greedy, room, columns)
        scores = tuple(columns.scores[seat * games : (seat + 1) * games] for seat in range(seats))
        texts = None
        if keep_moves:
            name = entry.games.name
            ends = enumerate(map(int, columns.plies))  # Python integers: 16 bits are too few for indices of many games
            rows = (columns.moves[game * most : game * most + plies] for game, plies in ends)
            texts = [tuple([name(int(move)) for move in row]) for row in rows]
        # The array class is imported only with NumPy.
        kind = import_module("ccgrid.engine.many.arrays").Arrays if self.is_compiled else Batch
        batch: Batch = kind(
            range(games), columns.first, columns.plies, scores, columns.endings, self.core.ENDINGS, texts
        )
        return batch

    def _play(self, entry: _CacheEntry, seat_decks: Any, starts: Any, greedy: Any, room: Any, columns: Any) -> Any:
        """Fill and return the columns: lists, or arrays."""
        if not self.is_compiled:
            # Seeds may be NumPy integers, which overflow at 64 bits and slow down plain Python.
            starts = DiceStarts(*[list(map(int, column)) for column in starts])
        rows = self._backend()
        seat_decks, starts, room, columns = map(rows.arrays, (seat_decks, starts, room, columns))
        self._loop()(entry.table, entry.pool, seat_decks, starts, rows.ints(greedy), room, columns)
        return columns

    def _loop(self) -> Any:
        """Return the loop bound to the core."""
        return self._backend().compiled(play_games, self.core)

    def _backend(self) -> ModuleType:
        return backend(is_compiled=self.is_compiled)

    def _entry_for(self, lineup: Lineup, players: tuple[str, ...]) -> _CacheEntry:
        """Return cached or new data for a lineup with players in this seat order; several threads may call this."""
        options = dict(lineup.options)
        # A tuple that is replaced atomically: another thread sees either the old or the new one.
        for entry in self._cache:
            # Compared by identity: comparing thousands of cards would take longer than preparing them.
            if entry.decks is lineup.decks and (entry.players, entry.options) == (players, options):
                return entry
        prepare = outside(self.core.games, self.core, is_compiled=self.is_compiled)
        made = prepare(lineup.decks, players, options)
        entry = _CacheEntry(lineup.decks, players, options, made)
        if made is not None:
            table, pool = map(self._backend().arrays, (made.table, made.pool))
            entry = entry._replace(table=table, pool=pool)
        self._cache = (entry, *self._cache[: _MAX_CACHE_ENTRIES - 1])
        return entry


@cache
def core_kernel(core: ModuleType, *, is_compiled: bool) -> CoreKernel:
    """Return the kernel of a core. It is cached, and so are the data that it prepares."""
    return CoreKernel(core, is_compiled=is_compiled)


def find_kernel(
    lineup: Lineup, games: int | None = None, *, tell: Callable[[str], object] | None = None
) -> CoreKernel | None:
    """Return the kernel that plays this lineup, or None if only the readable rules can.

    Args:
        lineup: The lineup.
        games: The number of games, if known: for few games nothing is loaded or compiled.
        tell: Called with a sentence before a slow compilation, and if an option is not supported.

    >>> from ccgrid.engine.deck_sources import FixedDecks
    >>> from ccgrid.engine.many.tally import Lineup
    >>> find_kernel(Lineup("grid", ("random", "somebody"), FixedDecks(()), 1)) is None
    True
    """
    game = find_game(lineup.game)
    try:
        variant = game.variant(lineup.options)
    except EngineError:  # raised again when the first game is dealt
        return None
    core = game.core
    if core is None:
        return None
    if unknown := unknown_options(variant, core.OPTIONS):
        if tell:
            tell(slower_notice(unknown))
        return None
    worth = getattr(core, "WORTH_COMPILING", contract.WORTH_COMPILING)
    # Fewer games run on the same core in plain Python.
    kernel = core_kernel(core, is_compiled=can_compile() and (games is None or games >= worth))
    if not kernel.supports(lineup):
        return None
    if tell and kernel.is_compiled and not kernel.is_saved():
        tell(saved_code.announcement(lineup.game, "some seconds"))
    return kernel


class Round(NamedTuple):
    """One game of each unfinished match.

    Attributes:
        places: The indices of these matches, from 0.
        batch: The results of the games, by the seats of these games.
        turn: The number of seats by which the players had moved on.
    """

    places: Sequence[int]
    batch: Batch
    turn: int


class KernelMatches:
    """Plays matches with these numbers on a kernel, each according to a plan, a match without games."""

    def __init__(self, kernel: CoreKernel, lineup: Lineup, plan: Match, numbers: range) -> None:
        self._kernel = kernel
        self._lineup = lineup
        self._plan = plan
        self._seats = len(lineup.policies)
        self._numbers = numbers
        self._seeds = fork_seeds(lineup.seed, numbers)
        # `Dice.fork` mixes the seed first, which is the same for all games of a match.
        self._forks = [mix(seed) for seed in self._seeds]
        self._totals = [[0] * self._seats for _ in numbers]
        self._lengths = [0] * len(numbers)
        self._starters: list[int] = []

    def rounds(self, *, keep_moves: bool = False) -> Iterator[Round]:
        """Yield the games, one of every unfinished match at a time."""
        has_first = find_game(self._lineup.game).has_first
        active: Sequence[int] = range(len(self._numbers))
        starts: Sequence[int] = ()
        for number in range(self._plan.length or 0):
            # With the same deal, the players move on by one seat after each game.
            turn = number % self._seats if self._plan.same_deal else 0
            deals = self._deals(active, number, turn, starts)
            batch = self._kernel.run_deals(self._lineup, deals, keep_moves=keep_moves)
            yield Round(active, batch, turn)
            first = [int(seat) for seat in batch.first]
            # Convert seats of this game back to seats of the lineup.
            rows = [row[self._seats - turn :] + row[: self._seats - turn] for row in batch.rows()]
            if number == 0:
                self._starters = first
            is_active = [self._count_game(place, row) for place, row in zip(active, rows, strict=True)]
            if self._plan.same_deal:
                # The next game has the same deal and starting seat; after the last game of a deal the seat is random
                # again.
                starts = first if has_first and turn + 1 < self._seats else ()
            elif has_first:
                starts = [_next_first(row, seat) for row, seat in zip(rows, first, strict=True)]
            # Keep only unfinished matches; not strict, because `starts` may be empty.
            starts = [seat for seat, continues in zip(starts, is_active, strict=False) if continues]
            active = [place for place, continues in zip(active, is_active, strict=True) if continues]
            if not active:
                break

    def count(self) -> tuple[Tally, Tally]:
        """Play all games and return the tallies of games and of matches."""
        games, seats = Tally(self._seats), self._seats
        for _, batch, turn in self.rounds():
            tally = batch.tally()
            # Convert counts of seats back to seats of the lineup.
            for counts in (tally.wins, tally.shared, tally.points):
                counts[:] = counts[seats - turn :] + counts[: seats - turn]
            games.add(tally)
        columns = tuple(zip(*self._totals, strict=True))
        # Matches are tallied like games: starting players, games as moves, and points or games won as scores.
        codes = [0] * len(self._numbers)
        return games, Batch(self._numbers, self._starters, self._lengths, columns, codes, ("over",)).tally()

    def _deals(self, active: Sequence[int], number: int, turn: int, starts: Sequence[int]) -> Deals:
        # Game number n has fork n. With the same deal, decks and cards come from the fork of the first game of the
        # deal, and only the moves have a different one.
        drawing = [self._seeds[place] for place in active]
        playing = self._fork_seeds(active, number + 1)
        if turn == 0:
            return Deals(drawing, playing, first=starts)
        return Deals(drawing, self._fork_seeds(active, number + 1 - turn), playing, starts, turn)

    def _fork_seeds(self, active: Sequence[int], number: int) -> list[int]:
        """Return the seeds of the games with this number, like `Dice.fork`."""
        step, shift, forks = number * STEP, 64 - SEED_BITS, self._forks
        return [mix((forks[place] + step) & ALL) >> shift for place in active]

    def _count_game(self, place: int, row: Sequence[int]) -> bool:
        """Add a game with these scores to a match and return whether the match continues."""
        totals = self._totals[place]
        self._lengths[place] += 1
        left = (self._plan.length or 0) - self._lengths[place]
        if self._plan.adds_points:
            totals[:] = [total + score for total, score in zip(totals, row, strict=True)]
            return left > 0
        best = max(row)
        if row.count(best) == 1:
            totals[row.index(best)] += 1
        # Decided once the second player cannot catch up by winning all remaining games.
        first, second = sorted(totals, reverse=True)[:2]
        return left > 0 and first <= second + left


def _next_first(row: Sequence[int], starter: int) -> int:
    best = max(row)
    return row.index(best) if row.count(best) == 1 else (starter + 1) % len(row)
