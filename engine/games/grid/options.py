"""The variants of the grid game: points for who does not start, who moves when, and playing until the pile is empty."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from ccgrid.engine.options import YES_OR_NO, Option, variant

ORDERS: Final = ("1-1-1", "1-2-2")
"""How many moves the players make one after the other: one each, or one, then two each."""


@dataclass(frozen=True, slots=True)
class Options:
    """The variants: points for every player who does not start, the order of moves, and whether the pile is used up."""

    komi: int = 0
    order: str = ORDERS[0]
    empty_pile: bool = False

    def to_table(self) -> dict[str, Any]:
        """What a record says of them: those that are not as usual."""
        return variant(OPTIONS, {name.replace("_", "-"): value for name, value in asdict(self).items()})

    @property
    def in_pairs(self) -> bool:
        """Whether everybody makes two moves one after the other, all but the first one."""
        return self.order == ORDERS[1]

    def turn(self, moves: int) -> int:
        """The number of the turn, from 0, in which the next move is made after `moves` moves."""
        return (moves + 1) // 2 if self.in_pairs else moves


USUAL: Final = Options()
"""The game as its authors' text is played where nothing is said."""

OPTIONS: Final = (
    Option("komi", range(1_001), USUAL.komi, "points for every player who does not start", samples=range(30)),
    Option("order", ORDERS, USUAL.order, "how many moves the players make one after the other"),
    Option("empty-pile", YES_OR_NO, USUAL.empty_pile, "cards of the pile are laid out where none can be taken"),
)
