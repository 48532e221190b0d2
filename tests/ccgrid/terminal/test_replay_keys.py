"""Tests of replays controlled by keys, one position at a time."""

import re
from collections.abc import Iterator

import pytest
from helpers.catalogues import Shell
from helpers.game_files import GRID_RECORD, grid_document, write_records

from ccgrid.engine.records.files import read_single_game
from ccgrid.engine.records.record import read_document
from ccgrid.terminal.replay import Replay, turn_pages

KEYS = r"one move, Home and End first and last, q quits\r\n"


def headings(capsys: pytest.CaptureFixture[str], replay: Replay, *keys: str, at: int = 0) -> list[str]:
    """Return the headings above the board: at the start, and after each key."""
    pressed: Iterator[str] = iter((*keys, ""))
    turn_pages(replay, 0, at, lambda: next(pressed))
    out = capsys.readouterr().out
    return re.findall(r"(?:^|q quits\n)(?:The (start)|(\d+)\.)", out)


def test_keys_step_through_the_replay(capsys: pytest.CaptureFixture[str]) -> None:
    reading = read_single_game(GRID_RECORD)
    replay = Replay.of(reading, reading.require(), 16)
    keys = ("right", "enter", " ", "left", "home", "left", "end", "right", "up", "?", "x")
    places = [int(number or 0) for _, number in headings(capsys, replay, *keys)]
    assert places == [0, 1, 2, 3, 2, 0, 0, 16, 16, 15, 15, 15]


def test_illegal_move_is_reported_at_the_last_position(capsys: pytest.CaptureFixture[str]) -> None:
    reading = read_document(grid_document(moves=["c2xb1", "a1xb1"], result=None))
    replay = Replay.of(reading, reading.record, reading.plies)
    pressed = iter(("home", "q"))
    turn_pages(replay, 0, 1, lambda: next(pressed))
    first, second = capsys.readouterr().out.split("The start of 1 move.")
    assert 'Mistake at move 2, "a1xb1": a1 has no number at its right, which faces b1\n' in first
    assert "Mistake" not in second


def test_replay_redraws_after_resize_and_suspension(shell: Shell) -> None:
    pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    from helpers.terminals import STYLE, Terminal

    file = write_records(shell.folder / "game.jsonl", grid_document(moves=["c2xb1", "a1xb1"], result=None))
    game = Terminal(shell, file, lines=24, command="replay")

    def page() -> str:
        game.child.expect(KEYS)
        return STYLE.sub("", game.child.before.rpartition("\x1b[H\x1b[2J")[2])

    faulty_page = page()
    assert faulty_page.startswith("1. Ann plays c2xb1: +32 Dusk Bellringer\r\n")
    assert "Mistake at move 2" in faulty_page
    assert faulty_page.count("\r\n") < 23

    def press(key: str) -> None:
        assert game.child.waitnoecho(60), "keys are read one by one"
        game.child.send(key)

    press("\x1b[D")
    assert page().startswith("The start of 1 move.\r\n")
    for key, heading in (("\x1bOF", "1. Ann"), ("\x1b[1~", "The start"), ("\x1b[C", "1. Ann")):
        press(key)
        assert page().startswith(heading)
    game.child.setwinsize(24, 60)
    narrow = page()
    assert max(map(len, narrow.split("\r\n"))) <= 60
    assert narrow.startswith("1. Ann")
    game.wait_until_keys_are_read()
    game.suspend_and_resume()
    assert page() == narrow
    press("q")
    rest = game.rest()
    assert 'moves[1] "a1xb1": a1 has no number at its right' in rest
    assert game.status == 1
