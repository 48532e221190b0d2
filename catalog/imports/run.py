"""Imports of cards: find a source's newest data, download them, and read them into the catalogue."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, Protocol

from ccgrid.catalog.download import Client, cache
from ccgrid.catalog.errors import CatalogError, FileFormatError, UsageError
from ccgrid.catalog.evidence import EvidenceReader
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import SourceRow
from ccgrid.catalog.read_limits import Report, RowWatch
from ccgrid.catalog.readers.archives import Files, Tree, open_tree
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import check_reader, choose_layout
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
    """What to import, and whether to keep or remove cards that are not in the new data."""

    source: Source
    path: Path | None = None
    url: str | None = None
    layout: Path | str | None = None
    """A layout file, or the name of a layout; None for that of the source."""
    bulk: str | None = None
    keep_missing: bool = False
    force: bool = False
    dry_run: bool = False
    """Report what the import would do, and change nothing."""


_PIECE: Final = 1 << 18  # bytes to hash at a time


@dataclass(frozen=True, slots=True)
class LocalData:
    """Data on the disk: a file, a folder, or the files of an edition by their names in it."""

    paths: Path | Mapping[str, Path]
    address: str
    version: str | None = None
    sha256: str | None = None
    size: int | None = None
    downloaded: bool = False
    announced: int | None = None
    """The number of cards that the source announced, or None."""
    hashed: "hashlib._Hash | None" = None
    """Returns `sha256` after the rows are read, if it is computed meanwhile."""

    @property
    def name(self) -> str:
        """The name of the data in messages: a file or an address."""
        return self.paths.name if isinstance(self.paths, Path) else self.address

    def discard(self) -> None:
        """Delete downloaded files from the cache, so that they are downloaded again; keep the user's files."""
        if self.downloaded:
            for path in [self.paths] if isinstance(self.paths, Path) else self.paths.values():
                with suppress(CatalogError):  # the error in the data is more important
                    cache.discard(path)

    def tree(self, report: Report | None = None) -> AbstractContextManager[Tree]:
        """Open the data as a set of files."""
        if isinstance(self.paths, Path):
            return open_tree(self.paths, report)
        return nullcontext(Files(self.address, self.paths, report))


