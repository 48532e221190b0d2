"""How cards are spread over sets and years, and which numbers stand in which zone."""

from typing import Any, Final, TypedDict

from ccgrid.catalog.card import ZONES
from ccgrid.catalog.store.catalogue import ALL_CARDS, Selection, Store, chosen
from ccgrid.catalog.store.whole_cards import ZONE_COLUMNS

HIGHEST: Final = 10
"""Numbers that count go from 0 to this."""


class SetSpreadJson(TypedDict):
    """How many cards of a set there are, which is named behind its game, and how many are legal."""

    set: str
    cards: int
    legal: int


class YearSpreadJson(TypedDict):
    """How many cards are of a year, and how many of them are legal."""

    year: int
    cards: int
    legal: int


class DistributionsJson(TypedDict):
    """How cards are spread over sets and years; of each zone how many legal cards have 0, 1, … 10 there."""

    sets: list[SetSpreadJson]
    years: list[YearSpreadJson]
    numbers: dict[str, list[int]]


def distributions(store: Store, only: Selection = ALL_CARDS) -> DistributionsJson:
    """Cards and legal ones by set and by year, and how many legal cards have each number from 0 to 10 in each zone."""
    where, values = chosen((), only, legal=False)

    def counted(what: str) -> list[tuple[Any, ...]]:
        query = f"SELECT {what}, count(*), sum(legal = 1) FROM cards {where} GROUP BY 1 ORDER BY 1"  # noqa: S608
        return store.connection.execute(query, values).fetchall()

    sets = counted("game || ': ' || coalesce(nullif(set_name, ''), nullif(set_code, ''), 'no set')")
    years = counted("CAST(nullif(substr(released, 1, 4), '') AS INTEGER)")
    of_legal, values_of_legal = chosen((), only, legal=True)
    zones = dict[str, list[int]]()
    for zone, column in zip(ZONES, ZONE_COLUMNS, strict=True):
        query = f'SELECT "{column}", count(*) FROM cards {of_legal} GROUP BY 1'  # noqa: S608  our own names
        found = dict(store.connection.execute(query, values_of_legal).fetchall())
        zones[zone] = [found.get(number, 0) for number in range(HIGHEST + 1)]
    return {
        "sets": [{"set": name, "cards": cards, "legal": legal} for name, cards, legal in sets],
        "years": [{"year": year, "cards": cards, "legal": legal} for year, cards, legal in years if year],
        "numbers": zones,
    }
