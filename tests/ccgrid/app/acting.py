"""How a command that tests make up is run."""

from collections.abc import Callable

Run = Callable[[Callable[[], None]], int]
