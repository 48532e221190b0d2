"""Tests of measured lessons, of puzzles from missed moves, and of puzzle files."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.random_records import random_record

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.lessons import Experiment, Figure, Lesson
from ccgrid.engine.insight.puzzles import PuzzleSolution
from ccgrid.engine.records.record import Record
from ccgrid.services import training
from ccgrid.services.progress import Progress, Repetition, load_progress, puzzle_key, save_progress
from ccgrid.services.requests import GameRequest
from ccgrid.services.session import Session

TODAY = date(2026, 11, 23)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_STATE", str(tmp_path / "state"))


# --- lessons ---

LESSONS = [
    Lesson(name, "{first} and {left:n}", Experiment("between two", ("greedy", "random"), lambda course: [], games))
    for name, games in (("one", 30), ("two", 50))
]


@pytest.fixture
def lessons(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Two lessons with fake measurements; the list records the arguments of each."""
    measured: list[tuple[Any, ...]] = []

    def choose_decks(request: GameRequest, remark: Any) -> Any:
        remark("the bundled cards are taken")
        return SimpleNamespace(source=(request.game, len(request.players)))

    def measure(game: str, experiment: Experiment, source: Any, seed: int, games: int | None, progress: Any) -> Any:
        measured.append((game, source, seed, games))
        return {"first": Figure(0.5, 0.1)}

    monkeypatch.setattr(training, "find_lessons", lambda game: LESSONS)
    monkeypatch.setattr(training, "choose_decks", choose_decks)
    monkeypatch.setattr(training, "measure", measure)
    return measured


@pytest.mark.parametrize(("requested", "games"), [(None, [30, 50]), (7, [7, 7])])
def test_lessons_use_requested_or_default_number_of_games(
    lessons: list[tuple[Any, ...]], requested: int | None, games: list[int]
) -> None:
    messages: list[str] = []
    found = training.measure_lessons(
        GameRequest(game="grid"), requested, 3, progress=lambda done: None, remark=messages.append
    )
    assert training.games_to_play("grid", requested) == sum(games)
    assert [lesson.games for lesson in found] == games
    assert lessons == [("grid", ("grid", 2), 3, requested)] * 2
    assert messages == ["the bundled cards are taken"], "once, not for each lesson"
    assert found[0].figures == {"first": Figure(0.5, 0.1), "left": Figure(0.0, 0.0)}
    assert found[0].doubts == ("left was never seen",)


def test_lessons_answer_has_game_and_measured() -> None:
    saved = training.saved_lessons("grid")
    shown = training.lessons_answer("grid", saved, measured=False)
    assert (shown.game, shown.title, shown.measured) == ("grid", find_game("grid").title, False)
    assert shown.lessons == [lesson.answer() for lesson in saved]
    assert shown.lessons


# --- puzzles from games ---


def puzzle(record: Record) -> Any:
    return SimpleNamespace(record=record)


def record(seed: int, count: int = 2) -> Record:
    return random_record(find_game("matrix"), seed, count=count, share=2)


