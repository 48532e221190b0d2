"""Queue of photographs to scan, and of cards on them that wait for the user, saved after every step.

Next to each photograph is a file with its state. Both are deleted as soon as every card on it is settled. Untrusted
pictures are read in a worker process with limits, so that they cannot harm the server.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Timer
from typing import Final, NamedTuple

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_ids import card_game
from ccgrid.catalog.correction import correction_between
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.files import make_folder, write_atomically
from ccgrid.catalog.formatting import amount
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.scan.result import Scan, compared
from ccgrid.catalog.scan.values import Picture, ScannedCard
from ccgrid.catalog.store.holdings import CopyKey
from ccgrid.services import scanning
from ccgrid.services.accepted_scans import AcceptedCards, SavedScan, keep
from ccgrid.services.card_pictures import keep_picture, picture_name
from ccgrid.services.catalogue import open_existing
from ccgrid.services.numbered_files import next_number, remove_numbered
from ccgrid.services.versions import first_version

PICTURE_SECONDS: Final = 180.0
"""The time limit for one picture."""
_MEMORY: Final = 6 << 30
"""The most bytes that the worker process may map."""
_LONGEST_ANSWER: Final = 32 << 20
"""The most bytes of its answer for a picture."""
# -P: modules in the current folder must not replace ours.
_PROGRAM: Final = (sys.executable, "-P", "-m", "ccgrid.services.scan_queue")


class ReadCard(NamedTuple):
    """A card on a picture: what was read, its image, and the catalogue's card that it is or may be.

    Attributes:
        read: what was read.
        picture: the card cut out, upright, as a JPEG.
        width: its width in pixels.
        height: its height in pixels.
        card_id: the catalogue's card; empty if no line resembles a name.
        is_sure: whether name, number or both exclude all others.
        is_certain: whether it needs no look: it is that card for sure, whose numbers the catalogue has, and its picture
            does not contradict them.
        name: the name of the catalogue's card if it is sure, or else the name that was read.
    """

    read: ScannedCard
    picture: bytes
    width: int
    height: int
    card_id: str = ""
    is_sure: bool = False
    is_certain: bool = False
    name: str = ""


class ReadPicture(NamedTuple):
    """The cards on a picture, or the reason why it could not be read; before that, each card as it is read.

    Attributes:
        cards: all cards, or the one that was read last while others are still to be read.
        reason: why the picture could not be read, or "".
        total: the number of cards on the picture while others are still to be read; 0 at the end.
    """

    cards: list[ReadCard]
    reason: str = ""
    total: int = 0


_answer = msgspec.json.Decoder(ReadPicture)


class PictureReader:
    """Reads sets of pictures in a worker process until it is stopped."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    def read(self, paths: Sequence[Path], game: str, database: Path | None) -> Iterator[ReadPicture]:
        """Yield each card of a picture, and then all its cards; the networks are loaded once.

        A picture that crashes the process or is too slow affects no others. It ends early if it is stopped.
        """
        left = list(paths)
        while left and not self._is_stopped:
            with _start_process(left, game, database) as self._process:
                try:
                    for read in _answers(self._process, len(left)):
                        if self._is_stopped:
                            return
                        if not read.total:
                            left.pop(0)  # before it is yielded: a picture that crashed the process is not retried
                        yield read
                        if read.reason == _BROKEN:
                            break
                finally:
                    self._process.kill()

    def stop(self) -> None:
        """Stop reading, also from another thread."""
        self._is_stopped = True
        if self._process is not None:
            self._process.kill()


