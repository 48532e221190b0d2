"""Modules of a package that are imported on first use."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def lazy_modules(package: str) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package: imports the module that is asked for; AttributeError where there is none."""

    def module(name: str) -> ModuleType:
        called = f"{package}.{name}"
        try:
            return import_module(called)
        except ModuleNotFoundError as error:
            # A module that is there and lacks another one is a defect, and no missing name.
            if error.name != called:
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return module


@cache
def has_part(package: str, part: str) -> bool:
    """Return whether a package has a module of this name. Nothing is imported."""
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
    """What a package hands out as a part: what its module of this name calls by the same name in capitals.

    The module is imported when it is first asked for. None where there is no such module.
    """
    return getattr(import_module(f"{package}.{part}"), part.upper()) if has_part(package, part) else None


@cache
def load_module(package: str, part: str) -> ModuleType | None:
    """The module of a package with this name, imported when it is first asked for; None where there is none."""
    return import_module(f"{package}.{part}") if has_part(package, part) else None
