"""The position of a game on a picture of its grid."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from ccgrid.catalog.card import Card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.scan.result import Scan
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.errors import harmless, quoted
from ccgrid.engine.game import check_seats
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.real_cards import LaidOut
from ccgrid.engine.records.record import Record
from ccgrid.services.real_records import with_decks

GAME: Final = GAMES.having("laid_out")[0]
"""The game whose position is read."""

_NAMED: Final = 75.0
"""The lowest similarity, of 100, of a name to that of a card of the deck."""

_NUMBERS: Final = 0.5
"""The weight of agreeing numbers relative to the name."""

_TRIED: Final = 8
"""The number of lines of a card that are tried as its name."""


class OnGrid(NamedTuple):
    """A card on the grid: its scan, and the user's entry."""

    scan: Scan
    entry: CustomCard

    @property
    def card(self) -> Card:
        """The catalogue's card if the entry is unchanged, or the card as read or typed."""
        if self.scan.card is not None and self.entry == self.scan.catalogued():
            return self.scan.card
        return self.entry.card()

    @property
    def names(self) -> tuple[str, ...]:
        """Its possible names, likeliest first."""
        if self.entry.name != self.scan.name:
            return (self.entry.name,)  # typed by the user
        return (self.entry.name, *self.scan.read.names[:_TRIED])


def cell_of(scan: Scan) -> str:
    """Return the cell of the grid of a scan, such as a1; the first cell without one."""
    return _laid_out().cells[scan.read.cell or 0]


def _laid_out() -> LaidOut:
    laid_out: LaidOut = find_game(GAME).part("laid_out")
    return laid_out


def position(cards: Sequence[OnGrid], players: Sequence[str], first: str | None, deck: Sequence[Card]) -> Record:
    """Return the record of a game in this position without captured cards; `deck` is empty if unknown.

    The cards of a deck that are not on the grid are its draw pile.

    Raises:
        CatalogError: If there are not nine cards, one has no number in any zone, or matches no single card of the deck.
        EngineError: If the number of players or the size of the deck is wrong.
    """
    laid_out = _laid_out()
    if len(cards) != len(laid_out.cells):
        raise CatalogError(
            f"There {'is' if len(cards) == 1 else 'are'} {counted(len(cards), 'card')} on the "
            f"picture; a position needs all {len(laid_out.cells)}."
        )
    check_seats(find_game(GAME), players)
    if first is not None and first not in players:
        raise UsageError(f"{first} does not play; --first is one of: {', '.join(players)}.")
    labelled = label([zone_card(card) for card in deck])
    found = _of_deck(cards, labelled, laid_out.cells) if deck else [zone_card(one.card) for one in cards]
    for cell, card in zip(laid_out.cells, found, strict=True):
        if not card.zones:
            raise CatalogError(
                f"{cell}: no number was read at the edges of "
                f"{quoted(harmless(card.name)) if card.name else 'the card'}."
                " Correct it at a terminal, or name the deck with --deck FILE."
            )
    setup = laid_out.setup(tuple(players), players.index(first) if first else 0, label(found))
    record = Record(setup, date=date.today())
    return with_decks(record, [deck]) if deck else record


def _of_deck(cards: Sequence[OnGrid], deck: Sequence[Card], cells: Sequence[str]) -> list[Card]:
    """Return the card of the deck on each cell: the most similar pairs first, each card once."""
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
                f"{cells[cell]}: {called} matches no single card of the deck. Press n at a terminal to change its "
                f"name, or take a sharper picture."
            )
    return [deck[taken[cell]] for cell in range(len(cards))]


def _likeness(one: OnGrid, card: Card) -> float:
    """Return the similarity of a card on the grid to one of the deck: 75 to 150 by name and numbers, or 0."""
    name = max((fuzz.ratio(fold(text), fold(card.name)) for text in one.names if fold(text)), default=0.0)
    mine, its = set(one.card.zones.items()), set(card.zones.items())
    agree = 100 * len(mine & its) / max(1, len(mine | its))
    return name + _NUMBERS * agree if name >= _NAMED else 0.0
