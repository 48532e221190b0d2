"""Compilation of queries (`catalog.queries`) into SQL with parameters, for cards and for holdings."""

import json
import re
import sqlite3
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.colour_queries import has_colours
from ccgrid.catalog.description import PrintedDescription
from ccgrid.catalog.errors import NotFoundError
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.queries import (
    ANY,
    BARE_FLAGS,
    COPY_FLAGS,
    NONE,
    SORTS,
    All,
    Comparison,
    Field,
    Not,
    Part,
    Query,
    Some,
    Sort,
    Word,
    field,
    is_plain,
    name_query,
    names_a_field,
    own_field,
    parse,
)
from ccgrid.catalog.store.cards import CARD_COLUMNS, card_of, select_cards
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import SqlValue
from ccgrid.catalog.store.described_queries import (
    RARITY_RANK,
    containing,
    described_column,
    described_order,
    description_condition,
    fits,
    holds_without,
    is_described,
    is_on_description,
    negate,
    rarity_condition,
)
from ccgrid.catalog.store.descriptions import field_names
from ccgrid.catalog.store.different_values import different_values
from ccgrid.catalog.store.selection import Selection, Sql

if TYPE_CHECKING:
    from ccgrid.catalog.lines import WrittenCard
    from ccgrid.catalog.matching.known_cards import KnownCards

_FEW: Final = 1000
"""The most matching cards that are sorted by their numbers, and matching descriptions that are looked up by theirs."""
_NAME: Final = "c.name COLLATE NOCASE"
"""The order of cards by their names, as in the index `cards_in_order`, which has short columns for conditions, too."""
_SAMPLE: Final = 1000
"""The number of cards whose sort keys show which keys come early."""
_SAMPLE_STEP: Final = 7919
"""A prime number, so that cards at regular distances are in the sample as often as others."""
_EARLY: Final = 4
"""The place in the sorted sample of the last key that is early enough for the first card of an answer."""
_SAID_BY: Final = "coalesce(c.description_id, 0)"
"""The number of a card's description; 0 stands for none."""
_NAME_PLACE, _PRINTED_NAME_PLACE = (CARD_COLUMNS.index(column) for column in ("name", "printed_name"))
_YEAR: Final = "nullif(CAST(c.released AS INTEGER), 0)"  # the digits at its beginning
_WITH_COPIES: Final = "c.number IN (SELECT cards.number FROM holdings CROSS JOIN cards ON cards.id = card_id WHERE {})"
_COPY_FIELDS: Final = ("box", "row", "slot", "cond", "finish", "note", "tag", "grade", "column")
"""The fields of copies, in contrast to those of cards."""
_COPY_COLUMNS: Final = {
    "cond": "condition",
    "row": '"row"',
    "grade": "coalesce(json_extract(details, '$.grader') || ' ', '') || coalesce(json_extract(details, '$.grade'), '')",
    "column": "coalesce(json_extract(details, '$.own'), '')",
}
_CARD_FLAGS: Final = {
    "legal": "c.legal = 1",
    "barred": "c.legal = 0",
    "digital": "c.reason = 'digital'",
    "custom": "c.source = 'custom'",
}
_COPY_FLAGS: Final = {
    "trade": "json_extract(details, '$.for_trade') = 1",
    "graded": "json_extract(details, '$.grade') IS NOT NULL",
    "foil": "finish = 'foil'",
    "etched": "finish = 'etched'",
}
_HIGHEST_OF_COPIES: Final = {
    "price": "CAST(json_extract(details, '$.price') AS REAL)",
    "acquired": "json_extract(details, '$.acquired')",
    "added": "added",
}
"""Fields of copies by which cards can be sorted and compared, too. The highest value of a card's copies counts."""
_WITH_TERMS: Final = frozenset(("lang", "cond", "finish", "game"))
"""Fields whose values have synonyms."""
_QUERY_SIGNS: Final = lazy_pattern(r"[<>=/\"]|:\S")
"""Signs of a query in brackets, which the names of games and sets after a name do not have."""
_HELD_NUMBER: Final = "ccgrid_number(holdings.collector_number), holdings.collector_number"
ORDERS: Final = {
    "name": f"ccgrid_fold(holdings.name), holdings.set_code, {_HELD_NUMBER}",
    "set": f"holdings.game, holdings.set_code, {_HELD_NUMBER}",
    "place": 'ccgrid_place(holdings.box, holdings."row", holdings.slot), holdings.name, holdings.card_id',
}
"""The orders of holdings for queries without an order."""


