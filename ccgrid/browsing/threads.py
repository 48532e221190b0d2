"""Work in other threads. Servers start threads only here, so that a program without threads can replace it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

run: Callable[..., Awaitable[Any]] = asyncio.to_thread
"""Makes the calls."""


async def run_long(call: Callable[..., _Result], /, *arguments: object, progress: Callable[..., object]) -> _Result:
    """Make a call that may take minutes: all its effect is its result, and it and the result can be pickled.

    It reports to `progress`, which may raise an error to end it.
    """
    return await run_in_thread(call, *arguments, progress=progress)


async def run_briefly(call: Callable[..., _Result], /, *arguments: object) -> _Result:
    """Make a call that takes seconds at most, under the same conditions."""
    return await run_in_thread(call, *arguments)


async def run_in_thread(
    call: Callable[_Arguments, _Result], /, *arguments: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Make a call in another thread, so that the server answers other requests meanwhile."""
    result: _Result = await run(call, *arguments, **named)
    return result
