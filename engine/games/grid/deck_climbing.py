"""Lively decks of grid, as far as their numbers tell: changed card by card as long as the numbers meet more often."""

from collections.abc import Sequence
from typing import Final

from catalog.card import Card
from engine.dice import Dice
from engine.games.grid.meeting import Meeting
from engine.games.grid.state import DECK_SIZE
from engine.insight.deck_counts import DeckCounts

MUCH: Final = 0.15
"""No card of a lively deck has more of its points."""

_ENOUGH: Final = 0.6
"""In so many captures numbers meet often enough."""
_WEIGHT: Final = 2.5
"""Meetings are rarer than choices, and weigh so many times as much."""


def climbed_to(pool: Sequence[Card], dice: Dice, enough: float, steps: int) -> tuple[int, ...]:
    """The places in the pool of a deck's cards.

    No swap that was tried, of so many, makes its numbers meet more often in a grid laid at random; `enough` choices
    are all that it looks for.
    """
    deck = dice.sample(len(pool), DECK_SIZE)
    meeting = Meeting([pool[place] for place in deck])
    best = _promise(meeting, [pool[place] for place in deck], enough)
    for _ in range(steps):
        place, card = dice.below(DECK_SIZE), dice.below(len(pool))
        if card in deck:
            continue
        before = deck[place]
        meeting.swap(place, pool[card])
        deck[place] = card
        found = _promise(meeting, [pool[place] for place in deck], enough)
        if found > best:
            best = found
        else:
            meeting.swap(place, pool[before])
            deck[place] = before
    return tuple(deck)


def _promise(meeting: Meeting, cards: Sequence[Card], enough: float) -> float:
    """How lively a deck looks by its numbers: meetings, choices, and no card with too many of the points."""
    points = sum(card.score for card in cards) or 1
    heaviest = max(card.score for card in cards) / points
    liveliness = _WEIGHT * min(meeting.share / _ENOUGH, 1) + min(meeting.choices / enough, 1)
    return liveliness - 5 * max(0.0, heaviest - MUCH + 0.02)


def liveliness(counts: DeckCounts) -> float:
    """How lively a deck was in games."""
    uneven = abs(counts.first_share - 0.5)
    return min(counts.met_share / _ENOUGH, 1) - 2 * uneven - 5 * counts.per_game(counts.dead)
