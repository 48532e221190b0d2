"""The cards of a catalogue: looked up, searched, drawn, counted, and copied for looking around in."""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict, TypeVar, cast

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card, NumberJson
from ccgrid.catalog.card_ids import CUSTOM
from ccgrid.catalog.card_pool import CardPool, Numbers, Sampler
from ccgrid.catalog.errors import CatalogError, DamagedCatalogueError, NoSuchNameError
from ccgrid.catalog.files import make_folder, move_to_new_name
from ccgrid.catalog.outcome import OUTCOME
from ccgrid.catalog.printing import SkippedRows
from ccgrid.catalog.store.cells import cell_list
from ccgrid.catalog.store.file import check_closed, check_new
from ccgrid.catalog.store.lookup import (
    CARD_COLUMNS,
    ZONE_COLUMNS,
    CardFile,
    StoreLookup,
    card_of,
    select_cards,
)
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.temporary import errors_naming, temporary_folder_beside
from ccgrid.catalog.zones import ZONES, ZoneNumbers

Sql = tuple[str, list[Any]]
"""A condition, and the values of its question marks."""


class Selection(NamedTuple):
    """Which rows of `cards AS c` are meant: a condition, the values of its question marks, and the order."""

    test: str
    values: list[Any]
    order: str = "c.id"


ALL_CARDS: Final = Selection("1", [])
"""Every card."""
_NAME_COLUMNS: Final = CARD_COLUMNS[: CARD_COLUMNS.index(ZONE_COLUMNS[0])]
_POOL_COLUMNS: Final = (*_NAME_COLUMNS, *("face", "reason", "attack", "defense", "released", "lang", "printed_name"))
"""What a pool gets as one JSON text, which is seldom read: as columns it would take twice as long."""
_PARTS: Final = ", ".join(
    (*(f'"{column}"' for column in ZONE_COLUMNS), "score", f"json_array({', '.join(_POOL_COLUMNS)})")
)
_SELECT_POOL: Final = f"SELECT {_PARTS} FROM cards"  # noqa: S608  our own column names


class GameStatsJson(TypedDict):
    """The cards of a game: how many are legal, how many barred by reason.

    `zones` counts legal cards with a number there, and is empty where no card is legal.
    """

    game: str
    cards: int
    legal: int
    barred: dict[str, int]
    zones: ZoneNumbers


class StatsJson(TypedDict):
    """How many cards there are, how many of them are legal, and the same by game."""

    cards: int
    legal: int
    games: list[GameStatsJson]