@pytest.fixture
def missed(monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """Games that each end before a missed move."""

    def puzzles_missed(game: Record, is_person: Any) -> Iterator[Any]:
        assert [is_person(name) for name in ("Ann", "greedy")] == [True, False]
        yield puzzle(game)

    monkeypatch.setattr(training, "puzzles_missed", puzzles_missed)
    return [record(seed) for seed in range(4)]


def test_missed_puzzles_come_before_new_and_solved_ones(missed: list[Record]) -> None:
    keys = [puzzle_key(game) for game in missed]
    assert len(set(keys)) == 4
    remembered = Progress()
    remembered.puzzles[keys[1]] = Repetition(2, TODAY)  # solved twice, and due today
    remembered.puzzles[keys[2]] = Repetition(3, TODAY + timedelta(1))
    remembered.puzzles[keys[3]] = Repetition(0, TODAY - timedelta(1))  # missed again
    save_progress(remembered)
    done: list[int] = []
    found = training.missed_puzzles(missed, 9, TODAY, done.append)
    assert [game.record for game in found] == [missed[3], missed[0], missed[1]]
    assert done == [1, 2, 3, 4]
    assert [game.record for game in training.missed_puzzles(missed, 1, TODAY, done.append)] == [missed[3]]


def test_error_without_due_puzzle_counts_later_ones(missed: list[Record]) -> None:
    message = "These games have no puzzle for today: "
    remembered = Progress()
    for game in missed[:2]:
        remembered.puzzles[puzzle_key(game)] = Repetition(1, TODAY + timedelta(1))
    save_progress(remembered)
    for games, expected in (
        (missed[:2], f"{message}2 puzzles will return on later days."),
        (missed[:1], f"{message}1 puzzle will return on later days."),
        ([], f"{message}no human player missed the only best move of a position."),
    ):
        with pytest.raises(CatalogError) as caught:
            training.missed_puzzles(games, 1, TODAY, lambda done: None)
        assert str(caught.value) == expected


def test_answer_is_recorded_for_today(missed: list[Record]) -> None:
    for right, solved in ((True, 1), (True, 2), (False, 0)):
        training.remember_answer(puzzle(missed[0]), right)
        assert load_progress().puzzles[puzzle_key(missed[0])].solved == solved


def test_daily_seed_is_number_of_day() -> None:
    assert [training.daily_seed(day) for day in (date(1, 1, 1), TODAY)] == [1, TODAY.toordinal()]


def test_puzzle_starts_at_end_of_record(missed: list[Record]) -> None:
    session = training.set_up(puzzle(missed[0]))
    assert isinstance(session, Session)
    assert (session.record().moves, session.computers) == (missed[0].moves, {})


def test_puzzle_answer_has_date_and_seed_or_null(missed: list[Record]) -> None:
    fields = ("player", "best", "value", "moves", "line", "rating", "difficulty", "missed")
    solution = PuzzleSolution(**dict.fromkeys(fields, "Ann"))
    missed_puzzle: Any = SimpleNamespace(record=missed[0], solution=lambda: solution)
    for day, seed, text in ((TODAY, 7, "2026-11-23"), (None, None, None)):
        shown = training.posed_puzzle(missed_puzzle, day, seed)
        assert (shown.game, shown.player, shown.date, shown.seed) == ("matrix", "Ann", text, seed)
        assert shown.record == missed[0].to_document()


def test_requested_number_of_puzzles_is_found_for_games_with_puzzles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[Any] = []

    def find_puzzles(game: str, source: Any, seed: int, progress: Any) -> Iterator[int]:
        calls.append((game, source, seed))
        yield from range(9)

    monkeypatch.setattr(training, "find_puzzles", find_puzzles)

    def choose_decks(request: GameRequest, *more: Any) -> Any:
        return SimpleNamespace(source=(request.game, len(request.players), request.drawn.query))

    monkeypatch.setattr(training, "choose_decks", choose_decks)

    def found(game: str, source: str = "all", **more: Any) -> Any:
        request = GameRequest(game=game, source=source, **more)
        ignored: Any = lambda *said: None  # noqa: E731
        return training.puzzles(request, 3, 7, progress=ignored, remark=ignored, waiting=ignored)

    assert found("matrix") == [0, 1, 2]
    assert calls == [("matrix", ("matrix", 2, ""), 7)]
    monkeypatch.setattr(type(find_game("tactics")), "player_counts", (3, 4))
    with pytest.raises(EngineError, match=r"^There are no puzzles for tactics, because it is not for two players\.$"):
        found("tactics")
    with pytest.raises(CatalogError, match=r"^Choose --deck or --from, not both\.$"):
        found("grid", "collection", decks=(Path("deck.toml"),))
    assert len(calls) == 1


# --- files ---


def test_single_puzzle_is_written_as_toml_and_several_as_json_lines(missed: list[Record], tmp_path: Path) -> None:
    def as_puzzle(record: Record) -> Any:
        return SimpleNamespace(to_record=lambda: record)

    for count, name in ((1, "one.toml"), (3, "many.jsonl")):
        training.write_puzzles([as_puzzle(game) for game in missed[:count]], tmp_path / name)
        assert training.games_in(tmp_path / name, None) == missed[:count]


@pytest.mark.parametrize("name", ["a.toml", "a", "a.json"])
def test_several_puzzles_need_file_for_many(name: str) -> None:
    training.check_holds(Path(name), 1)
    with pytest.raises(CatalogError) as caught:
        training.check_holds(Path(name), 2)
    assert str(caught.value) == f"{name} holds one puzzle: for many, use a file like a.jsonl."
    for many in ("a.jsonl", "A.JSONL", "a.ndjson"):
        training.check_holds(Path(many), 2)
