"""The grid game with real cards: the deck is known, and of its order what was turned up."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import without
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.games.grid.state import BOARD, DECK_SIZE, GRID_SIZE, GridSetup, GridState
from ccgrid.engine.real_cards import RealCards


class GridCards(RealCards):
    """How the grid game is refereed: everybody plays with one deck, and a card is turned up after each capture."""

    game: Final = "grid"
    beginning: Final = "Shuffle, and lay out nine cards in three rows."
    typing_help: Final = "A move is typed like a1xb2, or by its number; a card by its number, its name or a part of it."

    def without_cards(self, setup: GridSetup) -> GridSetup:
        """The deck alone."""
        return _with(setup, ())

    def is_open(self, setup: GridSetup) -> bool:
        """Whether the deck is known, and cards were not turned up."""
        return bool(setup.deck) and GRID_SIZE <= len(setup.cards) < DECK_SIZE

    def with_decks(self, setup: GridSetup, dealt: GridSetup) -> GridSetup:
        """The deck that the cards on the table are of."""
        deck = dealt.deck
        if strange := without(setup.cards, deck):
            raise EngineError(f"{quoted(strange[0].name)} is on the table but not in the deck.")
        return replace(setup, deck=deck)

    def places(self, setup: GridSetup) -> Sequence[str]:
        """The cells of the grid that have no card yet."""
        # The nine first cards of a setup lie on the cells in their order.
        return BOARD.cells[len(setup.cards) :]

    def deck(self, setup: GridSetup, seat: int) -> tuple[Card, ...]:
        """The deck, the same for every seat."""
        return setup.deck

    def in_order(self, setup: GridSetup, names: Sequence[Sequence[str]]) -> GridSetup:
        """The deck in this order."""
        order = list(names[0])
        return replace(setup, deck=tuple(sorted(setup.deck, key=lambda card: order.index(card.name))))

    def unseen(self, setup: GridSetup, seat: int) -> tuple[Card, ...]:
        """The cards that were not turned up."""
        return without(setup.deck, setup.cards)

    def numbers(self, card: Card) -> str:
        """The numbers with their zones."""
        return ", ".join(f"{zone} {number}" for zone, number in card.zones.items())

    def with_card(self, setup: GridSetup, state: GridState | None, card: Card) -> GridSetup:
        """The card was turned up next."""
        return _with(setup, (*setup.cards, card))

    def cell_to_refill(self, setup: GridSetup, state: GridState | None, move: str) -> str:
        """The cell that the move leaves; then, with `empty-pile`, those that are covered, from a1 on."""
        covered = _cover_count(setup, state)
        return move[:2] if covered < 0 else BOARD.cells[covered % GRID_SIZE]

    def asks(self, setup: GridSetup, state: GridState | None, move: str) -> str:
        """For which cell, or over which, where nobody has a move."""
        what = "turned up for" if _cover_count(setup, state) < 0 else "laid over"
        return f"Card {what} {self.cell_to_refill(setup, state, move)}"

    def most_shown(self, state: GridState) -> int:
        """One."""
        return 1

    def with_card_replaced(self, move: str, name: str) -> str:
        """The move itself."""
        return move

    def possible(self, setup: GridSetup, state: GridState) -> GridState:
        """The position: all that matters is seen."""
        return state

    def before(self, setup: GridSetup, state: GridState, move: str) -> GridSetup:
        """What the move turned up is not known."""
        return _with(setup, setup.cards[: state.turned_up])

    def card_at(self, state: GridState, cell: str) -> tuple[int, Card] | None:
        """The card on the cell; it is nobody's."""
        card = state.card_on(cell) if cell in BOARD.cells else None
        return None if card is None else (state.to_move, card)

    def exchange(self, setup: GridSetup, wrong: Card, right: Card) -> GridSetup:
        """The last of the wrong cards that was turned up is the right one."""
        # Cards may share a name's numbers but not a name: `index` from the back finds the last one.
        cards = list(setup.cards)
        # `index` of the reversed list, counted from the front.
        place = len(cards) - 1 - cards[::-1].index(wrong)
        # The right card was turned up, too: the two change places, or it would lie there twice.
        if right not in self.unseen(setup, 0):
            cards[len(cards) - 1 - cards[::-1].index(right)] = wrong
        cards[place] = right
        return _with(setup, tuple(cards))

    def with_hand(self, setup: GridSetup, state: GridState, cards: Sequence[Card]) -> GridState:
        """The position, where no cards are named."""
        if cards:
            raise EngineError("Nobody holds cards in grid: type just hint.")
        return state


def _cover_count(setup: GridSetup, state: GridState | None) -> int:
    """How many cards on the grid are covered already; -1 where a cell is still to be filled after a move."""
    # After a move one card fills the cell that it left; what was turned up beyond that one covers cards from a1 on.
    return len(setup.cards) - (GRID_SIZE if state is None else state.turned_up + 1)


def _with(setup: GridSetup, cards: tuple[Card, ...]) -> GridSetup:
    # Empty rows of numbers: `GridSetup` makes them anew for these cards.
    return replace(setup, cards=cards, moving=(), facing=())


REFEREE: Final[RealCards] = GridCards()
