"""Games of tactics between random and greedy players, compiled."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from catalog.card import HIGHEST, LOWEST, Card
from engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from engine.games.four_sides.cards import SIDES, sides
from engine.games.tactics.compiled import looks as board
from engine.games.tactics.compiled import loop as loop
from engine.games.tactics.decks import SIZES
from engine.games.tactics.game import TacticsGame
from engine.games.tactics.table import TABLES
from engine.kernels.batch import Batch, Deals
from engine.kernels.compiled import dealing
from engine.kernels.compiled.columns import Columns, Kept, can_play, deal_arrays, dealt_again, dealt_alone, policies
from engine.kernels.compiled.labels import Labels
from engine.tally import Lineup


class Prepared(NamedTuple):
    """What the loop is given of decks, numbers and ranks; and how many cards the longest deck has."""

    pool: dealing.Pool
    numbers: Any
    ranks: Any
    longest: int


class CompiledTactics:
    """Plays with decks given, chosen or drawn; no name may have `@` in it, which parts it from the cell in a move."""

    games_at_once: Final = 10_000
    is_compiled: Final = True

    def __init__(self) -> None:
        self._kept: Kept[Prepared | None] = Kept()

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is tactics, without options, between random and greedy players, with decks that can be played."""
        if not can_play(lineup, "tactics", tuple(TABLES)) or lineup.options:
            return False
        return self._prepared(lineup) is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        return replace(self.run_dealt(lineup, dealt_alone(lineup, numbers), keep_moves=keep_moves), numbers=numbers)

    def run_dealt(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Plays games with dice and starters of their own."""
        numbers = range(len(deals.drawing))
        prepared, seats = self._prepared(lineup), len(lineup.policies)
        if prepared is None:
            raise ValueError("these decks do not fit")
        columns = Columns(len(numbers), seats, seats * prepared.longest if keep_moves else 0)
        loop.play(
            deal_arrays(deals),
            *prepared[:-1],
            board.neighbours(seats),
            board.values(seats),
            board.turns(seats),
            loop.alphabetical(seats),
            policies(lineup, deals),
            columns.filled,
            columns.moves,
        )
        return columns.batch(numbers, ("board-full", "no-cards"), _namer(lineup, deals) if keep_moves else None)

    def _prepared(self, lineup: Lineup) -> Prepared | None:
        return self._kept.of(lineup.decks, lambda: _prepare(lineup.decks, len(lineup.policies)))


def _prepare(source: object, seats: int) -> Prepared | None:
    kind, decks = _decks(source, seats)
    cards = [card for deck in decks for card in deck]
    if not cards or not all(map(_can_play, cards)):
        return None
    if kind != dealing.DRAWN and any(len(deck) not in SIZES for deck in decks):
        return None
    labels = Labels(cards, sides)
    if not labels.are_plain:
        return None
    sizes = [source.size] * seats if isinstance(source, RandomDecks) else list(map(len, decks))
    return Prepared(
        dealing.pool_of(kind, sizes, labels),
        np.array([sides(card) for card in cards], np.uint8),
        labels.ranks(["@"])[:, 0].copy(),
        max(sizes),
    )


def _decks(source: object, seats: int) -> tuple[int, Sequence[Sequence[Card]]]:
    """Where decks come from, and what they are; what they are drawn from is one deck. None where it does not fit."""
    if isinstance(source, FixedDecks) and len(source.decks) == seats:
        return dealing.SHARED, source.decks
    if isinstance(source, DifferentDecks) and source.count == seats <= len(source.decks):
        return dealing.DIFFERENT, source.decks
    if isinstance(source, RandomDecks) and source.count == seats and source.size in SIZES:
        return dealing.DRAWN, [source.cards] if len(source.cards) >= source.size else []
    return dealing.SHARED, []


def _can_play(card: Card) -> bool:
    numbers = [card.zones.get(side, LOWEST - 1) for side in SIDES]
    fitting = all(LOWEST <= number <= HIGHEST for number in numbers)
    return fitting and bool(card.name.strip()) and "@" not in card.name


def _namer(lineup: Lineup, deals: Deals) -> Callable[[int, int], str]:
    cells = TABLES[len(lineup.policies)].board.cells

    @lru_cache(maxsize=1)
    def cards(game: int) -> Sequence[Card | None]:
        decks, dealer = dealt_again(lineup, deals, game)
        return TacticsGame().deal(lineup.players, decks, dealer).cards

    def name(game: int, move: int) -> str:
        card = cards(game)[move >> 4]
        return f"{card.name}@{cells[move & 15]}" if card else ""

    return name


KERNEL: Final = CompiledTactics()
