"""Modules of a package that are imported on first use."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def lazy_modules(package: str) -> Callable[[str], ModuleType]:
    """Return the `__getattr__` of a package that imports its modules on first use.

    The function raises AttributeError if there is no such module.
    """

    def module(name: str) -> ModuleType:
        called = f"{package}.{name}"
        try:
            return import_module(called)
        except ModuleNotFoundError as error:
            # A missing module within an existing one is a bug, not a missing name.
            if error.name != called:
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return module


@cache
def has_part(package: str, part: str) -> bool:
    """Return whether a package has a module, without importing it."""
    folders = _folders(package)
    return folders is not None and PathFinder.find_spec(f"{package}.{part}", folders) is not None


@cache
def _folders(package: str) -> list[str] | None:
    """Return the folders in which the modules of a package are, or None if there is no such package."""
    # `find_spec` of a dotted name would import the packages above it.
    above, _, _ = package.rpartition(".")
    if not above:
        spec = find_spec(package)
    else:
        folders = _folders(above)
        spec = None if folders is None else PathFinder.find_spec(package, folders)
    return None if spec is None else spec.submodule_search_locations


@cache
def load_part(package: str, part: str) -> Any:
    """Return the value that a module of a package defines under its own name in capitals, or None.

    The module is imported on first use.
    """
    if not has_part(package, part):
        return None
    return getattr(import_module(f"{package}.{part}"), part.upper())
