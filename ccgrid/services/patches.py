"""Numbers that pictures show of cards whose data lack them: as a small file, and from one of somebody else."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict, cast

from ccgrid.catalog.card import HIGHEST, LOWEST, ZONES, Card, CatalogError, NothingFoundError, Zone
from ccgrid.catalog.custom_card import Correction
from ccgrid.catalog.decks import toml_value
from ccgrid.catalog.documents import DocumentError, Limits, load_toml, read_text
from ccgrid.catalog.scan.learning import AcceptedCard
from ccgrid.catalog.store import custom_cards
from ccgrid.catalog.store.catalogue import Store, work_on
from ccgrid.catalog.store.journal import change
from ccgrid.services.catalogue import catalogue_path, open_catalogue

ENDING: Final = ".toml"
"""How the name of a patch ends; no source is called so."""
_FORMAT: Final = 1
_LIMITS: Final = Limits(8 << 20, depth=4, key=200)
_KEYS: Final = ("format", "patch", "card")


class PatchNumber(NamedTuple):
    """A number, and on how many pictures of its card it was seen."""

    number: int
    seen: int


class PatchedCard(NamedTuple):
    """A card by its id and name, and what pictures show in its zones."""

    id: str
    name: str
    zones: Mapping[str, PatchNumber]


class PatchNumberJson(TypedDict):
    """A number, and on how many pictures of its card it was seen."""

    number: int
    seen: int


class PatchedCardJson(TypedDict):
    """A card by its id and name, and what pictures show in its zones."""

    id: str
    name: str
    zones: dict[Zone, PatchNumberJson]


class PatchJson(TypedDict):
    """The numbers of cards of a game that their data lack."""

    patch: str
    cards: list[PatchedCardJson]


@dataclass(frozen=True, slots=True)
class Patch:
    """The numbers of cards of a game."""

    game: str
    cards: tuple[PatchedCard, ...] = ()

    def to_dict(self) -> PatchJson:
        """The documented shape of `layout patch --json`."""
        cards: list[PatchedCardJson] = [
            {
                "id": card.id,
                "name": card.name,
                "zones": {
                    cast("Zone", zone): {"number": one.number, "seen": one.seen} for zone, one in card.zones.items()
                },
            }
            for card in self.cards
        ]
        return {"patch": self.game, "cards": cards}

    def to_toml(self) -> str:
        """The text of the file, a card a table."""
        lines = [
            f"# Numbers that were read on cards of {self.game}. To take them over: ccgrid import THIS_FILE",
            f"format = {_FORMAT}",
            f"patch = {toml_value(self.game)}",
        ]
        for card in self.cards:
            lines += ["", "[[card]]", f"id = {toml_value(card.id)}", f"name = {toml_value(card.name)}"]
            lines += [f"{zone} = {toml_value(number._asdict())}" for zone, number in card.zones.items()]
        return "\n".join(lines) + "\n"


class PatchReportJson(TypedDict):
    """What came of a patch: so many cards, and which of them (by id) were changed, or were not, and why.

    Attributes:
        corrected: these have numbers now that they lacked.
        unchanged: these had all of the numbers.
        differ: these have another number where the patch has one; theirs stays.
        missing: the catalogue has no such card.
    """

    patch: str
    cards: int
    corrected: list[str]
    unchanged: int
    differ: list[str]
    missing: list[str]


@dataclass(slots=True)
class PatchReport:
    """What came of a patch, by the ids of cards; a card may have got some numbers and differ in others."""

    patch: str
    cards: int
    corrected: list[str] = field(default_factory=list)
    unchanged: int = 0
    differ: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_dict(self) -> PatchReportJson:
        """The documented shape of `import PATCH --json`."""
        return {
            "patch": self.patch,
            "cards": self.cards,
            "corrected": self.corrected,
            "unchanged": self.unchanged,
            "differ": self.differ,
            "missing": self.missing,
        }


def read_on_pictures(game: str, database: Path | None) -> Patch:
    """What pictures show of cards of a game, where that is not in its data.

    Raises CatalogError where there is no such game, NothingFoundError where nothing was read.
    """
    with open_catalogue(database) as store:
        store.check_game(game)
        seen: dict[str, Counter[tuple[str, int]]] = {}
        for one in custom_cards.accepted_scans(store, game):
            numbers = AcceptedCard.of(one.card_id, one.seen).numbers
            seen.setdefault(one.card_id, Counter()).update(
                (zone, value) for zone, shown in numbers.items() for value, _ in shown if value is not None
            )
        corrections = custom_cards.corrections(store)
        cards = {card.id: card for card in store.cards(sorted(seen.keys() & corrections.keys()))}
    patched = tuple(
        PatchedCard(card_id, card.name, zones)
        for card_id, card in cards.items()
        if (zones := dict(_corrected(card, corrections[card_id], seen[card_id])))
    )
    if not patched:
        raise NothingFoundError(
            f"No number of {game} was read that its data lack. 'ccgrid scan --game {game}' reads pictures of its cards."
        )
    return Patch(game, patched)


def _corrected(
    card: Card, correction: Correction, seen: Mapping[tuple[str, int], int]
) -> Iterator[tuple[str, PatchNumber]]:
    """The zones of a card that were corrected, as far as pictures show what stands there now."""
    for zone in ZONES:
        if zone in correction.printed and zone in card.zones and (times := seen.get((zone, card.zones[zone]), 0)):
            yield zone, PatchNumber(card.zones[zone], times)


def is_patch(name: str) -> bool:
    """Whether what was named as a source is the file of a patch."""
    return name.lower().endswith(ENDING)


def read_patch(path: Path) -> Patch:
    """The patch in a file; raises CatalogError where it is none, OSError where it cannot be read."""
    try:
        return _patch(load_toml(read_text(path.read_bytes(), _LIMITS), _LIMITS))
    except DocumentError as error:
        where = f", line {error.line}" if error.line else ""
        raise CatalogError(f"{path}{where}: the patch {error}.") from None


def _patch(table: Mapping[str, Any]) -> Patch:
    if table.get("format") != _FORMAT or not isinstance(table.get("patch"), str):
        raise DocumentError(f"has no line 'format = {_FORMAT}' or no line 'patch = \"GAME\"'")
    if unknown := [key for key in table if key not in _KEYS]:
        raise DocumentError(f"has an unknown key {unknown[0]!r}")
    cards = table.get("card", [])
    if not isinstance(cards, list):
        raise DocumentError("has cards that are no [[card]] tables")
    return Patch(table["patch"], tuple(map(_patched, cards)))


def _patched(fields: Any) -> PatchedCard:
    if not isinstance(fields, dict) or not isinstance(fields.get("id"), str) or not isinstance(fields.get("name"), str):
        raise DocumentError("has a card without id or name")
    if unknown := [key for key in fields if key not in (*ZONES, "id", "name")]:
        raise DocumentError(f"has an unknown key {unknown[0]!r} for {fields['id']!r}")
    zones = {}
    for zone in ZONES:
        if zone in fields:
            number = fields[zone]
            whole = isinstance(number, dict) and set(number) == {"number", "seen"}
            if not whole or not all(type(value) is int for value in number.values()):
                raise DocumentError(f"has no {{ number, seen }} in {zone} of {fields['id']!r}")
            if not LOWEST <= number["number"] <= HIGHEST or number["seen"] < 1:
                raise DocumentError(f"has a number that cannot be in {zone} of {fields['id']!r}")
            zones[zone] = PatchNumber(**number)
    return PatchedCard(fields["id"], fields["name"], zones)


def bring_in(path: Path, database: Path | None, waiting: Callable[[], None], *, dry_run: bool = False) -> PatchReport:
    """Fills in the numbers that cards lack, as one change that can be undone.

    Raises CatalogError where the file is no patch, or the catalogue has no card of its game.
    """
    patch = read_patch(path)
    report = PatchReport(patch.game, len(patch.cards))

    def fill(store: Store) -> None:
        store.check_game(patch.game)
        there = {card.id: card for card in store.cards([card.id for card in patch.cards])}
        corrections = {}
        for one in patch.cards:
            card = there.get(one.id)
            if card is None or card.game != patch.game:
                report.missing.append(one.id)
                continue
            barred = card.reason or ""
            taken = {zone for zone in one.zones if zone in card.zones or barred == f"multiple-numbers:{zone}"}
            if any(card.zones.get(zone) != one.zones[zone].number for zone in taken):
                report.differ.append(one.id)
            if lacking := {zone: str(n.number) for zone, n in one.zones.items() if zone not in taken}:
                report.corrected.append(one.id)
                corrections[one.id] = Correction(printed=lacking)
            elif one.id not in report.differ[-1:]:
                report.unchanged += 1
        with change(store, f"import the patch {path.name}", waiting, dry_run=dry_run):
            custom_cards.correct_all(store, corrections)

    with open_catalogue(database):  # where there is none yet, none is made
        pass
    work_on(catalogue_path(database), fill)
    return report
