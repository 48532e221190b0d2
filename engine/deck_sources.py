"""Where the decks of many games come from: the same for all, drawn from cards, or drawn from ready-made decks."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError


class TooFewCardsError(EngineError):
    """There are fewer cards than a deck takes: `needed` of some kind, and so many are `there`."""

    def __init__(self, needed: int, kind: str, there: int) -> None:
        super().__init__(needed, kind, there)
        self.needed = needed
        self.kind = kind
        self.there = there

    def __str__(self) -> str:
        return f"a deck takes {self.needed} {self.kind}, and there are {self.there}"


@dataclass(frozen=True, slots=True)
class FixedDecks:
    """The same decks for every game."""

    decks: tuple[tuple[Card, ...], ...]

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """The decks."""
        return self.decks


@dataclass(frozen=True, slots=True)
class RandomDecks:
    """New decks for every game, each of `size` different ones of the cards, drawn at random."""

    cards: Sequence[Card] = field(repr=False)
    size: int
    count: int = 1

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Such decks; raises TooFewCardsError."""
        if len(self.cards) < self.size:
            raise TooFewCardsError(self.size, "different cards", len(self.cards))
        return [[self.cards[place] for place in dice.sample(len(self.cards), self.size)] for _ in range(self.count)]


@dataclass(frozen=True, slots=True)
class DifferentDecks:
    """For every game so many different ones of these decks, drawn at random."""

    decks: tuple[tuple[Card, ...], ...] = field(repr=False)
    count: int

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Such decks; raises EngineError where there are fewer."""
        if len(self.decks) < self.count:
            raise EngineError(f"{self.count} different decks are needed, and there are {len(self.decks)}")
        return [self.decks[place] for place in dice.sample(len(self.decks), self.count)]
