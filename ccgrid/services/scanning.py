"""Scanning of pictures: their files, the cards on them, their identification, and saving of accepted cards."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from rapidfuzz import fuzz

from ccgrid.catalog.card import Card
from ccgrid.catalog.correction import correction_between
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.file_kinds import FileKind, check_kind
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.imports.layout_learning import Sighting
from ccgrid.catalog.layouts.layout_file import find_layout, layout_files
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.numbers import Slash
from ccgrid.catalog.scan.comparison import adds_to, contradictions, lacks_numbers, shows_other_numbers
from ccgrid.catalog.scan.identification import Recognition, identify, is_same_number
from ccgrid.catalog.scan.learning import (
    AcceptedCard,
    accepted_card,
    majority,
    match_by_looks,
    places_of,
    read_again,
)
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import NumberPlace, ScannedCard
from ccgrid.catalog.store import scans
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.corrections import correct
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.store.custom_cards import add_card, change_card, entered_card, is_entered
from ccgrid.catalog.store.holdings import CopyKey
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.store.recording import change
from ccgrid.catalog.zones import FACE
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.errors import harmless, quoted
from ccgrid.engine.game import check_seats
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.real_cards import LaidOut
from ccgrid.engine.records.record import Record
from ccgrid.services.catalogue import catalogue_path, has_cards
from ccgrid.services.collection import own_card
from ccgrid.services.real_records import with_decks

if TYPE_CHECKING:
    from ccgrid.catalog.scan.scanner import Scanner

ENDS: Final = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic", ".heif"))
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
    try:
        from ccgrid.catalog.scan.scanner import Scanner
    except ModuleNotFoundError as error:
        raise CatalogError(f"Reading pictures needs an extra. Install it: {install_command('scan')}") from error
    return Scanner()


def check_scanning() -> None:
    """Raise CatalogError if the extra is not installed."""
    if find_spec("rapidocr") is None:
        raise CatalogError(f"Reading pictures needs an extra. Install it: {install_command('scan')}")


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
) -> Iterator[list[Scan] | Unscanned]:
    """Yield the cards on each picture; the networks are loaded once. `skip` returns whether to skip a picture's digest.

    Raises:
        CatalogError: If the extra is not installed.
    """
    scanner = load_scanner()
    slash = known_slash(game)
    with ExitStack() as open_until_done:
        store = open_until_done.enter_context(Store(catalogue_path(database))) if has_cards(database) else None
        lookup = StoreLookup(store) if store is not None else None
        matcher = Resolver(lookup, games=(game,) if game else (), as_owned=False) if lookup is not None else None
        for path in paths:
            try:
                content = _content(path)
                digest = hashlib.sha256(content).hexdigest()
                if skip(digest):
                    continue
                # Reload for each picture, to learn from cards of the previous one.
                accepted = accepted_cards(database, game)
                places = places_of(accepted) if game else ()
                read = _read(scanner, content, path.name, grid=grid, slash=slash, places=places)
            except (CatalogError, OSError) as error:
                said = error.strerror or str(error) if isinstance(error, OSError) else str(error)
                yield Unscanned(str(path), said)
                continue
            if game:
                read = [read_again(card, accepted, slash) for card in read]
            yield [_recognise(Scan(str(path), digest, card, game), matcher, store, accepted) for card in read]


def accepted_cards(database: Path | None, game: str = "") -> list[AcceptedCard]:
    """Return the scans of accepted cards, of a game or of all; the last accepted first."""
    if not catalogue_path(database).exists():
        return []
    with Store(catalogue_path(database)) as store:
        return [AcceptedCard.of(one.card_id, one.seen) for one in scans.accepted_scans(store, game)]


def has_data(database: Path | None, game: str) -> bool:
    """Return whether the catalogue has cards of this game from a source, so that a card is probably among them."""
    if not catalogue_path(database).exists():
        return False
    with Store(catalogue_path(database)) as store:
        return store.has_data(game)


def sighting(scan: Scan) -> Sighting:
    """Return a scanned card's names and numbers, to learn where the fields of its data are printed."""
    zones: dict[str, list[int]] = {}
    for number in scan.read.numbers:
        if number.zone != FACE:
            zones.setdefault(number.zone, []).append(abs(number.value))
    return Sighting((scan.name, *scan.read.names[:8]), zones)


