"""Questions about typed numbers that may mean two things, such as 3/6."""

from collections.abc import Callable, Mapping

from ccgrid.catalog.list_index import parse_list_index
from ccgrid.catalog.typed_numbers import ambiguous_pairs, assumptions, meanings
from ccgrid.view.output import show


def clarify(
    printed: Mapping[str, str], ask: Callable[[str], str] | None, say: Callable[[str], object] = show
) -> dict[str, str]:
    """Return typed texts by place in which no pair such as 3/6 is ambiguous.

    Args:
        printed: the text of each place.
        ask: asks a question; without it, `say` reports what is assumed.
        say: prints a line.
    """
    if ask is None:
        for line in assumptions(printed):
            say(line)
        return dict(printed)
    clear = dict(printed)
    for place, text in printed.items():
        for pair in ambiguous_pairs(text):
            options = meanings(pair)
            for number, meaning in enumerate(options, 1):
                say(f"  {number}: {meaning}")
            try:
                place_in_list = parse_list_index(ask(f"What is {pair}? A number, or Enter for 1").strip(), len(options))
            except (EOFError, KeyboardInterrupt):
                place_in_list = None
            clear[place] = clear[place].replace(pair, list(options.values())[place_in_list or 0], 1)
    return clear
