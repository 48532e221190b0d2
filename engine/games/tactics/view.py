"""The view of the tactics game: the board in the viewing seat's orientation, and that seat's hand next to it."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.formatting import counted
from ccgrid.engine.board import AROUND_THE_TABLE
from ccgrid.engine.game_view import Choice, GameView, MoveGroup, ScoreTable, Sheet, Touch, Way
from ccgrid.engine.games.four_sides import SIDES, sides
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.games.tactics.rules import TacticsState
from ccgrid.engine.picture import (
    DECK_COLUMNS,
    Beside,
    Line,
    Listing,
    Name,
    Picture,
    Spare,
    Stack,
    Standings,
    Tile,
    Tiles,
    Words,
    joined,
    stacked,
    together,
)

_LONGEST_OWNER: Final = 20
"""The maximum width of a player's name above the hand."""
_FEW: Final = 2
"""With more players, two share a line in shorter form, so that the larger board fits a low terminal."""


def _picture(state: TacticsState, seat: int | None, last: str | None) -> Stack:
    board = stacked([Line(_heading(state, seat), style="caption"), _board(state, seat or 0, last)])
    hands = _hands(state) if seat is None else _hand(state, seat)
    seats = range(len(state.players)) if seat is None else (seat,)
    listed = stacked(_hand_listing(state, one, named=seat is None) for one in seats)
    standings = Standings(tuple(_standing(state, one) for one in range(len(state.players))), signs=True)
    return stacked([Beside(board, hands, listed), standings, *([] if seat is None else [_taken_by(state, seat)])])


def _taken_by(state: TacticsState, seat: int) -> Picture:
    """Return a seat's captures, the newest first; with the larger board they do not fit low terminals."""
    names = tuple((Name(card.name),) for card in reversed(state.cards_captured(seat)) if card)
    pile = Listing("Your pile:", names or ("empty",), brief=True)
    return Spare(pile) if len(state.players) > _FEW else pile


def _heading(state: TacticsState, seat: int | None) -> str:
    side = AROUND_THE_TABLE[len(state.players)][seat or 0]
    return f"Seen from {side}" if seat is None else f"You sit {side}; your cards are upright"


def _letter(state: TacticsState, seat: int) -> str:
    """Return the letter of a seat's side of the table: S, W, N or E."""
    return AROUND_THE_TABLE[len(state.players)][seat][0].upper()


def _board(state: TacticsState, looking: int, last: str | None) -> Tiles:
    """Return the board turned so that the viewing seat's cards are upright; each card has its owner's letter."""
    board, turns = state.table.board, state.table.turns[looking]
    cells = [list(board.cells[row * board.size : (row + 1) * board.size]) for row in range(board.size)]
    for _ in range(turns):
        # A quarter turn counterclockwise: rows become columns, and the last one comes first.
        cells = [list(line) for line in zip(*cells, strict=True)][::-1]
    changed = (last or "").rpartition("@")[2]
    return Tiles(tuple(_tile(state, cell, turns, cell == changed) for line in cells for cell in line), board.size)


def _tile(state: TacticsState, cell: str, turns: int, marked: bool) -> Tile:
    card, holder = state.card_on(cell), state.holder(cell)
    if card is None or holder is None:
        return Tile(label=cell, marked=marked)
    lying = state.lying_on(cell)
    # Turned equally, so that the names of sides are those that the reader sees.
    zones = {side: lying[SIDES[(index + turns) % 4]] for index, side in enumerate(SIDES)}
    owner = f"{_letter(state, holder)} {state.players[holder]}"
    name = card.name
    return Tile(
        label=cell, owner=owner, name=name, zones=zones, marked=marked, seat=holder, family=_families().get(name, "")
    )


@cache
def _families() -> Mapping[str, str]:
    """Return the faction of each card of a bundled faction, by card name."""
    return {card.name: faction.title for faction in FACTIONS.bundled() for card in faction.cards}


