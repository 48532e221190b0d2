"""Workers of this machine for a cluster that plays many games."""

from collections.abc import Callable

from engine.many.runner import start_workers
from engine.many.workers import cores


def work(address: str, workers: int | None, announce: Callable[[int], object]) -> None:
    """Works for the cluster at an address until it ends; `announce` is given the number of workers that have begun.

    Raises:
        EngineError: there is no cluster, it has other versions, or it is gone; or the extra is not installed.
        KeyboardInterrupt: somebody wanted it to end.
    """
    count = workers or cores()
    start_workers(address, count, lambda: announce(count))
