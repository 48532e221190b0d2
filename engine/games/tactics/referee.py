"""The tactics game with real cards: each player's deck is known, and of the hands what was played."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.formatting import counted
from ccgrid.engine.cards import read_place, sorted_by_name, without
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.games.four_sides import sides
from ccgrid.engine.games.tactics.state import TacticsSetup, TacticsState
from ccgrid.engine.real_cards import RealCards

KnownCards = Mapping[int, Card | None]
"""The cards at some places of `setup.cards`."""


class TacticsCards(RealCards):
    """How the tactics game is refereed: a card is known from when it is put on the board."""

    game: Final = "tactics"
    beginning: Final = "Everybody shuffles a deck and draws three cards."
    typing_help: Final = "A move is typed like gate b2: the card by its name, a part of it or its number in the deck."

    def without_cards(self, setup: TacticsSetup) -> TacticsSetup:
        """The decks, and nothing of their order."""
        return _new_setup(setup, [(None,) * len(deck) for deck in setup.decks], setup.lists)

    def is_open(self, setup: TacticsSetup) -> bool:
        """Whether every deck is known, and not all of an order."""
        return None not in setup.lists and any(None in deck for deck in setup.decks)

    def with_decks(self, setup: TacticsSetup, dealt: TacticsSetup) -> TacticsSetup:
        """The decks that the cards on the table are of."""
        for player, deck, whole in zip(setup.players, setup.decks, dealt.lists, strict=True):
            known = [card for card in deck if card]
            if whole is None or len(whole) != len(deck):
                raise EngineError(
                    f"The deck of {quoted(player)} has {counted(len(deck), 'card')}, not {len(whole or ())}."
                )
            # `without` the other way round: cards that are known and that the deck has not, or not so often.
            if strange := without(known, whole):
                raise EngineError(f"{quoted(strange[0].name)} of {quoted(player)} is not in the deck.")
        return _new_setup(setup, setup.decks, dealt.lists)

    def deck(self, setup: TacticsSetup, seat: int) -> tuple[Card, ...]:
        """The seat's deck."""
        return setup.lists[seat] or ()

    def in_order(self, setup: TacticsSetup, names: Sequence[Sequence[str]]) -> TacticsSetup:
        """The decks in this order."""
        lists = [
            tuple(sorted(whole or (), key=lambda card: list(order).index(card.name)))
            for whole, order in zip(setup.lists, names, strict=True)
        ]
        return _new_setup(setup, setup.decks, lists)

    def unseen(self, setup: TacticsSetup, seat: int) -> tuple[Card, ...]:
        """The cards of the seat's deck that nobody saw."""
        return without(self.deck(setup, seat), [card for card in setup.decks[seat] if card])

    def numbers(self, card: Card) -> str:
        """The numbers clockwise from the top."""
        return " ".join(map(str, sides(card)))

    def with_card(self, setup: TacticsSetup, state: TacticsState | None, card: Card) -> TacticsSetup:
        """Who is to move holds the card."""
        if state is None:
            return setup
        # The card that was drawn first of those that are not known: which of them it was does not matter.
        gap = next((place for place in state.hands[state.to_move] if setup.cards[place] is None), None)
        if gap is None:
            player = quoted(state.players[state.to_move])
            raise EngineError(
                f"All cards in the hand of {player} are known, and {quoted(card.name)} is not among them."
            )
        return _with_known(setup, {gap: card})

    def revealed_card(self, move: str) -> str | None:
        """The card before the `@`."""
        return move.rpartition("@")[0]

    def with_card_replaced(self, move: str, name: str) -> str:
        """Another card on the same cell."""
        return f"{name}@{move.rpartition('@')[2]}"

    def names(self, state: TacticsState, text: str) -> str:
        """The text before the cell."""
        return read_place(text.strip(), state.table.places, ())[0]

    def possible(self, setup: TacticsSetup, state: TacticsState) -> TacticsState:
        """The position in which who is to move holds all cards of the deck that nobody saw, if not all are known."""
        seat = state.to_move
        if all(setup.cards[place] for place in state.hands[seat]):
            return state
        # Whoever plays may hold any card that nobody saw: for this once all of them are in the hand.
        gaps = [place for place, card in enumerate(setup.cards) if card is None and setup.owners[place] == seat]
        filled = _with_known(setup, dict(zip(gaps, self.unseen(setup, seat), strict=True)))
        places = [place for place in state.hands[seat] if setup.cards[place]]
        hands = (*state.hands[:seat], (*places, *gaps), *state.hands[seat + 1 :])
        return replace(state, setup=filled, hands=hands)

    def before(self, setup: TacticsSetup, state: TacticsState, move: str) -> TacticsSetup:
        """The card is in hand, where nobody sees it."""
        name = self.revealed_card(move)
        places = [place for place in state.hands[state.to_move] if (card := setup.cards[place]) and card.name == name]
        return _with_known(setup, {places[-1]: None}) if places else setup

    def card_at(self, state: TacticsState, cell: str) -> tuple[int, Card] | None:
        """The card on the cell."""
        if cell not in state.table.places:
            return None
        seat, card = state.holder(cell), state.card_on(cell)
        return None if seat is None or card is None else (seat, card)

    def cards_to_draw(self, before: TacticsState, after: TacticsState) -> Sequence[tuple[int, int]]:
        """Who moved draws, as long as there are cards."""
        return [(before.to_move, 1)] if after.drawn != before.drawn else []

    def hidden_in_hand(self, state: TacticsState) -> int:
        """Those that nobody has seen."""
        return state.hand(state.to_move).count(None)

    def in_hand(self, state: TacticsState) -> tuple[Card, ...]:
        """Those that a move was taken back with, or a record names."""
        return tuple(card for card in state.hand(state.to_move) if card)

    def with_hand(self, setup: TacticsSetup, state: TacticsState, cards: Sequence[Card]) -> TacticsState:
        """The view of who is to move, whose hand these are."""
        seat = state.to_move
        known = [card for place in state.hands[seat] if (card := setup.cards[place])]
        gaps = [place for place in state.hands[seat] if setup.cards[place] is None]
        named = without(cards, known)
        if len(named) != len(gaps):
            raise EngineError(
                f"{quoted(state.players[seat])} holds {counted(len(known) + len(gaps), 'card')}: name all of them."
            )
        return replace(state, setup=_with_known(setup, dict(zip(gaps, named, strict=True)))).view(seat)


def _new_setup(
    setup: TacticsSetup, decks: Sequence[tuple[Card | None, ...]], lists: Sequence[tuple[Card, ...] | None]
) -> TacticsSetup:
    gaps = any(None in deck for deck in decks)
    return TacticsSetup(setup.players, setup.first, tuple(decks), tuple(lists), has_gaps=gaps)


def _with_known(setup: TacticsSetup, known: KnownCards) -> TacticsSetup:
    """The setup with these cards at these places of `setup.cards`."""
    # All decks in a row, as in `setup.cards`, cut again into decks of their lengths.
    cards = iter([known.get(place, card) for place, card in enumerate(setup.cards)])
    decks = [tuple(next(cards) for _ in deck) for deck in setup.decks]
    lists = [
        whole if whole is not None or None in deck else sorted_by_name([card for card in deck if card])
        for deck, whole in zip(decks, setup.lists, strict=True)
    ]
    return _new_setup(setup, decks, lists)


REFEREE: Final[RealCards] = TacticsCards()