def measure(path: Path, address: str, report: Report | None = None) -> LocalData:
    """Return a file or a folder with its size and its SHA-256.

    These stay unknown for a path that cannot be read, for which the row reader reports the error, and for a pipe, which
    can be read only once.

    Args:
        path: The file or folder.
        address: The address of the data for the catalogue.
        report: Receives the bytes measured so far, and their total.
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
    # One buffer for all reads.
    piece = memoryview(bytearray(_PIECE))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(piece):
            digest.update(piece[:count])
            size += count
            if report is not None:
                report(size, total)
    return digest.hexdigest(), size


def download(client: Client, source: str, edition: Edition, report: Callable[[int, int | None], None]) -> LocalData:
    """Download the files of an edition into the cache.

    Raises:
        DownloadError: If one is not available.
    """
    paths: Path | Mapping[str, Path]
    if edition.parts:
        digest, size = hashlib.sha256(), 0
        files: dict[str, Path] = {}
        for count, part in enumerate(edition.parts, 1):
            path = client.cache_path(source, edition.file_name, part.name)
            fetched = client.fetch(part.address, path, version=edition.version)
            files[part.name] = fetched.path
            # A hash of names and hashes, so that another order or name gives another hash.
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


STARTER_FILE: Final = "starter.jsonl"
_BUNDLED_ADDRESS: Final = "bundled with ccgrid"
_MOST_REMARKS: Final = 20  # remarks of one import
RULES: Final = 1
"""The version of the house rules. A higher number makes the next import read unchanged data again."""


class ByteProgress(Protocol):
    """A receiver of the progress of an import, in bytes."""

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """Report progress; `doing` is "Downloading", "Comparing" (with the last import) or "Reading"."""


def import_source(
    order: ImportRequest,
    database: Path,
    *,
    progress: ByteProgress | None = None,
    waiting: Callable[[], None] | None = None,
) -> ImportSummary:
    """Import cards, and return a summary.

    Data that the catalogue already contains, read by the same layout, are neither downloaded nor read again. A dry run
    does everything and rolls it back; without a catalogue it fills a temporary one.

    Raises:
        CatalogError: If the import fails. Nothing is changed.
    """
    started = time.perf_counter()
    with ExitStack() as stack:
        # A dry run must not create a catalogue.
        if order.dry_run and not database.exists():
            database = stack.enter_context(temporary_folder()) / database.name
        summary = _run(order, database, stack, progress or _no_progress, waiting)
    summary.seconds = round(time.perf_counter() - started, 3)
    return summary


def _run(
    order: ImportRequest, database: Path, stack: ExitStack, progress: ByteProgress, waiting: Callable[[], None] | None
) -> ImportSummary:
    layout = _layout(order)
    source, address = order.source, order.url or order.source.address
    # The user's file, or the bundled one of a source that has neither layout nor address.
    if order.path is not None or (source.layout is None and not address):
        path = order.path or stack.enter_context(_starter_file())
        data = _local_data(
            order, path, replace_surrogates(str(order.path or _BUNDLED_ADDRESS)), not database.exists(), progress
        )
    else:
        by_hand = (
            f"download {order.url or source.by_hand} and run: ccgrid import {source.name} FILE; "
            "the bundled cards need no network: ccgrid import starter"
        )
        client = stack.enter_context(Client(by_hand))
        edition = source.latest(client, address, order.bulk)
        # Compare the version before downloading: it may be the one that was imported last.
        offered = LocalData({}, edition.address, edition.version or None)
        if layout is not None and (known := _up_to_date(order, database, _origin(order, layout, offered))):
            return known
        data = download(client, source.name, edition, lambda done, total: progress("Downloading", done, total))
    try:
        summary = _read(order, data, layout, database, stack, progress, waiting)
    except CatalogError:
        data.discard()
        raise
    # Far fewer cards than last time, which `--force` allowed.
    if summary.removed > MOST_LOST * (summary.read + summary.removed):
        data.discard()  # do not use such a file again without a request
    return summary


def _read(
    order: ImportRequest,
    data: LocalData,
    layout: Layout | EvidenceReader | None,
    database: Path,
    stack: ExitStack,
    progress: ByteProgress,
    waiting: Callable[[], None] | None,
) -> ImportSummary:
    module, remarks = order.source.load(), list[str]()
    watch = RowWatch(data.name, lambda done, total: progress("Reading", done, total))
    if isinstance(module, TreeModule):
        # Before the layout, which may depend on the data.
        tree = stack.enter_context(data.tree(watch.report))
        check_reader(order.source, tree, str(order.path))
        layout = layout or order.source.recognise(tree)
    assert layout is not None  # noqa: S101  sources of a single file have a layout
    origin = _origin(order, layout, data)
    if known := _up_to_date(order, database, origin):
        return known

    def import_into(store: Store) -> ImportSummary:
        if isinstance(module, TreeModule) and isinstance(layout, Layout):
            rows = module.read_tree(tree, layout, _warning_collector(remarks))
        else:
            rows = _rows_of_single_file(order, module, layout, data, watch.report)
        # The row reader reports progress by the bytes read.
        watched = watch.rows(rows)
        if data.announced:
            watched = _check_announced(watched, data, data.announced)
        return _import(order, store, watched, layout, origin, waiting)

    summary = work_on(database, import_into)
    summary.remarks = remarks
    return summary


def _local_data(order: ImportRequest, path: Path, address: str, is_first: bool, progress: ByteProgress) -> LocalData:
    """Return a local file or folder with its size and hash; a first import of a file computes the hash meanwhile."""
    if is_first and path.is_file() and isinstance(order.source.load(), FileModule):
        return LocalData(path, address, size=path.stat().st_size, hashed=hashlib.sha256())
    return measure(path, address, lambda done, total: progress("Comparing", done, total))


def _check_announced(rows: Iterator[SourceRow], data: LocalData, announced: int) -> Iterator[SourceRow]:
    """Yield the rows.

    Raises:
        CatalogError: After the last row, if there are far fewer than the source announced.
    """
    count = 0
    for row in rows:
        count += 1
        yield row
    # Within the unit of work, so that raising rolls everything back.
    if count < announced * (1 - MOST_LOST):
        raise FileFormatError(
            f"{counted(count, 'card')} came, but {announced} were announced; nothing changed. Try again later.",
            file=data.address,
        )


def _rows_of_single_file(
    order: ImportRequest,
    module: SourceModule,
    layout: Layout | EvidenceReader,
    data: LocalData,
    report: Report | None = None,
) -> Iterator[SourceRow]:
    """Yield the rows of a source whose data are one file."""
    if not isinstance(module, FileModule) or not isinstance(data.paths, Path):
        raise UsageError(f"{order.source.name} is read from one file: name it.")
    with open_data(data.paths, report, seen=data.hashed.update if data.hashed else None) as stream:
        yield from module.read(stream, data.paths.name, layout)


def _warning_collector(remarks: list[str]) -> Callable[[str], None]:
    """Return a function that collects different warnings up to a limit."""

    def warn(text: str) -> None:
        if text not in remarks and len(remarks) < _MOST_REMARKS:
            remarks.append(text)

    return warn


def import_bundled(order: ImportRequest, store: Store) -> ImportSummary:
    """Import the bundled file of a source, or the file that the order names, into an open catalogue."""
    with ExitStack() as stack:
        path = order.path or stack.enter_context(_starter_file())
        layout = _layout(order)
        if layout is None:
            raise FileFormatError("a layout must be named.", file=order.source.title)
        data = LocalData(path, str(path))
        rows = _rows_of_single_file(order, order.source.load(), layout, data)
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
        is_secondary=order.source.layout is None,
        number_versions=isinstance(order.source.load(), TreeModule),
        waiting=waiting,
        dry_run=order.dry_run,
    )


def _starter_file() -> AbstractContextManager[Path]:
    return resources.as_file(resources.files("ccgrid.data") / STARTER_FILE)


def reading_of(source: Source, layout: Layout | EvidenceReader) -> str:
    """Return a fingerprint of how a layout reads a source. If it changes, the next import reads the data again."""
    return f"{RULES}.{source.load().READER}.{layout.fingerprint()}"


def _origin(order: ImportRequest, layout: Layout | EvidenceReader, data: LocalData) -> Provenance:
    """Return the origin of the cards, with a fingerprint of their reading."""
    reader = reading_of(order.source, layout)
    key = order.source.key(layout.game) if isinstance(layout, Layout) else order.source.name
    return Provenance(
        key, data.address, reader, data.version, data.sha256, data.size, data.hashed.hexdigest if data.hashed else None
    )


def _layout(order: ImportRequest) -> Layout | EvidenceReader | None:
    """Return the layout that reads the data, or None if the data determine it."""
    if order.source.layout is None:
        if order.layout is not None:
            raise UsageError(f"The cards of {order.source.name} need no layout: leave --layout out.")
        return EvidenceReader()
    if order.layout is not None:
        return choose_layout(order.layout)
    return None if order.source.layout == LAYOUT_FROM_DATA else find_layout(order.source.layout)


def _up_to_date(order: ImportRequest, database: Path, origin: Provenance) -> ImportSummary | None:
    """Return the summary if the catalogue already contains the data, or None if they must be imported."""
    if not database.exists():
        return None
    with Store(database) as store:
        found = last_import(store, origin.source)
        if found is None:
            return None
        last, cards = found
        # Compare the source's version, if it has one, or else the bytes.
        same_edition = origin.version is not None and (origin.version, origin.address) == (last.version, last.address)
        same_bytes = origin.sha256 is not None and origin.sha256 == last.sha256
        if last.layout != origin.layout or not (same_edition or same_bytes):
            return None
        summary = unchanged_summary(store, origin)
        # Cards beyond those of the last import were kept by `--add`; without it they must be removed now.
        has_others = summary.read > cards and not order.keep_missing
        return summary if summary.read and not has_others else None


def _no_progress(doing: str, done: int, total: int | None) -> None:
    """Ignore progress reports."""
