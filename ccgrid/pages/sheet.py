"""Printable sheets as one HTML file: deck list, cards, board, score sheet and rules."""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final, NamedTuple

import msgspec
from markdown_it import MarkdownIt

from ccgrid.catalog.card import Card
from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import check_installed
from ccgrid.catalog.file_kinds import END_MARK
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.engine.board import Board
from ccgrid.engine.game_view import CardFace, ScoreTable, Sheet
from ccgrid.engine.games import find_game
from ccgrid.pages.page import asset
from ccgrid.pages.sheet_cards import HEIGHT, PARTS, WIDTH, Paper, card_pages

_MIN_ROW_HEADING_MM: Final = 14
_ROW_HEADING_MM_PER_LETTER: Final = 2
"""Millimetres per letter of a score sheet's first column; `_MIN_ROW_HEADING_MM` is its minimum width."""


def board_pages(sheet: Sheet, paper: Paper, players: int) -> Iterator[str]:
    """Yield a page for each empty board: the first with cells of card size, larger boards with smaller cells."""
    first, *others = sheet.boards(players)
    yield _board(Board(first), paper, WIDTH, HEIGHT, sheet.note)
    for size in others:
        # Larger boards have smaller cells, so that they need the same amount of paper.
        yield _board(Board(size), paper, WIDTH * first // size, HEIGHT * first // size, "")


def _board(board: Board, paper: Paper, width: float, height: float, note: str) -> str:
    left, top = (paper.width - board.size * width) / 2, (paper.height - board.size * height) / 2
    cells = []
    for number, cell in enumerate(board.cells):
        row, column = divmod(number, board.size)
        place = f"left:{left + column * width:.2f}mm;top:{top + row * height:.2f}mm;width:{width}mm;height:{height}mm"
        cells.append(f'<div class="cell" style="{place}"><span>{cell}</span></div>')
    note_line = f'<p class="note" style="top:{top - 6:.2f}mm">{note}</p>' if note else ""
    return f'<section class="page board">{"".join(cells)}{note_line}</section>'


def score_pages(title: str, made: ScoreTable) -> Iterator[str]:
    """Yield the page with tables for moves and points."""
    tables = "".join(_table(made, number) for number in range(1, made.tables + 1))
    yield f'<section class="page scores"><h1>{title}</h1>{tables}</section>'


def _table(made: ScoreTable, number: int) -> str:
    columns = list(made.columns) * made.players
    names = f'<th colspan="{len(made.columns)}" class="player">player</th>' * made.players
    heads = "".join(f"<th>{column}</th>" for column in columns)
    empty = "<td></td>" * len(columns)
    rows = "".join(f"<tr><th>{row}</th>{empty}</tr>" for row in made.rows)
    which = f"game {number}" if made.tables > 1 else ""
    width = max(_MIN_ROW_HEADING_MM, max(map(len, made.rows)) * _ROW_HEADING_MM_PER_LETTER)
    top = f"<tr><th style='width:{width:.0f}mm'>{which}</th>{names}</tr><tr><th>{made.heading}</th>{heads}</tr>"
    return f'<table><thead>{top}</thead><tbody>{rows}<tr class="sum"><th>{made.sums}</th>{empty}</tr></tbody></table>'


_MAX_FONT_SIZE: Final = 10
_CHARACTERS_PER_PAGE: Final = 6000
"""Characters of rules that fill a page in 8-point type; shorter rules are set larger, up to `_MAX_FONT_SIZE`."""

_MAX_UNBROKEN_NAME: Final = 40
"""Longer names of boxes are wrapped."""

_ROUNDING_MM: Final = 0.3
"""Millimetres by which a page is shorter than the paper, because browsers that round up would start another page."""


@dataclass(frozen=True, slots=True)
class SheetDeck:
    """A deck on a sheet: title, cards, the box of each card by id, and the user's own pictures by card name."""

    title: str
    cards: Sequence[Card]
    boxes: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)


class _Columns(NamedTuple):
    """The columns of a deck list besides the name: numbers, scores, printings, boxes."""

    numbers: Callable[[Card], str]
    scores: bool
    games: bool
    boxes: bool


def sheet(
    game: str, decks: Sequence[SheetDeck], paper: Paper, *, players: int = 2, parts: Sequence[str] = PARTS
) -> str:
    """Return the sheet of a game with the given decks, if any; `parts` selects the sections."""
    title = ", ".join(deck.title for deck in decks) or find_game(game).title
    pages = "\n".join(page for part in PARTS if part in parts for page in _part(part, game, decks, paper, players))
    return _document(title, pages, paper)


def copies_sheet(title: str, holdings: Sequence[Holding], paper: Paper) -> str:
    """Return a checklist of copies: number, card, set and location."""
    places = any(any(one.place) for one in holdings)
    headings = ["", "copies", "card", "set", "number", "kind", *(["place"] if places else [])]
    rows = []
    for one in holdings:
        kind = " ".join(filter(None, ("" if one.finish == NORMAL else one.finish, one.condition)))
        cells = ["☐", str(one.copies), one.name, one.set_name or one.set_code, one.number, kind]
        rows.append([*cells, *([str(one.place)] if places else [])])
    return _document(title, _list_page(title, headings, rows), paper)


