"""What a game teaches: sentences, each with the experiment behind it, and the figures that it gave."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from math import sqrt
from string import Formatter
from typing import Any, Final, NamedTuple, TypedDict

from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import NO_LIMIT, find_player

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

    def figures_named(self) -> tuple[str, ...]:
        """The names of the figures in the advice."""
        # Of each piece of a format: the text before it, the name in braces, what stands behind the colon, a conversion.
        return tuple(name for _, name, _, _ in Formatter().parse(self.text) if name)

    def shares(self) -> tuple[str, ...]:
        """The names of those that are shares, and stand there as per cent."""
        return tuple(name for _, name, how, _ in Formatter().parse(self.text) if name and not how)

    def sentence(self, figures: Mapping[str, Figure]) -> str:
        """The advice with its figures."""
        # `{lowest}` is formatted by `_Share.__format__`, `{left:n}` too, with "n".
        return self.text.format(**{name: _Share(figure.value) for name, figure in figures.items()})

    def doubts(self, figures: Mapping[str, Figure]) -> list[str]:
        """What the advice says and these figures do not bear out."""
        return [f"{high} is not above {low}" for high, low in self.above if not figures[high].is_above(figures[low])]


class FigureJson(TypedDict):
    """A figure of an experiment, with its standard error."""

    value: float
    stderr: float


class LessonJson(TypedDict):
    """A piece of advice with the figures of its experiment; `doubts` are what it says and they do not bear out."""

    name: str
    text: str
    games: int
    players: str
    figures: dict[str, FigureJson]
    doubts: list[str]


@dataclass(frozen=True, slots=True)
class MeasuredLesson:
    """A lesson with its figures, by name, the number of games that they come from, and what they do not bear out."""

    lesson: Lesson
    figures: Mapping[str, Figure]
    games: int
    doubts: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The advice with its figures."""
        return self.lesson.sentence(self.figures)

    def to_dict(self) -> LessonJson:
        """The lesson in the documented shape of `learn --json`."""
        return {
            "name": self.lesson.name,
            "text": self.text,
            "games": self.games,
            "players": self.lesson.experiment.about,
            "figures": {name: {"value": one.value, "stderr": one.stderr} for name, one in self.figures.items()},
            "doubts": list(self.doubts),
        }


class _Share(float):
    def __format__(self, how: str) -> str:
        if how == "n":
            return f"{float(self):.1f}"
        # 0.3 % rather than 0 %.
        return f"{100 * self:.0f} %" if _ROUGHLY < self < 1 - _ROUGHLY else f"{100 * self:.1f} %"


def wins(course: Course) -> Iterable[Sample]:
    """Each player's part of the games, by the place in the experiment: `player1`, `player2`; a draw is shared."""
    for seat, role in enumerate(course.roles):
        yield Sample(f"player{role + 1}", course.win(seat))


def start_wins(course: Course) -> Iterable[Sample]:
    """The part of the games that who starts wins, `starter`, and the others together, `others`; a draw is shared."""
    yield Sample("starter", course.win(course.starter))
    yield Sample("others", 1 - course.win(course.starter))


FIGURES_FILE: Final = "lessons.json"


def find_lessons(game: str) -> tuple[Lesson, ...]:
    """What a game teaches, the most important first.

    Raises:
        EngineError: there is no such game, or it has no lessons.
    """
    lessons: tuple[Lesson, ...] | None = find_game(game).part("lessons")
    if lessons is None:
        raise EngineError(f"{game} has no lessons: there are lessons for {', '.join(GAMES.having('lessons'))}.")
    return lessons


def saved_figures(game: str) -> dict[str, dict[str, Figure]]:
    """The figures that come with the program, by the lesson's name and their own."""
    text = resources.files(find_game(game).package).joinpath(FIGURES_FILE).read_text(encoding="utf-8")
    return {
        lesson: {name: Figure(*figure) for name, figure in figures.items()}
        for lesson, figures in json.loads(text).items()
    }


def measure(
    game: str,
    experiment: Experiment,
    decks: DeckSource,
    seed: int,
    games: int | None = None,
    progress: Callable[[int], object] = lambda count: None,
) -> dict[str, Figure]:
    """Plays an experiment, and gives its figures with their standard errors, by name.

    Args:
        game: the name of the game.
        experiment: who plays, and what is looked at.
        decks: what is played with.
        seed: what all dice follow from.
        games: how many games, two at least; as many as for the page when not given.
        progress: called after each game with 1.

    Raises:
        EngineError: the decks are not as the game wants them.
    """
    sums: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(1, (games or experiment.games) + 1):
        # What is seen in one game hangs together: a game is one sample, however often something comes up in it.
        seen: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for figure, value, weight in experiment.watch(play_course(game, experiment, decks, seed, number)):
            seen[figure][0] += value
            seen[figure][1] += weight
        for figure, (value, weight) in seen.items():
            sums[figure].append((value, weight))
        progress(1)
    return {figure: _figure(pairs) for figure, pairs in sums.items()}


def play_course(game: str, experiment: Experiment, decks: DeckSource, seed: int, number: int) -> Course:
    """Game `number` of an experiment, counted from 1; with each game the players move on by a seat."""
    dice = Dice(seed).fork(number)
    seats = len(experiment.players)
    # Everybody sits everywhere equally often, so the seat does not count for any of them.
    roles = [(seat + number) % seats for seat in range(seats)]
    names = [f"player-{seat + 1}" for seat in range(seats)]
    setup = find_game(game).deal(names, decks(dice), dice, options=experiment.options)
    policies = [_policy(experiment.players[role]) for role in roles]
    state = setup.start()
    positions: list[Any] = [state]
    moves: list[str] = []
    while legal := state.legal_moves():
        seat = state.to_move
        move = policies[seat](state.view(seat), legal, dice)
        state = state.play_unchecked(move)
        moves.append(move)
        positions.append(state)
    return Course(positions, moves, roles)


def _policy(player: str | Policy) -> Policy:
    if not isinstance(player, str):
        return player
    found = find_player(player)
    return lambda view, legal, dice: found.choose(view, legal, dice, NO_LIMIT)


def _figure(pairs: Sequence[tuple[float, float]]) -> Figure:
    """The sum of the values by the sum of the weights, where what was seen in one game hangs together."""
    count, weight = len(pairs), sum(pair[1] for pair in pairs)
    if not weight:
        return Figure(0.0, 0.0)
    # A ratio of sums; its error is that of the residuals, one for each game.
    value = sum(pair[0] for pair in pairs) / weight
    spread = sum((one - value * heavy) ** 2 for one, heavy in pairs)
    # count / (count - 1), as the value itself was taken from the same games.
    return Figure(value, sqrt(spread * count / max(count - 1, 1)) / weight)


def to_document(figures: Mapping[str, Mapping[str, Figure]]) -> str:
    """Figures as they are kept beside a game."""
    rounded = {
        lesson: {name: [round(figure.value, 4), round(figure.stderr, 4)] for name, figure in sorted(found.items())}
        for lesson, found in figures.items()
    }
    lines = ",\n".join(f"  {json.dumps(lesson)}: {json.dumps(found)}" for lesson, found in rounded.items())
    return f"{{\n{lines}\n}}\n"
