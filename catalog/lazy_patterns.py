"""Regular expressions that are compiled on first use, because compiling them slows the start of every command."""

import re
from collections.abc import Callable
from functools import partial
from typing import AnyStr, cast


class _LazyPattern:
    """A stand-in for a pattern, which is compiled when one of its attributes is read."""

    def __init__(self, compile_pattern: Callable[[], object]) -> None:
        self._compile = compile_pattern

    def __getattr__(self, name: str) -> object:
        value = getattr(self._compile(), name)
        setattr(self, name, value)  # the next time it is found without this method
        return value


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern to be used through its methods; functions of `re` do not take it.

    >>> lazy_pattern("[a-z]+").match("hat 3").group()
    'hat'
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(partial(re.compile, pattern, flags)))
