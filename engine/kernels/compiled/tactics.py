"""Games of tactics between random and greedy players, compiled."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np

from catalog.card import HIGHEST, LOWEST, Card
from engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from engine.dice import ALL, Dice
from engine.games.tactics.cards import LARGEST_DECK, SIDES, SMALLEST_DECK, sides
from engine.games.tactics.game import TacticsGame
from engine.games.tactics.table import TABLES
from engine.kernels.batch import Batch
from engine.kernels.compiled import dealing
from engine.kernels.compiled import tactics_loop as loop
from engine.kernels.compiled.columns import Columns, can_play, policies
from engine.kernels.compiled.labels import Labels
from engine.tally import Lineup

_SIZES: Final = range(SMALLEST_DECK, LARGEST_DECK + 1)


class Prepared(NamedTuple):
    """What the loop is given of decks: where they come from, numbers, names, begins, ranks and decks."""

    source: int
    numbers: Any
    names: Any
    begins: Any
    ranks: Any
    decks: Any
    longest: int


class CompiledTactics:
    """Plays with decks given, chosen or drawn; no name may have `@` in it, which parts it from the cell in a move."""

    games_at_once: Final = 10_000
    is_compiled: Final = True

    def __init__(self) -> None:
        self._last: tuple[object, Prepared | None] | None = None

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is tactics, without options, between random and greedy players, with decks that can be played."""
        if not can_play(lineup, "tactics", tuple(TABLES)) or lineup.options:
            return False
        return self._prepared(lineup) is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        prepared, seats = self._prepared(lineup), len(lineup.policies)
        if prepared is None:
            raise ValueError("these decks do not fit")
        columns = Columns(len(numbers), seats, seats * prepared.longest if keep_moves else 0)
        loop.play(
            lineup.seed & ALL,
            numbers.start,
            *prepared[:-1],
            loop.neighbours(seats),
            loop.values(seats),
            loop.turns(seats),
            loop.alphabetical(seats),
            policies(lineup),
            columns.first,
            columns.plies,
            columns.scores,
            columns.endings,
            columns.moves,
        )
        return columns.batch(numbers, ("board-full", "no-cards"), _namer(lineup, numbers) if keep_moves else None)

    def _prepared(self, lineup: Lineup) -> Prepared | None:
        last = self._last  # another thread may play with other decks
        if last is None or last[0] is not lineup.decks:
            last = self._last = lineup.decks, _prepare(lineup.decks, len(lineup.policies))
        return last[1]


def _prepare(source: object, seats: int) -> Prepared | None:
    kind, decks = _decks(source, seats)
    cards = [card for deck in decks for card in deck]
    if not cards or not all(map(_can_play, cards)):
        return None
    if kind != dealing.DRAWN and any(len(deck) not in _SIZES for deck in decks):
        return None
    labels = Labels(cards, sides)
    if not labels.are_plain:
        return None
    if isinstance(source, RandomDecks):
        begins, longest = [source.size] * seats, source.size
    else:
        begins, longest = [0, *accumulate(map(len, decks))], max(map(len, decks))
    return Prepared(
        kind,
        np.array([sides(card) for card in cards], np.uint8),
        np.array([labels.name, labels.look]),
        labels.begins,
        labels.ranks(["@"])[:, 0].copy(),
        np.array(begins, np.uint64),
        longest,
    )


def _decks(source: object, seats: int) -> tuple[int, Sequence[Sequence[Card]]]:
    """Where decks come from, and what they are; what they are drawn from is one deck. None where it does not fit."""
    if isinstance(source, FixedDecks) and len(source.decks) == seats:
        return dealing.SHARED, source.decks
    if isinstance(source, DifferentDecks) and source.count == seats <= len(source.decks):
        return dealing.DIFFERENT, source.decks
    if isinstance(source, RandomDecks) and source.count == seats and source.size in _SIZES:
        return dealing.DRAWN, [source.cards] if len(source.cards) >= source.size else []
    return dealing.SHARED, []


def _can_play(card: Card) -> bool:
    numbers = [card.zones.get(side, LOWEST - 1) for side in SIDES]
    fitting = all(LOWEST <= number <= HIGHEST for number in numbers)
    return fitting and bool(card.name.strip()) and "@" not in card.name


def _namer(lineup: Lineup, numbers: range) -> Callable[[int, int], str]:
    cells = TABLES[len(lineup.policies)].board.cells

    @lru_cache(maxsize=1)
    def cards(game: int) -> Sequence[Card | None]:
        dice = Dice(lineup.seed).fork(numbers[game])
        return TacticsGame().deal(lineup.players, lineup.decks(dice), dice).cards

    def name(game: int, move: int) -> str:
        card = cards(game)[move >> 4]
        return f"{card.name}@{cells[move & 15]}" if card else ""

    return name


KERNEL: Final = CompiledTactics()
