"""Tests of stored progress: ratings after games at a terminal, and puzzles from missed moves."""

import io
import json
import random
import sys
from dataclasses import replace
from datetime import date, timedelta

import pytest
from helpers.made_up import deck_for

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.puzzles import puzzles_missed
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import GreedyPlayer, RandomPlayer, find_player
from ccgrid.engine.records.record import Record
from ccgrid.services.progress import (
    Progress,
    count_game,
    load_progress,
    progress_file,
    puzzle_key,
    save_progress,
    standings,
)
from ccgrid.services.session import Session
from ccgrid.services.training import missed_puzzles

TODAY = date(2026, 11, 23)


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("CCGRID_STATE", str(tmp_path / "state"))


def record_of(seed=1, names=("Ann", "Bob")):
    setup = find_game("grid").deal(names, [deck_for("grid", random.Random(seed))], Dice(seed))
    moves, _ = play_out(setup.start(), [RandomPlayer(), GreedyPlayer()], Dice(seed))
    return Record(setup, tuple(moves))


def finished_session(seed=1, computers=None):
    record = record_of(seed)
    session = Session(Record(record.setup), computers or {}, Dice(1))
    for move in record.moves:
        session.play(move)
    return session


def test_game_changes_ratings_of_all_players():
    session = finished_session(computers={1: find_player("fair")})
    [(name, (old, new))] = count_game(session).items()
    assert name == "Ann"
    assert old.rating == 1500
    won = session.state.outcome().winner
    assert (new.rating > 1500) == (won == 0)
    table = load_progress().standings["grid"]
    assert table.keys() == {"Ann", "fair"}
    assert table["Ann"].won + table["Ann"].drawn + table["Ann"].lost == 1
    assert sum(player.rating for player in table.values()) == pytest.approx(3000, abs=0.01)
    count_game(finished_session(2, {1: find_player("fair")}))
    assert load_progress().rated_player("grid", "Ann").deviation < new.deviation


def test_game_with_help_or_without_end_does_not_count():
    helped = finished_session()
    helped.is_helped = True
    assert count_game(helped) == {}
    unfinished = Session(Record(record_of().setup), {}, Dice(1))
    unfinished.play(unfinished.state.legal_moves()[0])
    assert count_game(unfinished) == {}
    assert not progress_file().exists()
    undone = finished_session()
    undone.undo()
    assert undone.is_helped


def test_resigning_counts_as_loss():
    session = Session(Record(record_of().setup), {}, Dice(1))
    session.play(session.state.legal_moves()[0])
    session.resign(session.state.to_move)
    loser = session.resigned
    ratings = {name: new.rating for name, (_, new) in count_game(session).items()}
    assert ratings[loser] < 1500 < next(rating for name, rating in ratings.items() if name != loser)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '{"format": 2}', '{"format": 1, "ratings": {"grid": 3}, "puzzles": {}}'),
        *('{"format": 1, "rating": {}}', '{"format": 1, "puzzles": {"key": {"solved": 1, "due": "today"}}}', "\xff"),
    ],
)
def test_damaged_file_is_reported_and_kept(text):
    save_progress(Progress())
    progress_file().write_bytes(text.encode("latin-1"))
    with pytest.raises(CatalogError, match="damaged, or from another version"):
        load_progress()
    assert progress_file().read_bytes() == text.encode("latin-1")


def test_progress_reads_back():
    progress = Progress()
    progress.count("grid", ("Ann", "Bob", "Cid"), (0, 2))
    progress.note_answer("key", right=True, today=TODAY)
    save_progress(progress)
    assert load_progress() == progress
    assert [player.name for player in standings().ratings["grid"]][-1] == "Bob"


def test_solved_puzzle_returns_later_each_time_and_missed_one_tomorrow():
    progress, day, waits = Progress(), TODAY, []
    for _ in range(7):
        progress.note_answer("key", right=True, today=day)
        waits.append((progress.puzzles["key"].due - day).days)
        assert not progress.is_due("key", day)
        day = progress.puzzles["key"].due
        assert progress.is_due("key", day)
    assert waits == [3, 7, 21, 60, 180, 180, 180]
    progress.note_answer("key", right=False, today=day)
    assert progress.puzzles["key"].due == day + timedelta(1)
    assert progress.puzzles["key"].solved == 0


@pytest.mark.slow
def test_puzzles_are_positions_where_person_missed_only_best_move():
    records = [record_of(seed) for seed in range(2)]
    found = [puzzle for record in records for puzzle in puzzles_missed(record, lambda name: name == "Ann")]
    assert found
    for puzzle in found:
        record = next(each for each in records if each.setup == puzzle.record.setup)
        own_move = record.moves[len(puzzle.record.moves)]
        assert puzzle.thought.player == "Ann"
        assert own_move != puzzle.best
        assert [each.value for each in puzzle.thought.moves].count(puzzle.thought.best.value) == 1


@pytest.mark.slow
def test_missed_puzzles_return_before_new_ones_and_solved_ones_later():
    records = [record_of()]
    first, second, *_ = missed_puzzles(records, 99, TODAY, lambda done: None)
    progress = Progress()
    progress.note_answer(puzzle_key(first.record), right=True, today=TODAY)
    progress.note_answer(puzzle_key(second.record), right=False, today=TODAY - timedelta(1))
    save_progress(progress)
    again = missed_puzzles(records, 99, TODAY, lambda done: None)
    assert again[0].record == second.record
    assert first.record not in [puzzle.record for puzzle in again]
    with pytest.raises(CatalogError, match="no puzzle for today"):
        missed_puzzles([], 1, TODAY, lambda done: None)


@pytest.mark.slow
def test_command_records_answers_to_puzzles_from_own_games(shell, tmp_path, monkeypatch):
    monkeypatch.setenv("CCGRID_STATE", str(tmp_path / "state"))
    file = tmp_path / "games.jsonl"
    record = replace(record_of(names=("You", "Bob")), date=date(2026, 11, 27))  # games at a keyboard have a date
    file.write_text(record.to_json_line() + "\n")
    found = [
        json.loads(line) for line in shell.good("puzzle", "--from-games", file, "-n", "1", "--json").out.splitlines()
    ]
    assert found
    assert found[0]["record"]["date"] == "2026-11-27"
    best = found[0]["best"]
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{best}\n"))
    shown = shell.good("puzzle", "--from-games", file).out
    assert "Right." in shown
    assert ": You are to move.\n" in shown
    assert "\nYou missed it.\n" in shown
    progress = json.loads(shell.good("progress", "--json").out)
    assert (progress["puzzles"], progress["due"]) == (1, 0)
    assert "leave --daily" in shell("puzzle", "--from-games", file, "--seed", "3").err
