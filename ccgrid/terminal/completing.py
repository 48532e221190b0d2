"""The tabulator at a terminal: completes what is typed, where this Python can."""

from collections.abc import Callable, Sequence
from importlib import import_module

from catalog.matching.search import fold
from ccgrid.view.text import visible


def complete_lines(ends: Callable[[str], Sequence[str]] | None) -> None:
    """Lets the tabulator put in the whole lines that `ends` finds for the line so far; None ends that.

    What would act on the terminal is not among them: nobody could type it.
    """
    try:
        readline = import_module("readline")  # its import alone turns line editing on: not in a pipe
    except ImportError:  # this Python cannot complete names
        return
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0 and ends is not None:
            found[:] = [name for name in ends(readline.get_line_buffer()) if visible(name) == name]
        return found[state] if state < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(None if ends is None else complete)
    readline.parse_and_bind("tab: complete")


def kept_beginnings(line: str, names: Sequence[str]) -> list[str]:
    """The names as a tabulator may put them in: where there are several, each begins as the line was typed.

    What all of them share is put in place of the line, which would else become shorter where they are spelled
    otherwise.

    >>> kept_beginnings("aeth", ["Æther Vial", "Aether Hub"])
    ['aether Vial', 'aether Hub']
    """
    if len(names) < 2:
        return list(names)
    start = fold(line)
    found = []
    for name in names:
        ends = (end for end in range(len(name) + 1) if fold(name[:end]).startswith(start))
        found.append(line + name[next(ends, len(name)) :])
    return found
