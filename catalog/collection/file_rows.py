"""Rows of files between reading and keeping: what they bring, what stands for them, what was in doubt."""

from hashlib import blake2b

import msgspec

from ccgrid.catalog.holding import NO_DETAILS, Holding, Place, kept
from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.matching.spellings import Candidate
from ccgrid.catalog.store.collection_files import Doubt, FileRow
from ccgrid.catalog.store.file import cell_list
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey


def identity(row: Row) -> int:
    """A number that stands for what is written of a card: its name, set, number and ids.

    >>> identity(Row(1, "1 Ant", (), "Ant")) == identity(Row(9, "4 Ant", (), "Ant")) != identity(Row(1, "", (), "Bee"))
    True
    """
    told: tuple[str, ...] = (row.name, row.set_code, row.set_name, row.number)
    if row.ids:
        told += tuple(f"{kind}:{value}" for kind, value in row.ids)
    digest = blake2b("\0".join(told).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def rows_of(row: Row, card: Candidate | None, place: Place) -> list[FileRow]:
    """What a row brings of a card, a kind of copies each; they are in `place` where it does not say where."""
    language = row.language or (card.lang if card is not None else "en")
    where = row.place if any(row.place) else place
    own, card_id = identity(row), None if card is None else card.id
    if row.details == NO_DETAILS:  # as most are
        told = row.condition, language, *where, row.note
        return [FileRow(row.line, own, card_id, copies, finish, *told) for finish, copies in row.amounts]
    return [
        FileRow(row.line, own, card_id, some, finish, row.condition, language, *where, row.note, details)
        for finish, copies in row.amounts
        for details, some in kept(row.details, copies)
    ]


def kind_of(row: FileRow) -> CopyKey:
    """The kind of the copies that a row brought."""
    return CopyKey(row.finish, row.condition, row.language, Place(row.box, row.row, row.slot), row.note, row.details)


def written(row: Row, place: Place) -> str:
    """What was read in a row, as JSON, to be matched again; the cards are in `place` where it does not say where."""
    return msgspec.json.encode(row._replace(place=row.place if any(row.place) else place, raw="")).decode()


def row_of(doubt: Doubt) -> Row:
    """The row that is in doubt, as it was read."""
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
    return row._replace(more=tuple(row.more))


def take_back(collection: CollectionStore, doubt: Doubt) -> int:
    """Takes the copies out again that a row in doubt brought, as far as they are there, and returns how many."""
    if doubt.card_id is None:
        return 0
    row = row_of(doubt)
    return sum(
        take(
            collection, doubt.card_id, CopyKey(finish, row.condition, row.language, row.place, row.note, details), some
        )
        for finish, copies in row.amounts
        for details, some in kept(row.details, copies)
    )


def take(collection: CollectionStore, card_id: str, kind: CopyKey, copies: int, *, release: bool = False) -> int:
    """Takes copies of a kind out, from where they were or where they have been moved since, and returns how many.

    With `release` those that are out in decks are taken as well; other copies of the card are out in their place.
    """
    alike = [
        holding
        for holding in collection.of_cards([card_id])
        if (holding.finish, holding.condition) == kind[:2] and kind.language in ("", holding.language)
    ]
    left = copies

    def otherwise(holding: Holding) -> tuple[bool, ...]:
        return holding.note != kind.note, holding.details != kind.details, holding.place != kind.place

    for holding in sorted(alike, key=otherwise):
        taken = min(left, holding.copies if release else holding.copies - holding.out)
        if taken > 0:
            if release:
                collection.release(holding, taken)
            collection.take(holding, taken)
            left -= taken
    return copies - left
