"""Compilation of queries (`catalog.queries`) into SQL with parameters, for cards and for holdings."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.colour_queries import COMPARE, has_colours
from ccgrid.catalog.description import COLOURS, PrintedDescription
from ccgrid.catalog.errors import NoSuchNameError, NotFoundError
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.natural_order import natural_order
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
    colours_in,
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
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.text_patterns import occurs

if TYPE_CHECKING:
    from ccgrid.catalog.lines import WrittenCard
    from ccgrid.catalog.matching.known_cards import KnownCards

_FEW: Final = 1000
"""The most cards that are looked up by their numbers; the table has them in no useful order."""
_MANY_NAMES: Final = 10_000
"""From this number on, names are tested again on each card sooner than the cards of each are looked up."""
_FEW_DESCRIPTIONS: Final = 20_000
"""The most descriptions that are looked up by their numbers, which come first in the index `cards_searched`."""
_NAME: Final = "c.name COLLATE NOCASE"
_SAMPLE: Final = 1000
"""The number of cards whose sort keys show which keys come early."""
_SAMPLE_STEP: Final = 7919
"""A prime number, so that cards at regular distances are in the sample as often as others."""
_EARLY: Final = 2
"""The place in the sorted sample of the last key that is early enough for the first card of an answer."""
_NAME_PLACE, _PRINTED_NAME_PLACE = (CARD_COLUMNS.index(column) for column in ("name", "printed_name"))
_YEAR: Final = "nullif(CAST(c.released AS INTEGER), 0)"  # the digits at its beginning
_WITH_COPIES: Final = "SELECT number FROM cards WHERE id IN (SELECT card_id FROM holdings WHERE {})"
_COPY_FIELDS: Final = ("box", "row", "slot", "cond", "finish", "note", "tag", "grade", "column")
"""The fields of copies, in contrast to those of cards."""
_COPY_COLUMNS: Final = {
    "cond": "condition",
    "row": '"row"',
    "grade": "coalesce(json_extract(details, '$.grader') || ' ', '') || coalesce(json_extract(details, '$.grade'), '')",
    "column": "coalesce(json_extract(details, '$.own'), '')",
}
_CARD_FLAGS: Final = {
    "legal": "+c.legal = 1",  # with the sign, the index of legal cards is not used: few columns are in it
    "barred": "+c.legal = 0",
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
_TOTALS: Final = {
    "own": ("sum(copies)", "0"),
    **{name: (f"max({value})", "NULL") for name, value in _HIGHEST_OF_COPIES.items()},
}
"""The total of a card's copies in these fields, and that of a card without copies."""
_REVERSED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""Comparisons with the sides exchanged."""
_COPIES: Final = "(SELECT card_id, {} AS key FROM holdings GROUP BY +card_id) CROSS JOIN cards AS c ON c.id = card_id"
"""The rows of all cards with copies, with a total as `key`."""
_WITH_TERMS: Final = {
    "lang": "SELECT 1 FROM cards WHERE lang = ?1 COLLATE NOCASE UNION ALL"
    " SELECT 1 FROM holdings WHERE language = ?1 COLLATE NOCASE",
    "cond": "SELECT 1 FROM holdings WHERE condition = ? COLLATE NOCASE",
    "finish": "SELECT 1 FROM holdings WHERE finish = ? COLLATE NOCASE",
}
"""Fields whose values have synonyms, and the queries for other values that are stored."""
_MAY_BE_MARKED: Final = (
    "collector_number <> CAST(collector_number AS INTEGER)"
    " AND (collector_number GLOB '*[sSpPſ★†*]' OR collector_number GLOB '[★†]*')"
)
"""What SQLite can tell of the marks that `matching.sets.is_marked` looks for; few numbers need a call of Python."""
_NO_NUMBERS: Final = ["[]"]
"""The parameters of a condition that no card fulfils: an empty JSON list."""
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
    text = replace_surrogates(text.replace("\0", " ").strip())
    connection = store.connection
    known = "SELECT 1 FROM cards WHERE id = ?1 UNION SELECT 1 FROM holdings WHERE card_id = ?1"
    called = (
        "SELECT 1 FROM names WHERE folded = ?1 AND name = ?2 COLLATE NOCASE"
        " UNION SELECT 1 FROM holdings WHERE name = ?2 COLLATE NOCASE"
    )
    if is_plain(text):
        yield from (_marks_query(connection, read) for read in _with_places(store, text))
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
                yield _marks_query(connection, read)
    if not is_plain(text):
        yield parse(text, lambda: tuple(field_names(connection)))


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


def _marks_query(connection: sqlite3.Connection, read: "WrittenCard") -> Query:
    """Return the query for a name with marks next to it."""
    values = ("number", read.number), ("finish", read.finish), ("cond", read.condition), ("lang", read.language)
    places = [_place(connection, word) for word in read.beside]
    marks = [Comparison(field(name), "=", value) for name, value in values if value]
    notes = [Comparison(field("is" if tag in COPY_FLAGS else "note"), ":", tag) for tag in read.tags]
    return name_query(read.name, *places, *marks, *notes)._replace(copies=read.copies)


def _place(connection: sqlite3.Connection, word: str) -> Part:
    """Return the condition for a word next to a name: a set or, if the catalogue has it, a game."""
    game, in_set = fold(word).replace(" ", "") or word, Comparison(field("set"), "=", word)
    try:
        _known_game(connection, game)
    except NoSuchNameError:
        return in_set
    return Some((Comparison(field("game"), "=", game), in_set))


def _canonical(connection: sqlite3.Connection, name: str, value: str) -> str:
    """Return the canonical term for the value of a field; a value without synonyms is returned unchanged.

    Raises:
        NoSuchNameError: If there is no such condition, finish, language or game, and none is stored.
    """
    if name == "game":
        return _known_game(connection, value)
    if name not in _WITH_TERMS:
        return value
    from ccgrid.catalog.copy_terms import known_condition, known_finish, known_language

    terms = {"lang": known_language, "cond": known_condition, "finish": known_finish}
    try:
        return terms[name](value)
    except NoSuchNameError:
        if not connection.execute(_WITH_TERMS[name], (value,)).fetchone():
            raise
        return value


def _known_game(connection: sqlite3.Connection, text: str) -> str:
    """Return the short name of a game that the catalogue or the collection has.

    Raises:
        NoSuchNameError: If neither has it; the message lists the games of the catalogue.
    """
    from ccgrid.catalog.sources import find_card_game

    game = find_card_game(text)
    stored = "SELECT 1 FROM cards WHERE game = ?1 UNION ALL SELECT 1 FROM holdings WHERE game = ?1 LIMIT 1"
    if not connection.execute(stored, (game,)).fetchone():
        games = [game for (game,) in connection.execute(different_values("game"))]
        message = f"The catalogue has no cards of the game {text!r}. It has: {', '.join(games)}."
        raise NoSuchNameError(message, kind="game", name=text, known=games)
    return game


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
        total, rows = compiler.first(found, terms, limit)
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
        found = f"SELECT c.number FROM {compiler.joined('cards AS c')} WHERE {tests}"  # noqa: S608  our own tests
        test, numbers = compiler.among("number", found, values)
        if numbers != _NO_NUMBERS:
            return Selection(test, numbers, _order_by(compiler.sort_terms(query.sorts), "c.id"))
    raise NotFoundError(f"No card in the catalogue matches {text!r}.", kind="card", name=text)


def holdings_where(connection: sqlite3.Connection, query: Query, games: Sequence[str] = (), by: str = "name") -> Sql:
    """Return the condition on `holdings` for a query, and their order: that of the query, or one of `ORDERS`.

    Conditions on cards apply to the cards as the catalogue has them now.
    """
    _prepare(connection)
    compiler = _QuerySql(connection, owned=True)
    order = _order_by(compiler.sort_terms(query.sorts), f"{ORDERS[by]}, holdings.id")
    tests, values = compiler.all_of(query.parts)
    if games:
        tests, values = f"({tests}) AND holdings.game IN ({','.join('?' * len(games))})", [*values, *games]
    if tests == "1":
        return f"ORDER BY {order}", values
    source = compiler.joined("holdings LEFT JOIN cards AS c ON c.id = holdings.card_id")
    return f"WHERE holdings.id IN (SELECT holdings.id FROM {source} WHERE {tests}) ORDER BY {order}", values  # noqa: S608


class _SortTerm(NamedTuple):
    """An expression by which cards are sorted, unknown values last; `of` is its field if a search finds its values."""

    column: str
    falling: bool
    of: Field | None = None

    @property
    def sql(self) -> str:
        """The term as SQL."""
        return f"{self.column} {'DESC' if self.falling else 'ASC'} NULLS LAST"


def _order_by(terms: Sequence[_SortTerm], rest: str) -> str:
    """Return the order by some terms and then the rest."""
    return ", ".join((*(term.sql for term in terms), rest))


def _flat(part: Part, kind: type[All | Some]) -> Iterator[Part]:
    """Yield the parts of a part of a conjunction (`All`) or a disjunction (`Some`) that need no brackets in it."""
    if isinstance(part, kind):
        for one in part.parts:
            yield from _flat(one, kind)
    elif isinstance(part, Not) and isinstance(part.part, All | Some) and not isinstance(part.part, kind):
        for one in part.part.parts:
            yield from _flat(Not(one), kind)
    elif isinstance(part, Not) and isinstance(part.part, Not):
        yield from _flat(part.part.part, kind)
    else:
        yield part


def _numbered(numbers: str) -> Sql:
    """Return the condition that a card has one of the numbers in a JSON list."""
    return "c.number IN (SELECT value FROM json_each(?))", [numbers]


class _QuerySql:
    """Compiles the parts of a query about cards (`c`), or about holdings with their cards if they are `owned`."""

    def __init__(self, connection: sqlite3.Connection, *, owned: bool) -> None:
        self._connection, self._owned = connection, owned
        self._said: list[str] = []
        """The expressions that are needed of the description of each card."""

    def joined(self, cards: str) -> str:
        """Return the rows of cards with what the query needs of each one's description."""
        if not self._said:
            return cards
        columns = ", ".join(f"{said} AS s{place}" for place, said in enumerate(self._said))
        return f"{cards} LEFT JOIN (SELECT id, {columns} FROM descriptions) AS said ON said.id = c.description_id"  # noqa: S608

    def _say(self, expression: str) -> str:
        """Return the name of an expression of the description of a card, null for a card without one."""
        self._said.append(expression)
        return f"said.s{len(self._said) - 1}"

    def rows(self, where: Sql, terms: Sequence[_SortTerm], limit: int | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of the cards that fulfil a condition, or the first of them."""
        order = _order_by(terms, f"{_NAME}, c.released, c.id")
        query = f"{self.joined(select_cards('c'))} WHERE {where[0]} ORDER BY {order} LIMIT ?"
        return self._connection.execute(query, [*where[1], -1 if limit is None else limit]).fetchall()

    def first(self, where: Sql, terms: Sequence[_SortTerm], limit: int) -> tuple[int, list[tuple[Any, ...]]]:
        """Return how many cards fulfil a condition, and the first rows.

        One search counts the cards and lists those that come early; only these are sorted. A sample of all cards shows
        which keys are early, with a margin, so that it rarely has to be done without.
        """
        early, keys = self._early(where, [*terms, _SortTerm(_NAME, falling=False)], limit)
        found = f"count(*), json_group_array(c.number) FILTER (WHERE {early})"
        query = f"SELECT {found} FROM {self.joined('cards AS c')} WHERE {where[0]}"  # noqa: S608  our own tests
        count, numbers = self._connection.execute(query, [*keys, *where[1]]).fetchone()
        rows = self.rows(_numbered(numbers), terms, limit)
        return count, rows if len(rows) == min(limit, count) else self.rows(where, terms, limit)

    def _early(self, where: Sql, terms: Sequence[_SortTerm], limit: int) -> Sql:
        """Return the condition that a card probably comes early enough to be among the first ones."""
        (newest,) = self._connection.execute("SELECT coalesce(max(number), 0) FROM cards").fetchone()
        sample = json.dumps([1 + place * _SAMPLE_STEP % newest for place in range(min(_SAMPLE, newest))])
        test, values = _numbered(sample)
        query = (
            f"SELECT {', '.join(term.column for term in terms)} FROM {self.joined('cards AS c')}"  # noqa: S608
            f" WHERE {test} AND {where[0]} ORDER BY {_order_by(terms, 'c.id')} LIMIT 1 OFFSET ?"
        )
        place = _EARLY * (1 + limit * _SAMPLE // max(newest, 1))
        last = self._connection.execute(query, [*values, *where[1], place]).fetchone()
        return self._no_later(terms, last) if last else ("1", [])

    def _no_later(self, terms: Sequence[_SortTerm], last: Sequence[SqlValue]) -> Sql:
        """Return the condition that a card comes no later than one with these values of the terms."""
        test, values = "1", list[SqlValue]()
        for term, value in reversed(list(zip(terms, last, strict=True))):
            sign, column = ">" if term.falling else "<", term.column
            if term.of is not None and is_described(term.of):
                column = self._say(described_order(term.of))
            elif term.of is not None:
                place, marks = self._places(term.of, "IS NOT" if value is None else sign, value)
                test, values = f"CASE {place} WHEN x'01' THEN 1 WHEN x'02' THEN {test} END", [marks, *values]
                continue
            if value is None:
                test = f"({column} IS NOT NULL OR {test})"
            else:
                test = f"({column} {sign}= ? AND ({column} {sign} ? OR {test}))"
                values = [value, value, *values]
        return test, values

    def _places(self, of: Field, sign: str, value: SqlValue) -> tuple[str, bytes]:
        """Return the expression of a card's place by its copies, and its parameter: 1 before a value, 2 at it, else 0.

        The place may be 1 or 2 for a card that comes later, too: those that come early are sorted.
        """
        total, absent = _TOTALS[of.name]
        tests = f"key {sign} ?1", "key IS ?1"
        marks = _marks(self._numbers(_COPIES.format(total), tests, [value]))
        query = (
            f"SELECT (SELECT max(number) FROM cards), CASE WHEN {tests[0]} THEN 1 ELSE 2 * ({tests[1]}) END"  # noqa: S608
            f" FROM (SELECT {absent} AS key)"
        )
        newest, fill = self._connection.execute(query, [value]).fetchone()
        return "substr(?, c.number + 1, 1)", marks.ljust(newest + 1, b"\0").replace(b"\0", bytes([fill or 0]))

    def _numbers(self, source: str, tests: Sequence[str], values: list[SqlValue]) -> list[list[int]]:
        """Return for each test the numbers in rows that pass it."""
        lists = ", ".join(f"json_group_array(number) FILTER (WHERE {test})" for test in tests)
        found = self._connection.execute(f"SELECT {lists} FROM {source}", values)  # noqa: S608  our own tests
        return list(map(json.loads, found.fetchone()))

    def among(self, number: str, query: str, values: list[SqlValue], few: int | None = None) -> Sql:
        """Return the condition that a number is among those that a query finds, which is made only once.

        Many numbers are marked in a parameter with a byte for each, which a search through all cards reads in a third
        of the time of a list. At most `few` (by default `_FEW`) are listed, so that an index finds them.
        """
        (numbers,) = self._numbers(f"({query})", ["TRUE"], values)
        if len(numbers) <= (_FEW if few is None else few):
            return f"{number} IN (SELECT value FROM json_each(?))", [json.dumps(numbers)]  # noqa: S608  our own names
        return f"substr(?, {number} + 1, 1) = x'01'", [_marks([numbers])]

    def all_of(self, parts: Sequence[Part], between: str = " AND ") -> Sql:
        """Return the condition that all parts hold, or one of them with " OR " `between` them.

        Parts on what cards say need only one look at each description. The condition may be null where it does not
        hold, so that indexes can be used.
        """
        is_every = between == " AND "
        parts = [one for part in parts for one in _flat(part, All if is_every else Some)]
        if not parts:
            return "1", []
        described = tuple(part for part in parts if is_on_description(part))
        found = (
            [self._described(All(described) if is_every else Some(described), is_index_of_use=is_every)]
            if described
            else []
        )
        words = tuple(part for part in parts if isinstance(part, Word) and not part.is_pattern and fold(part.text))
        words = () if is_every or len(words) == 1 else words
        found += [self._any_word(words)] if words else []
        found += [self._condition(part) for part in parts if part not in described and part not in words]
        found.sort(key=lambda condition: "said." in condition[0])  # the others decide on most cards
        return between.join(f"({test})" for test, _ in found), [value for _, values in found for value in values]

    def _condition(self, part: Part) -> Sql:
        if isinstance(part, All | Some):
            return self.all_of(part.parts, " AND " if isinstance(part, All) else " OR ")
        if isinstance(part, Not):
            return self._negated(part.part)
        return self._word(part) if isinstance(part, Word) else self._test(part)

    def _negated(self, part: Part) -> Sql:
        """Return the condition that a part does not hold."""
        if isinstance(part, All | Some) and part.parts:
            return self.all_of([*map(Not, part.parts)], " OR " if isinstance(part, All) else " AND ")
        return negate("!=", *self.all_of([part]))

    def sort_terms(self, sorts: Iterable[Sort]) -> list[_SortTerm]:
        """Return the terms of some orders."""
        terms: list[_SortTerm] = []
        for by, falling in sorts:
            columns, of = self._sort_columns(by)
            for column in columns:
                inside = f"(SELECT {column} FROM cards AS c WHERE c.id = holdings.card_id)"  # noqa: S608  our own names
                is_inside = self._owned and "c." in column and "holdings." not in column
                terms.append(_SortTerm(inside if is_inside else column, falling, of))
        return terms

    def _sort_columns(self, by: str) -> tuple[tuple[str, ...], Field | None]:
        """Return the columns of an order, and its field if a search finds its values."""
        of = "holdings" if self._owned else "c"
        columns: dict[str, tuple[str, ...]] = {
            "name": ("ccgrid_fold(holdings.name)" if self._owned else _NAME,),
            "rarity": (RARITY_RANK.format("c.rarity"), "c.rarity"),
            "number": _number_order(of),
            "set": (f"{of}.game", f"{of}.set_code", *_number_order(of)),
            "place": ('ccgrid_place(holdings.box, holdings."row", holdings.slot)' if self._owned else "c.id",),
        }
        if by in columns:
            return columns[by], None
        by_field = field(by) if by in SORTS else own_field(by)
        if is_described(by_field):
            return (_of_description(described_order(by_field)),), by_field
        return (self._column(by_field),), by_field if by_field.name in _TOTALS else None

    # --- words ------------------------------------------------------------------------------------------------------

    def _word(self, word: Word) -> Sql:
        if not word.is_pattern:
            return self._named([word.text], "LIKE ? ESCAPE '\\'", [containing(fold(word.text) or word.text)])
        test, values = fits("{0}", word.text)
        return self._in_names(test.format("names.name"), values, test.format("holdings.name"))

    def _any_word(self, words: Sequence[Word]) -> Sql:
        """Return the condition that one of several words occurs in a name; each name is tested once."""
        texts = [fold(word.text) for word in words]
        return self._named(texts, "LIKE ? ESCAPE '\\'", list(map(containing, texts)))

    def _named(self, texts: Sequence[str], sign: str, values: list[SqlValue]) -> Sql:
        """Return the condition on the normalised form of names; a text of punctuation alone has no such form."""

        def one_of(name: str) -> str:
            return f"({' OR '.join([f'{name} {sign}'] * len(texts))})"

        if not all(map(fold, texts)):
            return self._in_names(one_of("names.name"), values, one_of("holdings.name"))
        direct = one_of("{0}") if sign.startswith("LIKE") else ""
        return self._in_names(one_of("folded"), values, one_of("ccgrid_fold(holdings.name)"), direct)

    def _in_names(self, test: str, values: list[SqlValue], owned: str, direct: str = "") -> Sql:
        """Return the condition that a card's name or printed name passes a test, or that of an owned card does.

        Each name is tested once, and its cards are looked up. If there are many, those of cards are tested with
        `direct`, and only names that differ from their normalised form by more than capitals are looked up. An owned
        card may have left the catalogue.
        """
        some = f"SELECT count(*) FROM (SELECT 1 FROM names WHERE {test} LIMIT {_MANY_NAMES})"  # noqa: S608
        if direct and self._connection.execute(some, values).fetchone()[0] < _MANY_NAMES:
            direct = ""
        if direct:
            test = f"folded <> lower(name) AND {test}"
            printed = f"printed_name IS NOT NULL AND ({direct.format('printed_name')} OR printed_name IN found)"
            cards = f"cards WHERE name IN found UNION ALL SELECT number FROM cards WHERE {printed}"  # noqa: S608
        else:
            each = "found CROSS JOIN cards ON cards.{} = found.name"
            cards = " UNION ALL SELECT number FROM ".join(map(each.format, ("name", "printed_name")))
        query = f"WITH found AS (SELECT name FROM names WHERE {test}) SELECT number FROM {cards}"  # noqa: S608
        found, numbers = self.among("c.number", query, values * (2 if direct else 1), few=0 if direct else None)
        tests = filter(None, (direct.format("c.name"), found, f"({owned})" if self._owned else ""))
        return " OR ".join(tests), [*(values if direct else ()), *numbers, *(values if self._owned else ())]

    # --- fields -----------------------------------------------------------------------------------------------------

    def _test(self, test: Comparison) -> Sql:
        name = "" if test.field.kind == "own" else test.field.name
        if name in _COPY_FIELDS:
            return self._copy_field_condition(test)
        if name == "is":
            return negate(test.operator, *self._flag(str(test.value)))
        if name == "face":
            return _face_condition(test)
        if name == "id" and not self._owned:
            found = self.among("c.number", "SELECT number FROM cards WHERE id = ? COLLATE NOCASE", [str(test.value)])
            return negate(test.operator, *found)
        if name == "name":
            return self._name(test)
        if name == "set" and not test.is_pattern:
            return self._set(test)
        if name == "rarity":
            return negate("!=" if test.operator == "!=" else "", *rarity_condition(test))
        if name in _TOTALS and not self._owned:
            return self._by_copies(test)
        if test.other is not None and test.other.name in _TOTALS and not self._owned:
            return self._test(Comparison(test.other, _REVERSED.get(test.operator, test.operator), name, test.field))
        column = self._column(test.field)
        if test.is_pattern:
            return negate(test.operator, *fits(column, str(test.value)))
        return self._comparison(test, column)

    def _described(self, part: Part, *, is_index_of_use: bool) -> Sql:
        """Return the condition for a part on what cards say. A card without a description has none of it.

        If the part holds for such a card, those descriptions are found for which it does not hold: they are few.
        """
        self._check_colours(part)
        sign, found = ("!=", Not(part)) if holds_without(part) else ("=", part)
        test, values = description_condition(found)
        query = f"SELECT id AS number FROM descriptions WHERE {test}"  # noqa: S608  our own tests
        few = _FEW_DESCRIPTIONS if is_index_of_use and sign == "=" else 0
        return negate(sign, *self.among("c.description_id", query, values, few))

    def _check_colours(self, part: Part) -> None:
        """Raise NoSuchNameError for a colour that neither Magic nor the catalogue has."""
        known = [*COLOURS.values()]
        if unknown := set(map(str.casefold, colours_in(part))).difference(map(str.casefold, known)):
            query = "SELECT DISTINCT colours FROM descriptions WHERE colours <> ''"
            stored = {colour for (colours,) in self._connection.execute(query) for colour in colours.split(", ")}
            known += sorted(stored.difference(known))
            for colour in sorted(unknown.difference(map(str.casefold, known))):
                message = f"There is no colour {colour!r}. There are: {', '.join(known)}."
                raise NoSuchNameError(message, kind="colour", name=colour, known=known)

    def _column(self, of: Field) -> str:
        """Return the SQL expression of a field."""
        name = of.name
        if is_described(of):
            return self._say(described_column(of))
        if name == "year":
            return _YEAR
        if self._owned and name in _HIGHEST_OF_COPIES:
            return _HIGHEST_OF_COPIES[name]
        if name in _TOTALS:
            total, absent = _TOTALS[name]
            return f"coalesce((SELECT {total} FROM holdings AS held WHERE held.card_id = {self._card()}), {absent})"  # noqa: S608
        if name == "date":
            return "c.released"
        if name == "id":
            return self._card()
        if self._owned and name in ("game", "set", "number", "lang"):
            return f"holdings.{_HOLDING_COLUMNS[name]}"
        return f'c."{_RENAMED_COLUMNS.get(name, name.replace("-", "_"))}"'

    def _by_copies(self, test: Comparison) -> Sql:
        """Return the condition for the total of a card's copies. Most cards have no copies."""
        total, absent = _TOTALS[test.field.name]
        (passes, values), (other, others) = self._comparison(test, "key"), self._comparison(test, absent)
        copies = self.joined(_COPIES.format(total))
        marks = _marks(self._numbers(copies, (passes, f"({passes}) IS NOT TRUE"), [*values, *values]))
        return f"CASE substr(?, c.number + 1, 1) WHEN x'01' THEN 1 WHEN x'02' THEN 0 ELSE {other} END", [marks, *others]

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
        value = _canonical(self._connection, test.field.name, value)
        if test.field.name == "number":
            return f"ltrim({column}, '0') {sign} ltrim(?, '0') COLLATE NOCASE", [value]
        return f"{column} {sign} ? COLLATE NOCASE", [value]

    def _name(self, test: Comparison) -> Sql:
        written = str(test.value)
        if test.is_pattern or test.operator == ":":
            found = self._word(Word(written, test.is_pattern))
        else:
            found = self._named([written], "= ?", [fold(written) or written])
        return negate(test.operator, *found)

    def _set(self, test: Comparison) -> Sql:
        """Return the condition for a set: by its code or an older one, or by words of its name if no code matches."""
        written, of = str(test.value), "holdings" if self._owned else "c"
        if written in (NONE, ANY):
            return self._comparison(test, self._column(test.field))
        code = matching.sets.TODAYS.get(written.casefold(), written)
        known = "SELECT 1 FROM {} WHERE set_code = ? COLLATE NOCASE LIMIT 1"
        if any(self._connection.execute(known.format(table), (code,)).fetchone() for table in ("cards", "holdings")):
            return negate(test.operator, f"{of}.set_code = ? COLLATE NOCASE", [code])
        sign, value = (
            ("LIKE ? ESCAPE '\\'", containing(fold(written) or written))
            if test.operator == ":"
            else ("= ?", fold(written))
        )
        found = f"ccgrid_fold(coalesce(nullif({{0}}.set_name, ''), {{0}}.set_code)) {sign}"
        if self._owned:
            return negate(test.operator, found.format("holdings"), [value])
        return negate(test.operator, *self.among("c.number", _cards_in_sets(found), [value]))

    def _flag(self, flag: str) -> Sql:
        if flag in _CARD_FLAGS:
            return _CARD_FLAGS[flag], []
        if flag == "promo":
            in_set = "ccgrid_special_set({0}.game, {0}.set_code, {0}.set_name)"
            if self._owned:
                return f"{in_set.format('holdings')} OR ccgrid_marked(holdings.collector_number)", []
            marked = "SELECT number FROM cards WHERE CASE WHEN {} THEN ccgrid_marked(collector_number) END"
            query = f"{_cards_in_sets(in_set)} UNION ALL {marked.format(_MAY_BE_MARKED)}"
            return self.among("c.number", query, [])
        if flag == "owned":
            return ("1", []) if self._owned else self.among("c.number", _WITH_COPIES.format("TRUE"), [])
        return self._copies_condition(_COPY_FLAGS.get(flag, f"json_extract(details, '$.{flag}') = 1"), [])

    def _copy_field_condition(self, test: Comparison) -> Sql:
        """Return the condition on a field of copies: of the holding, or of any owned copy of the card."""
        name = test.field.name
        column = _COPY_COLUMNS.get(name, name)
        if name == "tag":
            return self._tag_test(test)
        if test.is_pattern:
            return negate(test.operator, *self._copies_condition(f"ccgrid_fits(?, {column})", [test.value]))
        value = _canonical(self._connection, name, str(test.value))
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
        return self.among("c.number", _WITH_COPIES.format(test), values)


_HOLDING_COLUMNS: Final = {"game": "game", "set": "set_code", "number": "collector_number", "lang": "language"}
_RENAMED_COLUMNS: Final = {"set": "set_code", "number": "collector_number"}


def _of_description(value: str) -> str:
    """Return the expression of a value in a card's description."""
    return f"(SELECT {value} FROM descriptions WHERE id = c.description_id)"  # noqa: S608  our own names


def _cards_in_sets(test: str) -> str:
    """Return the query for the cards in sets that pass a test, which is made once for each set of the catalogue."""
    sets = f"SELECT * FROM ({different_values('game', 'set_code', 'set_name')}) AS sets WHERE {test.format('sets')}"  # noqa: S608
    return f"SELECT number FROM cards WHERE (game, set_code, set_name) IN ({sets})"  # noqa: S608  our own tests


def _marks(lists: Sequence[Sequence[int]]) -> bytes:
    """Return a byte for each number: the place of the list that has it, from 1, else 0."""
    marks = bytearray(1 + max(max(numbers, default=0) for numbers in lists))
    for place, numbers in enumerate(lists, 1):
        for number in numbers:
            marks[number] = place
    return bytes(marks)


def _face_condition(test: Comparison) -> Sql:
    """Return the condition on the numbers elsewhere on the face, 0 to 10, whose list is tested as a text."""
    if test.value in (NONE, ANY):
        is_none = (test.value == NONE) is (test.operator != "!=")
        return f"c.face {'=' if is_none else '<>'} '[]'", []
    compare = COMPARE[test.operator]
    digits = "".join(str(number) for number in range(10) if compare(number, test.value)) or "none"
    ten = " OR instr(c.face, '10')" if compare(10, test.value) else ""
    return negate(test.operator, f"c.face GLOB '*[[,][{digits}][],]*'{ten}", [])


def _prepare(connection: sqlite3.Connection) -> None:
    """Register the functions that conditions use."""
    for name, parameters, function in _FUNCTIONS:
        connection.create_function(name, parameters, function, deterministic=True)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


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
    ("ccgrid_fits", 2, occurs),
    ("ccgrid_special_set", 3, lambda *of_set: matching.sets.is_special_set(*of_set)),
    ("ccgrid_marked", 1, lambda number: matching.sets.is_marked(number)),
    # The digits of a collector number: 10 comes after 9.
    (
        "ccgrid_number",
        1,
        lru_cache(1 << 14)(lambda text: int("".join(filter(str.isdecimal, text or ""))[:_MOST_DIGITS] or 0)),
    ),
    ("ccgrid_small", 1, lambda text: _text(text).casefold()),
    ("ccgrid_place", 3, lambda *place: "".join(natural_order(_text(part)) for part in place)),
)
"""The functions that conditions use, each with the number of its parameters."""
