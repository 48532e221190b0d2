"""What a person did last, of the collection and of imports, and how it is taken back."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from catalog.card import CatalogError
from catalog.store.catalogue import Store
from catalog.store.holdings import CollectionStore
from catalog.store.ledger import last_entry
from catalog.store.ledger import undo as take_import_back
from ccgrid.services.catalogue import catalogue_path

Kind = Literal["collection", "import"]


class Done(NamedTuple):
    """Something that can be taken back: of which kind, by its number, when it was done (UTC), and what it was."""

    kind: Kind
    number: int
    made: str
    what: str

    def __str__(self) -> str:
        """What it was, and when, UTC, to the minute."""
        of = "the change to the collection, " if self.kind == "collection" else ""
        return f"{of}{self.what} ({self.made[:16].replace('T', ' ')})"


def last_done(database: Path | None) -> list[Done]:
    """What can be taken back, the last change to the collection and the last import; what was done later comes first.

    Raises:
        CatalogError: there is no catalogue.
    """
    with Store(catalogue_path(database)) as store:
        found = []
        if change := CollectionStore(store).last_change():
            found.append(Done("collection", *change))
        if (entry := last_entry(store)) is not None and entry["undone"] is None:
            counts = ", ".join(f"{entry[key]:,} {key}" for key in ("added", "changed", "removed"))
            found.append(Done("import", entry["id"], entry["imported"], f"import {entry['source']}: {counts}"))
    return sorted(found, key=lambda done: done.made, reverse=True)


def unasked(found: Sequence[Done]) -> Done:
    """What is taken back where nobody can be asked: a change to the collection that is all there is.

    Raises:
        CatalogError: an import may be meant, which is never taken back unasked.
    """
    last = found[0]
    if last.kind == "import":
        raise CatalogError(f"Last was: {last}. An import is not taken back unasked: say --yes.")
    if len(found) > 1:
        raise CatalogError(
            f"Last was {last}, before it: {found[1]}.\nSay which: ccgrid collection undo, or ccgrid undo --import --yes"
        )
    return last


def take_back(database: Path | None, done: Done | None, waiting: Callable[[], None]) -> dict[str, Any]:
    """Takes something back, or the last import where nothing is named, and returns what it was.

    That is the import's line in the ledger, or `collection` and `made` of a change to the collection.

    Raises:
        CatalogError: it is not the last any more, or there is nothing that could be taken back.
    """
    with Store(catalogue_path(database)) as store:
        if done is not None and done.kind == "collection":
            made, what = CollectionStore(store, waiting).undo(done.number)
            return {"collection": what, "made": made}
        return take_import_back(store, waiting, None if done is None else done.number)
