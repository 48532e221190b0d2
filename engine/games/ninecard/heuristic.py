"""The heuristic of the ninecard game, which considers only the next assaults."""

from functools import lru_cache
from typing import Final

from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.games.ninecard.cards import BattleCard, Creature, Energy
from ccgrid.engine.games.ninecard.combat import BOARD, Grid, Side, clash, column_of
from ccgrid.engine.games.ninecard.rules import NinecardState

Column = tuple[Creature, ...]

# Kinds of moves are far apart, in this order: energy, creatures as energy, plays, steps. A step precedes a play only if
# it decides about a last point of life (`KILL`).
LAY_ENERGY: Final = 10_000.0
LAY_CREATURE: Final = 9_000.0
PLAY: Final = 1_000.0
PLAY_EACH_COST: Final = 100.0
STEP: Final = 100.0
USELESS: Final = -1.0
KILL: Final = 1_000.0
ENOUGH_ENERGY: Final = 14
SOON: Final = 2
"""The energy that the next turns may add: a creature that costs more is of little use in hand."""


def heuristic(state: NinecardState, move: str) -> float:
    """Return a legal move's heuristic value.

    Assaulting and ending are worth about 0, so that useless moves come after them. Energy is laid first, then creatures
    are played, the most expensive first and each in the best column, then creatures step to better cells; the assault
    is on the opponent with the largest gain; a creature attacks if its column gains by it; the card that is least
    likely to be played is discarded.
    """
    verb, _, rest = move.partition(" ")
    if verb == "energy":
        return LAY_ENERGY
    if verb == "assault":
        gain = _assault_gain(state.side, state.sides[state.names.index(rest)])
        # Below 1 for any gain, and increasing with it.
        return gain / (gain + 100)
    if verb == "attack":
        return _attack_appeal(state, BOARD.cells.index(rest))
    if verb == "end":
        return 0.0
    if verb in ("move", "swap"):
        better = _balance(state.play_unchecked(move)) - _balance(state)
        return STEP + better if better > 0 else USELESS
    if rest == UNKNOWN:
        return USELESS
    # "Amber Drake b" without its column.
    name = rest[:-2] if verb == "play" else rest
    card = next(card for card in state.side.hand if isinstance(card, Energy | Creature) and card.name == name)
    if verb == "discard":
        return -_use_in_hand(state, card)
    if not isinstance(card, Creature):
        return USELESS
    if verb == "play":
        better = _balance(state.play_unchecked(move)) - _balance(state)
        # Limited to 49, so that the column never outweighs a point of cost, which is worth 100.
        return PLAY + PLAY_EACH_COST * card.cost + max(-49.0, min(49.0, better))
    return LAY_CREATURE + card.cost if _wants_energy(state) else USELESS


def _wants_energy(state: NinecardState) -> bool:
    side = state.side
    costs = [card.cost for card in side.hand if isinstance(card, Creature)]
    return side.all_energy < ENOUGH_ENERGY and not state.has_played and min(costs) > side.all_energy


def _use_in_hand(state: NinecardState, card: BattleCard) -> float:
    energy = state.side.all_energy
    if not isinstance(card, Creature):
        return float(ENOUGH_ENERGY - energy)
    return float(card.cost if card.cost <= energy + SOON else energy - card.cost)


def _attack_appeal(state: NinecardState, cell: int) -> float:
    if state.target is None:
        return USELESS
    target, column = state.sides[state.target], cell % BOARD.size
    attackers = tuple(c for c in state.side.grid[cell :: BOARD.size] if c is not None)
    gain = column_gain(attackers, tuple(column_of(target.grid, column)), target.life)
    # Columns attack from left to right by the rules: a later one ends the earlier ones.
    return KILL * (BOARD.size - column) + gain if gain > 0 else USELESS


def _balance(state: NinecardState) -> float:
    """Return the gain of the best assault by the player to move, minus the loss by the worst one against them."""
    side, others = state.side, [state.sides[seat] for seat in state.opponents()]
    return max(_assault_gain(side, other) for other in others) - max(_assault_gain(other, side) for other in others)


def _assault_gain(side: Side, target: Side) -> float:
    return sum(
        column_gain(mine, theirs, target.life)
        for mine, theirs in zip(_columns(side.grid), _columns(target.grid), strict=True)
    )


def _columns(grid: Grid) -> list[Column]:
    return [tuple(column_of(grid, column)) for column in range(BOARD.size)]


@lru_cache(maxsize=1 << 14)
def column_gain(attackers: Column, defenders: Column, life: int) -> float:
    """Return the gain of the best number of attackers, front to back, against a column; 0 if no attack is best.

    A point of life is worth 1, a creature its cost; taking the last point of life is worth most.
    """
    best = gain = 0.0
    for attacker in attackers:
        if attacker.attack == 0:
            break
        result = clash(attacker, defenders)
        gain += result.breach + sum(defenders[place].cost for place in result.fallen)
        gain -= 0 if result.attacker_lives else attacker.cost
        # The fallen defenders are gone for the next attacker of the column.
        defenders = tuple(d for place, d in enumerate(defenders) if place not in result.fallen)
        life -= result.breach
        if life <= 0:
            return gain + KILL
        best = max(best, gain)
    return best
