"""What the commands on copies in the collection share: options, changes and exports."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ccgrid import services
from ccgrid.catalog import collection as owned_cards
from ccgrid.catalog.holding import Holding, Place
from ccgrid.commands.options import (
    check_name_length,
    complete_boxes,
    complete_query,
    complete_sets,
    waiting,
    with_confirmation,
)
from ccgrid.commands.paths import tell_written
from ccgrid.view.output import remark, show_json_lines
from ccgrid.view.streams import write_data

if TYPE_CHECKING:
    from ccgrid.catalog.collection.export import Export
    from ccgrid.catalog.store.holdings import CollectionStore

Card = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help="A card's name or id, or a query: 'isle set:m10 box:attic'.",
        show_default=False,
        autocompletion=complete_query,
    ),
]
"""The copies to act on."""
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, even to change many entries.")]
"""Change many entries without confirmation."""
SetCode = Annotated[
    str,
    typer.Option(
        "--set",
        "-s",
        help="Set code or set name.",
        show_default=False,
        autocompletion=complete_sets,
    ),
]
Number = Annotated[str, typer.Option("--number", help="Collector number.", show_default=False)]
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
        callback=check_name_length,
        autocompletion=complete_boxes,
    ),
]
RowOption = Annotated[
    str, typer.Option("--row", help="The row in the box, or the page.", show_default=False, callback=check_name_length)
]
Slot = Annotated[
    str, typer.Option("--slot", help="The place in the row.", show_default=False, callback=check_name_length)
]


class PlaceOptions(NamedTuple):
    """Options for the location of cards: box, row and slot."""

    box: Box = ""
    row: RowOption = ""
    slot: Slot = ""

    def place(self) -> Place:
        """Return the location."""
        return Place(self.box, self.row, self.slot)


class CopyOptions(NamedTuple):
    """Options for the details and the location of copies."""

    finish: Finish = ""
    condition: Condition = ""
    language: Language = ""
    where: PlaceOptions = PlaceOptions()


class Destination(NamedTuple):
    """Options for the new location of copies; None keeps a part."""

    to_box: Annotated[
        str | None,
        typer.Option(
            "--to-box",
            help="New box; '' for none.",
            show_default=False,
            autocompletion=complete_boxes,
            callback=check_name_length,
        ),
    ] = None
    to_row: Annotated[
        str | None, typer.Option("--to-row", help="New row.", show_default=False, callback=check_name_length)
    ] = None
    to_slot: Annotated[
        str | None,
        typer.Option("--to-slot", help="The place in the row.", show_default=False, callback=check_name_length),
    ] = None


Copies = Annotated[
    int | None, typer.Option("--copies", "-n", min=1, help="Number of copies (default: all).", show_default=False)
]


def open_collection(database: Path | None, games: list[str] | None = None) -> "AbstractContextManager[CollectionStore]":
    """Open the collection; raise CatalogError if there is no catalogue, or no card of these games."""
    return services.catalogue.open_collection(database, waiting, games or ())


def write_export(written: "Export", output: Path | None) -> None:
    """Write a list of cards for another app to a file or standard output, and report the omitted ones."""
    if output is None:
        written.check_text()
        write_data(written.lines())
    else:
        written.write(output)
        tell_written(output)
    if written.left_out():
        remark(f"Left out: {'; '.join(written.left_out())}.")


def change_copies(
    change: "Callable[[CollectionStore, bool], Sequence[tuple[Holding, int]]]",
    show_plan: "Callable[[Sequence[tuple[Holding, int]]], object]",
    database: Path | None,
    games: list[str] | None = None,
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """Change copies of the collection, after a confirmation if they are many, and print them."""
    with open_collection(database, games) as collection:
        plan = with_confirmation(lambda sure: change(collection, sure), yes=yes, as_json=as_json)
    if as_json:
        show_json_lines(owned_cards.owned_copies.some_copies(plan))
    else:
        show_plan(plan)