def _hand(state: TacticsState, seat: int) -> Picture:
    """Return a seat's own cards as a column of tiles."""
    hand = [card for card in state.hand(seat) if card]
    if not hand:
        return Line("Your hand is empty.")
    families = _families()
    tiles = tuple(Tile(name=card.name, zones=card.zones, family=families.get(card.name, "")) for card in hand)
    return stacked([Line("Your hand", style="caption"), Tiles(tiles, columns=1, name_lines=1)])


def _hand_listing(state: TacticsState, seat: int, *, named: bool) -> Listing:
    """Return a list of a seat's cards, each with its numbers top, right, bottom, left."""
    cards = [card for card in state.hand(seat) if card]
    texts = tuple((Name(card.name), f" {' '.join(map(str, sides(card)))}") for card in cards)
    heading: Words = (Name(state.players[seat], _LONGEST_OWNER), ":") if named else "Your hand, clockwise:"
    return Listing(heading, texts or ("empty",))


def _hands(state: TacticsState) -> Stack:
    """Return all hands, one per line: names and numbers of known cards, and the number of unknown ones."""
    is_open = any(card for seat in range(len(state.hands)) for card in state.hand(seat))
    lines = [Line("Hands, numbers clockwise" if is_open else "Hands")]
    for seat, player in enumerate(state.players):
        lines.append(Line((f"{_letter(state, seat)} ", Name(player, _LONGEST_OWNER))))
        hand = [card for card in state.hand(seat) if card]
        lines += [Line(("  ", Name(card.name, None)), " ".join(map(str, sides(card)))) for card in hand]
        if hidden := state.hand(seat).count(None):
            lines.append(Line(f"  {counted(hidden, 'other card' if hand else 'card')}"))
    return stacked(lines)


def _standing(state: TacticsState, seat: int) -> Words:
    points, word = state.scores()[seat], "" if len(state.players) > _FEW else " points"
    counts = f": {points}{word[:-1] if points == 1 else word}, {len(state.captured[seat])} taken"
    if state.ending() is None:
        counts += f", deck {state.deck_left(seat)}"
    return f"{_letter(state, seat)} ", Name(state.players[seat], None), counts


def _gain(state: TacticsState, move: str, taken: Sequence[str]) -> str:
    """Return the points that a legal move gains: the cell's value, and one per captured card."""
    cell = state.table.places[move.rpartition("@")[2]]
    return f"+{state.table.values[cell] + len(taken)}"


def _describe(state: TacticsState, move: str) -> Words:
    taken = state.captures(move)
    gain = _gain(state, move, taken)
    return together(gain, ", takes ", joined(", ", (_captured_card(state, cell) for cell in taken))) if taken else gain


def _captured_card(state: TacticsState, cell: str) -> Words:
    card = state.card_on(cell)
    return (Name(card.name) if card else "a card", f" on {cell}")


def _groups(state: TacticsState) -> list[MoveGroup]:
    found: dict[str, list[Choice]] = {}
    for move in state.legal_moves():
        name, _, cell = move.rpartition("@")
        found.setdefault(name, []).append(Choice(move, cell, _gain(state, move, state.captures(move))))
    return [MoveGroup(name, choices) for name, choices in found.items()]


def _legend(state: TacticsState) -> Words:
    return "Points gained are shown after each move:"


def _ways(state: TacticsState, move: str) -> tuple[Way, ...]:
    name, _, cell = move.rpartition("@")
    card, place = Touch("card", name), Touch("cell", cell)
    return (card, place), (place, card)


def _deck(cards: Sequence[Card]) -> Tiles:
    """Return the cards with a number on every side, each once, with their count in the deck."""
    tiles = [Tile(label=str(number), name=card.name, zones=card.zones) for number, card in enumerate(cards, start=1)]
    return Tiles(tuple(tiles), DECK_COLUMNS, name_lines=2)


_SCORE_ROWS: Final = ("captured cards", "corners, 1 each", "sides, 2 each", "centre, 3")

_SHEET: Final = Sheet(
    scores=ScoreTable(3, _SCORE_ROWS, "", ("points",)),
    boards=lambda players: (3, 4) if players == 4 else (3,),
)

VIEW: Final = GameView(
    "ccgrid.engine.games.tactics", _picture, _describe, _deck, _groups, legend=_legend, ways=_ways, sheet=_SHEET
)
