"""Numbers of cards in a catalogue: by game, set and year, and by printed number."""

from typing import Any, Final, cast

import msgspec

from ccgrid.catalog.store.cards import ZONE_COLUMNS, CardFile
from ccgrid.catalog.store.selection import ALL_CARDS, Selection, where_clause
from ccgrid.catalog.zones import ZONES, ZoneNumbers

_HIGHEST: Final = 10
"""The highest number on a card that counts; the lowest is 0."""


class GameStats(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of cards of a game, of legal ones, and of others by the reason why they are barred.

    `zones` counts legal cards with a number in each zone, and is empty if no card is legal.
    """

    game: str
    cards: int
    legal: int
    barred: dict[str, int]
    zones: ZoneNumbers


class CatalogueStats(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of all cards and of legal ones, also by game."""

    cards: int
    legal: int
    games: list[GameStats]


class SetSize(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of all cards and of legal ones in a set, which is named after its game."""

    set: str
    cards: int
    legal: int


class YearSize(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of all cards and of legal ones that were released in a year."""

    year: int
    cards: int
    legal: int


class PlottedStats(CatalogueStats, frozen=True, kw_only=True):
    """The counts that charts show: also by set and year, and for each zone how many legal cards have 0, 1, … 10."""

    sets: list[SetSize]
    years: list[YearSize]
    numbers: dict[str, list[int]]


def count_cards(store: CardFile, only: Selection = ALL_CARDS) -> CatalogueStats:
    """Count the selected cards by game, reason and zone."""
    barred = dict[str, dict[str, int]]()
    legal = dict[str, int]()
    where, values = where_clause((), only, legal=False)
    query = f"SELECT game, reason, count(*) FROM cards {where} GROUP BY game, reason"  # noqa: S608  our own tests
    for game, reason, count in store.connection.execute(f"{query} ORDER BY game, count(*) DESC, reason", values):
        of_game = barred.setdefault(game, {})
        if reason is None:
            legal[game] = count
        else:
            of_game[reason] = count
    counts = ", ".join(f'count("{column}")' for column in ZONE_COLUMNS)
    where, values = where_clause((), only, legal=True)
    query = f"SELECT game, {counts} FROM cards {where} GROUP BY game"  # noqa: S608  our own column names
    zones = {
        game: cast("ZoneNumbers", dict(zip(ZONES, numbers, strict=True)))
        for game, *numbers in store.connection.execute(query, values)
    }
    games = [
        GameStats(
            game=game,
            cards=legal.get(game, 0) + sum(reasons.values()),
            legal=legal.get(game, 0),
            barred=reasons,
            zones=zones.get(game, {}),
        )
        for game, reasons in barred.items()
    ]
    return CatalogueStats(cards=sum(game.cards for game in games), legal=sum(legal.values()), games=games)


def count_for_plots(store: CardFile, only: Selection = ALL_CARDS) -> PlottedStats:
    """Count the selected cards as `count_cards` does, and by set, by year, and by number and zone."""
    where, values = where_clause((), only, legal=False)

    def count_by(what: str) -> list[tuple[Any, ...]]:
        query = f"SELECT {what}, count(*), sum(legal = 1) FROM cards {where} GROUP BY 1 ORDER BY 1"  # noqa: S608
        return store.connection.execute(query, values).fetchall()

    sets = count_by("game || ': ' || coalesce(nullif(set_name, ''), nullif(set_code, ''), 'no set')")
    years = count_by("CAST(nullif(substr(released, 1, 4), '') AS INTEGER)")
    where_legal, values_of_legal = where_clause((), only, legal=True)
    zones = dict[str, list[int]]()
    for zone, column in zip(ZONES, ZONE_COLUMNS, strict=True):
        query = f'SELECT "{column}", count(*) FROM cards {where_legal} GROUP BY 1'  # noqa: S608  our own names
        found = dict(store.connection.execute(query, values_of_legal).fetchall())
        zones[zone] = [found.get(number, 0) for number in range(_HIGHEST + 1)]
    stats = count_cards(store, only)
    return PlottedStats(
        cards=stats.cards,
        legal=stats.legal,
        games=stats.games,
        sets=[SetSize(set=name, cards=cards, legal=legal) for name, cards, legal in sets],
        years=[YearSize(year=year, cards=cards, legal=legal) for year, cards, legal in years if year],
        numbers=zones,
    )
