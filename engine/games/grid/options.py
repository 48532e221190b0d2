"""The options of the grid game: komi, the order of moves, turning cards, and playing until the draw pile is empty."""

from dataclasses import asdict, dataclass
from typing import Final

from ccgrid.engine.options import YES_OR_NO, Option, variant

ORDERS: Final = ("1-1-1", "1-2-2")
"""The numbers of consecutive moves of the players: one each, or first one, then two each."""


TURNS: Final = ("none", "clockwise")
"""Whether a card that captures is never turned, or a quarter clockwise each time."""


@dataclass(frozen=True, slots=True)
class Options:
    """The values of all options.

    Attributes:
        komi: The points of every player who does not start.
        order: The order of moves.
        empty_pile: Whether the draw pile is used up.
        turn: How a card that captures is turned.
    """

    komi: int = 0
    order: str = ORDERS[0]
    empty_pile: bool = False
    turn: str = TURNS[0]

    def to_table(self) -> dict[str, object]:
        """Return the options of a record: those that differ from their defaults."""
        return variant(OPTIONS, {name.replace("_", "-"): value for name, value in asdict(self).items()})

    @property
    def in_pairs(self) -> bool:
        """Whether players make two consecutive moves, except for the first move."""
        return self.order == ORDERS[1]

    @property
    def turns_cards(self) -> bool:
        """Whether a card that captures is turned a quarter clockwise."""
        return self.turn == TURNS[1]

    def turn_number(self, moves: int) -> int:
        """Return the number of the turn, from 0, of the move after `moves` moves."""
        return (moves + 1) // 2 if self.in_pairs else moves


USUAL: Final = Options()
"""The default options: the rules as their authors wrote them."""

OPTIONS: Final = (
    Option("komi", range(1_001), USUAL.komi, "points for every player who does not start", samples=range(30)),
    Option("order", ORDERS, USUAL.order, "how many moves the players make one after the other"),
    Option("empty-pile", YES_OR_NO, USUAL.empty_pile, "cards of the pile are laid out where none can be taken"),
    Option("turn", TURNS, USUAL.turn, "clockwise: a card that captures is turned a quarter"),
)
