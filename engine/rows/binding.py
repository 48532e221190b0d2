"""How what is written for every game is bound to the core of one: the same functions, which call this core.

`games`, `rounds` and `solving` call what `engine.rows.core` names. Bound to a core they call the functions of this
core; those that it does not have are as `engine.rows.core` says. Bound are also all functions of ours that they call.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, Final, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

CONTRACT: Final = "ccgrid.engine.rows.core"
EMPTY: Final[Mapping[str, object]] = MappingProxyType({})
# Functions of other packages (`math.sqrt`) call nothing of a core: they stay as they are.
_OURS: Final = "ccgrid.engine."


def not_inlined(function: Function) -> Function:
    """Marks a large function that stays one when it is compiled; any other becomes part of those that call it.

    To hand over a table and a position takes longer than most of what is done with them.
    """
    function.__dict__["not_inlined"] = True
    return function


def compiled_as(twin: Callable[..., Any]) -> Callable[[Function], Function]:
    """Says what a function is when it is compiled, if not itself."""

    def mark(function: Function) -> Function:
        function.__dict__["twin"] = twin
        return function

    return mark


@cache
def bound(function: Callable[..., Any], core: ModuleType) -> Callable[..., Any]:
    """A function that calls this core, in plain Python."""
    # Plain Python needs nothing made of the copy: it is called as it is.
    binding = Binding(core, lambda again, original: again, in_core, getattr(core, "IN_PLAIN_PYTHON", {}))
    made: Callable[..., Any] = binding.of(function)
    return made


def outside(function: Callable[..., Any], core: ModuleType, *, is_compiled: bool) -> Callable[..., Any]:
    """A function of a core that is never compiled, such as `games`, for games that are, or are not.

    It is bound only where names of the core have other values in plain Python.
    """
    return function if is_compiled or "IN_PLAIN_PYTHON" not in vars(core) else bound(function, core)


class Binding:
    """Binds functions to a core, each once; `finish` may make something else of each, by which others call it."""

    def __init__(
        self,
        core: ModuleType,
        finish: Callable[[Any, FunctionType], Any],
        resolve: Callable[[FunctionType, ModuleType], FunctionType],
        other: Mapping[str, object] = EMPTY,
    ) -> None:
        """`resolve` says for which function one stands; `other` are the values that names of the core have instead."""
        self._core = core
        self._finish = finish
        self._resolve = resolve
        self._other = other
        self._made: dict[FunctionType, Any] = {}
        self._globals: dict[str, dict[str, Any]] = {}

    def of(self, function: Any) -> Any:
        """What is made of a function, bound to the core."""
        # `over` of the contract becomes `over` of the core here, so both names lead to one copy.
        function = self._resolve(function, self._core)
        if function not in self._made:
            # A copy of the globals of its module for all functions of that module: in it names of the contract mean
            # this core.
            names = self._globals.setdefault(function.__module__, dict(function.__globals__))
            if function.__module__ == self._core.__name__:
                names |= self._other
            # The same code with other globals: nothing is parsed or copied, and `over` in it finds the core's `over`.
            again = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            again.__qualname__, again.__kwdefaults__ = function.__qualname__, function.__kwdefaults__
            self._made[function] = self._finish(again, function)  # known before its names are: it may call itself
            for name, other in calls(function):
                names[name] = self.of(other)
        return self._made[function]


def in_core(function: FunctionType, core: ModuleType) -> FunctionType:
    """The core's own version of a function of the contract; any other function is itself."""
    if function.__module__ != CONTRACT:
        return function
    found: FunctionType = vars(core).get(function.__name__, function)
    return found


def calls(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """The functions of ours whose names a function uses."""
    # A dictionary and no set: the order of the code, so that what is hashed of it (`compiling._folder`) stays the same.
    for name in dict.fromkeys(_names(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith(_OURS):
            yield name, value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    # Comprehensions and lambdas are code of their own among the constants.
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
