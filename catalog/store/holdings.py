"""The collection in the file of the catalogue: holdings, files and doubts, decks out, and how whole sets are.

Whatever changes it does so inside `change`: one transaction, all or nothing, begun before anything is read, so that two
commands at once never lose what the other did.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple, TypedDict, cast

from ccgrid.catalog.clock import now
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.matching.names import Candidate
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_list, cell_table
from ccgrid.catalog.store.history import change
from ccgrid.catalog.surrogates import replace_surrogates

_ROW: Final = 'file_id, line, identity, card_id, copies, finish, condition, language, box, "row", slot, note, details'
_ADD_ROW: Final = f"INSERT OR FAIL INTO file_rows ({_ROW}) VALUES ({', '.join('?' * 13)})"  # noqa: S608  our own column names
_REWRITE: Final = f"INSERT INTO file_rows ({_ROW}, decided) VALUES ({', '.join('?' * 14)})"  # noqa: S608
_NOT_REPLACED: Final = "json_extract(summary, '$.replaced_by') IS NULL"
_SHARED: Final = (
    "SELECT count(*), coalesce(sum({0} IN (SELECT {0} FROM file_rows WHERE file_id = ?2)), 0)"
    " FROM (SELECT DISTINCT {0} FROM file_rows WHERE file_id = ?1 AND {0} IS NOT NULL)"
)
_ADD_DOUBT: Final = (
    "INSERT OR FAIL INTO doubts (id, file_id, line, outcome, reason, raw, written, card_id, candidates)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_DOUBT: Final = "doubts.id, file_id, line, outcome, reason, raw, written, card_id, candidates"


class Doubt(NamedTuple):
    """A row of a file that was not matched for certain.

    `written` is what was read in it, as JSON, `card_id` the card that it was taken for.
    """

    id: int
    file_id: int
    line: int
    outcome: str
    reason: str
    raw: str
    written: str
    card_id: str | None
    candidates: list[str]


class ImportedFile(NamedTuple):
    """A file that was imported: when, and what the import said."""

    id: int
    name: str
    format: str
    imported: str
    summary: dict[str, Any]


class FileRow(NamedTuple):
    """Copies in a row of an imported file, also where the row was not matched and nothing was added.

    `identity` is a hash of what is written of the card, whatever the copies. A row with several finishes has several.
    """

    line: int
    identity: int
    card_id: str | None
    copies: int
    finish: str
    condition: str
    language: str
    box: str
    row: str
    slot: str
    note: str = ""
    details: str = NO_DETAILS


class CollectionFiles:
    """The files that were imported into a collection, in a catalogue that is open.

    `waiting` is called if another command holds the catalogue.
    """

    def __init__(self, store: Store, waiting: Callable[[], None] | None = None) -> None:
        self.store, self.waiting = store, waiting
        self._connection = store.connection

    def change(self, what: str, *, dry_run: bool = False) -> AbstractContextManager[None]:
        """Make one change to the collection, all or nothing (`history.change`)."""
        return change(self.store, what, self.waiting, dry_run=dry_run)

    def file(self, sha256: str) -> ImportedFile | None:
        """The last import of a file with this SHA-256; None where there is none, or a newer file replaced it."""
        return next(self._files("sha256 = ?", sha256), None)

    def all_files(self) -> Iterator[ImportedFile]:
        """The imported files, the last one first, without those that a newer export replaced."""
        return self._files("format <> ?", "")

    def _files(self, where: str, value: str) -> Iterator[ImportedFile]:
        query = (
            f"SELECT id, name, format, imported, summary FROM collection_files WHERE {where} AND {_NOT_REPLACED}"  # noqa: S608
            " ORDER BY id DESC"
        )
        for number, name, format_name, imported, summary in self._connection.execute(query, (value,)).fetchall():
            yield ImportedFile(number, name, format_name, imported, cell_table(summary))

    def add_file(self, name: str, sha256: str) -> int:
        """The number of a file that is about to be imported."""
        cursor = self._connection.execute(
            "INSERT INTO collection_files (name, format, sha256, imported, summary) VALUES (?, '', ?, ?, '{}')",
            (replace_surrogates(name), sha256, now()),
        )
        return int(cursor.lastrowid or 0)

    def close_file(self, number: int, format_name: str, summary: Mapping[str, object]) -> None:
        """Notes what the import of a file said."""
        self._connection.execute(
            "UPDATE collection_files SET format = ?, summary = ? WHERE id = ?",
            (format_name, json.dumps(summary), number),
        )

    def replace_file(self, old: ImportedFile, new: int) -> None:
        """Notes that the file with the number `new` replaces an older one, whose doubts are dropped."""
        self.close_file(old.id, old.format, {**old.summary, "replaced_by": new})
        self._connection.execute("DELETE FROM doubts WHERE file_id = ?", (old.id,))
        self._connection.execute("DELETE FROM file_rows WHERE file_id = ?", (old.id,))

    # --- rows ---------------------------------------------------------------------------------------------------

    def add_rows(self, file_id: int, rows: Iterable[FileRow]) -> None:
        """Stores the rows of a file."""
        self._connection.executemany(_ADD_ROW, ((file_id, *row) for row in rows))

    def rewrite_row(self, file_id: int, line: int, rows: Sequence[FileRow], *, decided: bool) -> None:
        """Replaces the copies of the row at a line of a file.

        `decided` says that somebody wants it so, which holds for newer exports as well.
        """
        self._connection.execute("DELETE FROM file_rows WHERE file_id = ? AND line = ?", (file_id, line))
        self._connection.executemany(_REWRITE, ((file_id, *row, int(decided)) for row in rows))

    def decided_rows(self, file_id: int) -> Iterator[FileRow]:
        """The rows of a file that somebody has decided on; those without a card were dropped."""
        query = f"SELECT {_ROW} FROM file_rows WHERE file_id = ? AND decided ORDER BY id"  # noqa: S608  our own words
        return (FileRow(*row[1:]) for row in self._connection.execute(query, (file_id,)).fetchall())

    def known_rows(self, file_id: int, line: int | None = None) -> Iterator[FileRow]:
        """The rows of a file that are cards, or those at a line of it."""
        query = f"SELECT {_ROW} FROM file_rows WHERE file_id = ? AND card_id IS NOT NULL AND line = coalesce(?, line)"  # noqa: S608
        return (FileRow(*row[1:]) for row in self._connection.execute(query, (file_id, line)).fetchall())

    def copies_in_file(self, file_id: int) -> Iterator[tuple[Any, ...]]:
        """The copies of a file: card, finish, condition, language, box, row, slot, note, details, count."""
        kind = 'card_id, finish, condition, language, box, "row", slot, note, details'
        return self._connection.execute(
            f"SELECT {kind}, sum(copies) FROM file_rows WHERE file_id = ? AND card_id IS NOT NULL"  # noqa: S608
            f" GROUP BY {kind}",
            (file_id,),
        )

    def shared_cards(self, new: int, old: int) -> tuple[int, int, int]:
        """How many different cards two files have, each and both, as they are written or as they were matched."""
        # Compared as written and as matched; the comparison with more cards in both counts.
        found = (0, 0, 0)
        for column in ("identity", "card_id"):
            count, both = self._connection.execute(_SHARED.format(column), (new, old)).fetchone()
            other = self._connection.execute(_SHARED.format(column), (old, new)).fetchone()[0]
            found = max(found, (count, other, both), key=lambda counts: counts[2])
        return found

    # --- doubts -------------------------------------------------------------------------------------------------

    def add_doubt(self, doubt: Doubt) -> int:
        """Notes a row in doubt, and returns its number; that of `doubt` does not count."""
        number = self._next_doubt()
        self._connection.execute(_ADD_DOUBT, _doubt_values(number, doubt))
        return number

    def add_doubts(self, doubts: Iterable[Doubt]) -> int:
        """Notes rows in doubt, and returns the number of the first; each of the others has the next one."""
        first = self._next_doubt()
        self._connection.executemany(_ADD_DOUBT, (_doubt_values(*one) for one in enumerate(doubts, first)))
        return first

    def _next_doubt(self) -> int:
        return int(self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM doubts").fetchone()[0])

    def doubts(
        self,
        file_id: int | None = None,
        number: int | None = None,
        *,
        file_name: str = "",
        outcome: str = "",
    ) -> Iterator[Doubt]:
        """The rows in doubt for which all that is said is so."""
        tests = {
            "file_id = ?": file_id,
            "doubts.id = ?": number,
            "file_id IN (SELECT id FROM collection_files WHERE name = ? COLLATE NOCASE)": file_name or None,
            "outcome = ?": outcome or None,
        }
        said = {test: value for test, value in tests.items() if value is not None}
        where = f"WHERE {' AND '.join(said)}" if said else ""
        query = f"SELECT {_DOUBT} FROM doubts {where} ORDER BY id"  # noqa: S608  our own words
        for row in self._connection.execute(query, tuple(said.values())).fetchall():
            own, of_file, line, how, reason, raw, written, card_id, candidates = row
            yield Doubt(own, of_file, line, how, reason, raw, written, card_id, _list(candidates))

    def settle(self, doubt: Doubt) -> None:
        """Forgets a row in doubt."""
        self._connection.execute("DELETE FROM doubts WHERE id = ?", (doubt.id,))

    def doubtful_files(self) -> dict[int, str]:
        """The names of the files that have rows in doubt, by their numbers."""
        query = "SELECT id, name FROM collection_files WHERE id IN (SELECT file_id FROM doubts) ORDER BY id"
        return dict(self._connection.execute(query).fetchall())

    def count_doubts(self) -> int:
        """How many rows are in doubt."""
        return int(self._connection.execute("SELECT count(*) FROM doubts").fetchone()[0])


def _doubt_values(number: int, doubt: Doubt) -> tuple[Any, ...]:
    return (number, *doubt[1:8], "[]" if not doubt.candidates else json.dumps(doubt.candidates))


def _list(text: str) -> list[str]:
    found: list[str] = [] if text == "[]" else cell_list(text)
    return found


_HOLDING: Final = (
    'id, card_id, copies, finish, condition, language, box, "row", slot, game, name, set_code, set_name,'
    " collector_number, ids, rarity, note, details, added, changed"
)
_OUT: Final = "(SELECT coalesce(sum(copies), 0) FROM decks_out WHERE holding_id = holdings.id)"
_SELECT: Final = f"SELECT {_HOLDING}, {_OUT} FROM holdings"  # noqa: S608  our own column names
# ?1 to ?18 are the columns in their order, ?19 is the time: a new holding was never `changed`, a larger one was now.
_VALUES: Final = ", ".join(f"?{number}" for number in range(1, 19))
_ADD: Final = (
    f"INSERT OR FAIL INTO holdings ({_HOLDING.removeprefix('id, ')}) VALUES ({_VALUES}, NULL)"  # noqa: S608
    ' ON CONFLICT (card_id, finish, condition, language, box, "row", slot, note, details)'
    " DO UPDATE SET copies = copies + excluded.copies, rarity = coalesce(nullif(excluded.rarity, ''), rarity),"
    " changed = ?19"
)
_ADD_BOX: Final = "INSERT INTO boxes (name, folded) VALUES (?, ?) ON CONFLICT DO NOTHING"
_CHANGED: Final = (
    "SELECT count(*) FROM holdings AS own LEFT JOIN cards AS now ON now.id = own.card_id WHERE now.id IS NULL"
    " OR (own.name, own.set_code, own.set_name, own.collector_number)"
    " IS NOT (now.name, now.set_code, now.set_name, now.collector_number)"
)


class CopyKey(NamedTuple):
    """What tells copies of one card apart."""

    finish: str
    condition: str
    language: str
    place: Place
    note: str = ""
    details: str = NO_DETAILS


class DeckOut(NamedTuple):
    """Copies of a holding that are in a deck."""

    deck: str
    copies: int
    holding: Holding


class CollectionStore(CollectionFiles):
    """What a person owns, in a catalogue that is open."""

    # --- holdings -----------------------------------------------------------------------------------------------

    def place(self, place: Place) -> Place:
        """A place, its box written as the collection writes it already: Attic and attic are one."""
        query = "SELECT name FROM boxes WHERE folded = ?"
        found = self._connection.execute(query, (place.box.casefold(),)).fetchone() if place.box else None
        return place if found is None else place._replace(box=found[0])

    def _in_box(self, kind: CopyKey) -> CopyKey:
        """The kind with its box written as the collection writes it, which has that box now."""
        place = self.place(kind.place)
        # The box is new, or spelt as always: adding it again changes nothing.
        if place == kind.place:
            self._connection.execute(_ADD_BOX, (place.box, place.box.casefold()))
            return kind
        return kind._replace(place=place)

    def rename_box(self, old: str, new: str) -> None:
        """Gives a box another name; one that was called so before, and is empty, goes."""
        self._connection.execute("DELETE FROM boxes WHERE folded = ? AND name <> ?", (new.casefold(), old))
        self._connection.execute("UPDATE boxes SET name = ?, folded = ? WHERE name = ?", (new, new.casefold(), old))

    def add(self, card: Candidate, copies: int, kind: CopyKey, rarity: str = "") -> None:
        """More copies of a card; those of one kind in one place are one holding.

        The rarity is what a file calls it; where it says nothing, what was known stays.
        """
        self._connection.execute(_ADD, _values(card, copies, self._in_box(kind), rarity, now()))

    def add_all(self, added: Iterable[tuple[Candidate, int, CopyKey, str]]) -> None:
        """More copies of many cards: card, copies, kind and rarity of each, boxes as `place` writes them."""
        moment = now()
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM holdings").fetchone()
        self._connection.executemany(_ADD, (_values(*one, moment) for one in added))
        # Only new holdings can be in new boxes.
        boxes = self._connection.execute("SELECT DISTINCT box FROM holdings WHERE id > ?", (last,)).fetchall()
        self._connection.executemany(_ADD_BOX, ((box, box.casefold()) for (box,) in boxes))

    def note_called(self, card_id: str, called: str) -> None:
        """Notes what an app itself calls a printing, `@app:word`, with all copies of it; an empty text says nothing."""
        app = called.partition(":")[0]
        query = "SELECT id, ids FROM holdings WHERE card_id = ?"
        for number, text in self._connection.execute(query, (card_id,)).fetchall():
            ids = text.split(" ")
            if called and called not in ids:
                ids = [one for one in ids if one and not one.startswith(f"{app}:")]
                self._connection.execute("UPDATE holdings SET ids = ? WHERE id = ?", (" ".join([*ids, called]), number))

    def put(self, holding: Holding, copies: int, kind: CopyKey) -> None:
        """More copies of the card of a holding, of another kind or in another place."""
        card = (holding.game, holding.name, holding.set_code, holding.set_name, holding.number, holding.ids)
        kind, moment = self._in_box(kind), now()
        values = (*card, holding.rarity, kind.note, kind.details, holding.added or moment, moment)
        self._connection.execute(_ADD, (holding.card_id, copies, *kind[:3], *kind.place, *values))

    def take(self, holding: Holding, copies: int) -> None:
        """Fewer copies in a holding; CatalogError where it has not so many that are not out in decks."""
        there = self._one("WHERE id = ?", (holding.id,))
        free = there.copies - there.out if there is not None else 0
        if copies > free:
            out = f", {there.out} are out in decks" if there is not None and there.out else ""
            raise CatalogError(
                f"There {'is' if copies == 1 else 'are'} not {counted(copies, 'copy', 'copies')} "
                f"of {holding.name!r} to take, only {free}{out}."
            )
        if there is not None and there.copies == copies:
            self._connection.execute("DELETE FROM holdings WHERE id = ?", (holding.id,))
        else:
            query = "UPDATE holdings SET copies = copies - ?, changed = ? WHERE id = ?"
            self._connection.execute(query, (copies, now(), holding.id))

    def holdings(self, where: str = "", values: Sequence[Any] = ()) -> Iterator[Holding]:
        """All holdings, or some of them, read as they are asked for."""
        return map(_holding, self._connection.execute(f"{_SELECT} {where}", tuple(values)))

    def has_game(self, game: str) -> bool:
        """Whether a card of this game is owned."""
        return (
            next(self.holdings("WHERE game = ? LIMIT 1", (game.encode("utf-8", "replace").decode(),)), None) is not None
        )

    def of_cards(self, card_ids: Sequence[str]) -> list[Holding]:
        """The holdings of these cards, in the order in which one walks along the boxes."""
        found: list[Holding] = []
        for start in range(0, len(card_ids), 500):
            some = card_ids[start : start + 500]
            found += self.holdings(f"WHERE card_id IN ({', '.join('?' * len(some))})", some)
        return sorted(found, key=walking_order)

    def holding(self, card_id: str, kind: CopyKey) -> Holding | None:
        """The holding of a card, kind and place, if there is one."""
        where = (
            'WHERE card_id = ? AND finish = ? AND condition = ? AND language = ? AND box = ? AND "row" = ? AND slot = ?'
            " AND note = ? AND details = ?"
        )
        return self._one(where, (card_id, *kind[:3], *self.place(kind.place), kind.note, kind.details))

    def _one(self, where: str, values: Sequence[Any]) -> Holding | None:
        return next(self.holdings(where, values), None)

    def totals(self) -> tuple[int, int]:
        """How many holdings there are, and how many copies."""
        row = self._connection.execute("SELECT count(*), coalesce(sum(copies), 0) FROM holdings").fetchone()
        return row[0], row[1]

    def owned_ids(self, *, available: bool = False) -> dict[str, int]:
        """For each card that is owned its copies, or those that are not out in a deck."""
        out = f" - {_OUT}" if available else ""
        rows = self._connection.execute(f"SELECT card_id, sum(copies{out}) FROM holdings GROUP BY card_id")  # noqa: S608
        return {card_id: copies for card_id, copies in rows if copies > 0}

    def card_names(self, card_ids: Iterable[str]) -> dict[str, str]:
        """The names of these cards of the catalogue, by their ids."""
        wanted = list(dict.fromkeys(card_ids))
        found: dict[str, str] = {}
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            query = f"SELECT id, name FROM cards WHERE id IN ({', '.join('?' * len(some))})"  # noqa: S608
            found.update(self._connection.execute(query, some).fetchall())
        return found

    def count_changed(self) -> int:
        """How many holdings are of cards that the catalogue has no more, or has with another name, set or number."""
        return int(self._connection.execute(_CHANGED).fetchone()[0])

    def refresh(self, holding: Holding, card: Candidate) -> None:
        """Notes a card of a holding as it is now; where its id is another, the copies go over to that."""
        if holding.card_id == card.id:
            called = [one for one in holding.ids.split() if one.startswith("@")]  # by an app; the card has none of it
            ids = " ".join([*card.ids.split(), *called])
            values = (card.game, card.name, card.set_code, card.set_name, card.number, ids, holding.id)
            self._connection.execute(
                "UPDATE holdings SET game = ?, name = ?, set_code = ?, set_name = ?, collector_number = ?, ids = ?"
                " WHERE id = ?",
                values,
            )
            return
        kind = key_of(holding)
        self.add(card, holding.copies, kind, holding.rarity)
        self._hand_over(holding, self.holding(card.id, kind))

    def carry(self, holding: Holding, kind: CopyKey) -> None:
        """All copies of a holding become of another kind, or move to another place; those out in decks belong there."""
        self.put(holding, holding.copies, kind)
        self._hand_over(holding, self.holding(holding.card_id, kind))

    def _hand_over(self, holding: Holding, target: Holding | None) -> None:
        """Drops a holding whose copies have gone over to another; what is out of it is out of that one."""
        query = "SELECT deck, copies FROM decks_out WHERE holding_id = ?"
        for deck, copies in self._connection.execute(query, (holding.id,)).fetchall():
            if target is not None:
                self.mark_out(deck, target, copies)
        self._connection.execute("DELETE FROM decks_out WHERE holding_id = ?", (holding.id,))
        self._connection.execute("DELETE FROM holdings WHERE id = ?", (holding.id,))

    def release(self, holding: Holding, copies: int) -> None:
        """Marks copies of a holding as no longer out in a deck, as many as are needed to take `copies` of it.

        Other copies of the card are out in their place, as far as there are any.
        """
        missing = copies - (holding.copies - holding.out)
        query = "SELECT id, deck, copies FROM decks_out WHERE holding_id = ? ORDER BY id DESC"
        for number, deck, out in self._connection.execute(query, (holding.id,)).fetchall():
            back = min(missing, out)
            if back <= 0:
                return
            missing -= back
            if back == out:
                self._connection.execute("DELETE FROM decks_out WHERE id = ?", (number,))
            else:
                self._connection.execute("UPDATE decks_out SET copies = copies - ? WHERE id = ?", (back, number))
            for other in self.of_cards([holding.card_id]):
                instead = min(back, other.copies - other.out) if other.id != holding.id else 0
                if instead > 0:
                    self.mark_out(deck, other, instead)
                    back -= instead

    # --- decks out ----------------------------------------------------------------------------------------------

    def mark_out(self, deck: str, holding: Holding, copies: int) -> None:
        """Notes that copies of a holding are in a deck."""
        self._connection.execute(
            "INSERT INTO decks_out (deck, holding_id, copies) VALUES (?, ?, ?)"
            " ON CONFLICT (deck, holding_id) DO UPDATE SET copies = copies + excluded.copies",
            (deck, holding.id, copies),
        )

    def mark_back(self, deck: str) -> None:
        """Notes that a deck's cards are in their boxes again."""
        self._connection.execute("DELETE FROM decks_out WHERE deck = ?", (deck,))

    def decks_out(self, deck: str | None = None) -> list[DeckOut]:
        """What is out in a deck, or in all, in the order in which one walks along the boxes."""
        where = " WHERE deck = ?" if deck is not None else ""
        rows = self._connection.execute(
            f"SELECT deck, copies, holding_id FROM decks_out{where}",  # noqa: S608
            (deck,) if deck is not None else (),
        ).fetchall()
        found = []
        for name, copies, number in rows:
            if (holding := self._one("WHERE id = ?", (number,))) is not None:
                found.append(DeckOut(name, copies, holding))
        return sorted(found, key=lambda out: (out.deck, walking_order(out.holding)))


