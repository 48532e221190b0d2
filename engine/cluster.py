"""Games played by a Dask cluster that is there already; this module is imported where somebody names one."""

import logging
from collections import deque
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, Final

from distributed import Client, Future
from distributed.scheduler import KilledWorker

from engine.errors import EngineError, quoted
from engine.portions import Play, Played, Portions, Result, Work, played

_AHEAD: Final = 3
"""So many portions for each thread of the cluster are on their way."""
_SECONDS_TO_ANSWER: Final = 10
_PRODUCT: Final = "ccgrid"


def play_on_cluster(work: Work[Result], portions: Portions, address: str) -> Iterator[Played[Result]]:
    """What comes of every portion, in their order, played by the workers that the cluster has.

    A portion is a task: where a worker is lost, the cluster gives its portions to others, and each is taken once.

    Raises:
        EngineError: there is no cluster, it has no workers, or they have another version; it was lost on the way; and
            whatever playing raises.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is raised
    try:
        client = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError, AssertionError):  # the last where this machine is too busy to begin to ask
        raise EngineError(f"no Dask cluster answers at {quoted(address)}: is its scheduler running?") from None
    try:
        yield from _shared_out(work, portions, client, _threads(client, address))
    except (KilledWorker, OSError) as error:
        raise EngineError(f"the cluster at {quoted(address)} was lost: {type(error).__name__}") from None
    finally:
        client.close(timeout=_SECONDS_TO_ANSWER)


def _threads(client: "Client", address: str) -> int:
    threads: dict[str, int] = client.nthreads()
    if not threads:
        raise EngineError(f"the cluster at {quoted(address)} has no workers: start some, and try again")
    here = version(_PRODUCT)
    for worker, there in client.run(version, _PRODUCT, on_error="return").items():
        if there != here:
            has = f"version {there}" if isinstance(there, str) else f"no {_PRODUCT}"
            raise EngineError(f"the worker {worker} of the cluster has {has}: install version {here} there")
    return sum(threads.values())


def _shared_out(work: Work[Result], portions: Portions, client: "Client", threads: int) -> Iterator[Played[Result]]:
    # As what comes of a task the table can be made again where the worker that held it is lost.
    table = client.submit(_held, work.table, pure=False)
    waiting: deque[Future[Played[Result]]] = deque()
    while portions or waiting:
        while portions and len(waiting) < _AHEAD * threads:
            waiting.append(client.submit(_play, work.play, table, _ends(portions.take()), pure=False))
        done: Played[Result] = waiting.popleft().result()
        portions.took(done.numbers, done.seconds)
        yield done


def _held(table: Any) -> Any:
    return table


def _ends(numbers: range) -> tuple[int, int]:
    """A range as its ends, which a cluster does not take for a list of tasks."""
    return numbers.start, numbers.stop


def _play(play: Play[Result], table: Any, ends: tuple[int, int]) -> Played[Result]:
    return played(play, table, range(*ends))
