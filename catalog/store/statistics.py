"""Numbers of cards in a catalogue: by game, set and year, and by printed number."""

import json
from collections.abc import Sequence
from typing import Any, Final, Literal, cast

import msgspec

from ccgrid.catalog import queries
from ccgrid.catalog.errors import NoSuchNameError
from ccgrid.catalog.store.cards import ZONE_COLUMNS, CardFile
from ccgrid.catalog.store.descriptions import field_names
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
    """The numbers of all cards and of legal ones, also by game.

    Attributes:
        bundled: Present if there is no catalogue yet and the cards come with the program.
    """

    cards: int
    legal: int
    games: list[GameStats]
    bundled: Literal[True] | msgspec.UnsetType = msgspec.UNSET


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


class ValueCount(msgspec.Struct, frozen=True, kw_only=True):
    """The number of cards or copies with a value of a field, and of legal ones; the value is null if it is unknown."""

    value: str | None
    count: int
    legal: int


class FieldStats(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of cards, or of owned copies, by the values of a field, the most frequent first.

    Attributes:
        field: The name of the field.
        counted: What is counted.
        total: The number of all. A card with several keywords counts once for each of them.
        bundled: Present if there is no catalogue yet and the cards come with the program.
    """

    field: str
    counted: Literal["cards", "copies"]
    total: int
    legal: int
    values: list[ValueCount]
    bundled: Literal[True] | msgspec.UnsetType = msgspec.UNSET


_MAIN_TYPE: Final = "CASE WHEN instr(type, ' — ') THEN substr(type, 1, instr(type, ' — ') - 1) ELSE type END"
_COUNTED_BY: Final = {
    **{"game": "game", "lang": "lang", "reason": "reason", "rarity": "rarity", "artist": "artist"},
    **{"set": "coalesce(nullif(set_name, ''), set_code)", "year": "substr(released, 1, 4)", "score": "score"},
    **{"type": _MAIN_TYPE, "mv": "mana_value", "cost": "cost", "keyword": "keyword.value"},
    **{"color": "iif(colours = '', 'colourless', colours)", "identity": "iif(identity = '', 'colourless', identity)"},
}
"""The fields by which cards can be counted, besides those of single games, and their SQL."""
_KEYWORDS: Final = (
    " LEFT JOIN json_each('[' || replace(json_quote(nullif(keywords, '')), ', ', '\",\"') || ']') AS keyword"
)
_ALL: Final = "SELECT 1 AS weight, * FROM cards"
_OWNED: Final = (
    "SELECT copies AS weight, cards.* FROM holdings LEFT JOIN cards ON cards.id = card_id"
    " WHERE holdings.id IN (SELECT value FROM json_each(?))"
)


def count_by(
    store: CardFile, name: str, only: Selection = ALL_CARDS, holdings: Sequence[int] | None = None
) -> FieldStats:
    """Count the selected cards, or the copies in some holdings, by the values of a field.

    Raises:
        NoSuchNameError: If there is no such field; the message names the nearest ones.
    """
    known = {*_COUNTED_BY, *field_names(store.connection)}
    name = queries.field_name(name)
    if name not in known:
        raise NoSuchNameError(
            f"Cards cannot be counted by {name!r}. The nearest are {', '.join(queries.nearest(name, known))}.",
            kind="field",
            name=name,
            known=sorted(known),
        )
    value = _COUNTED_BY.get(name) or f"json_extract(fields, '$.{name}')"
    where, values = where_clause((), only, legal=False)
    source = f"{_ALL} {where}" if holdings is None else _OWNED
    query = (
        f"SELECT {value}, sum(weight), coalesce(sum(iif(legal, weight, 0)), 0) FROM ({source})"  # noqa: S608  our own names
        " LEFT JOIN descriptions ON descriptions.id = description_id"
        f"{_KEYWORDS if name == 'keyword' else ''} GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    rows = store.connection.execute(query, values if holdings is None else [json.dumps(holdings)]).fetchall()
    totals = f"SELECT coalesce(sum(weight), 0), coalesce(sum(iif(legal, weight, 0)), 0) FROM ({source})"  # noqa: S608
    total, legal = store.connection.execute(totals, values if holdings is None else [json.dumps(holdings)]).fetchone()
    counts: dict[str, ValueCount] = {}
    for found, count, usable in rows:  # an empty text is unknown, too; of several spellings the most frequent is shown
        text = "" if found is None else str(found)
        so_far = counts.get(text.casefold(), ValueCount(value=text or None, count=0, legal=0))
        counts[text.casefold()] = ValueCount(
            value=so_far.value, count=so_far.count + count, legal=so_far.legal + usable
        )
    return FieldStats(
        field=name,
        counted="cards" if holdings is None else "copies",
        total=total,
        legal=legal,
        values=sorted(counts.values(), key=lambda value: -value.count),
    )


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
