"""The collection: holdings, and the copies of them that are in decks.

Every write happens inside `change`, in one transaction that begins before anything is read. So two commands at the same
time never lose each other's changes.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ccgrid.catalog.clock import now
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.natural_order import natural_order
from ccgrid.catalog.store.cells import SqlValue
from ccgrid.catalog.store.collection_files import CollectionFiles
from ccgrid.catalog.surrogates import replace_surrogates

if TYPE_CHECKING:
    from ccgrid.catalog.matching.candidates import Candidate

_HOLDING: Final = (
    'id, card_id, copies, finish, condition, language, box, "row", slot, game, name, set_code, set_name,'
    " collector_number, ids, rarity, note, details, added, changed"
)

_COPIES_IN_DECKS: Final = "(SELECT coalesce(sum(copies), 0) FROM decks_out WHERE holding_id = holdings.id)"

_CARD_RARITY: Final = "coalesce((SELECT cards.rarity FROM cards WHERE cards.id = card_id), '')"

_SELECT: Final = f"SELECT {_HOLDING}, {_COPIES_IN_DECKS}, {_CARD_RARITY} FROM holdings"  # noqa: S608  our own column names

# ?1 to ?18 are the columns in their order, ?19 is the time: a new holding was never `changed`, a larger one was now.
_VALUES: Final = ", ".join(f"?{number}" for number in range(1, 19))

_ADD: Final = (
    f"INSERT OR FAIL INTO holdings ({_HOLDING.removeprefix('id, ')}) VALUES ({_VALUES}, NULL)"  # noqa: S608
    ' ON CONFLICT (card_id, finish, condition, language, box, "row", slot, note, details)'
    " DO UPDATE SET copies = copies + excluded.copies, rarity = coalesce(nullif(excluded.rarity, ''), rarity),"
    " changed = ?19"
)

_ADD_BOX: Final = "INSERT INTO boxes (name, folded) VALUES (?, ?) ON CONFLICT DO NOTHING"

_COUNT_CHANGED: Final = (
    "SELECT count(*) FROM holdings AS own LEFT JOIN cards AS now ON now.id = own.card_id WHERE now.id IS NULL"
    " OR (own.name, own.set_code, own.set_name, own.collector_number)"
    " IS NOT (now.name, now.set_code, now.set_name, now.collector_number)"
)


class CopyKey(NamedTuple):
    """The properties that distinguish copies of one card."""

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
    """The collection in an open catalogue."""

    # --- holdings -----------------------------------------------------------------------------------------------

    def place(self, place: Place) -> Place:
        """Return a location with its box in the collection's spelling: Attic and attic are one box."""
        query = "SELECT name FROM boxes WHERE folded = ?"
        found = self._connection.execute(query, (place.box.casefold(),)).fetchone() if place.box else None
        return place if found is None else place._replace(box=found[0])

    def _in_box(self, kind: CopyKey) -> CopyKey:
        """Return the key with its box in the collection's spelling, and add the box if it is new."""
        place = self.place(kind.place)
        # The box is new, or has this spelling already, so that adding it changes nothing.
        if place == kind.place:
            self._connection.execute(_ADD_BOX, (place.box, place.box.casefold()))
            return kind
        return kind._replace(place=place)

    def rename_box(self, old: str, new: str) -> None:
        """Rename a box. An empty box with the new name is removed."""
        self._connection.execute("DELETE FROM boxes WHERE folded = ? AND name <> ?", (new.casefold(), old))
        self._connection.execute("UPDATE boxes SET name = ?, folded = ? WHERE name = ?", (new, new.casefold(), old))

    def add(self, card: "Candidate", copies: int, kind: CopyKey, rarity: str = "") -> None:
        """Add copies of a card to the holding with this key, or to a new one.

        `rarity` is the word of a file; if it is empty, the known one stays.
        """
        self._connection.execute(_ADD, _values(card, copies, self._in_box(kind), rarity, now()))

    def add_all(self, added: "Iterable[tuple[Candidate, int, CopyKey, str]]") -> None:
        """Add copies of many cards: card, copies, key and rarity of each, with boxes as `place` spells them."""
        moment = now()
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM holdings").fetchone()
        self._connection.executemany(_ADD, (_values(*one, moment) for one in added))
        # Only new holdings can be in new boxes.
        boxes = self._connection.execute("SELECT DISTINCT box FROM holdings WHERE id > ?", (last,)).fetchall()
        self._connection.executemany(_ADD_BOX, ((box, box.casefold()) for (box,) in boxes))

    def store_app_name(self, card_id: str, called: str) -> None:
        """Store an app's own name of a printing, `@app:word`, with all copies of it; ignore an empty text."""
        app = called.partition(":")[0]
        query = "SELECT id, ids FROM holdings WHERE card_id = ?"
        for number, text in self._connection.execute(query, (card_id,)).fetchall():
            ids = text.split(" ")
            if called and called not in ids:
                ids = [one for one in ids if one and not one.startswith(f"{app}:")]
                self._connection.execute("UPDATE holdings SET ids = ? WHERE id = ?", (" ".join([*ids, called]), number))

    def put(self, holding: Holding, copies: int, kind: CopyKey) -> None:
        """Add copies of a holding's card with another key."""
        card = (holding.game, holding.name, holding.set_code, holding.set_name, holding.number, holding.ids)
        kind, moment = self._in_box(kind), now()
        values = (*card, holding.rarity, kind.note, kind.details, holding.added or moment, moment)
        self._connection.execute(_ADD, (holding.card_id, copies, *kind[:3], *kind.place, *values))

    def take(self, holding: Holding, copies: int) -> None:
        """Remove copies from a holding.

        Raises:
            CatalogError: If fewer copies are available. Copies in decks are not.
        """
        there = self._first("WHERE id = ?", (holding.id,))
        free = there.copies - there.out if there is not None else 0
        if copies > free:
            out = f"; copies out in decks: {there.out}" if there is not None and there.out else ""
            raise CatalogError(
                f"{counted(copies, 'copy', 'copies')} of {holding.name!r} cannot be taken: only {free} available{out}."
            )
        if there is not None and there.copies == copies:
            self._connection.execute("DELETE FROM holdings WHERE id = ?", (holding.id,))
        else:
            query = "UPDATE holdings SET copies = copies - ?, changed = ? WHERE id = ?"
            self._connection.execute(query, (copies, now(), holding.id))

    def holdings(self, where: str = "", values: Sequence[SqlValue] = ()) -> Iterator[Holding]:
        """Yield all holdings, or those that meet an SQL condition."""
        return map(_holding, self._connection.execute(f"{_SELECT} {where}", tuple(values)))

    def has_game(self, game: str) -> bool:
        """Return whether a card of this game is owned."""
        return next(self.holdings("WHERE game = ? LIMIT 1", (replace_surrogates(game),)), None) is not None

    def of_cards(self, card_ids: Sequence[str]) -> list[Holding]:
        """Return the holdings of these cards in box order."""
        found: list[Holding] = []
        for start in range(0, len(card_ids), 500):
            some = card_ids[start : start + 500]
            found += self.holdings(f"WHERE card_id IN ({', '.join('?' * len(some))})", some)
        return sorted(found, key=walking_order)

    def holding(self, card_id: str, kind: CopyKey) -> Holding | None:
        """Return the holding of a card with this key, or None."""
        where = (
            'WHERE card_id = ? AND finish = ? AND condition = ? AND language = ? AND box = ? AND "row" = ? AND slot = ?'
            " AND note = ? AND details = ?"
        )
        return self._first(where, (card_id, *kind[:3], *self.place(kind.place), kind.note, kind.details))

    def _first(self, where: str, values: Sequence[SqlValue]) -> Holding | None:
        return next(self.holdings(where, values), None)

    def totals(self) -> tuple[int, int]:
        """Return the numbers of holdings and of copies."""
        row = self._connection.execute("SELECT count(*), coalesce(sum(copies), 0) FROM holdings").fetchone()
        return row[0], row[1]

    def owned_ids(self, *, available: bool = False) -> dict[str, int]:
        """Return the number of copies of each owned card, or with `available` of those not in decks."""
        out = f" - {_COPIES_IN_DECKS}" if available else ""
        rows = self._connection.execute(f"SELECT card_id, sum(copies{out}) FROM holdings GROUP BY card_id")  # noqa: S608
        return {card_id: copies for card_id, copies in rows if copies > 0}

    def card_names(self, card_ids: Iterable[str]) -> dict[str, str]:
        """Return the names of cards in the catalogue by their ids."""
        wanted = list(dict.fromkeys(card_ids))
        found: dict[str, str] = {}
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            query = f"SELECT id, name FROM cards WHERE id IN ({', '.join('?' * len(some))})"  # noqa: S608
            found.update(self._connection.execute(query, some).fetchall())
        return found

    def count_changed(self) -> int:
        """Return the number of holdings whose card has left the catalogue, or changed its name, set or number."""
        return int(self._connection.execute(_COUNT_CHANGED).fetchone()[0])

    def refresh(self, holding: Holding, card: "Candidate") -> None:
        """Update a holding to its card as it is now. If the card's id has changed, the copies move to a new holding."""
        if holding.card_id == card.id:
            called = [one for one in holding.ids.split() if one.startswith("@")]  # from apps; cards do not have them
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
        self._replace_holding(holding, self.holding(card.id, kind))

    def carry(self, holding: Holding, kind: CopyKey) -> None:
        """Give all copies of a holding another key. Copies in decks move along."""
        self.put(holding, holding.copies, kind)
        self._replace_holding(holding, self.holding(holding.card_id, kind))

    def _replace_holding(self, holding: Holding, target: Holding | None) -> None:
        """Delete a holding whose copies have moved to another one, to which its copies in decks now belong."""
        query = "SELECT deck, copies FROM decks_out WHERE holding_id = ?"
        for deck, copies in self._connection.execute(query, (holding.id,)).fetchall():
            if target is not None:
                self.mark_out(deck, target, copies)
        self._connection.execute("DELETE FROM decks_out WHERE holding_id = ?", (holding.id,))
        self._connection.execute("DELETE FROM holdings WHERE id = ?", (holding.id,))

    def release(self, holding: Holding, copies: int) -> None:
        """Return copies of a holding from decks, until `copies` of it are available.

        Available copies of the same card take their place in the decks.
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
        """Record that copies of a holding are in a deck."""
        self._connection.execute(
            "INSERT INTO decks_out (deck, holding_id, copies) VALUES (?, ?, ?)"
            " ON CONFLICT (deck, holding_id) DO UPDATE SET copies = copies + excluded.copies",
            (deck, holding.id, copies),
        )

    def mark_back(self, deck: str) -> None:
        """Record that the cards of a deck are back in their boxes."""
        self._connection.execute("DELETE FROM decks_out WHERE deck = ?", (deck,))

    def decks_out(self, deck: str | None = None) -> list[DeckOut]:
        """Return the copies in a deck, or in all decks, in box order."""
        where = " WHERE deck = ?" if deck is not None else ""
        rows = self._connection.execute(
            f"SELECT deck, copies, holding_id FROM decks_out{where}",  # noqa: S608
            (deck,) if deck is not None else (),
        ).fetchall()
        found = []
        for name, copies, number in rows:
            if (holding := self._first("WHERE id = ?", (number,))) is not None:
                found.append(DeckOut(name, copies, holding))
        return sorted(found, key=lambda out: (out.deck, walking_order(out.holding)))


def _values(card: "Candidate", copies: int, kind: CopyKey, rarity: str, moment: str) -> tuple[SqlValue, ...]:
    finish, condition, language, place, note, details = kind
    fields = (card.game, card.name, card.set_code, card.set_name, card.number, card.ids, rarity, note, details)
    return (card.id, copies, finish, condition, language, *place, *fields, moment, moment)


def key_of(holding: Holding) -> CopyKey:
    """Return the properties that distinguish the copies of a holding."""
    return CopyKey(holding.finish, holding.condition, holding.language, holding.place, holding.note, holding.details)


def walking_order(holding: Holding) -> tuple[str, str, str, str, str, int]:
    """Return a sort key for box order: box, row and slot in natural order, then name."""
    box, row, slot = map(natural_order, holding.place)
    return box, row, slot, holding.name, holding.card_id, holding.id


def _holding(row: Sequence[Any]) -> Holding:
    number, card_id, copies, finish, condition, language, box, line, slot, *card = row
    return Holding(number, card_id, copies, finish, condition, language, Place(box, line, slot), *card)
