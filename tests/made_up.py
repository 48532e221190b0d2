"""Made-up cards and set-ups for the tests of games."""

import random
from collections.abc import Sequence

from catalog.card import ZONES, Card
from engine.cards import zone_card
from engine.games.four_sides.cards import SIDES, sided_card
from engine.games.grid.state import BOARD, GridSetup, GridState

FIRST_WORDS = ("Amber", "Brass", "Cinder", "Dusk", "Ember", "Frost", "Gale", "Hollow", "Iron", "Jade")
LAST_WORDS = ("Archivist", "Bellringer", "Cartographer", "Drake", "Ferryman")


def card(name: str = "Amber Drake", score: int | None = None, **zones: int) -> Card:
    """A card of a made-up game; `bottom_right=4` is the number in that corner, the score their sum unless given."""
    numbers = {zone.replace("_", "-"): number for zone, number in zones.items()}
    score = sum(numbers.values()) if score is None else score
    return zone_card(Card(id="", game="", name=name, zones=numbers, score=score))


def random_card(rng: random.Random, number: int = 0) -> Card:
    """A card with one to four numbers in its zones, and perhaps some on its face."""
    zones = {zone: rng.randint(0, 10) for zone in rng.sample(ZONES, rng.randint(1, 4))}
    name = f"{rng.choice(FIRST_WORDS)} {rng.choice(LAST_WORDS)}"
    score = sum(zones.values()) + rng.randint(0, 9)
    return zone_card(Card(id=f"dusk:{number}", game="dusk", name=name, zones=zones, score=score))


def random_deck(rng: random.Random, size: int = 20) -> list[Card]:
    return [random_card(rng, number) for number in range(size)]


def random_sided_card(rng: random.Random, low: int = 0, high: int = 10) -> Card:
    """A card of the tactics game; two may share a name and not their numbers."""
    name = f"{rng.choice(FIRST_WORDS)} {rng.choice(LAST_WORDS)}"
    return sided_card(name, *(rng.randint(low, high) for _ in SIDES))


def random_side_deck(rng: random.Random, size: int = 18) -> list[Card]:
    return [random_sided_card(rng) for _ in range(size)]


def random_battle_card(rng: random.Random) -> Card:
    """A card of the ninecard game, most of them cheap; two may share a name and not their numbers."""
    name = f"{rng.choice(FIRST_WORDS)} {rng.choice(LAST_WORDS)}"
    fight = (None, None) if rng.random() < 0.4 else (rng.choice((0, 0, 1, 1, 2, 5)), rng.choice((0, 0, 1, 1, 2, 5)))
    return Card(id="", game="", name=name, zones={}, score=0, attack=fight[0], defense=fight[1])


def random_battle_deck(rng: random.Random, size: int = 12) -> list[Card]:
    return [random_battle_card(rng) for _ in range(size)]


DECKS = {"ninecard": random_battle_deck, "tactics": random_side_deck}


def options_for(game: str, rng: random.Random) -> dict[str, object]:
    """Options of this game with which random games are short; of the others, those chosen at random."""
    if game == "matrix":
        return {"rotate": rng.choice(("quarter", "step"))}
    if game == "grid":
        return {
            "komi": rng.choice((0, 5)),
            "order": rng.choice(("1-1-1", "1-2-2")),
            "empty-pile": rng.random() < 0.5,
        }
    if game != "ninecard":
        return {}
    variants = {name: rng.random() < 0.5 for name in ("facedown", "one_creature")}
    return {"life": 8, "limit": 4, **variants}


def deck_for(game: str, rng: random.Random) -> list[Card]:
    """A deck that this game may be played with."""
    return DECKS.get(game, random_deck)(rng)


STILL = card("Still", top=0, bottom=0, score=0)
"""Legal, and takes no other one of its kind."""


def grid_of(
    pile: Sequence[Card] = (), players: Sequence[str] = ("Ann", "Bob"), first: int = 0, **cells: Card
) -> GridState:
    """A grid with these cards on these cells and a known pile; on all other cells lie still cards."""
    cards = tuple(cells.get(cell, STILL) for cell in BOARD.cells)
    return GridSetup(tuple(players), first, (*cards, *pile)).start()
