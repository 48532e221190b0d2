"""Shows what positions are worth: values proved, best lines."""

from typing import TYPE_CHECKING

from ccgrid.view.games import describe_move
from ccgrid.view.names import player_name
from ccgrid.view.output import Column, show, show_table, shown
from ccgrid.view.words import counted
from engine.game import State
from engine.search.proving import UNBOUNDED

if TYPE_CHECKING:
    from engine.search import Estimate, Proof, Thought


def show_proof(proof: "Proof") -> None:
    """Show what was proved of a position (`solve --json`)."""
    player = player_name(proof.player)
    if -proof.low >= UNBOUNDED and proof.high >= UNBOUNDED:
        show(f"Nothing is proved yet of what {player}, to move, can reach.")
    elif proof.value is None:
        show(f"Not proved to the end: {player}, to move, ends {between(proof.low, proof.high)}.")
    else:
        show(f"Proved: {player}, to move, ends {lead(proof.value)} when both play best.")
        for number, move in enumerate(proof.line, 1):
            show(f"{number:>3}. {move}")
    show(f"{counted(proof.nodes, 'position')} looked at in {proof.seconds:.2f} s.")


def between(low: int, high: int) -> str:
    """The bounds that were proved, as far as there are any."""
    if high >= UNBOUNDED:
        return f"at least {lead(low)}"
    if -low >= UNBOUNDED:
        return f"at most {lead(high)}"
    return f"between {lead(low)} and {lead(high)}"


def show_advice(thought: "Thought") -> None:
    """Show what every legal move is worth (`advise --json`)."""
    player = player_name(thought.player)
    if thought.is_exact:
        average = "" if thought.is_whole else ", on average over the cards that may come"
        show(f"{player} is to move. Proved: points ahead in the end when everybody plays best{average}.", "")
    else:
        show(f"{player} is to move. Tried out: points ahead in the end, and the standard error.", "")
    columns = [Column("move"), Column("worth", "right")]
    if not thought.is_exact:
        columns.append(Column("error", "right"))
    show_table(columns, [_row(estimate) for estimate in thought.moves])


def _row(estimate: "Estimate") -> tuple[str, ...]:
    if estimate.error is None:
        return estimate.move, f"{estimate.value:+.0f}" if estimate.value % 1 == 0 else f"{estimate.value:+.2f}"
    return estimate.move, f"{estimate.value:+.1f}", f"{estimate.error:.1f}"


def hint_line(thought: "Thought", state: State) -> str:
    """The best move and what it does, what it is worth, the next best beside it, and how that is known.

    `state` is the position as who is to move sees it.
    """
    best, others = thought.best.move, thought.moves[1:2]
    what = describe_move(state.game, state, best)
    line = f"Play {shown(best)}{f' ({what})' if what else ''}: {_worth(thought.best)} in the end."
    nexts = [f"Next best: {shown(other.move)}, {_worth(other)}." for other in others]
    if thought.is_exact:
        known = "That is proved." if thought.is_whole else "That is proved, on average over the cards that may come."
    elif state.is_open(state.to_move):
        known = "Games were played on from each."
    else:
        known = "Games were played on from each, with what is hidden drawn anew."
    return " ".join([line, *nexts, known])


def _worth(estimate: "Estimate") -> str:
    return lead(estimate.value) if estimate.error is None else f"about {lead(round(estimate.value, 1))}"


def lead(value: float) -> str:
    """A lead in points in words.

    >>> lead(3), lead(-1), lead(0), lead(2.5)
    ('3 points ahead', '1 point behind', 'level', '2.5 points ahead')
    """
    if value == 0:
        return "level"
    points = f"{abs(value):.1f} points" if value % 1 else counted(abs(int(value)), "point")
    return f"{points} {'ahead' if value > 0 else 'behind'}"
