"""The view of the ninecard game: the players' grids facing each other by column, and each player's resources."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.formatting import counted
from ccgrid.engine.game_view import CardFace, GameView, ScoreTable, Sheet, row_numbers
from ccgrid.engine.games.ninecard.cards import (
    ENERGY_RULE,
    BattleCard,
    Creature,
    Energy,
    HiddenCard,
    energy_reason,
    is_creature,
)
from ccgrid.engine.games.ninecard.combat import BOARD, COLUMNS
from ccgrid.engine.games.ninecard.notation import LONGEST_CARD, describe, groups, tell, ways
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.picture import (
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    PictureTable,
    Spare,
    Stack,
    TableColumn,
    TextGrid,
    Words,
    stacked,
    together,
)

_LONGEST_PLAYER: Final = 20
"""The maximum width of a player's name next to the counts of their resources."""

_PHASES: Final = (
    "Energy: lay energy cards. Each pays 1 for creatures, again in every turn.",
    "Play: a creature enters at row 3 and slides to the front.",
    "Move: a creature takes one step or changes places with a neighbour, once a turn.",
    "Assault: from the front of each column, creatures strike what faces them.",
    "Attacks that no creature stops reduce the other player's life.",
)
"""An explanation of each phase of a turn."""

_COLUMN_LABELS: Final = tuple(COLUMNS)
_FRONT: Final = Divider(("front",) * BOARD.size, faces=True)


def _picture(state: NinecardState, seat: int | None, last: str | None) -> Stack:
    """Return the grids: the lowest is the viewing player's, or else the one of the player to move.

    The others face it from above.
    """
    own = state.to_move if seat is None else seat
    # From the top: the other grids, turned to face down; the last of them shares a picture with the own one below it.
    others = [one for one in range(len(state.names)) if one != own]
    if state.target in others:  # the player under assault comes next to the assaulting one
        others.remove(state.target)
        others.append(state.target)
    parts: list[Picture] = [] if state.is_over() else [_turn(state)]
    for number, one in enumerate(others):
        lines: tuple[GridRow | Divider, ...] = (
            Divider(_COLUMN_LABELS, spare=number > 0),
            *reversed(_rows(state, one, ())),
            _FRONT,
        )
        if one == others[-1]:
            marked = _marked_cells(last) if own == state.to_move else ()
            lines += (*_rows(state, own, marked, is_own=True), Divider())
        parts += [_summary(state, one), TextGrid(lines, holds_names=True)]
    parts.append(_summary(state, own))
    seen = [one for one in (own, *others) if seat in (None, one) and not state.sides[one].is_out]
    parts += [_hand(state, one, named=seat is None) for one in seen]
    # Explained once: in the first turn of each player. A low terminal has room only for the last line.
    if state.turn <= len(state.names):
        parts += [Spare(_caption(text)) for text in _PHASES]
        parts.append(_caption(f"{ENERGY_RULE[:1].upper()}{ENERGY_RULE[1:]}."))
    return stacked(parts)


def _caption(text: str) -> Line:
    return Line(text, style="caption")


def _player(state: NinecardState, seat: int) -> Name:
    return Name(state.names[seat], _LONGEST_PLAYER)


def _turn(state: NinecardState) -> Line:
    part: Words = "lay energy, play and move creatures, then assault or end the turn"
    if state.discarding:
        part = "the end of the turn, discard down to five cards"
    elif state.target is not None:
        part = ("the assault on ", _player(state, state.target), ", columns a to c")
    return Line(together(f"Turn {state.turn}, ", _player(state, state.to_move), ": ", part))


def _summary(state: NinecardState, seat: int) -> Line:
    """Return a player's name, life, energy, and the numbers of cards in hand and deck."""
    side, player = state.sides[seat], _player(state, seat)
    if side.is_out:
        return Line((player, f": out, {'with no creature left to play' if side.life > 0 else 'with no life left'}"))
    # Used energy counts only for the player to move: before the next turn all of it is ready again.
    ready = state.ready if seat == state.to_move and not state.is_over() else side.all_energy
    energy = f"energy {ready} of {side.all_energy} ready"
    return Line((player, f": life {side.life}, {energy}, hand {len(side.hand)}, deck {len(side.deck)}"))


