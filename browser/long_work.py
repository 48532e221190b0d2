"""Long work in a second worker with the same program, so that pages answer meanwhile; calls and results are pickled."""

import pickle
import time
from collections.abc import Callable
from typing import Any

from ccgrid.services import session  # noqa: F401  a second worker that has it answers at once

_SECONDS = 0.1
"""Seconds between two reports of progress."""


def work(task: bytes, tell: Callable[..., object]) -> bytes:
    """Make a pickled call in the second worker, and return the pickled result, or the error."""
    call, arguments, reports = pickle.loads(task)  # noqa: S301  from the first worker
    told = time.monotonic()

    def progress(*given: int) -> None:
        nonlocal told
        if time.monotonic() - told >= _SECONDS:
            told = time.monotonic()
            tell(*given)

    try:
        result = True, call(*arguments, progress=progress) if reports else call(*arguments)
    except Exception as error:
        result = False, error
    return pickle.dumps(result)


async def run_long(call: Callable[..., Any], /, *arguments: Any, progress: Callable[..., object] | None = None) -> Any:
    """Let the second worker make a call; if `progress` raises an error, the worker is ended, and the error raised."""
    from js import compute  # type: ignore[import-not-found]  # only the first worker defines it
    from pyodide.ffi import create_proxy, to_js  # type: ignore[import-not-found]

    stopped: list[Exception] = []

    def goes_on(*given: int) -> bool:
        try:
            if progress is not None:
                progress(*given)
        except Exception as error:
            stopped.append(error)
        return not stopped

    proxy = create_proxy(goes_on)
    try:
        answer = await compute(to_js(pickle.dumps((call, arguments, progress is not None))), proxy)
    finally:
        proxy.destroy()
    if stopped:
        raise stopped[0]
    is_done, result = pickle.loads(answer.to_bytes())  # noqa: S301  from the second worker
    if not is_done:
        raise result
    return result
