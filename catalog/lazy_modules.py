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
    # `find_spec` of a dotted name would import the packages above it.
    name, *inner = *package.split("."), part
    spec = find_spec(name)
    for word in inner:
        if spec is None or spec.submodule_search_locations is None:
            return False
        name = f"{name}.{word}"
        spec = PathFinder.find_spec(name, spec.submodule_search_locations)
    return spec is not None


@cache
def load_part(package: str, part: str) -> Any:
    """Return the value that a module of a package defines under its own name in capitals, or None.

    The module is imported on first use.
    """
    return getattr(import_module(f"{package}.{part}"), part.upper()) if has_part(package, part) else None


@cache
def load_module(package: str, part: str) -> ModuleType | None:
    """Import a module of a package on first use, or return None if it does not exist."""
    return import_module(f"{package}.{part}") if has_part(package, part) else None
