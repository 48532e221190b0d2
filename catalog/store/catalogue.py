"""The cards of a catalogue: looked up, searched, drawn and counted."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.card_ids import CUSTOM
from ccgrid.catalog.card_pool import CardPool, Numbers, Sampler
from ccgrid.catalog.errors import CatalogError, DamagedCatalogueError, NoSuchNameError
from ccgrid.catalog.store.cards import CARD_COLUMNS, ZONE_COLUMNS, CardFile, card_of, select_cards
from ccgrid.catalog.store.cells import cell_list
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.zones import ZONES

if TYPE_CHECKING:
    from ccgrid.catalog.card_answers import PrintedNumber
    from ccgrid.catalog.store.statistics import CatalogueStats
from ccgrid.catalog.store.selection import ALL_CARDS, Selection, where_clause

_NAME_COLUMNS: Final = CARD_COLUMNS[: CARD_COLUMNS.index(ZONE_COLUMNS[0])]

_POOL_COLUMNS: Final = (*_NAME_COLUMNS, *("face", "reason", "attack", "defense", "released", "lang", "printed_name"))
"""The columns that a pool reads as one JSON text, because few of them are used: as columns they take twice the time."""

_PARTS: Final = ", ".join(
    (*(f'"{column}"' for column in ZONE_COLUMNS), "score", f"json_array({', '.join(_POOL_COLUMNS)})")
)

_SELECT_POOL: Final = f"SELECT {_PARTS} FROM cards"  # noqa: S608  our own column names


class Store(CardFile):
    """The cards of an open catalogue, usable as a context manager."""

    def is_empty(self) -> bool:
        """Return whether the catalogue contains no cards."""
        return self.connection.execute("SELECT 1 FROM cards LIMIT 1").fetchone() is None

    def is_enough(self, cards: int) -> bool:
        """Return whether it has cards of a source, or at least `cards` legal ones entered by hand."""
        # SQLite evaluates both sides of OR, but only the needed branch of CASE.
        query = (
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM cards WHERE source <> ?1) THEN 1"
            " ELSE (SELECT count(*) FROM cards WHERE legal = 1) >= ?2 END"
        )
        return bool(self.connection.execute(query, (CUSTOM, cards)).fetchone()[0])

    def has_data(self, game: str) -> bool:
        """Return whether it has cards of a game from a source."""
        query = "SELECT EXISTS (SELECT 1 FROM cards WHERE game = ? AND source <> ?)"
        return bool(self.connection.execute(query, (game, CUSTOM)).fetchone()[0])

    # --- single cards -------------------------------------------------------------------------------------------

    def by_name(self, name: str) -> list[Card]:
        """Return every printing of a name, in English or as printed on the card, earliest first."""
        where = " WHERE name = ?1 OR printed_name = ?1 ORDER BY released, id"
        return [card_of(row) for row in self.connection.execute(select_cards() + where, (replace_surrogates(name),))]

    def find(self, text: str, set_code: str = "", number: str = "") -> Card:
        """Return the card with an id or a name, optionally in a set and with a number.

        Every command chooses the same card (`catalog.matching.resolver`).

        Raises:
            NoSuchCardError: If there is none.
            AmbiguousCardError: If cards of several games match.
        """
        from ccgrid.catalog.store.lookup import StoreLookup

        row = matching.rows.Row(name=text, set_code=set_code, number=number)
        return matching.resolver.Resolver(StoreLookup(self)).resolve(row).card

    def explain(self, card_id: str) -> "list[PrintedNumber]":
        """Return every number printed on a card, in the order of its layout."""
        from ccgrid.catalog.card_answers import printed_numbers
        from ccgrid.catalog.evidence import Evidence

        row = self.connection.execute("SELECT printed FROM cards WHERE id = ?", (card_id,)).fetchone()
        try:
            evidence: list[Evidence] = [tuple(entry) for entry in cell_list(row[0])] if row else []
            return printed_numbers(evidence)
        except (ValueError, TypeError, LookupError) as error:
            raise DamagedCatalogueError from error

    # --- many cards ---------------------------------------------------------------------------------------------

    def legal_ids(self, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> list[str]:
        """Return the ids of the cards that are legal in decks, in their order."""
        where, values = where_clause(games, only, legal=True)
        rows = self.connection.execute(f"SELECT id FROM cards {where} ORDER BY id", values)  # noqa: S608  our own tests
        return [row[0] for row in rows]

    def draw(self, count: int, dice: Sampler, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> list[Card]:
        """Draw different legal cards uniformly. The same catalogue and dice give the same cards.

        Raises:
            CatalogError: If there are fewer legal cards, or the catalogue has no cards of one of the games.
        """
        self.check_games(games)
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

    def check_games(self, games: Iterable[str]) -> None:
        """Check that the catalogue has cards of each of these games; see `check_game`."""
        for game in games:
            self.check_game(game)

    def check_game(self, game: str) -> None:
        """Check that the catalogue has cards of a game.

        Raises:
            NoSuchNameError: If it has none; the message lists its games.
            CatalogError: If it has none of a game that has a layout, or is empty.
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
        """Yield every card, or every legal one, of these games or of all, in the order of the selection."""
        where, values = where_clause(games, only, legal=legal)
        found = f"{select_cards('c')} {where} ORDER BY {only.order}"
        return (card_of(row) for row in self.connection.execute(found, values))

    def legal_pool(self, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> CardPool:
        """Return every legal card of these games or of all, in the order of their ids. They are built on access."""
        where, values = where_clause(games, only, legal=True)
        rows = self.connection.execute(f"{_SELECT_POOL} {where} ORDER BY id", values)
        return CardPool.of(rows, _pool_card)

    def stats(self, only: Selection = ALL_CARDS) -> "CatalogueStats":
        """Count the selected cards by game, reason and zone."""
        from ccgrid.catalog.store.statistics import count_cards

        return count_cards(self, only)

    def shares_at(self, zone: str) -> dict[str, float]:
        """Return for each game with legal cards the share of those with a number in this zone."""
        share = f'1.0 * count("{ZONE_COLUMNS[ZONES.index(zone)]}") / count(*)'
        return dict(self.connection.execute(f"SELECT game, {share} FROM cards WHERE legal = 1 GROUP BY game"))  # noqa: S608

    def printed_counts(self, game: str) -> tuple[int, dict[str, int]]:
        """Return the number of a game's cards, and for each zone of those with a number or several there.

        Illegal cards count, too, but not those whose data lack numbers.
        """
        there = (
            f"""total("{column}" IS NOT NULL OR reason IS 'multiple-numbers:{zone}')"""
            for zone, column in zip(ZONES, ZONE_COLUMNS, strict=True)
        )
        where = "game = ? AND coalesce(reason, '') NOT LIKE 'data:%'"
        query = f"SELECT count(*), {', '.join(there)} FROM cards WHERE {where}"  # noqa: S608  nothing from outside
        cards, *counts = self.connection.execute(query, (game,)).fetchone()
        return cards, dict(zip(ZONES, map(int, counts), strict=True))

    def sources(self) -> dict[str, dict[str, object]]:
        """Return for each imported source its cards, and the version, address and time of its last import."""
        query = "SELECT source, count(*), max(released) FROM cards GROUP BY source"
        counts = {source: (count, newest) for source, count, newest in self.connection.execute(query)}
        rows = self.tables.query(
            "SELECT source, version, address, imported FROM imports"
            " WHERE id IN (SELECT max(id) FROM imports GROUP BY source)"
        )
        found = {row["source"]: (row, *counts.get(row["source"], (0, None))) for row in rows}
        return {source: {**row, "cards": cards, "newest": newest} for source, (row, cards, newest) in found.items()}


def _pool_card(numbers: Numbers, text: str) -> Card:
    (*zones, score), rest = numbers, cell_list(text)
    named, (face, *others) = rest[: len(_NAME_COLUMNS)], rest[len(_NAME_COLUMNS) :]
    return card_of([*named, *zones, face, score, True, *others])


_MOST_RARE: Final = 100
"""The number of cards up to which all cards of a score are in a sample: high scores are rare, and matter most."""


def sample_pool(
    store: Store, most: int, dice: Sampler, games: tuple[str, ...] = (), only: Selection = ALL_CARDS
) -> list[Card]:
    """Return the legal cards of these games or of all, in the order of their ids; a sample of more than `most` cards.

    The sample depends only on the catalogue and the dice. It is uniform, plus every card of a rare score.
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
    rare = [score for score, cards in counts.items() if cards <= _MOST_RARE]
    query = f"SELECT id FROM cards {where} AND score IN ({','.join('?' * len(rare))})"  # noqa: S608  the same
    ids.update(card_id for (card_id,) in store.connection.execute(query, (*values, *rare)))
    return store.cards(sorted(ids))
