"""What a choice was about: the turning point of a game, and what could be answered to one move and another."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.insight.analysis import Analysis, Look
from ccgrid.engine.records.record import Record
from ccgrid.engine.search.proving import lead_of
from ccgrid.engine.worlds import sample_world

_WORLDS: Final = 40
"""In so many worlds it is looked what the next player could do."""


@dataclass(frozen=True, slots=True)
class After:
    """What comes at once of a move: points for its player, and what the next player's best answer takes, on average.

    Attributes:
        gained: points of lead for who made it.
        taken: points of lead that the next player's best answer brings that player.
        answers: how often each move was such an answer that takes anything, of all worlds.
    """

    gained: float
    taken: float
    answers: dict[str, float]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one move was worse than another, as far as two moves show it.

    Attributes:
        look: the move that was made, and what all were worth.
        view: the position before it, as its player saw it.
        played, best: what came of the two.
        answer: the answer that costs most after the move that was made; None where none takes anything.
        state: a position in which that answer could be made.
        otherwise: how often it could be made after the best move, of all worlds.
        is_open: whether nothing was hidden from who moved.
    """

    look: Look
    view: State
    played: After
    best: After
    answer: str | None
    state: State | None
    otherwise: float
    is_open: bool

    @property
    def is_answer(self) -> bool:
        """Whether what the next player could do explains a good part of it."""
        return self.answer is not None and self.played.taken - self.best.taken >= max(1.0, self.look.lost / 3)

    @property
    def is_gain(self) -> bool:
        """Whether the points at once do."""
        return self.best.gained - self.played.gained >= max(1.0, self.look.lost / 3)


@dataclass(frozen=True, slots=True)
class LookedBack:
    """A game looked back at: all its moves, the number, from 0, of the one that turned it, if any did, and why."""

    analysis: Analysis
    turning_point: int | None
    reason: Reason | None


def look_back(record: Record, analysis: Analysis) -> LookedBack:
    """A game with its turning point, of which all moves were looked at."""
    number = turning_point(analysis)
    if number is None:
        return LookedBack(analysis, None, None)
    state = Record(record.setup, record.moves[:number]).final()
    return LookedBack(analysis, number, reason(state, analysis.looks[number], Dice(number)))


def turning_point(analysis: Analysis) -> int | None:
    """The number, from 0, of the move with a mark that gave most away; None where no move has one."""
    marked = [number for number, look in enumerate(analysis.looks) if look.mark]
    return max(marked, key=lambda number: analysis.looks[number].lost, default=None)


def reason(state: State, look: Look, dice: Dice) -> Reason:
    """Why the move that was made gave points away, in worlds that the player may have been in.

    Args:
        state: the position before the move; what its player could not see of it is not looked at.
        look: the move.
        dice: what the worlds are drawn with.
    """
    view = state.view(look.seat)
    is_open = view.is_open(look.seat)
    worlds = [sample_world(view, look.seat, dice) for _ in range(1 if is_open else _WORLDS)]
    best = look.knowable.best.move
    (played, costs, states), (other, _, _) = (_after(worlds, move) for move in (look.move, best))
    answer = max(costs, key=lambda move: (costs[move], move), default=None)
    otherwise = 0.0
    if answer is not None:
        following = [world.play_unchecked(best) for world in worlds]
        could = sum(one.to_move == states[answer].to_move and answer in one.legal_moves() for one in following)
        otherwise = could / len(worlds)
    return Reason(look, view, played, other, answer, states.get(answer or ""), otherwise, is_open)


def _after(worlds: list[State], move: str) -> tuple[After, Counter[str], dict[str, State]]:
    gained = taken = 0.0
    often: Counter[str] = Counter()
    costs: Counter[str] = Counter()
    states = {}
    for world in worlds:
        seat, state = world.to_move, world.play_unchecked(move)
        gained += lead_of(state, seat) - lead_of(world, seat)
        legal = () if state.to_move == seat else state.legal_moves()
        if not legal:
            continue
        before, other = lead_of(state, state.to_move), state.to_move
        gain, answer = max((lead_of(state.play_unchecked(one), other) - before, one) for one in legal)
        if gain > 0:
            taken += gain
            often[answer] += 1
            costs[answer] += gain
            states[answer] = state
    shares = {answer: count / len(worlds) for answer, count in often.items()}
    return After(gained / len(worlds), taken / len(worlds), shares), costs, states
