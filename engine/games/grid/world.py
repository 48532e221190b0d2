"""Games of grid with a pile drawn at random, played quickly on lanes (`engine.games.grid.lanes`)."""

from typing import Final

from engine.dice import Dice
from engine.games.grid.lanes import EMPTY_CELL, ENDS, LEGAL, NAMES, SCORE, Row, greediest, position, row_of
from engine.games.grid.state import EMPTY, GridState
from engine.worlds import sample_world

_NOTHING: Final[Row] = (*EMPTY_CELL, 0, *(0 for _ in ENDS))


class GridWorld:
    """A game of grid without the variants order and empty-pile; moves are bits of lanes.

    Where more than two play, the others are thought to be greedy: to find what each of them would do best would take so
    many rounds that little were known of any move.
    """

    scale: float = 40.0
    exploring: float = 0.6

    def __init__(self, state: GridState, dice: Dice) -> None:
        """`state` is what a seat sees, or more, which is not looked at."""
        full = sample_world(state, state.to_move, dice)
        if not isinstance(full, GridState):
            raise TypeError("this is not a game of grid")
        cards = [row_of(card) for card in full.setup.cards]
        self.seats = len(state.players)
        self.seat = self._first = state.to_move
        self._lying = [_NOTHING if card == EMPTY else cards[card] for card in state.grid]
        self._start = position(self._lying)
        self._pile = cards[state.turned_up :]
        self._before = list(state.scores())

    def begin(self, dice: Dice) -> None:
        """Shuffles the pile."""
        self._lanes = self._start
        self._grid = self._lying[:]
        self._drawn = dice.shuffled(self._pile)[::-1]
        self._points = self._before[:]
        self._dice = dice
        self.seat = self._first

    def legal(self) -> list[int]:
        """Those that take the highest score first; of another seat, where more than two play, one that takes most."""
        legal, grid = self._lanes & LEGAL, self._grid
        if legal and self.seats > 2 and self.seat != self._first:
            found = greediest(legal, grid)
            return [found[0] if len(found) == 1 else found[self._dice.below(len(found))]]
        moves = []
        while legal:
            bit = legal & -legal
            legal ^= bit
            moves.append((-grid[ENDS[bit][1]][SCORE], bit))
        moves.sort()
        return [bit for _, bit in moves]

    def play(self, move: int) -> None:
        """Takes the card."""
        source, target, moved = ENDS[move]
        grid = self._grid
        mover, taken = grid[source], grid[target]
        card = self._drawn.pop() if self._drawn else _NOTHING
        self._lanes += card[source] + mover[moved] - taken[target]
        grid[source], grid[target] = card, mover
        self._points[self.seat] += taken[SCORE]
        self.seat = (self.seat + 1) % self.seats

    def name(self, move: int) -> str:
        """The move of a bit."""
        return NAMES[move]

    def finish(self, dice: Dice) -> list[int]:
        """Everybody takes the highest score there is; among equals any."""
        lanes, grid, drawn, points, seat = self._lanes, self._grid, self._drawn, self._points, self.seat
        ends, score, below, seats = ENDS, SCORE, dice.below, self.seats
        while legal := lanes & LEGAL:
            found = greediest(legal, grid)
            source, target, moved = ends[found[0] if len(found) == 1 else found[below(len(found))]]
            mover, taken = grid[source], grid[target]
            card = drawn.pop() if drawn else _NOTHING
            lanes += card[source] + mover[moved] - taken[target]
            grid[source], grid[target] = card, mover
            points[seat] += taken[score]
            seat = (seat + 1) % seats
        return points
