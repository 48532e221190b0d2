"""What there is in a catalogue to be named: its games, its sets, the boxes and the decks that are out."""

from collections.abc import Sequence
from typing import Final

from catalog.store.file import CatalogueFile

_MOST: Final = 500
"""So many are listed at most: nobody reads more."""


def games(store: CatalogueFile) -> list[str]:
    """The card games of which there are cards, in the catalogue or owned."""
    return _column(store, "SELECT game FROM cards UNION SELECT game FROM holdings ORDER BY 1")


def sets(store: CatalogueFile, of_games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Code and name of the sets of these games, or of all, whose code begins so."""
    where = f" AND game IN ({','.join('?' * len(of_games))})" if of_games else ""
    query = (
        "SELECT set_code, max(set_name) FROM cards WHERE substr(set_code, 1, ?1) = ?2"  # noqa: S608
        f" AND set_code <> ''{where} GROUP BY set_code ORDER BY set_code LIMIT {_MOST}"
    )
    return store.connection.execute(query, (len(beginning), beginning, *of_games)).fetchall()


def boxes(store: CatalogueFile) -> list[str]:
    """The boxes in which there are cards."""
    return _column(store, "SELECT DISTINCT box FROM holdings WHERE box <> '' ORDER BY box")


def decks_out(store: CatalogueFile) -> list[str]:
    """The decks that are out of their boxes."""
    return _column(store, "SELECT DISTINCT deck FROM decks_out ORDER BY deck")


def _column(store: CatalogueFile, query: str) -> list[str]:
    return [word for (word,) in store.connection.execute(f"{query} LIMIT {_MOST}")]
