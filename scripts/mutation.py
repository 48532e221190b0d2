"""Asks how well the tests protect a module: makes mutants of it one at a time and runs the tests that concern it.

scripts/mutate catalog/matching/matcher.py --sample 60 --seed 1 --workers 2
scripts/mutate engine/records/record.py --tests tests/engine/records

All of it happens in copies of the tree; the folder with real card files beside the checkout is left out. A mutant that
makes a test fail, or the tests take far too long, was noticed; the others are shown. Needs a system that can fork.

A mutant may write what the module would not: one of `catalog/files.py`, run by root with tests that write to the null
device, replaces it for the whole machine. Tests of what writes, removes or links take files and devices of their own.
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import pytest
from mutants import Mutant, mutants

ROOT: Final = Path(__file__).resolve().parents[1]
TESTS: Final = (
    ("catalog/matching", "matching* search*"),
    ("catalog/numbers", "numbers*"),
    ("catalog/layouts", "layouts* layout_* numbers* described*"),
    ("catalog/decks", "decks* deck_* collection_decks*"),
    ("catalog/collection/formats", "collection_formats* collection_exports* hostile*"),
    ("catalog/collection", "collection* ledger*"),
    ("catalog/readers", "readers* xml* trees* json_* described* import* hostile*"),
    (
        "catalog/sources",
        "*sources* scryfall* mtgjson* lackey* hearth* flesh* starter*",
    ),
    ("catalog/store", "store* import* collection* search* ledger*"),
    ("catalog/imports", "import* layout_* described*"),
    ("catalog/download", "download*"),
    ("catalog", "cards* store* collection* made_up* import*"),
    ("engine/record", "record*"),
    ("engine/codecs", "record* match*"),
    ("engine/schema", "record* match*"),
    ("engine/match", "match* simulation*"),
    ("engine/simulation", "simulation* match* players*"),
    ("engine/players", "players* simulation* four_games*"),
    ("engine/games/grid", "grid* four_games* every_game*"),
    ("engine/games/ninecard", "ninecard* every_game*"),
    ("engine/games/tactics", "tactics* factions* every_game*"),
    ("engine/games/matrix", "matrix* every_game*"),
    ("engine", "every_game* four_games* board* cards* grid* record*"),
    ("ccgrid/services", "session* table* deck_kinds* play* game_commands* collection_decks*"),
    ("ccgrid/view", "view* *views* card_commands* collection*"),
    ("ccgrid", "app* *commands* play* docs* collection*"),
)
"""Which tests concern a module: the first row counts whose beginning is that of the module's path."""

