"""A game in progress on a terminal: its picture, what moves do and did, and the list of the legal ones."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from ccgrid.view.drawing import Drawing
from ccgrid.view.names import cut, player_name, say
from ccgrid.view.output import console, on_terminal, show, shown
from ccgrid.view.pictures import draw, picture_cells
from ccgrid.view.text import pad, width
from engine.game import State
from engine.game_view import GameView, MoveGroup
from engine.games import find_game
from engine.records.record import Ply

_LOW: Final = 30
"""On a terminal of fewer lines boards are drawn low."""

_BESIDE_THE_BOARD: Final = 3
"""This many lines stand on a screen besides the board and the list of moves: what was played, a blank, the prompt."""

_NARROWEST: Final = 18
_GAP: Final = 2
"""The least width of a column of moves, and what stands between two, in cells."""

_LONGEST_HEADING: Final = 36
_LONGEST_CHOICE: Final = 40


def draw_state(
    game: str, state: State, last: str | None = None, seat: int | None = None, *, whole: bool = False
) -> Drawing:
    """The picture of a position; `last` led to it, `seat` is who looks at its own view of it, none is everybody.

    `whole` leaves nothing out of it on a terminal of few lines.
    """
    low = not whole and on_terminal() and console().height < _LOW
    return draw(_view(game).picture(state, seat, last), picture_cells(), low=low)


def _view(game: str) -> GameView:
    return find_game(game).pictures


def show_position(
    game: str, state: State, last: str | None = None, seat: int | None = None, *, whole: bool = False
) -> None:
    """Print a position, and the scores where its picture does not say them; `whole` with all that may be left out."""
    show(draw_state(game, state, last, seat, whole=whole))
    if not _view(game).shows_scores:
        show(standing(state))


def show_hidden(game: str, state: State) -> None:
    """Print what a whole position holds that nobody sees, where there is any."""
    if (hidden := _view(game).hidden) is not None:
        show(draw(hidden(state), picture_cells()))


def describe_move(game: str, state: State, move: str) -> str:
    """What a legal move would do, in a few words."""
    return say(_view(game).describe(state, move))


def tell(game: str, plies: Iterable[Ply]) -> list[str]:
    """What the other players are told of moves that were made, a text for each turn: nothing that they may not know."""
    view, texts = _view(game), []
    for player, turn in groupby(plies, key=lambda ply: ply.player):
        name = player_name(player)
        if view.tell is None:
            texts += [f"{name} plays {shown(ply.move)}: {say(view.describe(ply.state, ply.move))}" for ply in turn]
        else:
            texts.append(f"{name}: {'; '.join(say(view.tell(ply.state, ply.move)) for ply in turn)}")
    return texts


def standing(state: State) -> str:
    """The scores so far, in one line."""
    scores = zip(state.players, state.scores(), strict=True)
    return ", ".join(f"{player_name(player)} {score}" for player, score in scores)


def show_moves(game: str, state: State, moves: Sequence[str], *, whole: bool = False) -> None:
    """Print the legal moves, numbered from 1, each with what it would do.

    On a terminal they take as few lines as it takes to leave the board in sight above them. Where they cannot, they are
    only counted; `whole` lists them all the same.
    """
    if not on_terminal():
        show(*_one_by_one(game, state, moves))
        return
    screen, view = console(), _view(game)
    board = draw_state(game, state, seat=state.to_move).plain.count("\n") + (1 if view.shows_scores else 2)
    room = screen.height - board - _BESIDE_THE_BOARD
    if view.groups is None:
        show(*in_columns(_one_by_one(game, state, moves), screen.width, room))
        return
    found = view.groups(state)
    numbers = {move: number for number, move in enumerate(moves, 1)}
    tries = [_in_groups(found, numbers, screen.width, effects=effects) for effects in (True, False)]
    if view.legend is not None:
        tries.insert(0, [say(view.legend(state)), *tries[0]])
    fitting = [lines for lines in tries if len(lines) <= room]
    if fitting or whole:
        show(*(fitting or tries)[0])
        return
    headings = ", ".join(cut(say(group.heading), _LONGEST_HEADING) for group in found)
    counted = f"{len(moves)} move{'' if len(moves) == 1 else 's'}; type moves to list them."
    what = f" They are of: {headings}"
    show(counted + what if room > 0 or width(counted + what) <= screen.width else counted)


def _one_by_one(game: str, state: State, moves: Sequence[str]) -> list[str]:
    digits, longest = len(str(len(moves))), max(map(len, moves), default=0)
    return [
        shown(f"{number:>{digits}}  {move:<{longest}}  {describe_move(game, state, move)}".rstrip())
        for number, move in enumerate(moves, 1)
    ]


def _in_groups(groups: Sequence[MoveGroup], numbers: Mapping[str, int], cells: int, *, effects: bool) -> list[str]:
    """Lines of at most `cells` cells: of each group its heading, then its moves in columns."""
    headings = [say(group.heading) for group in groups]
    margin = min(max(map(width, headings), default=0), _LONGEST_HEADING) + _GAP
    lines = []
    for heading, group in zip(headings, groups, strict=True):
        texts = []
        for choice in group.choices:
            text = f"{numbers[choice.move]} {cut(say(choice.short), _LONGEST_CHOICE)}".rstrip()
            texts.append(f"{text} {choice.effect}".rstrip() if effects else text)
        inner = max(map(width, texts))
        columns = max(1, (cells - margin + _GAP) // (inner + _GAP))
        first = pad(heading, margin - _GAP) + " " * _GAP
        for start in range(0, len(texts), columns):
            row = (" " * _GAP).join(pad(text, inner) for text in texts[start : start + columns])
            lines.append(f"{first if start == 0 else ' ' * margin}{row}".rstrip())
    return lines


def in_columns(texts: Sequence[str], cells: int, most: int) -> list[str]:
    """Lines of at most `cells` cells that hold texts in columns, read downwards.

    There are as few columns as leave at most `most` lines, but none so narrow that nothing can be read in it.

    >>> in_columns(["1 a1xb1", "2 a1xb2", "3 b1xc1"], 40, 2)
    ['1 a1xb1              3 b1xc1', '2 a1xb2']
    """
    most_columns = max(1, (cells + _GAP) // (_NARROWEST + _GAP))
    columns = min(most_columns, -(-len(texts) // max(most, 1))) or 1
    height = -(-len(texts) // columns)
    inner = (cells + _GAP) // columns - _GAP
    rows = (texts[row::height] for row in range(height))
    return [(" " * _GAP).join(pad(text, inner) for text in row).rstrip() for row in rows]