def _start_process(paths: Sequence[Path], game: str, database: Path | None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  this program itself, without a shell
        [*_PROGRAM, game, str(database or ""), *map(str, paths)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C stops the server, which stops this process
    )


_BROKEN: Final = (
    f"This picture cannot be read: it is damaged, or takes more than {PICTURE_SECONDS / 60:.0f} minutes or"
    f" {_MEMORY >> 30} gigabytes of memory."
)


def _answers(process: "subprocess.Popen[bytes]", count: int) -> Iterator[ReadPicture]:
    assert process.stdout is not None  # noqa: S101  requested above
    for _ in range(count):
        clock = Timer(PICTURE_SECONDS, process.kill)
        clock.start()
        try:
            while (read := _decode(process.stdout.readline(_LONGEST_ANSWER + 1))).total:
                yield read
        finally:
            clock.cancel()
        yield read


def _decode(line: bytes) -> ReadPicture:
    try:
        return _answer.decode(line)
    except msgspec.DecodeError:
        return ReadPicture([], _BROKEN)


def _main(game: str, database: str, *paths: str) -> None:
    """Read pictures in the limited worker process, and write a line for each card that is read and each picture."""
    _limit_process()
    pictures = [Path(path) for path in paths]

    def write(found: list[Scan] | scanning.Unscanned, total: int = 0) -> None:
        _write_line(msgspec.json.encode(_read_picture(found, total)) + b"\n")

    scans = scanning.scan_pictures(
        pictures, _database(database), game=game, on_card=lambda card, total: write([card], total)
    )
    for found in scans:
        write(found)


def _database(path: str) -> Path | None:
    return Path(path) if path else None


def _limit_process() -> None:
    """Limit the memory of this process and lower its priority, if the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(10)


@lru_cache(1)
def _opened(path: str) -> Picture:
    from ccgrid.catalog.scan.scanner import open_picture

    return open_picture(Path(path), Path(path).name)


def _read_picture(found: list[Scan] | scanning.Unscanned, total: int) -> ReadPicture:
    from ccgrid.catalog.scan.scanner import card_jpeg

    if isinstance(found, scanning.Unscanned):
        return ReadPicture([], found.reason)
    return ReadPicture(
        [
            ReadCard(
                one.read,
                *card_jpeg(_opened(one.file), one.read.corners),
                one.known.card.id if one.known is not None else "",
                is_sure=one.card is not None,
                is_certain=one.sure,
                name=one.read.name if one.card is None else one.card.name,
            )
            for one in found
        ],
        total=total,
    )


def _write_line(line: bytes) -> None:
    while line:  # a pipe may accept only a part
        line = line[os.write(1, line) :]


LARGEST: Final = 32 << 20
"""The most bytes of a photograph."""
MOST: Final = 100
"""The most photographs in the queue."""
_FORMAT: Final = 1
_LONGEST_NAME: Final = 100


class Photograph(msgspec.Struct):
    """A photograph in the queue.

    Attributes:
        number: its number in the queue.
        name: the name of its file on the phone.
        digest: the SHA-256 of its bytes.
        game: the card game, if the user named it.
        is_read: whether it was read, or is unreadable.
        reason: why it cannot be read.
        cards: the cards on it that were read.
        settled: the outcome of each settled card, by its index.
        total: the number of cards on it, or 0 if none was read.
    """

    number: int
    name: str
    digest: str
    game: str = ""
    is_read: bool = False
    reason: str = ""
    cards: list[ReadCard] = []
    settled: dict[int, str] = {}
    total: int = 0
    format: int = _FORMAT

    @property
    def open_places(self) -> list[int]:
        """The indices of the cards that wait for the user."""
        return [place for place in range(len(self.cards)) if place not in self.settled]

    @property
    def certain_places(self) -> list[int]:
        """The indices of the waiting cards that need no look."""
        # The cards of a picture are compared when all of them are read.
        return [place for place in self.open_places if self.is_read and self.cards[place].is_certain]


_photograph = msgspec.json.Decoder(Photograph)


def _scan(photograph: Photograph, card: ReadCard) -> Scan:
    """Return what was read of a card on a photograph; its game may follow from the catalogue's card."""
    game = card.card_id.partition(":")[0] if card.is_sure else photograph.game
    return Scan(photograph.name, photograph.digest, card.read, game)


class ScanQueue:
    """The photographs of a folder, the oldest first; `on_change` is called after every change."""

    def __init__(self, folder: Path, database: Path | None, remark: Callable[[str], object]) -> None:
        """Load the folder's content; `remark` reports unreadable files."""
        self._folder, self._database = folder, database
        self.on_change: Callable[[], object] = lambda: None
        self.version = first_version()
        self._reader = PictureReader()
        self._photographs: dict[int, Photograph] = {}
        for path in sorted(folder.glob("*.json")):
            try:
                photograph = _photograph.decode(path.read_bytes())
            except (OSError, msgspec.MsgspecError) as error:
                remark(f"{path}: {error}")
                continue
            if photograph.format == _FORMAT and self._picture(photograph.number).is_file():
                self._photographs[photograph.number] = photograph
            else:
                remark(f"{path}: it belongs to no photograph, or another version of ccgrid wrote it.")

    def __iter__(self) -> Iterator[Photograph]:
        """Iterate over the photographs, the oldest first."""
        return iter(sorted(self._photographs.values(), key=lambda one: one.number))

    def find(self, number: int) -> Photograph:
        """Return the photograph with a number.

        Raises:
            NotFoundError: If there is none.
        """
        found = self._photographs.get(number)
        if found is None:
            raise NotFoundError("This picture is not in the queue any more.", kind="picture")
        return found

    @property
    def next_card(self) -> tuple[int, int] | None:
        """Photograph and index of the first card that waits for the user; certain cards come last."""
        waiting = [(one.number, place) for one in self for place in one.open_places]
        return min(waiting, key=self.certain_cards.__contains__, default=None)

    @property
    def certain_cards(self) -> list[tuple[int, int]]:
        """Photograph and index of each card that waits for the user and needs no look."""
        return [(one.number, place) for one in self for place in one.certain_places]

    @property
    def is_waiting(self) -> bool:
        """Whether a photograph waits to be read."""
        return any(not one.is_read for one in self._photographs.values())

    def add(self, content: bytes, name: str, game: str) -> Photograph:
        """Add a photograph to the queue, unless it is in it already.

        Raises:
            CatalogError: If it is empty or too large, too many wait, or every card on it was kept before.
            OSError: If the disk has no room.
        """
        if not content:
            raise CatalogError("This picture is empty.")
        if len(content) > LARGEST:
            raise CatalogError(f"This picture has {amount(len(content))}; a picture has at most {amount(LARGEST)}.")
        digest = hashlib.sha256(content).hexdigest()
        same = next((one for one in self if one.digest == digest), None)
        if same is not None:
            return same
        if AcceptedCards(self._database).is_whole(digest):
            raise CatalogError("All cards on this picture are already saved.")
        if len(self._photographs) >= MOST:
            raise CatalogError(f"At most {MOST} pictures can wait. Look at some of them first.")
        number = next_number(self._folder)
        make_folder(self._folder, private=True)
        write_atomically(self._picture(number), content)
        added = Photograph(number, name[-_LONGEST_NAME:], digest, game)
        self._photographs[number] = added
        self._note(added)
        return added

    def read_waiting(self) -> None:
        """Read the waiting photographs, until `stop` is called."""
        waiting = [one for one in self if not one.is_read]
        waiting = [one for one in waiting if one.game == waiting[0].game]
        paths = [self._picture(one.number) for one in waiting]
        reads = self._reader.read(paths, waiting[0].game if waiting else "", self._database)
        place = 0
        for read in reads:
            one = waiting[0]
            if read.total:
                # After a restart a picture is read again, with the cards that were settled before.
                one.total, one.cards[place : place + 1] = read.total, read.cards
                place += 1
                self._notify()
                continue
            waiting.pop(0)
            place = 0
            if self._photographs.get(one.number) is one:  # not dropped meanwhile
                one.cards, one.reason, one.is_read = read.cards, read.reason, True
                self._save(one)

    def stop(self) -> None:
        """Stop reading; unread photographs stay in the queue."""
        self._reader.stop()

    def card(self, number: int, place: int) -> tuple[Scan, tuple[Card, ...]]:
        """Return a card on a photograph, compared with the others, and its possible printings, the likeliest first."""
        photograph = self.find(number)
        if not 0 <= place < len(photograph.cards):
            raise NotFoundError("There is no such card on this picture.", kind="card")
        found = photograph.cards[place]
        scan = _scan(photograph, found)
        printings = self.printings(found.card_id) if found.card_id else ()
        if found.is_sure and printings:
            scan = scan.of_card(printings[0])
        others = [_scan(one, card) for one in self for card in one.cards if card is not found]
        return compared(scan, others), printings

    def printings(self, card_id: str) -> tuple[Card, ...]:
        """Return a card of the catalogue and its other printings; none if it no longer exists."""
        with open_existing(self._database) as store:
            return scanning.printings(store, card_id) if store else ()

    def keep(self, number: int, place: int, entry: CustomCard, card_id: str, copies: int, kind: CopyKey) -> SavedScan:
        """Accept a card: the catalogue's card with this id, or else a new one as entered.

        The user's changes are saved as `accepted_scans.keep` does. If they chose another printing than the matched one,
        their changed numbers apply to the chosen one. The picture of the card is saved with it.

        Raises:
            CatalogError: If it is settled already, or cannot be saved.
        """
        scan, printings = self.card(number, place)
        photograph = self.find(number)
        if place in photograph.settled:
            raise CatalogError("This card is settled.")
        chosen = next((one for one in self._choosable(card_id, printings) if one.id == card_id), None)
        is_guess = scan.card is None and chosen is not None and chosen.id == photograph.cards[place].card_id
        if is_guess and replace(entry, game="") != replace(scan.entry(), game=""):
            chosen = None  # a corrected entry does not confirm the guessed card
        if chosen is not None and chosen != scan.card:
            entry = _with_numbers(replace(scan, card=chosen), entry, scan.entry())
        elif chosen is None and entry.name != scan.entry().name:
            # A typed name may be that of a card which the catalogue has.
            named = scanning.matching_cards(replace(scan, game=entry.game), entry.name, self._database)
            chosen = next((one for one in named if fold(one.name) == fold(entry.name)), None)
            entry = entry if chosen is None else _with_numbers(replace(scan, card=chosen), entry, scan.entry())
        if chosen is None and not (entry.game or photograph.game):
            raise CatalogError("Choose the card game: it is marked in red.")
        entry = replace(entry, game=entry.game or photograph.game)
        scan = replace(scan, card=chosen)
        keep_picture(self._database, picture_name(scan.digest, place), photograph.cards[place].picture)
        total = photograph.total or len(photograph.cards)
        saved = keep(scan, place, total, entry, self._database, lambda: None, copies=copies, kind=kind)
        self._settle(photograph, place, saved.name)
        return saved

    def keep_certain(self, kind: CopyKey) -> list[str]:
        """Accept one copy of each card that needs no look, and return their ids.

        Raises:
            CatalogError: If one cannot be saved; those before it are.
        """
        kept = []
        for number, place in self.certain_cards:
            scan, _ = self.card(number, place)
            if scan.card is not None:  # the catalogue may have lost it since
                kept.append(self.keep(number, place, scan.entry(), scan.card.id, 1, kind).card_id)
        return kept

    def _choosable(self, card_id: str, printings: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return the cards that may be chosen: the printings, or any card if another name was searched."""
        return printings if not card_id or card_id in {one.id for one in printings} else self.printings(card_id)

    def leave_out(self, number: int, place: int) -> None:
        """Settle a card without keeping it."""
        self.card(number, place)
        self._settle(self.find(number), place, "")

    def drop(self, number: int) -> None:
        """Remove a photograph from the queue."""
        self._remove(self.find(number))

    def _settle(self, photograph: Photograph, place: int, what: str) -> None:
        photograph.settled[place] = what
        self._save(photograph)

    def _save(self, photograph: Photograph) -> None:
        """Save a photograph, or remove it if all cards on it are settled."""
        if photograph.is_read and photograph.cards and not photograph.open_places:
            self._remove(photograph)
        else:
            self._note(photograph)

    def _remove(self, photograph: Photograph) -> None:
        del self._photographs[photograph.number]
        remove_numbered(self._note_file(photograph.number), self._picture(photograph.number))
        self._notify()

    def _note(self, photograph: Photograph) -> None:
        write_atomically(self._note_file(photograph.number), msgspec.json.encode(photograph))
        self._notify()

    def _notify(self) -> None:
        self.version += 1
        self.on_change()

    def _picture(self, number: int) -> Path:
        return self._folder / f"{number}.picture"

    def _note_file(self, number: int) -> Path:
        return self._folder / f"{number}.json"


def _with_numbers(chosen: Scan, entry: CustomCard, before: CustomCard) -> CustomCard:
    """Return the chosen card of the catalogue with the numbers that the user changed in an entry."""
    known = chosen.entry()
    printed = {**known.printed, **correction_between(before, entry).printed}
    return replace(known, printed={zone: text for zone, text in printed.items() if text})


def entry_of(fields: Mapping[str, str]) -> CustomCard:
    """Return the card in the fields of a form: game, name, set, number, and a text for each zone as `zone-top`."""
    printed = {name.removeprefix("zone-"): text for name, text in fields.items() if name.startswith("zone-") and text}
    texts = (fields.get(name, "").strip() for name in ("game", "name", "set", "number"))
    game, name, set_code, number = texts
    return CustomCard(card_game(game), name, set_code, number, printed)


if __name__ == "__main__":
    _main(*sys.argv[1:])
