"""Moves of the matrix game as text: the interpretation of typed moves, and why a move is not legal."""

import re
from collections import Counter
from typing import Final

from ccgrid.engine.cards import hand_suffix
from ccgrid.engine.errors import quoted
from ccgrid.engine.games.matrix.cards import CORNERS, EDGES, MOVES
from ccgrid.engine.games.matrix.rules import MatrixState

_LONGEST_TYPED: Final = 100
_ALIASES: Final = {
    "counter clockwise": "counterclockwise",
    "anticlockwise": "counterclockwise",
    "anti clockwise": "counterclockwise",
    "ccw": "counterclockwise",
    "cw": "clockwise",
}
_IDLE_WORDS: Final = frozenset({"and", "with", "the", "column", "row", "to"})

_NOTATION: Final = re.compile(
    r"switch-(?:corners|edges) [a-c][1-3] [a-c][1-3]|shift-(?:north|south) [a-c]|shift-(?:west|east) [1-3]"
    r"|swap-(?:even|odd) [1-9]|rotate-(?:clockwise|counterclockwise)"
)


class MatrixNotation:
    """The notation `switch-corners a1 c3`: a kind of card and its cells, column, row or number."""

    example: Final = "switch-corners a1 c3, shift-north b, swap-even 4 or rotate-clockwise"

    def is_notation(self, state: MatrixState, move: str) -> bool:
        """Return whether the text is a kind of card with arguments, valid or not."""
        return _NOTATION.fullmatch(move) is not None

    def why_illegal(self, state: MatrixState, move: str) -> str:
        """Return that the card cannot do this, or is not in hand; or that the number is in the centre already."""
        if move not in MOVES:
            return _why_never(move)
        kind, _, number = move.partition(" ")
        hand = state.hands[state.to_move]
        if kind not in hand:
            suffix = hand_suffix(filter(None, dict.fromkeys(hand)), hand.count(None))
            return f"{quoted(state.players[state.to_move])} has no {kind} in hand{suffix}"
        return f"{number} is in the centre already"

    def moves_meant(self, state: MatrixState, text: str) -> tuple[str, ...]:
        """Return the moves that a text may mean: `corners c1 a1`, `north b`, `swap 4`, `cw`.

        A unique card or cells alone.
        """
        return moves_typed(text) or ((text,) if self.is_notation(state, text) else ())


def _why_never(move: str) -> str:
    """Return why a move in notation that is not in `MOVES` is legal on no board."""
    kind, *cells = move.split()
    if kind.startswith("swap-"):
        return f"{cells[0]} is not {kind.removeprefix('swap-')}"
    first, second = cells
    what, fitting = ("corner", CORNERS) if kind == "switch-corners" else ("edge", EDGES)
    for cell in cells:
        if cell not in fitting:
            return f"{cell} is not {'a corner' if what == 'corner' else 'an edge'}: the {what}s are {' '.join(fitting)}"
    if first == second:
        return f"two different {what}s change places, and {first} is one"
    return f"cells are written in alphabetical order: {kind} {second} {first}"


def moves_typed(text: str) -> tuple[str, ...]:
    """Return the moves that a text may mean: some of a move's words, or their beginnings, with some of the arguments.

    >>> moves_typed("corners C1 a1"), moves_typed("swap 4"), moves_typed("ccw")
    (('switch-corners a1 c1',), ('swap-even 4',), ('rotate-counterclockwise',))
    """
    if text in MOVES:
        return (text,)
    # "Shift-North, B" becomes "shift north b".
    plain = " ".join(re.split(r"[\s,_-]+", text.lower())) if len(text) <= _LONGEST_TYPED else ""
    for alias, word in _ALIASES.items():
        plain = re.sub(rf"\b{alias}\b", word, plain)
    tokens = [token for token in plain.split() if token not in _IDLE_WORDS]
    # Cells, columns, rows and numbers: a1, b, 3.
    where = Counter(token for token in tokens if re.fullmatch(r"[a-c][1-3]?|[1-9]", token))
    # The other words are parts of a card's name: "corners", "north", or its alias "cw".
    words = [token for token in tokens if token not in where]
    return tuple(move for move in MOVES if _fits(move, words, where)) if tokens else ()


def _fits(move: str, words: list[str], where: Counter[str]) -> bool:
    kind, *own = move.split()
    # Every typed cell, column, row or number must belong to the move; words may be abbreviated.
    return where <= Counter(own) and all(any(part.startswith(word) for part in kind.split("-")) for word in words)
