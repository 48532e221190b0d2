"""Decks that play well, or several that share no card, out of all legal cards or of those that one owns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from catalog.card import Card, CatalogError
from catalog.collection.pulls import legal_copies
from catalog.store.pools import sampled_pool
from catalog.store.queries import cards_where
from ccgrid.services.catalogue import open_catalogue
from ccgrid.services.collection_store import open_collection
from ccgrid.services.deck_ratings import verdict
from ccgrid.services.deck_sources import DeckRequest, draw_deck
from ccgrid.services.owned_decks import draw_owned
from engine.deck_sources import TooFewCardsError
from engine.dice import Dice
from engine.games import find_game
from engine.insight.deck_search import DeckSearch, FoundDeck
from engine.many.runner import Runner as Runner

_MEETINGS: Final = 0.45
_CHOICES: Final = 1.25
_EVEN: Final = 0.02
_MOST_SEARCHED: Final = 30_000
"""In so many printings a deck is searched for: a kilobyte each."""
_POOL: Final = -2
"""The fork of the seed's dice that draws them."""


@dataclass(frozen=True, slots=True)
class DeckWish:
    """What decks somebody wants.

    Attributes:
        game: what they are for.
        kind: `lively`, `balanced` or `random`.
        card_games: those whose cards may be in it; all where none is named.
        query: which cards may be in it; all where nothing is said.
        owned: whether only cards that one owns, and that are not out in a deck.
        count: how many decks, which share no card.
        database: the catalogue.
        is_measured: whether random decks are measured, too.
        player: who plays on both seats where decks are measured.
    """

    game: str
    kind: str
    card_games: tuple[str, ...] = ()
    query: str = ""
    owned: bool = False
    count: int = 1
    database: Path | None = None
    is_measured: bool = False
    player: str = "greedy"


@dataclass(frozen=True, slots=True)
class WishedDeck:
    """A deck that was found, with its figures if it was measured, what they promise, and why its cards are in it.

    `meets` says of each card how many of the others its numbers can be compared with.
    """

    cards: tuple[Card, ...]
    rating: dict[str, Any] | None
    promise: tuple[str, ...]
    explanation: tuple[str, ...]
    meets: tuple[int, ...]


def find_wished(
    wish: DeckWish,
    seed: int,
    *,
    runner: Runner,
    waiting: Callable[[], None],
    progress: Callable[[int, int], object],
    tell: Callable[[str], object] | None = None,
) -> Iterator[WishedDeck]:
    """The decks, one after the other; the seed decides them.

    Args:
        wish: what is wanted.
        seed: what everything follows from.
        runner: where games are played.
        waiting: is called when another command writes to the catalogue.
        progress: is told now and then how many games are played, and how many there are at most.
        tell: is given a sentence before something is done that takes a while.

    Raises:
        CatalogError: there are too few cards.
        EngineError: the numbers of the cards cannot meet, or the player cannot be.
    """
    pool = _pool(wish, seed, waiting)
    searching: type[DeckSearch] = find_game(wish.game).part("deck_search")
    total, done = wish.count * searching.most_games(wish.kind, wish.player), 0

    def more(games: int) -> None:
        nonlocal done
        done += games
        progress(min(done, total), total)

    for number in range(wish.count):
        own = seed if number == 0 else Dice(seed).fork(number).seed
        search = searching(tuple(pool), own, runner, more, wish.player, tell)
        try:
            found = _found(wish, search, own, number, waiting)
        except TooFewCardsError as error:
            raise CatalogError(_too_few(wish, number, error.there)) from None
        yield found
        used = {(card.game, card.name) for card in found.cards}
        pool = [card for card in pool if (card.game, card.name) not in used]


def _found(wish: DeckWish, search: DeckSearch, seed: int, number: int, waiting: Callable[[], None]) -> WishedDeck:
    if wish.kind == "lively":
        return _wished(wish, search.lively())
    if wish.kind == "balanced":
        return _wished(wish, search.balanced())
    cards = search.random()
    if number == 0:  # the one that is drawn where one alone is asked for
        request = DeckRequest(wish.card_games, database=wish.database, query=wish.query)
        dice = Dice(seed)
        owned = wish.owned
        drawn = draw_owned(wish.game, wish.card_games, dice, wish.database, waiting) if owned else None
        cards = tuple(draw_deck(wish.game, request, dice).cards if drawn is None else drawn)
    if wish.is_measured:
        return _wished(wish, search.measured(cards))
    return WishedDeck(cards, None, (), (), ())


def _pool(wish: DeckWish, seed: int, waiting: Callable[[], None]) -> list[Card]:
    """The legal cards: of a catalogue each card once, whatever its printings; of a collection every copy.

    Of a catalogue with very many the seed draws some, in which a deck is found as well.
    """
    if wish.owned:
        with open_collection(wish.database, waiting) as collection:
            return legal_copies(collection, wish.card_games)
    with open_catalogue(wish.database) as store:
        for game in wish.card_games:
            store.check_game(game)
        dice, only = Dice(seed).fork(_POOL), cards_where(store, wish.query)
        cards = sampled_pool(store, _MOST_SEARCHED, dice, wish.card_games, only)
        return list({(card.game, card.name, *sorted(card.zones.items()), card.score): card for card in cards}.values())


def _too_few(wish: DeckWish, found: int, there: int) -> str:
    whose = "your cards" if wish.owned else "the cards of the catalogue"
    if wish.query:
        whose += f" that answer {wish.query!r}"
    if wish.card_games:
        whose += f" ({', '.join(wish.card_games)})"
    if found:
        return f"A deck takes 20 cards: after {found} of {wish.count} decks {there} of {whose} are left for another."
    return f"A deck takes 20 cards, and {there} of {whose} may be in one."


def _wished(wish: DeckWish, found: FoundDeck) -> WishedDeck:
    figures = found.rating.to_dict()
    usual = found.usual
    rating = {
        **figures,
        "first_share": found.start_share,
        "first_games": found.start_games,
        "usual_met": usual.met_share,
        "usual_choices": usual.per_turn(usual.choices),
        "usual_first_share": usual.first_share,
    }
    # The words go by the share that was measured in the most games.
    explanation = verdict(wish.game, found.cards, {**figures, "first_share": found.start_share}, wish.database)
    searching: type[DeckSearch] = find_game(wish.game).part("deck_search")
    meets = tuple(searching.meets(found.cards))
    return WishedDeck(found.cards, rating, tuple(_promise(wish.kind, rating)), tuple(explanation), meets)


def _promise(kind: str, rating: dict[str, Any]) -> Iterator[str]:
    met, choices, first = rating["met"], rating["mean_choices"], rating["first_share"]
    if kind == "lively":
        yield (
            f"Two numbers meet in {100 * met:.0f} % of captures (random decks: {100 * rating['usual_met']:.0f} %), "
            f"and there are {choices:.1f} choices a turn ({rating['usual_choices']:.1f})."
        )
        if met < _MEETINGS or choices < _CHOICES * rating["usual_choices"]:
            yield "More was not found in these cards: another card game may help, with numbers in opposite corners."
    elif kind == "balanced":
        yield (
            f"Who starts takes {100 * first:.1f} % of the points between two {rating['players'][0]} players, "
            f"in {rating['first_games']:,} fresh games (random decks: {100 * rating['usual_first_share']:.0f} %)."
        )
        if abs(first - 0.5) > _EVEN:
            yield "That is not even: another --seed, or more card games, may do better."
