"""A recorded game stepped through at a terminal, the board drawn after every move."""

from ccgrid.view.games import describe_move, show_position
from ccgrid.view.names import player_name
from ccgrid.view.output import show
from engine.analysis import marks_of
from engine.record import Record


def step_through(game: Record, *, waits: bool) -> None:
    """Shows the moves of a game one after the other; `waits` for Enter before each."""
    name = game.setup.game
    show("The beginning.")
    show_position(name, game.setup.start())
    marks = marks_of(game)
    for number, ply in enumerate(game, 1):
        if waits and not _goes_on():
            return
        what = describe_move(name, ply.state, ply.move)
        mark = f" {marks[number - 1]}" if marks[number - 1] else ""
        show("", f"{number}. {player_name(ply.player)} plays {ply.move}{mark}: {what}")
        show_position(name, ply.state.play_unchecked(ply.move), ply.move)
    state = game.final()
    outcome = state.outcome()
    if outcome is None:
        show("", "The game is not over.")
        return
    winner = "A draw" if outcome.winner is None else f"{player_name(state.players[outcome.winner])} wins"
    show("", f"{winner}: {outcome.reason}.")


def _goes_on() -> bool:
    """Waits until the person presses Enter; False where they want to see no more."""
    try:
        return not input("Enter goes on, q ends. ").strip().lower().startswith("q")
    except EOFError:
        print()  # the prompt's line has no end
        return False
