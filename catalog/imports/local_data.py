"""Brings a source's data here, from the disk or the network, and opens them, whether they are one file or many."""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from catalog.allowance import Report
from catalog.card import CatalogError
from catalog.download import Client, cache
from catalog.readers.archives import Files, Tree, open_tree
from catalog.sources.edition import Edition

_PIECE: Final = 1 << 18


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


def measured(path: Path, address: str, report: Report | None = None) -> LocalData:
    """A file or a folder with its size and its SHA-256; one that cannot be read is left to the reader's words.

    What can be read only once, such as a pipe, is left to the reader too. `report` is told the bytes that were
    measured, and of how many.
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
    piece = memoryview(bytearray(_PIECE))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(piece):
            digest.update(piece[:count])
            size += count
            if report is not None:
                report(size, total)
    return digest.hexdigest(), size


def download(client: Client, source: str, edition: Edition, report: Callable[[int, int | None], None]) -> LocalData:
    """Brings an edition into the cache, each of its files once; raises DownloadError where one cannot be had."""
    if not edition.parts:
        fetched = client.fetch(
            edition.address,
            client.cache_path(source, edition.file_name),
            version=edition.version,
            progress=report,
        )
        manifest = fetched.manifest
        return LocalData(
            fetched.path,
            edition.address,
            edition.version or None,
            manifest.sha256,
            manifest.size,
            downloaded=True,
            announced=edition.cards,
        )
    digest, size = hashlib.sha256(), 0
    paths: dict[str, Path] = {}
    for part in edition.parts:
        fetched = client.fetch(
            part.address, client.cache_path(source, edition.file_name, part.name), version=edition.version
        )
        paths[part.name] = fetched.path
        digest.update(f"{part.name} {fetched.manifest.sha256}\n".encode())
        size += fetched.manifest.size
        report(len(paths), len(edition.parts))
    return LocalData(
        paths,
        edition.address,
        edition.version or None,
        digest.hexdigest(),
        size,
        downloaded=True,
        announced=edition.cards,
    )