def query_readings(store: Store, text: str, *, owned: bool = False) -> Iterator[Query]:
    """Yield the possible meanings of a text, most likely first. Callers use the first one with results.

    An id or a whole name is taken as such, whatever else it could mean. Marks may stand next to a name
    (`catalog.lines`): a game, a set, a number, and for `owned` cards also copies, finish, condition, language and note.

    Raises:
        QueryError: If only a query is possible, and it cannot be read.
    """
    text = text.strip().encode("utf-8", "replace").decode()
    connection = store.connection
    known = "SELECT 1 FROM cards WHERE id = ?1 UNION SELECT 1 FROM holdings WHERE card_id = ?1"
    called = (
        "SELECT 1 FROM names WHERE folded = ?1 AND name = ?2 COLLATE NOCASE"
        " UNION SELECT 1 FROM holdings WHERE name = ?2 COLLATE NOCASE"
    )
    if is_plain(text):
        yield from map(_marks_query, _with_places(store, text))
        yield name_query(text)
    elif connection.execute(known, (text,)).fetchone():
        yield Query((Comparison(field("id"), ":", text),))
        return
    elif text.casefold() not in BARE_FLAGS and connection.execute(called, (fold(text), text)).fetchone():
        yield name_query(text)
        return
    if (owned or not is_plain(text)) and not names_a_field(text):
        from ccgrid.catalog import lines

        for read in reversed(lines.readings(text, _known_cards(store).is_place)):
            is_of_card = read.copies is None and not (read.finish or read.condition or read.language or read.tags)
            is_spelt_out = _QUERY_SIGNS.search(" ".join((*read.beside, *read.tags)))
            if read.name != text and is_plain(read.name) and not is_spelt_out and (owned or is_of_card):
                yield _marks_query(read)
    if not is_plain(text):
        yield parse(text, lambda: set(field_names(connection)))


def _with_places(store: Store, text: str) -> Iterator["WrittenCard"]:
    """Yield readings of a text that names a set or a game without a sign, next to a whole name or to other words."""
    if " " not in text:
        return
    from ccgrid.catalog import lines

    known = _known_cards(store)
    whole = lines.known_reading(text, known.is_name, known.is_place)
    in_names = "SELECT 1 FROM names_fts WHERE names_fts MATCH ? LIMIT 1"
    for read in lines.readings(text, known.is_place) if whole is None else [whole]:
        words = [f'"{word}"' for word in fold(" ".join(read.beside)).split()]
        if not words or read != lines.WrittenCard(read.name, beside=read.beside, number=read.number):
            continue
        if whole or not store.connection.execute(in_names, (" OR ".join(words),)).fetchone():
            yield read._replace(beside=tuple(known.find_set(word) or word for word in read.beside))


def _known_cards(store: Store) -> "KnownCards":
    from ccgrid.catalog.store.lookup import StoreLookup

    return matching.known_cards.KnownCards(StoreLookup(store))


def _marks_query(read: "WrittenCard") -> Query:
    """Return the query for a name with marks next to it."""
    said = ("number", read.number), ("finish", read.finish), ("cond", read.condition), ("lang", read.language)
    places = [
        Some((Comparison(field("game"), "=", _game(word)), Comparison(field("set"), "=", word))) for word in read.beside
    ]
    marks = [Comparison(field(name), "=", value) for name, value in said if value]
    notes = [Comparison(field("is" if tag in COPY_FLAGS else "note"), ":", tag) for tag in read.tags]
    return name_query(read.name, *places, *marks, *notes)._replace(copies=read.copies)


def _game(word: str) -> str:
    return fold(word).replace(" ", "") or word


class QueryAnswer(NamedTuple):
    """The cards that match a query, up to the limit, their total number, and perhaps what each says."""

    cards: list[Card]
    total: int
    said: tuple[PrintedDescription, ...] = ()


