"""The view of the matrix game: the numbers with the seats around them, the round, and the visible hands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.board import AROUND_THE_TABLE
from ccgrid.engine.game_view import CardFace, Choice, GameView, MoveGroup, ScoreTable, Sheet, Touch, Way, row_numbers
from ccgrid.engine.games.matrix.cards import BOARD, KINDS, NUMBERS
from ccgrid.engine.games.matrix.rules import COPIES, ROUNDS, MatrixState
from ccgrid.engine.picture import (
    Beside,
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    Spare,
    TextGrid,
    Words,
    joined,
    stacked,
    together,
)

_LONGEST_NAME: Final = 12
"""The maximum width of a name if up to four players are in one line."""

_LINES: Final = {"south": "row 3", "north": "row 1", "west": "a", "east": "c"}
"""The row or column of each side, whose numbers are its score; a column only by its letter, to save width."""

_ALL_SEE_ALL: Final = 2
"""With this number of players every card is known, and the space next to the board is free for the hands."""


def _picture(state: MatrixState, seat: int | None, last: str | None) -> Picture:
    """Return the board and the hands: next to it if they are known, else below, if there is space.

    The player to move sees their own hand in the moves.
    """
    over = state.ending() is not None
    shown = [one for one in range(len(state.players)) if not (over or seat == one == state.to_move)]
    hands = [_hand(state, one) for one in shown]
    if len(state.players) == _ALL_SEE_ALL:
        return stacked([_round(state), Beside(_board(state, last), stacked([Line(), *hands]))])
    return stacked([_round(state), _board(state, last), *(hands if seat is None else map(Spare, hands))])


def _round(state: MatrixState) -> Line:
    if state.ending() is not None:
        return Line("All ten rounds are played.")
    order = joined(", ", (_name(state.players[seat]) for seat in state.order))
    return Line(together(f"Round {state.round} of {ROUNDS}, played in this order: ", order))


def _name(player: str) -> Name:
    return Name(player, _LONGEST_NAME)


def _board(state: MatrixState, last: str | None) -> TextGrid:
    """Return the numbers, with the cells that the last move changed marked, and the players around them."""
    marked, lines = _marked_cells(last), list[GridRow | Divider]()
    for row in range(BOARD.size):
        lines.append(Divider(tuple("abc")) if row == 0 else Divider())
        cells = BOARD.cells[row * BOARD.size : (row + 1) * BOARD.size]
        numbers = tuple(Cell(str(state.number_on(cell)), marked=cell in marked) for cell in cells)
        lines.append(GridRow(str(row + 1), numbers))
    lines.append(Divider())
    sides = zip(AROUND_THE_TABLE[len(state.players)], state.players, state.scores(), strict=True)
    around = {
        side: (f"{side[0].upper()} ", _name(player), f" {score} ({_LINES[side]})") for side, player, score in sides
    }
    return TextGrid(tuple(lines), around=around)


def _marked_cells(last: str | None) -> Sequence[str]:
    """Return the cells to mark: those that the last move changed."""
    kind, _, rest = (last or "").partition(" ")
    if kind.startswith("swap-"):
        return ("b2",)
    if kind.startswith("rotate-"):
        return [cell for cell in BOARD.cells if cell != "b2"]
    # `shift-north a` names a column, `switch-edges b1 c2` cells: `(cell, *cell)` is the cell, its column and its row.
    return [cell for cell in BOARD.cells if any(named in (cell, *cell) for named in rest.split())]


def _hand(state: MatrixState, seat: int) -> Listing:
    name, hand = Name(state.players[seat]), state.hands[seat]
    if None in hand:
        discards = state.discards(seat)
        holds = f" holds {counted(len(hand), 'card')}" + (" and played" if discards else "")
        return Listing((name, holds), tuple(_with_counts(discards)))
    return Listing((name, " holds"), tuple(_with_counts(hand)))


def _with_counts(kinds: Iterable[str | None]) -> Iterator[str]:
    for kind, count in Counter(kind for kind in kinds if kind).items():
        yield kind if count == 1 else f"{count} {kind}"


def _describe(state: MatrixState, move: str) -> Words:
    after = state.play_unchecked(move).scores()
    changes = zip(state.players, state.scores(), after, strict=True)
    return joined(", ", ((_name(player), f" {old} to {new}") for player, old, new in changes))


def _ways(state: MatrixState, move: str) -> list[Way]:
    """Return what to touch: the card, then its two cells in any order, any cell of its column or row, or the number."""
    kind, *named = move.split()
    card = Touch("card", kind)
    if len(named) == 2:
        one, other = (Touch("cell", cell) for cell in named)
        return [(card, one, other), (card, other, one)]
    if kind.startswith("swap-"):
        named = [next(cell for cell in BOARD.cells if str(state.number_on(cell)) == named[0])]
    cells = [cell for cell in BOARD.cells if not named or named[0] in (cell, *cell)]
    return [(card, Touch("cell", cell)) for cell in cells]


def _groups(state: MatrixState) -> list[MoveGroup]:
    counts = Counter(state.hands[state.to_move])
    found: dict[str, list[Choice]] = {}
    for move in state.legal_moves():
        kind, _, where = move.partition(" ")
        scores = ":".join(map(str, state.play_unchecked(move).scores()))
        found.setdefault(kind, []).append(Choice(move, where, scores))
    return [MoveGroup(kind if counts[kind] == 1 else f"{kind} (2)", choices) for kind, choices in found.items()]


def _legend(state: MatrixState) -> Words:
    return together("Scores after each move (", joined(":", map(_name, state.players)), "):")


_DOES: Final = {
    "switch-corners": "Two corners of the board change places.",
    "switch-edges": "Two edges, not corners, change places.",
    "shift-north": "A column rolls up by one; its top number goes to the bottom.",
    "shift-south": "A column rolls down by one; its bottom number goes to the top.",
    "shift-west": "A row rolls left by one; its left number goes to the right.",
    "shift-east": "A row rolls right by one; its right number goes to the left.",
    "swap-even": "An even number that is not in the centre changes places with the centre.",
    "swap-odd": "An odd number that is not in the centre changes places with the centre.",
    "rotate-clockwise": "The whole board turns a quarter clockwise; the centre stays.",
    "rotate-counterclockwise": "The whole board turns a quarter counterclockwise; the centre stays.",
}
_SIGNS: Final = {
    "switch-corners": "\u25f0 \u21c4 \u25f2",
    "switch-edges": "\u25e7 \u21c4 \u25e8",
    "shift-north": "\u2191",
    "shift-south": "\u2193",
    "shift-west": "\u2190",
    "shift-east": "\u2192",
    "swap-even": "2 4 6 8",
    "swap-odd": "1 3 5 7 9",
    "rotate-clockwise": "\u21bb",
    "rotate-counterclockwise": "\u21ba",
}


def _own(players: int) -> Sequence[CardFace]:
    """Return the cards, the nine numbers of the board, and the effect of each card."""
    kinds = [kind for kind in KINDS for _ in range(COPIES[players])]
    cards = [CardFace(kind, large=_SIGNS[kind], lines=(_DOES[kind],), foot="3x3 Number Matrix") for kind in kinds]
    numbers = [CardFace("", large=str(number), foot="3x3 Number Matrix: the board") for number in NUMBERS]
    overview = CardFace("The cards", lines=tuple(f"{kind}  {_SIGNS[kind]}" for kind in KINDS))
    return [*cards, *numbers, overview]


_SHEET: Final = Sheet(scores=ScoreTable(2, row_numbers(10), "round", ("card", "score"), "end"), own=_own)

VIEW: Final = GameView(
    "ccgrid.engine.games.matrix",
    _picture,
    _describe,
    groups=_groups,
    legend=_legend,
    ways=_ways,
    only_end_counts=True,
    sheet=_SHEET,
)
