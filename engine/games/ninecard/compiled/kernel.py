"""Games of the ninecard game between random and greedy players, compiled."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from catalog.card import Card
from engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from engine.games.ninecard.cards import LARGEST_DECK, LONGEST_NAME, is_creature
from engine.games.ninecard.combat import BOARD, COLUMNS
from engine.games.ninecard.compiled.combat import CREATURE
from engine.games.ninecard.compiled.loop import play
from engine.games.ninecard.compiled.moves import ASSAULT, ATTACK, END, MOVE, PLAY, SWAP, VERB, VERBS
from engine.games.ninecard.compiled.table import Ranks, Rules, laid
from engine.games.ninecard.decks import BattleDecks
from engine.games.ninecard.game import GAME
from engine.games.ninecard.opening import MOST_AGAIN
from engine.games.ninecard.options import OPENINGS, Options
from engine.kernels.batch import Batch, Deals
from engine.kernels.compiled import dealing
from engine.kernels.compiled.columns import Columns, Kept, can_play, deal_arrays, dealt_again, dealt_alone, policies
from engine.kernels.compiled.labels import Labels
from engine.tally import Lineup

_SIZES: Final = range(1, LARGEST_DECK + 1)
_MOVES_A_TURN: Final = 30
"""No turn has more: six cards leave the hand at most, each of nine creatures moves and attacks once."""


class Prepared(NamedTuple):
    """What the loop is given of decks: the pool, each card as a creature, and how texts are sorted."""

    pool: dealing.Pool
    creatures: Any
    ranks: Any
    play_ranks: Any


class CompiledNinecard:
    """Plays all variants, with decks given, chosen or drawn."""

    games_at_once: Final = 1_000
    is_compiled: Final = True

    def __init__(self) -> None:
        self._kept: Kept[Prepared | None] = Kept()

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is the ninecard game between random and greedy players, with decks that can be played."""
        return can_play(lineup, "ninecard", (2, 3, 4)) and self._prepared(lineup) is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        return replace(self.run_dealt(lineup, dealt_alone(lineup, numbers), keep_moves=keep_moves), numbers=numbers)

    def run_dealt(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Plays games with dice and starters of their own."""
        prepared, values = self._prepared(lineup), GAME.chosen(lineup.options)
        again = MOST_AGAIN if values.pop("opening") == OPENINGS[0] else 0
        options = Options(**values)
        if prepared is None:
            raise ValueError("this lineup does not fit")
        numbers, seats = range(len(deals.drawing)), len(lineup.policies)
        columns = Columns(len(numbers), seats, _MOVES_A_TURN * options.limit if keep_moves else 0, np.uint32)
        by_name = sorted(range(seats), key=deals.seated(lineup.players).__getitem__)
        rules = Rules(options.life, options.limit, int(options.facedown), int(options.one_creature), again)
        ranks = Ranks(prepared.ranks, prepared.play_ranks, np.array(by_name, np.int64))
        dealt = dealing.room(seats, prepared.pool)
        play(
            deal_arrays(deals),
            prepared.pool,
            dealt,
            laid(seats, dealt, rules, ranks),
            prepared.creatures,
            policies(lineup, deals),
            columns.filled,
            columns.moves,
        )
        return columns.batch(numbers, ("last-player", "turn-limit"), _namer(lineup, deals) if keep_moves else None)

    def _prepared(self, lineup: Lineup) -> Prepared | None:
        return self._kept.of(lineup.decks, lambda: _prepare(lineup.decks, len(lineup.policies)))


def _prepare(source: object, seats: int) -> Prepared | None:
    kind, decks, sizes = _decks(source, seats)
    cards = [card for deck in decks for card in deck]
    labels = Labels(cards, _look)
    if not cards or not labels.are_plain:
        return None
    if not all(text.strip() and len(text) <= LONGEST_NAME for text in labels.texts):
        return None
    steps = tuple(_steps(source)) if isinstance(source, BattleDecks) else ()
    costs = [sum(look) if (look := _look(card)) else -1 for card in cards]
    return Prepared(
        dealing.pool_of(kind, sizes, labels, steps=steps, costs=costs),
        np.array([CREATURE + 16 * look[0] + look[1] if (look := _look(card)) else 0 for card in cards], np.int64),
        labels.ranks([""])[:, 0].copy(),
        labels.ranks([f" {column}" for column in COLUMNS]),
    )


def _decks(source: object, seats: int) -> tuple[int, Sequence[Sequence[Card]], list[int]]:
    """Where decks come from, of which cards they are, and their sizes; no cards where they do not fit."""
    cards: Sequence[Sequence[Card]] = ()
    if isinstance(source, FixedDecks) and len(source.decks) == seats:
        kind, cards, sizes = dealing.SHARED, source.decks, list(map(len, source.decks))
    elif isinstance(source, DifferentDecks) and source.count == seats <= len(source.decks):
        kind, cards, sizes = dealing.DIFFERENT, source.decks, list(map(len, source.decks))
    elif isinstance(source, RandomDecks) and source.count == seats and len(source.cards) >= source.size:
        kind, cards, sizes = dealing.DRAWN, (source.cards,), [source.size] * seats
    elif isinstance(source, BattleDecks) and source.count == seats:
        kind, cards, sizes = dealing.BY_STEPS, (source.creatures, source.energies), [source.size] * seats
    else:
        return dealing.SHARED, (), []
    return kind, cards if all(size in _SIZES for size in sizes) else (), sizes


def _steps(source: BattleDecks) -> Iterator[tuple[int, int, int, int, bool]]:
    """How a deck is drawn along the curve, and then its energy: the steps of a `Pool`."""
    missing = source.size - source.energy
    while missing > 0:
        count = min(missing, len(source.creatures))
        there = 0
        for number, (available, wanted) in enumerate(source.along_the_curve(count)):
            yield 0, available, min(available, wanted), wanted, number == 0
            there = min(available, wanted)
        missing -= there
    missing = source.energy
    while missing > 0:
        count = min(missing, len(source.energies))
        yield len(source.creatures), len(source.energies), count, count, True
        missing -= count


def _look(card: Card) -> tuple[int, int] | None:
    if not is_creature(card) or card.attack is None or card.defense is None:
        return None
    return card.attack, card.defense


def _namer(lineup: Lineup, deals: Deals) -> Callable[[int, int], str]:
    @lru_cache(maxsize=1)
    def decks(game: int) -> Sequence[Sequence[Any]]:
        drawn, dice = dealt_again(lineup, deals, game)
        return GAME.deal(lineup.players, drawn, dice, options=lineup.options).decks

    def name(game: int, played: int) -> str:
        seat, move = divmod(played, 1 << 16)
        verb, about = divmod(move, VERB)
        cells = BOARD.cells
        if verb == END:
            return "end"
        if verb == ASSAULT:
            return f"assault {deals.seated(lineup.players)[about]}"
        if verb == ATTACK:
            return f"attack {cells[about]}"
        if verb == MOVE:
            return f"move {cells[about // 9]} {cells[about % 9]}"
        if verb == SWAP:
            return f"swap {cells[about // 9]} {cells[about % 9]}"
        if verb == PLAY:
            return f"play {decks(game)[seat][about // 4].name} {COLUMNS[about % 4]}"
        return f"{VERBS[verb]} {decks(game)[seat][about].name}"

    return name


KERNEL: Final = CompiledNinecard()
