"""Short lists for prompts and completion: games, sets, boxes and decks."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ccgrid.catalog.store.different_values import different_values
from ccgrid.catalog.store.file import CatalogueFile
from ccgrid.catalog.store.names import in_games

_MOST_ENTRIES: Final = 500
"""The maximum number of entries of a list."""


def game_names(store: CatalogueFile) -> list[str]:
    """Return the card games with cards in the catalogue or the collection."""
    each = different_values("game")
    return _first_column(store, f"SELECT game FROM ({each}) UNION SELECT game FROM holdings ORDER BY 1")  # noqa: S608


def sets_from(store: CatalogueFile, of_games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Return code and name of the sets of these games, or of all, whose code starts with a text."""
    query = (
        "SELECT set_code, max(set_name) FROM cards WHERE substr(set_code, 1, ?1) = ?2"  # noqa: S608
        f" AND set_code <> ''{in_games(of_games)} GROUP BY set_code ORDER BY set_code LIMIT {_MOST_ENTRIES}"
    )
    return store.connection.execute(query, (len(beginning), beginning, *of_games)).fetchall()


class LatestCard(NamedTuple):
    """The release date of the newest card of a game in the catalogue, and its source."""

    game: str
    source: str
    released: str


def latest_card(store: CatalogueFile, game: str) -> LatestCard | None:
    """Return the release of the newest card of a game, or None if no date is known."""
    query = "SELECT game, source, max(released) FROM cards WHERE game = ? AND released IS NOT NULL"
    found = store.connection.execute(query, (game,)).fetchone()
    return LatestCard(*found) if found[0] else None


def box_names(store: CatalogueFile) -> list[str]:
    """Return the boxes with cards."""
    return _first_column(store, "SELECT DISTINCT box FROM holdings WHERE box <> '' ORDER BY box")


def deck_names_out(store: CatalogueFile) -> list[str]:
    """Return the decks that are checked out."""
    return _first_column(store, "SELECT DISTINCT deck FROM decks_out ORDER BY deck")


def _first_column(store: CatalogueFile, query: str) -> list[str]:
    return [word for (word,) in store.connection.execute(f"{query} LIMIT {_MOST_ENTRIES}")]
