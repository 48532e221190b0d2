"""Packages whose modules are imported when they are first asked for, so that naming many of them costs nothing."""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def opened_on_use(package: str) -> Callable[[str], ModuleType]:
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
