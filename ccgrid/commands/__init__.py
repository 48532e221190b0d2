"""The command groups: one module each, which translates arguments, makes one library call, hands the result to a view.

Each module holds `app`, a `typer.Typer`: without a name its commands stand beside the others (`ccgrid search`), with
a name they stand below it (`ccgrid deck new`). At module level it imports nothing heavier than Typer.
"""

from typing import Final

GROUPS: Final[tuple[str, ...]] = (
    "catalogue",
    "cards",
    "ledger",
    "layouts",
    "collection",
    "decks",
    "factions",
    "play",
    "games",
    "records",
    "demo",
)
"""The modules of this package that hold commands, in the order in which `ccgrid --help` lists them."""
