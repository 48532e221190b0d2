"""How the ninecard game is shown: the players' grids facing each other, column on column, and what each player has."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.view.game_view import Choice, GameView, MoveGroup, cut, filled, is_low, player_name, row, rule
from ccgrid.view.output import shown
from ccgrid.view.text import pad
from ccgrid.view.tiles import pen

if TYPE_CHECKING:
    from rich.text import Text

    from engine.games.ninecard.cards import BattleCard, Creature
    from engine.games.ninecard.combat import Clash
    from engine.games.ninecard.state import NinecardState

_INNER: Final = 24
_LONGEST_CARD: Final = 26
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


def _draw(state: "NinecardState", seat: int | None, last: str | None) -> "Text":
    """The grid of whoever looks at it, else of whose turn it is, is the lowest; its enemies are above, facing it."""
    from rich.text import Text

    own = state.to_move if seat is None else seat
    others = [one for one in range(len(state.names)) if one != own]
    if state.target in others:  # the assaulted one comes next to the assaulting one
        others.remove(state.target)
        others.append(state.target)
    lines = [_turn(state)]
    for place, one in enumerate(others):
        lines.append(_summary(state, one))
        lines += _grid(state, one, last, is_own=False)[1 if place and is_low() else 0 :]
    lines += _grid(state, own, last, is_own=True)[1:]
    lines.append(_summary(state, own))
    for one in (own, *others):
        if seat in (None, one):
            lines += _hand(state, one, named=seat is None)
    return Text("\n".join(lines))


def _turn(state: "NinecardState") -> str:
    if state.is_over():
        return "The game is over."
    who = player_name(state.names[state.to_move], 20)
    if state.discarding:
        part = "the end of the turn, discard down to five cards"
    elif state.target is not None:
        part = f"the assault on {player_name(state.names[state.target], 20)}, columns a to c"
    else:
        part = "lay energy, play, move, then assault"
    return f"Turn {state.turn}, {who}: {part}"


def _summary(state: "NinecardState", seat: int) -> str:
    """A player's name, life, energy, and how many cards are in hand and deck."""
    side = state.sides[seat]
    name = player_name(state.names[seat], 20)
    if side.is_out:
        return f"{name}: out, {'with no creature left to play' if side.life > 0 else 'with no life left'}"
    ready = state.ready if seat == state.to_move and not state.is_over() else side.all_energy
    energy = f"energy {ready} of {side.all_energy} ready"
    return f"{name}: life {side.life}, {energy}, hand {len(side.hand)}, deck {len(side.deck)}"


def _grid(state: "NinecardState", seat: int, last: str | None, *, is_own: bool) -> list[str]:
    """A player's rows between two rules, the front towards the enemy: the lowest of those above, the highest below."""
    from engine.games.ninecard.combat import BOARD

    grid = state.sides[seat].grid
    marked = _marked(last) if is_own == (seat == state.to_move) and is_own else ()
    before, after = pen().marks
    rows = []
    for index in range(BOARD.size):
        cells = range(index * BOARD.size, (index + 1) * BOARD.size)
        texts = []
        for cell in cells:
            creature, name = grid[cell], BOARD.cells[cell]
            text = "" if creature is None else _standing_card(creature, _INNER - 2)
            texts.append(f"{before}{text}{after}" if name in marked and text else f" {text} ")
        if is_own or index == 0 or any(grid[cell] for cell in cells) or not is_low():
            rows.append(f"{index + 1} {row(texts, _INNER, 'left')}")
    top = "  " + rule(BOARD.size, _INNER, 0, "abc")
    front = "  " + rule(BOARD.size, _INNER, 1, ("front",) * BOARD.size)
    return [front, *rows, "  " + rule(BOARD.size, _INNER, 2)] if is_own else [top, *reversed(rows), front]


def _marked(last: str | None) -> Sequence[str]:
    """The cells of the grid of who moved last that are marked: where a creature went."""
    verb, *cells = (last or "").split(" ")
    return {"move": cells[1:], "swap": cells}.get(verb, ())


def _standing_card(creature: "Creature", cells: int) -> str:
    """A name and attack/defense, in exactly so many cells."""
    fight = f"{creature.attack}/{creature.defense}"
    return f"{pad(shown(creature.name), cells - len(fight) - 1, 'left', pen().ellipsis)} {fight}"


