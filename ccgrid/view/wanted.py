"""Tables of sets that are not whole, and of what could change hands."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ccgrid.view.collection import show_holdings
from ccgrid.view.output import Column, can_draw, show, show_table
from ccgrid.view.text import counted

if TYPE_CHECKING:
    from ccgrid.catalog.holding import Holding
    from ccgrid.catalog.store.holdings import SetCount

_BAR: Final = 20
_SETS: Final = (
    Column("game"),
    Column("set", wrap=True),
    Column("code"),
    Column("owned", "right"),
    Column("of", "right"),
    Column("", spare=1),
    Column("copies", "right", spare=2),
)


def show_sets(counts: Sequence["SetCount"]) -> None:
    """Print how much of each set is owned, with a bar."""
    if not counts:
        show("You own no card of any set yet.")
        return
    show_table(
        _SETS,
        [
            (one.game, one.set_name, one.set_code, one.owned, one.cards, bar(one.owned, one.cards), one.copies)
            for one in counts
        ],
    )
    whole = sum(one.owned == one.cards for one in counts)
    show("", f"{counted(len(counts), 'set')}, {whole:,} complete.")


def bar(part: int, whole: int) -> str:
    """A bar and its part of a hundred; it is full only where nothing is missing, and empty only where all is."""
    filled = min(_BAR - 1, max(1, round(_BAR * part / whole))) if 0 < part < whole else _BAR * (part == whole)
    full, empty = ("█", "░") if can_draw() else ("#", ".")
    return f"{full * filled}{empty * (_BAR - filled)} {100 * part // whole:3} %"


def show_missing(counts: Sequence["SetCount"], missing: Sequence["Holding"]) -> None:
    """Print the numbers that each set lacks, and how many they are."""
    names = {(one.game, one.set_code): one for one in counts}
    for key, cards in groupby(missing, key=lambda one: (one.game, one.set_code)):
        found = list(cards)
        of_set = names.get(key)
        whole = f" of {of_set.cards:,}" if of_set else ""
        show(f"{found[0].set_name or found[0].set_code} ({key[1]}), {len(found):,}{whole} missing:")
        show(f"  {', '.join(numbers_in_words([one.number or one.name for one in found]))}", "")
    if not missing:
        show("Nothing is missing.")


def numbers_in_words(numbers: Sequence[str]) -> Iterator[str]:
    """Numbers in their order, those that follow each other as a range.

    >>> list(numbers_in_words(["1", "2", "3", "5", "7a", "8", "9"]))
    ['1-3', '5', '7a', '8', '9']
    """
    for _, run in groupby(enumerate(numbers), key=lambda pair: int(pair[1]) - pair[0] if pair[1].isdecimal() else pair):
        found = [number for _, number in run]
        yield from [f"{found[0]}-{found[-1]}"] if len(found) > _SHORTEST_RANGE else found


_SHORTEST_RANGE: Final = 2


def show_trade(give: Sequence["Holding"], take: Sequence["Holding"]) -> None:
    """Print what could be given, and what could be had for it."""
    show("You could give:", "")
    show_holdings(give)
    show("", "They could give:", "")
    show_holdings(take)
