"""How a deck plays: games with it, counted, the figures made of the counts, and the bars of a good deck."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, NamedTuple, NotRequired, Protocol, TypedDict

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import Count, Lineup, SavedCounts, SignedCount, count_all, digest
from ccgrid.engine.options import unknown_options
from ccgrid.engine.players import choose_move, find_player, prepare

MET: Final = 0.5
EVEN: Final = 0.02
BY_ONE: Final = 0.4
CHOICES: Final = 1.25
"""The bars of a good deck: captures in which numbers meet, at least; how far from one half who starts may be, with komi
or without; games decided by one card, at most; and choices, at least as many times those of random decks."""

_SAFE: Final = 0.01
"""A search aims so much beyond each bar: what looks good enough in some games is often a little less so in others."""


class Bars(NamedTuple):
    """How far a deck is from each bar, in shares; what is 0 or less is reached."""

    met: float
    even: float
    by_one: float
    choices: float

    @classmethod
    def of(
        cls, met: float, first: float, with_komi: float, by_one: float, choices: float, usual_choices: float
    ) -> "Bars":
        """How far a deck is with these figures.

        Args:
            met: the share of captures in which numbers meet.
            first: the points share of who starts.
            with_komi: the same with the best points for the others.
            by_one: the share of games that one card decides.
            choices: legal moves a turn.
            usual_choices: the same with random decks.
        """
        # Each bar is what is missing to it, as a share: a search can add them up.
        alone = abs(first - 0.5)
        uneven = alone if alone <= EVEN else abs(with_komi - 0.5)
        wanted = CHOICES * usual_choices
        return cls(MET - met, uneven - EVEN, by_one - BY_ONE, (wanted - choices) / max(wanted, 0.1))

    @property
    def missing(self) -> float:
        """How much is missing in all, with something to spare: what a search makes less."""
        # Evenness counts twice: what one seat has above a half the other has below it.
        return sum(max(0.0, bar + _SAFE) for bar in (self.met, 2 * self.even, self.by_one, self.choices))


class Use(NamedTuple):
    """A card that a seat took, or played, and the points that it is worth by itself; 0 where cards have no points."""

    name: str
    seat: int
    points: int


@dataclass(slots=True)
class CardCounts:
    """Of one card: how often it was taken or played, the final margins of who did, their squares, games it decided.

    A margin is the points by which a seat is ahead of the best other one, or less than 0, in the end.
    """

    used: Count = 0
    total: SignedCount = 0
    squares: Count = 0
    decided: Count = 0

    def add(self, other: "CardCounts") -> None:
        """Adds other games of the card."""
        self.used += other.used
        self.total += other.total
        self.squares += other.squares
        self.decided += other.decided

    def adds_up(self, games: int, most: int) -> bool:
        """Whether these can be the counts of `games` games in which nobody was ahead by more than `most` points."""
        return (
            self.decided <= min(self.used, games)
            and self.total**2 <= self.used * self.squares  # whatever the margins are: Cauchy and Schwarz
            and self.squares <= self.used * most**2
        )

    @property
    def worth(self) -> float:
        """The mean final margin, in points, of who took or played it; 0 if nobody did."""
        return self.total / self.used if self.used else 0.0

    @property
    def stderr(self) -> float:
        """The standard error of the worth; 0 where fewer than two did."""
        if self.used < 2:
            return 0.0
        squares = max(0.0, self.squares - self.total * self.total / self.used)
        return sqrt(squares / (self.used - 1) / self.used)


@dataclass(slots=True)
class DeckCounts:
    """What was counted over some games. Counts are whole numbers and add up in whatever order.

    Attributes:
        games: how many.
        turns: moves in all.
        choices: legal moves, over all turns.
        forced: turns with one legal move alone.
        captures: cards that were taken.
        met: captures in which two numbers were compared.
        lead_changes: how often another seat came to lead alone.
        dead: games that ended with cards in the draw pile.
        by_one: games that the winner would not have won without one of the cards taken.
        margins: how often who started ended with so many points more than the best other seat.
        cards: by their names.
    """

    games: Count = 0
    turns: Count = 0
    choices: Count = 0
    forced: Count = 0
    captures: Count = 0
    met: Count = 0
    lead_changes: Count = 0
    dead: Count = 0
    by_one: Count = 0
    margins: dict[SignedCount, Count] = field(default_factory=dict)
    cards: dict[str, CardCounts] = field(default_factory=dict)

    def add(self, other: "DeckCounts") -> None:
        """Adds other games."""
        for name in ("games", "turns", "choices", "forced", "captures", "met", "lead_changes", "dead", "by_one"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for margin, games in other.margins.items():
            self.margins[margin] = self.margins.get(margin, 0) + games
        for card, counts in other.cards.items():
            self.cards.setdefault(card, CardCounts()).add(counts)

    def adds_up(self, games: int) -> bool:
        """Whether these can be the counts of `games` games."""
        most = max(map(abs, self.margins), default=0)
        return (
            # Each game has one margin of who started.
            games == self.games == sum(self.margins.values())
            and max(self.dead, self.by_one) <= games
            and 2 * self.turns - self.forced <= self.choices  # two legal moves at least where none is forced
            and self.met <= self.captures
            and max(self.forced, self.captures, self.lead_changes) <= self.turns
            and sum(card.used for card in self.cards.values()) <= self.turns
            and all(card.adds_up(games, most) for card in self.cards.values())
        )

    def end_game(self, first: int, scores: Sequence[int], uses: Collection[Use]) -> None:
        """Counts how a game ended that the seat `first` started, and what its cards did."""
        self.games += 1
        ranked = sorted(scores, reverse=True)
        # Who leads is ahead of the second, all others are behind the first; two leaders have a margin of 0.
        margins = [score - (ranked[0] if score < ranked[0] else ranked[1]) for score in scores]
        self.margins[margins[first]] = self.margins.get(margins[first], 0) + 1
        deciding = set()
        for name, seat, points in uses:
            margin = margins[seat]
            # `get` first: `setdefault` would make new counts for each use.
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
        """The points share of who starts: a win 1, a draw a half."""
        return self.share_with(0)

    @property
    def first_stderr(self) -> float:
        """The standard error of that share."""
        if self.games < 2:
            return 0.5
        share = self.first_share
        squares = sum(games * (_points_share(margin) - share) ** 2 for margin, games in self.margins.items())
        return sqrt(squares / (self.games - 1) / self.games)

    def share_with(self, komi: int) -> float:
        """What the share of the starting player would be if the others were given `komi` points."""
        return sum(games * _points_share(margin - komi) for margin, games in self.margins.items()) / max(self.games, 1)

    @property
    def komi(self) -> int:
        """The points for who does not start that make the game most even, as `komi=N`; the fewest of several."""
        reach = max((abs(margin) for margin in self.margins), default=0)
        # The share changes only where the points given reach a margin: no other numbers are worth a try.
        changes = {points for margin in self.margins for points in (margin, margin + 1) if 0 < points <= reach}
        # Of equally even numbers the fewest points.
        return min({0, *changes}, key=lambda points: (abs(self.share_with(points) - 0.5), points))

    def per_turn(self, count: int) -> float:
        """A count for every turn."""
        return count / max(self.turns, 1)

    def per_game(self, count: int) -> float:
        """A count for every game."""
        return count / max(self.games, 1)

    @property
    def met_share(self) -> float:
        """The share of captures where two numbers were compared, 0 where nothing was captured."""
        return self.met / max(self.captures, 1)


def _points_share(margin: int) -> float:
    # 1 won, 1/2 drawn, 0 lost.
    return (margin > 0) / 2 + (margin >= 0) / 2


class Lead:
    """Follows who leads alone, and how often that changes."""

    __slots__ = ("_leader", "changes")

    def __init__(self) -> None:
        self._leader: int | None = None
        self.changes = 0

    def look(self, scores: Sequence[int]) -> None:
        """Looks at the scores after a move."""
        best = max(scores)
        if scores.count(best) > 1:
            return
        leader = scores.index(best)
        # Who leads first changes nothing.
        self.changes += self._leader is not None and leader != self._leader
        self._leader = leader


QUICK_PLAYERS: Final = ("random", "greedy")
"""These play a million games while others think about some hundred."""

_AT_ONCE: Final = 500


class RatingRules:
    """What a game says of how its decks play, its part `rating`; what has a default may be left out.

    Attributes:
        plenty: games that show how a deck plays, and take some seconds between players who see no further than
            a move.
        plenty_of_thought: the same between others: about a minute if these play some hundred rounds for a move.
        has_captures: whether cards are taken, and not played.
        has_pile: whether there is a draw pile that may be left.
        options: the names of the options that are known to what counts quickly.
        evens: the option that gives points to who does not start, if there is one.
    """

    plenty: ClassVar[int] = 200
    plenty_of_thought: ClassVar[int] = 100
    has_captures: ClassVar[bool] = False
    has_pile: ClassVar[bool] = False
    options: ClassVar[tuple[str, ...]] = ()
    evens: ClassVar[str] = ""

    def use(self, state: Any, move: str) -> Use | None:
        """The card that a move takes, or plays."""
        return None

    def meets(self, state: Any, move: str) -> bool:
        """Whether a capture compares two numbers."""
        return False

    def is_dead(self, state: Any) -> bool:
        """Whether a game that is over has cards in its draw pile."""
        return False

    def count_quickly(self, lineup: Lineup, numbers: range) -> DeckCounts | None:
        """What is counted over games between quick players, faster than by the readable rules; None where it cannot."""
        return None

    def verdict(
        self, cards: Sequence[Card], figures: Mapping[str, Any], to_mix_in: Callable[[str], str]
    ) -> Sequence[str]:
        """What the figures mean, in sentences; `to_mix_in` names card games whose cards have a number in a zone."""
        return ()


def find_rating(game: str) -> RatingRules:
    """How the decks of a game are rated; raises EngineError where they are not."""
    rating: RatingRules | None = find_game(game).part("rating")
    if rating is None:
        raise EngineError(f"Decks of {game} are not rated: there are ratings for {', '.join(GAMES.having('rating'))}.")
    return rating


class RatedCardJson(TypedDict):
    """What a card does in a deck: what it is worth in points, how often it is used in a game, how often it decides."""

    name: str
    worth: float
    stderr: float
    used: float
    decides: float | None


class DeckRatingJson(TypedDict):
    """How a deck plays; what makes no sense in a game is null.

    Attributes:
        met: share of captures where two numbers were compared.
        first_share: points share of who starts.
        first_stderr: its standard error.
        draws: share of games that are drawn.
        mean_choices: legal moves a turn.
        dead: share of games ending with cards in the pile.
        forced: share of turns with a single legal move.
        lead_changes: how often the lead changes in a game.
        komi: points for who does not start that make it most even.
        komi_share: points share of who starts with these.
        by_one: share of games that the winner would not have won without one of the cards taken.
        decider: the card that decides most often.
        interrupted: there where it ended before all games were played.
    """

    games: int
    met: float | None
    first_share: float
    first_stderr: float
    draws: float
    mean_moves: float
    mean_choices: float
    dead: float | None
    cards: list[RatedCardJson]
    game: str
    seed: int
    players: list[str]
    forced: float
    lead_changes: float
    komi: int
    komi_share: float
    by_one: float | None
    decider: str | None
    interrupted: NotRequired[Literal[True]]


@dataclass(frozen=True, slots=True)
class DeckRating:
    """What was played, and what was counted."""

    lineup: Lineup
    counts: DeckCounts
    is_interrupted: bool = False

    def to_dict(self) -> DeckRatingJson:
        """The figures as scripts see them: `deck rate --json`; what makes no sense in a game is null."""
        counts, reader = self.counts, find_rating(self.lineup.game)
        ranked = sorted(counts.cards.items(), key=lambda item: (-item[1].worth, item[0]))
        # Of equal ones the last by the alphabet, so that it is always the same.
        decider = max(counts.cards, key=lambda name: (counts.cards[name].decided, name), default=None)
        rating: DeckRatingJson = {
            "games": counts.games,
            "met": counts.met_share if reader.has_captures else None,
            "first_share": counts.first_share,
            "first_stderr": counts.first_stderr,
            "draws": counts.per_game(counts.margins.get(0, 0)),
            "mean_moves": counts.per_game(counts.turns),
            "mean_choices": counts.per_turn(counts.choices),
            "dead": counts.per_game(counts.dead) if reader.has_pile else None,
            "cards": [
                {
                    "name": name,
                    "worth": card.worth,
                    "stderr": card.stderr,
                    "used": counts.per_game(card.used),
                    "decides": counts.per_game(card.decided) if reader.has_captures else None,
                }
                for name, card in ranked
            ],
            "game": self.lineup.game,
            "seed": self.lineup.seed,
            "players": list(self.lineup.policies),
            "forced": counts.per_turn(counts.forced),
            "lead_changes": counts.per_game(counts.lead_changes),
            "komi": counts.komi,
            "komi_share": counts.share_with(counts.komi),
            "by_one": counts.per_game(counts.by_one) if reader.has_captures else None,
            "decider": decider if reader.has_captures else None,
        }
        return {**rating, "interrupted": True} if self.is_interrupted else rating


def rate(
    game: str,
    deck: Sequence[Card],
    games: int,
    seed: int,
    *,
    policies: tuple[str, str] = ("greedy", "greedy"),
    runner: Runner | None = None,
    progress: Callable[[int], object] | None = None,
    resume: Path | None = None,
    tell: Callable[[str], object] | None = None,
) -> DeckRating:
    """Plays games between two players, both with this deck, and counts.

    An interrupt from the keyboard ends it with what was played, unless that is nothing.

    Args:
        game: the game.
        deck: the deck.
        games: how many, at least one.
        seed: what all dice follow from.
        policies: who plays.
        runner: where they are played.
        progress: called now and then with how many more games are done.
        resume: a file that keeps the counts; what it holds already is not played again.
        tell: called with a sentence before something slow starts.

    Raises:
        EngineError: the deck is not legal, a player or the number cannot be, decks of the game are not rated, or the
            file is of other games.
    """
    if games < 1:
        raise EngineError(f"the number of games is at least 1, not {games}")
    find_rating(game)
    rules = find_game(game)
    lineup = Lineup(game, policies, FixedDecks((tuple(deck),) * rules.decks_needed(2)), seed)
    prepare(map(find_player, policies), game, tell, games=games)
    rules.deal(lineup.players, lineup.decks(Dice(0)), Dice(0))  # refuses a deck before many games are begun
    work = {"what": "deck rate", "game": game, "players": list(policies), "seed": seed, "cards": digest(deck)}
    result = count_all(
        Task(count_games, lineup, _AT_ONCE, 10),
        games,
        DeckCounts(),
        lambda more: more,
        saved=SavedCounts(resume, work, DeckCounts),
        runner=runner,
        progress=progress,
    )
    return DeckRating(lineup, result.counts, result.is_interrupted)


def plenty(game: str, policies: Iterable[str]) -> int:
    """How many games tell how a deck plays between these players."""
    rating = find_rating(game)
    return rating.plenty if set(policies) <= set(QUICK_PLAYERS) else rating.plenty_of_thought


def count_games(lineup: Lineup, numbers: range) -> DeckCounts:
    """What is counted over the games with these numbers, by a kernel where one plays them."""
    rating, variant = find_rating(lineup.game), find_game(lineup.game).variant(lineup.options)
    is_quick = set(lineup.policies) <= set(QUICK_PLAYERS) and not unknown_options(variant, rating.options)
    counts = rating.count_quickly(lineup, numbers) if is_quick else None
    return count_readably(lineup, numbers) if counts is None else counts


def count_readably(lineup: Lineup, numbers: range) -> DeckCounts:
    """The same by the readable rules."""
    counts, reader = DeckCounts(), find_rating(lineup.game)
    players = [find_player(name) for name in lineup.policies]
    for number in numbers:
        dice = Dice(lineup.seed).fork(number)
        setup = find_game(lineup.game).deal(lineup.players, lineup.decks(dice), dice, options=lineup.options)
        state: Any = setup.start()
        first = state.to_move if setup.first is None else setup.first
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
            lead.look(state.scores())
        counts.lead_changes += lead.changes
        counts.dead += reader.is_dead(state)
        # Where a card may be played more than once it counts once for its seat.
        # Cards that are taken come up once each; one that is played may come back and be played again.
        counts.end_game(first, state.scores(), uses if reader.has_captures else set(uses))
    return counts


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

    def measure(self, cards: tuple[Card, ...]) -> FoundDeck:
        """A deck with what it does in games that no search has seen, and what random decks of the pool do."""
