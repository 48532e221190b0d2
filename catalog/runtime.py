"""Packages whose modules are imported when they are first asked for, so that naming many of them costs nothing."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType


def lazy_modules(package: str) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package: imports the module that is asked for; AttributeError where there is none."""

    def module(name: str) -> ModuleType:
        called = f"{package}.{name}"
        try:
            return import_module(called)
        except ModuleNotFoundError as error:
            if error.name != called:
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return module


@contextmanager
def no_collector() -> Iterator[None]:
    """Rows hold no cycles, and what is loaded stays: looking for cycles there would only cost time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
