"""Newer exports of the same collection: recognised by their rows, shown as a difference, applied as one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, Literal, NamedTuple

import msgspec

from ccgrid.catalog.collection.formats.format import EVERYTHING
from ccgrid.catalog.details import merge_details, split_for_trade
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.store.cells import cell_list
from ccgrid.catalog.store.collection_files import Doubt, FileRow, ImportedFile
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey, key_of


def identity(row: Row) -> int:
    """Return a stable 64-bit hash of a row's name, set, number and ids.

    >>> identity(Row(1, "1 Ant", (), "Ant")) == identity(Row(9, "4 Ant", (), "Ant")) != identity(Row(1, "", (), "Bee"))
    True
    """
    fields: tuple[str, ...] = (row.name, row.set_code, row.set_name, row.number)
    if row.ids:
        fields += tuple(f"{kind}:{value}" for kind, value in row.ids)
    # Not `hash`, which differs from process to process: this is stored, in the 64 bits of SQLite's integers.
    # Lone surrogates, which damaged files have, cannot be encoded otherwise. Signed, as SQLite's integers are.
    digest = blake2b("\0".join(fields).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def rows_of(row: Row, card: Candidate | None, place: Place) -> list[FileRow]:
    """Return the copies that a row adds, with an entry for each kind; `place` applies if the row names none."""
    language = row.language or (card.lang if card is not None else "en")
    where = row.place if any(row.place) else place
    own, card_id = identity(row), None if card is None else card.id
    # Some copies may be for trade: then each finish becomes two entries, those for trade and the others.
    return [
        FileRow(row.line, own, card_id, some, finish, row.condition, language, *where, row.note, details)
        for finish, copies in row.amounts
        for details, some in split_for_trade(row.details, copies)
    ]


def key_of_row(row: FileRow) -> CopyKey:
    """Return the kind of the copies in a row."""
    return CopyKey(row.finish, row.condition, row.language, Place(row.box, row.row, row.slot), row.note, row.details)


def row_json(row: Row, place: Place) -> str:
    """Return a parsed row as JSON, to be matched again; `place` applies if the row names none."""
    # Without `raw`, which the doubt has in a column of its own.
    return msgspec.json.encode(row._replace(place=row.place if any(row.place) else place, raw="")).decode()


def row_of(doubt: Doubt) -> Row:
    """Return the parsed row of an uncertain match."""
    # In the order of the fields of Row.
    line, _, amounts, name, set_code, set_name, number, ids, condition, language, place, _, *more = cell_list(
        doubt.written
    )
    row = Row(
        line,
        doubt.raw,
        tuple((finish, copies) for finish, copies in amounts),
        name,
        set_code,
        set_name,
        number,
        tuple((kind, value) for kind, value in ids),
        condition,
        language,
        Place(*place),
        doubt.id,
        *more,
    )
    # JSON knows no tuples.
    return row._replace(more=tuple(row.more))


def take(collection: CollectionStore, card_id: str, kind: CopyKey, copies: int, *, release: bool = False) -> int:
    """Remove copies of a kind, from their own place first, then from where they may have been moved.

    With `release` copies that are checked out in decks are removed as well, and replaced there by other copies.

    Returns:
        The number of removed copies.
    """
    candidates = [
        holding
        for holding in collection.of_cards([card_id])
        # A row that names no language may have been added in that of the card, so any language will do.
        if (holding.finish, holding.condition) == kind[:2] and kind.language in ("", holding.language)
    ]
    left = copies

    # False sorts before True, and the note weighs most: copies with another note are taken last.
    def otherwise(holding: Holding) -> tuple[bool, ...]:
        return holding.note != kind.note, holding.details != kind.details, holding.place != kind.place

    # The very copies first, then those in another place, with other details, and last with another note.
    for holding in sorted(candidates, key=otherwise):
        taken = min(left, holding.copies if release else holding.copies - holding.out)
        if taken > 0:
            if release:
                collection.release(holding, taken)
            collection.take(holding, taken)
            left -= taken
    return copies - left


Copies = Counter[tuple[str, CopyKey]]
"""How many copies there are of a card, by its id, of each kind."""

Rarities = dict[tuple[str, CopyKey], str]
"""What a file calls the rarity of copies of a card, of each kind, where it says."""

_FEWEST_SHARED: Final = 2
"""A single card is in many files by chance."""


ChangeWord = Literal["added", "removed", "changed"]


class CopyKind(msgspec.Struct, frozen=True, kw_only=True):
    """The kind and the location of copies; unknown parts are empty."""

    finish: str
    condition: str
    language: str
    box: str
    row: str
    slot: str

    @classmethod
    def of(cls, key: CopyKey | None) -> "CopyKind | None":
        """Build the answer of a kind, or None if there is none."""
        if key is None:
            return None
        return cls(finish=key.finish, condition=key.condition, language=key.language, **key.place._asdict())


class ReportedChange(msgspec.Struct, frozen=True, kw_only=True):
    """Copies that a newer file has more, no more, or otherwise: their kind `before` and `now`, null for none."""

    what: ChangeWord
    id: str
    name: str
    copies: int
    before: CopyKind | None
    now: CopyKind | None


class ReplacedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is replaced, and when it was imported."""

    file: str
    imported: str


class ReportedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """What a file changes in what it replaces; `gone` counts copies that were no longer there."""

    files: list[ReplacedFile]
    added: int
    removed: int
    changed: int
    gone: int
    changes: list[ReportedChange]


class CopyChange(NamedTuple):
    """Copies of one card that a newer export has more, has no more, or has as another kind or in another place."""

    what: ChangeWord
    card_id: str
    name: str
    copies: int
    before: CopyKey | None
    now: CopyKey | None

    def answer(self) -> ReportedChange:
        """Return the change as the report of an import has it."""
        return ReportedChange(
            what=self.what,
            id=self.card_id,
            name=self.name,
            copies=self.copies,
            before=CopyKind.of(self.before),
            now=CopyKind.of(self.now),
        )


@dataclass(slots=True)
class Difference:
    """What changes in the collection where a file replaces earlier ones.

    `files` are the earlier files that it repeats; without them it is compared with a box or the whole collection.
    """

    files: Sequence[ImportedFile]
    changes: list[CopyChange] = field(default_factory=list)
    gone: int = 0
    """Copies that were to be removed, and were no longer there."""

    def copies(self, what: str) -> int:
        """Return the number of copies that were added, removed or changed."""
        return sum(change.copies for change in self.changes if change.what == what)

    def takes_away(self) -> bool:
        """Return whether any copies are removed or changed."""
        return any(change.before is not None for change in self.changes)

    def answer(self) -> ReportedDifference:
        """Return the difference as the report of an import has it."""
        return ReportedDifference(
            files=[ReplacedFile(file=one.name, imported=one.imported) for one in self.files],
            added=self.copies("added"),
            removed=self.copies("removed"),
            changed=self.copies("changed"),
            gone=self.gone,
            changes=[change.answer() for change in self.changes],
        )


def earlier_files(collection: CollectionStore, file_id: int, format_name: str, copies: Copies) -> list[ImportedFile]:
    """Return the files that a file with these copies mostly repeats, latest first.

    Files of the same app are compared by their rows, other files by their copies.
    """
    found = []
    for one in collection.all_files():
        if one.id == file_id:
            continue
        # One app always writes a card in the same words, so compare rows; other apps use other words.
        if one.format == format_name:
            repeats = _repeats(*collection.shared_cards(file_id, one.id))
        else:
            repeats = repeats_copies(copies_in_files(collection, [one]), copies)
        if repeats:
            found.append(one)
    return found


def repeats_copies(old: Copies, new: Copies) -> bool:
    """Return whether two collections consist mostly of the same cards, ignoring finish, condition and location."""
    before, now = (_by_card(copies) for copies in (old, new))
    # `&` of counters is the smaller count of each card: copies that are in both.
    return len(before & now) >= _FEWEST_SHARED and _repeats(now.total(), before.total(), (before & now).total())


def _by_card(copies: Copies) -> Counter[str]:
    found = Counter[str]()
    for (card_id, _), count in copies.items():
        found[card_id] += count
    return found


def _repeats(own: int, other: int, both: int) -> bool:
    """Return whether `both` is enough for the own file to be a newer state of the other; all are numbers of cards."""
    # A file that holds a few cards of a large one may be new copies of them.
    # Half of the other file is in this one: cards were added or sold. Or half of this one is in the other, and makes at
    # least a fifth of that: much was sold at once.
    return both >= _FEWEST_SHARED and (2 * both >= other or (2 * both >= own and 5 * both >= other))


def copies_in_files(collection: CollectionStore, files: Iterable[ImportedFile]) -> Copies:
    """Return the copies that imported files added."""
    found: Copies = Counter()
    for one in files:
        for card_id, finish, condition, language, box, row, slot, note, details, copies in collection.copies_in_file(
            one.id
        ):
            found[card_id, CopyKey(finish, condition, language, Place(box, row, slot), note, details)] += copies
    return found


def owned_copies(collection: CollectionStore, box: str = "") -> Copies:
    """Return the copies in a box, or all owned copies."""
    where, values = ("WHERE box = ?", (box,)) if box else ("", ())
    found: Copies = Counter()
    for one in collection.holdings(where, values):
        found[one.card_id, key_of(one)] += one.copies
    return found


def merge_copies(copies_in_file: Copies, inside: Copies) -> Copies:
    """Return the union of the copies of files and those in a box, counting each copy once."""
    # Card, finish and place make copies the same: what else is noted of them, the file may not have said.
    # Count down for each copy of a file that is in the box; copies that are not there are added.
    known = Counter[tuple[str, str, Place]]()
    for (card_id, kind), copies in inside.items():
        known[card_id, kind.finish, kind.place] += copies
    found = Counter(inside)
    for (card_id, kind), copies in copies_in_file.items():
        key = card_id, kind.finish, kind.place
        there = min(copies, known[key])
        known[key] -= there
        found[card_id, kind] += copies - there
    return found


