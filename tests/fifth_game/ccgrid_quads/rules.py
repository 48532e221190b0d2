"""Rules of Quads: positions with cards on nine cells, each with a holder, and cards in hand."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

from ccgrid.catalog.card import Card
from ccgrid.engine.board import Board
from ccgrid.engine.game import Ending, State, Unseen
from ccgrid.engine.games.four_sides import SIDES, sided_card_table, sides
from ccgrid.engine.options import variant

from .options import OPTIONS

HAND: Final = 5
EMPTY: Final = -1
BOARD: Final = Board(3)
NEIGHBOURS: Final = tuple(
    tuple((SIDES.index(side), BOARD.cells.index(other)) for side in SIDES if (other := BOARD.neighbour(cell, side)))
    for cell in BOARD.cells
)
"""For each cell its neighbours, as pairs of a side (an index in `SIDES`) and a cell."""


@dataclass(frozen=True, slots=True)
class QuadsSetup:
    """The players, the starting seat, each seat's five cards, and whether equal numbers turn cards."""

    players: tuple[str, ...]
    first: int
    decks: tuple[tuple[Card, ...], ...]
    same: bool = True
    game: ClassVar[str] = "quads"

    def start(self) -> "QuadsState":
        """Return the position with an empty board."""
        return QuadsState(self, (EMPTY,) * len(BOARD.cells), (EMPTY,) * len(BOARD.cells), self.first)

    def to_table(self) -> dict[str, Any]:
        """Return the `[setup]` table of a record."""
        decks = zip(self.players, self.decks, strict=True)
        table = {"decks": {player: [sided_card_table(card) for card in deck] for player, deck in decks}}
        return {**table, **variant(OPTIONS, {"same": self.same})}


@dataclass(frozen=True, slots=True)
class QuadsState(State):
    """A position: on each cell the number of a card and the seat that holds it, and the player to move.

    Cards are numbered through the first seat's deck, and then the second's.
    """

    setup: QuadsSetup = field(repr=False, compare=False)
    grid: tuple[int, ...]
    holders: tuple[int, ...]
    to_move: int
    game: ClassVar[str] = "quads"

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.setup.players

    @property
    def variant(self) -> dict[str, object]:
        """The option, if equal numbers turn no cards."""
        return variant(OPTIONS, {"same": self.setup.same})

    def card(self, number: int) -> Card:
        """Return the card with this number."""
        return self.setup.decks[number // HAND][number % HAND]

    def hand(self, seat: int) -> dict[str, int]:
        """Return the numbers of the cards in a seat's hand by name; of equal cards the last number counts."""
        numbers = range(seat * HAND, (seat + 1) * HAND)
        return {self.card(number).name: number for number in numbers if number not in self.grid}

    def meaning(self, move: str) -> tuple[int, int]:
        """Return the numbers of the card and of the cell of a legal move."""
        name, _, cell = move.rpartition("@")
        return self.hand(self.to_move)[name], BOARD.cells.index(cell)

    def flips(self, move: str) -> list[int]:
        """Return the cells of the cards that a legal move turns."""
        number, place = self.meaning(move)
        numbers, higher, same = sides(self.card(number)), set(), set()
        for side, other in NEIGHBOURS[place]:
            if self.grid[other] != EMPTY:
                facing = sides(self.card(self.grid[other]))[(side + 2) % 4]
                if numbers[side] > facing:
                    higher.add(other)
                elif numbers[side] == facing:
                    same.add(other)
        found = higher | (same if self.setup.same and len(same) > 1 else set())
        return sorted(other for other in found if self.holders[other] != self.to_move)

    def legal_moves(self) -> tuple[str, ...]:
        """Return each card in hand on each open cell."""
        cells = [cell for cell, card in zip(BOARD.cells, self.grid, strict=True) if card == EMPTY]
        return tuple(sorted(f"{name}@{cell}" for name in self.hand(self.to_move) for cell in cells))

    def play_unchecked(self, move: str) -> Self:
        """Return the position after a move."""
        number, place = self.meaning(move)
        grid, holders = list(self.grid), list(self.holders)
        for other in (*self.flips(move), place):
            holders[other] = self.to_move
        grid[place] = number
        return type(self)(self.setup, tuple(grid), tuple(holders), 1 - self.to_move)

    def scores(self) -> tuple[int, ...]:
        """Return the number of cards that each seat holds, on the board and in hand."""
        on_board = [sum(number // HAND == seat for number in self.grid if number != EMPTY) for seat in range(2)]
        return tuple(self.holders.count(seat) + HAND - on_board[seat] for seat in range(2))

    def ending(self) -> Ending | None:
        """Return the ending if no cell is open, else None."""
        return None if EMPTY in self.grid else Ending("board-full", "every cell is taken")

    def view(self, seat: int) -> Self:
        """Return the position: all cards lie open."""
        return self

    def unseen(self, seat: int) -> tuple[Unseen, ...]:
        """Return no groups."""
        return ()
