"""What a terminal receives."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.processes import ends_with_test
from rich.cells import cell_len
from shown_examples import CARD, NUMBERS, assert_harmless

from ccgrid.view.card import show_card

Screen = Callable[..., list[str]]

IMPORTS = "from shown_examples import *\nfrom ccgrid.view.output import progress, show"

ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;[0-9]+)*m")


@pytest.fixture
def terminal(tmp_path: Path) -> Screen:
    """Run statements in a terminal of 80 columns, and return the lines that it received."""
    pexpect = pytest.importorskip("pexpect")

    def run(body: str, **environment: str) -> list[str]:
        script = tmp_path / "script.py"
        script.write_text(f"{IMPORTS}\n{body}\n", encoding="utf-8")
        plain = {
            name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
        }
        path = [str(Path(__file__).parents[1]), *sys.path]
        child = ends_with_test(
            pexpect.spawn(
                sys.executable,
                [str(script)],
                env={**plain, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(path), **environment},
                dimensions=(24, 80),
                encoding="utf-8",
                timeout=120,
            )
        )
        received: str = child.read()
        child.close()
        assert child.exitstatus == 0, received
        return received.replace("\r\n", "\n").split("\n")

    return run


def test_a_terminal_gets_colour_and_no_line_of_more_than_80_columns(terminal: Screen) -> None:
    lines = terminal("everything(CARD)\nshow_card(CARD, NUMBERS)")
    assert any(COLOUR.search(line) for line in lines)
    assert max(cell_len(ANSI.sub("", line)) for line in lines) <= 80
    assert any("────" in line for line in lines)


def test_no_color_is_honoured(terminal: Screen) -> None:
    lines = terminal("everything(CARD)", NO_COLOR="1")
    assert not any(COLOUR.search(line) for line in lines)
    assert any("Jace, Vryn's Prodigy" in line for line in lines)


def test_force_color_colours_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show_card(CARD, NUMBERS)
    assert COLOUR.search(capsys.readouterr().out)


def test_a_terminal_obeys_no_name(terminal: Screen) -> None:
    lines = terminal("for name in HOSTILE.values(): everything(named(name))")
    for line in lines:
        assert_harmless(re.sub(r"\x1b\[[0-9;]*m", "", line))
        assert cell_len(ANSI.sub("", line)) <= 80
    assert len(lines) < 4000, "a hostile name is not printed over a hundred screens"


def test_progress_moves_on_a_terminal_and_leaves_nothing_behind(terminal: Screen) -> None:
    lines = terminal("with progress('Reading [/red] cards') as report:\n    report(5, 10)\nshow('done')")
    assert "Reading [/red] cards" in "".join(ANSI.sub("", line) for line in lines)
    assert ANSI.sub("", "\n".join(lines)).rstrip().endswith("done")
