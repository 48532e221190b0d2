"""Texts with strangers' names in them as one line on this output: nothing in a name acts, and none floods the line."""

from ccgrid.view.output import shown
from ccgrid.view.text import shorten, width
from ccgrid.view.tiles import pen
from engine.picture import USUAL_NAME, Name, Words


def player_name(name: str, cells: int = USUAL_NAME) -> str:
    """A player's name as it stands in sentences and at the prompt, in at most `cells` cells."""
    return cut(shown(name), cells)


def cut(text: str, cells: int) -> str:
    """The text in at most `cells` cells, its end as a picture on this output can show it."""
    return shorten(text, cells, pen().ellipsis)


def say(words: Words, cells: int | None = None) -> str:
    """The words in one line, each name in its cells; those without a limit share what is left of `cells`, if given."""
    pieces = (words,) if isinstance(words, str) else words
    texts = [_piece(piece) for piece in pieces]
    unlimited = [index for index, piece in enumerate(pieces) if isinstance(piece, Name) and piece.most is None]
    if cells is not None and unlimited:
        taken = sum(width(text) for index, text in enumerate(texts) if index not in unlimited)
        for index in unlimited:
            texts[index] = cut(texts[index], (cells - taken) // len(unlimited))
    return "".join(texts)


def _piece(piece: str | Name) -> str:
    if isinstance(piece, str):
        return shown(piece)
    return shown(piece.text) if piece.most is None else player_name(piece.text, piece.most)