def _values(card: Candidate, copies: int, kind: CopyKey, rarity: str, moment: str) -> tuple[Any, ...]:
    finish, condition, language, place, note, details = kind
    fields = (card.game, card.name, card.set_code, card.set_name, card.number, card.ids, rarity, note, details)
    return (card.id, copies, finish, condition, language, *place, *fields, moment, moment)


def key_of(holding: Holding) -> CopyKey:
    """What tells the copies of a holding from others of its card."""
    return CopyKey(holding.finish, holding.condition, holding.language, holding.place, holding.note, holding.details)


def walking_order(holding: Holding) -> tuple[Any, ...]:
    """The order in which one walks along the boxes: box, row and slot as people count them, then name."""
    return (*map(natural_order, holding.place), holding.name, holding.card_id, holding.id)


def natural_order(text: str) -> tuple[bool, list[tuple[bool, int, str]]]:
    """A text with its numbers as numbers, so that row 10 comes after row 9; nowhere comes last."""
    parts, digits = [], ""
    for letter in f"{text.casefold()}\0":
        if letter.isdecimal() and letter.isascii():
            digits += letter
            continue
        if digits:
            parts.append((False, int(digits[:18]), ""))
            digits = ""
        parts.append((True, 0, letter))
    return not text, parts


def _holding(row: Sequence[Any]) -> Holding:
    number, card_id, copies, finish, condition, language, box, line, slot, *card = row
    return Holding(number, card_id, copies, finish, condition, language, Place(box, line, slot), *card)


