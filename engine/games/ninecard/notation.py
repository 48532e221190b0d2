"""Moves of the ninecard game as text: the interpretation of typed moves, and why a move is not legal."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.cards import UNKNOWN, hand_suffix, match_names
from ccgrid.engine.errors import quoted
from ccgrid.engine.game_view import Choice, MoveGroup, Touch, Way
from ccgrid.engine.games.ninecard.cards import ENERGY_RULE, GAP, HAND_SIZE, Creature, Energy, HiddenCard, known_cards
from ccgrid.engine.games.ninecard.combat import (
    BOARD,
    COLUMNS,
    NEIGHBOURS,
    Clash,
    clash,
    column_cells,
    column_of,
    landing,
    possible_attackers,
)
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.picture import Name, Words, joined, together

# end · energy Forest · assault Bob · play Amber Drake b · move a1 a2 · swap a1 b1 · attack a1; names may be any text.
_NOTATION: Final = re.compile(
    r"end|(?:energy|facedown|sacrifice|discard|assault) .+|play .+ [abc]"
    r"|(?:move|swap) [abc][123] [abc][123]|attack [abc][123]",
    re.DOTALL,
)
_OF_CARDS: Final = ("energy", "facedown", "sacrifice", "discard")
_OF_CELLS: Final = ("move", "swap")
_OPTIONS: Final = {"facedown": "facedown", "sacrifice": "one_creature"}
_VERBS: Final = (*_OF_CARDS, *_OF_CELLS, "play", "assault", "attack", "end")

END_TURN: Final = "end turn"
"""The choice that ends a turn without an attack: an assault, which must be declared, and its end."""
# a1 a2 · a1a2 · a1-b1 · a1 -> b1 · a1 to b1 · a1 and b1
_BETWEEN_CELLS: Final = re.compile(r"([abc][123]) ?(?:to|with|and|,|[-=]*>|-)? ?([abc][123])")
_ONTO: Final = ("in", "on", "to", "into", "onto")
# a · a1
_CELL: Final = re.compile(r"[abc][123]?")


class NinecardNotation:
    """The notation `play Amber Drake b`: a verb and its arguments; names may be any text."""

    example: Final = (
        "play Amber Drake b "
        "(also: energy CARD, move a1 a2, swap a1 b1, assault PLAYER, attack a1, end turn, discard CARD)"
    )

    def is_notation(self, state: NinecardState, move: str) -> bool:
        """Return whether the text is one of the game's verbs with arguments."""
        return is_notation(move)

    def why_illegal(self, state: NinecardState, move: str) -> str:
        """Return the rule that the move breaks, with the cards and numbers concerned."""
        verb, _, rest = move.partition(" ")
        if state.discarding and verb != "discard":
            return f"at the end of the turn discard a card: you hold {len(state.side.hand)}"
        if state.target is not None:
            if verb == "attack":
                return _why_no_attack(state, rest)
            return "the assault has begun: attack with a creature, or end the turn"
        if verb == "end":
            return (
                f"no assault has been declared: to end the turn without one, type {quoted(END_TURN)},"
                ' or write in a record "assault PLAYER" and "end"'
            )
        if verb == "attack":
            return "no assault has been declared: first assault a player"
        if verb == "discard" and not state.discarding:
            return "cards are discarded only at the end of the turn"
        if verb == "assault":
            return _why_no_assault(state, rest)
        if verb in _OF_CELLS:
            return _why_no_step(state, verb, *rest.split(" "))
        name, column = (rest[:-2], rest[-1]) if verb == "play" else (rest, "")
        card = next((card for card in known_cards(state.side.hand) if card.name == name), None)
        if card is None:
            others = sum(isinstance(card, HiddenCard) for card in state.side.hand)
            return f"there is no {quoted(name)} in your hand{hand_suffix((), others)}"
        return _why_not_played(state, card, column) if verb == "play" else _why_not_laid(state, card, verb)

    def moves_meant(self, state: NinecardState, text: str) -> tuple[str, ...]:
        """Return the moves that a text may mean for the player to move: `p drake b`, `a1-b1`, `drake`, `a1`, `e`.

        A legal move in notation means itself. Otherwise words and names may be abbreviated, in any case: a verb with
        its arguments, or without the verb two cells, an attacker's cell or a card in hand.
        """
        if text in state.legal_moves():
            return (text,)
        first, _, rest = text.strip().partition(" ")
        if not first:
            return ()
        meant = [move for verb in _verbs(first.casefold()) for move in _with_verb(state, verb, rest.strip())]
        meant += _without_verb(state, text.strip())
        # For notation without a meaning here, the reason why it is not legal is reported.
        if not meant and is_notation(text):
            return (text,)
        return tuple(dict.fromkeys(meant))


