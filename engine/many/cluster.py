"""Playing games on a Dask cluster, and workers for one. Imported only if a cluster is used."""

import asyncio
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib.metadata import version
from multiprocessing import resource_tracker
from typing import Final

import dask

from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.many.runner import ChunkResult, Chunks, Play, Result, Task, block_interrupts, play_chunk

if "logging" not in dask.config.config:  # errors are raised; logging is off unless Dask is configured otherwise
    _names = ("asyncio", "distributed", "distributed.client", "distributed.gc", "tornado.application")
    _silent = dict.fromkeys(_names, "critical")
    # Workers inherit it through their environment, whose values Dask evaluates as Python.
    dask.config.set({"logging": _silent, "distributed.nanny.pre-spawn-environ.DASK_LOGGING": str(_silent)})

from distributed import Client, Future, Nanny
from distributed.comm import get_address_host_port
from distributed.scheduler import KilledWorker

_PENDING_PER_THREAD: Final = 3
"""The number of pending chunks per thread of the cluster."""
_SECONDS_TO_ANSWER: Final = 10
_SECONDS_WITHOUT_WORKERS: Final = 10
_SECONDS_TO_CLOSE: Final = 2
_POLL_SECONDS: Final = 0.2
_PRODUCT: Final = "ccgrid"
_RESUME_HINT: Final = "Repeat the command to continue; --resume keeps what was counted."


def play_on_cluster(work: Task[Result], chunks: Chunks, address: str) -> Iterator[ChunkResult[Result]]:
    """Yield the result of every chunk, in order, played by the workers of the cluster.

    A chunk is a task: if a worker is lost, the cluster gives its chunks to others, and each result is used once.

    Raises:
        EngineError: If there is no cluster, it has had no worker for ten seconds, a worker has another version, or the
            connection was lost. Errors of the task are raised as well.
    """
    with _connection(address) as client:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_WITHOUT_WORKERS)
        except TimeoutError:
            raise _no_worker_error(address) from None
        _check_workers(client)
        yield from _submit_chunks(work, chunks, client, address)


def start_workers(address: str, count: int, announce: Callable[[], object]) -> None:
    """Run `count` worker processes of one thread for a cluster until it ends.

    Args:
        address: The address of the scheduler.
        count: The number of processes.
        announce: Called once the workers are running.

    Raises:
        EngineError: If there is no cluster, its programs have other versions, or it has ended.
        KeyboardInterrupt: If the user interrupts it.
    """
    with _connection(address) as client:
        _check_scheduler(client, address)
        _check_workers(client)
    if hasattr(signal, "pthread_sigmask"):  # otherwise nothing is blocked, and Windows has no tracker to start
        # Python starts the tracker sooner or later and then unblocks SIGINT, which would deliver a blocked interrupt.
        resource_tracker.ensure_running()
    # A terminal sends Ctrl-C to the workers as well, and each would print an error. Dask raises the suppressed errors
    # if the cluster is lost during start-up.
    with block_interrupts(), suppress(OSError, RuntimeError):
        asyncio.run(_work(address, count, announce))
    raise EngineError(f"the cluster at {quoted(address)} has stopped: restart its scheduler, then these workers")


@contextmanager
def _connection(address: str) -> Iterator[Client]:
    is_secure = address.startswith("tls://")
    if is_secure and not dask.config.get("distributed.comm.tls.ca-file"):
        raise EngineError(f"{quoted(address)} takes certificates: name them in Dask's settings distributed.comm.tls")
    try:
        get_address_host_port(address)  # validate early: Dask reports a malformed address late and cryptically
        client = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError, AssertionError):  # AssertionError: too busy to send the request
        hint = (
            "is its scheduler running, and do the certificates belong to it?"
            if is_secure
            else "is its scheduler running?"
        )
        raise EngineError(f"no Dask cluster answers at {quoted(address)}: {hint}") from None
    try:
        yield client
    except (KilledWorker, CancelledError, OSError):
        raise EngineError(f"the cluster at {quoted(address)} was lost: start it again.\n{_RESUME_HINT}") from None
    finally:
        client.close(timeout=_SECONDS_TO_CLOSE)


def _no_worker_error(address: str) -> EngineError:
    return EngineError(f"the cluster at {quoted(address)} has no workers. To start some: ccgrid workers {address}")


