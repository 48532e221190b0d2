"""The ten kinds of cards of the matrix game: how each is written, and where it puts the nine numbers."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from operator import itemgetter
from typing import Final

from engine.board import Board

BOARD: Final = Board(3)
CENTRE: Final = BOARD.cells.index("b2")
NUMBERS: Final = tuple(range(1, 10))

Numbers = tuple[int, ...]
"""The nine numbers in the order of `BOARD.cells`."""

Rearrangement = Callable[[Numbers], Numbers]

CORNERS: Final = ("a1", "a3", "c1", "c3")
EDGES: Final = ("a2", "b1", "b3", "c2")
_RIM: Final = ("a1", "b1", "c1", "c2", "c3", "b3", "a3", "a2")

_LONGEST_TYPED: Final = 100
_ALIASES: Final = {
    "counter clockwise": "counterclockwise",
    "anticlockwise": "counterclockwise",
    "anti clockwise": "counterclockwise",
    "ccw": "counterclockwise",
    "cw": "clockwise",
}
_IDLE_WORDS: Final = frozenset({"and", "with", "the", "column", "row", "to"})


def _along(*cycles: tuple[str, ...]) -> Rearrangement:
    """Along each cycle of cells every number goes to the next cell, the last to the first; all others stay."""
    sources = list(range(len(BOARD.cells)))
    for cycle in cycles:
        places = [BOARD.cells.index(cell) for cell in cycle]
        for place, following in zip(places, (*places[1:], places[0]), strict=True):
            sources[following] = place
    return itemgetter(*sources)


def _written_with_places() -> dict[str, dict[str, Rearrangement]]:
    columns = {column: tuple(f"{column}{row}" for row in "123") for column in "abc"}
    rows = {row: tuple(f"{column}{row}" for column in "abc") for row in "123"}
    return {
        "switch-corners": {f"{a} {b}": _along((a, b)) for a, b in combinations(CORNERS, 2)},
        "switch-edges": {f"{a} {b}": _along((a, b)) for a, b in combinations(EDGES, 2)},
        "shift-north": {column: _along(cells[::-1]) for column, cells in columns.items()},
        "shift-south": {column: _along(cells) for column, cells in columns.items()},
        "shift-west": {row: _along(cells[::-1]) for row, cells in rows.items()},
        "shift-east": {row: _along(cells) for row, cells in rows.items()},
    }


_PLACED: Final = {
    f"{kind} {where}": arrange for kind, places in _written_with_places().items() for where, arrange in places.items()
}
_CLOCKWISE: Final = {"quarter": (_RIM[0::2], _RIM[1::2]), "step": (_RIM,)}

ROTATIONS: Final = tuple(_CLOCKWISE)
"""How far the rotate cards turn: a quarter turn of the whole board, or one step of the numbers around the rim."""

_ARRANGED: Final[Mapping[str, Mapping[str, Rearrangement]]] = {
    rotate: _PLACED
    | {
        "rotate-clockwise": _along(*cycles),
        "rotate-counterclockwise": _along(*(cycle[::-1] for cycle in cycles)),
    }
    for rotate, cycles in _CLOCKWISE.items()
}
_SWAPS: Final = {f"swap-{'odd' if number % 2 else 'even'} {number}": number for number in NUMBERS}

MOVES: Final = tuple(sorted((*_ARRANGED["quarter"], *_SWAPS)))
"""Every move that some board allows."""

KINDS: Final = tuple(sorted({move.partition(" ")[0] for move in MOVES}))
"""The ten kinds of cards, sorted."""

MOVES_BY_CENTRE: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    kind: tuple(
        tuple(move for move in MOVES if move.partition(" ")[0] == kind and _SWAPS.get(move) != centre)
        for centre in range(len(NUMBERS) + 1)
    )
    for kind in KINDS
}
"""The legal moves with a kind of card, sorted, by the number in the centre."""

_NOTATION = re.compile(
    r"switch-(?:corners|edges) [a-c][1-3] [a-c][1-3]|shift-(?:north|south) [a-c]|shift-(?:west|east) [1-3]"
    r"|swap-(?:even|odd) [1-9]|rotate-(?:clockwise|counterclockwise)"
)


def arranged(board: Numbers, move: str, rotate: str) -> Numbers:
    """The board after a legal move."""
    number = _SWAPS.get(move)
    if number is None:
        return _ARRANGED[rotate][move](board)
    place = board.index(number)
    changed = list(board)
    changed[place], changed[CENTRE] = changed[CENTRE], number
    return tuple(changed)


def is_notation(move: str) -> bool:
    """Whether a text is a kind of card with cells, a column, a row or a number as that kind wants, fitting or not."""
    return _NOTATION.fullmatch(move) is not None


def why_no_move(move: str) -> str:
    """Why a move in notation that is not in `MOVES` is legal on no board."""
    kind, *places = move.split()
    if kind.startswith("swap-"):
        return f"{places[0]} is not {kind.removeprefix('swap-')}"
    first, second = places
    what, cells = ("corner", CORNERS) if kind == "switch-corners" else ("edge", EDGES)
    for cell in places:
        if cell not in cells:
            return f"{cell} is no {what}: the {what}s are {' '.join(cells)}"
    if first == second:
        return f"two different {what}s change places, and {first} is one"
    return f"cells are written in alphabetical order: {kind} {second} {first}"


def moves_typed(text: str) -> tuple[str, ...]:
    """The moves that a person may mean: some of a move's words, or how they begin, with some of its places.

    >>> moves_typed("corners C1 a1"), moves_typed("swap 4"), moves_typed("ccw")
    (('switch-corners a1 c1',), ('swap-even 4',), ('rotate-counterclockwise',))
    """
    if text in MOVES:
        return (text,)
    plain = " ".join(re.split(r"[\s,_-]+", text.lower().strip())) if len(text) <= _LONGEST_TYPED else ""
    for alias, word in _ALIASES.items():
        plain = re.sub(rf"\b{alias}\b", word, plain)
    tokens = [token for token in plain.split() if token not in _IDLE_WORDS]
    places = Counter(token for token in tokens if re.fullmatch(r"[a-c][1-3]?|[1-9]", token))
    words = [token for token in tokens if token not in places]
    return tuple(move for move in MOVES if _fits(move, words, places)) if tokens else ()


def _fits(move: str, words: list[str], places: Counter[str]) -> bool:
    kind, *own = move.split()
    return places <= Counter(own) and all(any(part.startswith(word) for part in kind.split("-")) for word in words)
