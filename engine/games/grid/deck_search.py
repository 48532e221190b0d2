"""Searches for decks of grid that play well: lively decks, and decks that favour no starting player.

The seed determines a search, on every machine; with compiled code it searches longer, and finds another deck. The
result is measured in new games, because the best deck of a search looks better than it is. A deck that is even between
greedy players need not be so between players that think ahead: then these play the games of the search.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.decks import NumbersNeverMeetError, TooFewCardsError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.grid.decks import Meeting, can_meet
from ccgrid.engine.games.grid.moves import DECK_SIZE
from ccgrid.engine.games.grid.rating import MOST_OF_POINTS
from ccgrid.engine.insight.deck_rating import (
    DeckCounts,
    DeckSearch,
    FoundDeck,
    ThresholdDistances,
    count_games,
    rate,
)
from ccgrid.engine.many.kernels import CORE_POLICIES, find_kernel
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import Lineup
from ccgrid.engine.players import StrongPlayer, find_player, prepare
from ccgrid.engine.rows.saved_code import can_compile

_ENOUGH_MEETINGS: Final = 0.6
"""The share of captures in which numbers meet that is high enough."""
_WEIGHT: Final = 2.5
"""The weight of meetings relative to choices, which are more common."""


_SPREAD: Final = 4.5
"""The spread of the scores of a deck in which no card decides much; the maximum is 5."""
_EVENNESS: Final = 3.0
"""The weight of the evenness relative to choices."""


def evenness_of_cards(cards: Sequence[Card]) -> float:
    """Return how evenly the points are distributed, so that single cards decide little.

    It is the variance of the scores relative to the highest score. Players alternate, so that a lead is made of
    differences between scores: the variance is largest if many cards share the highest score, and the others have
    almost none.
    """
    scores = [card.score for card in cards]
    mean, highest = sum(scores) / len(scores), max(*scores, 1)
    return _EVENNESS * min(sum((score - mean) ** 2 for score in scores) / highest**2 / _SPREAD, 1.0)


def threshold_distances(counts: DeckCounts, usual_choices: float) -> ThresholdDistances:
    """Return the distances of a deck from the thresholds of a good one, given the choices per turn of random decks."""
    shares = counts.met_share, counts.first_share, counts.share_with(counts.komi), counts.per_game(counts.by_one)
    return ThresholdDistances.from_figures(*shares, counts.per_turn(counts.choices), usual_choices)


CardsValue = Callable[[Sequence[Card]], float]
"""Returns a value of a deck's cards, such as `evenness_of_cards`."""


def climb(
    pool: Sequence[Card], dice: Dice, enough: float, steps: int, cards_value: CardsValue = lambda cards: 0.0
) -> tuple[int, ...]:
    """Return a lively deck, as indices in the pool, found by hill climbing on the cards' numbers.

    Args:
        pool: The candidate cards.
        dice: The random number generator.
        enough: The number of choices beyond which more choices do not count.
        steps: The number of random replacements that are tried.
        cards_value: Returns an additional value of the cards.
    """
    # Hill climbing: replace a random card, and keep the replacement if it is better. `meeting` is updated
    # incrementally.
    deck = dice.sample(len(pool), DECK_SIZE)
    meeting = Meeting([pool[place] for place in deck])
    cards = [pool[place] for place in deck]
    best = _expected_liveliness(meeting, cards, enough) + cards_value(cards)
    for _ in range(steps):
        place, card = dice.below(DECK_SIZE), dice.below(len(pool))
        if card in deck:
            continue
        before = deck[place]
        meeting.swap(place, pool[card])
        deck[place] = card
        cards = [pool[place] for place in deck]
        found = _expected_liveliness(meeting, cards, enough) + cards_value(cards)
        if found > best:
            # Keep only improvements, so that equal decks do not alternate.
            best = found
        else:
            meeting.swap(place, pool[before])
            deck[place] = before
    return tuple(deck)


