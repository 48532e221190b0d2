"""The name for options of grid that are chosen together."""

from typing import Final

from ccgrid.engine.games.grid.options import ORDERS, TURNS
from ccgrid.engine.options import NamedRules

NAMED_RULES: Final = (
    NamedRules(
        "evening",
        {"turn": TURNS[1], "order": ORDERS[1]},
        "cards turn",
    ),
)
