"""Games of the ninecard game between random and greedy players, compiled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np

from catalog.card import Card
from engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from engine.dice import ALL, Dice
from engine.games.ninecard.cards import LARGEST_DECK, LONGEST_NAME, is_creature
from engine.games.ninecard.combat import BOARD, COLUMNS
from engine.games.ninecard.decks import BattleDecks
from engine.games.ninecard.ending import MOST
from engine.games.ninecard.game import NinecardGame
from engine.games.ninecard.opening import MOST_AGAIN, OPENINGS
from engine.games.ninecard.side import Options
from engine.kernels.batch import Batch
from engine.kernels.compiled import dealing
from engine.kernels.compiled.columns import Columns, can_play, policies
from engine.kernels.compiled.labels import Labels
from engine.kernels.compiled.ninecard_combat import CREATURE
from engine.kernels.compiled.ninecard_loop import play
from engine.kernels.compiled.ninecard_moves import ASSAULT, ATTACK, END, MOVE, PLAY, SWAP, VERB, VERBS
from engine.tally import Lineup

_SIZES: Final = range(1, LARGEST_DECK + 1)
_OPENING: Final = "opening"
_MOVES_A_TURN: Final = 30
"""No turn has more: six cards leave the hand at most, each of nine creatures moves and attacks once."""


class Prepared(NamedTuple):
    """What the loop is given of decks: where they come from, names, begins, creatures, ranks, and where decks begin."""

    source: int
    names: Any
    begins: Any
    creatures: Any
    ranks: Any
    play_ranks: Any
    decks: Any


class CompiledNinecard:
    """Plays all variants, with decks given, chosen or drawn."""

    games_at_once: Final = 1_000
    is_compiled: Final = True

    def __init__(self) -> None:
        self._last: tuple[object, Prepared | None] | None = None

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is the ninecard game between random and greedy players, with decks that can be played."""
        if not can_play(lineup, "ninecard", (2, 3, 4)) or _options(lineup.options) is None:
            return False
        return self._prepared(lineup) is not None

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        prepared, options = self._prepared(lineup), _options(lineup.options)
        again = MOST_AGAIN if lineup.options.get(_OPENING, OPENINGS[0]) == OPENINGS[0] else 0
        if prepared is None or options is None:
            raise ValueError("this lineup does not fit")
        seats = len(lineup.policies)
        columns = Columns(len(numbers), seats, _MOVES_A_TURN * options.limit if keep_moves else 0, np.uint32)
        given, states = _drawn_before(lineup, numbers)
        play(
            lineup.seed & ALL,
            numbers.start,
            *prepared,
            given,
            states,
            np.array([options.life, options.limit, options.facedown, options.one_creature, again], np.int64),
            np.array(sorted(range(seats), key=lineup.players.__getitem__), np.int64),
            policies(lineup),
            columns.first,
            columns.plies,
            columns.scores,
            columns.endings,
            columns.moves,
        )
        return columns.batch(numbers, ("last-player", "turn-limit"), _namer(lineup, numbers) if keep_moves else None)

    def _prepared(self, lineup: Lineup) -> Prepared | None:
        last = self._last  # another thread may play with other decks
        if last is None or last[0] is not lineup.decks:
            last = self._last = lineup.decks, _prepare(lineup.decks, len(lineup.policies))
        return last[1]


def _options(given: Mapping[str, object]) -> Options | None:
    usual = asdict(Options())
    if given.get(_OPENING, OPENINGS[0]) not in OPENINGS:
        return None
    given = {key: value for key, value in given.items() if key != _OPENING}
    for key, value in given.items():
        if key not in usual or type(value) is not type(usual[key]):
            return None
        if isinstance(value, int) and not isinstance(value, bool) and not 1 <= value <= MOST[key]:
            return None
    return Options(**{**usual, **given})


def _prepare(source: object, seats: int) -> Prepared | None:
    kind, decks, begins = _decks(source, seats)
    cards = [card for deck in decks for card in deck]
    labels = Labels(cards, _look)
    if not cards or not labels.are_plain:
        return None
    if not all(text.strip() and len(text) <= LONGEST_NAME for text in labels.texts):
        return None
    return Prepared(
        kind,
        np.array([labels.name, labels.look]),
        labels.begins,
        np.array([CREATURE + 16 * look[0] + look[1] if (look := _look(card)) else 0 for card in cards], np.int64),
        labels.ranks([""])[:, 0].copy(),
        labels.ranks([f" {column}" for column in COLUMNS]),
        np.array(begins, np.uint64),
    )


def _decks(source: object, seats: int) -> tuple[int, Sequence[Sequence[Card]], list[int]]:
    """Where decks come from, what they are, and where they begin, or their sizes; no decks where they do not fit."""
    sizes: list[int] = []
    if isinstance(source, FixedDecks) and len(source.decks) == seats:
        kind, decks = dealing.SHARED, source.decks
    elif isinstance(source, DifferentDecks) and source.count == seats <= len(source.decks):
        kind, decks = dealing.DIFFERENT, source.decks
    elif isinstance(source, RandomDecks) and source.count == seats and len(source.cards) >= source.size:
        kind, decks, sizes = dealing.DRAWN, (source.cards,), [source.size] * seats
    elif isinstance(source, BattleDecks) and source.count == seats:
        kind, decks, sizes = dealing.GIVEN, (source.creatures, source.energies), [source.size] * seats
    else:
        return dealing.SHARED, (), []
    if any(size not in _SIZES for size in sizes or map(len, decks)):
        return dealing.SHARED, (), []
    return kind, decks, sizes or [0, *accumulate(map(len, decks))]


def _look(card: Card) -> tuple[int, int] | None:
    if not is_creature(card) or card.attack is None or card.defense is None:
        return None
    return card.attack, card.defense


def _drawn_before(lineup: Lineup, numbers: range) -> tuple[Any, Any]:
    """For each game the cards of all decks, and the state of the dice then, where they are drawn along a curve."""
    source = lineup.decks
    if not isinstance(source, BattleDecks):
        return np.zeros((0, 0), np.uint32), np.zeros(0, np.uint64)
    places = {id(card): place for place, card in enumerate((*source.creatures, *source.energies))}
    given = np.zeros((len(numbers), source.size * source.count), np.uint32)
    states = np.zeros(len(numbers), np.uint64)
    for game, number in enumerate(numbers):
        dice = Dice(lineup.seed).fork(number)
        given[game] = [places[id(card)] for deck in source(dice) for card in deck]
        states[game] = dice.state
    return given, states


def _namer(lineup: Lineup, numbers: range) -> Callable[[int, int], str]:
    @lru_cache(maxsize=1)
    def decks(game: int) -> Sequence[Sequence[Any]]:
        dice = Dice(lineup.seed).fork(numbers[game])
        return NinecardGame().deal(lineup.players, lineup.decks(dice), dice, options=lineup.options).decks

    def name(game: int, played: int) -> str:
        seat, move = divmod(played, 1 << 16)
        verb, about = divmod(move, VERB)
        cells = BOARD.cells
        if verb == END:
            return "end"
        if verb == ASSAULT:
            return f"assault {lineup.players[about]}"
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
