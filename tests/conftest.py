"""What tests share: where real files lie, where they exist, and a person at the command line."""

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from browsers import browser  # noqa: F401  a fixture
from catalogues import Shell
from hypothesis import settings
from owned import lenient, matcher, owned, template  # noqa: F401  fixtures

if sys.dont_write_bytecode and not sys.pycache_prefix:  # then hundreds of processes would each compile the program
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="tests-of-ccgrid-")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it for what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the programs that tests start are to be interrupted

EXAMPLES = int(os.environ.get("CCGRID_EXAMPLES", "30"))
"""Of each property, where it does not say itself; continuous integration asks for a hundred."""
settings.register_profile("patient", deadline=None, max_examples=EXAMPLES)  # a busy machine makes no rule wrong
settings.load_profile("patient")

collect_ignore = ["fifth_game"]  # a game that is no part of the program; a test adds it to a copy
collect_ignore_glob = ["*/conftest.py"]  # each is called conftest, so that they cannot be imported for their doctests

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What thousands of tests are made of stays to the end: nobody looks through it for what can be thrown away."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real card files beside the checkout; the test is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip("no folder of real card files beside the checkout")
    return SHARED


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands that use a catalogue and a cache in a folder of this test."""
    shell = Shell(tmp_path, capsys)
    monkeypatch.setenv("CCGRID_DB", str(shell.database))
    monkeypatch.setenv("CCGRID_CACHE", str(shell.cache))
    monkeypatch.setenv("CCGRID_STATE", str(shell.folder / "state"))
    return shell
