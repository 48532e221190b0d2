"""Tests of the analysis of finished games: losses, luck, hindsight, marks, and their notes in records."""

import random
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.game_positions import positions
from helpers.made_up import sparse_deal
from helpers.random_records import random_moves

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.games.grid.solver import GridSolver
from ccgrid.engine.games.matrix import solver as matrix_solver
from ccgrid.engine.insight import analysis as analysis_of
from ccgrid.engine.insight.analysis import MARKS, analyze, analyze_move, read_move_notes, with_notes
from ccgrid.engine.records.files import read_game, write_game
from ccgrid.engine.records.record import MatchGame, Record
from ccgrid.engine.search import Estimate, Thought
from ccgrid.view.insight import hint_line, show_analysis

PLAYTHROUGH = Path(__file__).parents[2] / "playthroughs" / "grid.toml"


def random_game(seed):
    """Return a finished random game of grid with sparse cards."""
    rng = random.Random(seed)
    setup = sparse_deal(rng)
    return Record(setup, random_moves(setup, rng)[0])


@pytest.fixture(scope="module")
def analysed_game():
    """A random game and its analysis."""
    record = random_game(8)
    return record, analyze(record, rounds=60)


def test_game_without_moves_cannot_be_reviewed():
    with pytest.raises(EngineError, match="no moves in this game"):
        analyze(Record(sparse_deal(random.Random(8))), rounds=1)


def test_deal_choices_and_luck_add_up_to_result(analysed_game):
    record, analysis = analysed_game
    lead = analysis.scores[0] - analysis.scores[1]
    assert analysis.scores == record.final().scores()
    assert analysis.deal - analysis.lost(0) + analysis.lost(1) + analysis.luck[0] == pytest.approx(lead)
    assert analysis.luck[1] == -analysis.luck[0]


def test_first_hindsight_value_minus_losses_is_result(analysed_game):
    record, analysis = analysed_game
    seen = [analysed.hindsight for analysed in analysis.moves]
    assert all(seen)
    sign = [1 if analysed.seat == analysis.moves[0].seat else -1 for analysed in analysis.moves]
    lost = sum(sign_of_seat * hindsight.lost for sign_of_seat, hindsight in zip(sign, seen, strict=True))
    first = analysis.moves[0].seat
    assert seen[0].best_value - lost == analysis.scores[first] - analysis.scores[1 - first]
    assert all(hindsight.lost >= 0 for hindsight in seen)
    for ply, hindsight in zip(record, seen, strict=True):
        assert hindsight.best in ply.state.legal_moves()


def test_marks_match_losses_with_perfect_information(analysed_game):
    record, analysis = analysed_game
    proved = [analysed for analysed in analysis.moves if analysed.knowable.is_exact]
    assert proved
    pile = [ply.state.pile for ply in record]
    for analysed, hidden in zip(analysis.moves, pile, strict=True):
        if analysed not in proved:
            continue
        lost = analysed.knowable.best.value - analysed.value
        assert analysed.lost == lost
        assert hidden > 1 or lost == analysed.hindsight.lost
        assert analysed.mark == ("??" if lost >= 10 else "?" if lost >= 5 else "?!" if lost >= 2 else "")


@pytest.mark.parametrize(("value", "lost", "mark"), [(5.0, 0.0, ""), (4.9, 5.1, "?"), (-1.0, 11.0, "??")])
def test_losses_within_two_errors_are_ignored(value, lost, mark, monkeypatch):
    state, _ = next(positions("grid", 1, 2))
    best, other = state.legal_moves()[:2]
    estimates = Estimate(best, 10.0, 2.0), Estimate(other, value, 1.5)  # the standard error of the difference is 2.5
    monkeypatch.setattr(analysis_of, "think", lambda *_, **__: Thought("Ann", False, estimates))
    analysed = analyze_move(state, other, 1.0, Dice(1))
    assert (analysed.lost, analysed.error, analysed.mark) == (pytest.approx(lost), 2.5, mark)


@pytest.mark.slow
def test_three_players_have_no_luck_and_empty_game_is_rejected():
    states = [state for state, _ in positions("matrix", 3, 3)]
    moves = [move for _, move in positions("matrix", 3, 3) if move]
    record = Record(states[0].setup, tuple(moves[:2]))
    analysis = analyze(record, rounds=4)
    assert analysis.deal is None
    assert analysis.luck == {}
    assert not analysis.is_over
    with pytest.raises(EngineError, match=r"^There are no moves in this game"):
        analyze(replace(record, moves=()), rounds=4)


def test_every_solvable_position_has_hindsight(monkeypatch):
    record, refusal = random_game(8), GridSolver.refusal
    monkeypatch.setattr(
        GridSolver, "refusal", lambda solver, state: "Not this one." if state.pile == 3 else refusal(solver, state)
    )
    analyses = analyze(record, rounds=1).moves
    solved = [state.pile != 3 for state in [*(ply.state for ply in record), record.final()]]
    assert solved.index(False) > 1
    assert [analysed.hindsight is not None for analysed in analyses] == [
        before and after for before, after in pairwise(solved)
    ]


