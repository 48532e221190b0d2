"""Players independent of `strong`: simple, slow, each good at one thing, using only the readable rules.

They see what their seat sees, and sample the hidden cards (`sample_world`) in every game.
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
    """A named player, and the games that it plays."""

    name: str
    games: tuple[str, ...]
    plays: Choose

    def __str__(self) -> str:
        return self.name

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        return legal[0] if len(legal) == 1 else self.plays(view, legal, dice)


def lead(state: State, seat: int) -> int:
    """Return a seat's lead over the best other player, in points."""
    scores = state.scores()
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def best(legal: Sequence[str], values: Sequence[float], dice: Dice) -> str:
    """Return a move of the highest value; ties are broken at random."""
    highest = max(values)
    return dice.choose([move for move, value in zip(legal, values, strict=True) if value == highest])


# --- greedy variants ----------------------------------------------------------------------------------------------


def heuristic(state: State, move: str) -> float:
    return find_game(state.game).heuristic(state, move)


def greedy(state: State, legal: Sequence[str], dice: Dice) -> str:
    return best(legal, [heuristic(state, move) for move in legal], dice)


def careless(state: State, legal: Sequence[str], dice: Dice) -> str:
    """Play greedily, but every fourth move at random."""
    return dice.choose(legal) if dice.below(4) == 0 else greedy(state, legal, dice)


def wary(view: State, legal: Sequence[str], dice: Dice) -> str:
    """Choose the move with the best lead after a greedy reply, over four sampled worlds."""
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
    """Return a player that chooses the move with the most wins in `playouts` greedy playouts in sampled worlds."""

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
    """Return the end of the game if all players are greedy."""
    while legal := state.legal_moves():
        state = state.play_unchecked(greedy(state, legal, dice))
    return state


def result(state: State, seat: int) -> float:
    """Return 1 for a win, a fraction for a shared win, plus a little for each point of the lead."""
    leaders = state.outcome().leaders if state.outcome() else ()
    return (1 / len(leaders) if seat in leaders else 0) + lead(state, seat) / 10_000


# --- exact endings ------------------------------------------------------------------------------------------------


class TooLongError(Exception):
    """Raised if an ending has more positions than the budget allows."""


def ending(positions: int, worlds: int) -> Choose:
    """Return a player that searches endings exhaustively in each sampled world, and plays greedily before.

    It overrates moves that depend on hidden cards, because all players see them in each world.
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
    """Return the final lead of a seat by alpha-beta: the seat maximises it and all others minimise it."""
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
    """Return a player for matrix with two players that solves the last rounds with a transposition table."""

    def choose(view: State, legal: Sequence[str], dice: Dice) -> str:
        seat = view.to_move
        if len(view.players) != 2 or len(view.hands[seat]) > rounds:
            return greedy(view, legal, dice)
        return best(legal, [solved(view.play_unchecked(move), seat) for move in legal], dice)

    return choose


@lru_cache(maxsize=1 << 18)
def solved(state: State, seat: int) -> float:
    """Return the lead of a seat if both players prefer first to win, then points."""
    legal = state.legal_moves()
    if not legal:
        margin = lead(state, seat)
        return margin + 100 * ((margin > 0) - (margin < 0))
    values = [solved(state.play_unchecked(move), seat) for move in legal]
    return max(values) if state.to_move == seat else min(values)


# --- whole turns --------------------------------------------------------------------------------------------------

WIDTH = 6
"""The number of ways to play a turn that the beam search keeps."""


def planner(view: State, legal: Sequence[str], dice: Dice) -> str:
    """Choose the first move of the turn with the best lead after it and a greedy turn of the next player."""
    seat = view.to_move
    worlds = [sample_world(view, seat, dice) for _ in range(2)]
    return best(legal, [statistics.fmean(turn(world, move, seat) for world in worlds) for move in legal], dice)


def turn(world: State, move: str, seat: int) -> float:
    """Return the best value for a seat of the turns that start with a move, as far as the beam search follows them."""
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
    """Return the position after the other players have played their turns greedily."""
    for _ in range(40):
        legal = state.legal_moves()
        if not legal or state.to_move == seat:
            break
        state = state.play_unchecked(max(legal, key=lambda move: heuristic(state, move)))
    return state


def standing(state: State, seat: int) -> float:
    """Return the lead; in ninecard plus the creatures and the energy on the table."""
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
"""The opponents of the ladder, the simplest first."""
