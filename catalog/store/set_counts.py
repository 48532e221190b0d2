"""How many cards of a set are owned, and which ones are missing."""

from collections.abc import Sequence
from typing import Final

import msgspec

from ccgrid.catalog.natural_order import natural_order
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.surrogates import replace_surrogates

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
"""A query with a row for each number of a set, or each name if cards have no numbers. Languages do not count."""

_COUNTS: Final = """
SELECT game, set_code, max(set_name), count(*), sum(owned), sum(copies) FROM pieces
GROUP BY game, set_code HAVING sum(owned) >= ? ORDER BY game, min(released), set_code
"""

_MISSING: Final = """
SELECT id, game, set_code, piece FROM pieces
JOIN (SELECT game, set_code FROM pieces GROUP BY game, set_code HAVING sum(owned) >= ?) USING (game, set_code)
WHERE NOT owned
"""


class SetCount(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of cards of a set, of owned cards of it, and of their copies."""

    game: str
    set_code: str
    set_name: str
    cards: int
    owned: int
    copies: int


def set_counts(
    collection: CollectionStore, sets: Sequence[str] = (), games: Sequence[str] = (), *, every: bool = False
) -> list[SetCount]:
    """Return the sets with owned cards, or those with these codes or names, or every set, in order of release."""
    pieces, values = _restrict_to_sets(sets, games)
    fewest = 0 if every or sets else 1
    rows = collection.store.connection.execute(pieces + _COUNTS, (*values, fewest))
    return [SetCount(**dict(zip(SetCount.__struct_fields__, row, strict=True))) for row in rows]


def missing_ids(
    collection: CollectionStore, sets: Sequence[str] = (), games: Sequence[str] = (), *, every: bool = False
) -> list[str]:
    """Return the ids of the cards of these sets that are not owned, by set and number; for each number the first id."""
    pieces, values = _restrict_to_sets(sets, games)
    fewest = 0 if every or sets else 1
    rows = collection.store.connection.execute(pieces + _MISSING, (*values, fewest)).fetchall()
    return [row[0] for row in sorted(rows, key=lambda row: (row[1], row[2], natural_order(row[3])))]


def _restrict_to_sets(sets: Sequence[str], games: Sequence[str]) -> tuple[str, list[str]]:
    where, values = "", list[str]()
    for column, wanted in (("game", games), ("set", sets)):
        if not wanted:
            continue
        marks = ", ".join("?" * len(wanted))
        names = ("cards.game",) if column == "game" else ("lower(cards.set_code)", "lower(cards.set_name)")
        where += f" AND ({' OR '.join(f'{name} IN ({marks})' for name in names)})"
        values += [replace_surrogates(one if column == "game" else one.lower()) for _ in names for one in wanted]
    return _PIECES.format(where=where), values