def _expected_liveliness(meeting: Meeting, cards: Sequence[Card], enough: float) -> float:
    """Return how lively a deck looks by its numbers: meetings, choices, and no card with too many of the points."""
    points = sum(card.score for card in cards) or 1
    heaviest = max(card.score for card in cards) / points
    liveliness = _WEIGHT * min(meeting.share / _ENOUGH_MEETINGS, 1) + min(meeting.choices / enough, 1)
    # The penalty for the heaviest card begins 0.02 below the threshold.
    return liveliness - 5 * max(0.0, heaviest - MOST_OF_POINTS + 0.02)


def liveliness(counts: DeckCounts) -> float:
    """Return how lively a deck was in games."""
    uneven = abs(counts.first_share - 0.5)
    return min(counts.met_share / _ENOUGH_MEETINGS, 1) - 2 * uneven - 5 * counts.per_game(counts.dead)


@dataclass(frozen=True, slots=True)
class Halving:
    """A comparison of decks by successive halving: after each round the less even half of the decks is dropped.

    Attributes:
        times: The number of consecutive comparisons of this kind.
        decks: The number of decks at the start: the most even ones so far, at most a quarter, and variations of them.
        round_games: For each round, the number of games with each remaining deck.
    """

    times: int
    decks: int
    round_games: tuple[int, ...]

    def most_games(self) -> int:
        """Return the total number of games."""
        # Each round halves the number of decks.
        return self.times * sum(games * max(self.decks >> round_, 1) for round_, games in enumerate(self.round_games))


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The effort of a search.

    Attributes:
        halvings: The comparisons between fast players, the first one among random decks.
        fresh: The number of new games that measure how even a deck is.
        ascents: The number of lively decks found by hill climbing on their numbers, with `steps` replacements each.
        lively_games: The number of games with each of these decks.
        rated: The number of new games that rate the result.
        usual: The number of random decks for comparison, and of games with each.
        slow_halvings: Subsequent comparisons between players that think ahead; empty for fast players.
    """

    halvings: tuple[Halving, ...]
    fresh: int
    ascents: int = 10
    steps: int = 2_500
    lively_games: int = 800
    rated: int = 5_000
    usual: tuple[int, int] = (60, 80)
    slow_halvings: tuple[Halving, ...] = ()

    def most_games(self, kind: str) -> int:
        """Return the maximum number of games of a search of this kind: `lively`, `balanced`, `good` or `random`.

        If players think ahead, the preceding games between fast players do not count.
        """
        games = self.rated + self.usual[0] * self.usual[1] + (0 if self.slow_halvings else self.fresh)
        if kind == "lively":
            return games + self.ascents * self.lively_games
        if kind == "good":
            # Random decks are measured twice: as the threshold of the search, and for comparison with the result.
            return games + self.usual[0] * self.usual[1] + self.ascents * (self.lively_games // 2) * (1 + _ROUNDS)
        if kind == "balanced":
            return (
                games + _most_games(self.slow_halvings, 0)
                if self.slow_halvings
                else games + _most_games(self.halvings, self.fresh)
            )
        return games


_ROUNDS: Final = 60
"""The number of times that a search for a good deck tries variations of the best decks."""


def _most_games(halvings: Sequence[Halving], fresh: int) -> int:
    return sum(halving.most_games() + halving.times * fresh for halving in halvings)


COMPILED_PLAN: Final = SearchPlan(
    (
        Halving(1, 128, (100,) * 4),
        Halving(12, 32, (100, 100)),
        Halving(12, 32, (400, 400)),
        Halving(12, 32, (1_600, 1_600)),
        Halving(80, 32, (2_500, 2_500)),
    ),
    100_000,
)
PLAIN_PLAN: Final = SearchPlan(
    (Halving(1, 64, (60,) * 4), Halving(6, 24, (80, 80)), Halving(6, 16, (300, 300))), 5_000, rated=2_500
)
"""Nine seconds for the largest catalogue.

