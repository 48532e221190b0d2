"""Decks drawn from the cards of a catalogue, or chosen from the ready-made ones of a game."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError, NoSuchNameError, UsageError
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.store.catalogue import Store
from ccgrid.engine.decks import DeckSource, GameDecks, ReadyDecks, TooFewCardsError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError
from ccgrid.engine.games import GAMES
from ccgrid.services.catalogue import cards_asked, chosen_cards, legal_cards, open_cards
from ccgrid.services.deck_requests import DeckRequest


class DrawnDeck(NamedTuple):
    """The cards of a deck, and its title if it is ready-made."""

    title: str | None
    cards: Sequence[Card]


def find_decks(game: str) -> GameDecks:
    """Return the deck rules of a game; raise CatalogError if it has none, NoSuchNameError if it is not a game."""
    names = GAMES.having("decks")
    decks: GameDecks | None = GAMES.part(game, "decks") if game in names else None
    if decks is not None:
        return decks
    message = f"There are no decks for the game {game!r}. There are decks for: {', '.join(names)}."
    if game in GAMES.names:
        raise UsageError(message)
    if Path(game).suffix:
        message += f"\nTo write a deck to a file: ccgrid deck new -o {shell_word(game)}"
    raise NoSuchNameError(message, kind="game", name=game, known=names)


def check_request(request: DeckRequest) -> None:
    """Check that decks can be drawn or searched for as requested.

    Raises:
        CatalogError: If the game has no decks, or no decks of this kind, or options exclude each other.
        ContradictionError: If a player is named although no game is played.
    """
    game, decks = request.game, find_decks(request.game)
    for name in request.numbers:
        if name not in decks.numbers:
            raise UsageError(f"--{name} is not for decks of {game}: leave it out.")
    if request.factions and GAMES.part(game, "factions") is None:
        own = f"ccgrid deck new {GAMES.having('factions')[0]} --faction {shell_word(request.factions[0])}"
        raise UsageError(f"{game} has no factions. A deck of a game that has: {own}")
    if request.factions and (request.card_games or request.query):
        raise UsageError("--faction takes all its cards: leave --game and --from out.")
    if request.is_search and game not in GAMES.having("deck_search"):
        names = " or ".join(GAMES.having("deck_search"))
        options = "--lively, --balanced, --good, --explain, --players and --count"
        raise UsageError(f"{options} are for {names}, not for {game}.")
    if request.fill and (not request.is_owned or request.is_search):
        raise UsageError("--fill completes a random deck of your cards: give it with --from collection.")
    if request.player is not None and request.kind == "random" and not request.explain:
        raise ContradictionError("--players is for --lively, --balanced, --good and --explain: add one of them.")


def draw_deck(request: DeckRequest, dice: Dice, tell: Callable[[str], object] = lambda _: None) -> DrawnDeck:
    """Draw one deck from the requested cards, or choose a ready-made one if the game has these.

    Args:
        request: The game and the cards.
        dice: The random number generator.
        tell: Called with a sentence if the bundled cards are used because there is no catalogue.

    Raises:
        CatalogError: If the game has no decks, or there are too few cards.
        EngineError: If a ready-made deck is not found, or no deck has the requested numbers of cards.
    """
    decks = find_decks(request.game)
    factions: ReadyDecks | None = GAMES.part(request.game, "factions")
    if factions is not None and not request.card_games and not request.query:
        ready = factions.find(request.factions[0]) if request.factions else dice.choose(factions.bundled())
        return DrawnDeck(ready.title, ready.cards)
    if decks.any_legal:
        with open_cards(request.database, tell) as store:
            only = cards_asked(store, request.query)
            return DrawnDeck(None, store.draw(decks.sizes[0], dice, request.card_games, only))
    [cards] = decks_of_cards(request, 1, request.numbers, tell)(dice)
    return DrawnDeck(None, cards)


def decks_of_cards(
    request: DeckRequest, count: int, numbers: Mapping[str, int], tell: Callable[[str], object]
) -> DeckSource:
    """Return a source of `count` decks for each of many games, drawn from the requested cards.

    Args:
        request: The game and the cards.
        count: The number of decks in a game.
        numbers: The numbers of cards that the game's decks leave open.
        tell: Called with a sentence if the bundled cards are used because there is no catalogue.

    Raises:
        CatalogError: If there are too few cards.
        EngineError: If no deck has these numbers of cards.
    """
    decks = find_decks(request.game)
    with open_cards(request.database, tell) as store:
        cards: Iterable[Card] = (
            legal_cards(store, request.card_games, request.query)
            if decks.any_legal
            else _usable_cards(store, request, decks)
        )
        try:
            return decks.random_decks(cards, count, numbers)
        except TooFewCardsError as error:
            if not request.card_games and not request.query:
                raise
            selection = ", ".join((*request.card_games, *filter(None, [request.query])))
            raise CatalogError(
                f"A deck takes {error.needed} {error.kind}, and of {selection} there are {error.available}."
            ) from None


def _usable_cards(store: Store, request: DeckRequest, decks: GameDecks) -> Iterator[Card]:
    from ccgrid.services.choices import with_game_numbers

    found = chosen_cards(store, request.card_games, request.query, legal=False)
    cards = (with_game_numbers(store, card, decks) for card in found)
    return (card for card in cards if decks.fault(card) is None)
