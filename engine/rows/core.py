"""What the core of a game offers: its rules once more, as functions on rows of whole numbers.

A core is the module `core.py` in the folder of a game. Its functions run as they stand, on lists, and compiled, on
arrays (`engine.rows.binding`, `engine.rows.compiling`). What is below is the contract: a core defines functions with
these names and parameters; what it does not define is as it is here. The loops (`engine.rows.games`,
`engine.rows.rounds`, `engine.rows.solving`) import these names, and are bound to one core.

The rows
    `s` is a position: one row of whole numbers at offsets that have names. First what moves change, which is copied,
    compared and hashed (`changing(table)` numbers), the seat to move at the beginning; then what a deal settles
    (decks); then room for whatever the functions need. `table` is a `NamedTuple` of rows and numbers that stay the same
    in all games: the board, options, what cards are worth. Several threads read one table: what is written is in `s`.
    `moves` and `promises` are room for `MOST_MOVES` numbers. A move is a whole number below 2**31 that says by itself
    what is played, whenever that is: the tree of a search has nodes for it.

What can be compiled
    Functions call each other by names that they import (``from ccgrid.engine.rows.dealing import below``), not as
    attributes of modules. What they read of modules are whole numbers, or tuples of them. Rows are read and written
    number by number: no slices, no rows made, none kept. No index is below 0, no number reaches 2**62, and a name has
    one type.
    `//` and `%` cost more than shifts and bits. All functions are inlined where they are called, except the large
    ones that are `@not_inlined` (`engine.rows.binding`). What cannot be compiled (texts, cards, dictionaries) is in
    functions that no game calls while it is played.

    To count bits, and to find the lowest, is one instruction (`engine.rows.row`).

What is never compiled
    ``OPTIONS``: the names of the options that the core knows: with any other the readable rules play.
    ``ENDINGS``: the codes of the endings; `over` gives a place in it.
    ``IN_PLAIN_PYTHON``, if it is there: other values that names of the core have where nothing is compiled, such as how
    many words a long number is kept in. `games` and `world` are bound then, too.
    ``MOST_MOVES``: the most moves that a position has.
    ``Table``, ``Hidden``: the classes of `table` and of what `deal_unseen` draws from. Their fields are numbers (`int`)
    and rows, whose annotation says how wide they are when compiled (`engine.rows.row`).
    ``games(decks, players, options)``: `CoreGames` for many games, or `None` where it cannot play these; `players`
    are the names of those who sit there, in the order of their seats.
    ``world(view)``: a `World` for a search from what a seat sees, or `None` where it cannot be searched so.
    ``position(state)``, ``row_of(table, state)``, ``reach(state)``: a `Position` to be solved, the row of another one
    of its game, and the least and the most that its value can be; where games are solved in rows.
    ``SCALE``, ``EXPLORING``: a lead in points that is a clear one; how much it counts for a move in a search that it
    was seldom tried.
    ``IS_OPEN``, where it is true: two players hide nothing, so that moves are proved while a game is played.
    ``WORTH_COMPILING``: the number of games from which compiling it pays, if not the one here.

How to test it: `assert_equal_games` (`tests/engine/many/test_kernels.py`) compares games by a core with the readable
ones move for move, `tests/engine/rows/test_rows.py` plays every core plain and compiled.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from ccgrid.engine.rows.dealing import DeckPool, SeatDecks, below
from ccgrid.engine.rows.row import Floats, Row, Seeds

SEAT: Final = 0
"""The place in the row of a position of the seat to move."""

WORTH_COMPILING: Final = 10_000
MOST_GAINED: Final = 1 << 16
"""Nobody gains more on another in games whose points are added up."""

UNDECIDED: Final = 1 << 30
"""No lead: too many moves are left."""

MARGIN: Final = 0.25
"""So much of what a game is worth is by how much it is won, the rest whether it is."""


class CoreWorld(NamedTuple):
    """A game of which a seat sees a position, to be played on in worlds that are drawn.

    Attributes:
        table: the table of the core.
        seats: how many play.
        start: the row of the position; what is hidden may be anything.
        hidden: what `deal_unseen` draws from.
        numbers: the legal moves of the position, as records write them, with their numbers; those that play alike have
            one.
        most: all moves have numbers below this.
        depth: a tree of moves is so deep at most: as many as can follow, or fewer.
        only: the one move that is worth looking at, if there is no other.
        unseen: how many cards are hidden from everybody, if that is all and `hidden` knows them; `None` where more is
            hidden, or less is known.
    """

    table: Any
    seats: int
    start: Row
    hidden: Any
    numbers: Mapping[str, int]
    most: int
    depth: int
    only: str | None = None
    unseen: int | None = None


class Position(NamedTuple):
    """A position of which everything is known.

    Attributes:
        table: the table of the core.
        row: its row.
        plies: the most moves that can follow.
    """

    table: Any
    row: Row
    plies: int


class CoreGames(NamedTuple):
    """What many games are played with.

    Attributes:
        table: the table of the core.
        pool: what decks are made of.
        name: gives a move's number its text, as records write it.
        plies: the most moves that a game has.
    """

    table: Any
    pool: DeckPool
    name: Callable[[int], str]
    plies: int


def length(table: Any) -> int:
    """How long the row of a position is."""
    raise NotImplementedError


def changing(table: Any) -> int:
    """How many numbers at the beginning of the row moves change."""
    raise NotImplementedError


def deciding(table: Any) -> int:
    """How many numbers at the beginning of the row decide how the game goes on: usually all that change.

    Behind them may be points that were made and stay, which `settled_lead` counts.
    """
    return changing(table)


def settled_lead(table: Any, s: Row) -> int:
    """The first seat's points less the second's, of those that stay whatever comes and that decide nothing."""
    return 0


def deal(table: Any, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Deals a game as the game's `deal` does, throw for throw.

    Args:
        table: the table.
        s: is filled with the first position.
        seat_decks: each seat's deck before it is shuffled (`engine.rows.dealing`).
        first: the seat that starts, or -1 where the dice say it, or the rules.
        dice: what is thrown.
    """
    raise NotImplementedError


