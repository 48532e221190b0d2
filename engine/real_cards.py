"""The interface for refereeing games with physical cards; the referee knows only the cards visible to all players."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from ccgrid.catalog.card import Card
from ccgrid.catalog.formatting import counted
from ccgrid.engine.cards import AnyCard, NamedCard, without
from ccgrid.engine.errors import ContradictionError, EngineError, quoted
from ccgrid.engine.game import Setup, State
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.picture import Words

SetupT = TypeVar("SetupT", bound=Setup)
StateT = TypeVar("StateT", bound=State)
CardT = TypeVar("CardT", bound=NamedCard)


class RealCards(Protocol[SetupT, StateT, CardT]):
    """The referee of one game: which cards are entered before and during play, and what hidden cards may be.

    Methods with a default are optional. Setups, states and cards are those of that game. A seat's cards
    are those that only this player uses, or those that all players share.
    """

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def beginning(self) -> str:
        """The instructions before the first move, in a sentence or two."""

    @property
    def typing_help(self) -> str:
        """The syntax of a move and of a card, in a sentence or two."""

    def without_cards(self, setup: SetupT) -> SetupT:
        """Return a dealt setup reduced to its players, rules and decks."""

    def is_open(self, setup: SetupT) -> bool:
        """Return whether there are cards whose identity is known, but not their position."""

    def with_decks(self, setup: SetupT, dealt: SetupT) -> SetupT:
        """Return the setup, with the decks of another, dealt setup in place of decks that are not fully known.

        Raises:
            EngineError: If a known card is not in these decks.
        """

    def places(self, setup: SetupT) -> Sequence[str]:
        """Return the cells whose cards must be entered before play; empty if all cards are known."""
        return ()

    def deck(self, setup: SetupT, seat: int) -> tuple[CardT, ...]:
        """Return all cards of a seat, in the order that numbers them."""

    def in_order(self, setup: SetupT, names: Sequence[Sequence[str]]) -> SetupT:
        """Return the setup with every seat's deck in the order of these card names (as returned by `deck`)."""
        return setup

    def unseen(self, setup: SetupT, seat: int) -> tuple[CardT, ...]:
        """Return the cards of a seat that have not been entered."""

    def numbers(self, card: CardT) -> str:
        """Return the numbers of a card as a short text that distinguishes it from others."""

    def with_card(self, setup: SetupT, state: StateT | None, card: CardT) -> SetupT:
        """Return the setup with one more known card: the next one revealed, or one in the hand of the player to move.

        `state` is the position, or None before the game begins.
        """

    def cell_to_refill(self, setup: SetupT, state: StateT | None, move: str) -> str:
        """Return the cell that the next revealed card fills, or "" if the card goes elsewhere.

        `state` is the position before the pending move; before the game begins, it is None and `move` is empty.
        """
        return ""

    def asks(self, setup: SetupT, state: StateT | None, move: str) -> str:
        """Return the prompt for a card needed by the pending move or the start of the game: `Card turned up for b2`."""
        return ""

    def instruction(self, state: StateT, move: str) -> str:
        """Return what else to do with the cards on the table for a move made in a position, in a sentence, or ""."""
        return ""

    def most_shown(self, state: StateT) -> int:
        """Return the maximum number of cards that may be entered at a time for the pending move."""
        return 0

    def why(self, state: StateT, move: str) -> str:
        """Return why a move needs a card, in a sentence, or "" if it is obvious."""
        return ""

    def revealed_card(self, move: str) -> str | None:
        """Return the name of the card that a move plays from a hand, or None if it plays none."""
        return None

    def with_card_replaced(self, move: str, name: str) -> str:
        """Return the same move with another card. The move must play a card.

        Raises:
            EngineError: If that card cannot make such a move.
        """

    def names(self, state: StateT, text: str) -> str:
        """Return the part of a typed move that names a card, or "" if it can name none."""
        return ""

    def possible(self, setup: SetupT, state: StateT) -> StateT:
        """Return the position in which the player to move holds every card that may be in hand, for listing moves."""

    def before(self, setup: SetupT, state: StateT, move: str) -> SetupT:
        """Return the setup with the knowledge before a move, which was made in this position."""

    def card_at(self, state: StateT, cell: str) -> tuple[int, CardT] | None:
        """Return the owner's seat and the card on a cell, or None if the cell is empty."""

    def candidate_cards(self, setup: SetupT, seat: int) -> tuple[CardT, ...]:
        """Return the cards that a card entered outside the moves may have been, in the order that numbers them."""
        return self.deck(setup, seat)

    def exchange(self, setup: SetupT, wrong: CardT, right: CardT) -> SetupT:
        """Return the setup with a card entered outside the moves replaced; swap the cards if it contains both."""
        return setup

    def cards_to_draw(self, before: StateT, after: StateT) -> Sequence[tuple[int, int]]:
        """Return the cards to draw after a move, as pairs of a seat and a number of cards."""
        return ()

    def hidden_in_hand(self, state: StateT) -> int:
        """Return the number of unknown cards in the hand of the player to move."""
        return 0

    def in_hand(self, state: StateT) -> tuple[CardT, ...]:
        """Return the known cards in the hand of the player to move."""
        return ()

    def forecast(self, state: StateT, text: str) -> Sequence[Words]:
        """Return the forecast of an attack, as lines.

        Raises:
            EngineError: If the game has no attacks, or none is possible now.
        """
        raise ContradictionError(f"There is nothing to forecast in {self.game}.")

    def with_hand(self, setup: SetupT, state: StateT, cards: Sequence[CardT]) -> StateT:
        """Return the view of the player to move, holding exactly these cards.

        Raises:
            EngineError: If that player cannot hold these cards.
        """


