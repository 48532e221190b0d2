"""Every command with one standard stream closed, as by some programs that start others."""

import os
import sys
from typing import Final

import pytest
from helpers.catalogues import Shell, rows, wait_for_result
from helpers.command_examples import EXAMPLES
from helpers.everyday import sampled

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs descriptors that a new process inherits")

STREAMS: Final = {"input": 0, "output": 1, "errors": 2}


def run_without(shell: Shell, stream: str, *words: str) -> tuple[int, str, str]:
    """Run a command with a standard stream closed; return its exit status and the output of the other streams."""
    number = STREAMS[stream]
    process = shell.start(*words, cwd=shell.folder, before=lambda: os.close(number))
    return (result := wait_for_result(process)).status, result.out, result.err


TURNS: Final = [(command, [*STREAMS][number % len(STREAMS)]) for number, command in enumerate(EXAMPLES)]
"""Each command with one stream, in turn; all of them took three times as long and found nothing more."""


@pytest.mark.slow
@pytest.mark.parametrize(("command", "stream"), sampled(TURNS, *TURNS[::2]))
def test_commands_work_with_a_closed_stream(hostile: Shell, command: str, stream: str) -> None:
    for words, _ in EXAMPLES[command]:
        status, out, err = run_without(hostile, stream, *command.split(), *words)
        assert status in range(4), (words, status, err)
        assert "Traceback" not in out + err, (words, err)
        assert "defect" not in out + err, (words, err)


@pytest.mark.parametrize(
    "words",
    [
        *(("collection", "add"), ("collection", "audit", "album"), ("collection", "import", "-"), ("card", "add")),
        *(("table", "deck.toml"), ("play", "matrix", "--players", "Ann,greedy"), ("puzzle", "matrix"), ("engine",)),
    ],
)
def test_closed_standard_input_is_empty(shell: Shell, words: tuple[str, ...]) -> None:
    shell.import_rows(rows(30))
    shell.good("deck", "new", "--seed", "7", "-o", shell.folder / "deck.toml")
    shell.good("collection", "add", "mtg:dsk/7", "--box", "album")
    seed = ("--seed", "7") if words[0] in ("table", "play", "puzzle") else ()
    empty = wait_for_result(shell.start(*words, *seed, cwd=shell.folder))
    assert run_without(shell, "input", *words, *seed) == (empty.status, empty.out, empty.err)
    assert "defect" not in empty.err


def test_unread_output_is_lost_without_message(shell: Shell) -> None:
    assert run_without(shell, "output", "sources") == (0, "", "")


def test_unread_messages_do_not_go_to_standard_output(shell: Shell) -> None:
    assert run_without(shell, "errors", "show", "x") == (1, "", "")
