"""Games of matrix with the hands of others drawn at random, played on quickly by hoarding."""

from typing import Final

from engine.board import AROUND_THE_TABLE
from engine.dice import Dice
from engine.games.matrix.cards import CENTRE
from engine.games.matrix.heuristic import BEHIND, KEEPING, LOWEST, WORTH
from engine.games.matrix.moves import Hand, Move, move_table
from engine.games.matrix.state import MatrixState, board_scores, order_of_play

_TRIED: Final = 2
"""So many kinds of cards are looked at for a move while a game is played on: those that are worth least to keep."""


def exploring(seats: int) -> float:
    """How much it counts for a move that it was seldom tried.

    Among three or four much: a tree in which all others find the best answer to hands that nobody sees misleads.
    """
    return 0.3 if seats == 2 else 2.0


class MatrixWorld:
    """A game of matrix; the moves are those of `engine.games.matrix.moves`."""

    scale: float = 12.0

    def __init__(self, view: MatrixState, dice: Dice) -> None:
        """`view` is what a seat sees."""
        self.seats = len(view.hands)
        self.exploring = exploring(self.seats)
        self.seat = self._first = view.to_move
        self._view = view
        self._table = move_table(view.setup.rotate)
        sides = AROUND_THE_TABLE[self.seats]
        self._worth = [WORTH[side] for side in sides]
        (hidden,) = view.unseen(self._first) or (None,)
        self._hidden = list(hidden.cards) if hidden is not None and hidden.cards is not None else []

    def begin(self, dice: Dice) -> None:
        """Deals what the others may hold."""
        drawn = dice.shuffled(self._hidden)
        self._hands: list[Hand] = []
        for hand in self._view.hands:
            if None in hand:
                self._hands.append(tuple(sorted(drawn[: len(hand)])))
                del drawn[: len(hand)]
            else:
                self._hands.append(tuple([kind for kind in hand if kind is not None]))
        self._board, self._order = self._view.board, self._view.order
        self._turn = self._order.index(self._first)
        self.seat = self._first

    def legal(self) -> list[Move]:
        """Weak cards first, and a rank a little behind, or lowest; with the last card what leads furthest."""
        seat, board = self.seat, self._board
        hand, centre = self._hands[seat], board[CENTRE]
        moves = [move for kind in dict.fromkeys(hand) for move in self._table[kind][centre]]
        return [move for _, _, move in sorted((-self._promise(move), move.name, move) for move in moves)]

    def name(self, move: Move) -> str:
        """The move as records write it."""
        return move.name

    def play(self, move: Move) -> None:
        """Plays it."""
        seat = self.seat
        self._board = move.arrange(self._board)
        hand = self._hands[seat]
        place = hand.index(move.kind)
        self._hands[seat] = hand[:place] + hand[place + 1 :]
        self._turn += 1
        if self._turn == self.seats:
            self._order, self._turn = order_of_play(self._board, self._order), 0
        self.seat = self._order[self._turn]

    def finish(self, dice: Dice) -> tuple[int, ...]:
        """Everybody keeps the cards that are worth most, and plays the others so as to stay behind, or lowest."""
        hands, below = self._hands, dice.below
        while hand := hands[self.seat]:
            worth, centre = self._worth[self.seat], self._board[CENTRE]
            kinds = list(dict.fromkeys(hand))
            if len(hand) > 1:
                kinds = sorted(kinds, key=lambda kind: worth.get(kind, 0))[:_TRIED]
            moves = [move for kind in kinds for move in self._table[kind][centre]]
            values = [self._promise(move) for move in moves]
            best = max(values)
            found = [move for move, value in zip(moves, values, strict=True) if value == best]
            self.play(found[0] if len(found) == 1 else found[below(len(found))])
        return board_scores(self._board, self.seats)

    def _promise(self, move: Move) -> float:
        seat = self.seat
        scores = board_scores(move.arrange(self._board), self.seats)
        lead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
        if len(self._hands[seat]) == 1:
            return lead
        worth = KEEPING * self._worth[seat].get(move.kind, 0)
        if self.seats == 2:
            return -abs(lead + BEHIND) - worth
        above = scores[seat] - min(scores[:seat] + scores[seat + 1 :])
        return -LOWEST * max(above, 0) - max(-lead - BEHIND, 0) - worth
