"""Lessons of a game: sentences of advice, the experiments behind them, and the measured figures."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from math import sqrt
from string import Formatter
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError
from ccgrid.engine.game import PlayedT, State
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import NO_LIMIT, find_player

_DECIMAL_MARGIN: Final = 0.015
"""Shares closer to 0 or 1 than this are shown with a decimal."""

MIN_SIGNIFICANT_ERRORS: Final = 3
"""The number of standard errors by which a figure must exceed another to count as higher."""


class Sample(NamedTuple):
    """An observation in a game: the name of its figure, its value, and its weight.

    A figure is the sum of its samples' values divided by the sum of their weights.
    """

    figure: str
    value: float
    weight: float = 1.0


class Figure(msgspec.Struct, frozen=True):
    """A measured share, or number without a unit, and its standard error."""

    value: float
    stderr: float

    def is_above(self, other: "Figure") -> bool:
        """Return whether this figure is significantly higher than another."""
        return self.value - other.value > MIN_SIGNIFICANT_ERRORS * sqrt(self.stderr**2 + other.stderr**2)

    def agrees(self, other: "Figure") -> bool:
        """Return whether two figures are consistent, within their errors."""
        return abs(self.value - other.value) <= (MIN_SIGNIFICANT_ERRORS + 2) * sqrt(self.stderr**2 + other.stderr**2)


StateT = TypeVar("StateT", bound=State, covariant=True)


@dataclass(frozen=True, slots=True)
class Course(Generic[StateT]):
    """A finished game: all its positions, the last of which is the end, and the moves between them.

    `roles` has for each seat the index of the experiment's player who sat there.
    """

    positions: Sequence[StateT]
    moves: Sequence[str]
    roles: Sequence[int]

    @property
    def end(self) -> StateT:
        """The last position."""
        return self.positions[-1]

    @property
    def starter(self) -> int:
        """The seat that moved first."""
        return self.positions[0].to_move

    def win(self, seat: int) -> float:
        """Return 1 if the seat won, 1 divided by their number if several seats share the highest score, else 0."""
        scores = self.end.scores()
        return 1 / scores.count(max(scores)) if scores[seat] == max(scores) else 0.0


Policy = Callable[[PlayedT, Sequence[str], Dice], str]
"""Chooses one of the legal moves, given the view of the player to move."""


@dataclass(frozen=True, slots=True)
class Experiment(Generic[PlayedT]):
    """Games between computer players, who change seats from game to game, and the observations in each.

    Attributes:
        about: The players, as a text after "games": `between greedy players`.
        players: The names of players, or policies of this experiment, one per seat.
        watch: Returns the samples of a finished game.
        games: The number of games played for the page.
        options: The game's options.
    """

    about: str
    players: tuple[str | Policy[PlayedT], ...]
    watch: Callable[[Course[PlayedT]], Iterable[Sample]]
    games: int = 2000
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A piece of advice, which contains figures of its experiment in braces, and the order that it claims for them.

    A figure is shown as a percentage, `{lowest}`, or as a number, `{left:n}`. Each pair in `above` names a figure, and
    a lower one.
    """

    name: str
    text: str
    experiment: Experiment[Any]
    above: tuple[tuple[str, str], ...] = ()

    def figures_named(self) -> tuple[str, ...]:
        """Return the names of the figures in the text."""
        # The parts of a format field: the text before it, the name, the format after the colon, and the conversion.
        return tuple(name for _, name, _, _ in Formatter().parse(self.text) if name)

    def shares(self) -> tuple[str, ...]:
        """Return the names of the figures that are shown as percentages."""
        return tuple(name for _, name, how, _ in Formatter().parse(self.text) if name and not how)

    def sentence(self, figures: Mapping[str, Figure]) -> str:
        """Return the text with figures filled in."""
        # `_Share.__format__` formats `{lowest}`, and `{left:n}` with "n".
        return self.text.format(**{name: _Share(figure.value) for name, figure in figures.items()})

    def doubts(self, figures: Mapping[str, Figure]) -> list[str]:
        """Return the claims of the advice that these figures do not support."""
        return [f"{high} is not above {low}" for high, low in self.above if not figures[high].is_above(figures[low])]


