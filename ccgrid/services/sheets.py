"""What a sheet is made of: the deck in a file or a code, a faction, or a game without a deck."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ccgrid.catalog.card import Card, CatalogError
from ccgrid.catalog.decks import Deck
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.records.record import Record
from ccgrid.services import collection
from ccgrid.services.catalogue import has_cards, open_collection
from ccgrid.services.choices import Choices
from ccgrid.services.deck_search import pulled
from ccgrid.services.decks import DEFAULT_GAME, bundled_factions, checked_deck, refuse_problems
from ccgrid.services.outputs import is_file
from ccgrid.services.records import holds_games, read_record


class SourceDeck(NamedTuple):
    """A deck by its title, its cards, in which box each lies, by its id, and people's pictures, by the cards' names."""

    title: str
    cards: Sequence[Card]
    boxes: Mapping[str, str]
    pictures: Mapping[str, bytes]


class SheetSource(NamedTuple):
    """The game that a sheet is for, and the decks on it."""

    game: str
    decks: Sequence[SourceDeck]


def sheet_source(
    source: str | Path, database: Path | None, choices: Choices, waiting: Callable[[], None], game: str | None = None
) -> SheetSource:
    """What somebody means by a name, a file or a code; `game` is what a deck is for that does not say it.

    A file that is there comes before a faction or a game of its name.

    Raises:
        CatalogError: there is nothing of this name, or the deck is not legal.
    """
    path = source if isinstance(source, Path) else Path(source)
    factions = bundled_factions()
    if not is_file(path):
        named = [one for one in factions if one.deck.name == source]
        if source in GAMES.names:
            named = [one for one in factions if one.game == source]
            return SheetSource(source, [SourceDeck(one.deck.title, one.deck.cards, {}, {}) for one in named])
        if named:
            return SheetSource(named[0].game, [SourceDeck(named[0].deck.title, named[0].deck.cards, {}, {})])
    deck, problems = checked_deck(path, database, game, choices)
    refuse_problems(problems, source, game)
    boxes = _boxes(path, database, choices, waiting)
    return SheetSource(
        deck.plays or game or DEFAULT_GAME, [SourceDeck(deck.name, deck.cards, boxes, _pictures(deck, database))]
    )


def _pictures(deck: Deck, database: Path | None) -> dict[str, bytes]:
    """People's own pictures of the cards of a deck."""
    named = collection.pictures_of(database)
    found = (
        (card.name, collection.read_picture(database, named[card.name])) for card in deck.cards if card.name in named
    )
    return {name: picture for name, picture in found if picture is not None}


def _boxes(file: Path, database: Path | None, choices: Choices, waiting: Callable[[], None]) -> dict[str, str]:
    """Where the cards of a deck are in the collection; nothing where nobody keeps one."""
    found: dict[str, list[str]] = {}
    if not has_cards(database):
        return {}
    with suppress(CatalogError), open_collection(database, waiting) as collection:
        pull = pulled(file, collection, choices, out=False).cards
        for holding, copies in pull.found:
            stands_for = pull.instead.get(holding.card_id)
            place = str(holding.place) or "in no box"
            found.setdefault(stands_for.id if stands_for else holding.card_id, []).append(
                place if copies == 1 else f"{place} ({copies})"
            )
    return {card_id: ", ".join(dict.fromkeys(places)) for card_id, places in found.items()}


def deck_or_game(file: Path, database: Path | None, choices: Choices) -> Deck | Record:
    """The legal deck for a game that is played on a page, or the game of any kind, in a file or a code.

    Raises:
        RecordError: the game is not valid, or there are several.
        CatalogError: the deck is not legal, or is for another game.
        EngineError: the game cannot be checked.
    """
    for ready in bundled_factions():
        if ready.deck.name == str(file) and not file.exists():
            _check_page(ready.game)
    if holds_games(file):
        return read_record(file, database, choices)
    deck, problems = checked_deck(file, database, None, choices)
    _check_page(deck.plays)
    refuse_problems(problems, file)
    return deck


def _check_page(game: str | None) -> None:
    """Raises CatalogError where decks for a game have no page; None is any game."""
    if game not in (None, *GAMES.having("page")):
        titles = " or ".join(find_game(one).title for one in GAMES.having("page"))
        raise CatalogError(f"Decks have pages in {titles}, and this deck is for {game}.")
