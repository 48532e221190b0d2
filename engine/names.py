"""What people type when they mean a card and a place: the beginning of a word of its name, large letters or small."""

from collections.abc import Collection, Sequence
from typing import Final

_ONTO: Final = ("on", "onto", "at", "to")


def called(name: str, held: Sequence[str]) -> tuple[str, ...]:
    """Which cards a person calls so: the one of this name, else those of which a word begins so; all, for no name.

    >>> called("war", ("Gate Warden", "Warlock", "Toward"))
    ('Gate Warden', 'Warlock')
    """
    if name in held:
        return (name,)
    wanted = name.casefold()
    same = tuple(one for one in held if one.casefold() == wanted)
    return same or tuple(one for one in held if f" {wanted}" in f" {one.casefold()}")


def read_place(text: str, cells: Collection[str], held: Collection[str]) -> tuple[str, str]:
    """The card's name and the cell in what a person typed, each empty where it is not in there.

    >>> read_place("gate on B2", ("b2",), ())
    ('gate', 'b2')
    """
    cell = text[-2:].lower()
    if text in held or cell not in cells or text[-3:-2].isalnum():
        return text, ""
    name = text[:-2].rstrip()
    if name in held:
        return name, cell
    if name.endswith("@"):
        return name[:-1].rstrip(), cell
    before, _, last = name.rpartition(" ")
    return (before.rstrip() if last.lower() in _ONTO else name), cell