def answer(
    store: Store, query: Query, games: Sequence[str] = (), *, limit: int | None = None, forgiving: bool = False
) -> QueryAnswer:
    """Return the cards that match a query, one entry per printing, in its order or by name and release.

    With `forgiving`, single words may be misspelt, and the most similar names come first.
    """
    _prepare(store.connection)
    compiler = _QuerySql(store.connection, owned=False)
    is_near = forgiving and bool(fold(query.words))  # of punctuation alone nothing is misspelt
    tests, values = compiler.all_of(query.conditions if is_near else query.parts)
    where, names = f"({tests})", list[str]()
    if is_near:
        names = [hit.name for hit in store.near(query.words, limit or 20)]
        marks = ",".join("?" * len(names))
        where = f"{where} AND (c.name IN ({marks}) OR c.printed_name IN ({marks}))"
        values = [*values, *names, *names]
    if games:
        where, values = f"{where} AND c.game IN ({','.join('?' * len(games))})", [*values, *games]
    found, terms = (where, values), compiler.sort_terms(query.sorts)
    if is_near or limit is None:
        rows = compiler.rows(found, terms)
        total = len(rows)
    else:
        is_by_name = not terms or terms[0].column == _NAME
        total, rows = (compiler.first_by_name if is_by_name else compiler.first)(found, terms, limit)
    if is_near and not terms:
        # Reversed, so that of a name that comes twice the first place counts.
        places = {name: place for place, name in reversed(list(enumerate(names)))}
        last = len(names)
        rows.sort(key=lambda row: min(places.get(row[_NAME_PLACE], last), places.get(row[_PRINTED_NAME_PLACE], last)))
    return QueryAnswer([card_of(row) for row in rows[:limit]], total)


def cards_where(store: Store, text: str) -> Selection:
    """Return the selection of the cards that match a query, in its order or by their ids.

    Raises:
        QueryError: If the query cannot be read.
        NotFoundError: If no card matches.
    """
    _prepare(store.connection)
    for query in query_readings(store, text):
        compiler = _QuerySql(store.connection, owned=False)
        tests, values = compiler.all_of(query.parts)
        found = f"FROM cards AS c WHERE {tests}"
        if store.connection.execute(f"SELECT 1 {found} LIMIT 1", values).fetchone():
            return Selection(
                f"number IN (SELECT c.number {found})", values, _order_by(compiler.sort_terms(query.sorts), "c.id")
            )
    raise NotFoundError(f"No card in the catalogue matches {text!r}.", kind="card", name=text)


def holdings_where(connection: sqlite3.Connection, query: Query, games: Sequence[str] = (), by: str = "name") -> Sql:
    """Return the condition on `holdings` for a query, and their order: that of the query, or one of `ORDERS`.

    Conditions on cards apply to the cards as the catalogue has them now.
    """
    _prepare(connection)
    compiler = _QuerySql(connection, owned=True)
    order, keys = _order_by(compiler.sort_terms(query.sorts), f"{ORDERS[by]}, holdings.id")
    tests, values = compiler.all_of(query.parts)
    if games:
        tests, values = f"({tests}) AND holdings.game IN ({','.join('?' * len(games))})", [*values, *games]
    if tests == "1":
        return f"ORDER BY {order}", keys
    joined = "SELECT holdings.id FROM holdings LEFT JOIN cards AS c ON c.id = holdings.card_id"
    return f"WHERE holdings.id IN ({joined} WHERE {tests}) ORDER BY {order}", [*values, *keys]


class _SortTerm(NamedTuple):
    """An expression by which cards are sorted, unknown values last, with the values of its parameters."""

    column: str
    values: list[SqlValue]
    falling: bool

    @property
    def sql(self) -> str:
        """The term as SQL. An index is used for names alone: these are never unknown, and nearly all different."""
        direction = "DESC" if self.falling else "ASC"
        return f"{self.column} {direction}" if self.column == _NAME else f"+{self.column} {direction} NULLS LAST"


def _order_by(terms: Sequence[_SortTerm], rest: str) -> Sql:
    """Return the order by some terms and then the rest."""
    return ", ".join((*(term.sql for term in terms), rest)), [value for term in terms for value in term.values]


def _no_later(terms: Sequence[_SortTerm], last: Sequence[SqlValue]) -> Sql:
    """Return the condition that a card comes no later than one with these values of the terms."""
    test, values = "1", list[SqlValue]()
    for term, value in reversed(list(zip(terms, last, strict=True))):
        if value is None:
            test, values = f"({term.column} IS NOT NULL OR {test})", [*term.values, *values]
        else:
            sign = ">" if term.falling else "<"
            test = f"({term.column} {sign}= ? AND ({term.column} {sign} ? OR {test}))"
            values = [*term.values, value, *term.values, value, *values]
    return test, values


def _numbered(numbers: str) -> Sql:
    """Return the condition that a card has one of the numbers in a JSON list."""
    return "c.number IN (SELECT value FROM json_each(?))", [numbers]


