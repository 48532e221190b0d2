"""Many games between computer players, played on the core of their game: as by the readable rules, game for game."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, NamedTuple

from engine.dice import ALL, fork_seeds
from engine.errors import EngineError
from engine.games import find_game
from engine.many.batch import Batch, Deals
from engine.many.tally import Lineup
from engine.options import not_known, slower
from engine.rows import core as contract
from engine.rows import dealing
from engine.rows.binding import bound, outside
from engine.rows.games import Begins, Columns, Room, play_games

POLICIES: Final = ("random", "greedy")
"""The players that cores play like, by their places."""

_MOST_PREPARED: Final = 8
_AT_ONCE: Final = 200
_AT_ONCE_COMPILED: Final = 50_000


class _Prepared(NamedTuple):
    """What was prepared, for which decks, players and options; and the table and the pool as the loop takes them."""

    decks: object
    players: tuple[str, ...]
    options: dict[str, object]
    made: contract.Prepared | None
    table: Any = None
    pool: Any = None


class CoreKernel:
    """Plays the games of a core, between random and greedy players; with options and decks that the core knows."""

    def __init__(self, core: ModuleType, *, is_compiled: bool) -> None:
        """What is compiled takes the extra `fast`."""
        self.core = core
        self.is_compiled = is_compiled
        self.games_at_once = _AT_ONCE_COMPILED if is_compiled else _AT_ONCE
        self._prepared: tuple[_Prepared, ...] = ()

    def load(self) -> None:
        """Compiles its loop, or loads it, which is no part of how long games take."""
        self._loop()

    def is_kept(self) -> bool:
        """Whether its loop was compiled before."""
        kept: bool = import_module("engine.rows.compiling").is_kept(play_games, self.core)
        return kept

    def fits(self, lineup: Lineup) -> bool:
        """Whether it plays this lineup: the policies of all seats, the options and the decks."""
        known = all(name in POLICIES for name in lineup.policies) and self.core.OPTIONS.issuperset(lineup.options)
        return known and self._of(lineup, lineup.players).made is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers, as the readable rules would."""
        forks = import_module("engine.rows.arrays").fork_seeds if self.is_compiled else fork_seeds
        seeds = forks(lineup.seed & ALL, numbers)
        return replace(self.run_dealt(lineup, Deals(seeds), keep_moves=keep_moves), numbers=numbers)

    def run_dealt(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Plays games with dice and starters of their own; they are numbered from 0."""
        prepared = self._of(lineup, deals.seated(lineup.players))
        games, seats = len(deals.drawing), len(lineup.policies)
        if prepared.made is None:
            raise ValueError("this lineup does not fit")
        most = prepared.made.plies if keep_moves else 0
        columns = Columns(*[self._zeros(games * width) for width in (1, 1, seats, 1, most)])
        given: Any = (deals.drawing, deals.dealing, deals.playing, deals.first)
        begins = Begins(*given)
        greedy = [POLICIES.index(name) for name in deals.seated(lineup.policies)]
        moves = [0] * self.core.MOST_MOVES
        room = Room([0, 0], [0] * self.core.length(prepared.table), moves, moves[:], [0] * seats)
        filled = self._play(prepared, dealing.room(prepared.made.pool), begins, greedy, room, columns)
        scores = tuple(filled.scores[seat * games : (seat + 1) * games] for seat in range(seats))
        texts = None
        if keep_moves:
            name = prepared.made.name
            ends = enumerate(map(int, filled.plies))  # 16 bits are too few for the places of many games
            rows = (filled.moves[game * most : game * most + plies] for game, plies in ends)
            texts = [tuple([name(int(move)) for move in row]) for row in rows]
        kind = import_module("engine.many.columns").Arrays if self.is_compiled else Batch
        batch: Batch = kind(range(games), filled.first, filled.plies, scores, filled.endings, self.core.ENDINGS, texts)
        return batch

    def _play(self, prepared: _Prepared, dealt: Any, begins: Any, greedy: Any, room: Any, columns: Any) -> Any:
        """The columns, filled: rows, or arrays."""
        if self.is_compiled:
            rows: Any = import_module("engine.rows.arrays")
            dealt, begins, room, columns = map(rows.arrays, (dealt, begins, room, columns))
            greedy = rows.ints(greedy)
        else:
            begins = Begins(*[list(map(int, column)) for column in begins])
        self._loop()(prepared.table, prepared.pool, dealt, begins, greedy, room, columns)
        return columns

    def _loop(self) -> Any:
        """The loop, bound to the core."""
        bind = import_module("engine.rows.compiling").compiled if self.is_compiled else bound
        return bind(play_games, self.core)

    def _zeros(self, count: int) -> Any:
        return import_module("engine.rows.arrays").zeros(count, "uint8") if self.is_compiled else [0] * count

    def _of(self, lineup: Lineup, players: tuple[str, ...]) -> _Prepared:
        """What the lineup is played with when players sit so, made now or before; several threads may ask."""
        options = dict(lineup.options)
        for one in self._prepared:
            if one.decks is lineup.decks and (one.players, one.options) == (players, options):
                return one
        prepare = outside(self.core.prepared, self.core, is_compiled=self.is_compiled)
        made = prepare(lineup.decks, players, options)
        one = _Prepared(lineup.decks, players, options, made)
        if made is not None:
            finish = import_module("engine.rows.arrays").arrays if self.is_compiled else _with_slots
            one = one._replace(table=finish(made.table), pool=finish(made.pool))
        self._prepared = (one, *self._prepared[: _MOST_PREPARED - 1])
        return one


@cache
def core_kernel(core: ModuleType, *, is_compiled: bool) -> CoreKernel:
    """The kernel on a core; what it prepared for one lineup it has for the next."""
    return CoreKernel(core, is_compiled=is_compiled)


def _with_slots(bundle: Any) -> Any:
    """The same as an object whose attributes are read faster than those of a tuple."""
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
        tell: is given a sentence before something is compiled, which takes a while, and where an option is not known.

    >>> from engine.deck_sources import FixedDecks
    >>> from engine.many.tally import Lineup
    >>> find_kernel(Lineup("grid", ("random", "somebody"), FixedDecks(()), 1)) is None
    True
    """
    game = find_game(lineup.game)
    try:
        varied = game.varied(lineup.options)
    except EngineError:  # which is raised where the first game is dealt
        return None
    core = game.core
    if core is None:
        return None
    if unknown := not_known(varied, core.OPTIONS):
        if tell:
            tell(slower(unknown))
        return None
    worth = getattr(core, "WORTH_COMPILING", contract.WORTH_COMPILING)
    kernel = core_kernel(core, is_compiled=can_compile() and (games is None or games >= worth))
    if not kernel.fits(lineup):
        return None
    if tell and kernel.is_compiled and not kernel.is_kept():
        code_cache = import_module("engine.rows.code_cache")
        tell(code_cache.announcement(lineup.game, "some seconds"))
    return kernel


@cache
def can_compile() -> bool:
    """Whether the extra `fast` is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
