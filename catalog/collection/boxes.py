"""Boxes of the collection: their contents, and renaming, emptying and removing them."""

import msgspec

from ccgrid.catalog.collection.edit import check_many, clean_text
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.holding import NOWHERE, Holding
from ccgrid.catalog.store.holdings import CollectionStore, key_of, walking_order


class Box(msgspec.Struct, frozen=True, kw_only=True, rename={"name": "box"}):
    """A box and what is in it; `box` is null for what is in none, and `out` counts copies that are in decks."""

    name: str | None
    entries: int
    cards: int
    copies: int
    out: int


def count_boxes(collection: CollectionStore) -> list[Box]:
    """Return the boxes in the user's order with counts of their contents; what is in no box comes last."""
    inside: dict[str, list[Holding]] = {}
    for holding in sorted(collection.holdings(), key=walking_order):
        inside.setdefault(holding.place.box, []).append(holding)
    return [
        Box(
            name=name or None,
            entries=len(holdings),
            cards=len({one.card_id for one in holdings}),
            copies=sum(one.copies for one in holdings),
            out=sum(one.out for one in holdings),
        )
        for name, holdings in inside.items()
    ]


def rename_box(collection: CollectionStore, old: str, new: str, *, yes: bool = False) -> list[tuple[Holding, int]]:
    """Rename a box in one undoable change.

    Returns:
        The holdings in it, each with its number of copies.

    Raises:
        NotConfirmedError: If many entries would change and `yes` is not set.
        NotFoundError: If there is no such box.
        CatalogError: If another box has the new name, or the new name is blank.
    """
    name = clean_text(new)
    if not name:
        raise CatalogError("A box needs a name. To take the cards out of it: ccgrid collection empty-box")
    with collection.change(f"rename the box {old} to {name}"):
        inside = _inside(collection, old)
        # Boxes whose names differ in case are one: all of them are `inside`.
        taken = {holding.place.box for holding in collection.holdings()} - {holding.place.box for holding in inside}
        if any(name.casefold() == other.casefold() for other in taken):
            raise CatalogError(
                f"There is a box {name!r} already; nothing changed.\n"
                f'To move all cards into it: ccgrid collection move \'box:"{old}"\' --to-box "{name}"'
            )
        check_many(len(inside), yes=yes)
        if inside[0].place.box != name:
            collection.rename_box(inside[0].place.box, name)
    return [(holding, holding.copies) for holding in inside]


def empty_box(collection: CollectionStore, name: str, *, yes: bool = False) -> list[tuple[Holding, int]]:
    """Take all cards out of a box in one undoable change; they stay in the collection.

    Raises:
        NotConfirmedError: If many entries would change and `yes` is not set.
        NotFoundError: If there is no such box.
    """
    with collection.change(f"empty the box {name}"):
        inside = _inside(collection, name)
        check_many(len(inside), yes=yes)
        for holding in inside:
            collection.carry(holding, key_of(holding)._replace(place=NOWHERE))
    return [(holding, holding.copies) for holding in inside]


def remove_box(collection: CollectionStore, name: str, *, yes: bool = False) -> list[tuple[Holding, int]]:
    """Remove a box and all cards in it from the collection in one undoable change.

    Raises:
        NotConfirmedError: If many entries would change and `yes` is not set.
        NotFoundError: If there is no such box.
        CatalogError: If cards of it are checked out in decks.
    """
    with collection.change(f"remove the box {name}"):
        inside = _inside(collection, name)
        check_many(len(inside), yes=yes)
        for holding in inside:
            collection.take(holding, holding.copies)
    return [(holding, holding.copies) for holding in inside]


def _inside(collection: CollectionStore, name: str) -> list[Holding]:
    inside = [one for one in collection.holdings() if name and one.place.box.casefold() == name.casefold()]
    if not inside:
        raise NotFoundError(f"There is no box {name!r}. To list them: ccgrid collection boxes", kind="box", name=name)
    return sorted(inside, key=walking_order)
