"""Looks cards up by id, by set and number, by name: each name once, with its folded form and an index of its words.

What many rows ask for is asked of the file once.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.matching.names import (
    LONGEST,
    LONGEST_QUERY,
    MOST_EDITS,
    WORDS_TRIED,
    Candidate,
    NameHit,
    fold,
    near_words,
    plain_number,
    rank,
    similar_lengths,
)
from ccgrid.catalog.store.cells import cell_list
from ccgrid.catalog.store.file import CatalogueFile
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.zones import ZONES


def in_games(games: Collection[str]) -> str:
    """What a query of cards adds to ask for those of some games, whose names are its values; nothing for all."""
    return f" AND game IN ({','.join('?' * len(games))})" if games else ""


def forget_names(connection: sqlite3.Connection) -> None:
    """Drops the names that no card has any more."""
    connection.execute(
        "DELETE FROM names WHERE name NOT IN (SELECT name FROM cards)"
        " AND name NOT IN (SELECT printed_name FROM cards WHERE printed_name IS NOT NULL)"
    )


def last_name(connection: sqlite3.Connection) -> int:
    """The number of the newest name; those above it are still to be indexed."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM names").fetchone()[0])


def note_names(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Keeps every name once, with its folded form."""
    connection.executemany(
        "INSERT OR IGNORE INTO names (name, folded) VALUES (?, ?)", [(name, fold(name)) for name in sorted(names)]
    )


def index_names(connection: sqlite3.Connection, after: int) -> None:
    """Makes the names above a number searchable by word: all at once, which takes a sixth of the time."""
    connection.execute("INSERT INTO names_fts (rowid, folded) SELECT id, folded FROM names WHERE id > ?", (after,))


_LIKELY: Final = 800
"""The most names for each part that is looked up."""
_MOST_SHARING: Final = 200
"""The most names for each word."""
_MEMORY: Final = 32_000
"""KiB of the file that SQLite caches: rows name cards all over it, and its default is 2,000."""
_WORDS_CACHED: Final = 50_000  # words of which the number of names is known
_LAST: Final = "\U0010ffff"
_LONGER: Final = (0, 1, -1, 2, -2)
"""By how many letters the name that is meant may be longer."""
_SHIFTS: Final = tuple((more, shift) for more in _LONGER for shift in range(max(-1, -more - 1), min(1, 1 - more) + 1))
"""How far its middle may have moved: one edit may be before it, and one behind it."""

_IDS: Final = "SELECT id FROM names WHERE length(folded)"
_BESIDE: Final = "SELECT id FROM (SELECT id, folded FROM names WHERE folded >= ? AND folded < ? ORDER BY folded"
_HAVING: Final = "SELECT rowid FROM names_fts WHERE names_fts MATCH ?"
# One statement asks for all: middles, ends, beginnings, rare words. Its question marks are filled, in this order,
# by `_middles`, `_ends`, `_beginnings` and the words.
_PARTS: Final = (
    *[f"{_IDS} = ? AND substr(folded, length(folded) / 3 + 1, length(folded) / 3) = ? LIMIT {_LIKELY}"] * len(_SHIFTS),
    *[f"{_IDS} = ? AND substr(folded, length(folded) / 3 * 2 + 1) = ? LIMIT {_LIKELY}"] * (len(_LONGER) + 3),
    *(
        f"{_BESIDE} {order} LIMIT {_LIKELY}) WHERE length(folded) BETWEEN ? AND ?"
        for order in ("DESC", "ASC", "ASC", "ASC")
    ),
    *[f"{_HAVING} LIMIT {_MOST_SHARING}"] * WORDS_TRIED,
)
_ANY: Final = " UNION ALL SELECT * FROM ".join(f"({part})" for part in _PARTS)
_LIKE: Final = (
    f"SELECT name, folded FROM names WHERE id IN (SELECT * FROM {_ANY})"  # noqa: S608  our own parts
    " AND length(folded) BETWEEN ? AND ?"
)
_WITH_PART: Final = f"SELECT name, folded FROM names WHERE id IN ({_HAVING} LIMIT {_MOST_SHARING})"  # noqa: S608
_OF_CARDS: Final = " AND EXISTS (SELECT 1 FROM cards WHERE (cards.name = names.name OR printed_name = names.name)"
# Counting stops at the limit, as it only matters which words are the rarest.
_COUNT: Final = f"SELECT count(*) FROM ({_HAVING} LIMIT {_MOST_SHARING})"  # noqa: S608  the same


class NameIndex:
    """The names of an open catalogue, looked up by their parts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._having = lru_cache(_WORDS_CACHED)(self._count_having)

    def like(self, folded: str, set_code: str = "", games: Collection[str] = ()) -> list[tuple[str, str]]:
        """Names, of a set, of games or of all, that may be meant, with their folded forms, in the catalogue's order.

        They are those up to two edits away, those of which it is a part, and others that share a word. Where many
        have the same part, or the same word, some of them are left out.
        """
        wanted = folded[:LONGEST]
        if not wanted:
            return []
        words = sorted(sorted(set(wanted.split())), key=self._having)[:WORDS_TRIED]
        # An empty phrase matches nothing: the statement always has as many.
        quoted = [f'"{word}"' for word in words] + ['""'] * (WORDS_TRIED - len(words))
        values = (*_middles(wanted), *_ends(wanted), *_beginnings(wanted), *quoted, *similar_lengths(wanted))
        own = ((set_code,) if set_code else ()) + tuple(games)
        where = (" AND set_code = ? COLLATE NOCASE" if set_code else "") + in_games(games)
        of_cards = f"{_OF_CARDS}{where})" if where else ""
        found = self._connection.execute(f"{_LIKE}{of_cards} ORDER BY id", (*values, *own)).fetchall()
        *whole, last = wanted.split()
        if all(map(self._having, whole)):
            part = " ".join(f'"{word}"' for word in (*whole, last)) + "*"
            found += self._connection.execute(f"{_WITH_PART}{of_cards} ORDER BY id", (part, *own)).fetchall()
        return list(dict.fromkeys(found))

    def _count_having(self, word: str) -> int:
        return int(self._connection.execute(_COUNT, (f'"{word}"',)).fetchone()[0])


def _middles(wanted: str) -> Iterator[int | str]:
    """Lengths, and the middles that names of that length may have."""
    for more, shift in _SHIFTS:
        third = (len(wanted) + more) // 3
        start = max(third + shift, 0)
        # No name has the length -1: the statement keeps its shape where there is no such part.
        yield len(wanted) + more if third else -1
        yield wanted[start : start + third]


def _ends(wanted: str) -> Iterator[int | str]:
    """Lengths, and the ends that names of that length may have, then those with a swap before them undone."""
    for more in _LONGER:
        yield len(wanted) + more
        yield wanted[max((len(wanted) + more) // 3 * 2 - more, 0) :]
    for more in _LONGER[:3]:
        start = (len(wanted) + more) // 3 * 2 - more
        yield len(wanted) + more if start > 0 else -1
        yield wanted[start - 1 : start] + wanted[start + 1 :]


def _beginnings(wanted: str) -> Iterator[int | str]:
    """Where names with the same beginning are, and how long they may be; the last two with a swap undone."""
    length = len(wanted)
    # Neighbours of the wanted name in the alphabet, before and behind it, as far as they begin with its first third.
    start = wanted[: max(length - MOST_EDITS, 0) // 3]
    yield from (start, wanted, length - MOST_EDITS, length + MOST_EDITS)
    yield from (wanted, start + _LAST, length - MOST_EDITS, length + MOST_EDITS)
    for third in ((length - 1) // 3, (length + 1) // 3):
        swapped = wanted[: third - 1] + wanted[third : third + 1] if third > 0 else wanted
        yield from (swapped, swapped + _LAST, length - 1, length + 1)


MOST_COMPARED: Final = 10_000
"""Up to how many names all are compared; of more, those with words near the ones that were asked for."""
_MOST_WORDS: Final = 12  # words of a query
_MOST_FOUND: Final = 10_000  # names that are ranked
_NAMES_AT_ONCE: Final = 20_000  # words of the index that are read at a time
_VOCABULARY: Final = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.name_words USING fts5vocab(main, names_fts, row)"
_FOUND: Final = (
    "SELECT name, folded FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ? LIMIT ?)"
)


def names_near(connection: sqlite3.Connection, query: str) -> Iterable[tuple[str, str]]:
    """The names that may be meant, with their folded forms: with a near word for each of the query, or with a rare one.

    The words come out of the full-text index, so that this needs no index of its own, and no room for all names.
    """
    if last_name(connection) <= MOST_COMPARED:
        return connection.execute("SELECT name, folded FROM names")
    words = fold(query)[:LONGEST_QUERY].split()[:_MOST_WORDS]
    near = near_words([*words, *map("".join, pairwise(words))], _vocabulary(connection))
    found = dict[str, str]()
    own = near[: len(words)]
    if own and all(own):
        found |= _names(connection, " AND ".join(map(_any_of, own)))
    rare, left = list[str](), _MOST_FOUND
    for term, count in sorted({pair for terms in near for pair in terms.items()}, key=lambda pair: pair[1]):
        left -= count
        if left < 0:
            break
        rare.append(term)
    if rare:
        found |= _names(connection, _any_of(rare))
    return found.items()


def _vocabulary(connection: sqlite3.Connection) -> Iterator[dict[str, int]]:
    """The words of all names, and in how many names each is, a piece at a time."""
    connection.execute(_VOCABULARY)
    rows = connection.execute("SELECT term, doc FROM temp.name_words")
    while piece := dict(rows.fetchmany(_NAMES_AT_ONCE)):
        yield piece


def _any_of(terms: Iterable[str]) -> str:
    return "(" + " OR ".join(f'"{term}"' for term in terms) + ")"


def _names(connection: sqlite3.Connection, asked: str) -> dict[str, str]:
    return dict(connection.execute(_FOUND, (asked, _MOST_FOUND)).fetchall())


ZONE_COLUMNS: Final = tuple(zone.replace("-", "_") for zone in ZONES)
CARD_COLUMNS: Final = (
    *("id", "game", "name", "set_code", "set_name", "collector_number"),
    *ZONE_COLUMNS,
    *("face", "score", "legal", "reason", "attack", "defense", "released", "lang", "printed_name"),
)
_AT_ONCE: Final = 500  # question marks in a statement
_ENOUGH: Final = 20  # names, from which no misspelt ones are sought


class CardFile(CatalogueFile):
    """The file of a catalogue, of which cards are asked by their ids."""

    def cards(self, ids: Sequence[str]) -> list[Card]:
        """The cards with these ids, in this order; an id that the catalogue has not is left out."""
        found: dict[str, Card] = {}
        for start in range(0, len(ids), _AT_ONCE):
            some = [replace_surrogates(card_id) for card_id in ids[start : start + _AT_ONCE]]
            marks = ",".join("?" * len(some))
            rows = self.connection.execute(f"{select_cards()} WHERE id IN ({marks})", some)
            found.update((row[0], card_of(row)) for row in rows)
        return [found[card_id] for card_id in ids if card_id in found]

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids of which the collection has copies."""
        owned: set[str] = set()
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT DISTINCT card_id FROM holdings WHERE card_id IN ({marks})"  # noqa: S608  only marks
            owned.update(card_id for (card_id,) in self.connection.execute(query, some))
        return frozenset(owned)

    def near(self, query: str, enough: int = _ENOUGH) -> list[NameHit]:
        """The names that a query may mean, best first, each with a score of 0 to 100.

        Names that hold all words of the query, or words that begin so, are found by the full-text index; only where
        those are not `enough` are all names compared, or in a large catalogue those that may be meant.
        """
        words = " ".join(f'"{word}"*' for word in fold(query)[:LONGEST_QUERY].split())
        if not words:
            return []
        statement = "SELECT name, folded FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?)"
        found = rank(query, self.connection.execute(statement, (words,)))
        if len(found) >= enough or len(fold(query)) == 1:  # to a single letter no other word is near
            return found
        return rank(query, names_near(self.connection, query))


def select_cards(alias: str = "cards") -> str:
    """The query for whole cards, whose table may go by another name in it; `card_of` makes a card of a row."""
    columns = ", ".join([f'{alias}."{column}"' for column in CARD_COLUMNS])
    return f"SELECT {columns} FROM cards AS {alias}"  # noqa: S608  our own column names


def card_of(row: Sequence[Any]) -> Card:
    """The card in a row of what `select_cards` asks for."""
    card_id, game, name, set_code, set_name, number = row[:6]
    zones = {zone: value for zone, value in zip(ZONES, row[6:14], strict=True) if value is not None}
    face, score, legal, *rest = row[14:]  # the rest is in the same order in both
    return Card(
        card_id, game, name, zones, score, set_code, set_name, number, tuple(cell_list(face)), bool(legal), *rest
    )


_MOST: Final = 500
"""The most that are listed: nobody reads more."""


def game_names(store: CatalogueFile) -> list[str]:
    """The card games of which there are cards, in the catalogue or owned."""
    return _column(store, "SELECT game FROM cards UNION SELECT game FROM holdings ORDER BY 1")


def sets_from(store: CatalogueFile, of_games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Code and name of the sets of these games, or of all, whose code begins so."""
    query = (
        "SELECT set_code, max(set_name) FROM cards WHERE substr(set_code, 1, ?1) = ?2"  # noqa: S608
        f" AND set_code <> ''{in_games(of_games)} GROUP BY set_code ORDER BY set_code LIMIT {_MOST}"
    )
    return store.connection.execute(query, (len(beginning), beginning, *of_games)).fetchall()


class LatestCard(NamedTuple):
    """When the newest card of a game in the catalogue came out, as a date, and which source it is from."""

    game: str
    source: str
    released: str


def latest_card(store: CatalogueFile, game: str) -> LatestCard | None:
    """The newest card of a game; None where no date is known."""
    query = "SELECT game, source, max(released) FROM cards WHERE game = ? AND released IS NOT NULL"
    found = store.connection.execute(query, (game,)).fetchone()
    return LatestCard(*found) if found[0] else None


def box_names(store: CatalogueFile) -> list[str]:
    """The boxes in which there are cards."""
    return _column(store, "SELECT DISTINCT box FROM holdings WHERE box <> '' ORDER BY box")


def deck_names_out(store: CatalogueFile) -> list[str]:
    """The decks that are out of their boxes."""
    return _column(store, "SELECT DISTINCT deck FROM decks_out ORDER BY deck")


def _column(store: CatalogueFile, query: str) -> list[str]:
    return [word for (word,) in store.connection.execute(f"{query} LIMIT {_MOST}")]


_CACHE_SIZE: Final = 20_000
"""How many answers of each kind stay in memory."""
_OFTEN: Final = 8
"""From how many rows on a set is read whole."""
_MOST_IN_MEMORY: Final = 50_000
"""How many cards stay in memory, of whole sets and of names, about a kilobyte each."""
_LARGE_SET: Final = 10_000
"""Sets with more cards than any real one has are never read whole."""
MOST_NAMES_COMPARED: Final = 30_000
"""Up to how many names all are read at once; of more, only those that `NameIndex` finds, while that is cheaper."""
_OFTEN_NEAR: Final = 40
"""How many names can be looked up for the cost of reading `MOST_COMPARED` of them."""
_MOST_TIMES: Final = 16
"""How many times `MOST_NAMES_COMPARED` names are read at most, about half a kilobyte each."""
_MOST_AT_HAND: Final = 100_000  # names; of more none are read at once
_OFTEN_NAMES: Final = 1000
"""From how many names on all of them are read."""
_NUMBERS: Final = ", ".join(f'"{column}"' for column in (*ZONE_COLUMNS, "face", "score", "attack", "defense"))
_COLUMNS: Final = (
    "id, game, name, set_code, set_name, collector_number, lang, printed_name, legal, coalesce(released, ''), ids,"
    f" json_array({_NUMBERS})"
)
_SELECT: Final = f"SELECT {_COLUMNS} FROM cards"  # noqa: S608  our own column names


class _WholeSet(NamedTuple):
    """The cards of a set by their numbers, with case folded, and by their names, in their languages as well."""

    numbered: dict[str, list[Candidate]]
    named: dict[str, list[Candidate]]


class StoreLookup:
    """The catalogue as matching sees it; reads within whatever transaction is open."""

    def __init__(self, store: CardFile) -> None:
        self._store = store
        self._connection: sqlite3.Connection = store.connection
        # Negative means KiB, positive would mean pages.
        self._connection.execute(f"PRAGMA cache_size = -{_MEMORY}")
        self._by_source: dict[str, dict[str, list[str]]] = {}
        self._plain_numbers: dict[str, dict[str, list[str]]] = {}
        self._halves: dict[str, list[str]] | None = None
        self._sets: dict[str, _WholeSet] = {}
        self._asked: Counter[str] = Counter()
        self._in_memory = 0
        self._last_name, self._near_asked = last_name(self._connection), 0
        self._has_many_names = self._last_name > _MOST_AT_HAND
        self._names: frozenset[str] | None = None
        self._folded: dict[str, list[str]] = {}
        self._names_asked = 0
        self.owned_among, self.cards, self.near = store.owned_among, store.cards, store.near
        self._names_cache: dict[str, list[Candidate]] = {}
        self._cards_of_names = 0
        self.spelled = lru_cache(_CACHE_SIZE)(self._spelled)
        self._is_large = lru_cache(None)(self._has_many_cards)

    @cached_property
    def _index(self) -> NameIndex:
        return NameIndex(self._connection)

    def _cards(self, where: str, values: Sequence[str]) -> list[Candidate]:
        return [Candidate(*row) for row in self._connection.execute(_SELECT + where, values)]

    def card(self, card_id: str) -> Candidate | None:
        """The card with this id of the catalogue."""
        return next(iter(self._cards(" WHERE id = ?", (replace_surrogates(card_id),))), None)

    def by_source_id(self, kind: str, value: str) -> list[Candidate]:
        """The cards that others call so."""
        if kind not in self._by_source:
            self._by_source[kind] = self._source_ids(kind)
        known = self._by_source[kind]
        ids = known.get(value.casefold()) or known.get(value.lstrip("0"), [])  # passcodes are eight digits long
        return [card for card_id in ids if (card := self.card(card_id)) is not None]

    def _source_ids(self, kind: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        start = f"{kind}:"
        for card_id, ids in self._connection.execute("SELECT id, ids FROM cards WHERE ids <> ''"):
            for one in ids.split(" "):
                if one.startswith(start):
                    found.setdefault(one[len(start) :], []).append(card_id)
        return found

    def coded(self, code: str) -> list[Candidate]:
        """The cards that are printed with a code, such as `BT1-010`, or have it in their id: `OP01-016_p1`."""
        by_id, by_number = self._codes
        folded = code.casefold()
        ids = [*by_id.get(folded, ()), *([] if folded in by_id else by_number.get(folded, ()))]
        return [card for card_id in ids if (card := self.card(card_id)) is not None]

    @cached_property
    def _codes(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """The ids of cards by the codes in them, and by collector numbers that are codes of whole cards."""
        from ccgrid.catalog.lines import may_be_code  # its patterns take time to compile

        by_id: dict[str, list[str]] = {}
        by_number: dict[str, list[str]] = {}
        query = "SELECT id, name, collector_number FROM cards"
        for card_id, name, number in self._connection.execute(query):
            for part in card_id.partition(":")[2].split("/"):
                if may_be_code(part) and part != id_part(name):  # AK-47 is no code
                    by_id.setdefault(part, []).append(card_id)
            if may_be_code(number):
                by_number.setdefault(number.casefold(), []).append(card_id)
        return by_id, by_number

    def other_codes(self) -> Mapping[str, Sequence[str]]:
        """The codes that a client has for sets, in lower case, and the codes of these sets."""
        return self._other_codes

    @cached_property
    def _other_codes(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        query = "SELECT DISTINCT set_code, ids FROM cards WHERE ids LIKE '%ptcgo:%'"
        for set_code, ids in self._connection.execute(query):
            for one in ids.split(" "):
                if one.startswith("ptcgo:"):
                    found.setdefault(one.removeprefix("ptcgo:"), []).append(set_code)
        return found

    def numbered(self, set_code: str, numbers: Sequence[str]) -> list[Candidate]:
        """The cards of a set with the first of these collector numbers that it has."""
        if (own := self._whole_set(set_code)) is not None:
            for number in numbers:
                if closest := own.numbered.get(number.casefold()):
                    return closest
            return self._by_plain_number(set_code, numbers[0])
        marks = ",".join("?" * len(numbers))
        where = f" WHERE set_code = ? COLLATE NOCASE AND collector_number COLLATE NOCASE IN ({marks})"
        found = self._cards(where, (set_code, *numbers)) or self._by_plain_number(set_code, numbers[0])
        # Found in its plain form: none of the forms that were asked for is in `order`.
        if found and found[0].number.casefold() not in {number.casefold() for number in numbers}:
            return found
        order = {number.casefold(): index for index, number in reversed(list(enumerate(numbers)))}
        first = min((order[card.number.casefold()] for card in found), default=0)
        return [card for card in found if order[card.number.casefold()] == first]

    def _whole_set(self, set_code: str) -> "_WholeSet | None":
        """The cards of a set, once many rows have asked for it, and while memory is not too full."""
        if (whole := self._sets.get(set_code)) is not None:
            return whole
        self._asked[set_code] += 1
        if self._asked[set_code] < _OFTEN or self._in_memory > _MOST_IN_MEMORY or self._is_large(set_code):
            return None
        whole = self._sets[set_code] = _WholeSet({}, {})
        for card in self._cards(" WHERE set_code = ? COLLATE NOCASE", (set_code,)):
            whole.numbered.setdefault(card.number.casefold(), []).append(card)
            for name in {card.name, card.printed_name or card.name}:
                whole.named.setdefault(name, []).append(card)
            self._in_memory += 1
        return whole

    def _has_many_cards(self, set_code: str) -> bool:
        query = "SELECT 1 FROM cards WHERE set_code = ? COLLATE NOCASE LIMIT 1 OFFSET ?"
        return self._connection.execute(query, (set_code, _LARGE_SET)).fetchone() is not None

    def _by_plain_number(self, set_code: str, number: str) -> list[Candidate]:
        """The cards of a set whose number is the same but for zeros, marks and the size of the set; of no large set."""
        if self._is_large(set_code):
            return []
        if set_code not in self._plain_numbers:
            own: dict[str, list[str]] = {}
            query = "SELECT id, collector_number FROM cards WHERE set_code = ? COLLATE NOCASE"
            for card_id, written in self._connection.execute(query, (set_code,)):
                own.setdefault(plain_number(written, set_code), []).append(card_id)
            self._plain_numbers[set_code] = own
        ids = self._plain_numbers[set_code].get(plain_number(number, set_code), [])
        return [card for card_id in ids if (card := self.card(card_id)) is not None]

    def by_name(self, name: str, set_code: str | None = None) -> list[Candidate]:
        """The printings of a name as it is written, in a set or in all."""
        if set_code is None:
            if name not in self._names_cache:
                self._names_cache[name] = self._by_name(name)
            return self._names_cache[name]
        if (whole := self._whole_set(set_code)) is not None:
            return whole.named.get(name, [])
        # A common name is in hundreds of sets and a set has hundreds of names: the name's index is the shorter way.
        return [card for card in self.by_name(name) if card.set_code.casefold() == set_code.casefold()]

    def _by_name(self, name: str) -> list[Candidate]:
        if self._cards_of_names > _MOST_IN_MEMORY or len(self._names_cache) > _CACHE_SIZE:
            self._names_cache.clear()
            self._cards_of_names = 0
        names = self._all_names()
        if names is not None and name not in names:
            return []
        cards = self._cards(" WHERE (name = ?1 OR printed_name = ?1)", (replace_surrogates(name),))
        self._cards_of_names += len(cards)
        return cards

    def _spelled(self, folded: str) -> list[str]:
        if self._all_names() is not None:
            if found := self._folded.get(folded, []):
                return found
        else:
            rows = self._connection.execute("SELECT name FROM names WHERE folded = ? ORDER BY name", (folded,))
            if found := [name for (name,) in rows]:
                return found
        return self.halved(folded)

    def halved(self, half: str) -> list[str]:
        """The names with halves of which a folded text is the first, else those of which it is another."""
        if self._halves is None:
            self._halves = self._all_halves()
        return self._halves.get(half, [])

    def _all_halves(self) -> dict[str, list[str]]:
        """The names with halves by their first one, and by each other that is no name's first."""
        query = "SELECT name FROM names WHERE name LIKE '% // %' ORDER BY name"
        firsts, others = dict[str, list[str]](), dict[str, list[str]]()
        for (name,) in self._connection.execute(query):
            first, *rest = map(fold, name.split(" // "))
            firsts.setdefault(first, []).append(name)
            for half in dict.fromkeys(rest):
                others.setdefault(half, []).append(name)
        # The right side wins: a first half before any other.
        return others | firsts

    def _all_names(self) -> frozenset[str] | None:
        """Every name, once reading all is cheaper than asking for each; None before, and where they are too many."""
        self._names_asked += 1
        if self._names is None and self._names_asked > _OFTEN_NAMES and not self._has_many_names:
            pairs = self._connection.execute("SELECT name, folded FROM names ORDER BY name").fetchall()
            self._names = frozenset(name for name, _ in pairs)
            for name, folded in pairs:
                self._folded.setdefault(folded, []).append(name)
        return self._names

    def games(self) -> list[str]:
        """The games of which the catalogue has cards."""
        return self._games

    @cached_property
    def _games(self) -> list[str]:
        return game_names(self._store)

    def sets(self, games: Sequence[str] = ()) -> list[tuple[str, str]]:
        """Code and name of every set of these games, or of all."""
        query = f"SELECT DISTINCT set_code, set_name FROM cards WHERE TRUE{in_games(games)}"  # noqa: S608
        return self._connection.execute(query, games).fetchall()

    def names(self, set_code: str = "", games: Collection[str] = ()) -> list[tuple[str, str]] | None:
        """Every name of a set or of all, and its folded form; None for too many to compare them one by one.

        Where games are given, only those that cards of these have.
        """
        if set_code:
            return None if self._is_large(set_code) else self._names_in(set_code, games)
        # Reading all names of a million cards took 20 s and 857 MB for 300 misspelt rows. To look each up by its parts
        # is cheaper until many are asked for; then ever more names are read at once.
        self._near_asked += 1
        if self._last_name > MOST_NAMES_COMPARED * min(1 + self._near_asked // _OFTEN_NEAR, _MOST_TIMES):
            return None
        where = f"WHERE TRUE{in_games(games)}"
        own = (
            f" WHERE name IN (SELECT name FROM cards {where} UNION SELECT printed_name FROM cards {where})"  # noqa: S608
            if games
            else ""
        )
        query = f"SELECT name, folded FROM names{own} ORDER BY id"  # noqa: S608
        return self._connection.execute(query, (*games, *games)).fetchall()

    def names_like(self, folded: str, set_code: str = "", games: Collection[str] = ()) -> list[tuple[str, str]]:
        """Of the names of a set, of these games or of all those that a folded one may mean, with their folded forms."""
        return self._index.like(folded, set_code, games)

    def names_from(self, start: str) -> list[tuple[str, str]]:
        """Every name whose folded form begins so, and that form."""
        query = "SELECT name, folded FROM names WHERE folded >= ? AND folded < ? ORDER BY folded LIMIT 1000"
        return self._connection.execute(query, (start, start + "\U0010ffff")).fetchall()

    def names_having(self, words: Sequence[str]) -> list[tuple[str, str]]:
        """Every name with words that begin as some folded ones, and its folded form."""
        query = "SELECT name, folded FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?)"
        return self._connection.execute(f"{query} LIMIT 1000", (" ".join(f'"{word}"*' for word in words),)).fetchall()

    def _names_in(self, set_code: str, games: Collection[str]) -> list[tuple[str, str]]:
        where = f"WHERE set_code = ? COLLATE NOCASE{in_games(games)}"
        query = f"SELECT name, printed_name FROM cards {where}"  # noqa: S608
        names = {name for row in self._connection.execute(query, (set_code, *games)) for name in row if name}
        return [(name, fold(name)) for name in sorted(names)]
