"""The cards of a catalogue: looked up, searched, drawn, counted."""

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from typing import Any, Final, NamedTuple

from catalog.card import ZONES, Card, CatalogError, UnknownNameError
from catalog.evidence import Evidence, confidence_in, explain_evidence
from catalog.matching.beside import Asked
from catalog.matching.resolver import Resolver
from catalog.matching.search import LONGEST_QUERY, NameHit, fold, rank
from catalog.pool import CardPool, Numbers
from catalog.printing import CUSTOM
from catalog.sampling import Sampler
from catalog.store.cells import DAMAGED, cell_list
from catalog.store.file import CatalogueFile
from catalog.store.spelling import likely_names

ZONE_COLUMNS: Final = tuple(zone.replace("-", "_") for zone in ZONES)
CARD_COLUMNS: Final = (
    *("id", "game", "name", "set_code", "set_name", "collector_number"),
    *ZONE_COLUMNS,
    *("face", "score", "legal", "reason", "attack", "defense", "released", "lang", "printed_name"),
)
Sql = tuple[str, list[Any]]
"""A condition, and what its question marks stand for."""


class Selection(NamedTuple):
    """Which rows of `cards AS c` are meant: a condition, what its question marks stand for, and the order."""

    test: str
    values: list[Any]
    order: str = "c.id"


ALL_CARDS: Final = Selection("1", [])
"""Every card."""
_QUOTED: Final = ", ".join(f'"{column}"' for column in CARD_COLUMNS)
_SELECT: Final = f"SELECT {_QUOTED} FROM cards"  # noqa: S608  our own column names
_NAMED: Final = CARD_COLUMNS[: CARD_COLUMNS.index(ZONE_COLUMNS[0])]
_POOLED: Final = (*_NAMED, *("face", "reason", "attack", "defense", "released", "lang", "printed_name"))
"""What a pool is told as one text, which is seldom read: so many columns of each row would take twice as long."""
_PARTS: Final = ", ".join((*(f'"{column}"' for column in ZONE_COLUMNS), "score", f"json_array({', '.join(_POOLED)})"))
_SELECT_POOLED: Final = f"SELECT {_PARTS} FROM cards"  # noqa: S608  our own column names
_AT_ONCE: Final = 500
_ENOUGH: Final = 20


