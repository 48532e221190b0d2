"""The grid game with real cards: the deck is known, and the revealed part of its order."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import without
from ccgrid.engine.errors import EngineError, harmless, quoted
from ccgrid.engine.games.grid.moves import BOARD, DECK_SIZE, GRID_SIZE
from ccgrid.engine.games.grid.rules import QUARTERS, GridSetup, GridState
from ccgrid.engine.real_cards import RealCards

_TOP_AT: Final = ("at the right", "at the bottom", "at the left")
"""Where the top of a card is after one, two and three quarter turns."""


class GridCards(RealCards[GridSetup, GridState, Card]):
    """The referee of the grid game: all players share one deck, and a card is revealed after each capture."""

    game: Final = "grid"
    beginning: Final = "Shuffle, and lay out nine cards in three rows."
    typing_help: Final = "Type a move as a1xb2 or its number, a card as its number or (part of) its name."

    def without_cards(self, setup: GridSetup) -> GridSetup:
        """Return the setup with the deck only."""
        return _with(setup, ())

    def is_open(self, setup: GridSetup) -> bool:
        """Return whether the deck is known, and some cards are not revealed."""
        return bool(setup.deck) and GRID_SIZE <= len(setup.cards) < DECK_SIZE

    def with_decks(self, setup: GridSetup, dealt: GridSetup) -> GridSetup:
        """Return the setup with the deck to which the cards on the table belong."""
        deck = dealt.deck
        if strange := without(setup.cards, deck):
            raise EngineError(f"{quoted(strange[0].name)} is on the table but not in the deck.")
        return replace(setup, deck=deck)

    def places(self, setup: GridSetup) -> Sequence[str]:
        """Return the cells of the grid that have no card yet."""
        # The first nine cards of a setup are on the cells in their order.
        return BOARD.cells[len(setup.cards) :]

    def deck(self, setup: GridSetup, seat: int) -> tuple[Card, ...]:
        """Return the deck, which all seats share."""
        return setup.deck

    def in_order(self, setup: GridSetup, names: Sequence[Sequence[str]]) -> GridSetup:
        """Return the setup with the deck in this order."""
        order = list(names[0])
        return replace(setup, deck=tuple(sorted(setup.deck, key=lambda card: order.index(card.name))))

    def unseen(self, setup: GridSetup, seat: int) -> tuple[Card, ...]:
        """Return the cards that have not been revealed."""
        return without(setup.deck, setup.cards)

    def numbers(self, card: Card) -> str:
        """Return the card's numbers with their zones."""
        return ", ".join(f"{zone} {number}" for zone, number in card.zones.items())

    def with_card(self, setup: GridSetup, state: GridState | None, card: Card) -> GridSetup:
        """Return the setup with this card revealed next."""
        return _with(setup, (*setup.cards, card))

    def cell_to_refill(self, setup: GridSetup, state: GridState | None, move: str) -> str:
        """Return the vacated cell; with `empty-pile` then the cells that are covered, from a1 on."""
        covered = _cover_count(setup, state)
        return move[:2] if covered < 0 else BOARD.cells[covered % GRID_SIZE]

    def asks(self, setup: GridSetup, state: GridState | None, move: str) -> str:
        """Return the question for the next card: the cell that it refills or covers."""
        what = "turned up for" if _cover_count(setup, state) < 0 else "laid over"
        return f"Card {what} {self.cell_to_refill(setup, state, move)}"

    def instruction(self, state: GridState, move: str) -> str:
        """Return how to turn the card that captures, if cards are turned."""
        card = state.card_on(move[:2])
        if not state.turns or card is None:
            return ""
        is_upright = state.turns_on(move[:2]) == QUARTERS - 1
        side = "it is upright again" if is_upright else f"its top is now {_TOP_AT[state.turns_on(move[:2])]}"
        return f"On {move[3:]}, turn {harmless(card.name)} a quarter clockwise: {side}."

    def most_shown(self, state: GridState) -> int:
        """Return 1: one card at a time."""
        return 1

    def with_card_replaced(self, move: str, name: str) -> str:
        """Return the move unchanged."""
        return move

    def possible(self, setup: GridSetup, state: GridState) -> GridState:
        """Return the position unchanged: all relevant cards are visible."""
        return state

    def before(self, setup: GridSetup, state: GridState, move: str) -> GridSetup:
        """Return the setup without the card that the move revealed."""
        return _with(setup, setup.cards[: state.turned_up])

    def card_at(self, state: GridState, cell: str) -> tuple[int, Card] | None:
        """Return the card on the cell, with the seat to move, because cards on the grid have no owner."""
        card = state.card_on(cell) if cell in BOARD.cells else None
        return None if card is None else (state.to_move, card)

    def exchange(self, setup: GridSetup, wrong: Card, right: Card) -> GridSetup:
        """Replace the last revealed card that equals `wrong` by the right one."""
        # Cards may have equal numbers, but not equal names: search from the end for the last one.
        cards = list(setup.cards)
        # Convert the index in the reversed list to one from the front.
        place = len(cards) - 1 - cards[::-1].index(wrong)
        # If the right card has been revealed as well, exchange the two cards, because it cannot be there twice.
        if right not in self.unseen(setup, 0):
            cards[len(cards) - 1 - cards[::-1].index(right)] = wrong
        cards[place] = right
        return _with(setup, tuple(cards))

    def with_hand(self, setup: GridSetup, state: GridState, cards: Sequence[Card]) -> GridState:
        """Return the position; there are no cards in hand to name."""
        if cards:
            raise EngineError("In grid no player has a hand: type just hint.")
        return state


def _cover_count(setup: GridSetup, state: GridState | None) -> int:
    """Return the number of cards on the grid that are covered, or -1 if a cell must be refilled first."""
    # After a move, one card refills the vacated cell; the cards revealed after it cover cards from a1 on.
    return len(setup.cards) - (GRID_SIZE if state is None else state.turned_up + 1)


def _with(setup: GridSetup, cards: tuple[Card, ...]) -> GridSetup:
    # Without rows of numbers `GridSetup` computes them for these cards.
    return replace(setup, cards=cards, moving=(), facing=())


REFEREE: Final = GridCards()
