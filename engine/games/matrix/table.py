"""The last rounds of matrix among three and four: hands that agree with what was played, and players who go on so."""

from typing import Final

from engine.dice import Dice
from engine.game import State
from engine.games.matrix.cards import KINDS
from engine.games.matrix.heuristic import tried_with
from engine.games.matrix.signs import NO_SIGNS, habits
from engine.games.matrix.state import MatrixState
from engine.search.state_world import StateWorld

_SEARCHED: Final = 3
"""So many of the last rounds are searched."""

_COUNTS_FOR: Final = 5
"""So many rounds one of these counts for: greedy players try their last moves out themselves, which takes long."""

SWAPS: Final = 60
"""So often two hidden cards may change places for hands that agree better with what was played."""


def hoards(view: State) -> bool:
    """Whether it is too early to think: with three or four players nothing counts yet but which cards are kept."""
    return isinstance(view, MatrixState) and len(view.hands) > 2 and len(view.hands[view.to_move]) > _SEARCHED


def is_late(view: State) -> bool:
    """Whether these are the last rounds of three or four."""
    return isinstance(view, MatrixState) and len(view.hands) > 2 and not hoards(view)


def games(view: State, rounds: int | None) -> int | None:
    """How many games are played on for so many rounds."""
    return max(rounds // _COUNTS_FOR, 1) if rounds is not None and is_late(view) else rounds


class MatrixTable(StateWorld):
    """A game of which the moves of the position alone are searched: the others are not asked what answers best.

    They go on as greedy players would, who throw other dice each time; who slipped before slips as often again, to any
    move at all.

    Attributes:
        holders: for each hidden card that is dealt who gets it.
        hidden: the cards that its seat does not see, by their places in `KINDS`.
        habits: what moves told of the others.
        signs: what speaks against whom holding what, and last nothing, for the box.
    """

    scale: float = 12.0
    exploring: float = 0.7

    def __init__(self, view: MatrixState) -> None:
        """`view` is what a seat sees, or more, which is not looked at."""
        view = view.view(view.to_move)
        super().__init__(view)
        self._seen = view
        (hidden,) = view.unseen(self._first) or (None,)
        self.hidden = [KINDS.index(kind) for kind in hidden.cards or ()] if hidden is not None else []
        self.holders = [seat for seat, hand in enumerate(view.hands) for kind in hand if kind is None]
        self.habits = habits(view)
        self.signs = (*self.habits.signs, NO_SIGNS)

    def begin(self, dice: Dice) -> None:
        """Deals what the others may hold."""
        self._state, self.seat, self._moves = self._seen.with_hands(self._drawn(dice)), self._first, 0

    def legal(self) -> list[str]:
        """Those first that the heuristic says are best; none after the first move."""
        return [] if self._moves else super().legal()

    def finish(self, dice: Dice) -> list[float]:
        """Everybody plays on; nobody knows with which dice the others try their last moves out."""
        while moves := self._state.legal_moves():
            slipped = self.habits.slipped[self.seat]
            if not slipped or dice.below(self.habits.judged[self.seat]) >= slipped:
                other = dice.bits()
                values = [tried_with(self._state, move, other) for move in moves]
                best = max(values)
                moves = [move for move, value in zip(moves, values, strict=True) if value == best]
            self.play(dice.choose(moves))
        return self.standing()

    def _drawn(self, dice: Dice) -> dict[int, list[str]]:
        cards, signs = dice.shuffled(self.hidden), self.signs
        holders = self.holders + [-1] * (len(cards) - len(self.holders))
        for _ in range(SWAPS if self.holders else 0):
            one, other = dice.below(len(self.holders)), dice.below(len(cards))
            here, there = signs[holders[one]], signs[holders[other]]
            before = here[cards[one]] + there[cards[other]]
            if here[cards[other]] + there[cards[one]] <= before:
                cards[one], cards[other] = cards[other], cards[one]
        hands = {seat: [kind for kind in self._seen.hands[seat] if kind is not None] for seat in self.holders}
        for seat, card in zip(self.holders, cards, strict=False):
            hands[seat].append(KINDS[card])
        return hands
