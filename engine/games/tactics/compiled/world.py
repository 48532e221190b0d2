"""A world of tactics in compiled code: what is hidden is dealt, moves are looked at and made, as in `TacticsWorld`."""

from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types

from engine.games.tactics.compiled.looks import OPEN, SIDES, beaten, looks, neighbours, turns, values
from engine.kernels.compiled.compiler import bundle, compiled
from engine.kernels.compiled.numeric import INTS, ints
from engine.kernels.compiled.rounds import shuffled
from engine.kernels.compiled.throwing import below

_U: Final = np.uint64
_I: Final = np.int64


class Position(NamedTuple):
    """Where a game stands, and what may lie where nobody sees it; cards are their places in all decks in a row.

    Attributes:
        around, worth, turn: the board, as of `engine.games.tactics.compiled.looks`.
        numbers: what each label shows at the top, right, bottom and left of the table.
        labels: the label of each card, as far as it is known.
        grid: the card on each cell, or -1.
        owners: the seat of each card.
        hands: for each seat how many cards it holds, then these.
        drawn: for each seat the card that it draws next, and the first behind its deck.
        captured: for each seat how many cards it captured.
        seat: who is to move.
        hidden: the cards that are not known, in groups of one owner each.
        groups: for each group where it begins and ends in `hidden`, and the first and last of the decks it may be of.
        decks: these decks, as labels.
        bounds: for each of them where it begins in `decks`, and the end of the last.
    """

    around: Any
    worth: Any
    turn: Any
    numbers: Any
    labels: Any
    grid: Any
    owners: Any
    hands: Any
    drawn: Any
    captured: Any
    seat: Any
    hidden: Any
    groups: Any
    decks: Any
    bounds: Any


_PLACES: Final = "uint64[::1]"
_ROWS: Final = "int64[:, ::1]"
POSITION: Final = bundle(
    Position,
    "uint64[:, ::1]",
    INTS,
    _PLACES,
    "uint8[:, ::1]",
    *[INTS] * 3,
    *[_ROWS] * 2,
    INTS,
    "int64",
    INTS,
    _ROWS,
    *[INTS] * 2,
)


class World(NamedTuple):
    """The world that is played on, and room for what is thought about it.

    Attributes:
        labels, hands, drawn, points: as of `Position`, with what is hidden dealt.
        holder: the seat that holds each cell, `OPEN` for one that is open and for what is off the board.
        lying: what the cards on the cells show; then nothing, for what is off the board; then those in hand.
        kinds: of the cards in hand that have different labels the places there.
        found: the cells of the cards that are captured.
        moves, promises: the moves of who is to move, and how good they look.
        deck: a deck that is dealt.
    """

    labels: Any
    hands: Any
    drawn: Any
    points: Any
    holder: Any
    lying: Any
    kinds: Any
    found: Any
    moves: Any
    promises: Any
    deck: Any


WORLD: Final = bundle(World, INTS, _ROWS, _ROWS, INTS, "uint8[::1]", "uint8[:, ::1]", INTS, _PLACES, INTS, INTS, INTS)


def position(numbers: Any, rows: Any, seat: int, hidden: Any) -> Position:
    """A position of as many as `rows` has hands.

    Args:
        numbers: what each label shows.
        rows: `labels`, `grid`, `owners`, `hands`, `drawn` and `captured` of `Position`.
        seat: who is to move.
        hidden: `hidden`, `groups`, `decks` and `bounds` of `Position`.
    """
    seats = len(rows[-1])
    labels, grid, owners, hands, drawn, captured = map(ints, rows)
    cards, groups, decks, bounds = map(ints, hidden)
    return Position(
        neighbours(seats),
        values(seats),
        turns(seats),
        np.array(numbers, np.uint8),
        labels,
        grid,
        owners,
        hands,
        drawn,
        captured,
        seat,
        cards,
        groups.reshape(-1, 4),
        decks,
        bounds,
    )


@compiled(WORLD(POSITION))
def new_world(start: Any) -> Any:
    """Room for the worlds of a position."""
    cells, most_held, longest = len(start.worth), start.hands.shape[1], _I(0)
    for deck in range(len(start.bounds) - 1):
        longest = max(longest, start.bounds[deck + 1] - start.bounds[deck])
    return World(
        start.labels.copy(),
        start.hands.copy(),
        start.drawn.copy(),
        start.captured.copy(),
        np.full(cells + 1, OPEN, np.uint8),
        np.zeros((cells + 1 + most_held, SIDES), np.uint8),
        np.zeros(most_held, np.int64),
        np.zeros(SIDES, np.uint64),
        np.zeros(most_held * cells, np.int64),
        np.zeros(most_held * cells, np.int64),
        np.zeros(longest, np.int64),
    )


