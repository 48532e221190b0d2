"""Questions at a terminal that are answered in one line."""

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
    answer = ask_line(question, explanation)
    return answer is not None and (answer.casefold() in ("y", "yes") or (usual and not answer))


def ask_line(question: str, explanation: str) -> str | None:
    """Ask a question, and return the answer; None if the input ends, or the user interrupts.

    `explanation` is shown if the user types a question mark.
    """
    try:
        while (answer := input_line(question).strip()) == "?":
            show(explanation)
    except (EOFError, KeyboardInterrupt):
        show("")
        return None
    return answer
