"""Every command at a real terminal, with malicious names, which are escaped."""

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

# What is ours: colours; bars, pages, and lines that are edited.
OURS = re.compile(r"\x1b\[(?:[\d;]*m|\?(?:25|1049|2004)[hl]|\d*[AKC]|H\x1b\[2J)")
ACTS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode's categories of what acts on a terminal or hides."""
EXTRAS = {"browse": "datasette", "workers": "distributed"}
"""The library that shows names for a command, for all who have the extra."""


def shown(shell: Shell, *words: str, typed: str = "") -> str:
    """All that a terminal gets of a command, where what is ours is taken away."""
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
    return OURS.sub("", child.before).replace("\r\n", "\n").replace("\r", "\n")


def check(text: str, words: object) -> None:
    found = [place for place, one in enumerate(text) if one != "\n" and unicodedata.category(one) in ACTS]
    assert not found, (words, text[max(0, found[0] - 60) : found[0] + 60])


@pytest.mark.slow
@pytest.mark.parametrize("command", words_of_commands())
def test_every_command_escapes_untrusted_names(command: str, hostile: Shell) -> None:
    all_shown = ""
    for words, typed in EXAMPLES[command]:
        text = shown(hostile, *command.split(), *words, typed=typed)
        check(text, words)
        all_shown += text
        if "--json" in words and "-o" not in words:
            for line in filter(lambda line: line.startswith("{"), text.split("\n")):
                json.loads(line)
    if command in EXTRAS and find_spec(EXTRAS[command]) is None:
        assert "nstall" in all_shown  # how to install the extra
    else:
        assert "Evil" in all_shown or command in NAMELESS, all_shown


@pytest.mark.slow
def test_errors_escape_typed_text(hostile: Shell) -> None:
    for command in words_of_commands():
        takes_any = any(one.param_type_name == "argument" for one in command_called(command).params)
        for word in (f"--{ARGUMENT}", *([] if takes_any else [ARGUMENT])):
            check(shown(hostile, *command.split(), word), (command, word))
    check(shown(hostile, ARGUMENT), ARGUMENT)
