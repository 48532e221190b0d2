"""The names of a catalogue: each once, with its normalised form and an index of its words."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ccgrid.catalog.matching.names import (
    LONGEST,
    LONGEST_QUERY,
    MOST_EDITS,
    NameHit,
    fold,
    fold_all,
    near_words,
    similar_lengths,
)


def in_games(games: Collection[str], column: str = "game") -> str:
    """Return the SQL that restricts a query of cards to some games, whose names are its parameters; nothing for all.

    With `+game` as the column, SQLite looks the cards up by something else, instead of testing all cards of the games.
    """
    return f" AND {column} IN ({','.join('?' * len(games))})" if games else ""


def delete_unused_names(connection: sqlite3.Connection) -> None:
    """Delete the names that no card uses."""
    connection.execute(
        "DELETE FROM names WHERE name NOT IN (SELECT name FROM cards)"
        " AND name NOT IN (SELECT printed_name FROM cards WHERE printed_name IS NOT NULL)"
    )


def last_name_id(connection: sqlite3.Connection) -> int:
    """Return the number of the newest indexed name."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM names").fetchone()[0])


def add_names(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Store every name once, with its normalised form."""
    ordered = sorted(names)
    rows = zip(ordered, fold_all(ordered), strict=True)
    connection.executemany("INSERT OR IGNORE INTO names (name, folded) VALUES (?, ?)", rows)


def index_names(connection: sqlite3.Connection, after: int) -> None:
    """Add the names above a number to the full-text index. All at once, this takes a sixth of the time."""
    connection.execute("INSERT INTO names_fts (rowid, folded) SELECT id, folded FROM names WHERE id > ?", (after,))


_WORDS_TRIED: Final = 4
"""The number of words of a name, its rarest, that are looked up: a similar name shares one of them."""

_PER_PART: Final = 800
"""The maximum number of names for each part that is looked up."""

_PER_WORD: Final = 200
"""The maximum number of names for each word."""

_WORDS_CACHED: Final = 50_000  # words whose number of names is cached

_HIGHEST_CHARACTER: Final = "\U0010ffff"

_LENGTHS: Final = (0, 1, -1, 2, -2)
"""The differences in length between a misspelt name and the intended one."""

_SHIFTS: Final = tuple((more, shift) for more in _LENGTHS for shift in range(max(-1, -more - 1), min(1, 1 - more) + 1))
"""The differences in length with the shifts of the middle third: one edit may be before it, and one after it."""

_IDS: Final = "SELECT id FROM names WHERE length(folded)"

_NEIGHBOURS: Final = "SELECT id FROM (SELECT id, folded FROM names WHERE folded >= ? AND folded < ? ORDER BY folded"

_WITH_WORD: Final = "SELECT rowid FROM names_fts WHERE names_fts MATCH ?"

# One statement for all: middles, ends, beginnings. Its parameters come, in this order, from `_middles`, `_ends` and
# `_beginnings`.
_PARTS: Final = (
    *[f"{_IDS} = ? AND substr(folded, length(folded) / 3 + 1, length(folded) / 3) = ? LIMIT {_PER_PART}"]
    * len(_SHIFTS),
    *[f"{_IDS} = ? AND substr(folded, length(folded) / 3 * 2 + 1) = ? LIMIT {_PER_PART}"] * (len(_LENGTHS) + 3),
    *(
        f"{_NEIGHBOURS} {order} LIMIT {_PER_PART}) WHERE length(folded) BETWEEN ? AND ?"
        for order in ("DESC", "ASC", "ASC", "ASC")
    ),
)


def _with_any(parts: Iterable[str]) -> str:
    """Return the query for the names that any of some queries finds."""
    ids = " UNION ALL SELECT * FROM ".join(f"({part})" for part in parts)
    return f"SELECT name, folded FROM names WHERE id IN (SELECT * FROM {ids})"  # noqa: S608  our own parts


_SELECT_SIMILAR: Final = _with_any(_PARTS)

_SELECT_WITH_WORDS: Final = _with_any([f"{_WITH_WORD} LIMIT {_PER_WORD}"])

_SELECT_SHARING: Final = (
    _with_any([f"{_WITH_WORD} LIMIT {_PER_WORD}"] * _WORDS_TRIED) + " AND length(folded) BETWEEN ? AND ?"
)

# Counting stops at the limit, because only the rarest words matter.
_COUNT: Final = f"SELECT count(*) FROM ({_WITH_WORD} LIMIT {_PER_WORD})"  # noqa: S608  the same


class NameIndex:
    """The names of an open catalogue, looked up by their parts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._count_names = lru_cache(_WORDS_CACHED)(self._query_name_count)

    def like(self, folded: str) -> list[tuple[str, str]]:
        """Return the similar names with their normalised forms, in the catalogue's order.

        These are names up to two edits away, and names that contain the text. If many names have the same part, or the
        same words, some of them are left out.
        """
        wanted = folded[:LONGEST]
        if not wanted:
            return []
        parts = (*_middles(wanted), *_ends(wanted), *_beginnings(wanted))
        found = self._select(_SELECT_SIMILAR, parts)
        *whole, last = wanted.split()
        if all(map(self._count_names, whole)):
            words = " ".join(f'"{word}"' for word in (*whole, last)) + "*"
            found += self._select(_SELECT_WITH_WORDS, (words,))
        return list(dict.fromkeys(found))

    def sharing(self, folded: str) -> list[tuple[str, str]]:
        """Return the names of a similar length that share one of the rarest words, in the same form and order."""
        wanted = folded[:LONGEST]
        words = sorted(sorted(set(wanted.split())), key=self._count_names)[:_WORDS_TRIED]
        # Fill up with empty phrases, which match nothing.
        quoted = [f'"{word}"' for word in words] + ['""'] * (_WORDS_TRIED - len(words))
        return self._select(_SELECT_SHARING, (*quoted, *similar_lengths(wanted)))

    def has_name(self, name: str, set_code: str, games: Collection[str]) -> bool:
        """Return whether a card of a set, or of any if it is "", has a name; only cards of these games, or of all."""
        # The cards are looked up by their names: a set or a game has many more.
        where = (" AND +set_code = ?2 COLLATE NOCASE" if set_code else "") + in_games(games, "+game")
        query = f"SELECT 1 FROM cards WHERE (name = ?1 OR printed_name = ?1){where} LIMIT 1"  # noqa: S608  our own
        own = ((set_code,) if set_code else ()) + tuple(games)
        return not where or self._connection.execute(query, (name, *own)).fetchone() is not None

    def _select(self, query: str, values: tuple[str | int, ...]) -> list[tuple[str, str]]:
        return self._connection.execute(f"{query} ORDER BY id", values).fetchall()

    def _query_name_count(self, word: str) -> int:
        return int(self._connection.execute(_COUNT, (f'"{word}"',)).fetchone()[0])


def _middles(wanted: str) -> Iterator[int | str]:
    """Yield lengths, and the middles that names of that length may have."""
    for more, shift in _SHIFTS:
        third = (len(wanted) + more) // 3
        start = max(third + shift, 0)
        # No name has the length -1. It stands for a missing part, so that the statement stays the same.
        yield len(wanted) + more if third else -1
        yield wanted[start : start + third]


def _ends(wanted: str) -> Iterator[int | str]:
    """Yield lengths, and the ends that names of that length may have; then those with a swap before them undone."""
    for more in _LENGTHS:
        yield len(wanted) + more
        yield wanted[max((len(wanted) + more) // 3 * 2 - more, 0) :]
    for more in _LENGTHS[:3]:
        start = (len(wanted) + more) // 3 * 2 - more
        yield len(wanted) + more if start > 0 else -1
        yield wanted[start - 1 : start] + wanted[start + 1 :]


def _beginnings(wanted: str) -> Iterator[int | str]:
    """Yield ranges of names with the same beginning, and their lengths; the last two with a swap undone."""
    length = len(wanted)
    # The neighbours of the wanted name in the alphabet, before and after it, that begin with its first third.
    start = wanted[: max(length - MOST_EDITS, 0) // 3]
    yield from (start, wanted, length - MOST_EDITS, length + MOST_EDITS)
    yield from (wanted, start + _HIGHEST_CHARACTER, length - MOST_EDITS, length + MOST_EDITS)
    for third in ((length - 1) // 3, (length + 1) // 3):
        swapped = wanted[: third - 1] + wanted[third : third + 1] if third > 0 else wanted
        yield from (swapped, swapped + _HIGHEST_CHARACTER, length - 1, length + 1)


MOST_COMPARED: Final = 10_000
"""The number of names up to which all are compared. Of more names, only those with similar words are."""

_MOST_WORDS: Final = 12  # words of a query

_MOST_FOUND: Final = 10_000  # names

_WORDS_PER_CHUNK: Final = 20_000  # words of the index

_VOCABULARY: Final = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.name_words USING fts5vocab(main, names_fts, row)"

_SELECT_MATCHES: Final = (
    "SELECT name, folded FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ? LIMIT ?)"
)


def names_containing(connection: sqlite3.Connection, query: str, limit: int) -> list[NameHit]:
    """Return the best names with a word for each of the query that starts with it, best first.

    They are scored as by `rank`: the exact name, names that start with the query, those with all its words, the rest.
    SQLite does it, because a short word begins words of tens of thousands of names.
    """
    wanted = fold(query)[:LONGEST_QUERY]
    if not (words := wanted.split()):
        return []
    start = "instr(' ' || folded || ' ', ' ' || ?{} || {}) > 0"
    numbers = range(2, len(words) + 2)
    whole, begun = (" AND ".join(start.format(number, end) for number in numbers) for end in ("' '", "''"))
    score = (
        "CASE WHEN folded = ?1 THEN 100.0 WHEN instr(folded, ?1 || ' ') = 1 THEN 96.0"
        f" WHEN instr(folded, ?1) = 1 THEN 92.0 WHEN {whole} THEN 90.0 WHEN {begun} THEN 80.0 END"
    )
    found = (
        f"SELECT name, {score} AS score FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?)"  # noqa: S608  our own score
        " AND score IS NOT NULL ORDER BY score DESC, length(name), name LIMIT ?"
    )
    match = " ".join(f'"{word}"*' for word in words)
    return [NameHit(*row) for row in connection.execute(found, (wanted, *words, match, limit))]


def names_near(connection: sqlite3.Connection, query: str) -> Iterable[tuple[str, str]]:
    """Return similar names with their normalised forms: with a similar word for each of the query, or with a rare one.

    The words are read from the full-text index, so this needs no index of its own, and no memory for all names.
    """
    if last_name_id(connection) <= MOST_COMPARED:
        return connection.execute("SELECT name, folded FROM names")
    words = fold(query)[:LONGEST_QUERY].split()[:_MOST_WORDS]
    near = near_words([*words, *map("".join, pairwise(words))], _vocabulary(connection))
    found = dict[str, str]()
    own = near[: len(words)]
    if own and all(own):
        found |= _names(connection, " AND ".join(map(_match_any, own)))
    rare, left = list[str](), _MOST_FOUND
    for term, count in sorted({pair for terms in near for pair in terms.items()}, key=lambda pair: pair[1]):
        left -= count
        if left < 0:
            break
        rare.append(term)
    if rare:
        found |= _names(connection, _match_any(rare))
    return found.items()


def _vocabulary(connection: sqlite3.Connection) -> Iterator[dict[str, int]]:
    """Yield the words of all names with the number of names that have them, in chunks."""
    connection.execute(_VOCABULARY)
    rows = connection.execute("SELECT term, doc FROM temp.name_words")
    while piece := dict(rows.fetchmany(_WORDS_PER_CHUNK)):
        yield piece


def _match_any(terms: Iterable[str]) -> str:
    return "(" + " OR ".join(f'"{term}"' for term in terms) + ")"


def _names(connection: sqlite3.Connection, asked: str) -> dict[str, str]:
    return dict(connection.execute(_SELECT_MATCHES, (asked, _MOST_FOUND)).fetchall())