IGNORED: Final = shutil.ignore_patterns(".git", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
PATIENCE: Final = 20.0
"""What the tests may take with a mutant beyond three times what they take without, in seconds."""
_MISNAMED: Final = 4
"""How pytest ends where a test that it was asked for does not exist, such as one that was named after a constant."""
_BROKEN: Final = 70
"""How a process ends in which pytest itself failed."""
_LOADED: Final = "-Wignore::pytest.PytestAssertRewriteWarning"
"""Pytest's word for a library that was loaded before it, which is so on purpose here."""


class Verdict(NamedTuple):
    """How a mutant fared: killed, survived or timed out."""

    mutant: Mutant
    word: str


class Job(NamedTuple):
    """What every worker knows: the module, where it lies, the tests, which of them run which line, their time."""

    module: str
    tests: tuple[str, ...]
    covering: dict[int, list[str]]
    seconds: float


def concerned(module: str, root: Path) -> tuple[str, ...]:
    """The test files that concern a module; none where the table has no row for it."""
    for start, patterns in TESTS:
        if module.startswith(start):
            wanted = [f"test_{one}.py" for one in patterns.split()]
            return tuple(
                path for path in _tests(root) if any(fnmatchcase(path.rpartition("/")[2], one) for one in wanted)
            )
    return ()


@cache
def _tests(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py"))


class _Lines:
    """A pytest plugin that notes which test runs which line of a file."""

    def __init__(self, file: Path) -> None:
        self._file, self._test = str(file), ""
        self.covering: dict[int, set[str]] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._test = nodeid
        sys.settrace(self._called)  # anew: a test that runs out of stack ends all tracing

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        """What is prepared for many tests is run by all of them."""
        test = self._test
        if fixturedef.scope != "function":
            self._test = ""
        yield
        self._test = test

    def pytest_sessionstart(self) -> None:
        sys.settrace(self._called)

    def pytest_sessionfinish(self) -> None:
        sys.settrace(None)

    def _called(self, frame: Any, event: str, argument: Any) -> Any:
        return self._ran if frame.f_code.co_filename == self._file else None

    def _ran(self, frame: Any, event: str, argument: Any) -> Any:
        self.covering.setdefault(frame.f_lineno, set()).add(self._test)
        return self._ran


def _run_tests(tree: Path, tests: Sequence[str], seconds: float | None, plugin: _Lines | None = None) -> int | None:
    """The exit status of pytest in a process of its own, which begins with all libraries loaded; None: out of time."""
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            _run_here(tree, tests, plugin)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(_BROKEN)
    started = time.monotonic()
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        late = seconds is not None and time.monotonic() - started > seconds
        if ended or late:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # a test may have started processes, too
        if ended:
            return os.waitstatus_to_exitcode(status)
        if late:
            os.waitpid(child, 0)
            return None
        time.sleep(0.01)


def _run_here(tree: Path, tests: Sequence[str], plugin: _Lines | None) -> None:
    from hypothesis import Phase, settings

    # A failure is a failure: nobody looks for the smallest example. The examples are the same for every mutant.
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", phases=phases, derandomize=True, database=None, deadline=None)
    settings.load_profile("mutation")
    log = os.open(tree.parent / f"{tree.name}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(tree)
    sys.path[:0] = [str(tree)]
    sys.dont_write_bytecode = plugin is None
    os.environ |= {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "xdist", "-n0", "--tb=short", _LOADED, *tests]
    status = int(pytest.main(options, plugins=[plugin] if plugin else []))
    if plugin:
        lines = {line: sorted(names) for line, names in plugin.covering.items()}
        (tree.parent / "lines.json").write_text(json.dumps(lines), encoding="utf-8")
    os._exit(status)


def _judge(tree: Path, job: Job, mutant: Mutant) -> Verdict:
    """Runs the tests that run what a mutant changes, or all that concern the module where that cannot be told."""
    (tree / job.module).write_text(mutant.text, encoding="utf-8")
    limit = 3 * job.seconds + PATIENCE
    running = {name for line in range(mutant.lines[0], mutant.lines[1] + 1) for name in job.covering.get(line, ())}
    status: int | None = _MISNAMED
    if mutant.in_function and "" not in running:
        status = _run_tests(tree, sorted(running), limit) if running else 0
    if status == _MISNAMED:
        status = _run_tests(tree, job.tests, limit)
    return Verdict(mutant, "timed out" if status is None else "killed" if status else "survived")


_tree: Path
_job: Job


def _start_worker(trees: "multiprocessing.Queue[Path]", job: Job) -> None:
    global _tree, _job
    _tree, _job = trees.get(), job


def _work(mutant: Mutant) -> Verdict:
    return _judge(_tree, _job, mutant)


def judged(root: Path, module: str, tests: Sequence[str], chosen: Sequence[Mutant], workers: int) -> Iterator[Verdict]:
    """How each mutant of a module fares; works in copies of the tree at `root`.

    Raises:
        ValueError: the tests fail as the module is.
    """
    for library in ("hypothesis", "rich.console", "typer", "sqlite_utils", "rapidfuzz.process", "requests"):
        with suppress(ImportError):
            __import__(library)
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "0"
        shutil.copytree(root, first, ignore=IGNORED)
        started = time.monotonic()
        if _run_tests(first, tests, None, _Lines(first / module)) != 0:
            raise ValueError(
                f"the tests fail without a mutant:\n{(Path(folder) / '0.log').read_text(errors='replace')}"
            )
        seconds = time.monotonic() - started
        lines = json.loads((Path(folder) / "lines.json").read_text(encoding="utf-8"))
        # Two texts of one length, written within a second, are one text to the cache of compiled modules.
        for cached in (first / module).parent.glob(f"__pycache__/{Path(module).stem}.*"):
            cached.unlink()
        trees: multiprocessing.Queue[Path] = multiprocessing.Queue()
        for number in range(workers):
            tree = Path(folder) / str(number)
            if number:
                shutil.copytree(first, tree)
            trees.put(tree)
        job = Job(module, tuple(tests), {int(line): names for line, names in lines.items()}, seconds)
        with multiprocessing.get_context("fork").Pool(workers, _start_worker, (trees, job)) as pool:
            yield from pool.imap_unordered(_work, chosen)


def report(verdicts: Sequence[Verdict], module: str, source: str) -> str:
    """The survivors, each as a difference, and one line that counts."""
    parts = []
    for mutant, word in sorted(verdicts, key=lambda verdict: verdict.mutant.line):
        if word == "survived":
            parts.append(f"{module}:{mutant.line}: {mutant.change}\n{mutant.diff(source)}\n")
    counts = Counter(verdict.word for verdict in verdicts)
    noticed = counts["killed"] + counts["timed out"]
    parts.append(
        f"{module}: {len(verdicts)} mutants, {counts['killed']} killed, {counts['timed out']} timed out, "
        f"{counts['survived']} survived: {100 * noticed / max(1, len(verdicts)):.0f} % noticed"
    )
    return "\n".join(parts)


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Reads the command line and prints the report; 1 where the tests fail without a mutant."""
    parser = argparse.ArgumentParser(
        prog="scripts/mutate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("module", help="path of the module from the top of the tree")
    parser.add_argument("--sample", type=int, help="how many mutants; without it, all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    parser.add_argument("--tests", nargs="+", help="test files or tests (default: by the table in scripts/mutation.py)")
    parser.add_argument("--workers", type=int, default=1, help="how many mutants at once (default: 1)")
    asked = parser.parse_args(arguments)
    source = (root / asked.module).read_text(encoding="utf-8")
    tests = asked.tests or concerned(asked.module, root)
    if not tests:
        parser.error(f"no tests are known for {asked.module}; name them with --tests")
    chosen = mutants(source)
    if asked.sample is not None and asked.sample < len(chosen):
        chosen = random.Random(asked.seed).sample(chosen, asked.sample)
    try:
        verdicts = list(judged(root, asked.module, tests, chosen, asked.workers))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(report(verdicts, asked.module, source))
    return 0
