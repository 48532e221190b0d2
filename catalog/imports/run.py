"""Imports from end to end: finds a source's newest data, downloads it, reads it into the catalogue."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from threading import Thread
from typing import Final, Protocol

from ccgrid.catalog.download import Client, cache
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.evidence import EvidenceReader
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import choose_layout, find_layout
from ccgrid.catalog.printing import SourceRow
from ccgrid.catalog.read_limits import Report, RowWatch
from ccgrid.catalog.readers.archives import Files, Tree, open_tree
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import check_reader
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, Edition, FileModule, Source, SourceModule, TreeModule
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.store.imports import (
    MOST_LOST,
    ImportSummary,
    Provenance,
    import_rows,
    last_import,
    unchanged_summary,
)
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.temporary import temporary_folder


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to import: a source, from a file or from the network, and what to do where cards would go."""

    source: Source
    path: Path | None = None
    url: str | None = None
    layout: Path | str | None = None
    """A layout file, or the name of a layout; None for the source's own."""
    bulk: str | None = None
    keep_missing: bool = False
    force: bool = False
    dry_run: bool = False
    """Only say what the import would do."""


_PIECE: Final = 1 << 18  # bytes that are hashed at a time


@dataclass(frozen=True, slots=True)
class LocalData:
    """Data that are on the disk: a file, a folder, or the files of an edition under the names they have in it."""

    paths: Path | Mapping[str, Path]
    address: str
    version: str | None = None
    sha256: str | None = None
    size: int | None = None
    downloaded: bool = False
    announced: int | None = None
    """How many cards the source said that there are, where it did."""
    digest: Callable[[], str | None] | None = None
    """Gives `sha256` in the end, where that is worked out while the rows are read."""

    @property
    def name(self) -> str:
        """What the data are called in a sentence: a file or an address."""
        return self.paths.name if isinstance(self.paths, Path) else self.address

    def discard(self) -> None:
        """Removes what was downloaded from the cache, so that it is asked for anew; a person's own files stay."""
        if self.downloaded:
            for path in [self.paths] if isinstance(self.paths, Path) else self.paths.values():
                with suppress(CatalogError):  # what is wrong with the data matters more
                    cache.discard(path)

    def tree(self, report: Report | None = None) -> AbstractContextManager[Tree]:
        """The data as a set of files."""
        if isinstance(self.paths, Path):
            return open_tree(self.paths, report)
        return nullcontext(Files(self.address, self.paths, report))


def measure(path: Path, address: str, report: Report | None = None) -> LocalData:
    """A file or a folder with its size and its SHA-256; one that cannot be read is left to the reader's words.

    What can be read only once, such as a pipe, is left to the reader too. `report` gets the bytes that were
    measured, and their total.
    """
    try:
        if path.is_dir():
            with open_tree(path, report) as tree:
                return LocalData(path, address, None, *tree.measure())
        if path.is_file():
            return LocalData(path, address, None, *_measured_file(path, report))
    except OSError:
        pass
    return LocalData(path, address)


def _measured_file(path: Path, report: Report | None) -> tuple[str, int]:
    digest, size, total = hashlib.sha256(), 0, path.stat().st_size
    # One piece of memory for all reads.
    piece = memoryview(bytearray(_PIECE))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(piece):
            digest.update(piece[:count])
            size += count
            if report is not None:
                report(size, total)
    return digest.hexdigest(), size


def download(client: Client, source: str, edition: Edition, report: Callable[[int, int | None], None]) -> LocalData:
    """Downloads the files of an edition into the cache; raises DownloadError where one is not available."""
    paths: Path | Mapping[str, Path]
    if edition.parts:
        digest, size = hashlib.sha256(), 0
        files: dict[str, Path] = {}
        for count, part in enumerate(edition.parts, 1):
            path = client.cache_path(source, edition.file_name, part.name)
            fetched = client.fetch(part.address, path, version=edition.version)
            files[part.name] = fetched.path
            # The hash of the names and hashes: another order or another name is other data.
            digest.update(f"{part.name} {fetched.manifest.sha256}\n".encode())
            size += fetched.manifest.size
            report(count, len(edition.parts))
        paths, sha256 = files, digest.hexdigest()
    else:
        path = client.cache_path(source, edition.file_name)
        fetched = client.fetch(edition.address, path, version=edition.version, progress=report)
        paths, sha256, size = fetched.path, fetched.manifest.sha256, fetched.manifest.size
    version = edition.version or None
    return LocalData(paths, edition.address, version, sha256, size, downloaded=True, announced=edition.cards)


WORTH_A_THREAD: Final = 4 << 20
"""The size of a file, in bytes, from which on a thread saves more than it costs."""
_HASHED_AT_ONCE: Final = 4 << 20
"""Bytes that are hashed at a time: between two pieces the thread waits until Python is free."""


