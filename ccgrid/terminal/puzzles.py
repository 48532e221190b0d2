"""Puzzles at a terminal: the position, and the answer with the line of best play."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.puzzles import Puzzle, line_after
from ccgrid.services.training import set_up
from ccgrid.terminal.keyboard import PlayerQuit, read_line
from ccgrid.view.games import show_hidden, show_moves, show_position, show_rules_in_short
from ccgrid.view.insight import lead
from ccgrid.view.output import OutputColumn, show, show_table
from ccgrid.view.pictures import player_name
from ccgrid.view.streams import paged
from ccgrid.view.text import third_person


def show_puzzle(puzzle: Puzzle) -> None:
    """Show a puzzle without its answer: the player to move, the position, and the legal moves."""
    state = puzzle.state
    known = "" if all(map(state.is_open, range(len(state.players)))) else "Perfect information. "
    show(
        f"Puzzle, {state.game}, {puzzle.difficulty}: {third_person(player_name(puzzle.thought.player), 'is')} to move.",
        f"{known}Exactly one move is best.",
        _missed(puzzle),
    )
    show_puzzle_position(state)


def show_puzzle_position(state: State) -> None:
    """Show all hidden cards of a puzzle, its position, and the legal moves; the last screen has the whole board."""
    show_hidden(state.game, state)
    show_position(state.game, state)
    show_moves(state.game, state, find_game(state.game).move_menu(state), whole=True)


def _missed(puzzle: Puzzle) -> str:
    first = puzzle.missed[0]
    if first.tries == 1:  # a puzzle from the user's own game
        return f"{player_name(first.player)} missed it."
    times = (f"by {one.player} {one.times} of {counted(one.tries, 'time')}" for one in puzzle.missed)
    return f"Missed {', '.join(times)}."


def show_answer(puzzle: Puzzle, answer: str | None) -> None:
    """Show whether a legal move is the best one, the value of every move, and the line of best play."""
    best, state = puzzle.thought.best, puzzle.state
    given = next((one for one in puzzle.thought.moves if one.move == answer), None)
    if given is None:
        show("", f"The best move is {best.move}: {lead(best.value)} in the end, proved.")
    elif given == best:
        show("", f"Right. {best.move}: {lead(best.value)} in the end, proved.")
    else:
        lost = counted(int(best.value - given.value), "point")
        show("", f"Not the best: {given.move} loses {lost}.")
        show(f"The best move is {best.move}: {lead(best.value)} in the end, proved.")
    rows = [(one.move, f"{one.value:+.0f}", _mark(one.move, best.move, answer)) for one in puzzle.thought.moves]
    show_table([OutputColumn("move"), OutputColumn("worth", "right"), OutputColumn("")], rows)
    show(*_line(state, puzzle.line))
    if given is not None and given != best:
        show(*_line(state, (given.move, *line_after(state, given.move))))


def _mark(move: str, best: str, answer: str | None) -> str:
    marks = ["best"] if move == best else []
    return ", ".join([*marks, *(["yours"] if move == answer else [])])


def _line(state: State, line: tuple[str, ...]) -> Iterable[str]:
    """Return the best play after a move, as sentences."""
    moves = []
    for move in line:
        moves.append(f"{player_name(state.players[state.to_move])} {move}")
        state = state.play_unchecked(move)
    scores = zip(state.players, state.scores(), strict=True)
    ends = ", ".join(f"{player_name(player)} {score}" for player, score in scores)
    first, *rest = moves
    return [f"After {first}: {'; '.join(rest) or 'no more moves'}. In the end {ends}."]


_HELP: Final = """Type the best move as in the list, or its number. You can also type:
  board       show the position and the moves again
  answer      show the best move
  rules       the rules in short
  quit        stop without an answer"""


def solve_puzzles(
    puzzles: Sequence[Puzzle], answered: Callable[[Puzzle, bool], object] = lambda one, right: None
) -> None:
    """Ask puzzles and explain each answer, until the user quits or the input ends.

    Args:
        puzzles: the puzzles.
        answered: called with each puzzle and whether its answer was right.
    """
    right = 0
    for number, puzzle in enumerate(puzzles, 1):
        if len(puzzles) > 1:
            show("" if number > 1 else f"{len(puzzles)} puzzles.", f"{number}.")
        with paged():
            show_puzzle(puzzle)
        try:
            answer = _answer(puzzle)
        except PlayerQuit:
            return
        show_answer(puzzle, answer)
        answered(puzzle, answer == puzzle.best)
        right += answer == puzzle.best
    if len(puzzles) > 1:
        show("", f"{right} of {len(puzzles)} right.")


def _answer(puzzle: Puzzle) -> str | None:
    """Return the legal move that the user types, or None to see the answer; raise PlayerQuit."""
    table = set_up(puzzle)
    while True:
        line = read_line(f"{player_name(table.player)}> ").strip()
        if line in table.state.legal_moves():  # a move, even if a card has the name of a command
            return line
        match line.lower():
            case "":
                continue
            case "help" | "?":
                show(_HELP)
            case "quit" | "exit" | "q":
                raise PlayerQuit
            case "answer":
                return None
            case "board" | "moves":
                with paged():
                    show_puzzle_position(table.state)
            case "rules":
                show_rules_in_short(puzzle.record.setup.game)
            case _:
                try:
                    return table.read(line)
                except EngineError as error:
                    show(f"{error}. Type help for a list of commands.")