def _rows(state: NinecardState, seat: int, marked: Sequence[str], *, is_own: bool = False) -> tuple[GridRow, ...]:
    """Return a player's rows from the front; a small window may omit an empty rear row of another player's grid."""
    grid, rows = state.sides[seat].grid, []
    for row in range(BOARD.size):
        indices = range(row * BOARD.size, (row + 1) * BOARD.size)
        cells = tuple(_cell(grid[index], marked=BOARD.cells[index] in marked) for index in indices)
        is_empty = not any(grid[index] for index in indices)
        rows.append(GridRow(str(row + 1), cells, spare=is_empty and row > 0 and not is_own))
    return tuple(rows)


def _cell(creature: Creature | None, *, marked: bool) -> Cell:
    if creature is None:
        return Cell()
    return Cell(f"{creature.attack}/{creature.defense}", creature.name, marked, _family(creature))


def _marked_cells(last: str | None) -> Sequence[str]:
    """Return the cells to mark in the grid of the player who moved last: those to which a creature moved."""
    verb, *cells = (last or "").split(" ")
    return {"move": cells[1:], "swap": cells}.get(verb, ())


def _hand(state: NinecardState, seat: int, *, named: bool) -> Listing:
    """Return a hand with the cost of each creature and the number of copies, and an explanation of the numbers."""
    cards = Counter(card for card in state.sides[seat].hand if not isinstance(card, HiddenCard))
    texts = [together("" if count == 1 else f"{count} ", _card(card)) for card, count in cards.items()]
    families = [*map(_family, cards)]
    if hidden := len(state.sides[seat].hand) - cards.total():
        texts.append(f"{hidden} hidden" if texts else counted(hidden, "hidden card"))
        families.append("")
    heading: Words = ("Hand of ", _player(state, seat), ":") if named else "Your hand:"
    return Listing(heading, tuple(texts) or ("empty",), families=tuple(families))


def _family(card: BattleCard) -> str:
    """Return the family of a card, for its colour: its cost, or that it is energy."""
    return f"costs {card.cost} energy" if isinstance(card, Creature) else "energy"


def _card(card: BattleCard) -> Words:
    if isinstance(card, Creature):
        return Name(card.name, LONGEST_CARD), f" {card.attack}/{card.defense} costs {card.cost}"
    return (Name(card.name, LONGEST_CARD), " (energy)") if isinstance(card, Energy) else "a hidden card"


def _deck(cards: Sequence[Card]) -> Stack:
    """Return the creatures by cost, then the energy cards, with the number of copies."""
    creatures = Counter((card.name, card.attack or 0, card.defense or 0) for card in cards if is_creature(card))
    energies = Counter((card.name, energy_reason(card)) for card in cards if not is_creature(card))
    by_cost = sorted(creatures.items(), key=lambda item: (item[0][1] + item[0][2], item[0]))
    copies = TableColumn("copies", is_number=True)
    creature_table = PictureTable(
        (copies, TableColumn("creature", wraps=True), TableColumn("attack/defense"), TableColumn("costs", True)),
        tuple((count, name, f"{attack}/{defense}", attack + defense) for (name, attack, defense), count in by_cost),
    )
    energy_table = PictureTable(
        (copies, TableColumn("energy", wraps=True), TableColumn("why", wraps=True)),
        tuple((count, *card) for card, count in sorted(energies.items())),
    )
    return stacked(
        [
            Line(f"{counted(creatures.total(), 'creature')}:"),
            Line(),
            creature_table,
            Line(),
            Line(f"{counted(energies.total(), 'energy card')}:"),
            Line(),
            energy_table,
        ]
    )


def _face(card: Card) -> CardFace:
    if card.attack is None or card.defense is None:
        return CardFace(card.name, lines=("energy",))
    lines = "attack / defense", f"costs {card.attack + card.defense}"
    return CardFace(card.name, large=f"{card.attack} / {card.defense}", lines=lines)


def _fight_text(card: Card) -> str:
    return "energy" if card.attack is None else f"{card.attack}/{card.defense}"


_SHEET: Final = Sheet(
    scores=ScoreTable(1, row_numbers(25), "turn", ("life", "energy"), "end"),
    note="row 1 is the front",
    face=_face,
    heading="attack/defense",
    numbers=_fight_text,
)

VIEW: Final = GameView("ccgrid.engine.games.ninecard", _picture, describe, _deck, groups, tell, ways=ways, sheet=_SHEET)