def known_slash(game: str) -> Slash | None:
    """Return the meaning of a/b in a game's layout, or None if it has none."""
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
    """Read all bytes of a file, or one more than allowed: a pipe or device has no size in advance, and may be endless.

    It is read in pieces, because one large read would allocate all memory first.
    """
    pieces: list[bytes] = []
    left = _MOST_INPUT + 1
    while left and (piece := file.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _read(
    scanner: "Scanner",
    content: bytes,
    name: str,
    *,
    grid: bool,
    slash: Slash | None,
    places: Sequence[NumberPlace],
) -> list[ScannedCard]:
    from ccgrid.catalog.scan.scanner import open_picture

    return scanner.scan(open_picture(BytesIO(content), name), grid=grid, slash=slash, places=places)


def _recognise(
    scan: Scan, matcher: Resolver | None, store: Store | None, accepted: Sequence[AcceptedCard] = ()
) -> Scan:
    """Return the scan with the catalogue's card, if its name, its numbers or its appearance identify it for certain."""
    if matcher is None or store is None:
        return scan
    known = identify(scan.read, matcher, lambda card_id: store.cards([card_id])[0])
    if known is None or not known.sure:
        known = _by_looks(scan.read, StoreLookup(store), store, accepted) or known
    if known is None or not known.sure:
        return Scan(scan.file, scan.digest, scan.read, scan.game, known)
    card = store.cards([known.card.id])[0]
    return Scan(scan.file, scan.digest, scan.read, card.game, known, card, tuple(contradictions(scan.read, card)))


def _by_looks(
    read: ScannedCard, lookup: StoreLookup, store: Store, accepted: Sequence[AcceptedCard]
) -> Recognition | None:
    """Return the accepted card of the same appearance, or None if certain readings contradict it."""
    card_id = match_by_looks(read, accepted)
    candidate = lookup.card(card_id) if card_id else None
    if candidate is None:
        return None
    card = store.cards([candidate.id])[0]
    if candidate.number and read.collector and not is_same_number(candidate.number, read.collector):
        return None
    if not lacks_numbers(card) and shows_other_numbers(read, card):
        return None
    return Recognition(candidate, True, "")


ENTERED: Final = "entered"
OWNED: Final = "owned"
KNOWN: Final = "known"
CORRECTED: Final = "corrected"


class MatchedScan:
    """The cards on pictures that were accepted, so that a folder can be continued later.

    A picture is identified by its content, so that it may be renamed.
    """

    def __init__(self, database: Path | None) -> None:
        """Read the accepted cards of a catalogue.

        Raises:
            CatalogError: If the catalogue cannot be read.
        """
        self._path = catalogue_path(database)
        self._accepted = set[tuple[str, int]]()
        if self._path.exists():
            with Store(self._path) as store:
                self._accepted = scans.accepted_keys(store)

    def has(self, digest: str, place: int) -> bool:
        """Return whether the card at this index on a picture is settled."""
        return scans.scan_key(digest, place) in self._accepted

    def add(self, digest: str, place: int) -> None:
        """Note a card that `keep` saved."""
        self._accepted.add(scans.scan_key(digest, place))

    def is_whole(self, digest: str) -> bool:
        """Return whether every card on a picture is settled, so that it need not be read again."""
        return self.has(digest, scans.WHOLE)


@dataclass(frozen=True, slots=True)
class SavedScan:
    """The outcome of a card: `entered`, `owned`, `corrected` or `known` (the catalogue has it; nothing to do).

    `reason` says why it is not legal, or None if it is.
    """

    what: str
    card_id: str
    name: str
    reason: str | None = None


def keep(
    scan: Scan,
    position: int,
    cards: int,
    entry: CustomCard,
    database: Path | None,
    waiting: Callable[[], None],
    *,
    copies: int,
    kind: CopyKey,
    by_person: bool = True,
) -> SavedScan:
    """Save an accepted card in one undoable change: enter it if it is new, and add copies to the collection.

    A card of the catalogue is not entered again, unless the user changed its name; changed numbers become corrections.
    If
    nobody looked at it and its data lack numbers, it gets those on which its copies agree. The card is settled at its
    position on the picture, and its scan is stored, so that later readings learn from it.

    Raises:
        CatalogError: If it cannot be saved.
    """
    seen = accepted_card(scan.read, entry, by_person=by_person)

    def accept(store: Store) -> SavedScan:
        nonlocal entry
        with change(store, f"accept {entry.name} on {scan.file}", waiting):
            known = scan.catalogued()
            if scan.card is not None and known is not None and not by_person:
                entry = _with_agreed_numbers(store, scan.card, known, seen)
            if scan.card is not None and known is not None and entry == known:
                card_id, name, what = scan.card.id, scan.card.name, KNOWN
            elif scan.card is not None and known is not None and (entry.game, entry.name) == (known.game, known.name):
                card_id, name, what = _correct(store, scan.card, known, entry), scan.card.name, CORRECTED
            else:
                new = add_card(store, entry)
                card_id, name, what = new.id, new.name, ENTERED
            if copies:
                own_card(store, card_id, copies, kind)
                what = OWNED
            scans.accept(store, scan.digest, position, cards, card_id, seen.to_dict())
            (card,) = store.cards([card_id])
        return SavedScan(what, card_id, name, card.reason)

    return work_on(catalogue_path(database), accept)


def _with_agreed_numbers(store: Store, card: Card, known: CustomCard, seen: AcceptedCard) -> CustomCard:
    """Return a card whose data lack numbers with those on which its accepted copies agree; others unchanged."""
    if not lacks_numbers(card):
        return known
    before = [AcceptedCard.of(one.card_id, one.seen) for one in scans.accepted_scans(store, card_id=card.id)]
    there = store.zone_numbers(card.id)
    agreed = majority([seen, *before]).items()
    numbers = {zone: ", ".join(map(str, shown)) for zone, shown in agreed if adds_to(shown, there.get(zone, ()))}
    return replace(known, printed={**known.printed, **numbers})


def _correct(store: Store, card: Card, before: CustomCard, entry: CustomCard) -> str:
    """Save the user's changes of a catalogue card, and return its id."""
    if is_entered(store, card.id):
        own = entered_card(store, card.id)
        change_card(store, own, card.id, replace(own, printed=entry.printed, collector_number=entry.collector_number))
    else:
        correct(store, card.id, correction_between(before, entry))
    return card.id


GAME: Final = GAMES.having("laid_out")[0]
"""The game whose position is read."""

_NAMED: Final = 75.0
"""The lowest similarity, of 100, of a name to that of a card of the deck."""

_NUMBERS: Final = 0.5
"""The weight of agreeing numbers relative to the name."""

_TRIED: Final = 8
"""The number of lines of a card that are tried as its name."""


class OnGrid(NamedTuple):
    """A card on the grid: its scan, and the user's entry."""

    scan: Scan
    entry: CustomCard

    @property
    def card(self) -> Card:
        """The catalogue's card if the entry is unchanged, else what was read or typed."""
        if self.scan.card is not None and self.entry == self.scan.catalogued():
            return self.scan.card
        return self.entry.card()

    @property
    def names(self) -> tuple[str, ...]:
        """Its possible names, likeliest first."""
        if self.entry.name != self.scan.name:
            return (self.entry.name,)  # typed by the user
        return (self.entry.name, *self.scan.read.names[:_TRIED])


def cell_of(scan: Scan) -> str:
    """Return the cell of the grid of a scan, such as a1; the first cell without one."""
    return _laid_out().cells[scan.read.cell or 0]


def _laid_out() -> LaidOut:
    laid_out: LaidOut = find_game(GAME).part("laid_out")
    return laid_out


def position(cards: Sequence[OnGrid], players: Sequence[str], first: str | None, deck: Sequence[Card]) -> Record:
    """Return the record of a game in this position without captured cards; `deck` is empty if unknown.

    The cards of a deck that are not on the grid are its draw pile.

    Raises:
        CatalogError: If there are not nine cards, one has no number in any zone, or matches no single card of the deck.
        EngineError: If the number of players or the size of the deck is wrong.
    """
    laid_out = _laid_out()
    if len(cards) != len(laid_out.cells):
        raise CatalogError(
            f"There {'is' if len(cards) == 1 else 'are'} {counted(len(cards), 'card')} on the "
            f"picture; a position needs all {len(laid_out.cells)}."
        )
    check_seats(find_game(GAME), players)
    if first is not None and first not in players:
        raise CatalogError(f"{first} does not play; --first is one of: {', '.join(players)}.")
    labelled = label([zone_card(card) for card in deck])
    found = _of_deck(cards, labelled, laid_out.cells) if deck else [zone_card(one.card) for one in cards]
    for cell, card in zip(laid_out.cells, found, strict=True):
        if not card.zones:
            raise CatalogError(
                f"{cell}: no number was read at the edges of "
                f"{quoted(harmless(card.name)) if card.name else 'the card'}."
                " Correct it at a terminal, or name the deck with --deck FILE."
            )
    setup = laid_out.setup(tuple(players), players.index(first) if first else 0, label(found))
    record = Record(setup, date=date.today())
    return with_decks(record, [deck]) if deck else record


def _of_deck(cards: Sequence[OnGrid], deck: Sequence[Card], cells: Sequence[str]) -> list[Card]:
    """Return the card of the deck on each cell: the most similar pairs first, each card once."""
    pairs = sorted(
        ((_likeness(one, card), cell, place) for cell, one in enumerate(cards) for place, card in enumerate(deck)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    taken: dict[int, int] = {}
    for likeness, cell, place in pairs:
        if likeness >= _NAMED and cell not in taken and place not in taken.values():
            taken[cell] = place
    for cell, one in enumerate(cards):
        if cell not in taken:
            called = quoted(harmless(one.entry.name)) if one.entry.name else "the card without a name"
            raise CatalogError(
                f"{cells[cell]}: {called} matches no single card of the deck. Press n at a terminal to change its "
                f"name, or take a sharper picture."
            )
    return [deck[taken[cell]] for cell in range(len(cards))]


def _likeness(one: OnGrid, card: Card) -> float:
    """Return the similarity of a card on the grid to one of the deck: 75 to 150 by name and numbers, or 0."""
    name = max((fuzz.ratio(fold(text), fold(card.name)) for text in one.names if fold(text)), default=0.0)
    mine, its = set(one.card.zones.items()), set(card.zones.items())
    agree = 100 * len(mine & its) / max(1, len(mine | its))
    return name + _NUMBERS * agree if name >= _NAMED else 0.0
