"""Searches for decks of grid that play well: lively ones, whose numbers meet, and ones that are even for who starts.

A search is decided by its seed, wherever its games are played; where compiled code is there it looks further, and finds
another deck. What it promises is measured on fresh games, for what looks best in a search looks better than it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from catalog.card import Card
from engine.deck_counts import DeckCounts
from engine.deck_rating import DeckRating, count_games, rate
from engine.deck_sources import FixedDecks, TooFewCardsError
from engine.dice import Dice
from engine.errors import EngineError
from engine.games.grid.meeting import Meeting, can_meet
from engine.games.grid.state import DECK_SIZE
from engine.kernels import can_compile, find_kernel
from engine.portions import Work
from engine.runner import Runner
from engine.tally import Lineup

GREEDY: Final = ("greedy", "greedy")
MUCH: Final = 0.15
"""No card of a lively deck has more of its points."""

_ENOUGH: Final = 0.6
"""In so many captures numbers meet often enough."""
_WEIGHT: Final = 2.5
"""Meetings are rarer than choices, and weigh so many times as much."""
_CHOICES: Final = 1.45
"""So many times the choices of random decks are enough: with more of them it matters more who starts."""

_RATED: Final = 5_000
"""A deck that was found is rated on so many fresh games."""
_USUAL_DECKS: Final = 60
_USUAL_GAMES: Final = 80
"""Random decks, to compare with, and the games with each."""
_MANY_DRAWS: Final = 0.1


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """A deck that was found, how it plays between greedy players in fresh games, and how random decks do.

    `start_share` is the points share of who starts, measured in `start_games` fresh games.
    """

    cards: tuple[Card, ...]
    rating: DeckRating
    usual: DeckCounts
    start_share: float
    start_games: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """How far a search looks.

    Attributes:
        climbs: how many times it begins anew.
        starts: random decks to begin with, and `start_games` games with each.
        first: rounds of every climb, and the games with each swap.
        last: rounds with what the climbs found, the best first, until it is even enough.
        swaps: decks that are tried in a round.
        fresh: games in which it is asked how even a deck is.
    """

    climbs: int
    starts: int
    start_games: int
    first: tuple[int, int]
    last: tuple[int, int]
    swaps: int
    fresh: int


_QUICK: Final = _Plan(4, 100, 500, (30, 2_000), (50, 6_000), 16, 100_000)
_PLAIN: Final = _Plan(2, 40, 200, (15, 600), (25, 2_000), 8, 20_000)
_CLOSE: Final = 0.012
"""As even as this in fresh games is even enough to end the search."""

_CLIMBS: Final = 10
_STEPS: Final = 2_500
"""Lively decks are looked for by so many climbs of so many steps, by their numbers alone; then they are played."""
_CLIMB_GAMES: Final = 800


@dataclass(frozen=True, slots=True)
class Search:
    """What decks are searched in, and how.

    Attributes:
        pool: the cards that may be in a deck, each as often as it may.
        seed: what everything follows from.
        runner: where games are played.
        progress: is told now and then how many more games are played.
    """

    pool: tuple[Card, ...]
    seed: int
    runner: Runner = field(default_factory=Runner)
    progress: Callable[[int], object] = lambda _: None

    def lively(self) -> FoundDeck:
        """A deck whose numbers meet often, with many choices and no card that outweighs the others.

        Raises:
            TooFewCardsError: there are too few cards.
            EngineError: the numbers of these cannot meet.
        """
        self._check()
        if not can_meet(self.pool):
            raise EngineError(
                "the numbers of these cards cannot meet: no two of them stand in opposite zones. Add another card game"
            )
        dice = Dice(self.seed)
        usual = [Meeting(self._cards(self._drawn(dice))).choices for _ in range(_USUAL_DECKS)]
        enough = _CHOICES * max(sum(usual) / len(usual), 0.1)
        climbed = [self._climb(dice.fork(climb), enough) for climb in range(_CLIMBS)]
        lineups = [self._lineup(self._cards(deck), dice.fork(_CLIMBS).seed) for deck in climbed]
        counts = self._counted(lineups, _CLIMB_GAMES)
        best = max(range(_CLIMBS), key=lambda place: (_liveliness(counts[place]), -place))
        return self.measured(self._cards(climbed[best]))

    def balanced(self) -> FoundDeck:
        """A deck with which it matters little between greedy players who starts.

        Raises:
            TooFewCardsError: there are too few cards.
        """
        self._check()
        plan = _QUICK if can_compile() else _PLAIN
        dice = Dice(self.seed)
        by_score: dict[int, list[int]] = {}
        for place, card in enumerate(self.pool):
            by_score.setdefault(card.score, []).append(place)
        scores = [places for _, places in sorted(by_score.items())]
        climbed = [self._level(dice, plan, scores) for _ in range(plan.climbs)]
        uneven = self._uneven(climbed, dice.bits(), plan.fresh)
        ranked = sorted(zip(uneven, climbed, strict=True))
        found = []
        for _, deck in ranked:
            for _ in range(plan.last[0]):
                deck = self._better(deck, dice, plan.swaps, plan.last[1], scores)
            found.append((self._uneven([deck], dice.bits(), plan.fresh)[0], deck))
            if found[-1][0] <= _CLOSE:
                break
        return self.measured(self._cards(min(found)[1]))

    def _level(self, dice: Dice, plan: _Plan, scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The most even of some random decks, changed card by card as long as it becomes more even."""
        starts = [self._drawn(dice) for _ in range(plan.starts)]
        uneven = self._uneven(starts, dice.bits(), plan.start_games)
        best = starts[uneven.index(min(uneven))]
        for _ in range(plan.first[0]):
            best = self._better(best, dice, plan.swaps, plan.first[1], scores)
        return best

    def random(self) -> tuple[Card, ...]:
        """A random deck, not measured; raises TooFewCardsError."""
        self._check()
        return self._cards(self._drawn(Dice(self.seed)))

    def measured(self, cards: tuple[Card, ...]) -> FoundDeck:
        """A deck with what it does in games that no search has seen, and what random decks of the pool do."""
        self._check()
        dice = Dice(self.seed).fork(-1)
        rating = rate("grid", cards, _RATED, dice.seed, runner=self.runner, progress=self.progress)
        usual = DeckCounts()
        drawn = [self._lineup(self._cards(self._drawn(dice)), dice.seed) for _ in range(_USUAL_DECKS)]
        for counts in self._counted(drawn, _USUAL_GAMES):
            usual.add(counts)
        fresh = (_QUICK if can_compile() else _PLAIN).fresh
        [(share, _)] = self._starts([self._lineup(cards, dice.bits() >> 11)], fresh)
        return FoundDeck(cards, rating, usual, share, fresh)

    def _check(self) -> None:
        if len(self.pool) < DECK_SIZE:
            raise TooFewCardsError(DECK_SIZE, "different cards", len(self.pool))

    def _lineup(self, cards: tuple[Card, ...], seed: int) -> Lineup:
        return Lineup("grid", GREEDY, FixedDecks((cards,)), seed)

    def _cards(self, deck: Sequence[int]) -> tuple[Card, ...]:
        return tuple(self.pool[place] for place in deck)

    def _drawn(self, dice: Dice) -> tuple[int, ...]:
        return tuple(dice.sample(len(self.pool), DECK_SIZE))

    def _climb(self, dice: Dice, enough: float) -> tuple[int, ...]:
        """A deck of which no swap that was tried makes the numbers meet more often, in a grid laid at random."""
        deck = list(self._drawn(dice))
        meeting = Meeting(self._cards(deck))
        best = _promise(meeting, self._cards(deck), enough)
        for _ in range(_STEPS):
            place, card = dice.below(DECK_SIZE), dice.below(len(self.pool))
            if card in deck:
                continue
            before = deck[place]
            meeting.swap(place, self.pool[card])
            deck[place] = card
            found = _promise(meeting, self._cards(deck), enough)
            if found > best:
                best = found
            else:
                meeting.swap(place, self.pool[before])
                deck[place] = before
        return tuple(deck)

    def _better(
        self, deck: tuple[int, ...], dice: Dice, swaps: int, games: int, scores: Sequence[Sequence[int]]
    ) -> tuple[int, ...]:
        """The deck, or the most even of some that differ in one to three cards, where that is no chance."""
        others = [deck, *(self._swapped(deck, dice, scores) for _ in range(swaps))]
        uneven = self._uneven(others, dice.bits(), games)
        best = uneven.index(min(uneven))
        return others[best] if uneven[best] < uneven[0] - 0.15 / games**0.5 else deck

    def _swapped(self, deck: tuple[int, ...], dice: Dice, scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
        changed = list(deck)
        for _ in range(1 + dice.below(3)):
            # Of the cards any, or of the scores any: high ones are rare, and matter most.
            card = dice.below(len(self.pool)) if dice.below(5) < 3 else dice.choose(dice.choose(scores))
            if card not in changed:
                changed[dice.below(DECK_SIZE)] = card
        return tuple(changed)

    def _uneven(self, decks: Sequence[Sequence[int]], seed: int, games: int) -> list[float]:
        """How far from even each deck is for who starts, over the same games; many draws are no way to be even."""
        found = self._starts([self._lineup(self._cards(deck), seed >> 11) for deck in decks], games)
        return [abs(share - 0.5) + max(0.0, draws - _MANY_DRAWS) / 2 for share, draws in found]

    def _starts(self, lineups: Sequence[Lineup], games: int) -> list[tuple[float, float]]:
        """Of each deck the points share of who starts, and of drawn games."""
        work = Work(
            _start_shares, (tuple(lineups), games), 8, 2, in_threads=can_compile() and self.runner.cluster is None
        )
        shares: list[tuple[float, float]] = []
        for numbers, more, _ in self.runner.run(work, range(len(lineups))):
            shares += more
            self.progress(len(numbers) * games)
        return shares

    def _counted(self, lineups: Sequence[Lineup], games: int) -> list[DeckCounts]:
        work = Work(_counts_of, (tuple(lineups), games), 8)
        counts: list[DeckCounts] = []
        for numbers, more, _ in self.runner.run(work, range(len(lineups))):
            counts += more
            self.progress(len(numbers) * games)
        return counts


def most_games(kind: str) -> int:
    """How many games a search of this kind, `lively`, `balanced` or `random`, plays at most."""
    plan = _QUICK if can_compile() else _PLAIN
    games = _RATED + _USUAL_DECKS * _USUAL_GAMES + plan.fresh
    if kind == "lively":
        return games + _CLIMBS * _CLIMB_GAMES
    if kind == "balanced":
        tried = plan.swaps + 1
        level = plan.starts * plan.start_games + plan.first[0] * tried * plan.first[1]
        return games + plan.climbs * (level + plan.last[0] * tried * plan.last[1] + 2 * plan.fresh)
    return games


def _promise(meeting: Meeting, cards: Sequence[Card], enough: float) -> float:
    """How lively a deck looks by its numbers: meetings, choices, and no card with too many of the points."""
    points = sum(card.score for card in cards) or 1
    heaviest = max(card.score for card in cards) / points
    liveliness = _WEIGHT * min(meeting.share / _ENOUGH, 1) + min(meeting.choices / enough, 1)
    return liveliness - 5 * max(0.0, heaviest - MUCH + 0.02)


def _liveliness(counts: DeckCounts) -> float:
    """How lively a deck was in games."""
    uneven = abs(counts.first_share - 0.5)
    return min(counts.met_share / _ENOUGH, 1) - 2 * uneven - 5 * counts.per_game(counts.dead)


def _start_shares(table: tuple[tuple[Lineup, ...], int], numbers: range) -> list[tuple[float, float]]:
    lineups, games = table
    shares = []
    for lineup in (lineups[number] for number in numbers):
        kernel = find_kernel(lineup)
        if kernel is None:
            raise EngineError("these cards cannot be searched for decks")
        tally = kernel.run(lineup, range(1, games + 1)).tally()
        shares.append(((tally.first_player_wins + tally.draws / 2) / games, tally.draws / games))
    return shares


def _counts_of(table: tuple[tuple[Lineup, ...], int], numbers: range) -> list[DeckCounts]:
    lineups, games = table
    return [count_games(lineups[number], range(1, games + 1)) for number in numbers]
