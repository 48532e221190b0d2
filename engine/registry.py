"""Finding an entry of a registry by its name, with help where there is none."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from engine.errors import UnknownNameError, quoted


class Named(Protocol):
    """What a registry holds."""

    @property
    def name(self) -> str:
        """What people type."""


Entry = TypeVar("Entry", bound=Named)


def find_named(kind: str, name: str, registry: Sequence[Entry]) -> Entry:
    """The entry of a registry with this name.

    Raises:
        UnknownNameError: there is none; says which there are and which was perhaps meant.
    """
    for entry in registry:
        if entry.name == name:
            return entry
    import difflib  # only needed when something is misspelt

    names = [entry.name for entry in registry]
    close = difflib.get_close_matches(name.lower()[:50], names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise UnknownNameError(f"no {kind} is called {quoted(name)}: {hint}there are {', '.join(names)}")
