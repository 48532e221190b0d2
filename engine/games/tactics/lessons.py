"""The lessons of the tactics game, and the experiments behind them."""

from collections.abc import Iterable
from typing import Final

from ccgrid.engine.games.tactics.rules import TacticsState
from ccgrid.engine.insight.lessons import Course, Experiment, Lesson, Sample, start_wins, wins

_STRONG: Final = 9
"""The minimum highest number of a strong card."""
_NAMES: Final = {1: "corner", 2: "edge", 3: "centre"}


def _survival(course: Course[TacticsState]) -> Iterable[Sample]:
    """Yield how many cards placed on a corner, an edge or the centre remain at the end, and their points."""
    for state, move in zip(course.positions, course.moves, strict=False):
        card, place = state.meaning(move)
        value = state.table.values[place]
        stands = course.end.grid[place] == card
        yield Sample(_NAMES[value], stands)
        yield Sample(f"{_NAMES[value]}_points", value * stands)


def _capture_points(course: Course[TacticsState]) -> Iterable[Sample]:
    yield Sample("captured", sum(map(len, course.end.captured)), sum(course.end.scores()))


def _strength(course: Course[TacticsState]) -> Iterable[Sample]:
    """Yield how many cards a strong card, and a weak one, captures when it is placed."""
    for state, move in zip(course.positions, course.moves, strict=False):
        card, _ = state.meaning(move)
        highest = max(state.lying(card))
        yield Sample("strong" if highest >= _STRONG else "weak", len(state.captures(move)))


_GREEDY: Final = ("greedy", "greedy")

LESSONS: Final = (
    Lesson(
        "greedy",
        "Look at what a card takes and what it leaves open. Playing the card that gains most wins {player1} of the "
        "games against random cards.",
        Experiment("between a greedy and a random player", ("greedy", "random"), wins),
        (("player1", "player2"),),
    ),
    Lesson(
        "thinking",
        "Think of the reply. Playing every move on wins {player1} of the games against a greedy player.",
        Experiment("between strong:30 and greedy", ("strong:30", "greedy"), wins, 200),
        (("player1", "player2"),),
    ),
    Lesson(
        "captured",
        "Captures count for more than cells: {captured} of all points come from them.",
        Experiment("between greedy players", _GREEDY, _capture_points),
    ),
    Lesson(
        "standing",
        "Put cards into corners to keep them. Of the cards put in a corner {corner} are still there at the end, at an "
        "edge {edge}, in the centre {centre}. So a cell is really worth {corner_points:n}, {edge_points:n} and "
        "{centre_points:n} points on average.",
        Experiment("between greedy players", _GREEDY, _survival),
        (("corner", "edge"), ("edge", "centre")),
    ),
    Lesson(
        "strength",
        "High numbers take more, but not much more: a card with a 9 or a 10 takes {strong:n} cards when played, one "
        "without {weak:n}. The cell matters as much.",
        Experiment("between greedy players", _GREEDY, _strength),
        (("strong", "weak"),),
    ),
    Lesson(
        "start",
        "Let the other player start if you can: the first player wins {starter} of the games, the second {others}, "
        "with draws as half.",
        Experiment("between greedy players", _GREEDY, start_wins, 4000),
        (("others", "starter"),),
    ),
)
"""The lessons, the most important first."""
