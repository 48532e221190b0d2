"""Records of games with real cards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import UsageError
from ccgrid.engine.dice import Dice
from ccgrid.engine.game import Setup
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.real_cards import AnyRealCards, find_real_cards
from ccgrid.engine.records.record import Record
from ccgrid.services.seats import computer_seats

_DECK: Final = "deck"
"""The key in a record's notes for the names of the deck's cards in order, or of each player's deck."""


_PENDING: Final = "pending"
"""The key in a record's notes for the moves that wait for a card."""


def begin(
    game: str, players: Sequence[str], first: str | None, options: dict[str, object], decks: Sequence[Sequence[Card]]
) -> Record:
    """Return a record of a game of which only the decks are known.

    Args:
        game: The name of the game.
        players: The players' names in seat order.
        first: The name of the starting player; None for the first seat, or for the rules of the game.
        options: The game's options.
        decks: One deck for all players, or one for each; none in a game with its own cards.

    Raises:
        EngineError: If the number of players, an option, or a deck is invalid.
        CatalogError: If the starting player does not play or cannot be chosen, or a player is a computer.
    """
    names = tuple(players)
    cards = find_real_cards(game)
    if computers := computer_seats(names):
        raise UsageError(f"{names[min(computers)]} is a computer player; real tables are for people.")
    if first is not None and not find_game(game).has_first:
        raise UsageError(f"In {game} the scores decide who starts: leave --first out.")
    if first is not None and first not in names:
        raise UsageError(f"{first} does not play; --first is one of: {', '.join(names)}.")
    starts = (names.index(first) if first else 0) if find_game(game).has_first else None
    setup = cards.without_cards(_dealt(game, names, starts, decks, options))
    return Record(setup, date=date.today(), notes=_deck_notes(cards, setup))


def is_refereed(record: Record) -> bool:
    """Return whether a record is of people with real cards: the remaining cards are known, but not their order."""
    setup = record.setup
    is_known = setup.game in GAMES.having("referee")
    return is_known and find_real_cards(setup.game).is_open(setup) and not computer_seats(setup.players)


def with_decks(record: Record, decks: Sequence[Sequence[Card]]) -> Record:
    """Return the record with the remaining cards of these decks in its piles, if it does not contain them.

    Raises:
        EngineError: If a card on the table is not in the deck, or there are too few decks.
    """
    setup = record.setup
    cards = find_real_cards(setup.game)
    found = cards.with_decks(setup, _dealt(setup.game, setup.players, setup.first, decks, {}))
    return replace(record, setup=found, notes={**record.notes, **_deck_notes(cards, found)})


def in_noted_order(record: Record) -> Setup:
    """Return the setup of a record with its decks in the order of the notes, which setups do not store."""
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
    """Return the moves of a record that waited for a card when it was written."""
    noted = record.notes.get(_PENDING)
    return tuple(map(str, noted)) if isinstance(noted, list | tuple) else ()


def with_pending(record: Record, moves: Sequence[str]) -> Record:
    """Return the record with a note of these moves, which wait for a card."""
    notes: dict[str, object] = {key: value for key, value in record.notes.items() if key != _PENDING}
    return replace(record, notes={**notes, _PENDING: list(moves)} if moves else notes)


def _dealt(
    game: str, players: tuple[str, ...], first: int | None, decks: Sequence[Sequence[Card]], options: dict[str, object]
) -> Setup:
    """Deal the game with these decks, which checks all arguments; the order of the deal is meaningless."""
    needed = find_game(game).decks_needed(len(players))
    every = [decks[0]] * needed if len(decks) == 1 else decks
    return find_game(game).deal(players, every, Dice(0), first=first, options=options)


def _deck_notes(cards: AnyRealCards, setup: Setup) -> dict[str, object]:
    """Return the notes about decks: the names of their cards in the order that numbers them."""
    needed = find_game(setup.game).decks_needed(len(setup.players))
    lists = [[card.name for card in cards.deck(setup, seat)] for seat in range(needed)]
    if needed == 1:
        return {_DECK: lists[0]}
    return {_DECK: dict(zip(setup.players, lists, strict=True))} if lists else {}
