"""Binding of functions written for all games to the core of one game.

`games`, `rounds` and `solving` call functions of the contract `engine.rows.core`. Bound to a core, they call its
functions, or the contract's if it does not define them. All functions of this package that they call are bound as well.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Final, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

CONTRACT: Final = "ccgrid.engine.rows.core"
EMPTY: Final[Mapping[str, object]] = MappingProxyType({})
# Functions of other packages (`math.sqrt`) call no core: they remain unchanged.
_OWN_PACKAGES: Final = "ccgrid.engine."


def backend(*, is_compiled: bool) -> ModuleType:
    """Return the module that makes rows and binds functions: `compiling`, which only this imports, or `plain`."""
    return import_module(f"ccgrid.engine.rows.{'compiling' if is_compiled else 'plain'}")


def not_inlined(function: Function) -> Function:
    """Mark a large function that is not inlined when compiled; all others are inlined into their callers.

    Inlining pays because passing a table and a position takes longer than most functions.
    """
    function.__dict__["not_inlined"] = True
    return function


def compiled_as(twin: Callable[..., object]) -> Callable[[Function], Function]:
    """Return a decorator that sets the function to compile in place of the decorated one."""

    def mark(function: Function) -> Function:
        function.__dict__["twin"] = twin
        return function

    return mark


def part_of_contract(function: Function) -> Function:
    """Mark a function outside the module of the contract for which a core may define its own."""
    function.__dict__["part_of_contract"] = True
    return function


def bound(function: Function, core: ModuleType) -> Function:
    """Return a function bound to this core, in plain Python."""
    return cast("Function", _bound(function, core))


@cache
def _bound(function: Callable[..., object], core: ModuleType) -> Callable[..., object]:
    # Plain Python calls the copy directly, without further processing.
    return Binding(core, lambda again, original: again, in_core, getattr(core, "IN_PLAIN_PYTHON", {})).of(function)


def outside(function: Function, core: ModuleType, *, is_compiled: bool) -> Function:
    """Return a function of a core that is never compiled, such as `games`, for compiled or plain games.

    It is bound only if names of the core have other values in plain Python.
    """
    return function if is_compiled or "IN_PLAIN_PYTHON" not in vars(core) else bound(function, core)


class Binding:
    """Binds functions to a core, each once; `finish` may replace each bound function, for example by a compiled one."""

    def __init__(
        self,
        core: ModuleType,
        finish: Callable[[FunctionType, FunctionType], Callable[..., object]],
        resolve: Callable[[FunctionType, ModuleType], FunctionType],
        other: Mapping[str, object] = EMPTY,
    ) -> None:
        """`resolve` returns the core's version of a function; `other` overrides values of names of the core."""
        self._core = core
        self._finish = finish
        self._resolve = resolve
        self._other = other
        self._made: dict[FunctionType, Callable[..., object]] = {}
        self._globals: dict[str, dict[str, object]] = {}

    def of(self, unbound: Callable[..., object]) -> Callable[..., object]:
        """Return a function bound to the core."""
        # `over` of the contract and `over` of the core both resolve to the core's function, which is bound once.
        function = self._resolve(cast("FunctionType", unbound), self._core)
        if function not in self._made:
            # All bound functions of a module share a copy of its globals, in which names of the contract refer to this
            # core.
            names = self._globals.setdefault(function.__module__, dict(function.__globals__))
            if function.__globals__.get("__package__") == self._core.__package__:
                names |= self._other
            # Equal code with other globals: nothing is parsed again, and `over` in it finds the core's `over`.
            again = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            again.__qualname__, again.__kwdefaults__ = function.__qualname__, function.__kwdefaults__
            # Registered before its names are resolved: it may be recursive.
            self._made[function] = self._finish(again, function)
            for name, other in calls(function):
                names[name] = self.of(other)
        return self._made[function]


def in_core(function: Function, core: ModuleType) -> Function:
    """Return the core's own version of a function of the contract; return any other function unchanged."""
    if function.__module__ != CONTRACT and not function.__dict__.get("part_of_contract"):
        return function
    found: Function = vars(core).get(function.__name__, function)
    return found


def calls(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of this package that a function uses, with the names by which it does."""
    # A dict instead of a set: code order, so that hashes of it (`saved_code.code_folder`) are reproducible.
    for name in dict.fromkeys(_names(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith(_OWN_PACKAGES):
            yield name, value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    # Comprehensions and lambdas are code objects among the constants.
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
