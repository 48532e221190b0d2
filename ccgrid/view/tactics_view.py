"""How the tactics game is shown: the board as the seat that looks at it sees it, and that seat's hand beside it."""

from typing import TYPE_CHECKING, Final

from ccgrid.view.game_view import Choice, GameView, MoveGroup, beside, cut, is_low, player_name
from ccgrid.view.output import shown
from ccgrid.view.text import pad
from ccgrid.view.tiles import CAPTION, COLUMNS, Tile, draw_tiles

if TYPE_CHECKING:
    from rich.text import Text

    from catalog.card import Card
    from engine.games.tactics.state import TacticsState

_INNER: Final = {3: 16, 4: 12}
_HAND_INNER: Final = 22
"""The widths of a card on the board, by the board's size, and of one in hand, in cells without its frame."""


def _draw(state: "TacticsState", seat: int | None, last: str | None) -> "Text":
    from rich.text import Text

    size = state.table.board.size
    board = Text.assemble((_heading(state, seat), CAPTION), "\n", _board(state, seat or 0, last))
    side = _hands(state) if seat is None else _hand(state, seat)
    standings = [_standing(state, one) for one in range(len(state.players))]
    lines = [beside(_block(board, size * (_INNER[size] + 1) + 1), side)]
    lines += [Text("  ".join(pair).rstrip()) for pair in zip(standings[::2], standings[1::2], strict=True)]
    return Text("\n").join(lines)


def _block(picture: "Text", cells: int) -> "Text":
    """The picture with lines of so many cells."""
    from rich.text import Text

    lines = picture.split("\n")
    for line in lines:
        line.pad_right(cells - line.cell_len)
    return Text("\n").join(lines)


def _heading(state: "TacticsState", seat: int | None) -> str:
    from engine.board import AROUND_THE_TABLE

    side = AROUND_THE_TABLE[len(state.players)][seat or 0]
    return f"Seen from {side}" + ("" if seat is None else "; your cards lie upright")


def _letter(state: "TacticsState", seat: int) -> str:
    """S, W, N or E: where a seat is at the table."""
    from engine.board import AROUND_THE_TABLE

    return AROUND_THE_TABLE[len(state.players)][seat][0].upper()


def _board(state: "TacticsState", looking: int, last: str | None) -> "Text":
    """The board turned so that the cards of the seat that looks at it lie upright; a card's rim says whose it is."""
    from engine.games.tactics.cards import SIDES

    board, turns = state.table.board, state.table.turns[looking]
    cells = [list(board.cells[row * board.size : (row + 1) * board.size]) for row in range(board.size)]
    for _ in range(turns):
        cells = [list(line) for line in zip(*cells, strict=True)][::-1]
    tiles = []
    for cell in (cell for line in cells for cell in line):
        card, holder = state.card_on(cell), state.holder(cell)
        marked = last is not None and last.rpartition("@")[2] == cell
        if card is None or holder is None:
            tiles.append(Tile(label=cell, marked=marked))
            continue
        lying = state.lying_on(cell)
        zones = {side: str(lying[SIDES[(index + turns) % 4]]) for index, side in enumerate(SIDES)}
        label = f"{cell} {_letter(state, holder)} {shown(state.players[holder])}"
        tiles.append(Tile(label=label, name=card.name, zones=zones, marked=marked))
    return draw_tiles(tiles, board.size, inner=_INNER[board.size], height=3 if is_low() else 4)


def _hand(state: "TacticsState", seat: int) -> "Text":
    """A seat's own cards, as tiles one below the other."""
    from rich.text import Text

    hand = [card for card in state.hand(seat) if card]
    if not hand:
        return Text("Your hand is empty.")
    tiles = [Tile(name=card.name, zones={side: str(number) for side, number in card.zones.items()}) for card in hand]
    return Text.assemble(("Your hand", CAPTION), "\n", draw_tiles(tiles, 1, inner=_HAND_INNER, height=3))


def _hands(state: "TacticsState") -> "Text":
    """Everybody's cards, a line each: name, and the numbers top, right, bottom, left."""
    from rich.text import Text

    lines = ["Hands, numbers clockwise"]
    for seat, player in enumerate(state.players):
        lines.append(f"{_letter(state, seat)} {player_name(player, _HAND_INNER - 2)}")
        lines += [f"  {_in_a_line(card)}" for card in state.hand(seat) if card]
    return Text("\n".join(lines))


def _in_a_line(card: "Card") -> str:
    from engine.games.tactics.cards import sides

    numbers = " ".join(map(str, sides(card)))
    room = _HAND_INNER - 1 - len(numbers)
    return f"{pad(cut(shown(card.name), room), room)} {numbers}"


def _standing(state: "TacticsState", seat: int) -> str:
    points = state.scores()[seat]
    counts = f": {points} point{'' if points == 1 else 's'}, {len(state.captured[seat])} taken"
    if state.ending() is None:
        counts += f", deck {state.deck_left(seat)}"
    room = COLUMNS // 2 - 2
    name = player_name(state.players[seat], room - 2 - len(counts))
    return pad(f"{_letter(state, seat)} {name}{counts}", room)


def _gain(state: "TacticsState", move: str) -> int:
    place = state.table.places[move.rpartition("@")[2]]
    return state.table.values[place] + len(state.captures(move))


def _describe(state: "TacticsState", move: str) -> str:
    taken = ", ".join(_taken(state, cell) for cell in state.captures(move))
    gain = f"+{_gain(state, move)}"
    return f"{gain}, takes {taken}" if taken else gain


def _taken(state: "TacticsState", cell: str) -> str:
    card = state.card_on(cell)
    return f"{cut(shown(card.name), 30) if card else 'a card'} on {cell}"


def _groups(state: "TacticsState") -> list[MoveGroup]:
    found: dict[str, list[Choice]] = {}
    for move in state.legal_moves():
        name, _, cell = move.rpartition("@")
        found.setdefault(name, []).append(Choice(move, cell, f"+{_gain(state, move)}"))
    return [MoveGroup(name, choices) for name, choices in found.items()]


def _legend(state: "TacticsState") -> str:
    return "Behind each move the points that it gains:"


VIEW: Final = GameView(_draw, _describe, _groups, legend=_legend)
