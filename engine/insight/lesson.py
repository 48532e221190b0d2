"""What a game teaches: sentences, each with the experiment behind it, and the figures that it gave."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from string import Formatter
from typing import Any, Final, NamedTuple

from engine.dice import Dice

_ROUGHLY: Final = 0.015
"""Shares nearer to none or to all are told with a decimal."""

CERTAIN: Final = 3
"""A figure is taken to be higher than another when it is so many standard errors higher."""


class Sample(NamedTuple):
    """One thing that was seen in a game: the name of the figure that it belongs to, its value, and how much it counts.

    A figure is the sum of the values of its samples by the sum of their weights.
    """

    figure: str
    value: float
    weight: float = 1.0


class Figure(NamedTuple):
    """What was measured, and its standard error, both of them shares or numbers without a unit."""

    value: float
    stderr: float

    def is_above(self, other: "Figure") -> bool:
        """Whether this is higher than another, and not by luck."""
        return self.value - other.value > CERTAIN * sqrt(self.stderr**2 + other.stderr**2)

    def agrees(self, other: "Figure") -> bool:
        """Whether the two may be measurements of the same, as far as luck goes."""
        return abs(self.value - other.value) <= (CERTAIN + 2) * sqrt(self.stderr**2 + other.stderr**2)


@dataclass(frozen=True, slots=True)
class Course:
    """A game that was played: all its positions, of which the last is its end, and the moves between them.

    `roles` says of each seat which of the experiment's players sat there, counted from 0.
    """

    positions: Sequence[Any]
    moves: Sequence[str]
    roles: Sequence[int]

    @property
    def end(self) -> Any:
        """The last position."""
        return self.positions[-1]

    @property
    def starter(self) -> int:
        """The seat that moved first."""
        seat: int = self.positions[0].to_move
        return seat

    def win(self, seat: int) -> float:
        """1 where the seat won alone, its part where several share the highest score, else 0."""
        scores = self.end.scores()
        return 1 / scores.count(max(scores)) if scores[seat] == max(scores) else 0.0


Policy = Callable[[Any, Sequence[str], Dice], str]
"""Chooses one of the legal moves in the view of the seat that is to move."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Games between computer players, who change seats from game to game, and what is looked at in each.

    Attributes:
        about: who plays, in words that stand after "games": `between greedy players`.
        players: by their names, or policies made for this experiment, as many as there are seats.
        watch: the samples in a game that was played.
        games: how many are played for the page.
        options: the variants.
    """

    about: str
    players: tuple[str | Policy, ...]
    watch: Callable[[Course], Iterable[Sample]]
    games: int = 2000
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A piece of advice, with the figures of its experiment in braces, and which of these it says to be above which.

    A figure stands as per cent, `{lowest}`, or as a number, `{left:n}`.
    """

    name: str
    text: str
    experiment: Experiment
    above: tuple[tuple[str, str], ...] = ()

    def figures_told(self) -> tuple[str, ...]:
        """The names of the figures in the advice."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.text) if name)

    def shares(self) -> tuple[str, ...]:
        """The names of those that are shares, and stand there as per cent."""
        return tuple(name for _, name, how, _ in Formatter().parse(self.text) if name and not how)

    def told(self, figures: Mapping[str, Figure]) -> str:
        """The advice with its figures."""
        return self.text.format(**{name: _Shown(figure.value) for name, figure in figures.items()})

    def doubts(self, figures: Mapping[str, Figure]) -> list[str]:
        """What the advice says and these figures do not bear out."""
        return [f"{high} is not above {low}" for high, low in self.above if not figures[high].is_above(figures[low])]


@dataclass(frozen=True, slots=True)
class Told:
    """A lesson with its figures, by name, the number of games that they come from, and what they do not bear out."""

    lesson: Lesson
    figures: Mapping[str, Figure]
    games: int
    doubts: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The advice with its figures."""
        return self.lesson.told(self.figures)

    def to_dict(self) -> dict[str, Any]:
        """The lesson in the documented shape of `learn --json`."""
        return {
            "name": self.lesson.name,
            "text": self.text,
            "games": self.games,
            "players": self.lesson.experiment.about,
            "figures": {name: {"value": one.value, "stderr": one.stderr} for name, one in self.figures.items()},
            "doubts": list(self.doubts),
        }


class _Shown(float):
    def __format__(self, how: str) -> str:
        if how == "n":
            return f"{float(self):.1f}"
        return f"{100 * self:.0f} %" if _ROUGHLY < self < 1 - _ROUGHLY else f"{100 * self:.1f} %"


def wins(course: Course) -> Iterable[Sample]:
    """Each player's part of the games, by the place in the experiment: `player1`, `player2`; a draw is shared."""
    for seat, role in enumerate(course.roles):
        yield Sample(f"player{role + 1}", course.win(seat))


def start_wins(course: Course) -> Iterable[Sample]:
    """The part of the games that who starts wins, `starter`, and the others together, `others`; a draw is shared."""
    yield Sample("starter", course.win(course.starter))
    yield Sample("others", 1 - course.win(course.starter))
