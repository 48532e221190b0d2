"""Reading pictures of cards: which pictures are meant, what is on each, which card that is, and what becomes of it."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from catalog.card import CatalogError
from catalog.evidence import FACE
from catalog.imports.layout_learning import Sighting
from catalog.layouts.shelf import find_layout, layout_files
from catalog.matching.resolver import Resolver
from catalog.numbers import Slash
from catalog.scan.known import contradictions, recognise
from catalog.scan.result import Scan
from catalog.scan.values import ScannedCard
from catalog.store.catalogue import Store
from catalog.store.lookup import StoreLookup
from ccgrid.services.catalogue import catalogue_path, has_cards

if TYPE_CHECKING:
    from catalog.scan.scanner import Scanner

ENDS: Final = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic", ".heif"))
"""How the names of pictures end that are looked for in folders."""
MISSING: Final = "Reading pictures needs an extra that is not installed. Install it: pip install 'ccgrid[scan]'"
_MOST_INPUT: Final = 300_000_000  # bytes
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Unscanned:
    """A picture that could not be read, and why."""

    file: str
    reason: str


def pictures(named: Sequence[Path]) -> list[Path]:
    """The pictures that are meant, those of a folder by their names.

    Raises CatalogError where a folder has none, and FileNotFoundError where there is no such file.
    """
    found: list[Path] = []
    for path in named:
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix.lower() in ENDS and file.is_file())
            if not inside:
                raise CatalogError(f"{path}: there are no pictures in this folder.")
            found += inside
        else:
            path.stat()
            found.append(path)
    return list(dict.fromkeys(found))


def load_scanner() -> "Scanner":
    """The networks, ready to read; CatalogError where the extra is not installed."""
    try:
        from catalog.scan.scanner import Scanner
    except ModuleNotFoundError as error:
        raise CatalogError(MISSING) from error
    return Scanner()


def nothing(digest: str) -> bool:
    """Leaves out no picture."""
    return False


def scans(
    paths: Sequence[Path],
    database: Path | None,
    *,
    game: str = "",
    grid: bool = False,
    skip: Callable[[str], bool] = nothing,
) -> Iterator[list[Scan] | Unscanned]:
    """What is on each picture, one after the other; the networks are loaded once.

    Pictures whose digest `skip` answers yes to are left out. Raises CatalogError where the extra is not installed.
    """
    scanner = load_scanner()
    slash = known_slash(game)
    with ExitStack() as open_until_done:
        store = open_until_done.enter_context(Store(catalogue_path(database))) if has_cards(database) else None
        matcher = Resolver(StoreLookup(store), games=(game,) if game else ()) if store is not None else None
        for path in paths:
            try:
                content = _content(path)
                digest = hashlib.sha256(content).hexdigest()
                if skip(digest):
                    continue
                read = _read(scanner, content, path.name, grid=grid, slash=slash)
            except (CatalogError, OSError) as error:
                said = error.strerror or str(error) if isinstance(error, OSError) else str(error)
                yield Unscanned(str(path), said)
                continue
            yield [_recognised(Scan(str(path), digest, card, game), matcher, store) for card in read]


def sighting(scan: Scan) -> Sighting:
    """What a scanned card shows, for learning where the fields of its data are printed."""
    zones: dict[str, list[int]] = {}
    for number in scan.read.numbers:
        if number.zone != FACE:
            zones.setdefault(number.zone, []).append(abs(number.value))
    return Sighting((scan.name, *scan.read.names[:8]), zones)


def known_slash(game: str) -> Slash | None:
    """How a game prints a/b by its layout; None where there is none."""
    if game not in layout_files():
        return None
    return next((line.slash for line in find_layout(game).printed), None)


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        content = _read_whole(file)
    if len(content) > _MOST_INPUT:
        raise CatalogError(f"it has more than {_MOST_INPUT:,} bytes.")
    return content


def _read_whole(file: BinaryIO) -> bytes:
    """All bytes of a file, or one more than may be: what is no plain file has no size beforehand, and perhaps no end.

    It is read in pieces, since room for a whole one is taken before the first byte is there.
    """
    pieces: list[bytes] = []
    left = _MOST_INPUT + 1
    while left and (piece := file.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _read(scanner: "Scanner", content: bytes, name: str, *, grid: bool, slash: Slash | None) -> list[ScannedCard]:
    from catalog.scan.pictures import open_picture

    return scanner.scan(open_picture(BytesIO(content), name), grid=grid, slash=slash)


def _recognised(scan: Scan, matcher: Resolver | None, store: Store | None) -> Scan:
    """The same with the card of the catalogue that it is, where that is sure."""
    if matcher is None or store is None:
        return scan
    known = recognise(scan.read, matcher, scan.read.names)
    if known is None or not known.sure:
        return Scan(scan.file, scan.digest, scan.read, scan.game, known)
    card = store.cards([known.card.id])[0]
    return Scan(scan.file, scan.digest, scan.read, card.game, known, card, tuple(contradictions(scan.read, card)))