@contextmanager
def hash_in_thread(path: Path) -> Iterator[Callable[[], str | None]]:
    """Begins to hash a file; what it gives waits for the end and is the SHA-256, or None where it cannot be read."""
    found: list[str] = []
    stopped = False

    def work() -> None:
        digest, piece = hashlib.sha256(), memoryview(bytearray(_HASHED_AT_ONCE))
        with suppress(OSError), path.open("rb", buffering=0) as file:  # whoever reads the rows says what is wrong
            while count := file.readinto(piece):
                digest.update(piece[:count])
                # Nobody waits for it any more: the rows could not be read.
                if stopped:
                    return
            found.append(digest.hexdigest())

    # A daemon, so that a program that is interrupted does not wait for it.
    thread = Thread(target=work, daemon=True)
    thread.start()

    def result() -> str | None:
        thread.join()
        return found[0] if found else None

    try:
        yield result
    # The thread reads the file: it has ended before the file may be removed.
    finally:
        stopped = True
        thread.join()


STARTER_FILE: Final = "starter.jsonl"
_BUNDLED_ADDRESS: Final = "bundled with ccgrid"
_MOST_REMARKS: Final = 20  # remarks of one import
RULES: Final = 1
"""Goes up when the house rules read the same text differently, so that data are read anew."""


class ByteProgress(Protocol):
    """Receives the progress of an import, in bytes."""

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """`doing` is "Downloading", "Comparing" (with what was imported last) or "Reading"."""


def import_source(
    order: ImportRequest,
    database: Path,
    *,
    progress: ByteProgress | None = None,
    waiting: Callable[[], None] | None = None,
) -> ImportSummary:
    """Carries out an import and says what it did; raises CatalogError, and changes nothing, where it cannot.

    Data that the catalogue has already, read by the same layout, are neither downloaded nor read again. A dry run does
    everything and takes it back; where there is no catalogue it fills one that is thrown away.
    """
    started = time.perf_counter()
    with ExitStack() as stack:
        # Nothing is left where nothing was.
        if order.dry_run and not database.exists():
            database = stack.enter_context(temporary_folder()) / database.name
        summary = _run(order, database, stack, progress or _no_progress, waiting)
    summary.seconds = round(time.perf_counter() - started, 3)
    return summary


def _run(
    order: ImportRequest, database: Path, stack: ExitStack, tell: ByteProgress, waiting: Callable[[], None] | None
) -> ImportSummary:
    layout = _layout(order)
    source, address = order.source, order.url or order.source.address
    # A file of one's own, or the bundled one of a source that has neither layout nor address.
    if order.path is not None or (source.layout is None and not address):
        path = order.path or stack.enter_context(_starter_file())
        data = _at_hand(
            path, replace_surrogates(str(order.path or _BUNDLED_ADDRESS)), not database.exists(), stack, tell
        )
    else:
        by_hand = f"download {order.url or source.by_hand} and run: ccgrid import {source.name} FILE"
        client = stack.enter_context(Client(by_hand))
        edition = source.latest(client, address, order.bulk)
        # Asked before anything is downloaded: the version alone may say that nothing is new.
        offered = LocalData({}, edition.address, edition.version or None)
        if layout is not None and (known := _up_to_date(order, database, _origin(order, layout, offered))):
            return known
        data = download(client, source.name, edition, lambda done, total: tell("Downloading", done, total))
    try:
        summary = _read(order, data, layout, database, stack, tell, waiting)
    except CatalogError:
        data.discard()
        raise
    # Far fewer cards than last time (`--force` lets that through): the file is not kept.
    if summary.removed > MOST_LOST * (summary.read + summary.removed):
        data.discard()  # somebody wanted it so; but what is so far from the last is not served again unasked
    return summary


def _read(
    order: ImportRequest,
    data: LocalData,
    layout: Layout | EvidenceReader | None,
    database: Path,
    stack: ExitStack,
    tell: ByteProgress,
    waiting: Callable[[], None] | None,
) -> ImportSummary:
    module, remarks = order.source.load(), list[str]()
    watch = RowWatch(data.name, lambda done, total: tell("Reading", done, total))
    if isinstance(module, TreeModule):
        # Before the layout: the data may have to say which game's they are.
        tree = stack.enter_context(data.tree(watch.report))
        check_reader(order.source, tree, str(order.path))
        layout = layout or order.source.recognise(tree)
    assert layout is not None  # noqa: S101  what reads a single file knows its game
    origin = _origin(order, layout, data)
    if known := _up_to_date(order, database, origin):
        return known

    def bring_in(store: Store) -> ImportSummary:
        if isinstance(module, TreeModule) and isinstance(layout, Layout):
            rows = module.read_tree(tree, layout, _remarker(remarks))
        else:
            rows = _single(order, module, data, stack, watch.report)
        # What reads rows reports how far it is by what was taken from the file.
        watched = watch.rows(rows)
        if data.announced:
            watched = _whole(watched, data, data.announced)
        return _import(order, store, watched, layout, origin, waiting)

    summary = work_on(database, bring_in)
    summary.remarks = remarks
    return summary


