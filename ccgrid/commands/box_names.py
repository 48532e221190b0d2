"""Commands on whole boxes: count what is in them, rename, empty, remove; part of `ccgrid collection`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from catalog import collection as owned_cards
from catalog.holding import Holding
from ccgrid import view
from ccgrid.commands.completion import complete_boxes
from ccgrid.commands.options import Database, Json, bounded
from ccgrid.commands.owned import Yes, confirmed, opened
from ccgrid.view.output import show_json_lines
from ccgrid.view.streams import paged

app = typer.Typer()

BoxName = Annotated[str, typer.Argument(help="The name of a box.", show_default=False, autocompletion=complete_boxes)]


@app.command()
def boxes(database: Database = None, as_json: Json = False) -> None:
    """List your boxes and count what is in them.

    Example: ccgrid collection boxes
    """
    with opened(database) as collection:
        found = owned_cards.boxes.boxes(collection)
    if as_json:
        show_json_lines(box.to_dict() for box in found)
        return
    with paged():
        view.boxes.show_boxes(found)


@app.command("rename-box")
def rename_box(
    old: BoxName,
    new: Annotated[str, typer.Argument(help="Its new name.", show_default=False, callback=bounded)],
    yes: Yes = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Give a box another name.

    Example: ccgrid collection rename-box "Attic 2" Cellar
    """
    with opened(database) as collection:
        inside = confirmed(
            lambda sure: owned_cards.boxes.rename(collection, old, new, yes=sure), yes=yes, as_json=as_json
        )
    _tell(inside, f"in {new} now", as_json=as_json)


@app.command("empty-box")
def empty_box(box: BoxName, yes: Yes = False, database: Database = None, as_json: Json = False) -> None:
    """Take all cards out of a box; you still own them.

    They are in no box afterwards, where the query box:none finds them.

    Example: ccgrid collection empty-box "Attic 2"
    """
    with opened(database) as collection:
        inside = confirmed(lambda sure: owned_cards.boxes.empty(collection, box, yes=sure), yes=yes, as_json=as_json)
    _tell(inside, "in no box now", as_json=as_json)


@app.command("remove-box")
def remove_box(box: BoxName, yes: Yes = False, database: Database = None, as_json: Json = False) -> None:
    """Take a box out of the collection, with all cards in it.

    Example: ccgrid collection remove-box "Attic 2"
    """
    with opened(database) as collection:
        inside = confirmed(lambda sure: owned_cards.boxes.remove(collection, box, yes=sure), yes=yes, as_json=as_json)
    _tell(inside, "no longer in your collection; ccgrid collection undo takes that back", as_json=as_json)


def _tell(inside: Sequence[tuple[Holding, int]], what: str, *, as_json: bool) -> None:
    """Says what became of the cards of a box."""
    if as_json:
        show_json_lines(view.collection.taken_json(inside))
        return
    view.boxes.show_box_change(inside, what)
