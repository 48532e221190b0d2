"""What the commands on a collection share: their options, and how the collection is opened."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from catalog.card import NotConfirmedError
from ccgrid import services, terminal
from ccgrid.commands.completion import complete_boxes, complete_query, complete_sets
from ccgrid.commands.options import bounded, waiting
from ccgrid.view.output import remark
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from catalog.store.holdings import CollectionStore

Result = TypeVar("Result")

Card = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help="A card's name or id, or a query: 'isle set:m10 box:attic'.",
        show_default=False,
        autocompletion=complete_query,
    ),
]
"""Which copies are meant."""
AnyCards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[QUERY]",
        help="Words of a name, an id, or a query: 'dragon set:m10 box:attic'.",
        show_default=False,
        autocompletion=complete_query,
    ),
]
"""Which cards are meant; none stands for all."""
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, however many entries it changes.")]
"""What scripts say to change many entries."""
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

ToBox = Annotated[
    str | None,
    typer.Option(
        "--to-box",
        help="The box to put them in; '' is none.",
        show_default=False,
        autocompletion=complete_boxes,
        callback=bounded,
    ),
]
ToRow = Annotated[str | None, typer.Option("--to-row", help="The row there.", show_default=False, callback=bounded)]
ToSlot = Annotated[
    str | None, typer.Option("--to-slot", help="The place in the row.", show_default=False, callback=bounded)
]
Copies = Annotated[
    int | None, typer.Option("--copies", "-n", min=1, help="How many; all by default.", show_default=False)
]


def opened(database: Path | None, games: list[str] | None = None) -> "AbstractContextManager[CollectionStore]":
    """The collection in the catalogue that is meant; CatalogError where there is none, or no card of these games."""
    return services.collection_store.open_collection(database, waiting, games or ())


def confirmed(act: Callable[[bool], Result], *, yes: bool, as_json: bool) -> Result:
    """What an act gives that is told whether somebody said yes; where it needs that, a person at a terminal is asked.

    Raises:
        NotConfirmedError: it needs a yes, and nobody can be asked.
    """
    try:
        return act(yes)
    except NotConfirmedError as error:
        if as_json or not can_ask():
            raise
        if not terminal.confirming.ask(error):
            remark("Left; nothing is changed.")
            raise typer.Exit from None
    return act(True)