def _hand(state: "NinecardState", seat: int, *, named: bool) -> list[str]:
    """A hand with what each creature costs, copies of a card counted; and how the numbers are to be read."""
    from engine.games.ninecard.cards import Hidden

    side = state.sides[seat]
    if side.is_out:
        return []
    cards = Counter(card for card in side.hand if not isinstance(card, Hidden))
    texts = [("" if count == 1 else f"{count} ") + _card(card) for card, count in cards.items()]
    heading = f"Hand of {player_name(state.names[seat], 20)}:" if named else "Your hand:"
    return filled(heading, texts or ["empty"])


def _card(card: "BattleCard") -> str:
    from engine.games.ninecard.cards import Creature, Energy

    if isinstance(card, Creature):
        return f"{_name(card.name)} {card.attack}/{card.defense} costs {card.cost}"
    return f"{_name(card.name)} (energy)" if isinstance(card, Energy) else "a hidden card"


def _name(name: str) -> str:
    return cut(shown(name), _LONGEST_CARD)


# --- words for moves ------------------------------------------------------------------------------------------------


def _describe(state: "NinecardState", move: str) -> str:
    verb, _, rest = move.partition(" ")
    if verb == "play":
        creature = _in_hand(state, rest[:-2])
        return f"{creature.attack}/{creature.defense} for {creature.cost} energy, to {_landing(state, rest[-1])}"
    if verb in ("facedown", "sacrifice"):
        return "a creature laid as energy"
    if verb == "attack":
        return _attack_in_words(state, rest)
    if verb in ("move", "swap"):
        from engine.games.ninecard.combat import BOARD

        creatures = [state.side.grid[BOARD.cells.index(cell)] for cell in rest.split(" ")]
        return " and ".join(_name(creature.name) for creature in creatures if creature)
    words = {"energy": "one more energy", "assault": "the columns may now attack", "end": "no more attacks"}
    return words.get(verb, "put away")


def _tell(state: "NinecardState", move: str) -> str:
    """What the others are told: of a card laid face down not which it is."""
    verb, _, rest = move.partition(" ")
    if verb == "facedown":
        return "a creature laid face down as energy"
    if verb in ("play", "attack"):
        return f"{_short(verb, rest)} ({_describe(state, move)})"
    return _short(verb, rest)


def _short(verb: str, rest: str) -> str:
    if verb == "play":
        return f"play {_name(rest[:-2])} {rest[-1]}"
    return f"{verb} {_name(rest)}".rstrip()


def _in_hand(state: "NinecardState", name: str) -> "Creature":
    from engine.games.ninecard.cards import Creature

    return next(card for card in state.side.hand if isinstance(card, Creature) and card.name == name)


def _landing(state: "NinecardState", column: str) -> str:
    from engine.games.ninecard.combat import BOARD, COLUMNS, landing

    cell = landing(state.side.grid, COLUMNS.index(column))
    return BOARD.cells[cell] if cell is not None else f"{column}3"


def _attack(state: "NinecardState", cell: str) -> "tuple[Creature, list[Creature], Clash] | None":
    """The attacker, the defenders whom it meets, and what comes of it."""
    from engine.games.ninecard.combat import BOARD, clash, column_of

    place = BOARD.cells.index(cell)
    attacker = state.side.grid[place]
    if attacker is None or state.target is None:
        return None
    defenders = column_of(state.sides[state.target].grid, place % BOARD.size)
    return attacker, defenders, clash(attacker, defenders)


def _attack_in_words(state: "NinecardState", cell: str) -> str:
    attack = _attack(state, cell)
    if attack is None:
        return "an attack"
    attacker, defenders, result = attack
    parts = []
    if result.fallen:
        parts.append(f"kills {' and '.join(_name(defenders[place].name) for place in result.fallen)}")
    if result.breach:
        parts.append(f"takes {result.breach} life")
    if not result.attacker_lives:
        parts.append("dies")
    return f"{_name(attacker.name)} {', '.join(parts) or 'is held'}"


def _effect(state: "NinecardState", cell: str) -> str:
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


def _groups(state: "NinecardState") -> list[MoveGroup]:
    groups: dict[str, list[Choice]] = {}
    for heading, choice in _choices(state, state.legal_moves()):
        groups.setdefault(heading, []).append(choice)
    return [MoveGroup(heading, choices) for heading, choices in groups.items()]


def _choices(state: "NinecardState", moves: Iterable[str]) -> Iterator[tuple[str, Choice]]:
    for move in moves:
        verb, _, rest = move.partition(" ")
        if verb == "play":
            name, column = rest[:-2], rest[-1]
            yield f"play {_name(name)} ({_in_hand(state, name).cost})", Choice(move, column)
        else:
            effect = _effect(state, rest) if verb == "attack" else ""
            yield _HEADINGS[verb], Choice(move, _name(rest), effect)


VIEW: Final = GameView(_draw, _describe, _groups, _tell)
