"""The lessons of the ninecard game, and the experiments behind them."""

from collections.abc import Iterable, Sequence
from typing import Final

from ccgrid.engine.games.ninecard.cards import Creature
from ccgrid.engine.games.ninecard.combat import COLUMNS, column_cells
from ccgrid.engine.games.ninecard.decisive import advantages, decisive_turn
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.insight.lessons import Course, Experiment, Lesson, Sample, start_wins, wins

_TURNS: Final = 3
"""The number of turns of each player after which resources are compared."""


def _open_columns(course: Course[NinecardState]) -> Iterable[Sample]:
    """Yield the share of lost life that is lost in columns without a creature."""
    for move, before, after in zip(course.moves, course.positions, course.positions[1:], strict=False):
        if move.startswith("attack ") and before.target is not None:
            side = before.sides[before.target]
            lost = side.life - after.sides[before.target].life
            cells = column_cells(COLUMNS.index(move.removeprefix("attack ")[0]))
            yield Sample("open", 0 if any(side.grid[cell] for cell in cells) else lost, lost)


def _early(course: Course[NinecardState]) -> Iterable[Sample]:
    """Yield how often the seat with more of a resource after three turns each wins; ties do not count."""
    sides = next((state.sides for state in course.positions if state.turn > _TURNS * len(course.roles)), None)
    if sides is None:
        return
    counts: dict[str, Sequence[int]] = {
        "energy": [side.all_energy for side in sides],
        "creatures": [sum(creature is not None for creature in side.grid) for side in sides],
        "life": [side.life for side in sides],
    }
    for name, values in counts.items():
        if values.count(max(values)) == 1:
            yield Sample(name, course.win(values.index(max(values))))


def _first_hands(course: Course[NinecardState]) -> Iterable[Sample]:
    """Yield how often a seat wins, by the number of energy cards in its first hand."""
    for seat, side in enumerate(course.positions[0].sides):
        count = sum(not isinstance(card, Creature) for card in side.hand[:5])
        yield Sample(("poor", "poor", "two", "three")[count] if count < 4 else "rich", course.win(seat))


def _decisive_turns(course: Course[NinecardState]) -> Iterable[Sample]:
    """Yield the number of the decisive turn, of all turns, and the winner's most important advantage then."""
    turn = decisive_turn(course.positions, course.moves)
    if turn is None:
        return
    yield Sample("decided", turn.number)
    yield Sample("turns", course.end.turn)
    state, outcome = course.positions[turn.last + 1], course.end.outcome()
    if state.outcome() is None and outcome is not None:
        most = [one.what for one in advantages(state, outcome.leaders[0])][:1]
        for what in ("energy", "creatures", "life"):
            yield Sample(what, what in most)


def _endings(course: Course[NinecardState]) -> Iterable[Sample]:
    """Yield how often a player is eliminated with life left, and the number of turns of a game."""
    yield Sample("stuck", any(side.is_out and side.life > 0 for side in course.end.sides))
    yield Sample("turns", course.end.turn)


_GREEDY: Final = ("greedy", "greedy")

LESSONS: Final = (
    Lesson(
        "greedy",
        "Lay energy whenever you can, play what it allows, and attack when it costs you no creature. This wins "
        "{player1} of the games against random moves.",
        Experiment("between a greedy and a random player", ("greedy", "random"), wins, 300),
        (("player1", "player2"),),
    ),
    Lesson(
        "open",
        "Leave no column open. {open} of all lost life is lost in an empty column.",
        Experiment("between greedy players", _GREEDY, _open_columns, 400),
    ),
    Lesson(
        "early",
        "Energy first. More energy after three turns each wins {energy} of the games; more creatures {creatures}; "
        "more life {life}.",
        Experiment("between greedy players", _GREEDY, _early, 400),
    ),
    Lesson(
        "decided",
        "Games are decided long before they end: from turn {decided:n} of {turns:n} on the winner stays ahead. What "
        "counts most then is energy in {energy} of the games, creatures in {creatures}, life in {life}.",
        Experiment("between greedy players", _GREEDY, _decisive_turns, 400),
        (("energy", "creatures"), ("energy", "life")),
    ),
    Lesson(
        "hands",
        "A first hand with three or more energy cards is good: it wins {three} of the games with three and "
        "{rich} with more, {two} with two, {poor} with one or none.",
        Experiment("between greedy players", _GREEDY, _first_hands, 1000),
        (("rich", "two"), ("three", "two"), ("two", "poor")),
    ),
    Lesson(
        "stuck",
        "Keep a creature that you can pay for. In {stuck} of the games a player with life left is out, with an empty "
        "grid and nothing to play. A game has {turns:n} turns on average.",
        Experiment("between greedy players", _GREEDY, _endings, 400),
    ),
    Lesson(
        "start",
        "Starting is worth a lot: the first player wins {starter} of the games. Take turns to start.",
        Experiment("between greedy players", _GREEDY, start_wins, 1000),
        (("starter", "others"),),
    ),
)
"""The lessons, the most important first."""
