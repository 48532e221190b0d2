"""Cards to print and cut out: 63 by 88 millimetres, nine per page, with crop marks."""

import html
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ccgrid.engine.game_view import CardFace
from ccgrid.pages.card_looks import family_hue, hyphenated, widest_word

WIDTH: Final = 63
HEIGHT: Final = 88
"""Height of a card in millimetres, next to `WIDTH`."""

COLUMNS: Final = 3
ROWS: Final = 3
_PER_PAGE: Final = COLUMNS * ROWS
_MARK: Final = 5
"""Length of crop marks in millimetres; `_GAP` is their distance from the cards."""
_GAP: Final = 1
_LONG: Final = 40
_ENDLESS: Final = 120
"""Names with more characters are set smaller, and with more than `_LONG` a little smaller."""
_WIDEST: Final = 8
"""The width in em of a word that fits between two numbers; names with a wider one are set a little smaller."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper in millimetres; printers and CSS know the name."""

    name: str
    width: float
    height: float

    @property
    def left(self) -> float:
        """The left edge of the cards, which are centred."""
        return (self.width - COLUMNS * WIDTH) / 2

    @property
    def top(self) -> float:
        """The top edge of the cards, which are centred."""
        return (self.height - ROWS * HEIGHT) / 2


PAPERS: Final = (Paper("a4", 210, 297), Paper("letter", 215.9, 279.4))


def card_pages(faces: Sequence[CardFace], paper: Paper) -> Iterator[str]:
    """Yield pages of cards with crop marks, with about the same number of cards on each."""
    # Divide, rounding up.
    pages = -(-len(faces) // _PER_PAGE)
    for page in range(pages):
        # Distribute evenly: 10 cards are 5 and 5, not 9 and 1.
        start, end = (len(faces) * number // pages for number in (page, page + 1))
        cards = "".join(_card_at(face, number, paper) for number, face in enumerate(faces[start:end]))
        yield f'<section class="page cards">{cards}{marks(paper)}</section>'


def marks(paper: Paper) -> str:
    """Return the crop marks: short lines in the margins, in line with the edges of the cards."""
    across = [paper.left + column * WIDTH for column in range(COLUMNS + 1)]
    down = [paper.top + row * HEIGHT for row in range(ROWS + 1)]
    # Shorter if a margin is too narrow.
    length_across = min(_MARK, paper.left - _GAP - 1)
    length_down = min(_MARK, paper.top - _GAP - 1)
    lines = []
    for x in across:
        lines += [(x, paper.top - _GAP - length_down, 0.0, length_down), (x, down[-1] + _GAP, 0.0, length_down)]
    for y in down:
        begins = paper.left - _GAP - length_across, across[-1] + _GAP
        lines += [(x, y, length_across, 0.0) for x in begins]
    return "".join(_mark(*line) for line in lines)


def _mark(x: float, y: float, width: float, height: float) -> str:
    side = "height" if height else "width"
    kind = "upright" if height else "level"
    return f'<i class="mark {kind}" style="left:{x:.2f}mm;top:{y:.2f}mm;{side}:{max(width, height):.2f}mm"></i>'


def _card_at(face: CardFace, number: int, paper: Paper) -> str:
    row, column = divmod(number, COLUMNS)
    place = f"left:{paper.left + column * WIDTH:.2f}mm;top:{paper.top + row * HEIGHT:.2f}mm"
    hue = family_hue(face.family or face.foot)
    kind = f"cut hue-{hue}{'' if face.zones else ' wide'}{' own' if face.picture else ''}"
    return f'<div class="{kind}" style="{place}">{card(face)}</div>'


def card(face: CardFace) -> str:
    """Return the content of a card."""
    zones = "".join(f'<b class="zone {zone}">{html.escape(str(number))}</b>' for zone, number in face.zones.items())
    is_long = len(face.name) > _LONG or widest_word(face.name) > _WIDEST
    length = " endless" if len(face.name) > _ENDLESS else " long" if is_long else ""
    name = (
        f'<p class="name{length}">{html.escape(hyphenated(face.name) if is_long else face.name)}</p>'
        if face.name
        else ""
    )
    large = f'<p class="large">{html.escape(face.large)}</p>' if face.large else ""
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in face.lines)
    foot = f'<p class="foot">{html.escape(face.foot)}</p>' if face.foot else ""
    photo = ""
    if face.picture:
        photo = f'<img class="photo" alt="" src="data:image/jpeg;base64,{b64encode(face.picture).decode("ascii")}">'
    return f'{photo}<i class="frame"></i>{zones}<div class="middle"><div>{large}{name}{lines}</div></div>{foot}'


PARTS: Final = ("list", "cards", "board", "scores", "rules")
"""The sections of a sheet, in order."""
