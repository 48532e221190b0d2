"""Tests that every command escapes malicious names on a real terminal."""

import json
import re
import sys
import unicodedata
from importlib.util import find_spec

import pytest
from helpers.catalogues import Shell
from helpers.command_examples import ARGUMENT, EXAMPLES, NAMELESS, command_called, words_of_commands

if sys.platform == "win32":
    pytest.skip("needs a terminal", allow_module_level=True)

import pexpect
from helpers.forked_program import at_terminal

# The sequences of the program itself: colours, progress bars, pages and line editing.
OWN_SEQUENCES = re.compile(r"\x1b\[(?:[\d;]*m|\?(?:25|1049|2004)[hl]|\d*[AKC]|H\x1b\[2J)")
CONTROL_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""The Unicode categories of control characters and invisible characters."""
EXTRAS = {"browse": "datasette", "workers": "distributed"}
"""For each of these commands, the library of the extra without which it prints no names."""


def terminal_output(shell: Shell, *words: str, typed: str = "") -> str:
    """Return the output of a command on a terminal, without the sequences of the program itself."""
    environment = {**shell.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    child = at_terminal(words, environment, folder=shell.folder)
    child.setecho(False)
    if typed:
        child.send(typed)
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.signalstatus is None, child.before
    assert child.exitstatus in (0, 1, 2, 3), child.before
    assert "Traceback" not in child.before
    assert "defect" not in child.before
    return OWN_SEQUENCES.sub("", child.before).replace("\r\n", "\n").replace("\r", "\n")


def check_no_control_characters(text: str, words: object) -> None:
    """Check that the output of a command has no control characters except new lines."""
    positions = [
        position
        for position, character in enumerate(text)
        if character != "\n" and unicodedata.category(character) in CONTROL_CATEGORIES
    ]
    assert not positions, (words, text[max(0, positions[0] - 60) : positions[0] + 60])


@pytest.mark.slow
@pytest.mark.parametrize("command", words_of_commands())
def test_every_command_escapes_untrusted_names(command: str, hostile: Shell) -> None:
    output = ""
    for words, typed in EXAMPLES[command]:
        text = terminal_output(hostile, *command.split(), *words, typed=typed)
        check_no_control_characters(text, words)
        output += text
        if "--json" in words and "-o" not in words:
            for line in filter(lambda line: line.startswith("{"), text.split("\n")):
                json.loads(line)
    if command in EXTRAS and find_spec(EXTRAS[command]) is None:
        assert "nstall" in output  # how to install the extra
    else:
        assert "Evil" in output or command in NAMELESS, output


@pytest.mark.slow
def test_errors_escape_typed_text(hostile: Shell) -> None:
    for command in words_of_commands():
        has_argument = any(parameter.param_type_name == "argument" for parameter in command_called(command).params)
        for word in (f"--{ARGUMENT}", *([] if has_argument else [ARGUMENT])):
            check_no_control_characters(terminal_output(hostile, *command.split(), word), (command, word))
    check_no_control_characters(terminal_output(hostile, ARGUMENT), ARGUMENT)