def _list_page(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    lines = ("".join(map(_list_cell, headings, row)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<section class="page flows list"><h1>{html.escape(title)}</h1>{table}</section>'


def _list_cell(heading: str, cell: str) -> str:
    """Return a cell of a list; the name of a box is not wrapped, unless it is long."""
    whole = ' class="whole"' if heading in ("box", "place") and len(cell) <= _MAX_UNBROKEN_NAME else ""
    return f"<td{whole}>{html.escape(cell)}</td>"


def _document(title: str, pages: str, paper: Paper) -> str:
    size = f"width: {paper.width}mm; min-height: {paper.height - _ROUNDING_MM}mm"
    # The style sheet does not know the size of the paper.
    style = (
        asset("design.css")
        + asset("sheet.css")
        + f"@page {{ size: {paper.width}mm {paper.height}mm; margin: 0 }}\n.page {{ {size} }}\n"
    )
    style += f".page.cards, .page.board {{ height: {paper.height - _ROUNDING_MM}mm }}"
    head = '<meta charset="utf-8"><meta name="generator" content="ccgrid">'
    head += f"<title>{html.escape(title)}</title><style>{style}</style>"
    allowed = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    start = f'<!doctype html>\n<html lang="en" class="on-paper">\n<head>{head}{policy}</head>'
    return f"{start}\n<body>\n{replace_surrogates(pages)}\n</body>\n</html>\n"


def _part(part: str, game: str, decks: Sequence[SheetDeck], paper: Paper, players: int) -> Iterable[str]:
    """Return the pages of a section."""
    rules = find_game(game)
    made = rules.pictures.sheet
    if part == "list":
        return [_deck_list(made, deck) for deck in decks]
    if part == "cards":
        faces = (_face(made, deck, card) for deck in decks for card in deck.cards)
        return card_pages([*made.own(players), *faces], paper)
    if part == "board":
        return board_pages(made, paper, players)
    return score_pages(rules.title, made.scores) if part == "scores" else [rules_page(game)]


def _face(made: Sheet, deck: SheetDeck, card: Card) -> CardFace:
    """Return a card as the game uses it, with its printing."""
    face = made.face(card)
    lines = (*face.lines, f"score {card.score}") if made.shows_score else face.lines
    foot = " ".join(filter(None, (card.game, card.set_code, card.collector_number))) or deck.title
    picture = deck.pictures.get(card.name, b"")
    return face._replace(lines=lines, foot=foot, family=card.game or deck.title, picture=picture)


def _deck_list(made: Sheet, deck: SheetDeck) -> str:
    """Return a page with one line per card: numbers, score, printing and box."""
    columns = _Columns(made.numbers, made.shows_score, any(card.game for card in deck.cards), bool(deck.boxes))
    headings = ["", "card", made.heading]
    headings += [*(("score",) if columns.scores else ()), *(("game, printing",) if columns.games else ())]
    headings += ["box"] if columns.boxes else []
    rows = (_deck_line(number, card, deck, columns) for number, card in enumerate(deck.cards, 1))
    return _list_page(deck.title, headings, rows)


def _deck_line(number: int, card: Card, deck: SheetDeck, columns: _Columns) -> list[str]:
    cells = [str(number), card.name, columns.numbers(card)]
    cells += [str(card.score)] if columns.scores else []
    cells += [f"{card.game} {card.set_code} {card.collector_number}".strip()] if columns.games else []
    return [*cells, *([deck.boxes.get(card.id, "")] if columns.boxes else [])]


def rules_for_print(rules: str) -> str:
    r"""Return the rules without parts that need a keyboard: command options and files.

    >>> rules_for_print("Starting helps. Choose one with `--option komi=5`. Play twice (`--match`).")
    'Starting helps. Play twice.\n'
    >>> rules_for_print('With `rotate = "step"` one. A record lists it in its `[setup]`.')
    'With *rotate: step* one.\n'
    """
    text = rules.partition("\n## Scoring without a record")[0] + "\n"
    # (`--option komi=5`) · (`komi=5`), with the space before them.
    text = re.sub(r"\s*\(`(?:--|[a-z-]+=)[^`]*`\)", "", text)
    # `rotate = "step"` becomes *rotate: step*.
    text = re.sub(r'`([a-z-]+) = "([a-z0-9-]+)"`', r"*\1: \2*", text)
    # "A record lists …", to the end of the sentence.
    text = re.sub(r"\s*A\s+record\s+lists\s[^.]*\.", "", text)
    # Whole sentences with an option of a command in them.
    return re.sub(r"\s*[A-Z][^.`]*`--[^`]*`\.", "", text).rstrip() + "\n"


def rules_page(game: str) -> str:
    """Return the rules of a game on one page."""
    text = rules_for_print(find_game(game).pictures.rules_page())
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    # The area of a letter grows with the square of its size.
    size = min(_MAX_FONT_SIZE, 8 * (_CHARACTERS_PER_PAGE / len(text)) ** 0.5)
    return f'<section class="page rules" style="font-size:{size:.1f}pt">{body}</section>'


class WrittenSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet that was written, and the number of its pages."""

    file: str
    game: str
    paper: str
    pages: int


def count_pages(text: str) -> int:
    """Return the number of pages of a sheet."""
    return text.count('<section class="page')


_PANGO_MISSING: Final = "A PDF needs Pango, which is missing (Debian: apt-get install libpangoft2-1.0-0)"


def check_pdf() -> None:
    """Raise CatalogError if the PDF extra is not installed."""
    check_installed("pdf", "A PDF", ". Or print the HTML.")


def to_pdf(text: str) -> bytes:
    """Convert an HTML page to PDF.

    Raises:
        CatalogError: If the extra or a system library is missing.
    """
    check_pdf()
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except OSError:
        raise CatalogError(_PANGO_MISSING) from None
    fetcher = URLFetcher(allowed_protocols=["data"])  # only data URLs: pages contain all they need
    made = BytesIO()
    HTML(string=text, url_fetcher=fetcher).write_pdf(made)
    return made.getvalue() + END_MARK