def missing_in_hand(player: str, size: int, known: Sequence[AnyCard], named: Sequence[AnyCard]) -> tuple[AnyCard, ...]:
    """Return the named cards that complete a hand of this size, in addition to its known cards.

    Raises:
        EngineError: If they are not as many as are missing.
    """
    missing = without(named, known)
    if len(known) + len(missing) != size:
        raise EngineError(f"{quoted(player)} holds {counted(size, 'card')}: name all of them.")
    return missing


class DealtDecks(Setup, Protocol):
    """A setup of a game in which every player has a deck."""

    @property
    def decks(self) -> Sequence[Sequence[object]]:
        """Each seat's deck from the top, with other values in place of unknown cards."""

    @property
    def lists(self) -> Sequence[Sequence[object] | None]:
        """Each seat's deck before shuffling, or None if it is not fully known."""


DecksT = TypeVar("DecksT", bound=DealtDecks)


class DeckCards(RealCards[DecksT, StateT, CardT]):
    """The referee of a game in which every player has a deck; a card is known once it leaves the hand face up."""

    @abstractmethod
    def known(self, cards: Sequence[object]) -> tuple[CardT, ...]:
        """Return the known cards among these."""

    def is_open(self, setup: DecksT) -> bool:
        """Return whether every deck is known, but not the whole order of all."""
        return None not in setup.lists and any(len(self.known(deck)) < len(deck) for deck in setup.decks)

    def with_decks(self, setup: DecksT, dealt: DecksT) -> DecksT:
        """Return the setup with the decks to which the cards on the table belong."""
        for player, deck, whole in zip(setup.players, setup.decks, dealt.lists, strict=True):
            if whole is None or len(whole) != len(deck):
                raise EngineError(
                    f"The deck of {quoted(player)} has {counted(len(deck), 'card')}, not {len(whole or ())}."
                )
            # Known cards that are not in the deck, or in a smaller number.
            if strange := without(self.known(deck), whole):
                raise EngineError(f"{quoted(strange[0].name)} of {quoted(player)} is not in the deck.")
        return replace(setup, lists=dealt.lists)

    def deck(self, setup: DecksT, seat: int) -> tuple[CardT, ...]:
        """Return the seat's deck."""
        return self.known(setup.lists[seat] or ())

    def in_order(self, setup: DecksT, names: Sequence[Sequence[str]]) -> DecksT:
        """Return the setup with the decks in this order."""
        lists = [
            tuple(sorted(self.deck(setup, seat), key=lambda card: list(order).index(card.name)))
            for seat, order in enumerate(names)
        ]
        return replace(setup, lists=tuple(lists))

    def unseen(self, setup: DecksT, seat: int) -> tuple[CardT, ...]:
        """Return the unseen cards of the seat's deck."""
        return without(self.deck(setup, seat), self.known(setup.decks[seat]))


AnyRealCards = RealCards[Setup, State, NamedCard]
"""The referee of a game that is known only while the program runs."""


def find_real_cards(game: str) -> AnyRealCards:
    """Return the referee of a game, its part `referee`.

    Raises:
        EngineError: If the game has none.
    """
    cards: AnyRealCards | None = find_game(game).part("referee")
    if cards is None:
        raise ContradictionError(f"{game} has no referee: there is one for {', '.join(GAMES.having('referee'))}.")
    return cards


def hides_hand(state: State) -> bool:
    """Return whether cards in the hand of the player to move are unknown, so that the legal moves are unknown, too."""
    cards: AnyRealCards | None = find_game(state.game).part("referee")
    return cards is not None and state.ending() is None and cards.hidden_in_hand(state) > 0


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A game that starts with cards laid out in rows.

    Attributes:
        cells: The cells, row by row.
        setup: Returns the setup for the players' names, the starting seat, and the card on each cell.
    """

    cells: Sequence[str]
    setup: Callable[[tuple[str, ...], int, tuple[Card, ...]], Setup]
