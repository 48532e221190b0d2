"""Tests of the commands `solve` and `advise`: their text, JSON and exit statuses."""

import json
import os
import random
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.forked_program import at_terminal
from helpers.game_files import GRID_RECORD
from helpers.made_up import sparse_deal

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.dice import Dice
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.engine.records.files import read_game, write_game
from ccgrid.engine.records.record import Record
from ccgrid.engine.search import solve, think


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    """A record of a game of grid without moves."""
    path = tmp_path / "sparse.toml"
    write_game(Record(sparse_deal(random.Random(10))), path)
    return path


def test_solve_starts_at_first_move_and_prints_proved_line(shell: Shell, sparse: Path) -> None:
    answer = shell.good("solve", sparse, "--json").json
    expected = solve(read_game(sparse).setup.start())
    assert answer["value"] == expected.value
    assert answer["line"] == list(expected.line)
    assert answer["player"] == expected.player
    assert answer["nodes"] == expected.nodes
    assert {"player", "value", "line", "nodes", "seconds"} <= answer.keys()
    assert answer["seconds"] == round(answer["seconds"], 3)
    output = shell.good("solve", sparse).out
    assert f"Proved: {expected.player}, to move, ends 2 points ahead when both play best." in output
    assert [line.split()[1] for line in output.splitlines()[1:-1]] == list(expected.line)


def test_after_option_selects_position_of_finished_game(shell: Shell) -> None:
    record = read_game(GRID_RECORD)
    answer = shell.good("solve", GRID_RECORD, "--after", len(record.moves) - 1, "--json").json
    assert answer["value"] == solve(list(record)[-1].state).value
    over = shell("solve", GRID_RECORD)
    assert "The game is over: choose an earlier position with --after N." in over.err
    far = shell("solve", GRID_RECORD, "--after", 99)
    assert f"The record has only {len(record.moves)} moves: --after 99 is too large." in far.err


def test_solve_prints_bounds_when_time_runs_out(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "dense.toml"
    write_game(Record(GridSetup(("Ann", "Bob"), 0, hard_deck())), path)
    answer = shell.good("solve", path, "--think", "0.2", "--json").json
    assert answer["value"] is None
    assert answer["low"] < answer["high"]
    assert answer["line"] == []
    output = shell.good("solve", path, "--think", "0.2").out
    assert output.startswith("Not proved to the end: Ann, to move, ends between ")


def test_solve_rejects_invalid_record(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    document = {**read_game(GRID_RECORD).to_document(), "moves": ["a1xc3"]}
    path.with_suffix(".jsonl").write_text(json.dumps(document), encoding="utf-8")
    assert shell("solve", path.with_suffix(".jsonl")).status == 1
    assert shell("solve", path).status == 3


def hard_deck() -> tuple[Card, ...]:
    """Return twenty cards with five numbers each, whose proof takes seconds even with compiled code."""
    rng = random.Random(8)
    zones = [{zone: rng.randint(0, 10) for zone in rng.sample(ZONES, 5)} for _ in range(20)]
    return tuple(Card(f"hard:{n}", "hard", f"Card {n}", found, sum(found.values())) for n, found in enumerate(zones))


@pytest.mark.slow
def test_interrupt_prints_the_proved_bounds(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    path = tmp_path / "hard.toml"
    write_game(Record(GridSetup(("Ann", "Bob"), 0, hard_deck())), path)
    child = at_terminal(("solve", path), os.environ)
    child.expect("So far: ")
    child.sendintr()
    child.expect("Not proved to the end: Ann")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


@pytest.mark.usefixtures("slow_clock")
def test_advice_lists_every_legal_move_best_first(shell: Shell) -> None:
    state = list(read_game(GRID_RECORD))[2].state
    answer = shell.good("advise", GRID_RECORD, "--after", 2, "--think", "2", "--seed", "1", "--json").json
    assert answer["player"] == state.players[state.to_move]
    assert answer["exact"] is False
    assert {entry["move"] for entry in answer["moves"]} == set(state.legal_moves())
    values = [entry["value"] for entry in answer["moves"]]
    assert values == sorted(values, reverse=True)
    assert answer["best"] == answer["moves"][0]["move"]
    assert all(entry["stderr"] > 0 for entry in answer["moves"])


def test_advice_is_proved_with_an_open_pile_and_near_the_end(shell: Shell, sparse: Path) -> None:
    answer = shell.good("advise", sparse, "--open", "--think", "60", "--json").json
    assert answer["exact"] is True
    assert answer["moves"][0]["value"] == shell.good("solve", sparse, "--json").json["value"]
    assert all(entry["stderr"] is None for entry in answer["moves"])
    last = len(read_game(GRID_RECORD).moves) - 1
    closed = shell.good("advise", GRID_RECORD, "--after", last, "--json").json
    assert closed["exact"] is True
    output = shell.good("advise", GRID_RECORD, "--after", last).out
    assert "Proved: final lead in points" in output
    assert closed["best"] in output


def test_advice_does_not_use_the_order_of_the_pile(shell: Shell, tmp_path: Path) -> None:
    document = read_game(GRID_RECORD).to_document()
    cards = document["setup"]["cards"]
    other = {**document, "setup": {"cards": [*cards[:11], *cards[11:][::-1]]}, "moves": document["moves"][:2]}
    same = {**document, "moves": document["moves"][:2]}
    output = []
    for number, game in enumerate((same, other)):
        game.pop("result", None)
        path = tmp_path / f"{number}.jsonl"
        path.write_text(json.dumps({**game, "date": str(game.get("date", "2026-11-21"))}), encoding="utf-8")
        (state,) = [read_game(path).final()]
        output.append(think(state, Dice(3), rounds=50))
    assert output[0] == output[1]


def test_impossible_advice_is_reported_with_reason(shell: Shell, tmp_path: Path) -> None:
    shell("advise", GRID_RECORD).fails("The game is over: choose an earlier position with --after N.")
    path = tmp_path / "dense.toml"
    write_game(Record(GridSetup(("Ann", "Bob"), 0, hard_deck())), path)
    shell("advise", path, "--open", "--think", "0.1").fails("There was not enough time")
