"""The tactics game with real cards: the decks are known, and the played cards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import read_place, sorted_by_name
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.games.four_sides import sides
from ccgrid.engine.games.tactics.rules import TacticsSetup, TacticsState
from ccgrid.engine.real_cards import DeckCards, missing_in_hand

KnownCards = Mapping[int, Card | None]
"""Cards by their indices in `setup.cards`."""


class TacticsCards(DeckCards[TacticsSetup, TacticsState, Card]):
    """The referee of the tactics game."""

    game: Final = "tactics"
    beginning: Final = "Each player shuffles a deck and draws three cards."
    typing_help: Final = "Type a move like gate b2: the card as its number in the deck or (part of) its name."

    def without_cards(self, setup: TacticsSetup) -> TacticsSetup:
        """Return the setup with the decks, without their order."""
        return _new_setup(setup, [(None,) * len(deck) for deck in setup.decks], setup.lists)

    def known(self, cards: Sequence[object]) -> tuple[Card, ...]:
        """Return the cards without gaps."""
        return tuple([card for card in cards if isinstance(card, Card)])

    def numbers(self, card: Card) -> str:
        """Return the card's numbers clockwise from the top."""
        return " ".join(map(str, sides(card)))

    def with_card(self, setup: TacticsSetup, state: TacticsState | None, card: Card) -> TacticsSetup:
        """Return the setup in which the player to move holds this card."""
        if state is None:
            return setup
        # Use the first drawn card that is not known: its position does not matter.
        gap = next((place for place in state.hands[state.to_move] if setup.cards[place] is None), None)
        if gap is None:
            player = quoted(state.players[state.to_move])
            raise EngineError(
                f"All cards in the hand of {player} are known, and {quoted(card.name)} is not among them."
            )
        return _with_known(setup, {gap: card})

    def revealed_card(self, move: str) -> str | None:
        """Return the card's name, before the `@`."""
        return move.rpartition("@")[0]

    def with_card_replaced(self, move: str, name: str) -> str:
        """Return the move with another card on the same cell."""
        return f"{name}@{move.rpartition('@')[2]}"

    def names(self, state: TacticsState, text: str) -> str:
        """Return the text before the cell."""
        return read_place(text.strip(), state.table.places, ())[0]

    def possible(self, setup: TacticsSetup, state: TacticsState) -> TacticsState:
        """Return the position in which the player to move may play any unseen card of the deck.

        If all cards in hand are known, return the position unchanged.
        """
        seat = state.to_move
        if all(setup.cards[place] for place in state.hands[seat]):
            return state
        # The player may hold any unseen card: put all of them into the hand temporarily.
        gaps = [place for place, card in enumerate(setup.cards) if card is None and setup.owners[place] == seat]
        filled = _with_known(setup, dict(zip(gaps, self.unseen(setup, seat), strict=True)))
        places = [place for place in state.hands[seat] if setup.cards[place]]
        hands = (*state.hands[:seat], (*places, *gaps), *state.hands[seat + 1 :])
        return replace(state, setup=filled, hands=hands)

    def before(self, setup: TacticsSetup, state: TacticsState, move: str) -> TacticsSetup:
        """Return the setup with the played card unseen again."""
        name = self.revealed_card(move)
        places = [place for place in state.hands[state.to_move] if (card := setup.cards[place]) and card.name == name]
        return _with_known(setup, {places[-1]: None}) if places else setup

    def card_at(self, state: TacticsState, cell: str) -> tuple[int, Card] | None:
        """Return the card on the cell, with its owner."""
        if cell not in state.table.places:
            return None
        seat, card = state.holder(cell), state.card_on(cell)
        return None if seat is None or card is None else (seat, card)

    def cards_to_draw(self, before: TacticsState, after: TacticsState) -> Sequence[tuple[int, int]]:
        """Return the card that the player draws, if any remain."""
        return [(before.to_move, 1)] if after.drawn != before.drawn else []

    def hidden_in_hand(self, state: TacticsState) -> int:
        """Return the number of unseen cards in hand."""
        return state.hand(state.to_move).count(None)

    def in_hand(self, state: TacticsState) -> tuple[Card, ...]:
        """Return the known cards in hand: from undone moves, or named by a record."""
        return self.known(state.hand(state.to_move))

    def with_hand(self, setup: TacticsSetup, state: TacticsState, cards: Sequence[Card]) -> TacticsState:
        """Return the view of the player to move with this hand."""
        seat = state.to_move
        known = self.known([setup.cards[place] for place in state.hands[seat]])
        gaps = [place for place in state.hands[seat] if setup.cards[place] is None]
        named = missing_in_hand(state.players[seat], len(state.hands[seat]), known, cards)
        return replace(state, setup=_with_known(setup, dict(zip(gaps, named, strict=True)))).view(seat)


def _new_setup(
    setup: TacticsSetup, decks: Sequence[tuple[Card | None, ...]], lists: Sequence[tuple[Card, ...] | None]
) -> TacticsSetup:
    gaps = any(None in deck for deck in decks)
    return TacticsSetup(setup.players, setup.first, tuple(decks), tuple(lists), has_gaps=gaps)


def _with_known(setup: TacticsSetup, known: KnownCards) -> TacticsSetup:
    """Return the setup with these cards at these indices of `setup.cards`."""
    # All decks in sequence, as in `setup.cards`, split again into decks of their lengths.
    cards = iter([known.get(place, card) for place, card in enumerate(setup.cards)])
    decks = [tuple(next(cards) for _ in deck) for deck in setup.decks]
    lists = [
        whole if whole is not None or None in deck else sorted_by_name([card for card in deck if card])
        for deck, whole in zip(decks, setup.lists, strict=True)
    ]
    return _new_setup(setup, decks, lists)


REFEREE: Final = TacticsCards()