Six times as many games find decks that are two or three percentage points more even.
"""

COMPILED_SLOW_PLAN: Final = replace(
    COMPILED_PLAN, lively_games=60, rated=2_500, usual=(60, 8), slow_halvings=(Halving(3, 16, (60, 120, 240, 960)),)
)
PLAIN_SLOW_PLAN: Final = replace(
    PLAIN_PLAN, ascents=5, lively_games=30, rated=500, usual=(40, 4), slow_halvings=(Halving(1, 8, (50, 100, 200)),)
)


def plan_of(player: str) -> SearchPlan:
    """Return the effort of a search in which this player plays."""
    if player in CORE_POLICIES:
        # This is why a search finds other decks with the extra.
        return COMPILED_PLAN if can_compile() else PLAIN_PLAN
    return COMPILED_SLOW_PLAN if can_compile() else PLAIN_SLOW_PLAN


GREEDY: Final = "greedy"
GAME: Final = "grid"
_CHOICES: Final = 1.45
"""This multiple of the choices of random decks is enough: with more, the starting player matters more."""

_MANY_DRAWS: Final = 0.1


_CLOSE: Final = 0.009
"""A deck that is this even in new games ends the search."""


Deck = tuple[int, ...]
"""A deck: the indices of its cards in the pool."""


class _Shares(NamedTuple):
    """The starting player's share of the points, and the share of draws, over some games."""

    games: int = 0
    share: float = 0.0
    draws: float = 0.0

    @property
    def unevenness(self) -> float:
        """The distance from an even deck; many draws count as a disadvantage."""
        return abs(self.share - 0.5) + max(0.0, self.draws - _MANY_DRAWS) / 2

    def with_more(self, games: int, share: float, draws: float) -> "_Shares":
        """Return the shares over these and further games."""
        part = games / (self.games + games)
        return _Shares(
            self.games + games, self.share + part * (share - self.share), self.draws + part * (draws - self.draws)
        )


