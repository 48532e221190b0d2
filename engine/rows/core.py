"""The contract of a game's core: its rules as functions on rows of integers.

A core is the module `core.py` in the folder of a game. Its functions run unchanged on lists, and compiled on arrays
(`engine.rows.binding`, `engine.rows.compiling`). The definitions below are the contract: a core defines functions with
these names and parameters, and inherits those that it does not define. The loops (`engine.rows.games`,
`engine.rows.rounds`, `engine.rows.solving`) import these names, and are bound to one core.

The rows
    `s` is a position: one row of integers at named offsets. First come the numbers that moves change, which are
    copied, compared and hashed (`changing(table)` numbers), beginning with the seat to move; then those that the deal
    fixes (decks); then scratch space. `table` is a `NamedTuple` of rows and numbers that are constant in all games: the
    board, options, card values. Several threads read one table; only `s` is written. `moves` and `priorities` are
    buffers of `MOST_MOVES` numbers; a priority is a move-ordering score. A move is an integer below 2**31 that
    identifies what is played independently of the position: it is the key of nodes in a search tree.

Restrictions of compiled code
    Functions call each other by imported names (``from ccgrid.engine.rows.dealing import below``), not as attributes of
    modules. Module-level names that they read are integers or tuples of integers. Rows are read and written element by
    element: no slices, no new rows, no stored references. No index is negative, no number reaches 2**62, and a name has
    one type.
    `//` and `%` are slower than shifts and masks. All functions are inlined into their callers, except large ones that
    are `@not_inlined` (`engine.rows.binding`). Code that cannot be compiled (text, cards, dictionaries) is in functions
    that are not called during a game.

    Counting bits, and finding the lowest, is one instruction (`engine.rows.row`).

Definitions that are never compiled
    ``OPTIONS``: the names of the options that the core supports; with any other, the readable rules play.
    ``ENDINGS``: the codes of the endings; `over` returns an index in it.
    ``IN_PLAIN_PYTHON`` (optional): other values of names of the core if nothing is compiled, such as the number of
    words in which a long number is stored. `games` and `world` are then bound as well.
    ``MOST_MOVES``: the maximum number of moves in a position.
    ``Table``, ``Hidden``: the classes of `table`, and of the data from which `deal_unseen` draws. Their fields are
    numbers (`int`) and rows, annotated with their width in compiled code (`engine.rows.row`).
    ``games(decks, players, options)``: `CoreGames` for many games, or None if the core cannot play these; `players` are
    the names in seat order.
    ``world(view)``: a `CoreWorld` for a search from a seat's view, or None if the view cannot be searched.
    ``position(state)``, ``row_of(table, state)``, ``reach(state)``: a `Position` to be solved, the row of another
    position of its game, and bounds of its value; for games that are solved on rows.
    ``SCALE``, ``EXPLORING``: a clear lead in points; the weight of exploration in a search.
    ``IS_OPEN`` (optional): true if the game has perfect information for two players, so that moves are proved during
    play.
    ``WORTH_COMPILING`` (optional): the number of games from which compilation pays, if it differs from the one here.

Tests: `assert_equal_games` (`tests/engine/many/test_kernels.py`) compares games on a core with the readable ones, move
for move; `tests/engine/rows/test_rows.py` plays every core in plain Python and compiled.
"""

from collections.abc import Callable, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from ccgrid.engine.rows.dealing import DeckPool, SeatDecks, below
from ccgrid.engine.rows.row import Floats, Row, Seeds

SEAT: Final = 0
"""The index of the seat to move in the row of a position."""

WORTH_COMPILING: Final = 10_000
MOST_GAINED: Final = 1 << 16
"""The maximum gain on an opponent in games that add up points."""

UNDECIDED: Final = 1 << 30
"""Returned instead of a lead if too many moves remain."""

MARGIN: Final = 0.25
"""The share of a game's value that depends on the lead; the rest depends on winning or losing."""


class Table(NamedTuple):
    """The data of a core that are constant in all games; each core has its own class of this name."""


class Hidden(NamedTuple):
    """The data from which `deal_unseen` draws, with buffers that only one thread uses; each core has its own class."""


