"""Long work for a page: its progress, and a button that stops it."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.errors import EngineError, UnknownNameError
from ccgrid.web.app_state import AppState

_MOST_KEPT: Final = 200
"""Maximum number of jobs; the oldest are dropped."""
_NUMBERS: Final = 1 << 30
"""Jobs are numbered from a random number below this."""


@dataclass
class Job:
    """Work of the server in the background.

    Attributes:
        number: a number that no other job has.
        what: a description.
        page: the page that explains why the job failed or was stopped.
        given: the fields of the form on that page.
        done: the progress in per cent; 0 if it is unknown.
        is_stopped: whether the user stopped it.
        task: the work, which returns the address of the page with its result.
    """

    number: int
    what: str
    page: str
    given: Mapping[str, str]
    done: int = 0
    is_stopped: bool = False
    task: asyncio.Task[str] = field(init=False)


class Jobs:
    """The jobs, and their pages."""

    def __init__(self, app: AppState) -> None:
        self._app = app
        self._jobs: dict[int, Job] = {}
        # Numbers that an earlier server did not give: a page may still wait for one of its jobs.
        self._numbers = count(secrets.randbelow(_NUMBERS))

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [Route("/jobs/{number:int}", self._page), Route("/jobs/{number:int}/stop", self._stop, methods=["POST"])]

    def start(
        self,
        what: str,
        page: str,
        given: Mapping[str, str],
        work: Callable[[Callable[..., None]], Coroutine[Any, Any, str]],
    ) -> Job:
        """Start a job, which calls its argument with what is done, and the total if it is known."""
        job = Job(next(self._numbers), what, page, given)

        # Called now and then by the worker thread; raising an error is the way to stop it.
        def report(done: int, total: int = 0) -> None:
            self._app.check_running()
            if job.is_stopped:
                raise EngineError(f"Stopped: {what}.")
            job.done = 100 * done // total if total else 0

        job.task = asyncio.create_task(work(report))
        # asyncio reports errors that are never retrieved.
        job.task.add_done_callback(lambda done: done.cancelled() or done.exception())  # the guest may have left
        # Keep the newest jobs: dicts are ordered by insertion.
        self._jobs = dict([*self._jobs.items(), (job.number, job)][-_MOST_KEPT:])
        return job

    def show(self, request: Request, job: Job) -> Response:
        """Redirect to the page of a job."""
        return self._app.redirect(request, f"/jobs/{job.number}")

    def _find(self, request: Request) -> Job:
        job = self._jobs.get(request.path_params["number"])
        if job is None:
            raise UnknownNameError("This work has ended, or the server was restarted.")
        return job

    async def _page(self, request: Request) -> Response:
        job = self._find(request)
        # Wait half a second, so that short jobs need no progress page; `wait_for` would cancel the job.
        await asyncio.wait([job.task], timeout=0.5)
        if not job.task.done():
            return self._app.render(request, "work.html", work=job)
        try:
            return self._app.redirect(request, job.task.result())
        except (CatalogError, EngineError) as error:
            return self._app.redirect_back(request, job.page, job.given, str(error))

    async def _stop(self, request: Request) -> Response:
        job = self._find(request)
        await self._app.read_fields(request)
        job.is_stopped = True
        return self.show(request, job)
