"""What tests share: where real files lie, where they exist, and a person at the command line."""

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

if sys.dont_write_bytecode and not sys.pycache_prefix:  # then hundreds of processes would each compile the program
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = tempfile.mkdtemp(prefix="tests-of-ccgrid-")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    atexit.register(shutil.rmtree, sys.pycache_prefix, ignore_errors=True)

# Compiled kernels are kept from one run to the next, but in nobody's home.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).resolve().parents[1] / ".pytest_cache")
os.environ.pop("PYTHONUNBUFFERED", None)  # with it Python drops the rest of what is written while a signal comes

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it for what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the programs that tests start are to be interrupted
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as `nohup` has it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile(  # a busy machine makes no rule wrong, and what holds today holds tomorrow
    "patient",
    deadline=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not os.environ.get("CCGRID_NEW_EXAMPLES"),
)
settings.load_profile("patient")

collect_ignore = ["fifth_game"]  # a game that is no part of the program; a test adds it to a copy

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """`-n auto` is one more than there are processors: many tests wait for a browser, a terminal or a server.

    What concerns one game runs in one process: to collect it in each takes longer than it.
    """
    if config.getoption("game"):
        return 0
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return usable + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", metavar="NAME", help="run what concerns this game alone")


HOUSE_RULES = ("test_layers.py", "test_game_names.py", "test_packaging.py")
"""What is asked of every module, and of a game's, too."""


class OneGame:
    """Of all tests those that concern one game: by a parameter, in a folder of its name, or of all games."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asks_of_games = re.compile(rf"\bGAMES\b|\bevery_game\b|\b{re.escape(name)}\b".encode())

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Files that ask of no game, or of others alone, are not even imported."""
        if collection_path.suffix != ".py":
            return None
        if self.is_own(collection_path) or collection_path.name in HOUSE_RULES:
            return None
        is_test = collection_path.name.startswith("test_") and "tests" in collection_path.parts
        return None if is_test and self.asks_of_games.search(collection_path.read_bytes()) else True

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselects the others."""
        chosen = [item for item in items if self.concerns(item)]
        config.hook.pytest_deselected(items=[item for item in items if not self.concerns(item)])
        items[:] = chosen

    def is_own(self, path: Path) -> bool:
        return self.name in path.parts[-3:-1]

    def concerns(self, item: pytest.Item) -> bool:
        """Whether a test is about the game."""
        values = (
            [*item.callspec.params.values()] if isinstance(item, pytest.Function) and hasattr(item, "callspec") else []
        )
        is_named = any(value == self.name or getattr(value, "name", None) == self.name for value in values)
        code = getattr(getattr(item, "function", None), "__code__", None)
        asks_of_all = not values and code is not None and "GAMES" in code.co_names
        return is_named or asks_of_all or self.is_own(item.path) or item.path.name in HOUSE_RULES


def pytest_configure(config: pytest.Config) -> None:
    if name := config.getoption("game"):
        if name not in GAMES.names:
            raise pytest.UsageError(f"no game is called {name}: there are {', '.join(GAMES.names)}")
        config.pluginmanager.register(OneGame(name))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever needs a browser is slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


def compile_own_share(config: pytest.Config) -> None:
    """Imports the tests from another place on in each of several processes, so that each takes over what others wrote.

    To rewrite the assertions of hundreds of files takes longer than all the rest of the collection.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or config.getoption("game") or config.args != config.getini("testpaths"):
        return
    paths = sorted(path for path in Path(__file__).parent.rglob("test_*.py") if "fifth_game" not in path.parts)
    begin = int(worker["workerid"].removeprefix("gw")) * len(paths) // worker["workercount"]
    for path in paths[begin:] + paths[:begin]:
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        with suppress(Exception, pytest.skip.Exception):  # the collection says what is wrong, or why it is skipped
            import_module(path.stem)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What thousands of tests are made of stays to the end: nobody looks through it for what can be thrown away."""
    gc.disable()
    try:
        compile_own_share(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """What a test has begun and not ended is gone before its folder is, and before the next test begins."""
    try:
        end_all()
    finally:
        result = yield
    return result


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real card files beside the checkout; the test is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip("no folder of real card files beside the checkout")
    return SHARED


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock on which each look takes five milliseconds: so much is thought by it, however quick the machine is."""
    looks = count()
    monkeypatch.setattr("time.perf_counter", lambda: next(looks) / 200)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands that use a catalogue and a cache in a folder of this test."""
    shell = Shell(tmp_path, capsys)
    monkeypatch.setenv("CCGRID_DB", str(shell.database))
    monkeypatch.setenv("CCGRID_CACHE", str(shell.cache))
    monkeypatch.setenv("CCGRID_STATE", str(shell.folder / "state"))
    monkeypatch.setenv("CCGRID_CONFIG", str(shell.folder / "config.toml"))
    return shell