def copy_changes(
    old: Copies, new: Copies, names: Mapping[str, str], fields: frozenset[str] = EVERYTHING
) -> Iterator[CopyChange]:
    """Yield the changes from the old to the new copies: for each card the changed, removed and added copies.

    Values that the new file cannot state, because they are not in `fields`, are kept.
    """
    # As counters: copies of the same kind in both cancel out.
    more, fewer = new - old, old - new
    by_card: dict[str, tuple[list[CopyKey], list[CopyKey]]] = {}
    # A list with an entry for each copy, so that copies can be paired one to one.
    for index, kinds in enumerate((fewer, more)):
        for (card_id, kind), copies in sorted(kinds.items()):
            by_card.setdefault(card_id, ([], []))[index].extend([kind] * copies)
    for card_id, kinds_of_card in sorted(by_card.items(), key=lambda item: (names.get(item[0], ""), item[0])):
        # What is left of a card is paired: pairs are copies that changed, the rest were added or removed.
        # An example: three near mint before, two foils and two played now, sorted by kind:
        #
        #     before  NM    NM    NM
        #     now     foil  foil  LP    LP
        #             ---- changed ---  added
        before, now = _without_same(*kinds_of_card, fields)
        pairs = Counter((was, _staying(was, becomes, fields)) for was, becomes in zip(before, now, strict=False))
        name = names.get(card_id, card_id)
        for (was, becomes), copies in pairs.items():
            yield CopyChange("changed", card_id, name, copies, was, becomes)
        for kind, copies in Counter(before[len(now) :]).items():
            yield CopyChange("removed", card_id, name, copies, kind, None)
        for kind, copies in Counter(now[len(before) :]).items():
            yield CopyChange("added", card_id, name, copies, None, kind)


def _without_same(
    before: list[CopyKey], now: list[CopyKey], fields: frozenset[str]
) -> tuple[list[CopyKey], list[CopyKey]]:
    """Return the old and new copies of a card without those that the new file describes correctly."""
    left, others = Counter(before), Counter(now)
    # Copies are the same where the new file, with what it cannot say filled in, would say just what there was.
    for kind in Counter(now):
        for was in Counter(before):
            if (copies := min(left[was], others[kind])) and _staying(was, kind, fields) == was:
                left[was] -= copies
                others[kind] -= copies
    return list(left.elements()), list(others.elements())


def _staying(was: CopyKey, becomes: CopyKey, fields: frozenset[str]) -> CopyKey:
    """Return the new kind, completed by the old one in everything that the new file cannot state."""
    if fields == EVERYTHING:
        return becomes
    return becomes._replace(
        # A field that the file has a column for is taken from it, even if it is empty now; else the old one stays.
        condition=becomes.condition if "condition" in fields else becomes.condition or was.condition,
        language=becomes.language if "language" in fields else was.language,
        place=becomes.place if "place" in fields or any(becomes.place) else was.place,
        note=becomes.note if "note" in fields else becomes.note or was.note,
        details=merge_details(was.details, becomes.details, fields),
    )


def apply_difference(
    collection: CollectionStore, difference: Difference, cards: Mapping[str, Candidate], rarities: Rarities
) -> None:
    """Apply a difference to the collection, with the cards, by id, and the rarities of the new file."""
    # First what is new, then what goes: copies that are out in a deck and go are replaced there by those just added.
    for change in difference.changes:
        if change.now is not None:
            rarity = rarities.get((change.card_id, change.now), "")
            collection.add(cards[change.card_id], change.copies, change.now, rarity)
    for change in difference.changes:
        if change.before is not None:
            taken = take(collection, change.card_id, change.before, change.copies, release=True)
            difference.gone += change.copies - taken


class RepeatedError(CatalogError):
    """Raised if an import repeats most of the collection and the user did not say why; nothing changed."""

    def __init__(self, name: str, difference: Difference) -> None:
        first = next(iter(difference.files), None)
        what = f"{first.name} of {first.imported[:10]}" if first else "what you own"
        others = f" and {len(difference.files) - 1} more" if len(difference.files) > 1 else ""
        counts = ", ".join(f"{difference.copies(what):,} {what}" for what in ("added", "removed", "changed"))
        self.situation = f"{name} repeats most of {what}{others}"
        super().__init__(
            f"{self.situation} (copies: {counts}); nothing changed.\n"
            "For a newer export of the same cards use --replace. To add the cards again use --again."
        )
        self.difference = difference


class ReplacesAllError(CatalogError):
    """A file that is to replace what it repeats, and repeats nothing: it would replace the whole collection.

    Nothing changed.
    """

    def __init__(self, name: str, difference: Difference) -> None:
        counts = ", ".join(f"{difference.copies(what):,} {what}" for what in ("added", "removed", "changed"))
        self.situation = f"{name} repeats no earlier file, so it would replace your whole collection"
        super().__init__(
            f"{self.situation} (copies: {counts}); nothing changed.\n"
            "If these are all your cards, add --yes; if they are the cards in one box, add --box NAME."
        )
        self.difference = difference
