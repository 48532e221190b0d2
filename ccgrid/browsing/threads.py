"""Work in other threads. Servers start threads only here, so that only this module differs where there are none."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


async def run_in_thread(
    call: Callable[_Arguments, _Result], /, *arguments: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Make a call in another thread, so that the server answers other requests meanwhile."""
    return await asyncio.to_thread(call, *arguments, **named)