def _check_workers(client: Client) -> None:
    local = version(_PRODUCT)
    # "return": for a worker without ccgrid, the result is the error instead of the version.
    for worker, remote in client.run(version, _PRODUCT, on_error="return").items():
        if remote != local:
            has = f"version {remote}" if isinstance(remote, str) else f"no {_PRODUCT}"
            raise EngineError(
                f"the worker {worker} of the cluster has {has}, and this machine {local}: install the same there"
            )


def _check_scheduler(client: Client, address: str) -> None:
    found = client.get_versions(check=False)
    for name in ("python", "distributed"):
        remote, local = (found[end]["packages"][name] for end in ("scheduler", "client"))
        if name == "python":  # for compatibility, 3.12.1 and 3.12.2 are equal
            remote, local = (".".join(full.split(".")[:2]) for full in (remote, local))
        if remote != local:
            raise EngineError(f"the scheduler at {quoted(address)} has {name} {remote}, and here is {local}")


def _submit_chunks(work: Task[Result], chunks: Chunks, client: Client, address: str) -> Iterator[ChunkResult[Result]]:
    # As the result of a task, the table can be recomputed if the worker that held it is lost.
    table = client.submit(_identity, work.table, pure=False)
    # Only as many tasks as keep all threads busy, so that numbers are assigned shortly before they are played.
    most = _PENDING_PER_THREAD * sum(client.nthreads().values())
    waiting: deque[Future[ChunkResult[Result]]] = deque()
    while chunks or waiting:
        while chunks and len(waiting) < most:
            # `pure=False`: two tasks of the same function and arguments are not merged.
            task = client.submit(_play, work.play, table, _ends(chunks.take()), version(_PRODUCT), pure=False)
            waiting.append(task)
        result: ChunkResult[Result] = _result(waiting.popleft(), client, address)
        chunks.adapt_size(result.numbers, result.seconds)
        yield result


def _result(task: "Future[ChunkResult[Result]]", client: Client, address: str) -> ChunkResult[Result]:
    """Wait for the result of a task as long as the cluster has workers."""
    # Only the time without any worker counts, not the duration of a chunk.
    last_seen = time.monotonic()
    while True:
        try:
            return task.result(timeout=1)  # type: ignore[no-any-return]
        except TimeoutError:
            if client.nthreads():
                last_seen = time.monotonic()
            elif time.monotonic() - last_seen > _SECONDS_WITHOUT_WORKERS:
                raise EngineError(f"{_no_worker_error(address)}\n{_RESUME_HINT}") from None


def _identity(table: object) -> object:
    return table


def _ends(numbers: range) -> tuple[int, int]:
    """Return the ends of a range: Dask would interpret a range as a list of tasks."""
    return numbers.start, numbers.stop


def _play(play: Play[Result], table: object, ends: tuple[int, int], wanted: str) -> ChunkResult[Result]:
    if (local := version(_PRODUCT)) != wanted:  # checked here too, for workers that joined later
        raise EngineError(f"a worker of the cluster has version {local}, and not {wanted}: install the same there")
    return play_chunk(play, table, range(*ends))


async def _work(address: str, count: int, announce: Callable[[], object]) -> None:
    """Run workers until the cluster ends or an interrupt is pending."""
    nannies = [Nanny(address, nthreads=1, dashboard_address=None) for _ in range(count)]
    starting = asyncio.gather(*nannies)

    async def work() -> None:
        # Shielded: cancelling this coroutine must not stop processes halfway through their start.
        await asyncio.shield(starting)
        announce()
        await asyncio.gather(*(nanny.finished() for nanny in nannies))

    working = asyncio.create_task(work())
    try:
        while not working.done():
            await asyncio.wait({working}, timeout=_POLL_SECONDS)
            # SIGINT is blocked (`start_workers`): check periodically whether one is pending.
            if hasattr(signal, "sigpending") and signal.SIGINT in signal.sigpending():
                return
        await working
    finally:
        working.cancel()
        # Dask starts each process in a separate thread, which prints errors if it is abandoned halfway.
        await asyncio.wait({starting}, timeout=_SECONDS_TO_ANSWER)
        starting.cancel()
        closing = (nanny.close(timeout=_SECONDS_TO_CLOSE) for nanny in nannies)
        await asyncio.gather(*closing, starting, return_exceptions=True)
