"""What a game owes whose decks are searched for those that play well, its part `deck_search`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ccgrid.catalog.card import Card
from ccgrid.engine.insight.deck_rating import DeckCounts, DeckRating
from ccgrid.engine.many.runner import Runner

MET: Final = 0.5
EVEN: Final = 0.02
BY_ONE: Final = 0.4
CHOICES: Final = 1.25
"""The bars of a good deck: captures in which numbers meet, at least; how far from one half who starts may be, with komi
or without; games decided by one card, at most; and choices, at least as many times those of random decks."""


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """A deck that was found, how it plays in fresh games between the players of the search, and how random decks do.

    `start_share` is the points share of who starts, measured in `start_games` fresh games.
    """

    cards: tuple[Card, ...]
    rating: DeckRating
    usual: DeckCounts
    start_share: float
    start_games: int


class DeckSearch(Protocol):
    """A search among the cards of a pool, decided by its seed; what it finds is rated in games between one player.

    All methods raise TooFewCardsError where there are too few cards.
    """

    def __init__(
        self,
        pool: tuple[Card, ...],
        seed: int,
        runner: Runner,
        progress: Callable[[int], object],
        player: str,
        tell: Callable[[str], object] | None,
    ) -> None: ...

    @staticmethod
    def most_games(kind: str, player: str) -> int:
        """How many games a search of this kind, `lively`, `balanced`, `good` or `random`, plays."""

    @staticmethod
    def meets(cards: Sequence[Card]) -> list[int]:
        """For each card of a deck with how many of the others its numbers can be compared."""

    def lively(self) -> FoundDeck:
        """A deck whose numbers meet often; raises EngineError where the numbers of these cards cannot meet."""

    def good(self) -> FoundDeck:
        """A deck that is both, in which no card decides most games; raises EngineError as `lively` does."""

    def balanced(self) -> FoundDeck:
        """A deck with which it matters little who starts."""

    def random(self) -> tuple[Card, ...]:
        """A random deck, not measured."""

    def measured(self, cards: tuple[Card, ...]) -> FoundDeck:
        """A deck with what it does in games that no search has seen, and what random decks of the pool do."""
