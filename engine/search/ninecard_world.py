"""Games of ninecard played on by the readable rules to the end of a round of turns, and judged there."""

from typing import Final

from engine.dice import Dice
from engine.games.ninecard.state import NinecardState
from engine.search.state_world import StateWorld

_CREATURE: Final = 0.8
_CARD: Final = 1.0
_ENERGY: Final = 1.0
"""What a creature's cost, a card in hand and a card laid as energy are worth, in points of life."""

_OUT: Final = -30.0
"""What it is worth to be out."""


class NinecardWorld(StateWorld):
    """A game of ninecard, of which the others' next turns are played on, and no more."""

    scale: float = 30.0

    def __init__(self, view: NinecardState, dice: Dice) -> None:
        """`view` is what a seat sees."""
        super().__init__(view)
        self._last = view.turn + len(view.sides)

    def finish(self, dice: Dice) -> list[float]:
        """Everybody plays the move that the heuristic says is best; among equals any."""
        heuristic = self._heuristic
        while self._state.turn < self._last and (moves := self._state.legal_moves()):
            if len(moves) == 1:
                self.play(moves[0])
                continue
            values = [heuristic(self._state, move) for move in moves]
            best = max(values)
            self.play(dice.choose([move for move, value in zip(moves, values, strict=True) if value == best]))
        return self.standing()

    def standing(self) -> list[float]:
        """Life, and what lies on the table or is held; where the game is over its scores decide."""
        state: NinecardState = self._state
        if state.is_over():
            return [_OUT if side.is_out else float(side.life) for side in state.sides]
        return [
            _OUT
            if side.is_out
            else side.life
            + _CREATURE * sum(creature.cost for creature in side.grid if creature is not None)
            + _CARD * len(side.hand)
            + _ENERGY * min(side.all_energy, 12)
            for side in state.sides
        ]