def over(table: Any, s: Row) -> int:
    """Why the game is over, as a place in `ENDINGS`; -1 where it is not."""
    raise NotImplementedError


def legal(table: Any, s: Row, moves: Row) -> int:
    """How many legal moves there are, which are in `moves`, in the order of `State.legal_moves()`.

    The order is owed: the dice then choose the same move.
    """
    raise NotImplementedError


def look(table: Any, s: Row, moves: Row, promises: Row) -> int:
    """As `legal`, and in `promises` how good each looks at once, as the game's heuristic says; 0 when it is over.

    Moves may be missing that nobody should think about where there are those that are listed.
    """
    raise NotImplementedError


def best(table: Any, s: Row, moves: Row, promises: Row) -> int:
    """As `legal`, of the moves that look best alone: what the greedy player chooses from."""
    return most_promising(moves, promises, look(table, s, moves, promises))


def most_promising(moves: Row, promises: Row, count: int) -> int:
    """Moves the best-looking of `count` moves to the beginning of the row; how many there are."""
    most, found = promises[0], 0
    for place in range(count):
        promise = promises[place]
        if promise > most:
            # What was moved for less is overwritten. Never more is written than was read: `found` does not pass
            # `place`.
            most, found = promise, 0
        if promise == most:
            moves[found] = moves[place]
            found += 1
    return found


def random_move(table: Any, s: Row, moves: Row, dice: Seeds) -> int:
    """The move of the random player: any legal one. A core that need not list them has its own."""
    return moves[below(dice, legal(table, s, moves))]


def greedy_move(table: Any, s: Row, moves: Row, promises: Row, dice: Seeds) -> int:
    """The move of the greedy player: of those that look best any."""
    return moves[below(dice, best(table, s, moves, promises))]


