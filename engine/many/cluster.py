"""Games played by a Dask cluster, and workers for it; this module is imported where somebody names one."""

import asyncio
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib.metadata import version
from multiprocessing import resource_tracker
from typing import Any, Final

import dask

from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.many.runner import Play, PortionResult, Portions, Result, Task, block_interrupts, play_portion

if "logging" not in dask.config.config:  # what goes wrong is raised, unless somebody asks for more
    _names = ("asyncio", "distributed", "distributed.client", "distributed.gc", "tornado.application")
    _silent = dict.fromkeys(_names, "critical")
    # What workers are told comes by their environment, which Dask evaluates as Python.
    dask.config.set({"logging": _silent, "distributed.nanny.pre-spawn-environ.DASK_LOGGING": str(_silent)})

from distributed import Client, Future, Nanny
from distributed.comm import get_address_host_port
from distributed.scheduler import KilledWorker

_AHEAD: Final = 3
"""Portions that are under way for each thread of the cluster."""
_SECONDS_TO_ANSWER: Final = 10
_SECONDS_WITHOUT_WORKERS: Final = 10
_SECONDS_TO_CLOSE: Final = 2
_SECONDS_BETWEEN_LOOKS: Final = 0.2
_PRODUCT: Final = "ccgrid"
_GO_ON: Final = "Repeat the command to continue; --resume keeps what was counted."


def play_on_cluster(work: Task[Result], portions: Portions, address: str) -> Iterator[PortionResult[Result]]:
    """What comes of every portion, in their order, played by the workers that the cluster has.

    A portion is a task: where a worker is lost, the cluster gives its portions to others, and each is taken once.

    Raises:
        EngineError: there is no cluster, it has had no worker for ten seconds, or workers have another version; it was
            lost on the way; and whatever playing raises.
    """
    with _connection(address) as client:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_WITHOUT_WORKERS)
        except TimeoutError:
            raise _no_worker(address) from None
        _check_workers(client)
        yield from _hand_out(work, portions, client, address)


def start_workers(address: str, count: int, announce: Callable[[], object]) -> None:
    """Works for a cluster with `count` processes of one thread until it ends; `announce` is called when they do.

    Raises:
        EngineError: there is no cluster, or its other programs have other versions; the cluster is gone.
        KeyboardInterrupt: somebody wanted it to end.
    """
    with _connection(address) as client:
        _check_scheduler(client, address)
        _check_workers(client)
    if hasattr(signal, "pthread_sigmask"):  # else nothing is blocked, and Windows has no tracker to start
        # Python starts it sooner or later, and unblocks SIGINT then: what was blocked before would come through.
        resource_tracker.ensure_running()
    # A terminal sends Ctrl-C to the workers as well, and each would complain. The errors are what Dask raises where the
    # cluster is lost while they start.
    with block_interrupts(), suppress(OSError, RuntimeError):
        asyncio.run(_work(address, count, announce))
    raise EngineError(f"the cluster at {quoted(address)} is gone: start its scheduler again, and then these workers")


@contextmanager
def _connection(address: str) -> Iterator[Client]:
    is_secure = address.startswith("tls://")
    if is_secure and not dask.config.get("distributed.comm.tls.ca-file"):
        raise EngineError(f"{quoted(address)} takes certificates: name them in Dask's settings distributed.comm.tls")
    try:
        get_address_host_port(address)  # of what is none Dask complains in its own words, and late
        client = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError, AssertionError):  # the last where this machine is too busy to begin to ask
        hint = (
            "is its scheduler running, and are the certificates its own?" if is_secure else "is its scheduler running?"
        )
        raise EngineError(f"no Dask cluster answers at {quoted(address)}: {hint}") from None
    try:
        yield client
    except (KilledWorker, CancelledError, OSError):
        raise EngineError(f"the cluster at {quoted(address)} was lost: start it again.\n{_GO_ON}") from None
    finally:
        client.close(timeout=_SECONDS_TO_CLOSE)


def _no_worker(address: str) -> EngineError:
    return EngineError(f"the cluster at {quoted(address)} has no workers. To start some: ccgrid workers {address}")


