"""Patches: files with numbers from pictures of cards whose data lack them, written and imported."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from ccgrid.catalog.card import HIGHEST, LOWEST
from ccgrid.catalog.checked_file import TomlTable
from ccgrid.catalog.correction import Correction
from ccgrid.catalog.documents import DocumentError, Limits, load_toml, read_text
from ccgrid.catalog.errors import FileFormatError, NotFoundError
from ccgrid.catalog.file_kinds import DAMAGED, FileKind, check_kind
from ccgrid.catalog.scan.comparison import adds_to, lacks_numbers
from ccgrid.catalog.scan.learning import AcceptedCard
from ccgrid.catalog.store import corrections, scans
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.store.recording import change
from ccgrid.catalog.toml_values import toml_value
from ccgrid.catalog.zones import ZONES, Zone
from ccgrid.services.catalogue import catalogue_path, open_catalogue

_FORMAT: Final = 1
_LIMITS: Final = Limits(8 << 20, depth=5, key=200)
_KEYS: Final = ("format", "patch", "card")


class PatchNumber(msgspec.Struct, frozen=True, kw_only=True):
    """A number, and the number of pictures of its card that show it."""

    number: int
    seen: int


class PatchedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card by its id and name, and the numbers that pictures show in its zones."""

    id: str
    name: str
    zones: dict[Zone, list[PatchNumber]]


class Patch(msgspec.Struct, frozen=True, kw_only=True, rename={"game": "patch"}):
    """Numbers of cards of a game that their data lack."""

    game: str
    cards: list[PatchedCard]

    def to_toml(self) -> str:
        """Return the text of the file, with one table per card."""
        lines = [
            f"# Numbers that were read on cards of {self.game}. To take them over: ccgrid import THIS_FILE",
            f"format = {_FORMAT}",
            f"patch = {toml_value(self.game)}",
        ]
        for card in self.cards:
            lines += ["", "[[card]]", f"id = {toml_value(card.id)}", f"name = {toml_value(card.name)}"]
            for zone, numbers in card.zones.items():
                lines.append(f"{zone} = {toml_value([msgspec.structs.asdict(number) for number in numbers])}")
        return "\n".join(lines) + "\n"


class PatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of importing a patch; cards are named by their ids. A card may be corrected and differ.

    Attributes:
        cards: the number of cards in the patch.
        corrected: cards that now have numbers that they lacked.
        unchanged: the number of cards that had all of the numbers.
        barred: the number of corrected cards that may not be in a deck, by reason.
        differ: cards with another number than the patch; theirs stays.
        missing: cards that the catalogue does not have.
    """

    patch: str
    cards: int
    corrected: list[str]
    barred: dict[str, int]
    unchanged: int
    differ: list[str]
    missing: list[str]


def patch_from_pictures(game: str, database: Path | None) -> Patch:
    """Return the numbers on pictures of cards of a game whose data lack them.

    Raises:
        CatalogError: If the catalogue does not have the game.
        NotFoundError: If there are no such numbers.
    """
    with open_catalogue(database) as store:
        store.check_game(game)
        pictures: dict[str, list[AcceptedCard]] = {}
        for one in scans.accepted_scans(store, game):
            pictures.setdefault(one.card_id, []).append(AcceptedCard.of(one.card_id, one.seen))
        corrected = corrections.corrections(store)
        patched = [
            PatchedCard(id=card.id, name=card.name, zones=zones)
            for card in store.cards(sorted(pictures.keys() & corrected.keys()))
            if (zones := dict(_corrected_zones(store.zone_numbers(card.id), corrected[card.id], pictures[card.id])))
        ]
    if not patched:
        what = "No number of {0} was read that its data lack. 'ccgrid scan --game {0}' reads pictures of its cards."
        raise NotFoundError(what.format(game), kind="number", name=game)
    return Patch(game=game, cards=patched)


def _corrected_zones(
    there: Mapping[str, Sequence[int]], correction: Correction, pictures: Sequence[AcceptedCard]
) -> Iterator[tuple[Zone, list[PatchNumber]]]:
    """Yield the corrected zones of a card, if pictures show all of their present numbers."""
    for zone in ZONES:
        if zone in correction.printed and zone in there:
            shown = [Counter(picture.numbers_in(zone)[0]) for picture in pictures]
            again: Counter[int] = Counter()  # the second 3 of a zone needs a picture with two
            numbers = []
            for number in there[zone]:
                again[number] += 1
                seen = sum(times[number] >= again[number] for times in shown)
                numbers.append(PatchNumber(number=number, seen=seen))
            if all(number.seen for number in numbers):
                yield cast("Zone", zone), numbers


def read_patch(path: Path) -> Patch:
    """Return the patch in a file.

    Raises:
        FileFormatError: If the file is not a patch.
        OSError: If it cannot be read.
    """
    try:
        return _patch(load_toml(read_text(path.read_bytes(), _LIMITS), _LIMITS))
    except DocumentError as error:
        raise FileFormatError(f"the patch {error}.", file=path, line=error.line) from None


def _patch(table: TomlTable) -> Patch:
    if table.get("format") != _FORMAT or not isinstance(table.get("patch"), str):
        raise DocumentError(f"has no line 'format = {_FORMAT}' or no line 'patch = \"GAME\"'")
    if unknown := [key for key in table if key not in _KEYS]:
        raise DocumentError(f"has an unknown key {unknown[0]!r}")
    cards = table.get("card", [])
    if not isinstance(cards, list):
        raise DocumentError("has cards that are no [[card]] tables")
    return Patch(game=table["patch"], cards=list(map(_patched_card, cards)))


def _patched_card(fields: Any) -> PatchedCard:
    if not isinstance(fields, dict) or not isinstance(fields.get("id"), str) or not isinstance(fields.get("name"), str):
        raise DocumentError("has a card without id or name")
    if unknown := [key for key in fields if key not in (*ZONES, "id", "name")]:
        raise DocumentError(f"has an unknown key {unknown[0]!r} for {fields['id']!r}")
    zones: dict[Zone, list[PatchNumber]] = {
        cast("Zone", zone): list(_patch_numbers(fields[zone], f"{zone} of {fields['id']!r}"))
        for zone in ZONES
        if zone in fields
    }
    return PatchedCard(id=fields["id"], name=fields["name"], zones=zones)


def _patch_numbers(numbers: Any, where: str) -> Iterator[PatchNumber]:
    """Yield the numbers of a zone."""
    if not isinstance(numbers, list) or not numbers:
        raise DocumentError(f"has no list of {{ number, seen }} in {where}")
    for number in numbers:
        whole = isinstance(number, dict) and set(number) == {"number", "seen"}
        if not whole or not all(type(value) is int for value in number.values()):
            raise DocumentError(f"has no {{ number, seen }} in {where}")
        if not LOWEST <= number["number"] <= HIGHEST or number["seen"] < 1:
            raise DocumentError(f"has a number that cannot be in {where}")
        yield PatchNumber(**number)


def import_patch(path: Path, database: Path | None, waiting: Callable[[], None], *, dry_run: bool) -> PatchReport:
    """Fill in the numbers that cards lack, as one change that can be undone.

    Raises:
        CatalogError: If the file is not a patch, or the catalogue has no card of its game.
    """
    check_kind(path, {FileKind.PATCH} | DAMAGED, FileKind.PATCH.value)
    patch = read_patch(path)
    found, differ, missing = dict[str, Correction](), list[str](), list[str]()
    barred, unchanged = Counter[str](), 0

    def fill(store: Store) -> None:
        nonlocal unchanged
        store.check_game(patch.game)
        cards = {card.id: card for card in store.cards([card.id for card in patch.cards])}
        for one in patch.cards:
            card = cards.get(one.id)
            if card is None or card.game != patch.game:
                missing.append(one.id)
                continue
            there, lacking, differs = store.zone_numbers(card.id), dict[str, str](), False
            for zone, numbers in one.zones.items():
                had, shown = there.get(zone, []), [number.number for number in numbers]
                if not had or (lacks_numbers(card) and adds_to(shown, had)):
                    lacking[zone] = ", ".join(map(str, shown))
                elif sorted(had) != sorted(shown):
                    differs = True
            if lacking:
                found[one.id] = Correction(printed=lacking)
            if differs:
                differ.append(one.id)
            unchanged += not (lacking or differs)
        with change(store, f"import the patch {path.name}", waiting, dry_run=dry_run):
            corrections.correct_all(store, found)
            barred.update(card.reason for card in store.cards(list(found)) if card.reason)

    with open_catalogue(database):  # an error if there is none: do not create one
        pass
    work_on(catalogue_path(database), fill)
    return PatchReport(
        patch=patch.game,
        cards=len(patch.cards),
        corrected=list(found),
        barred=dict(barred),
        unchanged=unchanged,
        differ=differ,
        missing=missing,
    )