TableT = TypeVar("TableT")
HiddenT = TypeVar("HiddenT")


class CoreWorld(NamedTuple, Generic[TableT, HiddenT]):
    """A position as a seat sees it, for playouts in sampled worlds.

    Attributes:
        table: The table of the core.
        seats: The number of players.
        start: The row of the position; its hidden parts are arbitrary.
        hidden: The data from which `deal_unseen` draws.
        numbers: The legal moves of the position in canonical notation, with their numbers; equivalent moves share one.
        most: An upper bound (exclusive) of all move numbers, or 0 if there is none, which only plain Python allows.
        depth: The maximum depth of a search tree.
        only: The only move worth considering, or None if there are several.
        unseen: The number of cards hidden from all players, if nothing else is hidden and `hidden` lists them; else
            None.
    """

    table: TableT
    seats: int
    start: Row
    hidden: HiddenT
    numbers: Mapping[str, int]
    most: int
    depth: int
    only: str | None = None
    unseen: int | None = None


class Position(NamedTuple, Generic[TableT]):
    """A position with perfect information.

    Attributes:
        table: The table of the core.
        row: The row of the position.
        plies: The maximum number of moves that can follow.
    """

    table: TableT
    row: Row
    plies: int


class CoreGames(NamedTuple, Generic[TableT]):
    """Data for many games.

    Attributes:
        table: The table of the core.
        pool: The source of decks.
        name: Converts a move's number to canonical notation.
        plies: The maximum number of moves in a game.
    """

    table: TableT
    pool: DeckPool
    name: Callable[[int], str]
    plies: int


def length(table: Table) -> int:
    """Return the length of the row of a position."""
    raise NotImplementedError


def changing(table: Table) -> int:
    """Return how many numbers at the beginning of the row moves can change."""
    raise NotImplementedError


def deciding(table: Table) -> int:
    """Return how many numbers at the beginning of the row affect the rest of the game: usually all that change.

    They may be followed by settled points, which `settled_lead` counts.
    """
    return changing(table)


def settled_lead(table: Table, s: Row) -> int:
    """Return the first seat's lead in points that can no longer change and affect nothing."""
    return 0