@dataclass(frozen=True, slots=True)
class GridDeckSearch(DeckSearch):
    """A search for decks.

    Attributes:
        pool: The candidate cards, each as often as it may be in a deck.
        seed: The seed, which determines the result.
        runner: Plays the games.
        progress: Called with the number of further games played; with players that think ahead, without the preceding
            games between greedy players.
        player: The policy of both seats, which must be deterministic.
        tell: Called with a sentence before a slow operation.
    """

    pool: tuple[Card, ...]
    seed: int
    runner: Runner = field(default_factory=Runner)
    progress: Callable[[int], object] = lambda _: None
    player: str = GREEDY
    tell: Callable[[str], object] | None = None

    @staticmethod
    def most_games(kind: str, player: str) -> int:
        """Return the maximum number of games of a search of this kind."""
        return plan_of(player).most_games(kind)

    @staticmethod
    def meets(cards: Sequence[Card]) -> list[int]:
        """Return for each card the number of other cards with which it has a decided comparison of numbers."""
        # For decks of two cards, the share is positive if a number of one can face a different one of the other.
        return [sum(Meeting((one, two)).share > 0 for two in cards if two is not one) for one in cards]

    def lively(self) -> FoundDeck:
        """Find a deck whose numbers meet often, with many choices and no dominant card.

        Raises:
            TooFewCardsError: If there are too few cards.
            NumbersNeverMeetError: If the numbers of the cards cannot meet.
        """
        plan, dice = self._meeting_plan(), Dice(self.seed)
        enough = _CHOICES * self._usual_choices(plan, dice)
        # Forks 0 to `ascents` - 1 climb, the next one deals the games, and -1 measures the result.
        climbed = [climb(self.pool, dice.fork(ascent), enough, plan.steps) for ascent in range(plan.ascents)]
        lineups = [self._lineup(self._cards(deck), dice.fork(plan.ascents).seed, self.player) for deck in climbed]
        counts = self._count(lineups, plan.lively_games)
        best = max(range(plan.ascents), key=lambda place: (liveliness(counts[place]), -place))
        return self.measure(self._cards(climbed[best]))

    def good(self) -> FoundDeck:
        """Find a deck that is good in every respect (`ThresholdDistances`), or the closest to that.

        The search begins with lively decks of even cards, and varies the closest ones, each tested in games of its own.

        Raises:
            TooFewCardsError: If there are too few cards.
            NumbersNeverMeetError: If the numbers of the cards cannot meet.
        """
        # `dice` continues to be used below; each ascent has a fork, which does not depend on previous draws.
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
            # Seeds have 53 bits (`engine.dice.SEED_BITS`). All decks of a round share one seed, so that luck affects
            # them equally.
            seed = dice.bits() >> 11
            lineups = [self._lineup(self._cards(deck), seed, self.player) for deck in field]
            for deck, counts in zip(field, self._count(lineups, games), strict=True):
                found.setdefault(deck, DeckCounts()).add(counts)
            best = sorted(found, key=lambda deck: threshold_distances(found[deck], choices).missing)[
                : max(plan.ascents // 3, 1)
            ]
            # Require four rounds: the best deck after one is often only lucky.
            if threshold_distances(found[best[0]], choices).missing == 0 and found[best[0]].games >= 4 * games:
                break
            field = [
                *best,
                *(self._mutate(best[number % len(best)], dice, others) for number in range(plan.ascents - len(best))),
            ]
        return self.measure(self._cards(best[0]))

    def balanced(self) -> FoundDeck:
        """Find a deck with which starting matters little between the players of the search.

        Raises:
            TooFewCardsError: If there are too few cards.
        """
        plan = self._plan()
        dice = Dice(self.seed)
        player = self.player if self.player in CORE_POLICIES else GREEDY
        decks = self._most_even([], plan.halvings, player, dice, plan.fresh)
        if plan.slow_halvings:
            decks = self._most_even(decks, plan.slow_halvings, self.player, dice)
        return self.measure(self._cards(decks[0]))

    def _most_even(
        self, decks: Sequence[Deck], halvings: Sequence[Halving], player: str, dice: Dice, fresh: int = 0
    ) -> list[Deck]:
        """Return the most even of these decks and of variations of them, the best first.

        Without decks, begin with random ones. Counts are kept from one comparison to the next, so that a lucky deck
        does not stay. The search ends once the best deck is even enough in `fresh` new games as well.
        """
        # The indices of the cards with each score, for `_mutate`: it selects a score, and then a card with this score.
        scores = [places for _, places in sorted(self._by_score().items())]
        left, found = list(decks), dict.fromkeys(decks, _Shares())
        for halving in chain.from_iterable(repeat(kind, kind.times) for kind in halvings):
            # A quarter are the best decks so far; the others are variations of each of them in turn.
            left = left[: halving.decks // 4]
            parents = tuple(left)
            for place in range(halving.decks - len(left)):
                other = self._mutate(parents[place % len(parents)], dice, scores) if parents else self._draw(dice)
                if other not in left:
                    left.append(other)
            for games in halving.round_games:
                self._play(left, games, player, dice, found)
                # `sorted` is stable: among equal decks, the older one stays first.
                left = sorted(left, key=lambda deck: found[deck].unevenness)[: max(len(left) // 2, 1)]
            if fresh and found[left[0]].unevenness <= _CLOSE:
                self._play(left[:1], fresh, player, dice, found)
            if found[left[0]].unevenness <= _CLOSE:
                break
            # Forget dropped decks; otherwise `found` would grow with every comparison.
            found = {deck: found[deck] for deck in left}
        return left

    def _play(self, decks: Sequence[Deck], games: int, player: str, dice: Dice, found: dict[Deck, "_Shares"]) -> None:
        """Play the same games with each deck, and add the results to `found`."""
        seed = dice.bits() >> 11
        shares = self._starts([self._lineup(self._cards(deck), seed, player) for deck in decks], games)
        for deck, (share, draws) in zip(decks, shares, strict=True):
            found[deck] = found.get(deck, _Shares()).with_more(games, share, draws)

    def random(self) -> tuple[Card, ...]:
        """Return a random deck without measuring it.

        Raises:
            TooFewCardsError: If there are too few cards.
        """
        self._plan()
        return self._cards(self._draw(Dice(self.seed)))

    def measure(self, cards: tuple[Card, ...]) -> FoundDeck:
        """Measure a deck, and random decks of the pool, in games that no search has used."""
        plan = self._plan()
        # A generator that no part of a search uses: their forks begin at 0.
        dice = Dice(self.seed).fork(-1)
        both = (self.player, self.player)
        rating = rate(GAME, cards, plan.rated, dice.seed, policies=both, runner=self.runner, progress=self.progress)
        usual = self._usual(plan, dice)
        # Players that think ahead play few games; their share of the starting player comes from the games of the
        # rating.
        if self.player not in CORE_POLICIES:
            return FoundDeck(cards, rating, usual, rating.counts.first_share, rating.counts.games)
        [(share, _)] = self._starts([self._lineup(cards, dice.bits() >> 11, self.player)], plan.fresh)
        return FoundDeck(cards, rating, usual, share, plan.fresh)

    def _usual(self, plan: SearchPlan, dice: Dice) -> DeckCounts:
        """Return the counts of random decks of the pool."""
        drawn = [self._lineup(self._cards(self._draw(dice)), dice.seed, self.player) for _ in range(plan.usual[0])]
        usual = DeckCounts()
        for counts in self._count(drawn, plan.usual[1]):
            usual.add(counts)
        return usual

    def _usual_choices(self, plan: SearchPlan, dice: Dice) -> float:
        """Return the mean number of choices of random decks on the grid at random."""
        usual = [Meeting(self._cards(self._draw(dice))).choices for _ in range(plan.usual[0])]
        return max(sum(usual) / len(usual), 0.1)

    def _by_score(self) -> dict[int, list[int]]:
        """Return the indices of the cards with each score."""
        places: dict[int, list[int]] = {}
        for place, card in enumerate(self.pool):
            places.setdefault(card.score, []).append(place)
        return places

    def _plan(self) -> SearchPlan:
        """Return the effort of the search.

        Raises:
            TooFewCardsError: If there are too few cards.
            EngineError: If the player is not deterministic.
        """
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
        """Return the effort of a search for meeting numbers; raise NumbersNeverMeetError if none can meet."""
        plan = self._plan()
        if not can_meet(self.pool):
            raise NumbersNeverMeetError
        return plan

    def _lineup(self, cards: tuple[Card, ...], seed: int, player: str) -> Lineup:
        return Lineup(GAME, (player, player), FixedDecks((cards,)), seed)

    def _cards(self, deck: Sequence[int]) -> tuple[Card, ...]:
        return tuple(self.pool[place] for place in deck)

    def _draw(self, dice: Dice) -> Deck:
        return tuple(dice.sample(len(self.pool), DECK_SIZE))

    def _mutate(self, deck: Deck, dice: Dice, scores: Sequence[Sequence[int]]) -> Deck:
        changed = list(deck)
        # Replace one to three cards.
        for _ in range(1 + dice.below(3)):
            # Select any card, or any score first: high scores are rare, and matter most.
            card = dice.below(len(self.pool)) if dice.below(5) < 3 else dice.choose(dice.choose(scores))
            if card not in changed:
                changed[dice.below(DECK_SIZE)] = card
        return tuple(changed)

    def _starts(self, lineups: Sequence[Lineup], games: int) -> list[tuple[float, float]]:
        """Return for each deck the starting player's share of the points, and the share of draws."""
        is_quick = lineups[0].policies[0] in CORE_POLICIES
        in_threads = is_quick and can_compile() and self.runner.cluster is None
        # Chunks of at most 8 decks; the first chunk has 2, or 1 if a deck takes seconds.
        work = Task(_start_shares, (tuple(lineups), games), 8, 2 if is_quick else 1, in_threads=in_threads)
        shares: list[tuple[float, float]] = []
        for numbers, more, _ in self.runner.run(work, range(len(lineups))):
            shares += more
            # The preceding games between greedy players do not count in `most_games`.
            if is_quick == (self.player in CORE_POLICIES):
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
            # Without a kernel (another player, or an unsupported option) the readable rules play.
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
