"""How a deck plays, in figures and in words: games between computer players, counted."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from catalog.card import Card, CatalogError
from catalog.decks.deck import Deck
from catalog.layouts.shelf import find_layout
from ccgrid.services.catalogue import has_cards, open_catalogue
from ccgrid.services.choices import Choices
from ccgrid.services.deck_checks import DEFAULT_GAME, checked_deck
from ccgrid.services.deck_sources import DeckRequest, draw_deck, from_collection, query_of
from ccgrid.services.owned_decks import draw_owned
from engine.dice import Dice
from engine.games import find_game
from engine.insight.deck_rating import find_rating, plenty, rate
from engine.many.runner import Runner as Runner

_EVEN: Final = 0.02
_MIXED_IN: Final = 3
"""So many card games are named to be mixed in."""


def rate_deck(
    file: Path | None,
    *,
    game: str | None,
    source: str = "all",
    games: int | None,
    players: Sequence[str],
    seed: int,
    runner: Runner,
    database: Path | None,
    choices: Choices,
    waiting: Callable[[], None],
    progress: Callable[[int, int], object],
    resume: Path | None = None,
    tell: Callable[[str], object] | None = None,
) -> dict[str, Any]:
    """The figures of `deck rate --json`, with a verdict in sentences.

    Args:
        file: the deck; None for one that the seed draws.
        game: what it is for, if the file does not say.
        source: of which cards one is drawn: `all`, `collection` or a query.
        games: how many are played; as many as tell enough where it is not said.
        players: one policy for both seats, or two.
        seed: what all dice follow from.
        runner: where they are played.
        database: the catalogue in which its cards are found.
        choices: told what was taken for its names.
        waiting: is called when another command writes to the catalogue.
        progress: is told now and then how many games are done, and how many there are.
        resume: a file that keeps the counts, and from which they go on.
        tell: is given a sentence before something is done that takes a while.

    Raises:
        CatalogError: the deck is not legal, or there are too few cards for one.
        EngineError: a player or the number cannot be.
    """
    if file is None:
        deck = _drawn(game or DEFAULT_GAME, source, seed, database, waiting)
    else:
        deck, problems = checked_deck(file, database, game, choices)
        if problems:
            raise CatalogError(f"{file} is not a legal deck.\nSee all of it with: ccgrid deck check {file}")
    played = game or deck.plays or DEFAULT_GAME
    policies = tuple(players) * 2 if len(players) == 1 else tuple(players)
    wanted = plenty(played, policies) if games is None else games
    if len(policies) != 2:
        raise CatalogError("A deck is rated by two players: name one policy for both, or two.")
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        progress(done, wanted)

    rating = rate(
        played,
        deck.cards,
        wanted,
        seed,
        policies=(policies[0], policies[1]),
        runner=runner,
        progress=more,
        resume=resume,
        tell=tell,
    ).to_dict()
    return {"name": deck.name, **rating, "verdict": verdict(played, deck.cards, rating, database)}


def _drawn(game: str, source: str, seed: int, database: Path | None, waiting: Callable[[], None]) -> Deck:
    dice = Dice(seed)
    if from_collection(source):
        cards = draw_owned(game, (), dice, database, waiting)
    else:
        cards = draw_deck(game, DeckRequest(database=database, query=query_of(source)), dice).cards
    return Deck(f"Random deck {seed}", tuple(cards), seed, game)


def verdict(game: str, cards: Sequence[Card], rating: dict[str, Any], database: Path | None) -> list[str]:
    """What the figures mean and what to do, in sentences, the most important first."""
    decks = find_game(game).decks
    if decks and (reason := decks.why_dead(cards)):
        return [f"A dead deck: {reason}. Put other cards in."]
    rated, card_games = find_rating(game), {card.game for card in cards}
    sentences = [*rated.verdict(cards, rating, lambda zone: _with_numbers_at(zone, card_games, database))]
    if abs(rating["first_share"] - 0.5) > max(_EVEN, 2 * rating["first_stderr"]):
        takes = f"Whoever starts takes {_starts(rating)}"
        if rated.evens and rating["komi"]:
            takes += f": even it with --option {rated.evens}={rating['komi']} (then {_percent(rating['komi_share'])})"
        elif rated.evens:
            takes += f": {rated.evens}, which the other player is given, does not even that"
        sentences.append(f"{takes}.")
    else:
        sentences.append(f"Even: whoever starts takes {_starts(rating)}.")
    if rating["draws"] > 0.2:
        sentences.append(f"{_percent(rating['draws'])} of games are drawn.")
    return sentences


def _starts(rating: dict[str, Any]) -> str:
    """What who starts takes, and between whom: others who think more, or less, may find it otherwise."""
    one, other = rating["players"]
    who = f"two {one} players" if one == other else f"{one} and {other} players"
    return f"{_percent(rating['first_share'])} of the points between {who}"


def _with_numbers_at(zone: str, but: set[str], database: Path | None) -> str:
    """The card games of the catalogue whose legal cards mostly have a number there, as a sentence lists them."""
    if not has_cards(database):
        return ""
    with open_catalogue(database) as store:
        shares = store.shares_at(zone)
    fitting = [(share, game) for game, share in shares.items() if game not in but and share >= 1 / 2]
    names = [_title(name) for _, name in sorted(fitting, reverse=True)[:_MIXED_IN]]
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _title(game: str) -> str:
    """What people call a card game; a game of cards entered by hand has no layout."""
    try:
        return find_layout(game).name
    except CatalogError:
        return game


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
