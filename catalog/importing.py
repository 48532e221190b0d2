"""Imports from end to end: finds a source's newest data, brings it here, reads it into the catalogue."""

import hashlib
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

from catalog.card import CatalogError
from catalog.download import Client
from catalog.layouts import Layout, Recorded, find_layout, load_layout
from catalog.sources import Edition, Source
from catalog.sources.printing import Row
from catalog.sources.streams import open_data
from catalog.store import Store
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
    tell = progress or _tell_nobody
    layout = _layout(order)
    origin = _origin(order, layout)
    with ExitStack() as stack:
        path = order.path
        if path is None and not origin.address:
            path = stack.enter_context(_bundled())
        if path is None:
            client = stack.enter_context(Client(order.source.name))
            edition = order.source.load().latest(client, origin.address, order.bulk)
            origin = replace(origin, address=edition.address, version=edition.version or None)
            summary = _known(database, origin)
            if summary is None:
                path, origin = _download(client, edition, origin, tell)
        else:
            origin = _measured(path, replace(origin, address=str(order.path or _BUNDLED_ADDRESS)))
            summary = _known(database, origin)
        if summary is None and path is not None:
            with open_data(path, lambda done, total: tell("Reading", done, total)) as stream:
                rows = order.source.load().read(stream, path.name)
                # The first row is read before the catalogue is opened: a file that is none leaves no catalogue behind.
                first = [row for row in [next(rows, None)] if row is not None]
                with Store(database, create=True) as store:
                    summary = _import(order, store, chain(first, rows), layout, origin, waiting)
    assert summary is not None  # noqa: S101  either the data are known, or there is a file that was read
    summary.seconds = time.perf_counter() - started
    return summary


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
    """The origin with the size and the SHA-256 of a file; a file that cannot be read is left to the reader's words."""
    try:
        with path.open("rb") as file:
            return replace(origin, sha256=hashlib.file_digest(file, "sha256").hexdigest(), size=file.tell())
    except OSError:
        return origin


def _known(database: Path, origin: Origin) -> Summary | None:
    """The summary of data that the catalogue has already, or None where they are new to it."""
    if not database.is_file():
        return None
    with Store(database) as store:
        last = last_import(store, origin.source)
        if last is None or last.layout != origin.layout:
            return None
        same_version = origin.version is not None and origin.version == last.version
        if not same_version and (origin.sha256 is None or origin.sha256 != last.sha256):
            return None
        summary = unchanged(store, origin)
        return summary if summary.read else None


def _tell_nobody(doing: str, done: int, total: int | None) -> None:
    """Nobody wants to know."""
