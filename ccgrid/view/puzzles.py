"""Shows puzzles: the position without its answer, and the answer with what both play then."""

from collections.abc import Iterable

from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.puzzles import Puzzle, line_after
from ccgrid.view.games import show_hidden, show_moves, show_position
from ccgrid.view.insight import lead
from ccgrid.view.output import Column, show, show_table
from ccgrid.view.pictures import player_name
from ccgrid.view.text import counted


def show_puzzle(puzzle: Puzzle) -> None:
    """Show a puzzle without its answer: who is to move, the position, what is coming, the legal moves."""
    state = puzzle.state
    known = "" if all(map(state.is_open, range(len(state.players)))) else "Perfect information. "
    show(
        f"Puzzle, {state.game}, {puzzle.difficulty}: {player_name(puzzle.thought.player)} is to move.",
        f"{known}Exactly one move is best.",
        f"Missed {_tries(puzzle)}.",
    )
    show_place(state)


def show_place(state: State) -> None:
    """Show the position of a puzzle, with everything that is hidden in a game, and the legal moves."""
    show_position(state.game, state)
    show_hidden(state.game, state)
    show_moves(state.game, state, find_game(state.game).listed(state), whole=True)


def _tries(puzzle: Puzzle) -> str:
    return ", ".join(f"by {one.player} {one.times} of {one.tries} times" for one in puzzle.missed)


def show_answer(puzzle: Puzzle, answer: str | None) -> None:
    """Show whether a legal move is the best one, or which is; what every move is worth, and what both play then."""
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
    show_table([Column("move"), Column("worth", "right"), Column("")], rows)
    show(*_line(state, puzzle.line))
    if given is not None and given != best:
        show(*_line(state, (given.move, *line_after(state, given.move))))


def _mark(move: str, best: str, answer: str | None) -> str:
    marks = ["best"] if move == best else []
    return ", ".join([*marks, *(["yours"] if move == answer else [])])


def _line(state: State, line: tuple[str, ...]) -> Iterable[str]:
    """What is played when both play best behind the first move, as sentences."""
    played = []
    for move in line:
        played.append(f"{player_name(state.players[state.to_move])} {move}")
        state = state.play_unchecked(move)
    scores = zip(state.players, state.scores(), strict=True)
    ends = ", ".join(f"{player_name(player)} {score}" for player, score in scores)
    first, *rest = played
    return [f"After {first}: {'; '.join(rest) or 'nobody moves'}. In the end {ends}."]
