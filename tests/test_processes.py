"""Processes that tests start: they are ended after the test, whether it passes or fails."""

import signal
import subprocess
import sys

import pytest
from helpers.catalogues import Shell
from helpers.forked_program import at_terminal
from helpers.processes import end_all, ends_with_test

if sys.platform == "win32":
    pytest.skip("needs signals and a pseudo-terminal", allow_module_level=True)


def test_running_process_is_ended_and_its_pipes_closed() -> None:
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = ends_with_test(subprocess.Popen(["cat"], **streams))
    end_all()
    assert process.returncode == -signal.SIGKILL
    assert [stream.closed for stream in (process.stdin, process.stdout, process.stderr)] == [True] * 3


def test_ended_process_keeps_its_status() -> None:
    process = ends_with_test(subprocess.Popen(["cat"], stdin=subprocess.DEVNULL))
    process.wait(120)
    end_all()
    assert process.returncode == 0


def test_game_at_terminal_is_ended_and_terminal_closed(shell: Shell) -> None:
    game = at_terminal(("play", "matrix", "--players", "Ann,Bob"), {**shell.environment(), "TERM": "dumb"})
    game.expect("> ")
    end_all()
    assert (game.closed, game.isalive(), game.signalstatus) == (True, False, signal.SIGKILL)


@pytest.mark.parametrize("number", [1, 2])
def test_nothing_of_previous_test_remains(shell: Shell, number: int) -> None:
    _LEFT.append(shell.start("play", "matrix", "--players", "Ann,Bob", stdin=subprocess.PIPE))
    assert [process.poll() is None for process in _LEFT] == [*[False] * (len(_LEFT) - 1), True]


_LEFT: list["subprocess.Popen[str]"] = []
