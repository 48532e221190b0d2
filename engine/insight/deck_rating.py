"""Rating of decks: games played with a deck, counts, statistics, and the thresholds of a good deck."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import ClassVar, Final, Generic, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError
from ccgrid.engine.game import State
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.many.kernels import CORE_POLICIES
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import Lineup, SavedCounts, count_all, digest
from ccgrid.engine.options import unknown_options
from ccgrid.engine.players import Player, choose_move, find_player, prepare

StateT = TypeVar("StateT")
"""The positions of the game that is rated."""

MIN_MET_SHARE: Final = 0.5
MAX_UNEVENNESS: Final = 0.02
MAX_DECIDED_BY_ONE: Final = 0.4
MIN_RELATIVE_CHOICES: Final = 1.25
"""The thresholds of a good deck: the minimum share of captures that compare numbers; the maximum distance of the
starting player's share from one half, with or without komi; the maximum share of games decided by one card; and the
minimum number of choices relative to random decks."""

_SAFETY_MARGIN: Final = 0.01
"""The safety margin of a search beyond each threshold, because figures from few games are often too favourable."""


class ThresholdDistances(NamedTuple):
    """A deck's distances from the thresholds, as shares; 0 or less means that a threshold is reached."""

    met: float
    even: float
    by_one: float
    choices: float

    @classmethod
    def from_figures(
        cls, met: float, first: float, with_komi: float, by_one: float, choices: float, usual_choices: float
    ) -> "ThresholdDistances":
        """Return the distances of a deck with these figures.

        Args:
            met: The share of captures that compare numbers.
            first: The starting player's share of points.
            with_komi: The same share with the best komi.
            by_one: The share of games decided by one card.
            choices: The legal moves per turn.
            usual_choices: The legal moves per turn with random decks.
        """
        # Each distance is a share, so that a search can add them.
        alone = abs(first - 0.5)
        uneven = alone if alone <= MAX_UNEVENNESS else abs(with_komi - 0.5)
        wanted = MIN_RELATIVE_CHOICES * usual_choices
        return cls(
            MIN_MET_SHARE - met,
            uneven - MAX_UNEVENNESS,
            by_one - MAX_DECIDED_BY_ONE,
            (wanted - choices) / max(wanted, 0.1),
        )

    @property
    def missing(self) -> float:
        """The sum of the missing distances, with a safety margin: the objective that a search minimises."""
        # Evenness counts twice: what one seat gains, the other loses.
        return sum(max(0.0, bar + _SAFETY_MARGIN) for bar in (self.met, 2 * self.even, self.by_one, self.choices))


class Use(NamedTuple):
    """A card that a seat captured or played, and its own points; 0 if cards have no points."""

    name: str
    seat: int
    points: int


@dataclass(slots=True)
class CardCounts:
    """Counts of one card: captures or plays, sums of the final margins of these seats and their squares, games decided.

    A margin is a seat's final lead over its best opponent, in points.
    """

    used: int = 0
    total: int = 0
    squares: int = 0
    decided: int = 0

    def add(self, other: "CardCounts") -> None:
        """Add counts of other games."""
        self.used += other.used
        self.total += other.total
        self.squares += other.squares
        self.decided += other.decided

    @property
    def worth(self) -> float:
        """The mean final lead, in points, of the player who captured or played it; 0 if it was never used."""
        return self.total / self.used if self.used else 0.0

    @property
    def stderr(self) -> float:
        """The standard error of the worth; 0 if the card was used fewer than twice."""
        if self.used < 2:
            return 0.0
        squares = max(0.0, self.squares - self.total * self.total / self.used)
        return sqrt(squares / (self.used - 1) / self.used)


