"""The lessons of Quads, with the experiments behind them."""

from typing import Final

from ccgrid.engine.insight.lessons import Experiment, Lesson, wins

LESSONS: Final = (
    Lesson(
        "greedy",
        "Turn as many cards as you can: a player who does wins {player1} of the games against random moves.",
        Experiment("between a greedy and a random player", ("greedy", "random"), wins),
        (("player1", "player2"),),
    ),
)
