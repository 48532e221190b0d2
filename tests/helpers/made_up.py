"""Made-up cards and set-ups for the tests of games."""

import random
from collections.abc import Sequence

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.four_sides import SIDES, sided_card
from ccgrid.engine.games.grid.moves import BOARD
from ccgrid.engine.games.grid.rules import GridSetup, GridState
from ccgrid.engine.options import Option

FIRST_WORDS = ("Amber", "Brass", "Cinder", "Dusk", "Ember", "Frost", "Gale", "Hollow", "Iron", "Jade")
LAST_WORDS = ("Archivist", "Bellringer", "Cartographer", "Drake", "Ferryman")


def card(name: str = "Amber Drake", score: int | None = None, **zones: int) -> Card:
    """Return a card of a made-up game.

    Args:
        score: The score; by default the sum of the numbers.
        zones: The number in each zone: `bottom_right=4`.
    """
    numbers = {zone.replace("_", "-"): number for zone, number in zones.items()}
    score = sum(numbers.values()) if score is None else score
    return zone_card(Card(id="", game="", name=name, zones=numbers, score=score))


def random_card(rng: random.Random, number: int = 0) -> Card:
    """Return a card with one to four numbers in its zones, and perhaps some on its face."""
    zones = {zone: rng.randint(0, 10) for zone in rng.sample(ZONES, rng.randint(1, 4))}
    name = f"{rng.choice(FIRST_WORDS)} {rng.choice(LAST_WORDS)}"
    score = sum(zones.values()) + rng.randint(0, 9)
    return zone_card(Card(id=f"dusk:{number}", game="dusk", name=name, zones=zones, score=score))


def random_deck(rng: random.Random, size: int = 20) -> list[Card]:
    return [random_card(rng, number) for number in range(size)]


def random_sided_card(rng: random.Random, low: int = 0, high: int = 10) -> Card:
    """Return a card of the tactics game; cards with the same name may have different numbers."""
    name = f"{rng.choice(FIRST_WORDS)} {rng.choice(LAST_WORDS)}"
    return sided_card(name, *(rng.randint(low, high) for _ in SIDES))


def random_side_deck(rng: random.Random, size: int = 18) -> list[Card]:
    return [random_sided_card(rng) for _ in range(size)]


def random_battle_card(rng: random.Random) -> Card:
    """Return a card of the ninecard game, usually a cheap one; cards with the same name may have different numbers."""
    name = f"{rng.choice(FIRST_WORDS)} {rng.choice(LAST_WORDS)}"
    fight = (None, None) if rng.random() < 0.4 else (rng.choice((0, 0, 1, 1, 2, 5)), rng.choice((0, 0, 1, 1, 2, 5)))
    return Card(id="", game="", name=name, zones={}, score=0, attack=fight[0], defense=fight[1])


def random_battle_deck(rng: random.Random, size: int = 12) -> list[Card]:
    return [random_battle_card(rng) for _ in range(size)]


def options_for(game: str, rng: random.Random) -> dict[str, object]:
    """Return options of this game, each with its default or a sampled value."""
    dice, options = Dice(rng.getrandbits(32)), find_game(game).options
    return {option.name: option.sample(dice) if rng.random() < 0.5 else option.default for option in options}


def variants_of(game: str) -> list[dict[str, object]]:
    """Return the default options, variants with one option changed each, and a variant with all of them changed."""
    other = {option.name: non_default_value(option) for option in find_game(game).options}
    return [{}, *({name: value} for name, value in other.items()), *([other] if len(other) > 1 else [])]


def non_default_value(option: Option) -> object:
    """Return a sample value of an option that is not its default."""
    return next(value for number in range(100) if (value := option.sample(Dice(number))) != option.default)


def deck_for(game: str, rng: random.Random) -> list[Card]:
    """Return a legal deck for this game, of the first kind of cards with which a game is not dead."""
    decks, cards, beginning = find_game(game).decks, [], rng.getstate()
    for make in (random_deck, random_side_deck, random_battle_deck):
        rng.setstate(beginning)  # The deck does not depend on the kinds tried before.
        cards = make(rng)
        if decks is None:
            break
        cards = cards[: decks.sizes[-1]]
        if all(decks.fault(card) is None for card in cards) and not decks.dead_deck_reason(cards):
            break
    return cards


PASSIVE_CARD = card("Still", top=0, bottom=0, score=0)
"""A legal card that takes no card of the same kind."""


def grid_of(
    pile: Sequence[Card] = (), players: Sequence[str] = ("Ann", "Bob"), first: int = 0, **cells: Card
) -> GridState:
    """Return a grid with these cards on these cells and a known pile; all other cells have cards that take no other."""
    cards = tuple(cells.get(cell, PASSIVE_CARD) for cell in BOARD.cells)
    return GridSetup(tuple(players), first, (*cards, *pile)).start()


def mixed_card(number: int) -> Card:
    """Return a card for every game: with numbers on all sides, and attack and defense unless it is energy."""
    zones = {side: number * (3 + place) % 11 for place, side in enumerate(SIDES)}
    fight = (None, None) if number % 3 == 0 else (number % 4, 1 + number % 2)
    score = sum(zones.values()) + number % 7
    return Card(f"mixed:{number}", "mixed", f"Card {number}", zones, score, attack=fight[0], defense=fight[1])


CARDS = tuple(map(mixed_card, range(120)))
"""Cards from which every game can build decks."""


def sparse_card(rng, number):
    """Return a card with one or two numbers, like most real cards."""
    zones = {zone: rng.randint(0, 10) for zone in rng.sample(ZONES, rng.randint(1, 2))}
    score = sum(zones.values()) + rng.choice((0, 0, rng.randint(0, 9)))
    return zone_card(Card(id=f"dusk:{number}", game="dusk", name=f"Card {number}", zones=zones, score=score))


def sparse_deal(rng, copies=0.3):
    deck = [sparse_card(rng, number) for number in range(20)]
    if rng.random() < copies:
        deck = [rng.choice(deck[:6]) for _ in deck]
    return GridSetup(("Ann", "Bob"), rng.randrange(2), label(deck))
