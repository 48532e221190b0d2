"""Plays the experiments behind what a game teaches, and keeps what they gave beside the game."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from math import sqrt
from typing import Any, Final

from engine.decks import DeckSource
from engine.dice import Dice
from engine.errors import EngineError
from engine.games import find_game
from engine.insight.lesson import Course, Experiment, Figure, Lesson, Policy
from engine.players import NO_LIMIT, find_player

KEPT: Final = "lessons.json"


def find_lessons(game: str) -> tuple[Lesson, ...]:
    """What a game teaches, the most important first.

    Raises:
        EngineError: there is no such game, or nothing was measured of it.
    """
    lessons: tuple[Lesson, ...] | None = find_game(game).part("lessons")
    if lessons is None:
        raise EngineError(f"nothing was measured of {game} yet")
    return lessons


def kept_figures(game: str) -> dict[str, dict[str, Figure]]:
    """The figures that come with the program, by the lesson's name and their own."""
    text = resources.files(find_game(game).package).joinpath(KEPT).read_text(encoding="utf-8")
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
        progress: is told after each game that one more is done.

    Raises:
        EngineError: the decks are not as the game wants them.
    """
    sums: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(1, (games or experiment.games) + 1):
        seen: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for figure, value, weight in experiment.watch(played(game, experiment, decks, seed, number)):
            seen[figure][0] += value
            seen[figure][1] += weight
        for figure, (value, weight) in seen.items():
            sums[figure].append((value, weight))
        progress(1)
    return {figure: _figure(pairs) for figure, pairs in sums.items()}


def played(game: str, experiment: Experiment, decks: DeckSource, seed: int, number: int) -> Course:
    """Game `number` of an experiment, counted from 1; with each game the players move on by a seat."""
    dice = Dice(seed).fork(number)
    seats = len(experiment.players)
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
    value = sum(pair[0] for pair in pairs) / weight
    spread = sum((one - value * heavy) ** 2 for one, heavy in pairs)
    return Figure(value, sqrt(spread * count / max(count - 1, 1)) / weight)


def to_document(figures: Mapping[str, Mapping[str, Figure]]) -> str:
    """Figures as they are kept beside a game."""
    rounded = {
        lesson: {name: [round(figure.value, 4), round(figure.stderr, 4)] for name, figure in sorted(found.items())}
        for lesson, found in figures.items()
    }
    lines = ",\n".join(f"  {json.dumps(lesson)}: {json.dumps(found)}" for lesson, found in rounded.items())
    return f"{{\n{lines}\n}}\n"