class Store(CardFile):
    """The cards of a catalogue that is open; a context manager."""

    def is_empty(self) -> bool:
        """Whether the catalogue holds no card at all."""
        return self.connection.execute("SELECT 1 FROM cards LIMIT 1").fetchone() is None

    def is_enough(self, cards: int) -> bool:
        """Whether it has cards of a source, or at least `cards` legal ones entered by hand."""
        query = (
            "SELECT EXISTS (SELECT 1 FROM cards WHERE source <> ?1) OR (SELECT count(*) FROM cards WHERE legal) >= ?2"
        )
        return bool(self.connection.execute(query, (CUSTOM, cards)).fetchone()[0])

    def has_data(self, game: str) -> bool:
        """Whether it holds cards of this game from a source."""
        query = "SELECT EXISTS (SELECT 1 FROM cards WHERE game = ? AND source <> ?)"
        return bool(self.connection.execute(query, (game, CUSTOM)).fetchone()[0])

    # --- single cards -------------------------------------------------------------------------------------------

    def by_name(self, name: str) -> list[Card]:
        """Every printing of a name as it is written, in English or as it is printed, the earliest first."""
        where = " WHERE name = ?1 OR printed_name = ?1 ORDER BY released, id"
        return [card_of(row) for row in self.connection.execute(select_cards() + where, (replace_surrogates(name),))]

    def find(self, text: str, set_code: str = "", number: str = "") -> Card:
        """The card that is meant by an id or a name, and a set and a number where they are given.

        It is the one that every command takes, as `catalog.matching.resolver` says. Raises CatalogError where there is
        none, or cards of several games match.
        """
        row = matching.asking.Row(name=text, set_code=set_code, number=number)
        return matching.resolver.Resolver(StoreLookup(self)).resolve(row).card

    def explain(self, card_id: str) -> list[NumberJson]:
        """Every number printed on a card as {zone, field, raw, value, counts, why, confidence}, in its layout's order.

        The confidence says how sure it is that the field is printed there: high, medium or low.
        """
        from ccgrid.catalog.evidence import Evidence, explain_evidence, number_json

        row = self.connection.execute("SELECT printed FROM cards WHERE id = ?", (card_id,)).fetchone()
        try:
            evidence: list[Evidence] = [tuple(entry) for entry in cell_list(row[0])] if row else []
            return [
                number_json(zone, name, entry[2], found)
                for entry in evidence
                for zone, name, found in explain_evidence([entry])
            ]
        except (ValueError, TypeError, LookupError) as error:
            raise DamagedCatalogueError from error

    def zone_numbers(self, card_id: str) -> dict[str, list[int]]:
        """The numbers that count in each zone of a card, in its layout's order: several where that bars it."""
        found: dict[str, list[int]] = {}
        for number in self.explain(card_id):
            if number["counts"] and number["zone"] in ZONES:
                found.setdefault(number["zone"], []).append(number["value"])
        return found

    # --- many cards ---------------------------------------------------------------------------------------------

    def legal_ids(self, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> list[str]:
        """The ids of the cards that may be in a deck, in the order of the ids."""
        where, values = where_clause(games, only, legal=True)
        rows = self.connection.execute(f"SELECT id FROM cards {where} ORDER BY id", values)  # noqa: S608  our own tests
        return [row[0] for row in rows]

    def draw(self, count: int, dice: Sampler, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> list[Card]:
        """Different legal cards, drawn uniformly; the same for the same catalogue and dice.

        Raises CatalogError where there are fewer legal cards than that, or a game is not in the catalogue.
        """
        for game in games:
            self.check_game(game)
        ids = self.legal_ids(games, only)
        if len(ids) < count:
            cards_there = f"{len(ids)} legal cards" if ids else "no legal card"
            what = f" of {', '.join(games)}" if games else ""
            if only != ALL_CARDS:
                raise CatalogError(f"The catalogue has {cards_there}{what} matching the query, and {count} are needed.")
            raise CatalogError(
                f"The catalogue has {cards_there}{what}, and {count} are needed. Try: ccgrid import starter"
            )
        return self.cards([ids[number] for number in dice.sample(len(ids), count)])

    def check_game(self, game: str) -> None:
        """Looks whether the catalogue has cards of a game.

        Raises:
            NoSuchNameError: it has none; the games that it has are named.
            CatalogError: it has none of a game that is known here, or none at all.
        """
        if not self.connection.execute(
            "SELECT 1 FROM cards WHERE game = ? LIMIT 1", (replace_surrogates(game),)
        ).fetchone():
            from importlib import resources

            games = [row[0] for row in self.connection.execute("SELECT DISTINCT game FROM cards ORDER BY game")]
            known = f"It has: {', '.join(games)}." if games else "It is empty. Try: ccgrid import starter"
            message = f"The catalogue has no cards of the game {game!r}. {known}"
            is_known = not games or (
                game.isalnum() and (resources.files("ccgrid.data.layouts") / f"{game}.toml").is_file()
            )
            if is_known:
                raise CatalogError(message)
            raise NoSuchNameError(message, kind="game", name=game, known=games)

    def all_cards(
        self, games: Sequence[str] = (), *, legal: bool = False, only: Selection = ALL_CARDS
    ) -> Iterator[Card]:
        """Every card, or every legal one, of these games or of all, in the order of the selection: that of the ids."""
        where, values = where_clause(games, only, legal=legal)
        found = f"{select_cards('c')} {where} ORDER BY {only.order}"
        return (card_of(row) for row in self.connection.execute(found, values))

    def legal_pool(self, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> CardPool:
        """Every legal card of these games or of all, in the order of the ids, none of which is made yet."""
        where, values = where_clause(games, only, legal=True)
        rows = self.connection.execute(f"{_SELECT_POOL} {where} ORDER BY id", values)
        return CardPool.of(rows, _pool_card)

    def stats(self, only: Selection = ALL_CARDS) -> StatsJson:
        """What the catalogue holds, in the documented shape: cards, legal, and per game barred by reason and zones."""
        games: dict[str, GameStatsJson] = {}
        where, values = where_clause((), only, legal=False)
        query = f"SELECT game, reason, count(*) FROM cards {where} GROUP BY game, reason"  # noqa: S608  our own tests
        for game, reason, count in self.connection.execute(f"{query} ORDER BY game, count(*) DESC, reason", values):
            entry = games.setdefault(game, {"game": game, "cards": 0, "legal": 0, "barred": {}, "zones": {}})
            entry["cards"] += count
            if reason is None:
                entry["legal"] = count
            else:
                entry["barred"][reason] = count
        counts = ", ".join(f'count("{column}")' for column in ZONE_COLUMNS)
        where, values = where_clause((), only, legal=True)
        query = f"SELECT game, {counts} FROM cards {where} GROUP BY game"  # noqa: S608  our own column names
        for game, *zones in self.connection.execute(query, values):
            games[game]["zones"] = cast("ZoneNumbers", dict(zip(ZONES, zones, strict=True)))
        return {
            "cards": sum(entry["cards"] for entry in games.values()),
            "legal": sum(entry["legal"] for entry in games.values()),
            "games": list(games.values()),
        }

    def shares_at(self, zone: str) -> dict[str, float]:
        """For each game that has legal cards, what part of these has a number in a zone."""
        column = ZONE_COLUMNS[ZONES.index(zone)]
        query = f'SELECT game, 1.0 * count("{column}") / count(*) FROM cards WHERE legal = 1 GROUP BY game'  # noqa: S608
        return dict(self.connection.execute(query).fetchall())

    def sources(self) -> dict[str, dict[str, Any]]:
        """Return for each imported source its cards, and the version, address and time of its last import."""
        query = "SELECT source, count(*), max(released) FROM cards GROUP BY source"
        counts = {source: (count, newest) for source, count, newest in self.connection.execute(query)}
        rows = self.tables.query(
            "SELECT source, version, address, imported FROM imports"
            " WHERE id IN (SELECT max(id) FROM imports GROUP BY source)"
        )
        found = {row["source"]: (row, *counts.get(row["source"], (0, None))) for row in rows}
        return {source: {**row, "cards": cards, "newest": newest} for source, (row, cards, newest) in found.items()}


def where_clause(games: Sequence[str], only: Selection, *, legal: bool) -> Sql:
    """The `WHERE` of cards of these games, or of all, for which a condition is so, or legal ones of these alone."""
    tests = ["legal = 1"] if legal else []
    if games:
        tests.append(f"game IN ({','.join('?' * len(games))})")
    if only != ALL_CARDS:
        tests.append(only.test)
    return f"WHERE {' AND '.join(tests)}" if tests else "", [*games, *only.values]


def _pool_card(numbers: Numbers, text: str) -> Card:
    (*zones, score), rest = numbers, cell_list(text)
    named, (face, *others) = rest[: len(_NAME_COLUMNS)], rest[len(_NAME_COLUMNS) :]
    return card_of([*named, *zones, face, score, True, *others])


COUNTS: Final = ("read", "added", "changed", "unchanged", "removed", "skipped")


class Provenance(NamedTuple):
    """Where the rows of an import come from; `layout` is a fingerprint of how they are read."""

    source: str
    address: str
    layout: str
    version: str | None = None
    sha256: str | None = None
    size: int | None = None
    digest: Callable[[], str | None] | None = None
    """Gives `sha256` in the end, where that is still worked out while the rows are read."""


class ImportJson(TypedDict):
    """What an import did; `read` is the sum of added, changed, unchanged and skipped, `barred` counts by reason."""

    source: str
    version: str | None
    read: int
    added: int
    changed: int
    unchanged: int
    removed: int
    skipped: int
    legal: int
    remarks: list[str]
    barred: dict[str, int]
    seconds: float


@dataclass(slots=True)
class ImportSummary:
    """What an import did; `read` is the sum of added, changed, unchanged and skipped."""

    source: str
    version: str | None = None
    read: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: int = 0
    legal: int = 0
    barred: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    reasons: SkippedRows = field(default_factory=SkippedRows)
    remarks: list[str] = field(default_factory=list)
    """What people should know of how the data were read."""

    def to_dict(self) -> ImportJson:
        """The documented shape of `import --json`."""
        fields = {name: getattr(self, name) for name in ("source", "version", *COUNTS, "legal", "remarks")}
        fields |= {"barred": dict(self.barred.most_common()), "seconds": round(self.seconds, 3)}
        return cast("ImportJson", fields)

    def count(self, reasons: Iterable[tuple[str | None, int]]) -> None:
        """Count more cards by the reason why they are barred, which is None for legal ones."""
        for reason, count in reasons:
            if reason is None:
                self.legal += count
            else:
                self.barred[reason] += count


_RARE: Final = 100
"""All cards of a score that no more cards have are taken: high scores are rare, and matter most."""


def sample_pool(
    store: Store, most: int, dice: Sampler, games: tuple[str, ...] = (), only: Selection = ALL_CARDS
) -> list[Card]:
    """The legal cards of these games or of all, in the order of their ids; a sample where there are more than `most`.

    The catalogue and the dice decide it. It is drawn uniformly, and every card of a rare score is added.
    """
    where, values = where_clause(games, only, legal=True)
    query = f"SELECT score, count(*) FROM cards {where} GROUP BY score"  # noqa: S608  only marks
    counts = dict(store.connection.execute(query, values).fetchall())
    count = sum(counts.values())
    if count <= most:
        return list(store.all_cards(games, legal=True, only=Selection(only.test, only.values)))
    drawn = frozenset(dice.sample(count, most))
    rows = store.connection.execute(f"SELECT id FROM cards {where} ORDER BY id", values)  # noqa: S608  only marks
    ids = {card_id for place, (card_id,) in enumerate(rows) if place in drawn}
    rare = [score for score, cards in counts.items() if cards <= _RARE]
    query = f"SELECT id FROM cards {where} AND score IN ({','.join('?' * len(rare))})"  # noqa: S608  the same
    ids.update(card_id for (card_id,) in store.connection.execute(query, (*values, *rare)))
    return store.cards(sorted(ids))


Result = TypeVar("Result")


class _UnfinishedError(Exception):
    """Another command has begun the catalogue meanwhile."""


def work_on(path: Path, work: Callable[[Store], Result]) -> Result:
    """Does some work on the catalogue at a path and returns what that gives.

    Where there is none, the work is done on a new one beside it, which then takes its place. If another command has
    made one by then, the work is done again, on that: nobody meets a catalogue that is still empty, or goes again.

    Raises:
        CatalogError: the file is not a catalogue, or it cannot be opened.
        OSError: there is no room for a new one.
    """
    while not path.exists():
        with suppress(_UnfinishedError):
            return _create(path, work)
    with Store(path, create=True) as store:
        return work(store)


def _create(path: Path, work: Callable[[Store], Result]) -> Result:
    """Does the first work on a catalogue; raises _UnfinishedError where another command has made one meanwhile."""
    check_new(path)
    make_folder(path.parent)
    with errors_naming(path), temporary_folder_beside(path) as folder:
        new = folder / path.name
        try:
            with Store(new, create=True) as store:
                store.path = path
                result = work(store)
            check_closed(new)
            try:
                move_to_new_name(new, path)
            except FileExistsError as error:
                raise _UnfinishedError from error
        except BaseException:
            if new.exists() and not (path.exists() and path.samefile(new)):  # else it has just got its name
                OUTCOME.discard()
            raise
    return result


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
    where, values = where_clause((), only, legal=False)

    def count_by(what: str) -> list[tuple[Any, ...]]:
        query = f"SELECT {what}, count(*), sum(legal = 1) FROM cards {where} GROUP BY 1 ORDER BY 1"  # noqa: S608
        return store.connection.execute(query, values).fetchall()

    sets = count_by("game || ': ' || coalesce(nullif(set_name, ''), nullif(set_code, ''), 'no set')")
    years = count_by("CAST(nullif(substr(released, 1, 4), '') AS INTEGER)")
    of_legal, values_of_legal = where_clause((), only, legal=True)
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


CARDS: Final = "cards"
COLLECTION: Final = "collection"
"""The tables of the copy."""

LONGEST_VALUE: Final = 1 << 20
"""The most bytes of a text, a row or a statement."""
MOST_MEMORY: Final = 256 << 20
"""The most bytes that SQLite takes in the whole process."""

_ZONE_COLUMNS: Final = ", ".join(f'"{column}"' for column in ZONE_COLUMNS)
_ZONES_BY_COLUMN: Final = tuple(zip(ZONE_COLUMNS, ZONES, strict=True))
_ZONE_LIST: Final = ", ".join(
    f"""CASE WHEN "{column}" IS NOT NULL THEN '{zone}' END""" for column, zone in _ZONES_BY_COLUMN
)
_SCRIPT: Final = f"""
CREATE TABLE {CARDS} (
    id TEXT PRIMARY KEY, game TEXT, name TEXT, set_code TEXT, set_name TEXT, collector_number TEXT,
    {", ".join(f'"{column}" INTEGER' for column in ZONE_COLUMNS)},
    zones TEXT, face TEXT, score INTEGER, legal TEXT, reason TEXT, attack INTEGER, defense INTEGER,
    released TEXT, printed_name TEXT, owned INTEGER, boxes TEXT
);
CREATE TABLE {COLLECTION} (
    id INTEGER PRIMARY KEY, card_id TEXT REFERENCES {CARDS} (id), name TEXT, copies INTEGER, finish TEXT,
    condition TEXT, language TEXT, box TEXT, "row" TEXT, slot TEXT, game TEXT, set_name TEXT, collector_number TEXT
);
INSERT INTO {COLLECTION}
    SELECT id, card_id, name, copies, finish, condition, language, box, "row", slot, game, set_name, collector_number
    FROM source.holdings;
INSERT INTO {CARDS}
    SELECT id, game, name, set_code, set_name, collector_number, {_ZONE_COLUMNS}, zones_of({_ZONE_LIST}), face, score,
        CASE legal WHEN 1 THEN 'legal' ELSE 'barred' END, reason, attack, defense, released, printed_name,
        (SELECT sum(copies) FROM {COLLECTION} WHERE card_id = source.cards.id),
        (SELECT group_concat(DISTINCT nullif(box, '')) FROM {COLLECTION} WHERE card_id = source.cards.id)
    FROM source.cards ORDER BY name, game, id;
CREATE INDEX cards_by_game ON {CARDS} (game, set_code);
CREATE INDEX cards_by_name ON {CARDS} (name);
CREATE INDEX collection_by_box ON {COLLECTION} (box, name);
CREATE INDEX collection_by_card ON {COLLECTION} (card_id);
"""  # noqa: S608  our own names


def write_copy(catalogue: Path, copy: Path) -> None:
    """Writes the copy of a catalogue into a file that is not there yet; the catalogue is only read.

    Raises:
        CatalogError: there is no catalogue, or it is of a later version.
    """
    with Store(catalogue):
        pass  # migrates it
    connection = sqlite3.connect(copy, isolation_level=None)
    try:
        connection.create_function("zones_of", -1, _zones_of, deterministic=True)
        connection.execute("ATTACH ? AS source", (os.fsencode(catalogue),))  # a path need not be UTF-8
        connection.execute("BEGIN")
        # Not `executescript`, which would commit first.
        for statement in _SCRIPT.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        connection.execute("COMMIT")
        connection.execute("DETACH source")
    finally:
        connection.close()


class Overview(NamedTuple):
    """What the first page shows: how many cards and owned copies there are, and some cards, those one owns first."""

    cards: int
    copies: int
    first: list[dict[str, Any]]


_FIRST: Final = 18  # cards on the first page


def overview(copy: Path) -> Overview:
    """What the first page shows of a copy."""
    with closing(sqlite3.connect(copy)) as connection:
        connection.row_factory = sqlite3.Row
        (cards,) = connection.execute(f"SELECT count(*) FROM {CARDS}").fetchone()  # noqa: S608  our own names
        (copies,) = connection.execute(f"SELECT coalesce(sum(copies), 0) FROM {COLLECTION}").fetchone()  # noqa: S608
        first = connection.execute(
            f"SELECT * FROM {CARDS} ORDER BY owned IS NULL, legal = 'barred',"  # noqa: S608  our own names
            f" json_array_length(zones) DESC, score DESC, name LIMIT {_FIRST}"
        )
        return Overview(cards, copies, [dict(row) for row in first])


def limit_queries(connection: sqlite3.Connection) -> None:
    """Bounds what a question to the copy may take, whoever wrote it."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute(f"PRAGMA hard_heap_limit = {MOST_MEMORY}")


def _zones_of(*zones: str | None) -> str:
    """The zones with a number as a JSON list."""
    return json.dumps([zone for zone in zones if zone])
