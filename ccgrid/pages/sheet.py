"""What one takes to the table, as one HTML file made for printing: deck list, cards, board, score sheet, rules."""

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from markdown_it import MarkdownIt

from catalog.card import Card
from ccgrid.pages.assemble import asset
from ccgrid.pages.sheet_boards import board_pages, score_pages
from ccgrid.pages.sheet_cards import Face, Paper, card_pages
from ccgrid.pages.sheet_faces import faces_of, game_faces
from ccgrid.pages.sheet_parts import PARTS
from engine.games import find_game

_BATTLES: Final = "ninecard"
"""In this game cards are played by attack and defense."""

_LARGEST_TYPE: Final = 10
_FILLED: Final = 6000
"""So many characters of rules fill a page in type of 8 points; shorter rules are set larger, up to 10."""

_ROUNDED: Final = 0.3
"""So much lower than the paper a page is, in millimetres: a browser that rounds up would begin another."""


@dataclass(frozen=True, slots=True)
class SheetDeck:
    """A deck on a sheet: its title, its cards, and in which box each lies, by its id, as far as known."""

    title: str
    cards: Sequence[Card]
    boxes: Mapping[str, str] = field(default_factory=dict)


class _Columns(NamedTuple):
    """What a list says of each card beside its name: attack and defense or zones, its score, its printing."""

    fights: bool
    scores: bool
    games: bool
    boxes: bool


def sheet(
    game: str, decks: Sequence[SheetDeck], paper: Paper, *, players: int = 2, parts: Sequence[str] = PARTS
) -> str:
    """The sheet of a game with these decks, if any; `parts` are those that are wanted."""
    title = ", ".join(deck.title for deck in decks) or find_game(game).title
    pages = "\n".join(page for part in PARTS if part in parts for page in _part(part, game, decks, paper, players))
    size = f"width: {paper.width}mm; min-height: {paper.height - _ROUNDED}mm"
    style = asset("sheet.css") + f"@page {{ size: {paper.width}mm {paper.height}mm; margin: 0 }}\n.page {{ {size} }}\n"
    style += f".page.cards, .page.board {{ height: {paper.height - _ROUNDED}mm }}"
    head = '<meta charset="utf-8"><meta name="generator" content="ccgrid">'
    head += f"<title>{html.escape(title)}</title><style>{style}</style>"
    policy = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""
    clean = pages.encode("utf-8", "replace").decode("utf-8")
    return f'<!doctype html>\n<html lang="en">\n<head>{head}{policy}</head>\n<body>\n{clean}\n</body>\n</html>\n'


def _part(part: str, game: str, decks: Sequence[SheetDeck], paper: Paper, players: int) -> Iterable[str]:
    """The pages of one part."""
    if part == "list":
        return [_deck_list(game, deck) for deck in decks]
    if part == "cards":
        return card_pages(_all_faces(game, decks, players), paper)
    if part == "board":
        return board_pages(game, paper, players)
    return score_pages(game) if part == "scores" else [rules_page(game)]


def _all_faces(game: str, decks: Sequence[SheetDeck], players: int) -> list[Face]:
    return [*game_faces(game, players), *(face for deck in decks for face in faces_of(game, deck.cards, deck.title))]


def _deck_list(game: str, deck: SheetDeck) -> str:
    """The cards of a deck, a line each, with their zones, scores, games and boxes."""
    has_scores = find_game(game).decks_needed(2) == 1
    columns = _Columns(game == _BATTLES, has_scores, any(card.game for card in deck.cards), bool(deck.boxes))
    headings = ["", "card", "attack/defense" if columns.fights else "numbers"]
    headings += [*(("score",) if columns.scores else ()), *(("game, printing",) if columns.games else ())]
    headings += ["box"] if columns.boxes else []
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    rows = "".join(_deck_line(number, card, deck, columns) for number, card in enumerate(deck.cards, 1))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<section class="page flows list"><h1>{html.escape(deck.title)}</h1>{table}</section>'


def _deck_line(number: int, card: Card, deck: SheetDeck, columns: _Columns) -> str:
    if columns.fights:
        numbers = "energy" if card.attack is None else f"{card.attack}/{card.defense}"
    else:
        numbers = ", ".join(f"{zone.replace('-', ' ')} {value}" for zone, value in card.zones.items())
    cells = [str(number), card.name, numbers]
    cells += [str(card.score)] if columns.scores else []
    cells += [f"{card.game} {card.set_code} {card.collector_number}".strip()] if columns.games else []
    cells += [deck.boxes.get(card.id, "")] if columns.boxes else []
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"


def rules_page(game: str) -> str:
    """The rules of a game on one page."""
    text = find_game(game).pictures.rules_page()
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    size = min(_LARGEST_TYPE, 8 * (_FILLED / len(text)) ** 0.5)
    return f'<section class="page rules" style="font-size:{size:.1f}pt">{body}</section>'
