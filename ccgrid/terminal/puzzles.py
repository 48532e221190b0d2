"""Puzzles answered at a keyboard, one after another."""

from collections.abc import Callable, Sequence
from typing import Final

from ccgrid.engine.errors import EngineError
from ccgrid.engine.insight.puzzles import Puzzle
from ccgrid.services.training import set_up
from ccgrid.terminal.keyboard import LeftTable, read_line
from ccgrid.view.lessons import show_rules
from ccgrid.view.output import show
from ccgrid.view.pictures import player_name
from ccgrid.view.puzzles import show_answer, show_place, show_puzzle

_HELP: Final = """Type the best move as in the list, or its number. You can also type:
  board       show the position and the moves again
  answer      show the best move
  rules       the rules of the game
  quit        stop without an answer"""


def solve_puzzles(
    puzzles: Sequence[Puzzle], answered: Callable[[Puzzle, bool], object] = lambda one, right: None
) -> None:
    """Asks one puzzle after another and explains each answer, until somebody leaves or nothing more can be asked.

    `answered` is told of each answer whether it is right.
    """
    right = 0
    for number, puzzle in enumerate(puzzles, 1):
        if len(puzzles) > 1:
            show("" if number > 1 else f"{len(puzzles)} puzzles.", f"{number}.")
        show_puzzle(puzzle)
        try:
            answer = _answer(puzzle)
        except LeftTable:
            return
        show_answer(puzzle, answer)
        answered(puzzle, answer == puzzle.best)
        right += answer == puzzle.best
    if len(puzzles) > 1:
        show("", f"{right} of {len(puzzles)} right.")


def _answer(puzzle: Puzzle) -> str | None:
    """The legal move that somebody types; None where they want to be told; raises LeftTable."""
    table = set_up(puzzle)
    while True:
        line = read_line(f"{player_name(table.player)}> ").strip()
        if line in table.state.legal_moves():  # a move, whatever the card is called
            return line
        match line.lower():
            case "":
                continue
            case "help" | "?":
                show(_HELP)
            case "quit" | "exit" | "q":
                raise LeftTable
            case "answer":
                return None
            case "board" | "moves":
                show_place(table.state)
            case "rules":
                show_rules(puzzle.record.setup.game)
            case _:
                try:
                    return table.read(line)
                except EngineError as error:
                    show(f"{error}. Type help for a list of commands.")
