"""Yes-or-no questions at a terminal."""

from ccgrid.catalog.errors import NotConfirmedError
from ccgrid.view.output import show
from ccgrid.view.streams import input_line


def ask_to_confirm(refused: NotConfirmedError) -> bool:
    """Ask for confirmation, and return whether the user agrees."""
    show(f"{str(refused).partition(';')[0]}.")
    return agrees("Do it? yes or no> ", "yes makes the change; anything else changes nothing.")


def agrees(question: str, explanation: str, *, usual: bool = False) -> bool:
    """Ask a yes-or-no question, and return the answer.

    Args:
        question: the prompt.
        explanation: shown if the user types a question mark.
        usual: the answer of an empty line.
    """
    try:
        while (answer := input_line(question).strip().casefold()) == "?":
            show(explanation)
    except (EOFError, KeyboardInterrupt):
        show("")
        return False
    return answer in ("y", "yes") or (usual and not answer)
