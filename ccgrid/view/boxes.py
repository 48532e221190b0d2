"""Tables of boxes, of what was done with them, and of changes to a collection."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccgrid.view.output import Column, show, show_table
from ccgrid.view.words import counted

if TYPE_CHECKING:
    from catalog.collection.boxes import Box
    from catalog.holding import Holding
    from catalog.store.journal import Change


def show_boxes(boxes: Sequence["Box"]) -> None:
    """Print what is in which box, and last how much there is in all."""
    if not boxes:
        show("Nothing.")
        return
    show_table(
        [Column("box", wrap=True), Column("copies", "right"), Column("cards", "right"), Column("out", "right")],
        [(box.name or "in no box", box.copies, box.cards, box.out or None) for box in boxes],
    )
    copies = counted(sum(box.copies for box in boxes), "copy", "copies")
    show("", f"{copies} in {counted(sum(bool(box.name) for box in boxes), 'box', 'boxes')} and outside of them.")


def show_box_change(inside: Sequence[tuple["Holding", int]], what: str) -> None:
    """Say what became of the cards of a box."""
    copies = sum(count for _, count in inside)
    show(f"{counted(copies, 'copy', 'copies')} {'is' if copies == 1 else 'are'} {what}.")


def show_changes(changes: Sequence["Change"]) -> None:
    """Print the changes to a collection, the last one last, and what undo and redo would do."""
    if not changes:
        show("No change to the collection is remembered.")
        return
    show_table(
        [Column("change", "right"), Column("when"), Column("what", wrap=True), Column("")],
        [(one.id, one.made[:16].replace("T", " "), one.what, "taken back" if one.undone else None) for one in changes],
    )
    done = [one for one in changes if not one.undone]
    undone = [one for one in changes if one.undone]
    show("")
    if done:
        show(f"ccgrid collection undo takes back: {done[-1].what}.")
    if undone:
        show(f"ccgrid collection redo does again: {undone[0].what}.")
