"""The decisive turn of a game of ninecard: single moves do little, but a turn may take half of a life."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, sqrt
from typing import Final, NamedTuple

from ccgrid.catalog.formatting import counted
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.games.ninecard.combat import COLUMNS, Side, column_of
from ccgrid.engine.games.ninecard.core import ATTACK_WEIGHT, COLUMN_WEIGHT, DEFENSE_WEIGHT, ENERGY_WEIGHT, LIFE_WEIGHT
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.insight.analysis import DecisiveTurn
from ccgrid.engine.picture import Name, Words, together

ODDS_FACTOR: Final = 0.7
"""The factor for the core's log odds of a position: fitted to games between greedy players."""


DECISIVE_CHANCE: Final = 0.75
"""A player who keeps at least this chance of winning until the end has decided the game."""


def decisive_turn(positions: Sequence[NinecardState], moves: Sequence[str]) -> DecisiveTurn | None:
    """Return the turn after which the winner's chance stayed high, or None if there is no single winner.

    Args:
        positions: All positions of a finished game, including the last one.
        moves: The moves between them.
    """
    outcome = positions[-1].outcome()
    if outcome is None or len(outcome.leaders) != 1:
        return None
    winner = outcome.leaders[0]
    # The moves at which the number of the turn increases, and the first move.
    begins = [at for at in range(len(moves)) if not at or positions[at].turn > positions[at - 1].turn]
    turns = list(zip(begins, [*begins[1:], len(moves)], strict=True))
    # The last turn after which the winner was not clearly ahead: the next one was decisive.
    behind = [place for place, (_, end) in enumerate(turns) if chances(positions[end])[winner] < DECISIVE_CHANCE]
    # The last turn ends with a chance of 1: there is always a turn after the last one below `DECISIVE_CHANCE`.
    first, end = turns[behind[-1] + 1 if behind else 0]
    assault = next(at for at in range(first, end) if moves[at].startswith("assault "))
    words = together(_assault(positions, moves, assault, end), _lasting(positions[end], winner))
    return DecisiveTurn(positions[first].turn, first, end - 1, words)


def chances(state: NinecardState) -> list[float]:
    """Return each seat's chance of winning, from all cards in hands and none in decks, for any player to move."""
    if (outcome := state.outcome()) is not None:
        return [(seat in outcome.leaders) / len(outcome.leaders) for seat in range(len(state.sides))]
    odds = [0.0 if side.is_out else exp(ODDS_FACTOR * sum(_strengths(side).values())) for side in state.sides]
    return [one / sum(odds) for one in odds]


class Advantage(NamedTuple):
    """A resource of which a side has more than every other remaining one: `life`, `energy` or `creatures`."""

    what: str
    own: int
    other: int


def advantages(state: NinecardState, seat: int) -> list[Advantage]:
    """Return the resources of which a seat has more than all others, the most important for winning first."""
    others = [side for number, side in enumerate(state.sides) if number != seat and not side.is_out]
    own, found = _strengths(state.sides[seat]), []
    for what, count in _COUNTS.items():
        # The count that users see; `weight` is its importance for winning.
        here, there = count(state.sides[seat]), max(map(count, others))
        weight = own[what] - max(_strengths(side)[what] for side in others)
        if weight > 0 and here > there:
            found.append((-weight, Advantage(what, here, there)))
    return [advantage for _, advantage in sorted(found)]


def _strengths(side: Side) -> dict[str, float]:
    """Return a side's resources as log odds of winning (`engine.games.ninecard.core`)."""
    creatures = [creature for creature in side.grid if creature is not None]
    columns = sum(bool(column_of(side.grid, column)) for column in range(len(COLUMNS)))
    attack, defense = sum(one.attack for one in creatures), sum(one.defense for one in creatures)
    return {
        "life": LIFE_WEIGHT * sqrt(max(side.life, 0)),
        "energy": ENERGY_WEIGHT * sqrt(_energy(side)),
        "creatures": ATTACK_WEIGHT * sqrt(attack) + DEFENSE_WEIGHT * sqrt(defense) + COLUMN_WEIGHT * columns,
    }