def is_notation(move: str) -> bool:
    """Return whether the text is a verb with arguments, legal or not."""
    return _NOTATION.fullmatch(move) is not None


# The interpretation of typed text


def _verbs(word: str) -> list[str]:
    # A complete word means itself; a beginning means every verb that begins with it: "a" is assault and attack.
    return [word] if word in _VERBS else [verb for verb in _VERBS if verb.startswith(word)]


def _with_verb(state: NinecardState, verb: str, rest: str) -> list[str]:
    if verb == "end":
        return ["end"] if rest.casefold() in ("", "turn") else []
    if verb in _OF_CELLS:
        return [move for move in _between_cells(rest) if move.startswith(verb)]
    if verb == "attack":
        return _attacks(rest)
    if verb == "assault":
        return [f"assault {name}" for name in match_names(rest, [state.names[seat] for seat in state.opponents()])]
    # A record of a referee: an unseen card was laid face down.
    if verb == "facedown" and not rest and GAP in state.side.hand:
        return [f"facedown {UNKNOWN}"]
    if verb == "play":
        return _plays(state, rest, Energy, Creature)
    return [f"{verb} {name}" for name in _in_hand(state, rest, Energy, Creature)]


def _without_verb(state: NinecardState, text: str) -> list[str]:
    if state.target is not None:
        return _attacks(text)
    if state.discarding:
        return [f"discard {name}" for name in _in_hand(state, text, Energy, Creature)]
    energies = [f"energy {name}" for name in _in_hand(state, text, Energy)]
    return [*_between_cells(text), *energies, *_plays(state, text, Creature)]


def _between_cells(text: str) -> list[str]:
    cells = _BETWEEN_CELLS.fullmatch(" ".join(text.casefold().split()))
    if cells is None:
        return []
    source, target = cells.groups()
    # The meaning of two cells depends on the grid: use the legal one of these.
    return [f"move {source} {target}", " ".join(("swap", *sorted((source, target))))]


def _attacks(text: str) -> list[str]:
    if text and not _CELL.fullmatch(text.casefold()):
        return []
    return [f"attack {cell}" for cell in sorted(BOARD.cells) if cell.startswith(text.casefold())]


def _plays(state: NinecardState, text: str, *kinds: type[Energy | Creature]) -> list[str]:
    moves = [f"play {name} {column}" for name in _in_hand(state, text, *kinds) for column in COLUMNS]
    name, column = _name_and_column(text)
    if column:
        moves += [f"play {card} {column}" for card in _in_hand(state, name, *kinds)]
    return moves


def _name_and_column(text: str) -> tuple[str, str]:
    # "drake b", "drake to column b": the name, and a, b or c.
    words = text.split()
    column = words.pop().lower() if words else ""
    if column not in tuple(COLUMNS):
        return text, ""
    if words and words[-1].lower() == "column":
        words.pop()
    if words and words[-1].lower() in _ONTO:
        words.pop()
    return " ".join(words), column


def _in_hand(state: NinecardState, text: str, *kinds: type[Energy | Creature]) -> Sequence[str]:
    """Return the cards in hand that match a text; none if it is the name of another card in the deck."""
    names = list(dict.fromkeys(card.name for card in state.side.hand if isinstance(card, kinds)))
    deck = state.lists[state.to_move] if state.lists else None
    # The complete name of a card that is in the deck but not in hand does not match the beginning of another name.
    if text not in names and deck and any(card.name == text for card in deck):
        return ()
    return match_names(text, names)


# Reasons why a move is not legal


def _why_no_attack(state: NinecardState, cell: str) -> str:
    grid, place = state.side.grid, BOARD.cells.index(cell)
    creature, column = grid[place], place % BOARD.size
    if creature is None:
        return f"you have no creature on {cell}"
    if creature.attack == 0:
        return f"{quoted(creature.name)} on {cell} has attack 0, and cannot attack"
    if state.last is not None and column < state.last % BOARD.size:
        return f"column {COLUMNS[column]} has been passed: columns attack from a to c"
    if state.last is not None and column == state.last % BOARD.size and place <= state.last:
        return f"the creature on {cell} has already attacked"
    # The nearest creature in front of it: the highest index below its own in the column.
    ahead, wall = max(
        (at, creature.attack == 0) for at in column_cells(column) if at < place and (creature := grid[at])
    )
    if wall:
        return f"{cell} cannot attack, because the creature in front of it, on {BOARD.cells[ahead]}, has attack 0"
    return f"{cell} attacks only after {BOARD.cells[ahead]}, which is in front of it, has attacked"


