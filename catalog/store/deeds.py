"""All that was done, in one order: imports, and changes to the collection, to cards and to layouts."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from catalog.card import CatalogError
from catalog.files import make_folder, remove, whole_binary
from catalog.store.catalogue import Store
from catalog.store.corrections import uncorrected
from catalog.store.journal import (
    LAYOUTS,
    NOTED,
    TABLES,
    Step,
    change,
    do_again,
    note_file,
    path_of,
    steps_of,
    take_back,
)
from catalog.store.ledger import history as imports
from catalog.store.ledger import last_entry
from catalog.store.ledger import undo as take_import_back
from catalog.store.names import forget_names, index_names, last_name, note_names
from catalog.store.transactions import transaction

Kind = Literal["collection", "card", "layout", "import"]


class Deed(NamedTuple):
    """Something that was done: of which kind, by its number, when (UTC), what, and whether it was taken back."""

    kind: Kind
    number: int
    made: str
    what: str
    undone: bool = False

    def __str__(self) -> str:
        """What it was, and when, UTC, to the minute."""
        of = "the change to the collection, " if self.kind == "collection" else ""
        return f"{of}{self.what} ({self.made[:16].replace('T', ' ')})"

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of a line of `history --json`; that of an import says more."""
        return {"kind": self.kind, "id": self.number, "made": self.made, "what": self.what, "undone": self.undone}


def last_deed(store: Store) -> Deed | None:
    """What was done last and stands; an import that an older ccgrid made comes behind all else. None for nothing."""
    row = store.connection.execute("SELECT id, made, what, import_id FROM changes ORDER BY id DESC LIMIT 1").fetchone()
    if row is None or row[3] is not None:
        return last_import_deed(store)
    return _deed(store, row[:3], "journal")


def last_import_deed(store: Store) -> Deed | None:
    """The last import, where it stands."""
    entry = last_entry(store)
    return None if entry is None or entry["undone"] is not None else _of_import(entry)


def deeds(store: Store) -> list[tuple[Deed, dict[str, Any]]]:
    """All that is remembered, the oldest first, with the line of the ledger of an import."""
    changed = "SELECT id, made, what FROM changes WHERE import_id IS NULL ORDER BY id"
    undone = "SELECT id, made, what FROM changes_undone ORDER BY position DESC"
    places = dict(store.connection.execute("SELECT import_id, id FROM changes WHERE import_id IS NOT NULL"))
    found, place = list[tuple[Deed, dict[str, Any], int]](), 0
    for entry in imports(store):
        place = places.get(entry["id"], place)  # one that was taken back stands behind the one before it
        found.append((_of_import(entry), entry, place))
    found += [(_deed(store, row, "journal"), {}, row[0]) for row in store.connection.execute(changed).fetchall()]
    found.sort(key=lambda one: (one[0].made, one[2]))
    back = [_deed(store, row, "journal_undone") for row in store.connection.execute(undone).fetchall()]
    return [*((deed, entry) for deed, entry, _ in found), *((deed._replace(undone=True), {}) for deed in back)]


def _deed(store: Store, row: tuple[int, str, str], journal: str) -> Deed:
    query = f"SELECT DISTINCT place FROM {journal} WHERE change_id = ?"  # noqa: S608  our own words
    places = {place for (place,) in store.connection.execute(query, row[:1])}
    kind: Kind = "layout" if LAYOUTS in places else "card" if not places.isdisjoint(NOTED) else "collection"
    return Deed(kind, *row)


def _of_import(entry: dict[str, Any]) -> Deed:
    counts = ", ".join(f"{entry[key]:,} {key}" for key in ("added", "changed", "removed"))
    what = f"import {entry['source']}: {counts}"
    return Deed("import", entry["id"], entry["imported"], what, entry["undone"] is not None)


def undo(store: Store, deed: Deed, waiting: Callable[[], None] | None = None) -> dict[str, Any]:
    """Takes back what was done last, and returns what it was; of an import its line of the ledger.

    Raises CatalogError where it is not the last any more, or cannot be taken back.
    """
    if deed.kind == "import":
        return take_import_back(store, waiting, deed.number)
    with ExitStack() as files, transaction(store.connection, "take back what was done last", waiting):
        last = last_deed(store)
        if last != deed:
            raise CatalogError(f"Another command has done something since: {last}. Look at it: ccgrid history")
        steps = steps_of(store, deed.number)
        _make_ready(files, steps)
        with _as_sources_have_them(store, steps):
            take_back(store, deed.number, deed.made, deed.what)
    return _told(deed)


def redo(store: Store, waiting: Callable[[], None] | None = None) -> dict[str, Any]:
    """Does again what was taken back last, and returns what it was; CatalogError where there is nothing."""
    with ExitStack() as files, transaction(store.connection, "do again what was taken back last", waiting):
        row = store.connection.execute(
            "SELECT id, made, what FROM changes_undone ORDER BY position DESC LIMIT 1"
        ).fetchone()
        if row is None:
            raise CatalogError("There is nothing to do again; an import is done again by importing once more.")
        deed = _deed(store, row, "journal_undone")
        steps = steps_of(store, deed.number, "journal_undone")
        _make_ready(files, steps)
        with _as_sources_have_them(store, steps):
            do_again(store, *row)
    return _told(deed)


def _told(deed: Deed) -> dict[str, Any]:
    more = {"collection": deed.what} if deed.kind == "collection" else {}
    return {**more, "kind": deed.kind, "what": deed.what, "made": deed.made}


@contextmanager
def _as_sources_have_them(store: Store, steps: list[Step]) -> Iterator[None]:
    """While the block runs cards are as their sources have them, where cards are changed; then all have their names."""
    if all(place in TABLES or place == LAYOUTS for place, _, _ in steps):
        yield
        return
    connection = store.connection
    with uncorrected(store):
        yield
        before = last_name(connection)
        ids = [str(key) for place, key, _ in steps if place == "cards"]
        note_names(connection, [card.name for card in store.cards(ids)])
        index_names(connection, before)
        forget_names(connection)


def note_layout(store: Store, path: Path, waiting: Callable[[], None] | None = None) -> None:
    """Notes that a layout in a person's own folder of layouts is about to be written, so that it can be taken back."""
    with (
        transaction(store.connection, f"make ready to take the layout {path.stem} back", waiting),
        change(store, f"write the layout {path.stem}"),
    ):
        note_file(store, path)


def _make_ready(files: ExitStack, steps: Iterable[Step]) -> None:
    """Has files become what they were when all else is done, and not before."""
    for place, key, before in steps:
        if place == LAYOUTS:
            files.enter_context(becoming(path_of(key), None if before is None else json.loads(before)))


@contextmanager
def becoming(path: Path, text: str | None) -> Iterator[None]:
    """A file that has this text, or is gone for None, as soon as the block ends well; else it stays as it was."""
    if text is None:
        yield
        remove(path)
        return
    make_folder(path.parent)
    with whole_binary(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.flush()  # a full disk is met here
        yield