def play(table: Any, s: Row, move: int) -> None:
    """Plays a legal move."""
    raise NotImplementedError


def scores(table: Any, s: Row, points: Row | Floats) -> None:
    """Each seat's points, as the position is now, into a row of either kind."""
    raise NotImplementedError


def deal_unseen(table: Any, s: Row, hidden: Any, dice: Seeds) -> None:
    """Draws what the seat to move cannot see into a position, in which all else is as it is.

    `hidden` says what may be there, a `NamedTuple` of rows of the core's own, which one thread alone uses.
    """
    raise NotImplementedError


def reveal_count(table: Any, s: Row) -> int:
    """How many cards were turned up that everybody sees from then on, and nobody saw before."""
    return 0


def reveal_code(table: Any, s: Row, since: int) -> int:
    """A number for the cards turned up after the first `since`; 0 for none."""
    return 0


def set_reveal(table: Any, s: Row, hidden: Any, place: int, number: int) -> None:
    """Makes a hidden card, by its number in `hidden`, the one at this place among those that are turned up next."""
    raise NotImplementedError


def span(table: Any, s: Row, hidden: Any, left: int) -> tuple[int, int]:
    """The least and the most that who is to move can still gain on the other; `left` are the hidden cards, as bits."""
    return -MOST_GAINED, MOST_GAINED


def search_moves(table: Any, s: Row, moves: Row, promises: Row) -> int:
    """The moves that a search looks at, those that look best first, of equal ones by their numbers; how many."""
    count = look(table, s, moves, promises)
    best_first(moves, promises, count)
    return count


def last_lead(table: Any, s: Row) -> int:
    """How far who is to move leads in the end if both play best, less what is settled; else `UNDECIDED`.

    For two players; a core has it that knows this of the last moves sooner than a search tries each of them.
    """
    return UNDECIDED


def best_first(moves: Row, promises: Row, count: int) -> None:
    """Sorts `count` moves."""
    # By insertion: moves are few, and an order by promise and number is the same plain and compiled, stable or not.
    for place in range(1, count):
        move, promise, at = moves[place], promises[place], place
        while at > 0 and (promises[at - 1] < promise or (promises[at - 1] == promise and moves[at - 1] > move)):
            moves[at], promises[at] = moves[at - 1], promises[at - 1]
            at -= 1
        moves[at], promises[at] = move, promise


def finish(table: Any, s: Row, moves: Row, promises: Row, dice: Seeds) -> None:
    """Plays a game in a drawn world on, to its end or to where it can be judged."""
    while over(table, s) < 0:
        found = best(table, s, moves, promises)
        # One move needs no throw; which throws are made is owed, since the game goes on with these dice.
        play(table, s, moves[below(dice, found) if found > 1 else 0])


def judge(table: Any, s: Row, scale: float, points: Floats, worths: Floats) -> None:
    """Each seat's points where a game was played on to, and what that is worth to it, 0 to 1.

    Mostly whether it wins, and a little by how much; a lead of `scale` points is a clear one.
    """
    scores(table, s, points)
    best, leaders = points[0], 0
    for seat in range(len(points)):
        # Not `max(points)`: a core reads rows number by number.
        best = max(best, points[seat])
    for seat in range(len(points)):
        leaders += 1 if points[seat] == best else 0
    for seat in range(len(points)):
        ahead = lead(points, seat)
        # Who is ahead of all others wins alone; who leads with others shares, who is behind has nothing.
        share = 1.0 / leaders if ahead == 0 else (1.0 if ahead > 0 else 0.0)
        # -1 to 1, and from there 0 to 1: more than `scale` points ahead is worth no more.
        clear = (1.0 + min(max(ahead / scale, -1.0), 1.0)) / 2.0
        worths[seat] = (1.0 - MARGIN) * share + MARGIN * clear


def lead(points: Floats, seat: int) -> float:
    """A seat's points ahead of the best of the others."""
    # Below all points that there are. A core reads only whole numbers of a module, so not `inf`.
    best = -1e300
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best
