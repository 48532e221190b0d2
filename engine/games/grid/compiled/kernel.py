"""Games of grid between random and greedy players, compiled."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from catalog.card import HIGHEST, LOWEST, Card
from engine.cards import LARGEST_SCORE
from engine.deck_sources import FixedDecks, RandomDecks
from engine.games.grid.compiled.loop import play
from engine.games.grid.compiled.moves import PLACES, ZONE_ORDER
from engine.games.grid.game import GAME
from engine.games.grid.options import Options
from engine.games.grid.state import DECK_SIZE
from engine.kernels.alike import kinds
from engine.kernels.batch import Batch, Deals
from engine.kernels.compiled.columns import Columns, Kept, can_play, deal_arrays, dealt_alone, policies
from engine.options import as_fields
from engine.tally import Lineup


class CompiledGrid:
    """Plays every variant, with one deck for all games or decks drawn from a pool."""

    games_at_once: Final = 50_000
    is_compiled: Final = True

    def __init__(self) -> None:
        self._kept: Kept[tuple[Any, Any] | None] = Kept()

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is grid between random and greedy players, with legal cards."""
        if not can_play(lineup, "grid", (2, 3, 4)):
            return False
        return self._prepared(lineup) is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        return replace(self.run_dealt(lineup, dealt_alone(lineup, numbers), keep_moves=keep_moves), numbers=numbers)

    def run_dealt(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Plays games with dice and starters of their own."""
        numbers = range(len(deals.drawing))
        prepared = self._prepared(lineup)
        if prepared is None:
            raise ValueError("this lineup does not fit")
        options = Options(**as_fields(GAME.chosen(lineup.options)))
        columns = Columns(len(numbers), len(lineup.policies), DECK_SIZE if keep_moves else 0)
        play(
            deal_arrays(deals),
            *prepared,
            isinstance(lineup.decks, RandomDecks),
            policies(lineup, deals),
            options.komi,
            not options.in_pairs,
            options.empty_pile,
            columns.filled,
            columns.moves,
        )
        return columns.batch(numbers, ("no-captures",), (lambda game, move: PLACES[move]) if keep_moves else None)

    def _prepared(self, lineup: Lineup) -> tuple[Any, Any] | None:
        cards = _cards(lineup)
        return None if cards is None else self._kept.of(cards, lambda: _prepare(cards))


def _prepare(cards: Sequence[Card]) -> tuple[Any, Any] | None:
    """For each card the place of its row, and the rows; nothing where one of the cards may not be played."""
    pool = np.array(kinds(cards), np.uint32)
    different = [cards[place] for place in np.unique(pool, return_index=True)[1].tolist()]
    if not all(map(_can_lie, different)):
        return None
    return pool, np.array([(_word(card), card.score) for card in different], np.uint64)


def _cards(lineup: Lineup) -> Sequence[Card] | None:
    source = lineup.decks
    if isinstance(source, FixedDecks) and len(source.decks) == 1 and len(source.decks[0]) == DECK_SIZE:
        return source.decks[0]
    if isinstance(source, RandomDecks) and source.count == 1 and source.size == DECK_SIZE <= len(source.cards):
        return source.cards
    return None


def _word(card: Card) -> int:
    return sum(card.zones.get(zone, -1) + 2 << 8 * byte for byte, zone in enumerate(ZONE_ORDER))


def _can_lie(card: Card) -> bool:
    fitting = all(LOWEST <= number <= HIGHEST for number in card.zones.values())
    return card.legal and bool(card.zones) and fitting and LOWEST <= card.score <= LARGEST_SCORE


KERNEL: Final = CompiledGrid()
