"""Rules of the matrix game: cards rearrange the numbers 1 to 9, and a seat scores those in front of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

from ccgrid.engine.board import AROUND_THE_TABLE
from ccgrid.engine.cards import UNKNOWN, without
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import Ending, State, Unseen
from ccgrid.engine.games.matrix.cards import (
    BOARD,
    CENTRE,
    KIND_OF,
    KINDS,
    MOVES_BY_CENTRE,
    ROTATIONS,
    Numbers,
    board_after,
)
from ccgrid.engine.games.matrix.options import OPTIONS
from ccgrid.engine.options import variant

ROUNDS: Final = 10
COPIES: Final = {2: 2, 3: 4, 4: 4}
"""The number of cards of each kind, by the number of players."""

# The three cells in front of each side, which its seat scores:
#
#           north
#           a1 b1 c1
#     west  a2 b2 c2  east
#           a3 b3 c3
#           south
_CELLS: Final = {
    "south": ("a3", "b3", "c3"),
    "west": ("a1", "a2", "a3"),
    "north": ("a1", "b1", "c1"),
    "east": ("c1", "c2", "c3"),
}
_FRONT: Final = {side: tuple(BOARD.cells.index(cell) for cell in cells) for side, cells in _CELLS.items()}
_FRONTS: Final = {players: tuple(_FRONT[side] for side in sides) for players, sides in AROUND_THE_TABLE.items()}


@dataclass(frozen=True, slots=True)
class MatrixSetup:
    """The players, the board, each seat's sorted hand, and the kind of rotation.

    A card that is hidden in a view, or not known at all, is None, after the others.
    """

    players: tuple[str, ...]
    board: Numbers
    hands: tuple[tuple[str | None, ...], ...]
    rotate: str = ROTATIONS[0]
    game: ClassVar[str] = "matrix"
    first: ClassVar[int | None] = None

    def start(self) -> "MatrixState":
        """Return the first position; the highest score moves first, ties in seat order."""
        order = order_of_play(self.board, tuple(range(len(self.players))))
        return MatrixState(self, self.board, self.hands, order, order[0])

    def to_table(self) -> dict[str, object]:
        """Return the `[setup]` table of a record."""
        dealt = zip(self.players, self.hands, strict=True)
        hands = {player: [UNKNOWN if kind is None else kind for kind in hand] for player, hand in dealt}
        return {"board": list(self.board), "hands": hands, **variant(OPTIONS, {"rotate": self.rotate})}


BoardPly = tuple[int, Numbers, str]
"""A public move: the seat, the board before it, and the move."""


@dataclass(frozen=True, slots=True)
class MatrixState(State):
    """A position: the numbers in the order of `BOARD.cells`, each seat's hand, this round's order, and the turn.

    `past` is the known part of the played moves; positions are compared without it.
    """

    setup: MatrixSetup = field(repr=False, compare=False)
    board: Numbers
    hands: tuple[tuple[str | None, ...], ...]
    order: tuple[int, ...]
    to_move: int
    past: tuple[BoardPly, ...] = field(default=(), repr=False, compare=False)
    game: ClassVar[str] = "matrix"

    @property
    def variant(self) -> Mapping[str, object]:
        """The options that differ from their defaults: the kind of rotation."""
        return variant(OPTIONS, {"rotate": self.setup.rotate})

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.setup.players

    @property
    def round(self) -> int:
        """The current round, from 1; 11 after the last one."""
        # Count the cards of the last player in the round, who still has a card for it.
        return ROUNDS + 1 - len(self.hands[self.order[-1]])

    def number_on(self, cell: str) -> int:
        """Return the number on a cell."""
        return self.board[BOARD.cells.index(cell)]

    def discards(self, seat: int) -> tuple[str, ...]:
        """Return the cards that a seat has played, sorted; they are public."""
        dealt = list(self.setup.hands[seat])
        # The dealt cards minus those in hand; hidden cards are in both, and cancel out.
        for kind in self.hands[seat]:
            dealt.remove(kind)
        return tuple([kind for kind in dealt if kind is not None])

    def legal_moves(self) -> tuple[str, ...]:
        """Return the moves of the cards in hand; cards of one kind have the same moves."""
        return moves_of(self.hands[self.to_move], self.board[CENTRE])

    def play_unchecked(self, move: str) -> Self:
        """Rearrange the board and discard the card.

        After every player's card, begin a new round in the order of the scores.
        """
        setup, seat, order = self.setup, self.to_move, self.order
        hands = list(self.hands)
        hand = hands[seat]
        try:
            # A move is named after its effect, `shift-north a`; `KIND_OF` has the kind of card.
            place = hand.index(KIND_OF[move])
        except ValueError:
            raise UnknownCardError("this move plays a card that is not known") from None
        hands[seat] = hand[:place] + hand[place + 1 :]
        board = board_after(self.board, move, setup.rotate)
        following = order.index(seat) + 1
        if following == len(order):
            # The previous order breaks ties.
            order, following = order_of_play(board, order), 0
        past = (*self.past, (seat, self.board, move))
        return type(self)(setup, board, tuple(hands), order, order[following], past)

    def scores(self) -> tuple[int, ...]:
        """Return each seat's sum of the three numbers in front of it."""
        return board_scores(self.board, len(self.hands))

    def ending(self) -> Ending | None:
        """Return the ending after ten rounds, when all cards are played."""
        return None if any(self.hands) else Ending("all-rounds", "all ten rounds are played")

    def unseen(self, seat: int) -> tuple[Unseen[str], ...]:
        """Return the other hands and the cards in the box: all cards except those dealt to this seat or played."""
        players = len(self.hands)
        # With two players all cards are dealt: one has those that the other does not have.
        if players == 2 and not any(None in hand for hand in self.hands):
            return ()
        others = [one for one in range(players) if one != seat]
        hands = [f"hand:{one}:{number}" for one in others for number in range(len(self.hands[one]))]
        seen = [*self.setup.hands[seat], *(kind for one in others for kind in self.discards(one))]
        # All cards minus those dealt to this seat and those played by the others. They fill the hands; the remaining
        # ones are in the box.
        left = without(KINDS * COPIES[players], seen)
        box = [f"box:{number}" for number in range(len(left) - len(hands))]
        return (Unseen((*hands, *box), left),) if left else ()

    def with_hands(self, hands: Mapping[int, Sequence[str]]) -> "MatrixState":
        """Return the position with these cards in the hands of these seats, together with those that they played."""
        all_hands = tuple(tuple(sorted(hands[seat])) if seat in hands else hand for seat, hand in enumerate(self.hands))
        dealt = tuple(
            tuple(sorted((*self.discards(seat), *hands[seat]))) if seat in hands else hand
            for seat, hand in enumerate(self.setup.hands)
        )
        return replace(self, setup=replace(self.setup, hands=dealt), hands=all_hands)

    def is_known(self) -> bool:
        """Return whether all cards in hand are known."""
        return not any(None in hand for hand in self.hands)

    def view(self, seat: int) -> Self:
        """Return the position with the other hands hidden, except for played cards.

        With two players nothing is hidden: all cards are dealt, so that each hand determines the other.
        """
        if len(self.hands) == 2:
            return self
        seats = range(len(self.hands))
        hands = tuple(hand if one == seat else (None,) * len(hand) for one, hand in enumerate(self.hands))
        dealt = tuple(self.setup.hands[one] if one == seat else (*self.discards(one), *hands[one]) for one in seats)
        # For the others' dealt cards, keep those that were played, and hide the rest.
        setup = MatrixSetup(self.setup.players, self.setup.board, dealt, self.setup.rotate)
        return type(self)(setup, self.board, hands, self.order, self.to_move, self.past)


def moves_of(hand: Iterable[str | None], centre: int) -> tuple[str, ...]:
    """Return the moves of a hand with this number in the centre, card by card.

    Cards of one kind have the same moves.
    """
    return tuple([move for kind in dict.fromkeys(hand) for move in MOVES_BY_CENTRE[kind][centre]])


def board_scores(board: Numbers, players: int) -> tuple[int, ...]:
    """Return each seat's sum of the three numbers in front of it."""
    return tuple([board[a] + board[b] + board[c] for a, b, c in _FRONTS[players]])


def order_of_play(board: Numbers, before: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats by their scores, the highest first; ties keep their previous order."""
    scores = board_scores(board, len(before))
    if len(before) == 2:  # fast path for two players; same result as the sort below
        return before if scores[before[0]] >= scores[before[1]] else before[::-1]
    return tuple(sorted(before, key=scores.__getitem__, reverse=True))
