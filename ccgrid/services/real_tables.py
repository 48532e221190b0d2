"""Games at real tables: begun with nothing known but the decks, given the decks that a record does not name."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import Card, CatalogError
from ccgrid.catalog.codes import is_code
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import quoted
from ccgrid.engine.game import Setup
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.real_cards import RealCards, find_real_cards
from ccgrid.engine.records.record import Record
from ccgrid.services.choices import Choices
from ccgrid.services.deck_sources import bundled_factions
from ccgrid.services.decks import DEFAULT_GAME, checked_deck, first_problem
from ccgrid.services.outputs import is_file
from ccgrid.services.tables import seated


class RealDecks(NamedTuple):
    """A game, and the decks in seat order: one for all, one for each player, or none."""

    game: str
    decks: Sequence[Sequence[Card]]


def real_decks(words: Sequence[str | Path], players: int | None, database: Path | None, choices: Choices) -> RealDecks:
    """What somebody names: a game, or decks, or both. A file that is there comes before a faction or game of its name.

    Raises:
        CatalogError: there is nothing of this name, a deck is not legal, or decks are missing or too many.
        EngineError: the game has no referee.
    """
    game, names = None, list(words)
    if names and not is_file(Path(names[0])) and names[0] in GAMES.names:
        game = str(names.pop(0))
    factions = {one.deck.name: one.game for one in bundled_factions()}
    game = game or next((factions[str(name)] for name in names if name in factions and not is_file(Path(name))), None)
    decks: list[Sequence[Card]] = []
    for name in names:
        found = _deck(name, game, database, choices)
        if game not in (None, found.game):
            raise CatalogError(f"{name} is a deck for {found.game}, not for {game}.")
        game = found.game
        decks += found.decks
    game = game or DEFAULT_GAME
    find_real_cards(game)
    needed = find_game(game).decks_needed(players or max(2, len(decks)))
    if needed and not decks:
        wanted = "the deck that lies on the table" if needed == 1 else "one deck for all, or one for each player"
        raise CatalogError(f"Name {wanted}: ccgrid table {_example(game, needed)}")
    if len(decks) not in {needed, min(needed, 1)}:
        wanted = f"{needed} decks, or one for all" if needed > 1 else "1 deck" if needed else "its own cards, no deck"
        raise CatalogError(f"{game} needs {wanted}, not {len(decks)}.")
    return RealDecks(game, decks)


def _example(game: str, needed: int) -> str:
    factions = [faction.deck.name for faction in bundled_factions() if faction.game == game]
    if len(factions) >= needed > 1:
        return " ".join(factions[:needed])
    return " ".join(["deck.toml"] if needed == 1 else [f"deck-{number}.toml" for number in range(1, needed + 1)])


def _deck(name: str | Path, game: str | None, database: Path | None, choices: Choices) -> RealDecks:
    path = name if isinstance(name, Path) else Path(name)
    if not is_file(path):
        for faction in bundled_factions():
            if faction.deck.name == name:
                return RealDecks(faction.game, [faction.deck.cards])
        if not path.suffix and not path.exists() and not is_code(str(name)):
            games = ", ".join(GAMES.names)
            named = ", ".join(faction.deck.name for faction in bundled_factions())
            raise CatalogError(f"{quoted(name)} is not a file, a game or a faction. Games: {games}. Factions: {named}.")
    deck, problems = checked_deck(path, database, game, choices)
    if problems:
        what = first_problem(problems)
        option = "" if game in (None, DEFAULT_GAME) else f" --for {game}"
        raise CatalogError(f"{name} is not a legal deck: {what}.\nFor all of it: ccgrid deck check {name}{option}")
    return RealDecks(deck.plays or game or DEFAULT_GAME, [deck.cards])


_DECK: Final = "deck"
"""The key in a record's notes under which stand the names of the deck's cards in their order, or of each player's."""

_PENDING: Final = "pending"
"""The key in a record's notes under which stand the moves that wait for a card."""