class Store(CatalogueFile):
    """The cards of a catalogue that is open; a context manager."""

    def is_empty(self) -> bool:
        """Whether the catalogue holds no card at all."""
        return self.connection.execute("SELECT 1 FROM cards LIMIT 1").fetchone() is None

    def is_enough(self, cards: int) -> bool:
        """Whether it holds cards of a source, or at least so many legal ones entered by hand."""
        query = (
            "SELECT EXISTS (SELECT 1 FROM cards WHERE source <> ?1) OR (SELECT count(*) FROM cards WHERE legal) >= ?2"
        )
        return bool(self.connection.execute(query, (CUSTOM, cards)).fetchone()[0])

    # --- single cards -------------------------------------------------------------------------------------------

    def cards(self, ids: Sequence[str]) -> list[Card]:
        """The cards with these ids, in this order; an id that the catalogue has not is left out."""
        found: dict[str, Card] = {}
        for start in range(0, len(ids), _AT_ONCE):
            some = [_storable(card_id) for card_id in ids[start : start + _AT_ONCE]]
            marks = ",".join("?" * len(some))
            rows = self.connection.execute(f"{_SELECT} WHERE id IN ({marks})", some)
            found.update((row[0], card_of(row)) for row in rows)
        return [found[card_id] for card_id in ids if card_id in found]

    def called(self, name: str) -> list[Card]:
        """Every printing of a name, of all games, in which no more than case, accents and punctuation may differ.

        A name of punctuation alone is found as it is written.
        """
        folded = fold(name)
        if not folded:
            return self._printings(name)
        same = self.connection.execute("SELECT name FROM names WHERE folded = ? ORDER BY name", (folded,))
        return _once(card for (other,) in same.fetchall() for card in self._printings(other))

    def halved(self, half: str) -> list[Card]:
        """Every printing of the names with halves of which this is the first, else of those of which it is another.

        `Fire` and `Ice` both stand for `Fire // Ice`.
        """
        folded = fold(half)
        query = (
            "SELECT name FROM names WHERE name LIKE '% // %'"
            " AND id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?) ORDER BY name"
        )
        rows = self.connection.execute(query, (f'"{folded}"',)).fetchall() if folded else []
        names = [(name, [fold(part) for part in name.split(" // ")]) for (name,) in rows]
        meant = [name for name, parts in names if parts[0] == folded]
        meant = meant or [name for name, parts in names if folded in parts]
        return _once(card for name in meant for card in self._printings(name))

    def named(self, name: str) -> list[Card]:
        """Every printing of a name as it is written, or with only case, accents and punctuation different.

        A half of a name, `Fire` or `Ice` of `Fire // Ice`, stands for the whole where no card is called so.
        """
        return self._printings(name) or self.called(name) or self.halved(name)

    def _printings(self, name: str) -> list[Card]:
        where = " WHERE name = ?1 OR printed_name = ?1 ORDER BY released, id"
        return [card_of(row) for row in self.connection.execute(_SELECT + where, (_storable(name),))]

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids of which the collection has copies."""
        owned: set[str] = set()
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT DISTINCT card_id FROM holdings WHERE card_id IN ({marks})"  # noqa: S608  only marks
            owned.update(card_id for (card_id,) in self.connection.execute(query, some))
        return frozenset(owned)

    def find(self, text: str, set_code: str = "", number: str = "") -> Card:
        """The card that is meant by an id or a name, and a set and a number where they are given.

        It is the one that every command takes, as `catalog.matching.resolver` says. Raises CatalogError where there is
        none, or cards of several games are called so.
        """
        beside = (set_code,) if set_code else ()
        return Resolver(self).resolve(Asked(text, beside=beside, number=number)).card

    def explain(self, card_id: str) -> list[dict[str, Any]]:
        """Every number printed on a card as {zone, field, raw, value, counts, why, confidence}, in its layout's order.

        The confidence says how sure it is that the field is printed there: high, medium or low.
        """
        row = self.connection.execute("SELECT printed FROM cards WHERE id = ?", (card_id,)).fetchone()
        try:
            evidence: list[Evidence] = [tuple(entry) for entry in cell_list(row[0])] if row else []
            return [
                {
                    "zone": zone,
                    "field": name,
                    "raw": found.raw,
                    "value": found.value,
                    "counts": found.counts,
                    "why": found.why,
                    "confidence": confidence_in(entry[2]),
                }
                for entry in evidence
                for zone, name, found in explain_evidence([entry])
            ]
        except (ValueError, TypeError, LookupError) as error:
            raise CatalogError(DAMAGED) from error

    # --- many cards ---------------------------------------------------------------------------------------------

    def near(self, query: str, enough: int = _ENOUGH) -> list[NameHit]:
        """The names that a query may mean, best first, each with a score of 0 to 100.

        Names that hold all words of the query, or words that begin so, are found by the full-text index; only where
        those are not `enough` are all names compared, or in a large catalogue those that may be meant.
        """
        words = " ".join(f'"{word}"*' for word in fold(query)[:LONGEST_QUERY].split())
        if not words:
            return []
        statement = "SELECT name, folded FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?)"
        found = rank(query, self.connection.execute(statement, (words,)))
        if len(found) >= enough:
            return found
        return rank(query, likely_names(self.connection, query))

    def legal_ids(self, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> list[str]:
        """The ids of the cards that may be in a deck, in the order of the ids."""
        where, values = chosen(games, only, legal=True)
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
            held = f"{len(ids)} legal cards" if ids else "no legal card"
            what = f" of {', '.join(games)}" if games else ""
            if only != ALL_CARDS:
                raise CatalogError(f"The catalogue holds {held}{what} that answer the query, and {count} are needed.")
            raise CatalogError(f"The catalogue holds {held}{what}, and {count} are needed. Try: ccgrid import starter")
        return self.cards([ids[number] for number in dice.sample(len(ids), count)])

    def check_game(self, game: str) -> None:
        """Looks whether the catalogue has cards of a game.

        Raises:
            UnknownNameError: it has none; the games that it has are named.
            CatalogError: it has none of a game that is known here, or none at all.
        """
        if not self.connection.execute("SELECT 1 FROM cards WHERE game = ? LIMIT 1", (_storable(game),)).fetchone():
            games = [row[0] for row in self.connection.execute("SELECT DISTINCT game FROM cards ORDER BY game")]
            known = f"It has: {', '.join(games)}." if games else "It is empty. Try: ccgrid import starter"
            is_known = not games or (game.isalnum() and (resources.files("data.layouts") / f"{game}.toml").is_file())
            error = CatalogError if is_known else UnknownNameError
            raise error(f"The catalogue has no cards of the game {game!r}. {known}")

    def all_cards(
        self, games: Sequence[str] = (), *, legal: bool = False, only: Selection = ALL_CARDS
    ) -> Iterator[Card]:
        """Every card, or every legal one, of these games or of all, in the order of the selection: that of the ids."""
        where, values = chosen(games, only, legal=legal)
        found = f"{select_cards('c')} {where} ORDER BY {only.order}"
        return (card_of(row) for row in self.connection.execute(found, values))

    def legal_pool(self, games: Sequence[str] = (), only: Selection = ALL_CARDS) -> CardPool:
        """Every legal card of these games or of all, in the order of the ids, none of which is made yet."""
        where, values = chosen(games, only, legal=True)
        rows = self.connection.execute(f"{_SELECT_POOLED} {where} ORDER BY id", values)
        return CardPool.of(rows, _pooled_card)

    def stats(self, only: Selection = ALL_CARDS) -> dict[str, Any]:
        """What the catalogue holds, in the documented shape: cards, legal, and per game barred by reason and zones."""
        games: dict[str, dict[str, Any]] = {}
        where, values = chosen((), only, legal=False)
        query = f"SELECT game, reason, count(*) FROM cards {where} GROUP BY game, reason"  # noqa: S608  our own tests
        for game, reason, count in self.connection.execute(f"{query} ORDER BY game, count(*) DESC, reason", values):
            entry = games.setdefault(game, {"game": game, "cards": 0, "legal": 0, "barred": {}, "zones": {}})
            entry["cards"] += count
            if reason is None:
                entry["legal"] = count
            else:
                entry["barred"][reason] = count
        counts = ", ".join(f'count("{column}")' for column in ZONE_COLUMNS)
        where, values = chosen((), only, legal=True)
        query = f"SELECT game, {counts} FROM cards {where} GROUP BY game"  # noqa: S608  our own column names
        for game, *zones in self.connection.execute(query, values):
            games[game]["zones"] = dict(zip(ZONES, zones, strict=True))
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
        """For each source whose import stands: cards held, and version, address and time of its last import."""
        held = dict(self.connection.execute("SELECT source, count(*) FROM cards GROUP BY source"))
        rows = self.tables.query(
            "SELECT source, version, address, imported FROM imports"
            " WHERE id IN (SELECT max(id) FROM imports WHERE undone IS NULL GROUP BY source)"
        )
        return {row["source"]: {**row, "cards": held.get(row["source"], 0)} for row in rows}


def chosen(games: Sequence[str], only: Selection, *, legal: bool) -> Sql:
    """The `WHERE` of cards of these games, or of all, for which a condition is so, or legal ones of these alone."""
    tests = ["legal = 1"] if legal else []
    if games:
        tests.append(f"game IN ({','.join('?' * len(games))})")
    if only != ALL_CARDS:
        tests.append(only.test)
    return f"WHERE {' AND '.join(tests)}" if tests else "", [*games, *only.values]


def _storable(text: str) -> str:
    """The text without halves of surrogate pairs (a command line may hold them), which no catalogue holds."""
    return text.encode("utf-8", "replace").decode()


def _once(cards: Iterable[Card]) -> list[Card]:
    """The cards without repetitions, the earliest first."""
    found = {card.id: card for card in cards}
    return sorted(found.values(), key=lambda card: (card.released or "", card.id))


def select_cards(alias: str) -> str:
    """The query for whole cards, whose table goes by another name in it; `card_of` makes a card of a row."""
    columns = ", ".join([f'{alias}."{column}"' for column in CARD_COLUMNS])
    return f"SELECT {columns} FROM cards AS {alias}"  # noqa: S608  our own column names


def card_of(row: Sequence[Any]) -> Card:
    """The card in a row of what `select_cards` asks for."""
    card_id, game, name, set_code, set_name, number = row[:6]
    zones = {zone: value for zone, value in zip(ZONES, row[6:14], strict=True) if value is not None}
    face, score, legal, reason, attack, defense, released, lang, printed_name = row[14:]
    return Card(
        id=card_id,
        game=game,
        name=name,
        zones=zones,
        score=score,
        set_code=set_code,
        set_name=set_name,
        collector_number=number,
        face=tuple(cell_list(face)),
        legal=bool(legal),
        reason=reason,
        attack=attack,
        defense=defense,
        released=released,
        lang=lang,
        printed_name=printed_name,
    )


def _pooled_card(numbers: Numbers, text: str) -> Card:
    (*zones, score), rest = numbers, cell_list(text)
    named, (face, *others) = rest[: len(_NAMED)], rest[len(_NAMED) :]
    return card_of([*named, *zones, face, score, True, *others])