def _energy(side: Side) -> int:
    """Return the laid energy plus the energy cards in hand."""
    return side.all_energy + sum(isinstance(card, Energy) for card in side.hand)


def _creature_count(side: Side) -> int:
    return sum(creature is not None for creature in side.grid)


_CALLED: Final = {"life": "life", "energy": "energy in play and in hand", "creatures": "creatures"}

_COUNTS: Final[Mapping[str, Callable[[Side], int]]] = {
    "life": lambda side: side.life,
    "energy": _energy,
    "creatures": _creature_count,
}


def _assault(positions: Sequence[NinecardState], moves: Sequence[str], at: int, end: int) -> Words:
    """Describe the effect of an assault that began with move `at`, and how it could have been prevented."""
    before, after, seat = positions[at], positions[end], positions[at].to_move
    target = before.names.index(moves[at].removeprefix("assault "))
    through: dict[str, int] = {}
    for number in range(at + 1, end):
        verb, _, cell = moves[number].partition(" ")
        sides = positions[number].sides[target], positions[number + 1].sides[target]
        if verb == "attack" and not column_of(sides[0].grid, COLUMNS.index(cell[0])):
            through[cell[0]] = through.get(cell[0], 0) + _life_lost(*sides)
    life = _life_lost(before.sides[target], after.sides[target])
    taken = [f"{life} life"] if life else []
    if through:
        share = "all" if sum(through.values()) == life else sum(through.values())
        columns = f"column{'s' if len(through) > 1 else ''} {' and '.join(through)}"
        taken = [f"{life} life ({share} of it through {columns}, which had no creatures)"]
    killed, own = (_losses(before.sides[one], after.sides[one]) for one in (target, seat))
    taken += [killed] if killed else []
    cost = together("; it cost ", _name(before, seat), f" {own}") if own else ""
    who = together(_name(before, seat), " assaulted ", _name(before, target))
    return together(
        who,
        f". It took {' and '.join(taken) or 'nothing'}",
        cost,
        ".",
        _missed_block(positions[:at], target, through),
    )


def _missed_block(positions: Sequence[NinecardState], seat: int, columns: Iterable[str]) -> Words:
    """Describe the most expensive creature that a seat could have played in its last turn into one of these columns."""
    last = next((one for one in reversed(positions) if one.to_move == seat and _lays(one)), None)
    if last is None:
        return ""
    legal = last.legal_moves()
    creatures = [card for card in last.side.hand if isinstance(card, Creature)]
    found = [(one.cost, one.name, to) for one in creatures for to in columns if f"play {one.name} {to}" in legal]
    if not found:
        return ""
    _, name, column = max(found)
    return together(" ", _name(last, seat), " could have played ", Name(name), f" to {column} the turn before.")


def _lasting(state: NinecardState, winner: int) -> Words:
    """Describe that the winner was ahead from a position on, and in which resources."""
    if state.outcome() is not None:
        return " It ended the game."
    ahead = [f"{_CALLED[one.what]} {one.own} to {one.other}" for one in advantages(state, winner)]
    by = f": {', '.join(ahead)}" if ahead else ""
    return together(" From then on ", _name(state, winner), f" stayed ahead{by}.")


def _lays(state: NinecardState) -> bool:
    """Return whether cards are laid and played in this part of the turn."""
    return state.target is None and not state.discarding


def _life_lost(before: Side, after: Side) -> int:
    """Return the life that a side lost."""
    return before.life - max(after.life, 0)


def _losses(before: Side, after: Side) -> str:
    """Return the number of creatures that a side lost as text, or "" if it lost none."""
    count = _creature_count(before) - _creature_count(after)
    return counted(count, "creature") if count > 0 else ""


def _name(state: NinecardState, seat: int) -> Name:
    return Name(state.names[seat])


DECISIVE: Final = decisive_turn
