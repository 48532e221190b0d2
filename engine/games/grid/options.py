"""The variants of the grid game: points for who does not start, who moves when, and playing until the pile is empty."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from engine import schema
from engine.errors import quoted
from engine.game import Schema
from engine.options import chosen_options
from engine.schema import RecordError

MOST_KOMI: Final = 1_000
ORDERS: Final = ("1-1-1", "1-2-2")
"""How many moves the players make one after the other: one each, or one, then two each."""

_EMPTY_PILE: Final = "empty-pile"

OPTIONS: Final[Mapping[str, Schema]] = {"komi": schema.whole, "order": schema.text, _EMPTY_PILE: schema.truth}
"""The variants as records and people write them, with their types."""


@dataclass(frozen=True, slots=True)
class Options:
    """The variants: points for every player who does not start, the order of moves, and whether the pile is used up."""

    komi: int = 0
    order: str = ORDERS[0]
    empty_pile: bool = False

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Options":
        """The variants in values that have passed `OPTIONS`.

        Raises:
            RecordError: a value cannot be; with its place.
        """
        options = cls(given.get("komi", 0), given.get("order", ORDERS[0]), given.get(_EMPTY_PILE, False))
        if not 0 <= options.komi <= MOST_KOMI:
            raise RecordError("komi", f"must be 0 to {MOST_KOMI} points, not {options.komi}")
        if options.order not in ORDERS:
            raise RecordError("order", f"must be {' or '.join(map(quoted, ORDERS))}, not {quoted(options.order)}")
        return options

    @classmethod
    def chosen(cls, given: Mapping[str, object]) -> "Options":
        """The variants that somebody asks for.

        Raises:
            EngineError: there is no such variant, or a value cannot be.
        """
        return chosen_options("grid", given, OPTIONS, cls.read)

    def to_table(self) -> dict[str, Any]:
        """What a record says of them: those that are not as usual."""
        usual = asdict(USUAL)
        return {name.replace("_", "-"): value for name, value in asdict(self).items() if value != usual[name]}

    @property
    def in_pairs(self) -> bool:
        """Whether everybody makes two moves one after the other, all but the first one."""
        return self.order == ORDERS[1]

    def turn(self, moves: int) -> int:
        """How many turns there were before so many moves were made, and the next one is."""
        return (moves + 1) // 2 if self.in_pairs else moves


USUAL: Final = Options()
"""The game as its authors' text is played where nothing is said."""
