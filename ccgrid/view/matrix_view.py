"""How the matrix game is shown: the numbers with the seats around them, the round, and the hands that may be seen."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.view.game_view import Choice, GameView, MoveGroup, beside, filled, is_low, player_name, row, rule
from ccgrid.view.text import pad
from ccgrid.view.tiles import COLUMNS, pen

if TYPE_CHECKING:
    from rich.text import Text

    from engine.games.matrix.state import MatrixState

_GAP: Final = 4
_INNER: Final = 7
_BOARD_CELLS: Final = 3 * (_INNER + 1) + 1
_NUMBER_MARGIN: Final = 4
"""So many cells are left of the board for the numbers of its rows."""
_MARGIN: Final = 20
"""So many cells lie between the left rim of the picture and the board: the west player's name and score."""

_SEATS_BELOW_EACH_OTHER: Final = 2
"""With so many players nobody sits beside the board, and there is room for hands, which everybody knows."""


def _draw(state: "MatrixState", seat: int | None, last: str | None) -> "Text":
    """The board, and the other hands: beside it where they are known, else below, if there is room."""
    from rich.text import Text

    board = _surrounded(state, last)
    others = [] if state.ending() is not None else [one for one in range(len(state.players)) if one != seat]
    if len(state.players) == _SEATS_BELOW_EACH_OTHER:
        room = COLUMNS - 1 - max(map(len, board)) - _GAP
        hands = ["", *(line for one in others for line in _hand(state, one, room))]
        return Text.assemble(_round(state), "\n", beside(Text("\n".join(board)), Text("\n".join(hands)), _GAP))
    if is_low() and seat is not None:
        others = []
    hands = [line for one in others for line in _hand(state, one, COLUMNS - 1)]
    return Text("\n".join([_round(state), *board, *hands]))


def _surrounded(state: "MatrixState", last: str | None) -> list[str]:
    """The board with the players around it."""
    from engine.board import AROUND_THE_TABLE

    sides = dict(zip(AROUND_THE_TABLE[len(state.players)], range(len(state.players)), strict=True))
    names = {side: _placed(state, side, at) for side, at in sides.items()}
    margin = _MARGIN if "west" in names else _NUMBER_MARGIN
    north, south = (" " * margin + pad(names[side], _BOARD_CELLS, "center").rstrip() for side in ("north", "south"))
    return [north, *_board(state, last, margin, names), south]


def _placed(state: "MatrixState", side: str, seat: int) -> str:
    return f"{side[0].upper()} {player_name(state.players[seat], 12)} {state.scores()[seat]}"


def _round(state: "MatrixState") -> str:
    from engine.games.matrix.state import ROUNDS

    if state.ending() is not None:
        return "All ten rounds are played."
    order = ", ".join(player_name(state.players[seat], 12) for seat in state.order)
    return f"Round {state.round} of {ROUNDS}, played in this order: {order}"


def _board(state: "MatrixState", last: str | None, margin: int, names: dict[str, str]) -> list[str]:
    from engine.games.matrix.cards import BOARD

    before, after = pen().marks
    marked = _changed(last)
    texts = [
        f"{before}{number}{after}" if cell in marked else f" {number} "
        for cell, number in zip(BOARD.cells, state.board, strict=True)
    ]
    lines = []
    for index in range(BOARD.size):
        lines.append(" " * margin + rule(BOARD.size, _INNER, min(index, 1), "abc" if index == 0 else ""))
        west = names.get("west", "") if index == 1 else ""
        east = f"  {names['east']}" if index == 1 and "east" in names else ""
        numbers = row(texts[index * BOARD.size : (index + 1) * BOARD.size], _INNER)
        lines.append(f"{pad(west, margin - 3)} {index + 1} {numbers}{east}")
    return [*lines, " " * margin + rule(BOARD.size, _INNER, 2)]


def _changed(last: str | None) -> Sequence[str]:
    """The cells to mark: those that the last move names, by themselves, by their column or row; of a swap the centre.

    After a rotation every number has moved, and none is marked.
    """
    from engine.games.matrix.cards import BOARD

    kind, _, rest = (last or "").partition(" ")
    if kind.startswith("swap-"):
        return ("b2",)
    return [cell for cell in BOARD.cells if any(place in (cell, *cell) for place in rest.split())]


def _hand(state: "MatrixState", seat: int, cells: int) -> list[str]:
    name, hand = player_name(state.players[seat]), state.hands[seat]
    if None in hand:
        played = state.played(seat)
        return filled(f"{name} holds {len(hand)} cards" + (" and played" if played else ""), _counted(played), cells)
    return filled(f"{name} holds", _counted(hand), cells)


def _counted(kinds: Iterable[str | None]) -> list[str]:
    return [kind if count == 1 else f"{count} {kind}" for kind, count in Counter(k for k in kinds if k).items()]


def _describe(state: "MatrixState", move: str) -> str:
    after = state.play_unchecked(move).scores()
    changes = zip(state.players, state.scores(), after, strict=True)
    return ", ".join(f"{player_name(player, 12)} {old} to {new}" for player, old, new in changes)


def _groups(state: "MatrixState") -> list[MoveGroup]:
    counts = Counter(state.hands[state.to_move])
    found: dict[str, list[Choice]] = {}
    for move in state.legal_moves():
        kind, _, places = move.partition(" ")
        scores = ":".join(map(str, state.play_unchecked(move).scores()))
        found.setdefault(kind, []).append(Choice(move, places, scores))
    return [MoveGroup(kind if counts[kind] == 1 else f"{kind} (2)", choices) for kind, choices in found.items()]


def _legend(state: "MatrixState") -> str:
    return f"Behind each move the scores after it, {':'.join(player_name(name, 12) for name in state.players)}:"


VIEW: Final = GameView(_draw, _describe, _groups, legend=_legend)
