"""Tests that games fit terminals of several sizes, which may be resized during play."""

import re
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.forked_program import at_terminal
from rich.cells import cell_len

from ccgrid.catalog.store.catalogue import Store
from ccgrid.engine.games import GAMES

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]\r?")
PROMPT = r"(?:You|Ann|Bob)> "

every_game = pytest.mark.parametrize("game", [game.name for game in GAMES])


class Window:
    """A game in a terminal of the given size."""

    def __init__(self, shell: Shell, game: str, columns: int, lines: int, *arguments: str | Path) -> None:
        environment = {**shell.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1", "NO_COLOR": "1"}
        for name in ("COLUMNS", "LINES", "FORCE_COLOR"):
            environment.pop(name, None)
        words = ("play", game, "--seed", "3", *arguments)
        self.child = at_terminal(words, environment, folder=shell.folder, columns=columns, lines=lines)

    def lines_after(self, line: str | None = None) -> list[str]:
        """Type a line if given, and return the lines up to the next prompt."""
        if line is not None:
            self.child.sendline(line)
            self.child.expect_exact(f"{line}\r\n")  # after a resize the prompt may be redrawn first
        self.child.expect(PROMPT)
        return [text.rstrip("\r") for text in ESCAPES.sub("", self.child.before).split("\n")]

    def resize(self, columns: int, lines: int) -> None:
        self.child.setwinsize(lines, columns)


def widest(lines: list[str]) -> int:
    return max(map(cell_len, lines))


def from_board(lines: list[str]) -> list[str]:
    """Return the lines from the heading of the board to the prompt."""
    first = next(number for number, line in enumerate(lines) if "┌" in line)
    return lines[first - 1 :]


def board_lines(lines: list[str]) -> list[str]:
    return [line for line in lines if re.search("[│├┌└]", line)]


@every_game
@pytest.mark.parametrize(("columns", "height"), [(60, 24), (80, 24), (120, 40)])
def test_board_and_prompt_fit_window(game: str, columns: int, height: int, shell: Shell) -> None:
    Store(
        shell.database, create=True
    ).connection.close()  # otherwise the output contains the long path of the missing file
    window = Window(shell, game, columns, height)
    lines = window.lines_after()
    first = next(number for number, line in enumerate(lines) if "┌" in line)
    assert widest(lines) <= columns
    assert len(lines) - first <= height, "the whole board is in sight when a move is asked for"
    assert window.lines_after("1")
    assert widest(window.lines_after("board")) <= columns


@pytest.mark.parametrize("game", ["grid", "tactics"])
def test_cards_of_a_board_are_as_large_as_a_large_window_allows(game: str, shell: Shell) -> None:
    small, large = (board_lines(Window(shell, game, *size).lines_after()) for size in ((80, 40), (120, 40)))
    assert widest(small) < 80 < widest(large) < 120
    assert len(large) > 3 * (5 + 1) + 1


def test_board_of_four_tactics_players_fits_a_small_window(shell: Shell) -> None:
    window = Window(shell, "tactics", 60, 24, "--players", "Ann,greedy,random,random")
    for typed in (None, "1", "1"):
        lines = from_board(window.lines_after(typed))
        assert widest(lines) <= 60
        assert len(lines) <= 24, "with its heading, how all stand, and the prompt"


@every_game
def test_game_stays_playable_in_narrowed_window(game: str, shell: Shell) -> None:
    window = Window(shell, game, 120, 40)
    wide = board_lines(window.lines_after())
    window.resize(60, 24)
    narrow = window.lines_after("1")
    assert widest(narrow) <= 60
    assert widest(board_lines(narrow)) <= widest(wide)
    window.resize(80, 24)
    again = window.lines_after("")  # an empty line redraws for the current size
    assert board_lines(again)
    assert widest(again) <= 80
    assert widest(window.lines_after("1")) <= 80


def test_cells_keep_label_name_and_width_in_a_narrow_window(shell: Shell) -> None:
    window = Window(shell, "grid", 60, 24)
    rim, top, *middle = board_lines(window.lines_after())[:5]
    assert [rim.index(cell) < 58 for cell in ("a1", "b1", "c1")] == [True] * 3
    cells = [text.strip() for text in middle[0].split("│")[1:4]]
    assert all(cells), "every cell has a name, perhaps cut"
    assert len(top.split("│")[1]) == len(top.split("│")[2]) == 18
