"""The command that solves positions: what it answers people and scripts, and what its exit statuses mean."""

import json
import random
import sys
from pathlib import Path

import pytest
from catalogues import Shell
from made_up import random_deck
from test_solving import sparse_deal

from engine.games.grid.state import GridSetup
from engine.record import Record
from engine.record_files import read_game, write_game
from engine.search import solve

PLAYED = Path(__file__).parent / "playthroughs" / "grid.toml"


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    """A record of a game of grid that nobody has moved in."""
    path = tmp_path / "sparse.toml"
    write_game(Record(sparse_deal(random.Random(4))), path)
    return path


def test_a_game_is_solved_from_its_first_move_and_the_line_is_what_was_proved(shell: Shell, sparse: Path) -> None:
    answer = shell.good("solve", sparse, "--json").json
    expected = solve(read_game(sparse).setup.start())
    assert answer["value"] == expected.value
    assert answer["line"] == list(expected.line)
    assert answer["player"] == expected.player
    assert answer["nodes"] == expected.nodes
    assert {"player", "value", "line", "nodes", "seconds"} <= answer.keys()
    said = shell.good("solve", sparse).out
    assert f"Proved: {expected.player}, to move, ends 15 points ahead when both play best." in said
    assert [line.split()[1] for line in said.splitlines()[1:-1]] == list(expected.line)


def test_after_says_which_position_of_a_finished_game_is_meant(shell: Shell) -> None:
    record = read_game(PLAYED)
    answer = shell.good("solve", PLAYED, "--after", len(record.moves) - 1, "--json").json
    assert answer["value"] == solve(list(record)[-1].state).value
    over = shell("solve", PLAYED)
    assert "The game is over: say after how many moves with --after." in over.err
    far = shell("solve", PLAYED, "--after", 99)
    assert f"The record has {len(record.moves)} moves, not 99" in far.err


def test_what_is_proved_when_the_time_is_over_is_told_as_such(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "dense.toml"
    write_game(Record(GridSetup(("Ann", "Bob"), 0, tuple(random_deck(random.Random(3))))), path)
    answer = shell.good("solve", path, "--think", "0.2", "--json").json
    assert answer["value"] is None
    assert answer["low"] < answer["high"]
    assert answer["line"] == []
    said = shell.good("solve", path, "--think", "0.2").out
    assert said.startswith("Not proved to the end: Ann, to move, ends between ")


def test_a_record_that_is_not_valid_is_refused(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    document = {**read_game(PLAYED).to_document(), "moves": ["a1xc3"]}
    path.with_suffix(".jsonl").write_text(json.dumps(document), encoding="utf-8")
    assert shell("solve", path.with_suffix(".jsonl")).status == 1
    assert shell("solve", path).status == 3


def test_an_interrupt_prints_the_bounds_proved_so_far(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    path = tmp_path / "dense.toml"
    write_game(Record(GridSetup(("Ann", "Bob"), 0, tuple(random_deck(random.Random(3))))), path)
    child = pexpect.spawn(sys.executable, ["-m", "ccgrid", "solve", str(path)], encoding="utf-8", timeout=120)
    child.expect("So far: between")
    child.sendintr()
    child.expect("Not proved to the end: Ann")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