def begin(
    game: str, players: Sequence[str], first: str | None, options: dict[str, object], decks: Sequence[Sequence[Card]]
) -> Record:
    """A record of a game of which nothing but the decks is known: its cards are to come.

    `decks` are one for all, or one for each player; none in a game with its own cards.

    Raises:
        EngineError: so many cannot play, an option cannot be, or a deck has not the cards that it takes.
        CatalogError: who starts does not play, or a computer would, or nobody can be said to start.
    """
    names = tuple(players)
    cards = find_real_cards(game)
    if computers := seated(names):
        raise CatalogError(f"{names[min(computers)]} is a computer player; real tables are for people.")
    if first is not None and not find_game(game).has_first:
        raise CatalogError(f"In {game} the scores decide who starts: leave --first out.")
    if first is not None and first not in names:
        raise CatalogError(f"{first} does not play; --first is one of: {', '.join(names)}.")
    starts = (names.index(first) if first else 0) if find_game(game).has_first else None
    setup = cards.untold(_dealt(game, names, starts, decks, options))
    return Record(setup, date=date.today(), notes=_noted(cards, setup))


def is_refereed(record: Record) -> bool:
    """Whether a record is of people with real cards: it is known which are left, and not where they lie."""
    setup = record.setup
    is_known = setup.game in GAMES.having("referee")
    return is_known and find_real_cards(setup.game).is_open(setup) and not seated(setup.players)


def with_decks(record: Record, decks: Sequence[Sequence[Card]]) -> Record:
    """The record with the cards of these decks in its piles, where it does not say which are left.

    Raises:
        EngineError: a card on the table is not in the deck, or there are not enough decks.
    """
    setup = record.setup
    cards = find_real_cards(setup.game)
    found = cards.with_decks(setup, _dealt(setup.game, setup.players, setup.first, decks, {}))
    return replace(record, setup=found, notes={**record.notes, **_noted(cards, found)})


def in_noted_order(record: Record) -> Setup:
    """The setup of a record with its decks in the order that is noted, which setups do not hold."""
    setup = record.setup
    cards, noted = find_real_cards(setup.game), record.notes.get(_DECK)
    lists = [noted.get(player) for player in setup.players] if isinstance(noted, Mapping) else [noted]
    names = [[str(name) for name in one] if isinstance(one, list | tuple) else [] for one in lists]
    seats = range(len(lists))
    if any(Counter(names[seat]) != Counter(card.name for card in cards.deck(setup, seat)) for seat in seats):
        return setup
    ordered: Setup = cards.in_order(setup, names)
    return ordered


def pending_in(record: Record) -> tuple[str, ...]:
    """The moves of a record that waited for a card when it was written down."""
    noted = record.notes.get(_PENDING)
    return tuple(map(str, noted)) if isinstance(noted, list | tuple) else ()


def with_pending(record: Record, moves: Sequence[str]) -> Record:
    """The record that notes these moves, which wait for a card."""
    notes: dict[str, Any] = {key: value for key, value in record.notes.items() if key != _PENDING}
    return replace(record, notes={**notes, _PENDING: list(moves)} if moves else notes)


def _dealt(
    game: str, players: tuple[str, ...], first: int | None, decks: Sequence[Sequence[Card]], options: dict[str, object]
) -> Setup:
    """The game dealt with these decks, which checks all that can be wrong; its order is nobody's."""
    needed = find_game(game).decks_needed(len(players))
    every = [decks[0]] * needed if len(decks) == 1 else decks
    return find_game(game).deal(players, every, Dice(0), first=first, options=options)


def _noted(cards: RealCards, setup: Setup) -> dict[str, Any]:
    """What notes say of decks: their cards' names in the order that numbers them."""
    needed = find_game(setup.game).decks_needed(len(setup.players))
    lists = [[card.name for card in cards.deck(setup, seat)] for seat in range(needed)]
    if needed == 1:
        return {_DECK: lists[0]}
    return {_DECK: dict(zip(setup.players, lists, strict=True))} if lists else {}