def _why_no_assault(state: NinecardState, name: str) -> str:
    if name not in state.players:
        return f"{quoted(name)} is not one of the players"
    if name == state.players[state.to_move]:
        return "you cannot assault yourself"
    return f"{quoted(name)} is out"


def _why_no_step(state: NinecardState, verb: str, source: str, target: str) -> str:
    grid = state.side.grid
    a, b = BOARD.cells.index(source), BOARD.cells.index(target)
    if (min(source, target), max(source, target)) not in NEIGHBOURS:
        return f"{source} and {target} are not next to each other in a row or a column"
    for place, cell in ((a, source), (b, target))[: 2 if verb == "swap" else 1]:
        if grid[place] is None:
            return f"you have no creature on {cell}"
    if verb == "swap" and source > target:
        return f"the cells of a swap are in alphabetical order: swap {target} {source}"
    if verb == "move" and grid[b] is not None:
        return f"{target} is not empty: creatures next to each other swap"
    moved = source if a in state.moved else target
    return f"the creature on {moved} has already moved this turn"


def _why_not_played(state: NinecardState, card: Energy | Creature, column: str) -> str:
    if isinstance(card, Energy):
        return f"only creatures are played into a column, and {ENERGY_RULE}"
    if card.cost > state.ready:
        return f"{quoted(card.name)} costs {card.cost}, and {state.ready} energy is ready"
    return f"{column}3, where creatures enter column {column}, is not empty"


def _why_not_laid(state: NinecardState, card: Energy | Creature, verb: str) -> str:
    if isinstance(card, Energy):
        return f"this is an energy card: lay it with {quoted(f'energy {card.name}')}"
    option = {"facedown": state.options.facedown, "sacrifice": state.options.one_creature}
    if verb == "energy":
        also = "".join(f", or lay it with {word}" for word, allowed in option.items() if allowed)
        return f"this is a creature, not an energy card: play it into a column{also}"
    if option[verb]:
        return "one creature a turn may be laid as energy, and one has been"
    return f"in this game creatures are not laid as energy: it has no option {_OPTIONS[verb]}"


LONGEST_CARD: Final = 26
"""The maximum width of a card's name, so that several fit a line."""

_HEADINGS: Final = {
    "assault": "assault",
    "attack": "attack with",
    "discard": "discard",
    "energy": "energy: lay",
    "facedown": "facedown: lay",
    "move": "move",
    "sacrifice": "sacrifice: lay",
    "swap": "swap",
}
_END_WORDS: Final = "End turn"


def menu(state: NinecardState) -> tuple[str, ...]:
    """Return the choices of the player to move; what ends a part of the turn comes last, so that number 1 ends nothing.

    An assault in which no creature can attack is not listed: `END_TURN` declares and ends it.
    """
    legal = state.legal_moves()
    assaults = [move for move in legal if move.startswith("assault ")]
    if not assaults:
        return legal
    others = [move for move in legal if move not in assaults]
    return (*others, *(assaults if _can_attack(state) else ()), END_TURN)


def steps(state: NinecardState, choice: str) -> tuple[str, ...]:
    """Return the moves of a choice in the menu."""
    # Without an attack it does not matter which player is assaulted.
    return (f"assault {state.names[state.opponents()[0]]}", "end") if choice == END_TURN else (choice,)


def _can_attack(state: NinecardState) -> bool:
    return bool(possible_attackers(state.side.grid, None))


def describe(state: NinecardState, move: str) -> Words:
    """Return a short description of the effect of a choice in the menu."""
    verb, _, rest = move.partition(" ")
    if verb == "end":
        return f"{'no attack' if move == END_TURN else 'no more attacks'}; {_after_turn(state)}"
    if verb == "assault":
        return "your creatures may now attack" if _can_attack(state) else "no creature of yours can attack"
    if verb == "play":
        creature = _with_card(state, rest[:-2])
        return f"{creature.attack}/{creature.defense} for {creature.cost} energy, to {_landing(state, rest[-1])}"
    if verb in ("facedown", "sacrifice"):
        return "a creature laid as energy"
    if verb == "attack":
        return _attack_in_words(state, rest)
    if verb in ("move", "swap"):
        creatures = [state.side.grid[BOARD.cells.index(cell)] for cell in rest.split(" ")]
        return joined(" and ", (_name(creature.name) for creature in creatures if creature))
    return "one more energy" if verb == "energy" else "put away"