def deal(table: Table, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Deal a game with the same random draws as the game's `deal`.

    Args:
        table: The table.
        s: Filled with the first position.
        seat_decks: Each seat's deck before shuffling (`engine.rows.dealing`).
        first: The starting seat, or -1 if the generator or the rules determine it.
        dice: The random number generator.
    """
    raise NotImplementedError


def over(table: Table, s: Row) -> int:
    """Return why the game is over, as an index in `ENDINGS`, or -1 if it is not."""
    raise NotImplementedError


def legal(table: Table, s: Row, moves: Row) -> int:
    """Fill `moves` in the order of `State.legal_moves()` and return their number.

    The order must match, so that a seed selects the same moves.
    """
    raise NotImplementedError


def rate_moves(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the legal moves and `priorities` with their heuristic values; return the number of moves.

    It is 0 after the end of the game. Moves that are never worth considering may be omitted if others are listed.
    """
    raise NotImplementedError


def best(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the moves of the highest heuristic value, for the greedy player, and return their number."""
    return keep_best(moves, priorities, rate_moves(table, s, moves, priorities))


def keep_best(moves: Row, priorities: Row, count: int) -> int:
    """Move the best of `count` moves to the beginning of the row, and return their number."""
    most, found = priorities[0], 0
    for place in range(count):
        priority = priorities[place]
        if priority > most:
            # Moves collected for a lower priority are overwritten. `found` never exceeds `place`, so that nothing
            # unread is lost.
            most, found = priority, 0
        if priority == most:
            moves[found] = moves[place]
            found += 1
    return found


def random_move(table: Table, s: Row, moves: Row, dice: Seeds) -> int:
    """Return a random legal move. A core that need not list the moves overrides this."""
    return moves[below(dice, legal(table, s, moves))]


def greedy_move(table: Table, s: Row, moves: Row, priorities: Row, dice: Seeds) -> int:
    """Return a random one of the moves with the highest heuristic value."""
    return moves[below(dice, best(table, s, moves, priorities))]


def play(table: Table, s: Row, move: int) -> None:
    """Play a legal move."""
    raise NotImplementedError


def scores(table: Table, s: Row, points: Row | Floats) -> None:
    """Write each seat's current points to a row of either type."""
    raise NotImplementedError


def deal_unseen(table: Table, s: Row, hidden: Hidden, dice: Seeds) -> None:
    """Sample the cards hidden from the seat to move into a position, without other changes.

    `hidden` describes the candidates, as the core's own `NamedTuple` of rows, which only one thread uses.
    """
    raise NotImplementedError


def reveal_count(table: Table, s: Row) -> int:
    """Return the number of cards that have been revealed to all players."""
    return 0


def reveal_code(table: Table, s: Row, since: int) -> int:
    """Return a code for the cards revealed after the first `since`; 0 for none."""
    return 0


def set_reveal(table: Table, s: Row, hidden: Hidden, place: int, number: int) -> None:
    """Make a hidden card, given by its number in `hidden`, the one at this index among those revealed next."""
    raise NotImplementedError


def span(table: Table, s: Row, hidden: Hidden, left: int) -> tuple[int, int]:
    """Return bounds of the player to move's further gain; `left` are the hidden cards as a bit set."""
    return -MOST_GAINED, MOST_GAINED


def search_moves(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the moves to search, sorted by priority and then by number, and return their number."""
    count = rate_moves(table, s, moves, priorities)
    best_first(moves, priorities, count)
    return count


def last_lead(table: Table, s: Row) -> int:
    """Return the final lead of the player to move under best play, without the settled lead, or `UNDECIDED`.

    For two players; a core defines it if it can evaluate the last moves faster than a search.
    """
    return UNDECIDED


def best_first(moves: Row, priorities: Row, count: int) -> None:
    """Sort `count` moves by priority, the highest first, and then by number."""
    # Insertion sort: there are few moves, and the order does not depend on stability, in plain Python or compiled.
    for place in range(1, count):
        move, priority, at = moves[place], priorities[place], place
        while at > 0 and (priorities[at - 1] < priority or (priorities[at - 1] == priority and moves[at - 1] > move)):
            moves[at], priorities[at] = moves[at - 1], priorities[at - 1]
            at -= 1
        moves[at], priorities[at] = move, priority


def finish(table: Table, s: Row, moves: Row, priorities: Row, dice: Seeds) -> None:
    """Play out a game in a sampled world, to its end or until it can be evaluated."""
    while over(table, s) < 0:
        found = best(table, s, moves, priorities)
        # A single move needs no draw. The number of random draws must match the readable rules, because the game
        # continues with this generator.
        play(table, s, moves[below(dice, found) if found > 1 else 0])


def judge(table: Table, s: Row, scale: float, points: Floats, worths: Floats) -> None:
    """Compute each seat's points at the end of a playout, and the value for the seat, 0 to 1.

    The value depends mostly on whether the seat wins, and partly on its lead; `scale` is a clear lead in points.
    """
    scores(table, s, points)
    best, leaders = points[0], 0
    for seat in range(len(points)):
        # Not `max(points)`: a core reads rows element by element.
        best = max(best, points[seat])
    for seat in range(len(points)):
        leaders += 1 if points[seat] == best else 0
    for seat in range(len(points)):
        ahead = lead(points, seat)
        # A seat ahead of all others wins; seats that share the lead share the win; others get nothing.
        share = 1.0 / leaders if ahead == 0 else (1.0 if ahead > 0 else 0.0)
        # Clamp to -1 to 1 and map to 0 to 1: a lead beyond `scale` is worth no more.
        clear = (1.0 + min(max(ahead / scale, -1.0), 1.0)) / 2.0
        worths[seat] = (1.0 - MARGIN) * share + MARGIN * clear


def lead(points: Floats, seat: int) -> float:
    """Return a seat's lead over its best opponent, in points."""
    # Below any score; not `-inf`, because compiled code reads only integers from modules.
    best = -1e300
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best