class _QuerySql:
    """Compiles the parts of a query about cards (`c`), or about holdings with their cards if they are `owned`."""

    def __init__(self, connection: sqlite3.Connection, *, owned: bool) -> None:
        self._connection, self._owned = connection, owned

    def rows(
        self, where: Sql, terms: Sequence[_SortTerm], limit: int | None = None, index: str = ""
    ) -> list[tuple[Any, ...]]:
        """Return the rows of the cards that fulfil a condition, or the first of them."""
        order, keys = _order_by(terms, f"{_NAME}, c.released, c.id")
        query = f"{select_cards('c')} {index} WHERE {where[0]} ORDER BY {order} LIMIT ?"
        most = -1 if limit is None else limit  # -1 is no limit
        return self._connection.execute(query, [*where[1], *keys, most]).fetchall()

    def first_by_name(self, where: Sql, terms: Sequence[_SortTerm], limit: int) -> tuple[int, list[tuple[Any, ...]]]:
        """Return how many cards fulfil a condition, and the first rows in the order of names.

        Few cards are sorted. Of many, the first are found by tests of one card after the other.
        """
        some = (
            f"SELECT count(*), json_group_array(number) FROM (SELECT c.number FROM cards AS c WHERE {where[0]} LIMIT ?)"  # noqa: S608
        )
        count, numbers = self._connection.execute(some, [*where[1], _FEW + 1]).fetchone()
        if count <= _FEW:
            return count, self.rows(_numbered(numbers), terms, limit)
        query = f"SELECT count(*) FROM cards AS c WHERE {where[0]}"  # noqa: S608  our own tests
        (count,) = self._connection.execute(query, where[1]).fetchone()
        return count, self.rows(where, terms, limit, "INDEXED BY cards_in_order")

    def first(self, where: Sql, terms: Sequence[_SortTerm], limit: int) -> tuple[int, list[tuple[Any, ...]]]:
        """Return how many cards fulfil a condition, and the first rows in any other order.

        One search counts the cards and lists those that come early; only these are sorted. A sample of all cards shows
        which keys are early, with a margin, so that it rarely has to be done without.
        """
        terms = [*terms, _SortTerm(_NAME, [], falling=False)]
        early, keys = self._early(where, terms, limit)
        query = f"SELECT count(*), json_group_array(c.number) FILTER (WHERE {early}) FROM cards AS c WHERE {where[0]}"  # noqa: S608
        count, numbers = self._connection.execute(query, [*keys, *where[1]]).fetchone()
        rows = self.rows(_numbered(numbers), terms, limit)
        return count, rows if len(rows) == min(limit, count) else self.rows(where, terms, limit)

    def _early(self, where: Sql, terms: Sequence[_SortTerm], limit: int) -> Sql:
        """Return the condition that a card probably comes early enough to be among the first ones."""
        (newest,) = self._connection.execute("SELECT coalesce(max(number), 0) FROM cards").fetchone()
        sample = json.dumps([1 + place * _SAMPLE_STEP % newest for place in range(min(_SAMPLE, newest))])
        (test, values), (order, keys) = _numbered(sample), _order_by(terms, "c.id")
        query = (
            f"SELECT {', '.join(term.column for term in terms)} FROM cards AS c WHERE {test} AND {where[0]}"  # noqa: S608
            f" ORDER BY {order} LIMIT 1 OFFSET ?"
        )
        place = _EARLY * (1 + limit * _SAMPLE // max(newest, 1))
        columns = [value for term in terms for value in term.values]
        last = self._connection.execute(query, [*columns, *values, *where[1], *keys, place]).fetchone()
        return _no_later(terms, last) if last else ("1", [])

    def all_of(self, parts: Sequence[Part], between: str = " AND ") -> Sql:
        """Return the condition that all parts hold, or one of them with " OR " `between` them.

        Parts on what cards say need only one look at each description. The condition may be null where it does not
        hold, so that indexes can be used.
        """
        if not parts:
            return "1", []
        said = [part for part in parts if is_on_description(part)]
        found = [self._described(All(tuple(said)) if between == " AND " else Some(tuple(said)))] if said else []
        found += [self._condition(part) for part in parts if part not in said]
        return between.join(f"({test})" for test, _ in found), [value for _, values in found for value in values]

    def _condition(self, part: Part) -> Sql:
        if isinstance(part, All | Some):
            return self.all_of(part.parts, " AND " if isinstance(part, All) else " OR ")
        if isinstance(part, Not):
            return self._negated(part.part)
        return self._word(part) if isinstance(part, Word) else self._test(part)

    def _negated(self, part: Part) -> Sql:
        """Return the condition that a part does not hold. Indexes find sets and descriptions that do not fit, too."""
        if isinstance(part, Not):
            return self.all_of([part.part])
        if isinstance(part, All | Some) and part.parts:
            return self.all_of([*map(Not, part.parts)], " OR " if isinstance(part, All) else " AND ")
        if isinstance(part, Comparison) and part.field.name == "set" and not part.is_pattern:
            return self._set(part, is_negated=part.operator != "!=")
        return negate("!=", *self.all_of([part]))

    def sort_terms(self, sorts: Iterable[Sort]) -> list[_SortTerm]:
        """Return the terms of some orders."""
        terms: list[_SortTerm] = []
        for by, falling in sorts:
            columns, keys = self._sort_columns(by, falling=falling)
            for column in columns:
                inside = f"(SELECT {column} FROM cards AS c WHERE c.id = holdings.card_id)"  # noqa: S608  our own names
                is_inside = self._owned and "c." in column and "holdings." not in column
                terms.append(_SortTerm(inside if is_inside else column, keys, falling))
        return terms

    def _sort_columns(self, by: str, *, falling: bool) -> tuple[tuple[str, ...], list[SqlValue]]:
        """Return the columns of an order, and the values of their parameters."""
        of = "holdings" if self._owned else "c"
        columns: dict[str, tuple[str, ...]] = {
            "name": ("ccgrid_fold(holdings.name)" if self._owned else _NAME,),
            "rarity": (RARITY_RANK.format("c.rarity"), "c.rarity"),
            "number": _number_order(of),
            "set": (f"{of}.game", f"{of}.set_code", *_number_order(of)),
            "place": ('ccgrid_place(holdings.box, holdings."row", holdings.slot)' if self._owned else "c.id",),
        }
        if by in columns:
            return columns[by], []
        by_field = field(by) if by in SORTS else own_field(by)
        return (
            self._described_key(by_field, falling=falling)
            if is_described(by_field)
            else ((self._column(by_field),), [])
        )

    def _described_key(self, by: Field, *, falling: bool) -> tuple[tuple[str, ...], list[SqlValue]]:
        """Return the rank of a card's description in an order by one of their fields: four bytes of a parameter."""
        column = described_order(by)
        said = f"SELECT json_group_array(id), json_group_array({column}) FROM descriptions"  # noqa: S608  our own names
        numbers, values = map(json.loads, self._connection.execute(said).fetchone())
        # A game's own field may have numbers and words.
        ordered = sorted({*values} - {None}, key=lambda value: (isinstance(value, str), value))
        ranks = {value: rank for rank, value in enumerate(ordered, 1)}
        ranks[None] = 0 if falling else len(ranks) + 1
        keys = array("I", [ranks[None]]) * (max(numbers, default=0) + 1)
        for number, value in zip(numbers, values, strict=True):
            keys[number] = ranks[value]
        if sys.byteorder == "little":
            keys.byteswap()
        return (f"substr(?, {_SAID_BY} * {keys.itemsize} + 1, {keys.itemsize})",), [keys.tobytes()]

    # --- words ------------------------------------------------------------------------------------------------------

    def _word(self, word: Word) -> Sql:
        if word.is_pattern:
            return self._pattern(word.text)
        folded = fold(word.text)
        found = "{} LIKE ? ESCAPE '\\'"
        values: list[SqlValue] = [containing(folded or word.text)]
        # Nearly all names become their normalised form by lower case, which LIKE ignores; the others are looked up.
        names = f"SELECT name FROM names WHERE folded <> lower(name) AND {found.format('folded')}"  # noqa: S608
        is_signed = bool(folded) and self._finds(names, values)
        test, times = (f"{found} OR {{0}} IN ({names})".replace("{}", "{0}"), 2) if is_signed else (found, 1)
        return self._in_names(
            lambda column: (test.format(column), values * times), (found.format(_owned_name(folded)), values)
        )

    def _pattern(self, pattern: str) -> Sql:
        return self._in_names(lambda column: fits(column, pattern), fits("holdings.name", pattern))

    def _in_names(self, test: Callable[[str], Sql], owned: Sql) -> Sql:
        """Return the condition that a card's name or printed name passes a test, or that of an owned card does."""
        # Few cards have a printed name, and these have an index. An owned card may have left the catalogue.
        (either, values), (other, others) = test("c.name"), test("printed_name")
        printed = f"SELECT number FROM cards WHERE printed_name IS NOT NULL AND ({other})"  # noqa: S608  our own tests
        if self._finds(printed, others):
            either, values = f"{either} OR c.number IN ({printed})", [*values, *others]
        return (f"{either} OR ({owned[0]})", [*values, *owned[1]]) if self._owned else (either, values)

    def _finds(self, query: str, values: Sequence[SqlValue]) -> bool:
        """Return whether a query finds anything. Testing every card against an empty list takes as long as its name."""
        return bool(self._connection.execute(f"SELECT EXISTS ({query})", values).fetchone()[0])

    # --- fields -----------------------------------------------------------------------------------------------------

    def _test(self, test: Comparison) -> Sql:
        name = "" if test.field.kind == "own" else test.field.name
        if name in _COPY_FIELDS:
            return self._copy_field_condition(test)
        if name == "is":
            return negate(test.operator, *self._flag(str(test.value)))
        if name == "face":
            return _face_condition(test)
        if name == "name" and not test.is_pattern:
            return self._name(test)
        if name == "name":
            return negate(test.operator, *self._pattern(str(test.value)))
        if name == "set" and not test.is_pattern:
            return self._set(test, is_negated=test.operator == "!=")
        if name == "rarity":
            return negate("!=" if test.operator == "!=" else "", *rarity_condition(test))
        column = self._column(test.field)
        if test.is_pattern:
            return negate(test.operator, *fits(column, str(test.value)))
        return self._comparison(test, column)

    def _described(self, part: Part) -> Sql:
        """Return the condition for a part on what cards say. A card without a description has none of it.

        Many descriptions are marked in a parameter with a byte for each, which takes a third of the time of a list.
        """
        test, values = description_condition(part)
        query = f"SELECT json_group_array(id) FROM descriptions WHERE {test}"  # noqa: S608  our own tests
        (listed,) = self._connection.execute(query, values).fetchone()
        numbers = json.loads(listed)
        if len(numbers) <= _FEW and not holds_without(part):
            return "c.description_id IN (SELECT value FROM json_each(?))", [listed]
        marks = bytearray(max(numbers, default=0) + 1)
        marks[0] = holds_without(part)
        for number in numbers:
            marks[number] = True
        return f"substr(?, {_SAID_BY} + 1, 1) = x'01'", [bytes(marks)]

    def _column(self, of: Field) -> str:
        """Return the SQL expression of a field."""
        name = of.name
        if is_described(of):
            return f"(SELECT {described_column(of)} FROM descriptions WHERE id = c.description_id)"  # noqa: S608
        if name == "year":
            return _YEAR
        if self._owned and name in _HIGHEST_OF_COPIES:
            return _HIGHEST_OF_COPIES[name]
        if name == "own":
            return f"coalesce({self._of_copies('sum(copies)')}, 0)"
        if name in _HIGHEST_OF_COPIES:
            return self._of_copies(f"max({_HIGHEST_OF_COPIES[name]})")
        if name == "date":
            return "c.released"
        if name == "id":
            return self._card()
        if self._owned and name in ("game", "set", "number", "lang"):
            return f"holdings.{_HOLDING_COLUMNS[name]}"
        return f'c."{_RENAMED_COLUMNS.get(name, name.replace("-", "_"))}"'

    def _of_copies(self, total: str) -> str:
        """Return the expression of a total over a card's copies. Most cards have none, and no look at the holdings."""
        found = f"(SELECT {total} FROM holdings AS held WHERE held.card_id = {self._card()})"  # noqa: S608  our own names
        return found if self._owned else f"CASE WHEN {_WITH_COPIES.format('TRUE')} THEN {found} END"

    def _card(self) -> str:
        return "holdings.card_id" if self._owned else "c.id"

    def _comparison(self, test: Comparison, column: str) -> Sql:
        value, operator = test.value, test.operator
        if value in (NONE, ANY) and test.field.kind in ("text", "number", "zone", "date"):
            is_none = (value == NONE) is (operator != "!=")
            return f"nullif({column}, '') IS {'' if is_none else 'NOT '}NULL", []
        sign = "=" if operator == ":" else operator
        if test.other is not None:
            return f"{column} {sign} {self._column(test.other)}", []
        if isinstance(value, int):
            return f"{column} {sign} ?", [value]
        if test.field.kind == "date":
            # A date of unknown order, 03/04/2019, is as written, and matches none.
            return f"({column} GLOB '[0-9][0-9][0-9][0-9]*' AND substr({column}, 1, {len(value)}) {sign} ?)", [value]
        if test.field.kind == "text" and operator == ":":
            return f"{column} LIKE ? ESCAPE '\\'", [containing(value)]
        value = _canonical(test.field.name, value)
        if test.field.name == "number":
            return f"ltrim({column}, '0') {sign} ltrim(?, '0') COLLATE NOCASE", [value]
        return f"{column} {sign} ? COLLATE NOCASE", [value]

    def _name(self, test: Comparison) -> Sql:
        written = str(test.value)
        if test.operator == ":":
            return self._word(Word(written))
        folded = fold(written)
        found = "{} IN (SELECT name FROM names WHERE folded = ?)" if folded else "{} = ?"
        values: list[SqlValue] = [folded or written]
        owned = f"{_owned_name(folded)} = ?", values
        return negate(test.operator, *self._in_names(lambda column: (found.format(column), values), owned))

    def _set(self, test: Comparison, *, is_negated: bool) -> Sql:
        """Return the condition for a set: by its code or an older one, or by words of its name if no code matches."""
        written, operator = str(test.value), "!=" if is_negated else "="
        if written in (NONE, ANY):
            return self._comparison(test._replace(operator=operator), self._column(test.field))
        code = matching.sets.TODAYS.get(written.casefold(), written)
        of = "holdings" if self._owned else "c"
        known = "SELECT 1 FROM {} WHERE set_code = ? COLLATE NOCASE LIMIT 1"
        if any(self._connection.execute(known.format(table), (code,)).fetchone() for table in ("cards", "holdings")):
            return negate(operator, f"{of}.set_code = ? COLLATE NOCASE", [code])
        name = "ccgrid_fold(coalesce(nullif({0}.set_name, ''), {0}.set_code))"
        is_word = test.operator == ":"
        found = f"{name} LIKE ? ESCAPE '\\'" if is_word else f"{name} = ?"
        value = containing(fold(written) or written) if is_word else fold(written)
        return self._in_sets(f"NOT {found}" if is_negated else found), [value]

    def _in_sets(self, test: str) -> str:
        """Return the condition that a set passes a test, which is made once for each set of the catalogue."""
        if self._owned:
            return test.format("holdings")
        each = f"({different_values('game', 'set_code', 'set_name')}) AS sets"
        return f"(c.game, c.set_code, c.set_name) IN (SELECT * FROM {each} WHERE {test.format('sets')})"  # noqa: S608

    def _flag(self, flag: str) -> Sql:
        if flag in _CARD_FLAGS:
            return _CARD_FLAGS[flag], []
        if flag == "promo":
            of = "holdings" if self._owned else "c"
            in_set = self._in_sets("ccgrid_special_set({0}.game, {0}.set_code, {0}.set_name)")
            number = f"{of}.collector_number"  # nearly always digits, which need no call of Python
            marked = f"CASE WHEN {number} <> CAST({number} AS INTEGER) THEN ccgrid_marked({number}) END"
            if not self._owned:
                in_set = f"c.number IN (SELECT c.number FROM cards AS c WHERE {in_set})"  # noqa: S608  our own names
            return f"{in_set} OR {marked}", []
        if flag == "owned":
            return "1" if self._owned else _WITH_COPIES.format("TRUE"), []
        return self._copies_condition(_COPY_FLAGS.get(flag, f"json_extract(details, '$.{flag}') = 1"), [])

    def _copy_field_condition(self, test: Comparison) -> Sql:
        """Return the condition on a field of copies: of the holding, or of any owned copy of the card."""
        name = test.field.name
        column = _COPY_COLUMNS.get(name, name)
        if name == "tag":
            return self._tag_test(test)
        if test.is_pattern:
            return negate(test.operator, *self._copies_condition(f"ccgrid_fits(?, {column})", [test.value]))
        value = _canonical(name, str(test.value))
        if test.field.kind == "text" and test.operator == ":":
            if value in (NONE, ANY):
                return self._copies_condition(f"{column} {'=' if value == NONE else '<>'} ''", [])
            return self._copies_condition(f"instr(ccgrid_small({column}), ?)", [value.casefold()])
        return negate(test.operator, *self._copies_condition(f"ccgrid_small({column}) = ?", [value.casefold()]))

    def _tag_test(self, test: Comparison) -> Sql:
        """Return the condition that one of the tags matches; the value `none` means copies without tags."""
        if test.value in (NONE, ANY):
            return self._copies_condition(
                f"json_extract(details, '$.tags') IS {'' if test.value == NONE else 'NOT '}NULL", []
            )
        is_so = "ccgrid_fits(?, value)" if test.is_pattern else "ccgrid_small(value) = ?"
        value = test.value if test.is_pattern else str(test.value).lstrip("#").casefold()
        found = f"EXISTS (SELECT 1 FROM json_each(coalesce(json_extract(details, '$.tags'), '[]')) WHERE {is_so})"  # noqa: S608  our own names
        return negate(test.operator, *self._copies_condition(found, [value]))

    def _copies_condition(self, test: str, values: list[SqlValue]) -> Sql:
        if self._owned:
            return re.sub(r'\b(?=(?:finish|condition|box|slot|note)\b)|(?="row")', "holdings.", test, count=1), values
        return _WITH_COPIES.format(test), values


_HOLDING_COLUMNS: Final = {"game": "game", "set": "set_code", "number": "collector_number", "lang": "language"}
_RENAMED_COLUMNS: Final = {"set": "set_code", "number": "collector_number"}


def _owned_name(folded: str) -> str:
    """Return the expression of an owned card's name as it is compared; one of punctuation alone has no other form."""
    return "ccgrid_fold(holdings.name)" if folded else "holdings.name"


def _face_condition(test: Comparison) -> Sql:
    if test.value in (NONE, ANY):
        is_none = (test.value == NONE) is (test.operator != "!=")
        return f"c.face {'=' if is_none else '<>'} '[]'", []
    sign = "=" if test.operator in (":", "!=") else test.operator
    inside = f"EXISTS (SELECT 1 FROM json_each(c.face) WHERE value {sign} ?)"  # noqa: S608  our own signs
    found = f"CASE WHEN c.face <> '[]' THEN {inside} END"
    return negate(test.operator, found, [test.value])


def _canonical(field: str, value: str) -> str:
    """Return the canonical term for the value of a field; a value without synonyms is returned unchanged."""
    if field not in _WITH_TERMS:
        return value
    from ccgrid.catalog.copy_terms import condition_word, finish_word, language_code
    from ccgrid.catalog.sources import find_card_game

    terms = {"lang": language_code, "cond": condition_word, "finish": finish_word, "game": find_card_game}
    return terms[field](value)


def _prepare(connection: sqlite3.Connection) -> None:
    """Register the functions that conditions use."""
    for name, parameters, function in _FUNCTIONS:
        connection.create_function(name, parameters, function, deterministic=True)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


@lru_cache(64)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _place_key(text: object) -> str:
    """Return a sort key for a part of a location: row 10 comes after row 9, and an empty one last."""
    numbered = re.sub(r"[0-9]+", lambda digits: f"\t{int(digits[0][:18]):018}", _text(text).casefold())
    return f"{numbered}\0" if numbered else "\U0010ffff"


_MOST_DIGITS: Final = 18  # as SQLite's whole numbers have


def _number_order(table: str) -> tuple[str, str]:
    """Return the terms of the order of collector numbers; nearly all are digits, and need no call of Python."""
    number = f"{table}.collector_number"
    value = f"CAST({number} AS INTEGER)"
    return f"CASE WHEN {number} = {value} THEN {value} ELSE ccgrid_number({number}) END", number


# Most queries do not need the module of sets, which is imported with its first use.
_FUNCTIONS: Final[Sequence[tuple[str, int, Callable[..., Any]]]] = (
    ("ccgrid_fold", 1, lambda text: fold(text or "")),
    ("ccgrid_colours", 4, has_colours),
    ("ccgrid_fits", 2, lambda pattern, text: isinstance(text, str) and _compile(pattern).search(text) is not None),
    ("ccgrid_special_set", 3, lambda *of_set: matching.sets.is_special_set(*of_set)),
    ("ccgrid_marked", 1, lambda number: matching.sets.is_marked(number)),
    # The digits of a collector number: 10 comes after 9.
    ("ccgrid_number", 1, lambda text: int("".join(filter(str.isdecimal, text or ""))[:_MOST_DIGITS] or 0)),
    ("ccgrid_small", 1, lambda text: _text(text).casefold()),
    ("ccgrid_place", 3, lambda *place: "".join(map(_place_key, place))),
)
"""The functions that conditions use, each with the number of its parameters."""
