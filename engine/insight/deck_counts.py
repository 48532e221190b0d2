"""What is counted over many games with one deck, to tell how the deck plays."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

from engine.many.tally import Count, Whole


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
    total: Whole = 0
    squares: Count = 0
    decided: Count = 0

    def add(self, other: "CardCounts") -> None:
        """Adds other games of the card."""
        self.used += other.used
        self.total += other.total
        self.squares += other.squares
        self.decided += other.decided

    def adds_up(self, games: int, most: int) -> bool:
        """Whether so many games in which nobody was ahead by more than `most` points can have brought this."""
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
    margins: dict[Whole, Count] = field(default_factory=dict)
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
        """Whether so many games can have brought this."""
        most = max(map(abs, self.margins), default=0)
        return (
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
        margins = [score - (ranked[0] if score < ranked[0] else ranked[1]) for score in scores]
        self.margins[margins[first]] = self.margins.get(margins[first], 0) + 1
        deciding = set()
        for name, seat, points in uses:
            margin = margins[seat]
            counts = self.cards.get(name) or self.cards.setdefault(name, CardCounts())
            counts.used += 1
            counts.total += margin
            counts.squares += margin * margin
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
        squares = sum(games * (_won(margin) - share) ** 2 for margin, games in self.margins.items())
        return sqrt(squares / (self.games - 1) / self.games)

    def share_with(self, komi: int) -> float:
        """What the share of who starts would be if the others were given so many points."""
        return sum(games * _won(margin - komi) for margin, games in self.margins.items()) / max(self.games, 1)

    @property
    def komi(self) -> int:
        """The points for who does not start that make the game most even, as `komi=N`; the fewest of several."""
        reach = max((abs(margin) for margin in self.margins), default=0)
        changes = {points for margin in self.margins for points in (margin, margin + 1) if 0 < points <= reach}
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


def _won(margin: int) -> float:
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
        self.changes += self._leader is not None and leader != self._leader
        self._leader = leader
