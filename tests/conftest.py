"""Fixtures and hooks for all tests: the folder of real files, a shell, and the order of collection."""

import atexit
import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from helpers.browsers import browser  # noqa: F401  a fixture
from helpers.catalogues import Shell, starter  # noqa: F401  a fixture
from helpers.collection_catalogue import lenient, matcher, owned, template  # noqa: F401  fixtures
from helpers.command_examples import hostile, world  # noqa: F401  fixtures
from helpers.hypothesis_examples import EXAMPLES
from helpers.null_device import device  # noqa: F401  a fixture
from helpers.processes import end_all
from hypothesis import HealthCheck, settings

from ccgrid.engine.games import GAMES

if sys.dont_write_bytecode and not sys.pycache_prefix:  # Otherwise every process compiles the program.
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = tempfile.mkdtemp(prefix="tests-of-ccgrid-")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    atexit.register(shutil.rmtree, sys.pycache_prefix, ignore_errors=True)

# Compiled kernels are cached between runs, but not in the user's home.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).resolve().parents[1] / ".pytest_cache")
os.environ.pop("PYTHONUNBUFFERED", None)  # It makes Python lose output that a signal interrupts.

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # Shells ignore it for background jobs.
    signal.signal(signal.SIGINT, signal.default_int_handler)  # Tests interrupt the programs that they start.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # `nohup` ignores it.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile(  # Results must not depend on the load of the machine or on chance.
    "patient",
    deadline=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not os.environ.get("CCGRID_NEW_EXAMPLES"),
)
settings.load_profile("patient")

collect_ignore = ["fifth_game"]  # This game is not part of the program; a test adds it to a copy.

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return the number of processors that this process may use, for `-n auto`.

    Tests of one game run in one process, because collecting them in several takes longer than running them.
    """
    if config.getoption("game"):
        return 0
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", metavar="NAME", help="run what concerns this game alone")
    parser.addoption("--list-skipped", metavar="FILE", help="write down the tests and files that are skipped")
    parser.addoption("--rest", metavar="FILE", help="run slow tests, and those of the file of `--list-skipped`")


class SkippedList:
    """A plug-in that writes down which tests and files are skipped, so that they can run where more is installed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped: dict[str, None] = {}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped[report.nodeid] = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped[report.nodeid] = None

    def pytest_sessionfinish(self) -> None:
        self.path.write_text("".join(f"{node}\n" for node in self.skipped), encoding="utf-8")


GENERAL_TESTS = ("test_layers.py", "test_game_names.py", "test_packaging.py")
"""Tests of every module, including those of a game."""


class OneGame:
    """A plug-in that selects the tests of one game: by a parameter, in a folder of its name, or of all games."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asks_of_games = re.compile(rf"\bGAMES\b|\bevery_game\b|\b{re.escape(name)}\b".encode())

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Skip the import of files that mention neither this game nor all games."""
        if collection_path.suffix != ".py":
            return None
        if self.is_own(collection_path) or collection_path.name in GENERAL_TESTS:
            return None
        is_test = collection_path.name.startswith("test_") and "tests" in collection_path.parts
        return None if is_test and self.asks_of_games.search(collection_path.read_bytes()) else True

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect the tests of other games."""
        chosen = [item for item in items if self.concerns(item)]
        config.hook.pytest_deselected(items=[item for item in items if not self.concerns(item)])
        items[:] = chosen

    def is_own(self, path: Path) -> bool:
        return self.name in path.parts[-3:-1]

    def concerns(self, item: pytest.Item) -> bool:
        """Return whether a test is about the game."""
        values = (
            [*item.callspec.params.values()] if isinstance(item, pytest.Function) and hasattr(item, "callspec") else []
        )
        is_named = any(value == self.name or getattr(value, "name", None) == self.name for value in values)
        code = getattr(getattr(item, "function", None), "__code__", None)
        asks_of_all = not values and code is not None and "GAMES" in code.co_names
        return is_named or asks_of_all or self.is_own(item.path) or item.path.name in GENERAL_TESTS


def pytest_configure(config: pytest.Config) -> None:
    if name := config.getoption("game"):
        if name not in GAMES.names:
            raise pytest.UsageError(f"no game is called {name}: there are {', '.join(GAMES.names)}")
        config.pluginmanager.register(OneGame(name))
    if (path := config.getoption("list_skipped")) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SkippedList(Path(path)))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need a browser or the folder of real files as slow; with `--rest`, select the remaining tests."""
    for item in items:
        if not {"browser", "shared_data"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    if path := config.getoption("rest"):
        skipped = {*Path(path).read_text(encoding="utf-8").splitlines()}
        items[:] = [
            item
            for item in items
            if item.get_closest_marker("slow") or any(node.nodeid in skipped for node in item.listchain())
        ]


def compile_own_share(config: pytest.Config) -> None:
    """Import the tests in each worker process from a different start, so that workers share the compiled files.

    Rewriting the assertions of hundreds of files takes longer than the rest of the collection.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or config.getoption("game") or config.args != config.getini("testpaths"):
        return
    paths = sorted(path for path in Path(__file__).parent.rglob("test_*.py") if "fifth_game" not in path.parts)
    begin = int(worker["workerid"].removeprefix("gw")) * len(paths) // worker["workercount"]
    for path in paths[begin:] + paths[:begin]:
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        with suppress(Exception, pytest.skip.Exception):  # The collection reports errors and skips.
            import_module(path.stem)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Disable garbage collection during the collection, whose many objects live until the end."""
    gc.disable()
    try:
        compile_own_share(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """End the processes of a test before its folder is removed and the next test begins."""
    try:
        end_all()
    finally:
        result = yield
    return result


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real card files next to the checkout; skip the test if it does not exist."""
    if not SHARED.is_dir():
        pytest.skip("no folder of real card files next to the checkout")
    return SHARED


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every call of the clock advance it by 5 ms, so that searches do not depend on the machine's speed."""
    looks = count()
    monkeypatch.setattr("time.perf_counter", lambda: next(looks) / 200)


@pytest.fixture
def shell(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> Shell:
    """Return a shell with a catalogue and a cache in the test's folder."""
    shell = Shell(tmp_path, capsys, partial(request.getfixturevalue, "starter"))
    monkeypatch.setenv("CCGRID_DB", str(shell.database))
    monkeypatch.setenv("CCGRID_CACHE", str(shell.cache))
    monkeypatch.setenv("CCGRID_STATE", str(shell.folder / "state"))
    monkeypatch.setenv("CCGRID_CONFIG", str(shell.folder / "config.toml"))
    return shell
