"""Where a misspelt name is looked for: among all names, or in a large catalogue among those with words near its own."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from catalog.matching.search import LONGEST_QUERY, fold
from catalog.matching.similar_names import near_words
from catalog.store.names import last_name

MOST_COMPARED: Final = 100_000
"""So many names are compared one by one; of more, those with words near the ones that were asked for."""
_MOST_WORDS: Final = 12
_MOST_FOUND: Final = 10_000
_AT_ONCE: Final = 20_000
_VOCABULARY: Final = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.name_words USING fts5vocab(main, names_fts, row)"
_FOUND: Final = (
    "SELECT name, folded FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ? LIMIT ?)"
)


def likely_names(connection: sqlite3.Connection, query: str) -> Iterable[tuple[str, str]]:
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
    rare, room = list[str](), _MOST_FOUND
    for term, count in sorted({pair for terms in near for pair in terms.items()}, key=lambda pair: pair[1]):
        room -= count
        if room < 0:
            break
        rare.append(term)
    if rare:
        found |= _names(connection, _any_of(rare))
    return found.items()


def _vocabulary(connection: sqlite3.Connection) -> Iterator[dict[str, int]]:
    """The words of all names, and in how many names each is, a piece at a time."""
    connection.execute(_VOCABULARY)
    rows = connection.execute("SELECT term, doc FROM temp.name_words")
    while piece := dict(rows.fetchmany(_AT_ONCE)):
        yield piece


def _any_of(terms: Iterable[str]) -> str:
    return "(" + " OR ".join(f'"{term}"' for term in terms) + ")"


def _names(connection: sqlite3.Connection, asked: str) -> dict[str, str]:
    return dict(connection.execute(_FOUND, (asked, _MOST_FOUND)).fetchall())