@pytest.mark.slow
def test_perfect_information_analysis_mentions_no_luck(capsys):
    plies = list(positions("matrix", 8, 2))
    analysis = analyze(Record(plies[0][0].setup, tuple(move for _, move in plies[1:])), rounds=1, proving=1.0)
    assert (analysis.luck, analysis.deal, analysis.is_open) == ({}, None, True)
    show_analysis(analysis)
    out = capsys.readouterr().out
    assert "lost: points lost, estimated or proved. hindsight: proved with all cards known." in out
    assert not re.search("draw|deal|could know", out)


@pytest.mark.parametrize(("game", "drawn"), [("tactics", ", with unknown cards dealt at random"), ("grid", "")])
def test_hint_mentions_hidden_cards_only_if_any(game, drawn):
    state = next(state for state, _ in positions(game, 1, 2) if game != "grid" or not state.pile)
    thought = Thought(
        "Ann", False, tuple(Estimate(move, 2.0 + place, 0.5) for place, move in enumerate(state.legal_moves()))
    )
    assert state.is_open(state.to_move) is not bool(drawn)
    assert hint_line(thought, state).endswith(f" Estimated by playing on from each move{drawn}.")


def test_marks_round_trip_in_notes_of_a_match_and_invalid_ones_are_ignored(analysed_game, tmp_path):
    record, analysis = analysed_game
    path = tmp_path / "marked.toml"
    kept = replace(record, notes={"place": "attic"}, match=MatchGame(2, "points", of=3))
    write_game(with_notes(kept, analysis), path)
    read = read_game(path)
    assert read.match == kept.match
    assert read.notes["place"] == "attic"
    assert read_move_notes(read) == tuple(
        (
            analysed.mark,
            round(analysed.value, 2),
            analysed.knowable.best.move if analysed.lost else "",
            round(analysed.lost, 2),
        )
        for analysed in analysis.moves
    )
    none = read_move_notes(replace(record, notes={}))
    for junk in ("??", ["??"], 3, ["!!!"] * len(none), [True] * len(none), [[]] * len(none), {"a": 1}):
        for key in ("marks", "values", "lost"):
            assert read_move_notes(replace(record, notes={key: junk})) == none
    assert read_move_notes(replace(record, notes={"marks": [3] * len(none), "best": [3] * len(none)})) == none


@pytest.mark.slow
@pytest.mark.usefixtures("slow_clock")
def test_analyze_command_shows_best_moves_and_replay_shows_marks(shell: Shell, tmp_path: Path) -> None:
    path, marked = tmp_path / "game.toml", tmp_path / "marked.toml"
    write_game(random_game(8), path)
    answer = shell.good("analyze", path, "--think", "0.15", "--seed", "1", "--json", "-o", marked).json
    assert [entry["move"] for entry in answer["moves"]] == list(read_game(path).moves)
    assert {"player", "mark", "best", "lost", "stderr", "exact", "hindsight"} <= answer["moves"][0].keys()
    assert [player["name"] for player in answer["players"]] == ["Ann", "Bob"]
    shell("analyze", path, "--think", "0.02", "-o", marked).fails("--force")
    marks = [entry["mark"] for entry in answer["moves"]]
    assert any(mark in MARKS for mark in marks)
    replayed = shell.good("replay", marked, "--no-pause").out
    for number, (entry, mark) in enumerate(zip(answer["moves"], marks, strict=True), 1):
        text = f"{number}. {entry['player']} plays {entry['move']}{f' {mark}' if mark else ''}: "
        assert text in replayed
        if entry["lost"]:
            assert re.search(rf"Best was {entry['best']} \(.*\): {round(entry['lost'], 1):g} points? better", replayed)
    ahead = [entry["value"] if entry["player"] == "Ann" else -entry["value"] for entry in answer["moves"]]
    sides = re.findall(r"^Ann [ █]*│[ █]* (?:\S+ points? )?(ahead|behind|level)$", replayed, re.MULTILINE)
    assert sides == ["level" if round(lead, 1) == 0 else "ahead" if lead > 0 else "behind" for lead in ahead]
    text = shell.good("analyze", path, "--think", "0.02", "--seed", "1").out
    assert "lost" in text
    assert any(mark in text for mark in MARKS) == ("\nTurning point: move " in text)
    assert "│" in text


def test_proved_mistakes_are_marked_regardless_of_the_error_of_estimates(monkeypatch):
    monkeypatch.setattr(matrix_solver, "QUICK_ROUNDS", 0)  # so that moves have estimates with large errors
    monkeypatch.setattr(matrix_solver, "MOST_ROUNDS", 3)
    game = find_game("matrix")
    setup = game.deal(("Ann", "Bob"), [], Dice(5))
    record = Record(setup, random_moves(setup, random.Random(5))[0])
    analyses = [analysed for analysed in analyze(record, rounds=20).moves if analysed.hindsight is not None]
    assert len(analyses) > 3
    assert not all(analysed.knowable.is_exact for analysed in analyses)
    for analysed in analyses:
        assert (analysed.lost, analysed.error) == (analysed.hindsight.lost, None)
        assert bool(analysed.mark) == (analysed.hindsight.lost >= game.mistakes[0])
        assert analysed.knowable.best.value - analysed.value == analysed.hindsight.lost
    assert any(analysed.mark for analysed in analyses)
