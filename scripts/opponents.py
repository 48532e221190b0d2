"""Players that know nothing of how `strong` thinks: simple, slow, each good at one thing, by the readable rules alone.

They see what their seat sees. What is hidden they draw anew (`sample_world`), whatever the game.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.players import Budget
from ccgrid.engine.worlds import sample_world

Choose = Callable[[State, Sequence[str], Dice], str]


@dataclass(frozen=True)
class Opponent:
    """A player under a name, and the games that it is meant for."""

    name: str
    games: tuple[str, ...]
    plays: Choose

    def __str__(self) -> str:
        return self.name

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        return legal[0] if len(legal) == 1 else self.plays(view, legal, dice)


def lead(state: State, seat: int) -> int:
    """How many points a seat is ahead of the best of the others."""
    scores = state.scores()
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def best(legal: Sequence[str], values: Sequence[float], dice: Dice) -> str:
    """A move of the highest value; of several that the dice choose."""
    highest = max(values)
    return dice.choose([move for move, value in zip(legal, values, strict=True) if value == highest])


# --- greedy variants ----------------------------------------------------------------------------------------------


def heuristic(state: State, move: str) -> float:
    return find_game(state.game).heuristic(state, move)


def greedy(state: State, legal: Sequence[str], dice: Dice) -> str:
    return best(legal, [heuristic(state, move) for move in legal], dice)


def careless(state: State, legal: Sequence[str], dice: Dice) -> str:
    """Greedy but for every fourth move, which is any."""
    return dice.choose(legal) if dice.below(4) == 0 else greedy(state, legal, dice)


def wary(view: State, legal: Sequence[str], dice: Dice) -> str:
    """The move after which its lead is best when the next to move answers greedily, over four worlds."""
    seat = view.to_move
    worlds = [sample_world(view, seat, dice) for _ in range(4)]

    def after(world: State, move: str) -> float:
        state = world.play_unchecked(move)
        answers = state.legal_moves()
        if answers and state.to_move != seat:
            state = state.play_unchecked(max(answers, key=lambda answer: heuristic(state, answer)))
        return lead(state, seat)

    return best(legal, [sum(after(world, move) for world in worlds) for move in legal], dice)


# --- pure sampling ------------------------------------------------------------------------------------------------


def sampling(playouts: int) -> Choose:
    """The move that wins most of so many games each, played on greedily by all in worlds that may be."""

    def choose(view: State, legal: Sequence[str], dice: Dice) -> str:
        seat = view.to_move
        values = [0.0] * len(legal)
        for _ in range(playouts):
            world = sample_world(view, seat, dice)
            for place, move in enumerate(legal):
                values[place] += result(played_on(world.play_unchecked(move), dice), seat)
        return best(legal, values, dice)

    return choose


def played_on(state: State, dice: Dice) -> State:
    """The end of the game when everybody plays greedily."""
    while legal := state.legal_moves():
        state = state.play_unchecked(greedy(state, legal, dice))
    return state


def result(state: State, seat: int) -> float:
    """1 for a win, a part of it for a shared one; and a little for every point of the lead."""
    leaders = state.outcome().leaders if state.outcome() else ()
    return (1 / len(leaders) if seat in leaders else 0) + lead(state, seat) / 10_000


# --- exact endings ------------------------------------------------------------------------------------------------


class TooLongError(Exception):
    """An ending that has more positions than are looked at."""


def ending(positions: int, worlds: int) -> Choose:
    """Plays endings by what all moves come to in every world, searched to the end with everything known; else greedily.

    So it overrates what depends on hidden cards: the others, and it itself, see them in each world.
    """

    def choose(view: State, legal: Sequence[str], dice: Dice) -> str:
        seat = view.to_move
        drawn = [sample_world(view, seat, dice) for _ in range(1 if view.is_open(seat) else worlds)]
        values = [0.0] * len(legal)
        try:
            for world in drawn:
                budget = [positions]
                for place, move in enumerate(legal):
                    values[place] += value(world.play_unchecked(move), seat, -10_000.0, 10_000.0, budget)
        except TooLongError:
            return greedy(view, legal, dice)
        return best(legal, values, dice)

    return choose


def value(state: State, seat: int, low: float, high: float, budget: list[int]) -> float:
    """The lead of a seat in the end when it wants it high and all others want it low: alpha-beta."""
    budget[0] -= 1
    if budget[0] < 0:
        raise TooLongError
    legal = state.legal_moves()
    if not legal:
        return lead(state, seat)
    own = state.to_move == seat
    for move in legal:
        found = value(state.play_unchecked(move), seat, low, high, budget)
        low, high = (max(low, found), high) if own else (low, min(high, found))
        if low >= high:
            break
    return low if own else high


# --- the last rounds of matrix ------------------------------------------------------------------------------------


def last_rounds(rounds: int) -> Choose:
    """Matrix for two: who wins, and then by how much, solved in the last rounds with a table of positions."""

    def choose(view: State, legal: Sequence[str], dice: Dice) -> str:
        seat = view.to_move
        if len(view.players) != 2 or len(view.hands[seat]) > rounds:
            return greedy(view, legal, dice)
        return best(legal, [solved(view.play_unchecked(move), seat) for move in legal], dice)

    return choose


@lru_cache(maxsize=1 << 18)
def solved(state: State, seat: int) -> float:
    """The lead of a seat when both play for a win first and for points then."""
    legal = state.legal_moves()
    if not legal:
        margin = lead(state, seat)
        return margin + 100 * ((margin > 0) - (margin < 0))
    values = [solved(state.play_unchecked(move), seat) for move in legal]
    return max(values) if state.to_move == seat else min(values)


# --- whole turns --------------------------------------------------------------------------------------------------

WIDTH = 6
"""So many ways to play a turn are followed at once."""


def planner(view: State, legal: Sequence[str], dice: Dice) -> str:
    """Plays the first move of the turn, its own to the end and a greedy one of the next player, that leaves it best."""
    seat = view.to_move
    worlds = [sample_world(view, seat, dice) for _ in range(2)]
    return best(legal, [statistics.fmean(turn(world, move, seat) for world in worlds) for move in legal], dice)


def turn(world: State, move: str, seat: int) -> float:
    """What a turn that begins with a move leaves a seat, the best of those that were followed."""
    beam, ends = [world.play_unchecked(move)], []
    for _ in range(12):
        following = []
        for state in beam:
            moves = state.legal_moves()
            if not moves or state.to_move != seat:
                ends.append(state)
                continue
            ranked = sorted(moves, key=lambda one: -heuristic(state, one))[:WIDTH]
            following += [state.play_unchecked(one) for one in ranked]
        beam = sorted(following, key=lambda state: -standing(state, seat))[:WIDTH]
        if not beam:
            break
    return max(standing(answered(state, seat), seat) for state in (*ends, *beam))


def answered(state: State, seat: int) -> State:
    """The position when the others have played their turns greedily."""
    for _ in range(40):
        legal = state.legal_moves()
        if not legal or state.to_move == seat:
            break
        state = state.play_unchecked(max(legal, key=lambda move: heuristic(state, move)))
    return state


def standing(state: State, seat: int) -> float:
    """The lead, and in ninecard the creatures that stand and the energy that lies there."""
    if state.game != "ninecard":
        return lead(state, seat)
    worth = [
        side.life + 0.6 * sum(card.cost for card in side.grid if card) + 0.8 * side.all_energy for side in state.sides
    ]
    return worth[seat] - max(one for other, one in enumerate(worth) if other != seat)


ALL = ("grid", "ninecard", "tactics", "matrix")

OPPONENTS = (
    Opponent("greedy", ALL, greedy),
    Opponent("careless", ALL, careless),
    Opponent("wary", ALL, wary),
    Opponent("sampling", ALL, sampling(5)),
    Opponent("ending", ("grid", "tactics"), ending(3_000, 5)),
    Opponent("last rounds", ("matrix",), last_rounds(3)),
    Opponent("planner", ("ninecard", "tactics"), planner),
)
"""The rungs of the ladder, the simplest first."""
