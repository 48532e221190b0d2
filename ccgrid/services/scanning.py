"""Scanning of pictures: their files, the cards on them, and the identification of the cards."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import check_installed
from ccgrid.catalog.file_kinds import FileKind, check_kind
from ccgrid.catalog.layouts.layout_file import find_layout, game_title, layout_files
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.numbers import Slash
from ccgrid.catalog.scan.certainty import is_usual, with_usual_numbers
from ccgrid.catalog.scan.identification import Recognition, identify, with_known_code
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScannedCard, middle_of
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lists import game_names
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.zones import ZONES
from ccgrid.services.catalogue import catalogue_path, has_cards, open_existing
from ccgrid.services.choices import Choices

if TYPE_CHECKING:
    from ccgrid.catalog.scan.scanner import Scanner

ENDS: Final = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic", ".heif", ".avif"))
"""File endings of pictures in folders."""
_MOST_INPUT: Final = 300_000_000  # bytes
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Unscanned:
    """A picture that could not be read, and the reason."""

    file: str
    reason: str


_PICTURES: Final = {FileKind.PICTURE, FileKind.OUR_PICTURE, FileKind.BINARY, FileKind.TEXT}


def pictures(named: Sequence[Path]) -> list[Path]:
    """Return the given pictures, with those of folders by name.

    Raises:
        CatalogError: If a folder has no pictures.
        FileNotFoundError: If a file does not exist.
    """
    found: list[Path] = []
    for path in named:
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix.lower() in ENDS and file.is_file())
            if not inside:
                raise CatalogError(f"{path}: no pictures in this folder.")
            found += inside
        else:
            path.stat()
            check_kind(path, _PICTURES, FileKind.PICTURE.value)
            found.append(path)
    return list(dict.fromkeys(found))


def load_scanner() -> "Scanner":
    """Load the networks.

    Raises:
        CatalogError: If the extra is not installed.
    """
    check_scanning()
    from ccgrid.catalog.scan.scanner import Scanner

    return Scanner()


def check_scanning() -> None:
    """Raise CatalogError if the extra is not installed."""
    check_installed("scan", "Reading pictures")


def card_games(database: Path | None) -> list[tuple[str, str]]:
    """Return names and titles of the card games of the catalogue and of all layouts, by title."""
    with open_existing(database) as store:
        titles = {game: game for game in (game_names(store) if store else ())} | dict(_layout_titles())
    return sorted(titles.items(), key=lambda pair: pair[1].casefold())


@cache
def _layout_titles() -> tuple[tuple[str, str], ...]:
    """Return names and titles of all layouts."""
    return tuple((game, game_title(game) or game) for game in layout_files())


def skip_none(digest: str) -> bool:
    """Skip no picture."""
    return False


def scan_pictures(
    paths: Sequence[Path],
    database: Path | None,
    *,
    game: str = "",
    grid: bool = False,
    skip: Callable[[str], bool] = skip_none,
    on_card: Callable[[Scan, int], object] | None = None,
) -> Iterator[list[Scan] | Unscanned]:
    """Yield the cards on each picture; the networks are loaded once.

    `skip` returns whether to skip a picture's digest; `on_card` gets each card as soon as it is read, and the
    number of cards on its picture.

    Raises:
        CatalogError: If the extra is not installed.
    """
    scanner = load_scanner()
    slash, zones = printed_by(game)
    read = partial(_read, scanner, grid=grid, slash=slash, zones=zones)
    with ExitStack() as open_until_done:
        store = open_until_done.enter_context(Store(catalogue_path(database))) if has_cards(database) else None
        finder = CardFinder(store, game) if store is not None else None

        def scan_picture(path: Path, content: bytes, digest: str) -> list[Scan]:
            def recognised(card: ScannedCard) -> Scan:
                scan = Scan(str(path), digest, card, game)
                return scan if finder is None else finder.recognised(scan)

            report = on_card
            listening = {} if report is None else {"on_card": lambda card, total: report(recognised(card), total)}
            return [*map(recognised, read(content, path.name, **listening))]

        for path in paths:
            try:
                content = _content(path)
                digest = hashlib.sha256(content).hexdigest()
                if skip(digest):
                    continue
                scans = scan_picture(path, content, digest)
            except (CatalogError, OSError) as error:
                said = error.strerror or str(error) if isinstance(error, OSError) else str(error)
                yield Unscanned(str(path), said)
                continue
            yield scans


class CardFinder:
    """Finds the catalogue's cards that scans show, among those of a game, or of all games for ""."""

    def __init__(self, store: Store, game: str) -> None:
        self._store = store
        self._resolver = Resolver(StoreLookup(store), games=(game,) if game else (), prefer_owned=False)
        self._usual = cache(partial(usual_zones, store))

    def likeliest(self, read: ScannedCard) -> Recognition | None:
        """Return the card that was most likely read, or None if no line may be its name."""
        return identify(read, self._resolver, self._card)

    def recognised(self, scan: Scan) -> Scan:
        """Return the scan with the catalogue's card, if its name or its numbers identify it for certain.

        A card whose numbers the catalogue lacks has doubts about the usual zones in which none was read. If all its
        cards are of one game, so is probably a card of an unknown game.
        """
        scan = replace(scan, read=with_known_code(scan.read, self._resolver))
        known = self.likeliest(scan.read)
        if known is not None and known.sure:
            scan = scan.of_card(self._card(known.card.id))
        if scan.needs_numbers:
            game = scan.game or self._resolver.known.only_game
            scan = replace(scan, read=with_usual_numbers(scan.read, self._usual(game)))
        return replace(scan, known=known)

    def _card(self, card_id: str) -> Card:
        return self._store.cards([card_id])[0]