def _check_workers(client: Client) -> None:
    here = version(_PRODUCT)
    # "return": of a worker without ccgrid the error comes instead of its version.
    for worker, there in client.run(version, _PRODUCT, on_error="return").items():
        if there != here:
            has = f"version {there}" if isinstance(there, str) else f"no {_PRODUCT}"
            raise EngineError(
                f"the worker {worker} of the cluster has {has}, and this machine {here}: install the same there"
            )


def _check_scheduler(client: Client, address: str) -> None:
    found = client.get_versions(check=False)
    for name in ("python", "distributed"):
        there, here = (found[end]["packages"][name] for end in ("scheduler", "client"))
        if name == "python":  # to which 3.12.1 and 3.12.2 are the same
            there, here = (".".join(full.split(".")[:2]) for full in (there, here))
        if there != here:
            raise EngineError(f"the scheduler at {quoted(address)} has {name} {there}, and here is {here}")


def _hand_out(work: Task[Result], portions: Portions, client: Client, address: str) -> Iterator[PortionResult[Result]]:
    # As what comes of a task the table can be made again where the worker that held it is lost.
    table = client.submit(_as_result, work.table, pure=False)
    # As many tasks as keep all threads busy, and no more: numbers are not handed out long before they are played.
    most = _AHEAD * sum(client.nthreads().values())
    waiting: deque[Future[PortionResult[Result]]] = deque()
    while portions or waiting:
        while portions and len(waiting) < most:
            # `pure=False`: two tasks of the same function and arguments are not one.
            task = client.submit(_play, work.play, table, _ends(portions.take()), version(_PRODUCT), pure=False)
            waiting.append(task)
        result: PortionResult[Result] = _result(waiting.popleft(), client, address)
        portions.learn_pace(result.numbers, result.seconds)
        yield result


def _result(task: "Future[PortionResult[Result]]", client: Client, address: str) -> PortionResult[Result]:
    """What came of a task, waited for as long as there is somebody to carry it out."""
    # Time without any worker counts, not time that a portion takes.
    last_seen = time.monotonic()
    while True:
        try:
            return task.result(timeout=1)  # type: ignore[no-any-return]
        except TimeoutError:
            if client.nthreads():
                last_seen = time.monotonic()
            elif time.monotonic() - last_seen > _SECONDS_WITHOUT_WORKERS:
                raise EngineError(f"{_no_worker(address)}\n{_GO_ON}") from None


def _as_result(table: Any) -> Any:
    return table


def _ends(numbers: range) -> tuple[int, int]:
    """A range as its ends, which a cluster does not take for a list of tasks."""
    return numbers.start, numbers.stop


def _play(play: Play[Result], table: Any, ends: tuple[int, int], wanted: str) -> PortionResult[Result]:
    if (here := version(_PRODUCT)) != wanted:  # on a worker that came later
        raise EngineError(f"a worker of the cluster has version {here}, and not {wanted}: install the same there")
    return play_portion(play, table, range(*ends))


async def _work(address: str, count: int, announce: Callable[[], object]) -> None:
    """Works until the cluster ends, or an interrupt waits."""
    nannies = [Nanny(address, nthreads=1, dashboard_address=None) for _ in range(count)]
    starting = asyncio.gather(*nannies)

    async def work() -> None:
        # Cancelling this must not cancel the start of processes halfway.
        await asyncio.shield(starting)
        announce()
        await asyncio.gather(*(nanny.finished() for nanny in nannies))

    working = asyncio.create_task(work())
    try:
        while not working.done():
            await asyncio.wait({working}, timeout=_SECONDS_BETWEEN_LOOKS)
            # SIGINT is blocked (`start_workers`): whether one waits is asked for now and then.
            if hasattr(signal, "sigpending") and signal.SIGINT in signal.sigpending():
                return
        await working
    finally:
        working.cancel()
        # Dask starts a process in a thread of its own; one that is left half started complains.
        await asyncio.wait({starting}, timeout=_SECONDS_TO_ANSWER)
        starting.cancel()
        closing = (nanny.close(timeout=_SECONDS_TO_CLOSE) for nanny in nannies)
        await asyncio.gather(*closing, starting, return_exceptions=True)