def _after_turn(state: NinecardState) -> str:
    """Return what happens to the player to move when the turn ends."""
    side = state.side
    if not any(isinstance(card, HiddenCard) for card in side.hand) and state.is_stuck():
        return "you are out: your grid is empty, and you can play no creature"
    if len(side.hand) > HAND_SIZE:
        return f"you discard down to {HAND_SIZE} cards"
    drawn = min(HAND_SIZE - len(side.hand), len(side.deck))
    return f"you draw {counted(drawn, 'card')}" if drawn else "you draw no card"


def tell(state: NinecardState, move: str) -> Words:
    """Return the public description of a move, which hides a card laid face down."""
    verb, _, rest = move.partition(" ")
    if verb == "facedown":
        return "a creature laid face down as energy"
    if verb == "play":
        return together("play ", _name(rest[:-2]), f" {rest[-1]} (", describe(state, move), ")")
    if verb == "attack":
        return together(f"attack {rest} (", describe(state, move), ")")
    return together(f"{verb} ", _name(rest)) if rest else _END_WORDS.lower()


def groups(state: NinecardState) -> list[MoveGroup]:
    """Return the menu by verb, the moves that play a creature by creature."""
    found: dict[Words, list[Choice]] = {}
    for heading, choice in _choices(state, menu(state)):
        found.setdefault(heading, []).append(choice)
    return [MoveGroup(heading, choices) for heading, choices in found.items()]


def _choices(state: NinecardState, moves: Iterable[str]) -> Iterator[tuple[Words, Choice]]:
    for move in moves:
        verb, _, rest = move.partition(" ")
        if verb == "play":
            name, column = rest[:-2], rest[-1]
            yield ("play ", _name(name), f" ({_with_card(state, name).cost})"), Choice(move, column)
        elif verb == "end":
            yield _END_WORDS, Choice(move, describe(state, move))
        else:
            effect = _effect(state, rest) if verb == "attack" else ""
            yield _HEADINGS[verb], Choice(move, (_name(rest),), effect)


def _name(name: str) -> Name:
    return Name(name, LONGEST_CARD)


def _with_card(state: NinecardState, name: str) -> Creature:
    return next(card for card in state.side.hand if isinstance(card, Creature) and card.name == name)


def _landing(state: NinecardState, column: str) -> str:
    cell = landing(state.side.grid, COLUMNS.index(column))
    return BOARD.cells[cell] if cell is not None else f"{column}3"


def _attack(state: NinecardState, cell: str) -> tuple[Creature, list[Creature], Clash] | None:
    """Return the attacker, the defenders that it meets, and the result."""
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
    """Return a short text for the effect of an attack."""
    attack = _attack(state, cell)
    if attack is None:
        return ""
    attacker, _, result = attack
    parts = [f"{attacker.attack}/{attacker.defense}"]
    parts += [f"kills {len(result.fallen)}"] if result.fallen else []
    parts += [f"takes {result.breach} life"] if result.breach else []
    parts += [] if result.attacker_lives else ["dies"]
    return ", ".join(parts)


_WORDS: Final = {
    "energy": "lay as energy",
    "facedown": "lay face down",
    "sacrifice": "sacrifice",
    "discard": "discard",
    "attack": "attack",
}


def ways(state: NinecardState, move: str) -> tuple[Way, ...]:
    """Return what to touch for a choice: a card and the cell where it lands, two cells, or words."""
    verb, _, rest = move.partition(" ")
    if verb == "play":
        return ((Touch("card", rest[:-2]), Touch("cell", _landing(state, rest[-1]))),)
    if verb in _OF_CELLS:
        source, target = (Touch("cell", cell) for cell in rest.split(" "))
        return ((source, target),) if verb == "move" else ((source, target), (target, source))
    if verb == "attack":
        return ((Touch("cell", rest), Touch("words", _WORDS[verb])),)
    if verb in _OF_CARDS:
        return ((Touch("card", rest), Touch("words", _WORDS[verb])),)
    return ((Touch("words", _END_WORDS if verb == "end" else move),),)