def _at_hand(path: Path, address: str, is_first: bool, stack: ExitStack, tell: ByteProgress) -> LocalData:
    """A file or a folder of this machine, measured; a large file that `is_first` of all while its rows are read."""
    if is_first and path.is_file() and (size := path.stat().st_size) >= WORTH_A_THREAD:
        return LocalData(path, address, size=size, digest=stack.enter_context(hash_in_thread(path)))
    return measure(path, address, lambda done, total: tell("Comparing", done, total))


def _whole(rows: Iterator[SourceRow], data: LocalData, announced: int) -> Iterator[SourceRow]:
    """The rows; raises CatalogError in the end where there are far fewer than the source announced."""
    count = 0
    for row in rows:
        count += 1
        yield row
    # In the end, and within the unit of work: raising takes everything back.
    if count < announced * (1 - MOST_LOST):
        raise FileFormatError(
            f"{counted(count, 'card')} came, but {announced} were announced; nothing changed. Try again later.",
            file=data.address,
        )


def _single(
    order: ImportRequest, module: SourceModule, data: LocalData, stack: ExitStack, report: Report | None = None
) -> Iterator[SourceRow]:
    """The rows of a source whose data are one file."""
    if not isinstance(module, FileModule) or not isinstance(data.paths, Path):
        raise CatalogError(f"{order.source.name} is read from one file: name it.")
    stream = stack.enter_context(open_data(data.paths, report))
    return module.read(stream, data.paths.name)


def _remarker(remarks: list[str]) -> Callable[[str], None]:
    """Keeps each remark once, and not too many of them."""

    def remark(text: str) -> None:
        if text not in remarks and len(remarks) < _MOST_REMARKS:
            remarks.append(text)

    return remark


def import_bundled(order: ImportRequest, store: Store) -> ImportSummary:
    """Imports a source's bundled file, or the file that the order names, into a catalogue that is open."""
    with ExitStack() as stack:
        path = order.path or stack.enter_context(_starter_file())
        layout = _layout(order)
        if layout is None:
            raise FileFormatError("a layout must be named.", file=order.source.title)
        data = LocalData(path, str(path))
        rows = _single(order, order.source.load(), data, stack)
        return _import(order, store, rows, layout, _origin(order, layout, data), None)


def _import(
    order: ImportRequest,
    store: Store,
    rows: Iterable[SourceRow],
    layout: Layout | EvidenceReader,
    origin: Provenance,
    waiting: Callable[[], None] | None,
) -> ImportSummary:
    return import_rows(
        store,
        rows,
        layout.compiled() if isinstance(layout, Layout) else layout,
        origin,
        keep_missing=order.keep_missing,
        force=order.force,
        yields=order.source.layout is None,
        tells_apart=isinstance(order.source.load(), TreeModule),
        waiting=waiting,
        dry_run=order.dry_run,
    )


def _starter_file() -> AbstractContextManager[Path]:
    return resources.as_file(resources.files("ccgrid.data") / STARTER_FILE)


def reading_of(source: Source, layout: Layout | EvidenceReader) -> str:
    """A fingerprint of how the data of a source are read by a layout; another one means that they are read anew."""
    return f"{RULES}.{source.load().READER}.{layout.fingerprint()}"


def _origin(order: ImportRequest, layout: Layout | EvidenceReader, data: LocalData) -> Provenance:
    """Where the cards come from, with a fingerprint of how they are read."""
    reader = reading_of(order.source, layout)
    key = order.source.key(layout.game) if isinstance(layout, Layout) else order.source.name
    return Provenance(key, data.address, reader, data.version, data.sha256, data.size, data.digest)


def _layout(order: ImportRequest) -> Layout | EvidenceReader | None:
    """The layout that reads the data; None where they tell themselves which game's it is."""
    if order.source.layout is None:
        if order.layout is not None:
            raise CatalogError(f"The cards of {order.source.name} need no layout: leave --layout out.")
        return EvidenceReader()
    if order.layout is not None:
        return choose_layout(order.layout)
    return None if order.source.layout == LAYOUT_FROM_DATA else find_layout(order.source.layout)


def _up_to_date(order: ImportRequest, database: Path, origin: Provenance) -> ImportSummary | None:
    """The summary of data that the catalogue has already, or None where there is something to do."""
    if not database.exists():
        return None
    with Store(database) as store:
        found = last_import(store, origin.source)
        if found is None:
            return None
        last, cards = found
        # The source's own word, where it has one; else the bytes.
        same_edition = origin.version is not None and (origin.version, origin.address) == (last.version, last.address)
        same_bytes = origin.sha256 is not None and origin.sha256 == last.sha256
        if last.layout != origin.layout or not (same_edition or same_bytes):
            return None
        summary = unchanged_summary(store, origin)
        # Cards that an earlier import kept (--add) are still to go, unless they are kept again.
        # More cards are there than this import brought: those are to be removed now.
        has_others = summary.read > cards and not order.keep_missing
        return summary if summary.read and not has_others else None


def _no_progress(doing: str, done: int, total: int | None) -> None:
    """Nobody wants to know."""