_PIECES: Final = """
WITH held AS (SELECT card_id, sum(copies) AS copies FROM holdings GROUP BY card_id),
pieces AS (
    SELECT cards.game, cards.set_code, coalesce(nullif(cards.collector_number, ''), cards.name) AS piece,
        max(cards.set_name) AS set_name, min(cards.released) AS released, min(cards.id) AS id,
        count(held.card_id) > 0 AS owned, coalesce(sum(held.copies), 0) AS copies
    FROM cards LEFT JOIN held ON held.card_id = cards.id
    WHERE cards.set_code <> '' {where} GROUP BY cards.game, cards.set_code, piece
)
"""
"""A row for each number of a set, or each name where cards have no number; printings in other languages are no more."""
_COUNTS: Final = """
SELECT game, set_code, max(set_name), count(*), sum(owned), sum(copies) FROM pieces
GROUP BY game, set_code HAVING sum(owned) >= ? ORDER BY game, min(released), set_code
"""
_MISSING: Final = """
SELECT id, game, set_code, piece FROM pieces
JOIN (SELECT game, set_code FROM pieces GROUP BY game, set_code HAVING sum(owned) >= ?) USING (game, set_code)
WHERE NOT owned
"""


class SetCountJson(TypedDict):
    """How many cards of a set there are, how many of them are owned, and in how many copies."""

    game: str
    set_code: str
    set_name: str
    cards: int
    owned: int
    copies: int


