"""Sources of decks for many games."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import TooFewCardsError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError


@dataclass(frozen=True, slots=True)
class FixedDecks:
    """A source of the same decks for every game."""

    decks: tuple[tuple[Card, ...], ...]

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Return the decks."""
        return self.decks


@dataclass(frozen=True, slots=True)
class RandomDecks:
    """A source of random decks: for each game `count` decks of `size` different cards."""

    cards: Sequence[Card] = field(repr=False)
    size: int
    count: int = 1

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Draw the decks of one game; raise TooFewCardsError if there are fewer than `size` cards."""
        if len(self.cards) < self.size:
            raise TooFewCardsError(self.size, "different cards", len(self.cards))
        return [[self.cards[place] for place in dice.sample(len(self.cards), self.size)] for _ in range(self.count)]


@dataclass(frozen=True, slots=True)
class DifferentDecks:
    """A source that draws `count` different decks per game from a list."""

    decks: tuple[tuple[Card, ...], ...] = field(repr=False)
    count: int

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Draw the decks of one game; raise EngineError if the list is too short."""
        if len(self.decks) < self.count:
            raise EngineError(f"{self.count} different decks are needed, and there are {len(self.decks)}")
        return [self.decks[place] for place in dice.sample(len(self.decks), self.count)]