def has_data(database: Path | None, game: str) -> bool:
    """Return whether the catalogue has cards of this game from a source, so that a card is probably among them."""
    with open_existing(database) as store:
        return store is not None and store.has_data(game)


def printed_by(game: str) -> tuple[Slash | None, Collection[str]]:
    """Return what the layout of a game says of its cards: the meaning of a/b, if known, and the zones of numbers."""
    if game not in layout_files():
        return None, ZONES
    printed = find_layout(game).printed
    zones = {line.zone for line in printed} & set(ZONES)
    return (printed[0].slash, zones) if zones else (None, ZONES)


def matching_cards(scan: Scan, name: str, database: Path | None) -> tuple[Card, ...]:
    """Return the printings of the catalogue's card that a scan shows, the likeliest first; none if it has no such card.

    The card is found by a typed name, or if `name` is empty by what was read.
    """
    with open_existing(database) as store:
        if store is None:
            return ()
        typed = replace(scan.read, name=name, names=(name,))
        known = CardFinder(store, scan.game).likeliest(typed) if name else scan.known
        return () if known is None else printings(store, known.card.id)


def printings(store: Store, card_id: str) -> tuple[Card, ...]:
    """Return a card of the catalogue and its other printings; none if it no longer exists."""
    cards = store.cards([card_id])
    others = Choices(None).resolver(store).printings(cards[0]) if cards else ()
    return (*cards, *(one for one in others if one.id != card_id))


def usual_zones(store: Store, game: str) -> dict[str, tuple[float, float]]:
    """Return the middles of the zones in which many cards of a game have a number."""
    cards, counts = store.printed_counts(game)
    return {zone: middle_of(zone) for zone, count in counts.items() if is_usual(count, cards)}


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        content = _read_whole(file)
    if len(content) > _MOST_INPUT:
        raise CatalogError(f"it has more than {_MOST_INPUT:,} bytes.")
    return content


def _read_whole(file: BinaryIO) -> bytes:
    """Read all bytes of a file, or one more than allowed: a pipe or device has no size in advance, and may be endless.

    It is read in pieces, because one large read would allocate all memory first.
    """
    pieces: list[bytes] = []
    left = _MOST_INPUT + 1
    while left and (piece := file.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _read(scanner: "Scanner", content: bytes, name: str, **options: Any) -> list[ScannedCard]:
    from ccgrid.catalog.scan.scanner import open_picture

    return scanner.scan(open_picture(BytesIO(content), name), **options)