class SetCount(NamedTuple):
    """How many cards of a set there are, how many of them are owned, and in how many copies."""

    game: str
    set_code: str
    set_name: str
    cards: int
    owned: int
    copies: int

    def to_dict(self) -> SetCountJson:
        """The documented shape of `collection sets --json`."""
        return cast("SetCountJson", self._asdict())


def set_counts(
    collection: CollectionStore, sets: Sequence[str] = (), games: Sequence[str] = (), *, every: bool = False
) -> list[SetCount]:
    """The sets of which something is owned, or those of these codes or names, or every one, in order of release."""
    pieces, values = _of_sets(sets, games)
    fewest = 0 if every or sets else 1
    return [SetCount(*row) for row in collection.store.connection.execute(pieces + _COUNTS, (*values, fewest))]


def missing_ids(
    collection: CollectionStore, sets: Sequence[str] = (), games: Sequence[str] = (), *, every: bool = False
) -> list[str]:
    """The ids of cards that these sets have and the collection lacks, by set and number; of a number the first id."""
    pieces, values = _of_sets(sets, games)
    fewest = 0 if every or sets else 1
    rows = collection.store.connection.execute(pieces + _MISSING, (*values, fewest)).fetchall()
    return [row[0] for row in sorted(rows, key=lambda row: (row[1], row[2], natural_order(row[3])))]


def _of_sets(sets: Sequence[str], games: Sequence[str]) -> tuple[str, list[str]]:
    where, values = "", list[str]()
    for column, wanted in (("game", games), ("set", sets)):
        if not wanted:
            continue
        marks = ", ".join("?" * len(wanted))
        names = ("cards.game",) if column == "game" else ("lower(cards.set_code)", "lower(cards.set_name)")
        where += f" AND ({' OR '.join(f'{name} IN ({marks})' for name in names)})"
        values += [replace_surrogates(one if column == "game" else one.lower()) for _ in names for one in wanted]
    return _PIECES.format(where=where), values
