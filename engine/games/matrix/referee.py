"""The matrix game with real cards: the board and the played cards are known."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ccgrid.engine.cards import without
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.matrix.cards import BOARD, KIND_OF, KINDS, MOVES, NUMBERS
from ccgrid.engine.games.matrix.rules import COPIES, MatrixSetup, MatrixState
from ccgrid.engine.real_cards import RealCards, missing_in_hand


@dataclass(frozen=True, slots=True)
class NamedMatrixCard:
    """A number of the board, or a kind of card, by its name."""

    name: str


class MatrixCards(RealCards[MatrixSetup, MatrixState, NamedMatrixCard]):
    """The referee of the matrix game: the numbers are entered before the game, a card when it is played."""

    game: Final = "matrix"
    beginning: Final = "Shuffle the numbers and lay them in three rows; shuffle the cards and deal ten to each player."
    typing_help: Final = "Type a move like north b, corners a1 c3, swap 4 or cw."

    def without_cards(self, setup: MatrixSetup) -> MatrixSetup:
        """Return the setup with an empty board, and unseen hands."""
        return replace(setup, board=(), hands=tuple((None,) * len(hand) for hand in setup.hands))

    def is_open(self, setup: MatrixSetup) -> bool:
        """Return whether some cards have not been seen."""
        return any(None in hand for hand in setup.hands)

    def with_decks(self, setup: MatrixSetup, dealt: MatrixSetup) -> MatrixSetup:
        """Return the setup unchanged: the game has its own cards."""
        return setup

    def places(self, setup: MatrixSetup) -> Sequence[str]:
        """Return the cells that have no number yet."""
        return BOARD.cells[len(setup.board) :]

    def deck(self, setup: MatrixSetup, seat: int) -> tuple[NamedMatrixCard, ...]:
        """Return the numbers while they are entered, then all cards by kind."""
        if self.places(setup):
            return tuple(NamedMatrixCard(str(number)) for number in NUMBERS)
        return tuple(NamedMatrixCard(kind) for kind in KINDS for _ in range(COPIES[len(setup.players)]))

    def unseen(self, setup: MatrixSetup, seat: int) -> tuple[NamedMatrixCard, ...]:
        """Return the numbers that are not on the board yet, then all cards that have not been played."""
        seen = map(str, setup.board) if self.places(setup) else (kind for hand in setup.hands for kind in hand if kind)
        return without(self.deck(setup, seat), [NamedMatrixCard(name) for name in seen])

    def numbers(self, card: NamedMatrixCard) -> str:
        """Return "": the name of a kind is complete."""
        return ""

    def with_card(self, setup: MatrixSetup, state: MatrixState | None, card: NamedMatrixCard) -> MatrixSetup:
        """Return the setup with the next number on the board, or with a card in the hand of the player to move."""
        if state is None:
            return replace(setup, board=(*setup.board, int(card.name)))
        return _with_hand(setup, state.to_move, _replace_card(setup.hands[state.to_move], None, card.name))

    def revealed_card(self, move: str) -> str | None:
        """Return the kind of card that makes the move."""
        return KIND_OF.get(move)

    def with_card_replaced(self, move: str, name: str) -> str:
        """Return the move of another kind of card with the same cells, column, row or number."""
        rather = f"{name} {move.partition(' ')[2]}".rstrip()
        if rather not in MOVES:
            raise EngineError(f"{rather} is not a move. Use undo to take back {move} and the moves after it.")
        return rather

    def possible(self, setup: MatrixSetup, state: MatrixState) -> MatrixState:
        """Return the position in which the player to move may play any kind that may be in hand."""
        seat = state.to_move
        hand = state.hands[seat]
        if None not in hand:
            return state
        kinds = {kind for kind in hand if kind} | {card.name for card in self.unseen(setup, seat)}
        return replace(state, hands=(*state.hands[:seat], tuple(sorted(kinds)), *state.hands[seat + 1 :]))

    def before(self, setup: MatrixSetup, state: MatrixState, move: str) -> MatrixSetup:
        """Return the setup with the played card unseen again."""
        return _with_hand(
            setup, state.to_move, _replace_card(setup.hands[state.to_move], self.revealed_card(move), None)
        )

    def card_at(self, state: MatrixState, cell: str) -> tuple[int, NamedMatrixCard] | None:
        """Return the number on the cell, with the seat to move, because numbers have no owner."""
        return (state.to_move, NamedMatrixCard(str(state.number_on(cell)))) if cell in BOARD.cells else None

    def candidate_cards(self, setup: MatrixSetup, seat: int) -> tuple[NamedMatrixCard, ...]:
        """Return the numbers."""
        return tuple(NamedMatrixCard(str(number)) for number in NUMBERS)

    def exchange(self, setup: MatrixSetup, wrong: NamedMatrixCard, right: NamedMatrixCard) -> MatrixSetup:
        """Exchange two numbers of the first board."""
        # Map each number to the other; `get` below keeps the remaining numbers.
        places = {wrong.name: int(right.name), right.name: int(wrong.name)}
        return replace(setup, board=tuple(places.get(str(number), number) for number in setup.board))

    def hidden_in_hand(self, state: MatrixState) -> int:
        """Return the number of unseen cards in hand."""
        return state.hands[state.to_move].count(None)

    def in_hand(self, state: MatrixState) -> tuple[NamedMatrixCard, ...]:
        """Return the cards in hand that a record names."""
        return tuple(NamedMatrixCard(kind) for kind in state.hands[state.to_move] if kind)

    def with_hand(self, setup: MatrixSetup, state: MatrixState, cards: Sequence[NamedMatrixCard]) -> MatrixState:
        """Return the view of the player to move with this hand; with two players it determines the other hand."""
        seat, known = state.to_move, [kind for kind in state.hands[state.to_move] if kind]
        named = missing_in_hand(state.players[seat], len(state.hands[seat]), known, [card.name for card in cards])
        hands = {seat: [*known, *named]}
        if len(state.hands) == 2:
            # With two players the remaining cards are in the other hand.
            left = without([card.name for card in self.unseen(setup, seat)], named)
            other = 1 - seat
            hands[other] = [*(kind for kind in state.hands[other] if kind), *left]
        return state.with_hands(hands).view(seat)


def _replace_card(hand: Sequence[str | None], wrong: str | None, right: str | None) -> tuple[str | None, ...]:
    """Return the hand with one card replaced, in the order of setups."""
    cards = list(hand)
    if wrong in cards:
        cards[cards.index(wrong)] = right
    return (*sorted(kind for kind in cards if kind), *(kind for kind in cards if kind is None))


def _with_hand(setup: MatrixSetup, seat: int, hand: tuple[str | None, ...]) -> MatrixSetup:
    return replace(setup, hands=(*setup.hands[:seat], hand, *setup.hands[seat + 1 :]))


REFEREE: Final = MatrixCards()
