"""Work in other threads. Servers start threads only here, so that a program without threads can replace `run`."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

run: Callable[..., Awaitable[Any]] = asyncio.to_thread
"""Makes the calls."""


async def run_in_thread(
    call: Callable[_Arguments, _Result], /, *arguments: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Make a call in another thread, so that the server answers other requests meanwhile."""
    result: _Result = await run(call, *arguments, **named)
    return result
