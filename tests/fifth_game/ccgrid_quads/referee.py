"""Quads with physical cards: both hands lie open, so that all cards are known from the start."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import read_place
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.games.four_sides import sides
from ccgrid.engine.real_cards import RealCards

from .rules import BOARD, EMPTY, QuadsSetup, QuadsState


class QuadsCards(RealCards[QuadsSetup, QuadsState, Card]):
    """The referee of Quads."""

    game: Final = "quads"
    beginning: Final = "Both players lay their five cards open."
    typing_help: Final = "Type a move like stone b2: the card as (part of) its name, and the cell."

    def without_cards(self, setup: QuadsSetup) -> QuadsSetup:
        """Return the setup unchanged: it has no hidden cards."""
        return setup

    def is_open(self, setup: QuadsSetup) -> bool:
        """Return False: the positions of all cards are known."""
        return False

    def with_decks(self, setup: QuadsSetup, dealt: QuadsSetup) -> QuadsSetup:
        """Return the setup unchanged: all its cards are known."""
        return setup

    def deck(self, setup: QuadsSetup, seat: int) -> tuple[Card, ...]:
        """Return the five cards of a seat."""
        return setup.decks[seat]

    def in_order(self, setup: QuadsSetup, names: Sequence[Sequence[str]]) -> QuadsSetup:
        """Return the setup with the cards of each seat in this order."""
        decks = [
            tuple(sorted(deck, key=lambda card, order=order: list(order).index(card.name)))
            for deck, order in zip(setup.decks, names, strict=True)
        ]
        return replace(setup, decks=tuple(decks))

    def unseen(self, setup: QuadsSetup, seat: int) -> tuple[Card, ...]:
        """Return no cards."""
        return ()

    def numbers(self, card: Card) -> str:
        """Return the numbers clockwise from the top."""
        return " ".join(map(str, sides(card)))

    def with_card(self, setup: QuadsSetup, state: QuadsState | None, card: Card) -> QuadsSetup:
        """Return the setup; raise EngineError if the card is not in the hand of the player to move."""
        if state is not None and card.name not in state.hand(state.to_move):
            raise EngineError(f"{quoted(state.players[state.to_move])} has no {quoted(card.name)} in hand.")
        return setup

    def revealed_card(self, move: str) -> str | None:
        """Return the card of a move."""
        return move.rpartition("@")[0]

    def with_card_replaced(self, move: str, name: str) -> str:
        """Return the move with another card."""
        return f"{name}@{move.rpartition('@')[2]}"

    def names(self, state: QuadsState, text: str) -> str:
        """Return the text before the cell."""
        return read_place(text.strip(), BOARD.cells, ())[0]

    def possible(self, setup: QuadsSetup, state: QuadsState) -> QuadsState:
        """Return the position unchanged."""
        return state

    def before(self, setup: QuadsSetup, state: QuadsState, move: str) -> QuadsSetup:
        """Return the setup unchanged: a move reveals nothing."""
        return setup

    def card_at(self, state: QuadsState, cell: str) -> tuple[int, Card] | None:
        """Return the holder and the card on a cell, or None if it is empty."""
        if cell not in BOARD.cells or state.grid[place := BOARD.cells.index(cell)] == EMPTY:
            return None
        return state.holders[place], state.card(state.grid[place])

    def in_hand(self, state: QuadsState) -> tuple[Card, ...]:
        """Return the cards in the hand of the player to move."""
        return tuple(state.card(number) for number in state.hand(state.to_move).values())

    def with_hand(self, setup: QuadsSetup, state: QuadsState, cards: Sequence[Card]) -> QuadsState:
        """Return the position; raise EngineError if one of the cards is not in the hand of the player to move."""
        for card in cards:
            self.with_card(setup, state, card)
        return state


REFEREE: Final = QuadsCards()
