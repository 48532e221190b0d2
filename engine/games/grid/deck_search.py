"""Searches for decks of grid that play well: lively ones, whose numbers meet, and ones that are even for who starts.

A search is decided by its seed, wherever its games are played; where compiled code is there it looks further, and finds
another deck. What it promises is measured on fresh games, for what looks best in a search looks better than it is. A
deck that is even between greedy players may not be so between players who think: these are asked themselves, in races.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import FixedDecks, TooFewCardsError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.grid.decks import Meeting, can_meet
from ccgrid.engine.games.grid.state import DECK_SIZE
from ccgrid.engine.insight.deck_rating import (
    QUICK_PLAYERS,
    DeckCounts,
    DeckSearch,
    FoundDeck,
    ThresholdDistances,
    count_games,
    rate,
)
from ccgrid.engine.many.kernels import can_compile, find_kernel
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import Lineup
from ccgrid.engine.players import StrongPlayer, find_player, prepare

MOST_OF_POINTS: Final = 0.15
"""No card of a lively deck has more of its points."""

_ENOUGH: Final = 0.6
"""A share of captures in which numbers meet that is high enough."""
_WEIGHT: Final = 2.5
"""How much meetings weigh beside choices, which are more common."""


_SPREAD: Final = 4.5
"""The spread of the scores in a deck in which no card decides much; 5 at most."""
_EVENNESS: Final = 3.0
"""How much that weighs beside the choices."""


def evenness_of_cards(cards: Sequence[Card]) -> float:
    """How little one card of a deck is likely to decide: by how far the scores lie apart beside the highest.

    Players take cards in turn, so that a lead is made of differences between scores. It is greater than any card where
    many cards share the highest score, and the rest have next to none.
    """
    scores = [card.score for card in cards]
    mean, highest = sum(scores) / len(scores), max(*scores, 1)
    return _EVENNESS * min(sum((score - mean) ** 2 for score in scores) / highest**2 / _SPREAD, 1.0)


def bars_of(counts: DeckCounts, usual_choices: float) -> ThresholdDistances:
    """How far a deck is from the bars of a good one, beside the choices a turn of random decks."""
    shares = counts.met_share, counts.first_share, counts.share_with(counts.komi), counts.per_game(counts.by_one)
    return ThresholdDistances.from_figures(*shares, counts.per_turn(counts.choices), usual_choices)


Promise = Callable[[Sequence[Card]], float]


def climb(
    pool: Sequence[Card], dice: Dice, enough: float, steps: int, promise: Promise = lambda cards: 0.0
) -> tuple[int, ...]:
    """The places in the pool of a deck's cards.

    None of the `steps` swaps that were tried makes its numbers meet more often in a grid laid at random. More than
    `enough` choices do not count. `promise` says what else the cards are good for.
    """
    # Climbing: one card for another at random, which stays where it is better. `meeting` follows by the swap alone.
    deck = dice.sample(len(pool), DECK_SIZE)
    meeting = Meeting([pool[place] for place in deck])
    cards = [pool[place] for place in deck]
    best = _promise(meeting, cards, enough) + promise(cards)
    for _ in range(steps):
        place, card = dice.below(DECK_SIZE), dice.below(len(pool))
        if card in deck:
            continue
        before = deck[place]
        meeting.swap(place, pool[card])
        deck[place] = card
        cards = [pool[place] for place in deck]
        found = _promise(meeting, cards, enough) + promise(cards)
        if found > best:
            # Only what is better stays: equal decks do not take turns.
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
    # The heaviest card costs from 0.02 below the bar on.
    return liveliness - 5 * max(0.0, heaviest - MOST_OF_POINTS + 0.02)


def liveliness(counts: DeckCounts) -> float:
    """How lively a deck was in games."""
    uneven = abs(counts.first_share - 0.5)
    return min(counts.met_share / _ENOUGH, 1) - 2 * uneven - 5 * counts.per_game(counts.dead)


@dataclass(frozen=True, slots=True)
class Race:
    """A race between decks, of which the less even half falls out after each heat.

    Attributes:
        times: how many such races follow one another.
        field: decks that begin it: the most even ones before it, a quarter at most, and others like them.
        heats: games with each deck that is left.
    """

    times: int
    field: int
    heats: tuple[int, ...]

    def most_games(self) -> int:
        """How many games all of them take."""
        # Half of the field falls out after each heat: `field >> heat` are left.
        return self.times * sum(games * max(self.field >> heat, 1) for heat, games in enumerate(self.heats))


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How far a search looks.

    Attributes:
        races: races for even decks between quick players, the first among random decks.
        fresh: games in which it is asked how even a deck is.
        ascents: how many times lively decks are climbed to, by their numbers alone, with `steps` swaps each.
        lively_games: games with each of these decks.
        rated: fresh games in which a deck that was found is rated.
        usual: random decks, to compare with, and the games with each.
        slow_races: races that follow between players who think; none where quick ones are asked alone.
    """

    races: tuple[Race, ...]
    fresh: int
    ascents: int = 10
    steps: int = 2_500
    lively_games: int = 800
    rated: int = 5_000
    usual: tuple[int, int] = (60, 80)
    slow_races: tuple[Race, ...] = ()

    def most_games(self, kind: str) -> int:
        """How many games a search of this kind, `lively`, `balanced`, `good` or `random`, plays at most.

        Where players think, games between quick ones, which are played before theirs, do not count.
        """
        games = self.rated + self.usual[0] * self.usual[1] + (0 if self.slow_races else self.fresh)
        if kind == "lively":
            return games + self.ascents * self.lively_games
        if kind == "good":
            # Random decks are measured twice: as the bar of the search, and beside the deck that was found.
            return games + self.usual[0] * self.usual[1] + self.ascents * (self.lively_games // 2) * (1 + _ROUNDS)
        if kind == "balanced":
            return (
                games + _most_games(self.slow_races, 0)
                if self.slow_races
                else games + _most_games(self.races, self.fresh)
            )
        return games


_ROUNDS: Final = 60
"""So often a search for a good deck tries others like the best so far."""


def _most_games(races: Sequence[Race], fresh: int) -> int:
    return sum(race.most_games() + race.times * fresh for race in races)


COMPILED_PLAN: Final = SearchPlan(
    (
        Race(1, 128, (100,) * 4),
        Race(12, 32, (100, 100)),
        Race(12, 32, (400, 400)),
        Race(12, 32, (1_600, 1_600)),
        Race(80, 32, (2_500, 2_500)),
    ),
    100_000,
)
PLAIN_PLAN: Final = SearchPlan(
    (Race(1, 64, (60,) * 4), Race(6, 24, (80, 80)), Race(6, 16, (300, 300))), 5_000, rated=2_500
)
"""Nine seconds for the largest catalogue; six times as many games find decks that are two or three points more even."""

COMPILED_RACES: Final = replace(
    COMPILED_PLAN, lively_games=60, rated=2_500, usual=(60, 8), slow_races=(Race(3, 16, (60, 120, 240, 960)),)
)
PLAIN_RACES: Final = replace(
    PLAIN_PLAN, ascents=5, lively_games=30, rated=500, usual=(40, 4), slow_races=(Race(1, 8, (50, 100, 200)),)
)


def plan_of(player: str) -> SearchPlan:
    """How far a search looks in which this player plays."""
    if player in QUICK_PLAYERS:
        # Which is why a search finds other decks where the extra is there.
        return COMPILED_PLAN if can_compile() else PLAIN_PLAN
    return COMPILED_RACES if can_compile() else PLAIN_RACES


GREEDY: Final = "greedy"
GAME: Final = "grid"
_CHOICES: Final = 1.45
"""This many times the choices of random decks are enough: with more, it matters more who starts."""

_MANY_DRAWS: Final = 0.1


_CLOSE: Final = 0.009
"""As even as this in fresh games is even enough to end the search."""


Deck = tuple[int, ...]
"""The places in the pool of a deck's cards."""


class _Shares(NamedTuple):
    """Of some games the points share of the starting player, and the share of draws."""

    games: int = 0
    share: float = 0.0
    draws: float = 0.0

    @property
    def unevenness(self) -> float:
        """How far from even a deck is; many draws are no way to be even."""
        return abs(self.share - 0.5) + max(0.0, self.draws - _MANY_DRAWS) / 2

    def with_more(self, games: int, share: float, draws: float) -> "_Shares":
        """With more games added, and the shares in those."""
        part = games / (self.games + games)
        return _Shares(
            self.games + games, self.share + part * (share - self.share), self.draws + part * (draws - self.draws)
        )


@dataclass(frozen=True, slots=True)
class GridDeckSearch(DeckSearch):
    """What decks are searched in, and how.

    Attributes:
        pool: the cards that may be in a deck, each as often as it may.
        seed: what everything follows from.
        runner: where games are played.
        progress: called now and then with how many more games are played; where players think, games of greedy ones,
            which are played before theirs, do not count.
        player: who plays on both seats: a policy that plays the same whenever it is asked.
        tell: called with a sentence before something slow starts.
    """

    pool: tuple[Card, ...]
    seed: int
    runner: Runner = field(default_factory=Runner)
    progress: Callable[[int], object] = lambda _: None
    player: str = GREEDY
    tell: Callable[[str], object] | None = None

    @staticmethod
    def most_games(kind: str, player: str) -> int:
        """How many games a search of this kind plays at most."""
        return plan_of(player).most_games(kind)

    @staticmethod
    def meets(cards: Sequence[Card]) -> list[int]:
        """For each card with how many of the others its numbers can be compared, one being higher."""
        # Decks of two: their share is above 0 where some number of the one can face some of the other.
        return [sum(Meeting((one, two)).share > 0 for two in cards if two is not one) for one in cards]

    def lively(self) -> FoundDeck:
        """A deck whose numbers meet often, with many choices and no card that outweighs the others.

        Raises:
            TooFewCardsError: there are too few cards.
            EngineError: the numbers of these cannot meet.
        """
        plan, dice = self._meeting_plan(), Dice(self.seed)
        enough = _CHOICES * self._usual_choices(plan, dice)
        # Forks 0 to `ascents` - 1 climb, the next one deals the games, and -1 measures what was found.
        climbed = [climb(self.pool, dice.fork(ascent), enough, plan.steps) for ascent in range(plan.ascents)]
        lineups = [self._lineup(self._cards(deck), dice.fork(plan.ascents).seed, self.player) for deck in climbed]
        counts = self._count(lineups, plan.lively_games)
        best = max(range(plan.ascents), key=lambda place: (liveliness(counts[place]), -place))
        return self.measure(self._cards(climbed[best]))

    def good(self) -> FoundDeck:
        """A deck that is good in every way at once (`ThresholdDistances`), or as near to that as it was found.

        It begins with lively decks of even cards, and changes cards of those that come nearest, each tried in games of
        its own.

        Raises:
            TooFewCardsError: there are too few cards.
            EngineError: the numbers of these cannot meet.
        """
        # `dice` itself is thrown on below; each ascent has a fork, which depends on nothing that was thrown.
        plan, dice = self._meeting_plan(), Dice(self.seed)
        usual = self._usual(plan, dice)
        choices, games = usual.per_turn(usual.choices), plan.lively_games // 2
        others = list(self._by_score().values())
        enough = _CHOICES * self._usual_choices(plan, dice)
        field = [
            climb(self.pool, dice.fork(ascent), enough, plan.steps, evenness_of_cards) for ascent in range(plan.ascents)
        ]
        found: dict[Deck, DeckCounts] = {}
        for _ in range(1 + _ROUNDS):
            # Seeds have 53 bits (`engine.dice.SEED_BITS`).
            # One seed for all decks of a round: the same dice for each, so that luck weighs on all alike.
            seed = dice.bits() >> 11
            lineups = [self._lineup(self._cards(deck), seed, self.player) for deck in field]
            for deck, counts in zip(field, self._count(lineups, games), strict=True):
                found.setdefault(deck, DeckCounts()).add(counts)
            best = sorted(found, key=lambda deck: bars_of(found[deck], choices).missing)[: max(plan.ascents // 3, 1)]
            # Not before it was played in four rounds: what looks best after one is often only lucky.
            if bars_of(found[best[0]], choices).missing == 0 and found[best[0]].games >= 4 * games:
                break
            field = [
                *best,
                *(self._mutate(best[number % len(best)], dice, others) for number in range(plan.ascents - len(best))),
            ]
        return self.measure(self._cards(best[0]))

    def balanced(self) -> FoundDeck:
        """A deck with which it matters little between the players of the search who starts.

        Raises:
            TooFewCardsError: there are too few cards.
        """
        plan = self._plan()
        dice = Dice(self.seed)
        player = self.player if self.player in QUICK_PLAYERS else GREEDY
        decks = self._race([], plan.races, player, dice, plan.fresh)
        if plan.slow_races:
            decks = self._race(decks, plan.slow_races, self.player, dice)
        return self.measure(self._cards(decks[0]))

    def _race(
        self, decks: Sequence[Deck], races: Sequence[Race], player: str, dice: Dice, fresh: int = 0
    ) -> list[Deck]:
        """The most even of these decks and of others like them, the best first; of random ones where there are none.

        What was counted in a race counts in the next, so that a deck that was lucky once does not stay. It ends where
        the best is even enough in `fresh` new games, too.
        """
        # The places of each score, for `_mutate`: first any score, then any card that has it.
        scores = [places for _, places in sorted(self._by_score().items())]
        left, found = list(decks), dict.fromkeys(decks, _Shares())
        for race in chain.from_iterable(repeat(kind, kind.times) for kind in races):
            # A quarter of the field are the best so far, the rest are like them, by turns.
            left = left[: race.field // 4]
            parents = tuple(left)
            for place in range(race.field - len(left)):
                other = self._mutate(parents[place % len(parents)], dice, scores) if parents else self._draw(dice)
                if other not in left:
                    left.append(other)
            for games in race.heats:
                self._play(left, games, player, dice, found)
                # `sorted` keeps the order of equal ones: the older deck stays in front.
                left = sorted(left, key=lambda deck: found[deck].unevenness)[: max(len(left) // 2, 1)]
            if fresh and found[left[0]].unevenness <= _CLOSE:
                self._play(left[:1], fresh, player, dice, found)
            if found[left[0]].unevenness <= _CLOSE:
                break
            # What fell out is forgotten, or `found` would grow with every race.
            found = {deck: found[deck] for deck in left}
        return left

    def _play(self, decks: Sequence[Deck], games: int, player: str, dice: Dice, found: dict[Deck, "_Shares"]) -> None:
        """Adds the same games with each deck to what was found."""
        seed = dice.bits() >> 11
        shares = self._starts([self._lineup(self._cards(deck), seed, player) for deck in decks], games)
        for deck, (share, draws) in zip(decks, shares, strict=True):
            found[deck] = found.get(deck, _Shares()).with_more(games, share, draws)

    def random(self) -> tuple[Card, ...]:
        """A random deck, not measured; raises TooFewCardsError."""
        self._plan()
        return self._cards(self._draw(Dice(self.seed)))

    def measure(self, cards: tuple[Card, ...]) -> FoundDeck:
        """A deck with what it does in games that no search has seen, and what random decks of the pool do."""
        plan = self._plan()
        # Dice that no part of a search throws: its forks begin at 0.
        dice = Dice(self.seed).fork(-1)
        both = (self.player, self.player)
        rating = rate(GAME, cards, plan.rated, dice.seed, policies=both, runner=self.runner, progress=self.progress)
        usual = self._usual(plan, dice)
        # Players who think were rated in few games; no more are asked of them for the share of who starts.
        if self.player not in QUICK_PLAYERS:
            return FoundDeck(cards, rating, usual, rating.counts.first_share, rating.counts.games)
        [(share, _)] = self._starts([self._lineup(cards, dice.bits() >> 11, self.player)], plan.fresh)
        return FoundDeck(cards, rating, usual, share, plan.fresh)

    def _usual(self, plan: SearchPlan, dice: Dice) -> DeckCounts:
        """What random decks of the pool do."""
        drawn = [self._lineup(self._cards(self._draw(dice)), dice.seed, self.player) for _ in range(plan.usual[0])]
        usual = DeckCounts()
        for counts in self._count(drawn, plan.usual[1]):
            usual.add(counts)
        return usual

    def _usual_choices(self, plan: SearchPlan, dice: Dice) -> float:
        """How many choices random decks have in a grid laid at random."""
        usual = [Meeting(self._cards(self._draw(dice))).choices for _ in range(plan.usual[0])]
        return max(sum(usual) / len(usual), 0.1)

    def _by_score(self) -> dict[int, list[int]]:
        """The places in the pool of the cards with each score."""
        places: dict[int, list[int]] = {}
        for place, card in enumerate(self.pool):
            places.setdefault(card.score, []).append(place)
        return places

    def _plan(self) -> SearchPlan:
        """How far it looks; raises where there are too few cards, or where this player cannot decide what is found."""
        player = find_player(self.player)
        if isinstance(player, StrongPlayer) and player.seconds is not None:
            raise EngineError(
                "a search must depend on the seed alone: give a number of rounds, not a time, such as "
                f"{player.name}:200"
            )
        if len(self.pool) < DECK_SIZE:
            raise TooFewCardsError(DECK_SIZE, "different cards", len(self.pool))
        plan = plan_of(self.player)
        prepare([player], GAME, self.tell, games=plan.rated)
        return plan

    def _meeting_plan(self) -> SearchPlan:
        """The same; raises also where no two numbers of these cards can be compared."""
        plan = self._plan()
        if not can_meet(self.pool):
            raise EngineError(
                "the numbers of these cards cannot meet: none are in opposite zones. Add another card game"
            )
        return plan

    def _lineup(self, cards: tuple[Card, ...], seed: int, player: str) -> Lineup:
        return Lineup(GAME, (player, player), FixedDecks((cards,)), seed)

    def _cards(self, deck: Sequence[int]) -> tuple[Card, ...]:
        return tuple(self.pool[place] for place in deck)

    def _draw(self, dice: Dice) -> Deck:
        return tuple(dice.sample(len(self.pool), DECK_SIZE))

    def _mutate(self, deck: Deck, dice: Dice, scores: Sequence[Sequence[int]]) -> Deck:
        changed = list(deck)
        # One to three cards.
        for _ in range(1 + dice.below(3)):
            # Of the cards any, or of the scores any: high ones are rare, and matter most.
            card = dice.below(len(self.pool)) if dice.below(5) < 3 else dice.choose(dice.choose(scores))
            if card not in changed:
                changed[dice.below(DECK_SIZE)] = card
        return tuple(changed)

    def _starts(self, lineups: Sequence[Lineup], games: int) -> list[tuple[float, float]]:
        """Of each deck the points share of who starts, and of drawn games."""
        is_quick = lineups[0].policies[0] in QUICK_PLAYERS
        in_threads = is_quick and can_compile() and self.runner.cluster is None
        # Decks in portions of 8 at most; the first portion has 2, or 1 where a deck takes seconds.
        work = Task(_start_shares, (tuple(lineups), games), 8, 2 if is_quick else 1, in_threads=in_threads)
        shares: list[tuple[float, float]] = []
        for numbers, more, _ in self.runner.run(work, range(len(lineups))):
            shares += more
            # Games of greedy players that come before those of players who think are not counted in `most_games`.
            if is_quick == (self.player in QUICK_PLAYERS):
                self.progress(len(numbers) * games)
        return shares

    def _count(self, lineups: Sequence[Lineup], games: int) -> list[DeckCounts]:
        work = Task(_counts_of, (tuple(lineups), games), 8)
        counts: list[DeckCounts] = []
        for numbers, more, _ in self.runner.run(work, range(len(lineups))):
            counts += more
            self.progress(len(numbers) * games)
        return counts


def _start_shares(table: tuple[tuple[Lineup, ...], int], numbers: range) -> list[tuple[float, float]]:
    lineups, games = table
    shares = []
    for lineup in (lineups[number] for number in numbers):
        kernel = find_kernel(lineup)
        if kernel is None:
            # No kernel: another player, or an option that the core does not know. Counted by the readable rules.
            counts = count_games(lineup, range(1, games + 1))
            shares.append((counts.first_share, counts.per_game(counts.margins.get(0, 0))))
            continue
        tally = kernel.run(lineup, range(1, games + 1)).tally()
        shares.append(((tally.first_player_wins + tally.draws / 2) / games, tally.draws / games))
    return shares


def _counts_of(table: tuple[tuple[Lineup, ...], int], numbers: range) -> list[DeckCounts]:
    lineups, games = table
    return [count_games(lineups[number], range(1, games + 1)) for number in numbers]


DECK_SEARCH: Final[type[DeckSearch]] = GridDeckSearch
