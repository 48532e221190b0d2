"""Lookup of cards for matching: by id, by set and number, or by name. Answers that many rows need are cached."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.matching.candidates import Candidate, plain_number
from ccgrid.catalog.matching.names import fold, fold_all
from ccgrid.catalog.store.cards import ZONE_COLUMNS, CardFile
from ccgrid.catalog.store.different_values import different_values
from ccgrid.catalog.store.lists import game_names
from ccgrid.catalog.store.names import NameIndex, in_games
from ccgrid.catalog.surrogates import replace_surrogates

_CACHE_KIB: Final = 32_000
"""KiB of the file that SQLite caches: rows name cards all over it, and its default is 2,000."""

_CACHE_SIZE: Final = 20_000
"""The maximum number of cached answers of each kind."""

_ROWS_BEFORE_SET: Final = 8
"""The number of rows after which a set is read as a whole."""

_MOST_CARDS: Final = 50_000
"""The maximum number of cards in memory, of whole sets: about a kilobyte each."""

_SETS_CACHED: Final = 2000
"""The maximum number of sets whose oddly written numbers are cached."""

_IS_ODD: Final = "(collector_number GLOB '*[^0-9]*' OR collector_number GLOB '0*' OR collector_number = '')"
_LARGE_SET: Final = 10_000
"""The size of a set, larger than any real one, above which it is never read as a whole."""

_NUMBERS: Final = ", ".join(f'"{column}"' for column in (*ZONE_COLUMNS, "face", "score", "attack", "defense"))

_COLUMNS: Final = (
    "id, game, name, set_code, set_name, collector_number, lang, printed_name, legal, coalesce(released, ''), ids,"
    f" json_array({_NUMBERS}), other_printings"
)

_SELECT: Final = f"SELECT {_COLUMNS} FROM cards"  # noqa: S608  our own column names


class _WholeSet(NamedTuple):
    """The cards of a set by their numbers, in lower case, and by their names, including names in other languages."""

    numbered: dict[str, list[Candidate]]
    named: dict[str, list[Candidate]]


class StoreLookup:
    """Lookups of cards for matching. Reads take part in the open transaction."""

    def __init__(self, store: CardFile) -> None:
        self._store = store
        self._connection: sqlite3.Connection = store.connection
        # A negative number is in KiB, a positive one in pages.
        self._connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._by_source: dict[str, dict[str, list[str]]] = {}
        self._halves: dict[str, list[str]] | None = None
        self._sets: dict[str, _WholeSet] = {}
        self._rows_by_set: Counter[str] = Counter()
        self._in_memory = 0
        self.owned_among, self.cards, self.near = store.owned_among, store.cards, store.near
        self._by_name = lru_cache(_CACHE_SIZE)(self._find_by_name)
        self.spelled = lru_cache(_CACHE_SIZE)(self._spelled)
        self._odd_numbers = lru_cache(_SETS_CACHED)(self._find_odd_numbers)
        self._is_large = lru_cache(None)(self._has_many_cards)

    @cached_property
    def _index(self) -> NameIndex:
        return NameIndex(self._connection)

    def _cards(self, where: str, values: Sequence[str | int]) -> list[Candidate]:
        return [Candidate(*row) for row in self._connection.execute(_SELECT + where, values)]

    def card(self, card_id: str) -> Candidate | None:
        """Return the card with this id, or None."""
        return next(iter(self._cards(" WHERE id = ?", (replace_surrogates(card_id),))), None)

    def by_source_id(self, kind: str, value: str) -> list[Candidate]:
        """Return the cards with this id in another program."""
        if kind not in self._by_source:
            self._by_source[kind] = self._source_ids(kind)
        known = self._by_source[kind]
        ids = known.get(value.casefold()) or known.get(
            value.lstrip("0"), []
        )  # passcodes have eight digits, with leading zeros
        return [card for card_id in ids if (card := self.card(card_id)) is not None]

    def _source_ids(self, kind: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        start = f"{kind}:"
        for card_id, ids in self._connection.execute("SELECT id, ids FROM cards WHERE ids <> ''"):
            for one in ids.split(" "):
                if one.startswith(start):
                    found.setdefault(one[len(start) :], []).append(card_id)
        return found

    def printed_with_code(self, code: str) -> list[Candidate]:
        """Return the cards with a printed code, such as `BT1-010`, or with the code in their id: `OP01-016_p1`."""
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
                if may_be_code(part) and part != id_part(name):  # AK-47 is a name
                    by_id.setdefault(part, []).append(card_id)
            if may_be_code(number):
                by_number.setdefault(number.casefold(), []).append(card_id)
        return by_id, by_number

    def other_codes(self) -> Mapping[str, Sequence[str]]:
        """Return the codes of sets in another client, in lower case, with the codes of these sets."""
        return self._other_codes

    @cached_property
    def _other_codes(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        query = "SELECT DISTINCT set_code, ids FROM cards WHERE game = 'pokemon' AND ids LIKE '%ptcgo:%'"
        for set_code, ids in self._connection.execute(query):
            for one in ids.split(" "):
                if one.startswith("ptcgo:"):
                    found.setdefault(one.removeprefix("ptcgo:"), []).append(set_code)
        return found

    def numbered(self, set_code: str, numbers: Sequence[str]) -> list[Candidate]:
        """Return the cards of a set with the first of these collector numbers that it has."""
        if (own := self._whole_set(set_code)) is not None:
            for number in numbers:
                if closest := own.numbered.get(number.casefold()):
                    return closest
            return self._by_plain_number(set_code, numbers[0])
        marks = ",".join("?" * len(numbers))
        where = f" WHERE set_code = ? COLLATE NOCASE AND collector_number COLLATE NOCASE IN ({marks})"
        found = self._cards(where, (set_code, *numbers)) or self._by_plain_number(set_code, numbers[0])
        # Found by its plain form, which is not in `order`.
        if found and found[0].number.casefold() not in {number.casefold() for number in numbers}:
            return found
        order = {number.casefold(): index for index, number in reversed(list(enumerate(numbers)))}
        first = min((order[card.number.casefold()] for card in found), default=0)
        return [card for card in found if order[card.number.casefold()] == first]

    def _whole_set(self, set_code: str) -> "_WholeSet | None":
        """Return the cards of a set, once many rows have asked for it, and unless memory is full."""
        if (whole := self._sets.get(set_code)) is not None:
            return whole
        self._rows_by_set[set_code] += 1
        if self._rows_by_set[set_code] < _ROWS_BEFORE_SET or self._in_memory > _MOST_CARDS or self._is_large(set_code):
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
        """Return the cards of a set whose number differs only in zeros, marks or the set's size. Skip large sets."""
        if self._is_large(set_code):
            return []
        rows = self._odd_numbers(set_code).get(plain_number(number, set_code), ())
        return [card for row in rows for card in self._cards(" WHERE number = ?", (row,))]

    def _find_odd_numbers(self, set_code: str) -> dict[str, list[int]]:
        """Return the rows of a set by their plain numbers, without those with no other spelling than their digits."""
        found: dict[str, list[int]] = {}
        query = "SELECT number, collector_number FROM cards WHERE set_code = ? COLLATE NOCASE"
        for row, written in self._connection.execute(f"{query} AND {_IS_ODD}", (set_code,)):
            found.setdefault(plain_number(written, set_code), []).append(row)
        return found

    def by_name(self, name: str, set_code: str | None = None) -> list[Candidate]:
        """Return the printings of an exact name, in a set or in all."""
        if set_code is None:
            return self._by_name(name)
        if (whole := self._whole_set(set_code)) is not None:
            return whole.named.get(name, [])
        # A common name is in hundreds of sets and a set has hundreds of names: the index of names is faster.
        return [card for card in self.by_name(name) if card.set_code.casefold() == set_code.casefold()]

    def _find_by_name(self, name: str) -> list[Candidate]:
        return self._cards(" WHERE (name = ?1 OR printed_name = ?1)", (replace_surrogates(name),))

    def _spelled(self, folded: str) -> list[str]:
        rows = self._connection.execute("SELECT name FROM names WHERE folded = ? ORDER BY name", (folded,))
        return [name for (name,) in rows] or self.names_with_half(folded)

    def names_with_half(self, half: str) -> list[str]:
        """Return the names with this normalised text as their first half, or as another one if there are none."""
        if self._halves is None:
            self._halves = self._all_halves()
        return self._halves.get(half, [])

    def _all_halves(self) -> dict[str, list[str]]:
        """Return the names with halves by their first one, and by each other that is no name's first one."""
        query = "SELECT name FROM names WHERE name LIKE '% // %' ORDER BY name"
        firsts, others = dict[str, list[str]](), dict[str, list[str]]()
        for (name,) in self._connection.execute(query):
            first, *rest = map(fold, name.split(" // "))
            firsts.setdefault(first, []).append(name)
            for half in dict.fromkeys(rest):
                others.setdefault(half, []).append(name)
        # The right operand wins: a first half before any other.
        return others | firsts

    def games(self) -> list[str]:
        """Return the games with cards in the catalogue."""
        return self._games

    @cached_property
    def _games(self) -> list[str]:
        return game_names(self._store)

    def sets(self, games: Sequence[str] = ()) -> list[tuple[str, str]]:
        """Return code and name of every set of these games, or of all."""
        each = different_values("game", "set_code", "set_name")
        query = f"SELECT DISTINCT set_code, set_name FROM ({each}) WHERE TRUE{in_games(games)}"  # noqa: S608
        return self._connection.execute(query, games).fetchall()

    def names(self, set_code: str, games: Collection[str] = ()) -> list[tuple[str, str]] | None:
        """Return the names of a set, in these games, with their normalised forms; None if the set is large."""
        if self._is_large(set_code):
            return None
        where = f"WHERE set_code = ? COLLATE NOCASE{in_games(games)}"
        query = f"SELECT name, printed_name FROM cards {where}"  # noqa: S608
        names = sorted({name for row in self._connection.execute(query, (set_code, *games)) for name in row if name})
        return list(zip(names, fold_all(names), strict=True))

    def names_like(self, folded: str) -> list[tuple[str, str]]:
        """Return similar names with their normalised forms."""
        return self._index.like(folded)

    def names_sharing(self, folded: str) -> list[tuple[str, str]]:
        """Return names that share words with a normalised name, with their normalised forms."""
        return self._index.sharing(folded)

    def has_name(self, name: str, set_code: str, games: Collection[str]) -> bool:
        """Return whether a card of a set, or of any if it is "", has a name; only cards of these games, or of all."""
        return self._index.has_name(name, set_code, games)

    def names_from(self, start: str) -> list[tuple[str, str]]:
        """Return the names whose normalised form starts with a text, with that form."""
        query = "SELECT name, folded FROM names WHERE folded >= ? AND folded < ? ORDER BY folded LIMIT 1000"
        return self._connection.execute(query, (start, start + "\U0010ffff")).fetchall()

    def names_having(self, words: Sequence[str]) -> list[tuple[str, str]]:
        """Return the names with words that start with some normalised ones, with their normalised forms."""
        query = "SELECT name, folded FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?)"
        return self._connection.execute(f"{query} LIMIT 1000", (" ".join(f'"{word}"*' for word in words),)).fetchall()
