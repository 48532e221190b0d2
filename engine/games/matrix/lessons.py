"""The lessons of the matrix game, and the experiments behind them."""

from collections.abc import Iterable, Sequence
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.matrix.cards import board_after
from ccgrid.engine.games.matrix.rules import ROUNDS, MatrixState, board_scores
from ccgrid.engine.insight.lessons import Course, Experiment, Lesson, Sample, wins

_FAMILIES: Final = {"switch-corners": "corners", "switch-edges": "edges"}


def _before(course: Course[MatrixState], number: int) -> MatrixState:
    """Return the position at the start of a round."""
    position: MatrixState = course.positions[(number - 1) * len(course.roles)]
    return position


def _ranks(course: Course[MatrixState], number: int) -> Iterable[Sample]:
    """Yield the shares of wins of the lowest and the highest score at the start of a round; ties do not count."""
    scores = _before(course, number).scores()
    for name, score in (("lowest", min(scores)), ("highest", max(scores))):
        if scores.count(score) == 1:
            yield Sample(name, course.win(scores.index(score)))


def _last_round(course: Course[MatrixState]) -> Iterable[Sample]:
    return _ranks(course, ROUNDS)


def _halfway(course: Course[MatrixState]) -> Iterable[Sample]:
    return _ranks(course, ROUNDS // 2 + 1)


def _last_cards(course: Course[MatrixState]) -> Iterable[Sample]:
    """Yield the share of wins of each kind of card that a seat kept for the last round."""
    for seat, (kind,) in enumerate(_before(course, ROUNDS).hands):
        # In a finished game all cards are known.
        assert kind is not None  # noqa: S101
        yield Sample(_FAMILIES.get(kind, kind.partition("-")[0]), course.win(seat))


def _lead(view: MatrixState, move: str) -> int:
    seat = view.to_move
    scores = board_scores(board_after(view.board, move, view.setup.rotate), len(view.hands))
    return scores[seat] - max(scores[:seat] + scores[seat + 1 :])


def any_but_the_last(view: MatrixState, legal: Sequence[str], dice: Dice) -> str:
    """Choose a random card; the last one by its lead."""
    if len(view.hands[view.to_move]) > 1:
        return dice.choose(legal)
    return max(legal, key=lambda move: _lead(view, move))


def highest_now(view: MatrixState, legal: Sequence[str], dice: Dice) -> str:
    """Choose the card that gains most immediately."""
    return max(legal, key=lambda move: _lead(view, move))


LESSONS: Final = (
    Lesson(
        "chasing",
        "Do not chase points: only the board after round 10 counts. Gaining most each round wins {player2} of the "
        "games against a greedy player, who stays behind and keeps strong cards.",
        Experiment("between greedy and one who gains most at once", ("greedy", highest_now), wins),
        (("player1", "player2"),),
    ),
    Lesson(
        "lowest",
        "Be lowest before round 10. The lowest score moves last and decides the last board. It wins {lowest} of the "
        "games, the highest {highest}.",
        Experiment("between greedy players", ("greedy", "greedy"), _last_round, 4000),
        (("lowest", "highest"),),
    ),
    Lesson(
        "halfway",
        "Being ahead halfway is worth nothing: the leader before round 6 wins {highest} of the games.",
        Experiment("between greedy players", ("greedy", "greedy"), _halfway, 4000),
        (("lowest", "highest"),),
    ),
    Lesson(
        "cards",
        "Keep the right card for the last round. Switching corners wins {corners} of the games, edges {edges}, a "
        "shift {shift}, a swap with the centre {swap}, a rotation {rotate}.",
        Experiment(
            "between players who play any card but the last, which they play well",
            (any_but_the_last, any_but_the_last),
            _last_cards,
            40_000,
        ),
        (("corners", "shift"), ("edges", "rotate"), ("shift", "rotate"), ("swap", "rotate")),
    ),
    Lesson(
        "last",
        "Playing only the last card well is not enough. It wins {player2} of the games against a greedy player.",
        Experiment("between greedy and one who plays the last card alone well", ("greedy", any_but_the_last), wins),
        (("player1", "player2"),),
    ),
    Lesson(
        "three",
        "With three players, the lowest before round 10 wins {lowest} of the games, the highest {highest}.",
        Experiment("between greedy players", ("greedy",) * 3, _last_round, 1000),
    ),
)
"""The lessons, the most important first."""
