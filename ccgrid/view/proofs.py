"""Shows what positions are worth: values proved, best lines."""

from ccgrid.view.names import player_name
from ccgrid.view.output import show
from ccgrid.view.words import counted
from engine.search import Proof


def show_proof(proof: Proof) -> None:
    """Show what was proved of a position (`solve --json`)."""
    player = player_name(proof.player)
    if proof.value is None:
        show(f"Not proved to the end: {player}, to move, ends between {lead(proof.low)} and {lead(proof.high)}.")
    else:
        show(f"Proved: {player}, to move, ends {lead(proof.value)} when both play best.")
        for number, move in enumerate(proof.line, 1):
            show(f"{number:>3}. {move}")
    show(f"{counted(proof.nodes, 'position')} looked at in {proof.seconds:.2f} s.")


def lead(value: float) -> str:
    """A lead in points in words.

    >>> lead(3), lead(-1), lead(0)
    ('3 points ahead', '1 point behind', 'level')
    """
    if value == 0:
        return "level"
    return f"{counted(abs(int(value)), 'point')} {'ahead' if value > 0 else 'behind'}"
