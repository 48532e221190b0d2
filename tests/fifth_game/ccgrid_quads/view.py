"""The display of Quads: the board, the hands next to it, and the number of each player's cards."""

from ccgrid.engine.game_view import Choice, GameView, MoveGroup
from ccgrid.engine.games.four_sides import sides
from ccgrid.engine.picture import (
    Beside,
    Line,
    Listing,
    Name,
    Stack,
    Standings,
    Tile,
    Tiles,
    Words,
    joined,
    stacked,
    together,
)

from .rules import BOARD, EMPTY, QuadsState


def _picture(state: QuadsState, seat: int | None, last: str | None) -> Stack:
    changed = (last or "").rpartition("@")[2]
    board = Tiles(tuple(_tile(state, place, cell == changed) for place, cell in enumerate(BOARD.cells)), BOARD.size)
    lines, listed = [], []
    for one, player in enumerate(state.players):
        lines.append(Line((Name(player, 20), ":")))
        hand = [(name, " ".join(map(str, sides(state.card(number))))) for name, number in state.hand(one).items()]
        lines += [Line(("  ", Name(name, None)), numbers) for name, numbers in hand]
        texts = tuple((Name(name), f" {numbers}") for name, numbers in hand)
        listed.append(Listing((Name(player, 20), ":"), texts or ("empty",)))
    standings = (together(Name(name), f" {score}") for name, score in zip(state.players, state.scores(), strict=True))
    return stacked([Beside(board, stacked(lines), stacked(listed)), Standings(tuple(standings))])


def _tile(state: QuadsState, place: int, marked: bool) -> Tile:
    cell, number = BOARD.cells[place], state.grid[place]
    if number == EMPTY:
        return Tile(label=cell, marked=marked)
    card, owner = state.card(number), state.players[state.holders[place]]
    return Tile(label=cell, owner=owner, name=card.name, zones=card.zones, marked=marked)


def _describe(state: QuadsState, move: str) -> Words:
    cells = [BOARD.cells[place] for place in state.flips(move)]
    return together("turns ", joined(", ", cells)) if cells else "turns nothing"


def _groups(state: QuadsState) -> list[MoveGroup]:
    found: dict[str, list[Choice]] = {}
    for move in state.legal_moves():
        name, _, cell = move.rpartition("@")
        found.setdefault(name, []).append(Choice(move, cell, f"+{len(state.flips(move))}"))
    return [MoveGroup(name, choices) for name, choices in found.items()]


def _legend(state: QuadsState) -> Words:
    return "After each move the number of cards that it turns:"


VIEW = GameView(__package__, _picture, _describe, groups=_groups, legend=_legend)
