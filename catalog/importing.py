"""Imports from end to end: finds a source's newest data, brings it here, reads it into the catalogue."""

import hashlib
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final, Protocol

from catalog.card import CatalogError
from catalog.download import Client
from catalog.layouts import Layout, Recorded, find_layout, load_layout
from catalog.sources import Edition, Source
from catalog.sources.printing import Row
from catalog.sources.streams import open_data
from catalog.store import Store, discard_if_empty
from catalog.store_import import Origin, Summary, import_rows, last_import, unchanged

BUNDLED: Final = "starter.jsonl"
_BUNDLED_ADDRESS: Final = "bundled with ccgrid"
RULES: Final = 1
"""Counts up when the house rules read the same text differently, so that data are read anew."""


class Progress(Protocol):
    """Is told how an import comes along, in bytes."""

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """`doing` is "Downloading" or "Reading"."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to import: a source, from a file or from the network, and what to do where cards would go."""

    source: Source
    path: Path | None = None
    url: str | None = None
    layout: Path | None = None
    bulk: str | None = None
    keep_missing: bool = False
    force: bool = False


def run(
    order: Order, database: Path, *, progress: Progress | None = None, waiting: Callable[[], None] | None = None
) -> Summary:
    """Carries out an import and says what it did; raises CatalogError, and changes nothing, where it cannot.

    Data that the catalogue has already, read by the same layout, are neither downloaded nor read again.
    """
    started = time.perf_counter()
    with ExitStack() as stack:
        summary = _run(order, database, stack, progress or _tell_nobody, waiting)
    summary.seconds = time.perf_counter() - started
    return summary


def _run(order: Order, database: Path, stack: ExitStack, tell: Progress, waiting: Callable[[], None] | None) -> Summary:
    layout = _layout(order)
    origin = _origin(order, layout)
    path = order.path
    if path is None and not origin.address:
        path = stack.enter_context(_bundled())
    if path is not None:
        origin = _measured(path, replace(origin, address=str(order.path or _BUNDLED_ADDRESS)))
    else:
        client = stack.enter_context(Client(order.source.name))
        edition = order.source.load().latest(client, origin.address, order.bulk)
        origin = replace(origin, address=edition.address, version=edition.version or None)
        if known := _known(order, database, origin):
            return known
        path, origin = _download(client, edition, origin, tell)
    if known := _known(order, database, origin):
        return known
    is_new = not database.exists()
    try:
        watched = open_data(path, lambda done, total: tell("Reading", done, total))
        with watched as stream, Store(database, create=True) as store:
            rows = order.source.load().read(stream, path.name)
            return _import(order, store, rows, layout, origin, waiting)
    except BaseException:
        if is_new and database.is_file():
            discard_if_empty(database)
        raise


def bring(order: Order, store: Store) -> Summary:
    """Imports a source's bundled file, or the file that the order names, into a catalogue that is open."""
    layout = _layout(order)
    with ExitStack() as stack:
        path = order.path or stack.enter_context(_bundled())
        stream = stack.enter_context(open_data(path))
        return _import(order, store, order.source.load().read(stream, path.name), layout, _origin(order, layout), None)


def _import(
    order: Order,
    store: Store,
    rows: Iterable[Row],
    layout: Layout | Recorded,
    origin: Origin,
    waiting: Callable[[], None] | None,
) -> Summary:
    return import_rows(
        store,
        rows,
        layout,
        origin,
        keep_missing=order.keep_missing,
        force=order.force,
        yields=order.source.layout is None,
        waiting=waiting,
    )


def _bundled() -> AbstractContextManager[Path]:
    return resources.as_file(resources.files("data") / BUNDLED)


def _origin(order: Order, layout: Layout | Recorded) -> Origin:
    """Where the cards come from, with a fingerprint of how they are read."""
    reader = f"{RULES}.{order.source.load().READER}.{hashlib.sha256(repr(layout).encode()).hexdigest()[:16]}"
    return Origin(order.source.name, order.url or order.source.address, reader)


def _layout(order: Order) -> Layout | Recorded:
    if order.source.layout is None:
        if order.layout is not None:
            raise CatalogError(f"The cards of {order.source.name} are read without a layout; leave --layout out.")
        return Recorded()
    return find_layout(order.source.layout) if order.layout is None else load_layout(order.layout)


def _download(client: Client, edition: Edition, origin: Origin, tell: Progress) -> tuple[Path, Origin]:
    fetched = client.fetch(
        edition.address,
        client.cache_path(origin.source, edition.file_name),
        version=edition.version,
        progress=lambda done, total: tell("Downloading", done, total),
    )
    return fetched.path, replace(origin, sha256=fetched.manifest.sha256, size=fetched.manifest.size)


def _measured(path: Path, origin: Origin) -> Origin:
    """The origin with the size and the SHA-256 of a file; one that cannot be read is left to the reader's words.

    What can be read only once, such as a pipe, is left to the reader too.
    """
    if not path.is_file():
        return origin
    try:
        with path.open("rb") as file:
            return replace(origin, sha256=hashlib.file_digest(file, "sha256").hexdigest(), size=file.tell())
    except OSError:
        return origin


def _known(order: Order, database: Path, origin: Origin) -> Summary | None:
    """The summary of data that the catalogue has already, or None where there is something to do."""
    if not database.exists():
        return None
    with Store(database) as store:
        found = last_import(store, origin.source)
        if found is None:
            return None
        last, cards = found
        same_edition = origin.version is not None and (origin.version, origin.address) == (last.version, last.address)
        same_bytes = origin.sha256 is not None and origin.sha256 == last.sha256
        if last.layout != origin.layout or not (same_edition or same_bytes):
            return None
        summary = unchanged(store, origin)
        # Cards that an earlier import was told to keep are still to go, unless they are kept again.
        kept = summary.read > cards and not order.keep_missing
        return summary if summary.read and not kept else None


def _tell_nobody(doing: str, done: int, total: int | None) -> None:
    """Nobody wants to know."""
