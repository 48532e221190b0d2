"""Registries: finding an entry by its name, with help where there is none; and what lies in a registered package."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Protocol, TypeVar

from ccgrid.engine.errors import UnknownNameError, harmless


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
    check_name(kind, name, [entry.name for entry in registry])
    return next(entry for entry in registry if entry.name == name)


def check_name(kind: str, name: str, names: Sequence[str]) -> None:
    """Refuses a name that is not one of these; raises UnknownNameError, which says which was perhaps meant."""
    if name in names:
        return
    import difflib  # only needed when something is misspelt

    close = difflib.get_close_matches(name.lower()[:50], names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise UnknownNameError(f"There is no {kind} '{harmless(name)}'.{hint} There are: {', '.join(names)}.")


@cache
def has_part(package: str, part: str) -> bool:
    """Whether a package has a module of this name, which is not imported for that."""
    return find_spec(f"{package}.{part}") is not None


@cache
def part_of(package: str, part: str) -> Any:
    """What a package hands out as a part: what its module of this name calls by the same name in capitals.

    The module is imported when it is first asked for. None where there is no such module.
    """
    return getattr(import_module(f"{package}.{part}"), part.upper()) if has_part(package, part) else None


@cache
def module_of(package: str, part: str) -> ModuleType | None:
    """The module of a package with this name, imported when it is first asked for; None where there is none."""
    return import_module(f"{package}.{part}") if has_part(package, part) else None
