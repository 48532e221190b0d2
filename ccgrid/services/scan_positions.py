"""A 3x3 grid on a picture as a record of that position, which `table` and `advise` take."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from catalog.card import Card, CatalogError
from catalog.custom_card import CustomCard
from catalog.matching.search import fold
from catalog.scan.result import Scan
from ccgrid.services.real_tables import with_decks
from engine.cards import label, zone_card
from engine.errors import harmless, quoted
from engine.game import check_seats
from engine.games import GAMES, find_game
from engine.real_cards import LaidOut
from engine.records.record import Record

GAME: Final = GAMES.having("laid_out")[0]
"""The game whose position is read."""

_NAMED: Final = 75.0
"""So well, of 100, a name that was read fits that of a card of the deck."""

_NUMBERS: Final = 0.5
"""What numbers that agree count beside a name that does: names tell more."""

_TRIED: Final = 8
"""So many lines of a card are tried as its name."""


class OnGrid(NamedTuple):
    """A card on the grid: what was read, and how a person left it."""

    scan: Scan
    entry: CustomCard

    @property
    def card(self) -> Card:
        """The catalogue's card where it is that, else what was read or typed."""
        if self.scan.card is not None and self.entry == self.scan.entry():
            return self.scan.card
        return self.entry.card()

    @property
    def names(self) -> tuple[str, ...]:
        """What it may be called, likeliest first."""
        if self.entry.name != self.scan.name:
            return (self.entry.name,)  # somebody typed it
        return (self.entry.name, *self.scan.read.names[:_TRIED])


def cell_of(scan: Scan) -> str:
    """The cell of the grid in which a card was read, such as a1; the first where none was."""
    return _laid_out().cells[scan.read.cell or 0]


def _laid_out() -> LaidOut:
    laid_out: LaidOut = find_game(GAME).part("laid_out")
    return laid_out


def position(cards: Sequence[OnGrid], players: Sequence[str], first: str | None, deck: Sequence[Card]) -> Record:
    """The record of a game that stands so, with nobody's captures; `deck` is empty where it is not known.

    The cards of a deck that do not lie on the grid are its pile.

    Raises:
        CatalogError: there are not nine cards, one has no number in any zone, or is not plainly one of the deck.
        EngineError: so many cannot play, or the deck has not twenty cards.
    """
    laid_out = _laid_out()
    if len(cards) != len(laid_out.cells):
        raise CatalogError(f"There are {len(cards)} cards on the picture; a position needs all {len(laid_out.cells)}.")
    check_seats(find_game(GAME), players)
    if first is not None and first not in players:
        raise CatalogError(f"{first} does not play; --first is one of: {', '.join(players)}.")
    labelled = label([zone_card(card) for card in deck])
    found = _of_deck(cards, labelled, laid_out.cells) if deck else [zone_card(one.card) for one in cards]
    for cell, card in zip(laid_out.cells, found, strict=True):
        if not card.zones:
            raise CatalogError(
                f"{cell}: no number was read on the rim of {quoted(harmless(card.name)) if card.name else 'the card'}."
                " Correct it at a terminal, or name the deck with --deck FILE."
            )
    setup = laid_out.setup(tuple(players), players.index(first) if first else 0, label(found))
    record = Record(setup, date=date.today())
    return with_decks(record, [deck]) if deck else record


def _of_deck(cards: Sequence[OnGrid], deck: Sequence[Card], cells: Sequence[str]) -> list[Card]:
    """The card of the deck that lies on each cell: the nearest pairs first, each card once."""
    pairs = sorted(
        ((_likeness(one, card), cell, place) for cell, one in enumerate(cards) for place, card in enumerate(deck)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    taken: dict[int, int] = {}
    for likeness, cell, place in pairs:
        if likeness >= _NAMED and cell not in taken and place not in taken.values():
            taken[cell] = place
    for cell, one in enumerate(cards):
        if cell not in taken:
            called = quoted(harmless(one.entry.name)) if one.entry.name else "the card without a name"
            raise CatalogError(
                f"{cells[cell]}: {called} is not plainly one of the deck's cards."
                " At a terminal n changes its name; or take a sharper picture."
            )
    return [deck[taken[cell]] for cell in range(len(cards))]


def _likeness(one: OnGrid, card: Card) -> float:
    """How like a card of the deck one on the grid is: 75 to 150 where its name fits, by name and numbers; else 0."""
    name = max((fuzz.ratio(fold(text), fold(card.name)) for text in one.names if fold(text)), default=0.0)
    mine, its = set(one.card.zones.items()), set(card.zones.items())
    agree = 100 * len(mine & its) / max(1, len(mine | its))
    return name + _NUMBERS * agree if name >= _NAMED else 0.0
