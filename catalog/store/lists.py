"""Short lists for prompts and completion: games, sets, boxes and decks."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ccgrid.catalog.store.file import CatalogueFile
from ccgrid.catalog.store.names import in_games

_MOST: Final = 500
"""The most that are listed: nobody reads more."""


def game_names(store: CatalogueFile) -> list[str]:
    """The card games of which there are cards, in the catalogue or owned."""
    return _column(store, "SELECT game FROM cards UNION SELECT game FROM holdings ORDER BY 1")


def sets_from(store: CatalogueFile, of_games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Code and name of the sets of these games, or of all, whose code begins so."""
    query = (
        "SELECT set_code, max(set_name) FROM cards WHERE substr(set_code, 1, ?1) = ?2"  # noqa: S608
        f" AND set_code <> ''{in_games(of_games)} GROUP BY set_code ORDER BY set_code LIMIT {_MOST}"
    )
    return store.connection.execute(query, (len(beginning), beginning, *of_games)).fetchall()


class LatestCard(NamedTuple):
    """When the newest card of a game in the catalogue came out, as a date, and which source it is from."""

    game: str
    source: str
    released: str


def latest_card(store: CatalogueFile, game: str) -> LatestCard | None:
    """The newest card of a game; None where no date is known."""
    query = "SELECT game, source, max(released) FROM cards WHERE game = ? AND released IS NOT NULL"
    found = store.connection.execute(query, (game,)).fetchone()
    return LatestCard(*found) if found[0] else None


def box_names(store: CatalogueFile) -> list[str]:
    """The boxes in which there are cards."""
    return _column(store, "SELECT DISTINCT box FROM holdings WHERE box <> '' ORDER BY box")


def deck_names_out(store: CatalogueFile) -> list[str]:
    """The decks that are out of their boxes."""
    return _column(store, "SELECT DISTINCT deck FROM decks_out ORDER BY deck")


def _column(store: CatalogueFile, query: str) -> list[str]:
    return [word for (word,) in store.connection.execute(f"{query} LIMIT {_MOST}")]
