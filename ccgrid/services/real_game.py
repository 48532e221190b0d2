"""A game with real cards, as far as people told of it: the positions, completed by what moves bring out of hands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from catalog.card import CatalogError
from ccgrid.services.real_tables import in_noted_order, pending_in, with_pending
from ccgrid.services.session import Session
from engine.cards import NamedCard
from engine.dice import Dice
from engine.errors import EngineError, MoveError, UnknownCardError
from engine.game import Setup, State
from engine.notation import play, read_recorded
from engine.real_cards import RealCards, find_real_cards
from engine.records.record import Record


@dataclass(slots=True)
class RealGame:
    """What is known of a game at a real table.

    Attributes:
        session: the game as far as every card that it needs is known.
        setup: what was told of the cards, and the decks, whose order numbers them.
        pending: the move that waits for a card, and what a record holds after it.
    """

    session: Session
    setup: Setup
    pending: tuple[str, ...] = ()

    @classmethod
    def of(cls, record: Record) -> Self:
        """Takes a game up whose cards and moves may be known in part.

        Raises:
            CatalogError: it does not say which cards are left.
            EngineError: a move is not legal.
            UnknownCardError: the game does not begin before another card is known.
        """
        setup, cards = record.setup, find_real_cards(record.setup.game)
        if not all(cards.deck(setup, seat) for seat in range(len(setup.players))):
            raise CatalogError(
                "The record does not say which cards were not turned up. Name what is played with: "
                "ccgrid table DECK --load RECORD"
            )
        setup = in_noted_order(record)
        begun = with_pending(replace(record, setup=setup, moves=(), result=None), ())
        game = cls(Session(begun, {}, Dice(0)), setup)
        pending = pending_in(record)
        try:
            game.take(setup, (*record.moves, *pending))
        except EngineError:
            if not pending:
                raise
            game.take(setup, record.moves)  # somebody's note is called so, too
        return game

    @property
    def cards(self) -> RealCards:
        """How this game is refereed."""
        return find_real_cards(self.setup.game)

    @property
    def state(self) -> State:
        """The position now, before a move that waits for its card."""
        return self.session.state

    @property
    def possible(self) -> State:
        """The position in which who is to move holds every card that may be in that hand."""
        found: State = self.cards.possible(self.setup, self.state)
        return found

    @property
    def deck(self) -> tuple[NamedCard, ...]:
        """The cards of who is to move, in the order that numbers them."""
        return self.cards.deck(self.setup, self.state.to_move)

    @property
    def unseen(self) -> tuple[NamedCard, ...]:
        """Those of them that nobody has seen."""
        return self.cards.unseen(self.setup, self.state.to_move)

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves that were told, those that wait for a card at the end."""
        return (*self.session.moves, *self.pending)

    @property
    def possible_hand(self) -> tuple[NamedCard, ...]:
        """The cards that may be in the hand of who is to move."""
        return (*self.unseen, *self.cards.in_hand(self.state))

    def brought(self) -> list[tuple[int, NamedCard]]:
        """The cards that moves brought out of hands, each with the number of its move."""
        found: list[tuple[int, NamedCard]] = []
        for index, (state, move) in enumerate(zip(self.session.states, self.session.moves, strict=False)):
            name = self.cards.brings(move)
            if name is not None:
                deck = self.cards.deck(self.setup, state.to_move)
                found += [(index, card) for card in deck if card.name == name][:1]
        return found

    def unmade(self, number: int) -> tuple[Setup, State]:
        """What was known, and the position, before a move that brings a card: it and those after it are taken back.

        What was turned up stays: it lies on the table.
        """
        setup, moves = self.setup, self.session.moves
        for index in range(min(len(moves) - 1, len(self.moves) - 1), number - 1, -1):
            if self.cards.brings(moves[index]) is not None:
                setup = self.cards.before(setup, self.session.states[index], moves[index])
        return setup, self._replayed(setup, self.moves[:number])[-1]

    def known(self, setup: Setup) -> State:
        """The position now, by what a setup knows."""
        return self._replayed(setup, self.session.moves)[-1]

    def _replayed(self, setup: Setup, moves: Sequence[str]) -> list[State]:
        states = [setup.start()]
        for move in moves:
            states.append(states[-1].play_unchecked(move))
        return states

    def take(self, setup: Setup, moves: Sequence[str]) -> None:
        """Takes these moves for what happened; where that cannot be, everything stays as it was.

        A card that a move brings out of a hand is known from then on.
        """
        states: list[State] = [setup.start()]
        read: list[str] = []
        for text in moves:
            try:
                move = read_recorded(self.cards.possible(setup, states[-1]), text)
                told = self._told_by(setup, states[-1], move)
                if told is not setup:
                    setup, states = told, self._replayed(told, read)
                read.append(move)
                states.append(play(states[-1], move))
            except UnknownCardError:
                break
            except MoveError as error:
                raise EngineError(f"Move {len(states)} would be against the rules. {error}") from None
        moves = (*read, *moves[len(read) :])
        pending = moves[len(states) - 1 :]
        left = self.cards.unseen(setup, states[-1].to_move)
        if pending and len(set(left)) == 1:  # it can be no other
            self.take(self.cards.told(setup, states[-1], left[0]), moves)
            return
        self.setup, self.pending = setup, pending
        origin = with_pending(replace(self.session.origin, setup=setup), pending)
        self.session.correct(origin, states, moves[: len(states) - 1])

    def _told_by(self, setup: Setup, state: State, move: str) -> Setup:
        """The setup with the card that a move brings out of a hand."""
        name = self.cards.brings(move)
        if name is None or move in state.legal_moves():
            return setup
        card = next((card for card in self.cards.unseen(setup, state.to_move) if card.name == name), None)
        told: Setup = setup if card is None else self.cards.told(setup, state, card)
        return told
