"""Tests that each lesson has an experiment, whose results agree with the saved figures."""

import json
import re

import msgspec
import pytest
from helpers.catalogues import Shell

from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Game
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.insight.lessons import (
    Course,
    Experiment,
    Figure,
    Lesson,
    Sample,
    find_lessons,
    measure,
    saved_figures,
    to_document,
    wins,
)
from ccgrid.services.requests import GameRequest
from ccgrid.services.training import measure_lessons, saved_lessons

LESSONS = [
    pytest.param(game, lesson, id=f"{game}-{lesson.name}")
    for game in GAMES.having("lessons")
    for lesson in find_lessons(game)
]


def decks(game, players):
    from ccgrid.services.dealing import choose_decks

    return choose_decks(GameRequest(game=game, players=("P",) * players), lambda line: None).source


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_lessons_are_supported_by_saved_figures(game: str, lesson: Lesson) -> None:
    figures = saved_figures(game)[lesson.name]
    assert set(lesson.figures_named()) <= set(figures)
    assert lesson.doubts(figures) == []
    assert "{" not in lesson.sentence(figures)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_experiments_reproduce_saved_figures(game: str, lesson: Lesson, shell: Shell) -> None:
    games = lesson.experiment.games // 80
    again = measure(game, lesson.experiment, decks(game, len(lesson.experiment.players)), 2, games)
    saved = saved_figures(game)[lesson.name]
    for name, figure in again.items():
        if figure.stderr:  # 0 with too few games for an error
            assert figure.agrees(saved[name]), (name, figure, saved[name])


def test_lessons_and_saved_figures_match() -> None:
    for game in GAMES.having("lessons"):
        assert [lesson.name for lesson in find_lessons(game)] == list(saved_figures(game))


def test_figures_are_reproducible_and_players_change_seats() -> None:
    def seats(course: Course) -> list[Sample]:
        return [Sample(f"seat{course.roles.index(0)}", 1.0)]

    experiment = Experiment("", ("random", "random"), wins)
    source = decks("matrix", 2)
    assert measure("matrix", experiment, source, 3, 20) == measure("matrix", experiment, source, 3, 20)
    assert measure("matrix", experiment, source, 3, 20) != measure("matrix", experiment, source, 4, 20)
    assert set(measure("matrix", Experiment("", ("random", "random"), seats), source, 3, 2)) == {"seat0", "seat1"}


def test_figure_is_ratio_of_sums_with_per_game_error() -> None:
    values = iter([(1.0, 1.0), (0.0, 1.0), (1.0, 1.0), (0.0, 1.0)])

    def watch(course: Course) -> list[Sample]:
        value, weight = next(values)
        # Repeated samples of one game do not reduce the error.
        return [Sample("half", value, weight), Sample("half", value, weight)]

    figure = measure("matrix", Experiment("", ("random", "random"), watch), decks("matrix", 2), 1, 4)["half"]
    assert figure.value == 0.5
    assert figure.stderr == pytest.approx((0.25 / 3) ** 0.5)


def test_unsupported_claims_are_below_three_standard_errors() -> None:
    lesson = Lesson("x", "{a} {b:n}", Experiment("", (), wins), (("a", "b"),))
    assert lesson.doubts({"a": Figure(0.6, 0.01), "b": Figure(0.5, 0.01)}) == []
    assert lesson.doubts({"a": Figure(0.54, 0.01), "b": Figure(0.5, 0.01)}) == ["a is not above b"]
    assert lesson.sentence({"a": Figure(0.6, 0.01), "b": Figure(0.5, 0.01)}) == "60 % 0.5"
    assert lesson.sentence({"a": Figure(0.996, 0.01), "b": Figure(0.5, 0.01)}) == "99.6 % 0.5"
    assert lesson.shares() == ("a",)


def test_figures_round_trip() -> None:
    figures = {"start": {"starter": Figure(0.6123, 0.0077)}}
    assert {
        lesson: {name: Figure(*pair) for name, pair in found.items()}
        for lesson, found in json.loads(to_document(figures)).items()
    } == figures


def test_every_game_with_lessons_has_page(shell: Shell) -> None:
    for game in map(find_game, GAMES.having("lessons")):
        result = shell("learn", game.name)
        assert result.status == 0
        assert result.out.startswith(f"# What wins at {game.title}\n")
        for number, lesson in enumerate(saved_lessons(game.name), start=1):
            assert f"\n{number}. {lesson.text}\n" in result.out
        assert len(re.findall(r"   \*[\d,]+ games [^;\n]*(?:; shares ± [\d.]+ %)?\*\n", result.out)) == number
        document = json.loads(shell("learn", game.name, "--json").out)
        assert [entry["text"] for entry in document["lessons"]] == [lesson.text for lesson in saved_lessons(game.name)]


@pytest.mark.slow
def test_experiments_can_be_repeated_with_given_cards(shell: Shell) -> None:
    result = shell("learn", "tactics", "--measure", "--games", "2", "--seed", "5", "--json")
    document = json.loads(result.out)
    assert document["measured"] is True
    assert {lesson["games"] for lesson in document["lessons"]} == {2}
    again = measure_lessons(GameRequest(game="tactics"), 2, 5, progress=lambda count: None, remark=lambda line: None)
    assert [lesson["figures"] for lesson in document["lessons"]] == [
        msgspec.to_builtins(lesson_result.answer().figures) for lesson_result in again
    ]


def test_unsupported_claims_are_reported(shell: Shell) -> None:
    out = shell("learn", "matrix", "--measure", "--games", "2").out
    assert "Not confirmed by these games: " in out
    assert out.endswith("Measured now.\n")


def test_games_are_played_only_with_measure(shell: Shell) -> None:
    result = shell("learn", "grid", "--games", "100")
    assert result.status == 2
    assert "--measure" in result.err
    assert shell("learn", "chess").status == 2


def test_game_without_lessons_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "part", lambda game, name: None)
    with pytest.raises(EngineError, match="grid has no lessons: there are lessons for"):
        find_lessons("grid")
