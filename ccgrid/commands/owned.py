"""What the commands on a collection share: their options, and how the collection is opened."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog import collection as owned_cards
from ccgrid import services
from ccgrid.commands.completion import complete_boxes, complete_sets
from ccgrid.commands.options import bounded, waiting

if TYPE_CHECKING:
    from catalog.collection.edit import Selection
    from catalog.store.holdings import CollectionStore

Card = Annotated[list[str], typer.Argument(help="A card's name, or its id, such as mtg:m10/146.")]
SetCode = Annotated[
    str,
    typer.Option(
        "--set",
        "-s",
        help="Of this set: its code or its name.",
        show_default=False,
        autocompletion=complete_sets,
    ),
]
Number = Annotated[str, typer.Option("--number", help="With this collector number.", show_default=False)]
Finish = Annotated[str, typer.Option("--finish", "-f", help="normal, foil, etched …", show_default=False)]
Condition = Annotated[str, typer.Option("--condition", help="mint, near-mint … or nm, lp …", show_default=False)]
Language = Annotated[str, typer.Option("--language", "-l", help="en, de, Japanese …", show_default=False)]
Box = Annotated[
    str,
    typer.Option(
        "--box",
        "-b",
        help="The box, binder or folder.",
        show_default=False,
        callback=bounded,
        autocompletion=complete_boxes,
    ),
]
RowOption = Annotated[
    str, typer.Option("--row", help="The row in the box, or the page.", show_default=False, callback=bounded)
]
Slot = Annotated[str, typer.Option("--slot", help="The place in the row.", show_default=False, callback=bounded)]


def opened(database: Path | None, games: list[str] | None = None) -> "AbstractContextManager[CollectionStore]":
    """The collection in the catalogue that is meant; CatalogError where there is none, or no card of these games."""
    return services.collection_store.open_collection(database, waiting, games or ())


def selection(words: list[str] | None, games: list[str] | None, **rest: str) -> "Selection":
    """Which holdings are meant by words of a name and by options."""
    return owned_cards.edit.Selection(" ".join(words or ()), tuple(games or ()), **rest)