@dataclass(slots=True)
class DeckCounts:
    """Counts over some games. They are integers and can be added in any order.

    Attributes:
        games: The number of games.
        turns: The number of moves.
        choices: The number of legal moves, over all turns.
        forced: The number of turns with a single legal move.
        captures: The number of captured cards.
        met: The number of captures that compared two numbers.
        lead_changes: How often another seat took the lead.
        dead: The number of games that ended with cards in the draw pile.
        by_one: The number of games that the winner would not have won without one of the captured cards.
        margins: The number of games by the starting player's final lead over its best opponent, in points.
        cards: Counts by card name.
    """

    games: int = 0
    turns: int = 0
    choices: int = 0
    forced: int = 0
    captures: int = 0
    met: int = 0
    lead_changes: int = 0
    dead: int = 0
    by_one: int = 0
    margins: dict[int, int] = field(default_factory=dict)
    cards: dict[str, CardCounts] = field(default_factory=dict)

    def add(self, other: "DeckCounts") -> None:
        """Add counts of other games."""
        for name in ("games", "turns", "choices", "forced", "captures", "met", "lead_changes", "dead", "by_one"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for margin, games in other.margins.items():
            self.margins[margin] = self.margins.get(margin, 0) + games
        for card, counts in other.cards.items():
            self.cards.setdefault(card, CardCounts()).add(counts)

    def end_game(self, first: int, scores: Sequence[int], uses: Collection[Use]) -> None:
        """Count the end of a game started by the seat `first`, and the effects of its cards."""
        self.games += 1
        ranked = sorted(scores, reverse=True)
        # The leader is compared with the second, all others with the leader; two leaders have a margin of 0.
        margins = [score - (ranked[0] if score < ranked[0] else ranked[1]) for score in scores]
        self.margins[margins[first]] = self.margins.get(margins[first], 0) + 1
        deciding = set()
        for name, seat, points in uses:
            margin = margins[seat]
            # `get` first, because `setdefault` would create an object for each use.
            counts = self.cards.get(name) or self.cards.setdefault(name, CardCounts())
            counts.used += 1
            counts.total += margin
            counts.squares += margin * margin
            # Without this card its seat would not have won.
            if 0 < margin <= points:
                deciding.add(name)
        for name in deciding:
            self.cards[name].decided += 1
        self.by_one += bool(deciding)

    @property
    def first_share(self) -> float:
        """The starting player's share of points: 1 for a win, 0.5 for a draw."""
        return self.share_with(0)

    @property
    def first_stderr(self) -> float:
        """The standard error of `first_share`."""
        if self.games < 2:
            return 0.5
        share = self.first_share
        squares = sum(games * (_points_share(margin) - share) ** 2 for margin, games in self.margins.items())
        return sqrt(squares / (self.games - 1) / self.games)

    def share_with(self, komi: int) -> float:
        """Return the starting player's share if the other players received `komi` points."""
        return sum(games * _points_share(margin - komi) for margin, games in self.margins.items()) / max(self.games, 1)

    @property
    def komi(self) -> int:
        """The komi, points for the other players, that makes the game most even; the lowest of several."""
        reach = max((abs(margin) for margin in self.margins), default=0)
        # The share changes only if the komi reaches a margin, so that only these values are tested.
        changes = {points for margin in self.margins for points in (margin, margin + 1) if 0 < points <= reach}
        # Among equally even values, the lowest.
        return min({0, *changes}, key=lambda points: (abs(self.share_with(points) - 0.5), points))

    def per_turn(self, count: int) -> float:
        """Return a count per turn."""
        return count / max(self.turns, 1)

    def per_game(self, count: int) -> float:
        """Return a count per game."""
        return count / max(self.games, 1)

    @property
    def met_share(self) -> float:
        """The share of captures that compared two numbers; 0 without captures."""
        return self.met / max(self.captures, 1)


def _points_share(margin: int) -> float:
    # 1 for a win, 1/2 for a draw, 0 for a loss.
    return (margin > 0) / 2 + (margin >= 0) / 2


class Lead:
    """Tracks which seat leads alone, and counts changes."""

    __slots__ = ("_leader", "changes")

    def __init__(self) -> None:
        self._leader: int | None = None
        self.changes = 0

    def update(self, scores: Sequence[int]) -> None:
        """Update with the scores after a move."""
        best = max(scores)
        if scores.count(best) > 1:
            return
        leader = scores.index(best)
        # The first leader is not a change.
        self.changes += self._leader is not None and leader != self._leader
        self._leader = leader


_GAMES_PER_CHUNK: Final = 500


class RatingRules(Generic[StateT]):
    """How a game's decks are rated: its part `rating`. All members are optional.

    Attributes:
        default_games: The number of games that suffices to rate a deck between players without search; they take
            seconds.
        default_games_slow_players: The same for other players; about a minute with some hundred playouts per move.
        has_captures: Whether cards are captured instead of played.
        has_pile: Whether there is a draw pile that may have cards at the end.
        options: The names of the options that `count_quickly` supports.
        evens: The option that gives points to the players who do not start, or "".
    """

    default_games: ClassVar[int] = 200
    default_games_slow_players: ClassVar[int] = 100
    has_captures: ClassVar[bool] = False
    has_pile: ClassVar[bool] = False
    options: ClassVar[tuple[str, ...]] = ()
    evens: ClassVar[str] = ""

    def use(self, state: StateT, move: str) -> Use | None:
        """Return the card that a move captures or plays, or None."""
        return None

    def meets(self, state: StateT, move: str) -> bool:
        """Return whether a capture compares two numbers."""
        return False

    def is_dead(self, state: StateT) -> bool:
        """Return whether a finished game has cards in its draw pile."""
        return False

    def count_quickly(self, lineup: Lineup, numbers: range) -> DeckCounts | None:
        """Return counts of games between quick players, faster than the readable rules, or None if not possible."""
        return None

    def verdict(
        self, cards: Sequence[Card], figures: Mapping[str, float], to_mix_in: Callable[[str], str]
    ) -> Sequence[str]:
        """Return the meaning of the figures as sentences; `to_mix_in` lists card games with a number in a zone."""
        return ()


def find_rating(game: str) -> RatingRules[State]:
    """Return how the decks of a game are rated; raise EngineError if they are not."""
    rating: RatingRules[State] | None = find_game(game).part("rating")
    if rating is None:
        raise ContradictionError(
            f"Decks of {game} are not rated: there are ratings for {', '.join(GAMES.having('rating'))}."
        )
    return rating


class RatedCard(msgspec.Struct, frozen=True, kw_only=True):
    """The role of a card in a deck: its worth in points, and how often it is used, and decides, per game."""

    name: str
    worth: float
    stderr: float
    used: float
    decides: float | None


class RatingFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A deck's rating; figures that are not meaningful in a game are null.

    Attributes:
        name: The name of the deck, if it has one.
        met: The share of captures that compare two numbers.
        first_share: The starting player's share of points.
        first_stderr: Its standard error.
        draws: The share of drawn games.
        mean_choices: The legal moves per turn.
        dead: The share of games that end with cards in the draw pile.
        forced: The share of turns with a single legal move.
        lead_changes: The changes of the lead per game.
        komi: The points for the other players that make the game most even.
        komi_share: The starting player's share of points with this komi.
        by_one: The share of games that the winner would not have won without one of the captured cards.
        decider: The card that decides most often.
        interrupted: Present if the rating was interrupted before all games were played.
    """

    name: str | msgspec.UnsetType = msgspec.UNSET
    games: int
    met: float | None
    first_share: float
    first_stderr: float
    draws: float
    mean_moves: float
    mean_choices: float
    dead: float | None
    cards: list[RatedCard]
    game: str
    seed: int
    players: list[str]
    forced: float
    lead_changes: float
    komi: int
    komi_share: float
    by_one: float | None
    decider: str | None
    interrupted: Literal[True] | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True, slots=True)
class DeckRating:
    """The rating of a deck: the lineup and the counts."""

    lineup: Lineup
    counts: DeckCounts
    is_interrupted: bool = False

    def figures(self) -> RatingFigures:
        """Return the figures that `deck rate --json` prints; those that are not meaningful in a game are None."""
        counts, reader = self.counts, find_rating(self.lineup.game)
        ranked = sorted(counts.cards.items(), key=lambda item: (-item[1].worth, item[0]))
        # Ties go to the alphabetically last card, to be deterministic.
        decider = max(counts.cards, key=lambda name: (counts.cards[name].decided, name), default=None)
        return RatingFigures(
            games=counts.games,
            met=counts.met_share if reader.has_captures else None,
            first_share=counts.first_share,
            first_stderr=counts.first_stderr,
            draws=counts.per_game(counts.margins.get(0, 0)),
            mean_moves=counts.per_game(counts.turns),
            mean_choices=counts.per_turn(counts.choices),
            dead=counts.per_game(counts.dead) if reader.has_pile else None,
            cards=[
                RatedCard(
                    name=name,
                    worth=card.worth,
                    stderr=card.stderr,
                    used=counts.per_game(card.used),
                    decides=counts.per_game(card.decided) if reader.has_captures else None,
                )
                for name, card in ranked
            ],
            game=self.lineup.game,
            seed=self.lineup.seed,
            players=list(self.lineup.policy_names),
            forced=counts.per_turn(counts.forced),
            lead_changes=counts.per_game(counts.lead_changes),
            komi=counts.komi,
            komi_share=counts.share_with(counts.komi),
            by_one=counts.per_game(counts.by_one) if reader.has_captures else None,
            decider=decider if reader.has_captures else None,
            interrupted=True if self.is_interrupted else msgspec.UNSET,
        )


def rate(
    game: str,
    deck: Sequence[Card],
    games: int,
    seed: int,
    *,
    policies: tuple[str | Player, str | Player] = ("greedy", "greedy"),
    runner: Runner | None = None,
    progress: Callable[[int], object] | None = None,
    resume: Path | None = None,
    tell: Callable[[str], object] | None = None,
) -> DeckRating:
    """Play games between two players who both use this deck, and count.

    After a keyboard interrupt, the rating covers the games played so far; if there are none, the interrupt is raised.

    Args:
        game: The name of the game.
        deck: The deck.
        games: The number of games, at least one.
        seed: The master seed.
        policies: The players, or their names.
        runner: The runner that plays the games.
        progress: Called from time to time with the number of newly finished games.
        resume: A file that stores the counts; games that it already contains are not played again.
        tell: Called with a sentence before a slow step.

    Returns:
        The rating.

    Raises:
        EngineError: If the deck is not legal, a player or the number is invalid, decks of the game are not rated, or
            the file belongs to other games.
    """
    if games < 1:
        raise ContradictionError(f"the number of games is at least 1, not {games}")
    find_rating(game)
    rules = find_game(game)
    lineup = Lineup(game, policies, FixedDecks((tuple(deck),) * rules.decks_needed(2)), seed)
    prepare(map(find_player, policies), game, tell, games=games)
    rules.deal(
        lineup.players, lineup.decks(Dice(0)), Dice(0)
    )  # raises an error for an illegal deck before any game is played
    work = {
        "what": "deck rate",
        "game": game,
        "players": list(lineup.policy_names),
        "seed": seed,
        "cards": digest(deck),
    }
    result = count_all(
        Task(count_games, lineup, _GAMES_PER_CHUNK, 10),
        games,
        DeckCounts(),
        lambda more: more,
        saved=SavedCounts(resume, work, DeckCounts),
        runner=runner,
        progress=progress,
    )
    return DeckRating(lineup, result.counts, result.is_interrupted)


def default_games(game: str, policies: Iterable[str | Player]) -> int:
    """Return the default number of games for a rating with these players."""
    rating = find_rating(game)
    return rating.default_games if is_quick(policies) else rating.default_games_slow_players


def is_quick(policies: Iterable[str | Player]) -> bool:
    """Return whether only players of `CORE_POLICIES` play, given by name."""
    return all(policy in CORE_POLICIES for policy in policies)


def count_games(lineup: Lineup, numbers: range) -> DeckCounts:
    """Count the games with these numbers, with a kernel if there is one."""
    rating, variant = find_rating(lineup.game), find_game(lineup.game).variant(lineup.options)
    knows_all = is_quick(lineup.policies) and not unknown_options(variant, rating.options)
    counts = rating.count_quickly(lineup, numbers) if knows_all else None
    return count_by_readable_rules(lineup, numbers) if counts is None else counts


def count_by_readable_rules(lineup: Lineup, numbers: range) -> DeckCounts:
    """Count the games with these numbers by the readable rules."""
    counts, reader = DeckCounts(), find_rating(lineup.game)
    players = [find_player(name) for name in lineup.policies]
    for number in numbers:
        setup, dice = lineup.deal(number)
        state = setup.start()
        first = state.to_move
        uses: list[Use] = []
        lead = Lead()
        while legal := state.legal_moves():
            move = choose_move(players[state.to_move], state, dice)
            counts.turns += 1
            counts.choices += len(legal)
            counts.forced += len(legal) == 1
            if use := reader.use(state, move):
                uses.append(use)
            if reader.has_captures:
                counts.captures += 1
                counts.met += reader.meets(state, move)
            state = state.play_unchecked(move)
            lead.update(state.scores())
        counts.lead_changes += lead.changes
        counts.dead += reader.is_dead(state)
        # A card that is played several times counts once for its seat. Captured cards occur once each.
        counts.end_game(first, state.scores(), uses if reader.has_captures else set(uses))
    return counts


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """A deck that was found, its rating in fresh games between the players of the search, and counts of random decks.

    `start_share` is the starting player's share of points, measured in `start_games` fresh games.
    """

    cards: tuple[Card, ...]
    rating: DeckRating
    usual: DeckCounts
    start_share: float
    start_games: int


class DeckSearch(Protocol):
    """A search for decks among the cards of a pool, determined by its seed; results are rated in games of one player.

    All methods raise TooFewCardsError if there are too few cards.
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
        """Return the maximum number of games in a search of this kind: `lively`, `balanced`, `good` or `random`."""

    @staticmethod
    def meets(cards: Sequence[Card]) -> list[int]:
        """Return for each card of a deck the number of other cards that its numbers can be compared with."""

    def lively(self) -> FoundDeck:
        """Return a deck whose numbers are often compared; raise EngineError if these cards never allow that."""

    def good(self) -> FoundDeck:
        """Return a lively and balanced deck in which no card decides most games; raise EngineError like `lively`."""

    def balanced(self) -> FoundDeck:
        """Return a deck with which starting is hardly an advantage."""

    def random(self) -> tuple[Card, ...]:
        """Return a random deck without a rating."""

    def measure(self, cards: tuple[Card, ...]) -> FoundDeck:
        """Rate a deck in games that no search used, and random decks of the pool for comparison."""