@compiled(types.uint64(types.uint64, POSITION, WORLD), inline=True, borrows=True)
def deal(state: Any, start: Any, world: Any) -> Any:
    """Goes back to the position, deals what is hidden, and gives the state of the dice after that."""
    for card in range(len(start.labels)):
        world.labels[card] = start.labels[card]
    for group in range(len(start.groups)):
        first, deck = start.groups[group, 0], start.groups[group, 2]
        decks = start.groups[group, 3] - deck
        if decks > 1:
            state, chosen = below(state, _U(decks))
            deck += _I(chosen)
        row = world.deck[: start.bounds[deck + 1] - start.bounds[deck]]
        for place in range(len(row)):
            row[place] = start.decks[start.bounds[deck] + place]
        state = shuffled(state, row)
        for place in range(start.groups[group, 1] - first):
            world.labels[start.hidden[first + place]] = row[place % len(row)]
    for seat in range(len(start.captured)):
        world.points[seat] = start.captured[seat]
        world.drawn[seat, 0], world.drawn[seat, 1] = start.drawn[seat, 0], start.drawn[seat, 1]
        for place in range(start.hands.shape[1]):
            world.hands[seat, place] = start.hands[seat, place]
    for cell in range(len(start.grid)):
        card = start.grid[cell]
        world.holder[cell] = OPEN if card < 0 else start.owners[card]
        if card >= 0:
            for side in range(SIDES):
                world.lying[cell, side] = start.numbers[world.labels[card], side]
    return state


@compiled(types.int64(POSITION, WORLD, types.int64), inline=True, borrows=True)
def look(start: Any, world: Any, seat: Any) -> Any:
    """How many moves a seat has, which are in `moves` as they are found: the label times the cells, and the cell."""
    cells, kinds, count = len(start.worth), _I(0), _I(0)
    for place in range(world.hands[seat, 0]):
        label, is_new = world.labels[world.hands[seat, place + 1]], True
        for other in range(kinds):
            is_new = is_new and world.labels[world.hands[seat, world.kinds[other] + 1]] != label
        if not is_new:
            continue
        world.kinds[kinds] = place
        kinds += 1
        row = _U(cells) + _U(kinds)
        for side in range(SIDES):
            world.lying[row, side] = start.numbers[label, side]
        for cell in range(cells):
            if world.holder[cell] == OPEN:
                world.moves[count] = label * cells + cell
                world.promises[count] = looks(
                    _U(cell),
                    world.lying,
                    world.holder,
                    start.around,
                    start.worth,
                    _U(seat),
                    start.turn[seat],
                    row,
                    world.found,
                )
                count += 1
    return count


@compiled(types.int64(POSITION, WORLD, types.int64, types.int64), inline=True, borrows=True)
def put(start: Any, world: Any, seat: Any, move: Any) -> Any:
    """Puts a card on a cell, draws another, and gives the seat that moves next: the same if nobody has a card."""
    cells = len(start.worth)
    label, cell = move // cells, _U(move % cells)
    held = world.hands[seat, 0]
    place = _I(1)
    while world.labels[world.hands[seat, place]] != label:
        place += 1
    for later in range(place, held):
        world.hands[seat, later] = world.hands[seat, later + 1]
    card = _U(cells + 1)
    for side in range(SIDES):
        world.lying[card, side] = start.numbers[label, side]
    taken = beaten(cell, world.lying, world.holder, start.around, _U(seat), start.turn[seat], card, world.found)
    for other in range(taken):
        world.holder[world.found[other]] = OPEN
    world.points[seat] += _I(taken)
    world.holder[cell] = seat
    for side in range(SIDES):
        world.lying[cell, side] = world.lying[card, side]
    if world.drawn[seat, 0] < world.drawn[seat, 1]:
        world.hands[seat, held] = world.drawn[seat, 0]
        world.drawn[seat, 0] += 1
    else:
        world.hands[seat, 0] = held - 1
    seats = len(world.points)
    for step in range(1, seats + 1):
        following = (seat + step) % seats
        if world.hands[following, 0]:
            return following
    return seat