class ShownLesson(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of advice with the figures of its experiment; `doubts` are claims that they do not support."""

    name: str
    text: str
    games: int
    players: str
    figures: dict[str, Figure]
    doubts: list[str]


@dataclass(frozen=True, slots=True)
class MeasuredLesson:
    """A lesson with its figures by name, the number of games behind them, and the claims that they do not support."""

    lesson: Lesson
    figures: Mapping[str, Figure]
    games: int
    doubts: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The advice with its figures."""
        return self.lesson.sentence(self.figures)

    def answer(self) -> ShownLesson:
        """Return the lesson that `learn --json` prints."""
        return ShownLesson(
            name=self.lesson.name,
            text=self.text,
            games=self.games,
            players=self.lesson.experiment.about,
            figures=dict(self.figures),
            doubts=list(self.doubts),
        )


class _Share(float):
    def __format__(self, how: str) -> str:
        if how == "n":
            return f"{float(self):.1f}"
        # 0.3 % instead of 0 %.
        return f"{100 * self:.0f} %" if _DECIMAL_MARGIN < self < 1 - _DECIMAL_MARGIN else f"{100 * self:.1f} %"


def wins(course: Course[State]) -> Iterable[Sample]:
    """Yield each player's share of a win, by the index in the experiment: `player1`, `player2`; a draw is shared."""
    for seat, role in enumerate(course.roles):
        yield Sample(f"player{role + 1}", course.win(seat))


def start_wins(course: Course[State]) -> Iterable[Sample]:
    """Yield the starting player's and the other players' share of a win: `starter`, `others`; a draw is shared."""
    yield Sample("starter", course.win(course.starter))
    yield Sample("others", 1 - course.win(course.starter))


FIGURES_FILE: Final = "lessons.json"


def find_lessons(game: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game, the most important first.

    Raises:
        EngineError: If there is no such game, or it has no lessons.
    """
    lessons: tuple[Lesson, ...] | None = find_game(game).part("lessons")
    if lessons is None:
        raise ContradictionError(f"{game} has no lessons: there are lessons for {', '.join(GAMES.having('lessons'))}.")
    return lessons


def saved_figures(game: str) -> dict[str, dict[str, Figure]]:
    """Return the figures that come with the program, by lesson and name."""
    text = resources.files(find_game(game).package).joinpath(FIGURES_FILE).read_text(encoding="utf-8")
    return {
        lesson: {name: Figure(*figure) for name, figure in figures.items()}
        for lesson, figures in json.loads(text).items()
    }


def measure(
    game: str,
    experiment: Experiment[State],
    decks: DeckSource,
    seed: int,
    games: int | None = None,
    progress: Callable[[int], object] = lambda count: None,
) -> dict[str, Figure]:
    """Play an experiment and return its figures, with standard errors, by name.

    Args:
        game: The name of the game.
        experiment: The players and the observations.
        decks: The source of decks.
        seed: The master seed.
        games: The number of games, at least two; by default that of the experiment.
        progress: Called after each game with 1.

    Raises:
        EngineError: If the game does not accept the decks.
    """
    sums: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(1, (games or experiment.games) + 1):
        # Observations in one game are correlated: a game is one sample, however many observations it contains.
        seen: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for figure, value, weight in experiment.watch(play_course(game, experiment, decks, seed, number)):
            seen[figure][0] += value
            seen[figure][1] += weight
        for figure, (value, weight) in seen.items():
            sums[figure].append((value, weight))
        progress(1)
    return {figure: _figure(pairs) for figure, pairs in sums.items()}


def play_course(game: str, experiment: Experiment[State], decks: DeckSource, seed: int, number: int) -> Course[State]:
    """Play game `number` of an experiment, counted from 1; players move on by one seat per game."""
    dice = Dice(seed).fork(number)
    seats = len(experiment.players)
    # All players have each seat equally often, so that the seat gives none of them an advantage.
    roles = [(seat + number) % seats for seat in range(seats)]
    names = [f"player-{seat + 1}" for seat in range(seats)]
    setup = find_game(game).deal(names, decks(dice), dice, options=experiment.options)
    policies = [_policy(experiment.players[role]) for role in roles]
    state = setup.start()
    positions = [state]
    moves: list[str] = []
    while legal := state.legal_moves():
        seat = state.to_move
        move = policies[seat](state.view(seat), legal, dice)
        state = state.play_unchecked(move)
        moves.append(move)
        positions.append(state)
    return Course(positions, moves, roles)


def _policy(player: str | Policy[State]) -> Policy[State]:
    if not isinstance(player, str):
        return player
    found = find_player(player)
    return lambda view, legal, dice: found.choose(view, legal, dice, NO_LIMIT)


def _figure(pairs: Sequence[tuple[float, float]]) -> Figure:
    """Return the ratio of the sums of values and weights; observations in one game are correlated."""
    count, weight = len(pairs), sum(pair[1] for pair in pairs)
    if not weight:
        return Figure(0.0, 0.0)
    # The error of a ratio of sums follows from the residuals, one per game.
    value = sum(pair[0] for pair in pairs) / weight
    spread = sum((one - value * heavy) ** 2 for one, heavy in pairs)
    # count / (count - 1), because the value was estimated from the same games.
    return Figure(value, sqrt(spread * count / max(count - 1, 1)) / weight)


def to_document(figures: Mapping[str, Mapping[str, Figure]]) -> str:
    """Return the content of the file with a game's figures."""
    rounded = {
        lesson: {name: [round(figure.value, 4), round(figure.stderr, 4)] for name, figure in sorted(found.items())}
        for lesson, found in figures.items()
    }
    lines = ",\n".join(f"  {json.dumps(lesson)}: {json.dumps(found)}" for lesson, found in rounded.items())
    return f"{{\n{lines}\n}}\n"
