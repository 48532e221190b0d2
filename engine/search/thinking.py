"""What every legal move is worth, as far as who is to move can know: proved, or tried out in sampled worlds."""

from dataclasses import dataclass
from typing import Any, Final

from engine.dice import Dice
from engine.game import State
from engine.search.proving import NO_CLOCK, Clock, OutOfTimeError, Solver, move_values
from engine.search.tree import Node, World, grow, one_round

_TO_GROW: Final = 0.6
"""So much of the time the tree may grow; the rest goes into measuring."""
_LEAST: Final = 2
"""So often at least every move is tried where rounds are counted and not seconds."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one move is worth to who makes it: the lead over the best of the others in the end, in points.

    `error` is its standard error; `None` where it is proved.
    """

    move: str
    value: float
    error: float | None

    def to_dict(self) -> dict[str, Any]:
        """The estimate as scripts see it."""
        return {"move": self.move, "value": self.value, "stderr": self.error}


@dataclass(frozen=True, slots=True)
class Thought:
    """What is known of the moves of one position, the best first; `is_exact` where all of it is proved."""

    player: str
    is_exact: bool
    moves: tuple[Estimate, ...]

    @property
    def best(self) -> Estimate:
        """The best move; of equal ones that are proved the first by the alphabet."""
        return self.moves[0]

    def to_dict(self) -> dict[str, Any]:
        """The thought as scripts see it: `advise --json`."""
        moves = [estimate.to_dict() for estimate in self.moves]
        return {"player": self.player, "exact": self.is_exact, "best": self.best.move, "moves": moves}


def proved(state: State, solver: Solver | None, clock: Clock) -> Thought | None:
    """What all moves are worth where that can be proved in time: nothing that is hidden may be needed for it."""
    if solver is None or solver.refusal(state):
        return None
    try:
        values = move_values(state, solver.searcher(state), clock)
    except OutOfTimeError:
        return None
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return Thought(_player(state), True, tuple(Estimate(move, value, None) for move, value in ordered))


def chosen(world: World, dice: Dice, rounds: int | None, clock: Clock) -> str:
    """The move that was tried most in a search for what wins the game; of equal ones what promises more."""
    root = Node()
    grow(root, world, dice, rounds, clock)
    tried = {world.name(move): node for move, node in root.children.items()}
    return max(sorted(tried), key=lambda move: (tried[move].visits, tried[move].total))


def measured(state: State, world: World, dice: Dice, rounds: int | None, clock: Clock = NO_CLOCK) -> Thought:
    """What all moves are worth on average: a tree grows, then each move is tried in turn with everybody playing by it.

    A move for which there was no time has what it came to while the tree grew, or is worth no more than the worst.
    """
    root = Node()
    growing = None if rounds is None else int(rounds * _TO_GROW)
    grow(root, world, dice, growing, clock.part(_TO_GROW), by_lead=True)
    world.begin(dice)
    legal = list(world.legal())
    found = {move: Node() for move in legal}
    measuring = None if rounds is None else max(rounds - int(rounds * _TO_GROW), _LEAST * len(legal))
    done = 0
    while (measuring is None or done < measuring) and not clock.is_over:
        move = legal[done % len(legal)]
        lead, node = one_round(root, world, dice, 0.0, by_lead=True, first=move), found[move]
        node.visits, node.lead, node.squares = node.visits + 1, node.lead + lead, node.squares + lead * lead
        done += 1
    tried = {
        world.name(move): node if node.visits > 1 else root.children.get(move, node) for move, node in found.items()
    }
    means = {move: node.mean() for move, node in tried.items() if node.visits}
    worst, widest = min(means.values()), max(world.scale, *(abs(mean) for mean in means.values()))
    estimates = [
        Estimate(move, means.get(move, worst), min(node.error(), widest)) for move, node in sorted(tried.items())
    ]
    return Thought(_player(state), False, tuple(sorted(estimates, key=lambda one: (-one.value, one.move))))


def _player(state: State) -> str:
    return state.players[state.to_move]
