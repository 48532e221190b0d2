"""Words for the moves of the ninecard game: what one would do, what the others are told, how a list groups them."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.game_view import Choice, MoveGroup
from engine.games.ninecard.cards import Creature
from engine.games.ninecard.combat import BOARD, COLUMNS, Clash, clash, column_of, landing
from engine.games.ninecard.state import NinecardState
from engine.picture import Name, Words, joined, together

LONGEST_CARD: Final = 26
"""A card's name takes at most this many cells, so that a few of them stand in a line."""

_HEADINGS: Final = {
    "assault": "assault (ends this part)",
    "attack": "attack with",
    "discard": "discard",
    "end": "end the assault",
    "energy": "energy: lay",
    "facedown": "facedown: lay",
    "move": "move",
    "sacrifice": "sacrifice: lay",
    "swap": "swap",
}


def describe(state: NinecardState, move: str) -> Words:
    """What a legal move would do, in a few words."""
    verb, _, rest = move.partition(" ")
    if verb == "play":
        creature = _in_hand(state, rest[:-2])
        return f"{creature.attack}/{creature.defense} for {creature.cost} energy, to {_landing(state, rest[-1])}"
    if verb in ("facedown", "sacrifice"):
        return "a creature laid as energy"
    if verb == "attack":
        return _attack_in_words(state, rest)
    if verb in ("move", "swap"):
        creatures = [state.side.grid[BOARD.cells.index(cell)] for cell in rest.split(" ")]
        return joined(" and ", (_name(creature.name) for creature in creatures if creature))
    words = {"energy": "one more energy", "assault": "the columns may now attack", "end": "no more attacks"}
    return words.get(verb, "put away")


def tell(state: NinecardState, move: str) -> Words:
    """What the others are told of a move; which card was laid face down stays a secret."""
    verb, _, rest = move.partition(" ")
    if verb == "facedown":
        return "a creature laid face down as energy"
    if verb == "play":
        return together("play ", _name(rest[:-2]), f" {rest[-1]} (", describe(state, move), ")")
    if verb == "attack":
        return together(f"attack {rest} (", describe(state, move), ")")
    return together(f"{verb} ", _name(rest)) if rest else verb


def groups(state: NinecardState) -> list[MoveGroup]:
    """The legal moves by what they do, those that play a creature by the creature."""
    found: dict[Words, list[Choice]] = {}
    for heading, choice in _choices(state, state.legal_moves()):
        found.setdefault(heading, []).append(choice)
    return [MoveGroup(heading, choices) for heading, choices in found.items()]


def _choices(state: NinecardState, moves: Iterable[str]) -> Iterator[tuple[Words, Choice]]:
    for move in moves:
        verb, _, rest = move.partition(" ")
        if verb == "play":
            name, column = rest[:-2], rest[-1]
            yield ("play ", _name(name), f" ({_in_hand(state, name).cost})"), Choice(move, column)
        else:
            effect = _effect(state, rest) if verb == "attack" else ""
            yield _HEADINGS[verb], Choice(move, (_name(rest),), effect)


def _name(name: str) -> Name:
    return Name(name, LONGEST_CARD)


def _in_hand(state: NinecardState, name: str) -> Creature:
    return next(card for card in state.side.hand if isinstance(card, Creature) and card.name == name)


def _landing(state: NinecardState, column: str) -> str:
    cell = landing(state.side.grid, COLUMNS.index(column))
    return BOARD.cells[cell] if cell is not None else f"{column}3"


def _attack(state: NinecardState, cell: str) -> tuple[Creature, list[Creature], Clash] | None:
    """The attacker, the defenders whom it meets, and what comes of it."""
    index = BOARD.cells.index(cell)
    attacker = state.side.grid[index]
    if attacker is None or state.target is None:
        return None
    defenders = column_of(state.sides[state.target].grid, index % BOARD.size)
    return attacker, defenders, clash(attacker, defenders)


def _attack_in_words(state: NinecardState, cell: str) -> Words:
    attack = _attack(state, cell)
    if attack is None:
        return "an attack"
    attacker, defenders, result = attack
    parts: list[Words] = []
    if result.fallen:
        fallen = joined(" and ", (_name(defenders[number].name) for number in result.fallen))
        parts.append(together("kills ", fallen))
    if result.breach:
        parts.append(f"takes {result.breach} life")
    if not result.attacker_lives:
        parts.append("dies")
    return together(_name(attacker.name), " ", joined(", ", parts) if parts else "is held")


def _effect(state: NinecardState, cell: str) -> str:
    """What an attack does in few letters."""
    attack = _attack(state, cell)
    if attack is None:
        return ""
    attacker, _, result = attack
    parts = [f"{attacker.attack}/{attacker.defense}"]
    parts += [f"kills {len(result.fallen)}"] if result.fallen else []
    parts += [f"takes {result.breach} life"] if result.breach else []
    parts += [] if result.attacker_lives else ["dies"]
    return ", ".join(parts)
