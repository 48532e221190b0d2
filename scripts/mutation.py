"""Asks how well the tests protect modules: makes mutants one at a time and runs the tests that run what each changes.

scripts/mutate ccgrid/services/doctor.py engine/records/record.py --sample 60 --seed 1 --workers 2
scripts/mutate engine/records/record.py --tests tests/engine/records

First all tests run once, with the modules noting which test runs which statement (scripts/mutation_marks.py). All of it
happens in copies of the tree; the folder with real card files beside the checkout is left out. A mutant that makes a
test fail, or the tests take far too long, was noticed; the others are shown. Needs a system that can fork.

A mutant may write what the module would not: one of `catalog/files.py`, run by root with tests that write to the null
device, replaces it for the whole machine. Tests of what writes, removes or links take files and devices of their own.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import mutation_marks
import pytest
from mutants import Mutant, mutants

ROOT: Final = Path(__file__).resolve().parents[1]
IGNORED: Final = shutil.ignore_patterns(".git", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
PATIENCE: Final = 20.0
"""What the tests may take with a mutant beyond three times what they take without, in seconds."""
_BROKEN: Final = 70
"""How a process ends in which pytest itself failed."""
_LOADED: Final = "-Wignore::pytest.PytestAssertRewriteWarning"
"""Pytest's word for a library that was loaded before it, which is so on purpose here."""
_QUIET: Final = ("-q", "-p", "no:cacheprovider", "-p", "xdist", "--tb=short", _LOADED)


class Verdict(NamedTuple):
    """How a mutant fared: killed, survived or timed out."""

    mutant: Mutant
    word: str


class Job(NamedTuple):
    """What every worker knows of a module: where it lies, and which tests run which of its lines."""

    module: str
    covering: Mapping[int, frozenset[str]]
    seconds: float
    """What all of these tests take."""


class _Only:
    """A pytest plugin that runs some tests alone, and notes which of them fail."""

    def __init__(self, tests: frozenset[str] | None, failures: Path) -> None:
        self._tests, self._failures = tests, failures

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._tests is not None:
            items[:] = [item for item in items if item.nodeid in self._tests]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            with self._failures.open("a", encoding="utf-8") as file:
                file.write(report.nodeid + "\n")


def _run_tests(
    tree: Path,
    tests: frozenset[str],
    module: str,
    seconds: float | None,
    *,
    whole_files: bool = False,
    first: bool = True,
) -> int | None:
    """The exit status of pytest for some tests, those nearest to a module first; None: out of time.

    Whole files run where names of tests may come from the module, and all tests although one fails unless `first`.
    """
    files = sorted({test.partition("::")[0] for test in tests}, key=lambda file: (-_nearness(file, module), file))
    only = _Only(None if whole_files else tests, tree.parent / f"{tree.name}.failures")
    return _forked(tree, [*_QUIET, "-n0", *(["-x"] if first else []), *files], only, seconds)


def _nearness(file: str, module: str) -> float:
    """How near a test file is to a module: words of the module's path that the file's path has, its name thrice."""
    stem = Path(module).stem.removeprefix("_")
    return sum(part in Path(file).parts for part in Path(module).parts) + 3 * (stem in Path(file).stem)


def _forked(tree: Path, options: Sequence[str], plugin: object, seconds: float | None) -> int | None:
    """The exit status of pytest in a process of its own, which begins with all libraries loaded; None: out of time."""
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            _run_here(tree, options, plugin)
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


def _run_here(tree: Path, options: Sequence[str], plugin: object) -> None:
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
    _use(tree)
    os._exit(int(pytest.main([*options], plugins=[plugin])))


def _use(tree: Path) -> None:
    """This process, and what it starts, takes the program from a copy of the tree."""
    sys.path[:0] = [str(tree)]
    sys.dont_write_bytecode = False  # what is compiled once, the assertions of tests above all, serves every mutant
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPATH"] = str(tree)


def _write(path: Path, text: str) -> None:
    """Writes a module, and removes what was compiled of it: two texts of one length and second are one to Python."""
    path.write_text(text, encoding="utf-8")
    Path(cache_from_source(path)).unlink(missing_ok=True)


def _judge(tree: Path, job: Job, mutant: Mutant) -> Verdict:
    """Runs the tests that run what a mutant changes; all of the module's where that is run by an import."""
    _write(tree / job.module, mutant.text)
    lines = range(mutant.lines[0], mutant.lines[1] + 1)
    running = frozenset[str]().union(*(job.covering.get(line, ()) for line in lines))
    if not mutant.in_function:
        running = frozenset[str]().union(*job.covering.values())
    status: int | None = 0
    if running:
        limit = 3 * job.seconds + PATIENCE
        status = _run_tests(tree, running, job.module, limit, whole_files=not mutant.in_function)
    return Verdict(mutant, "timed out" if status is None else "killed" if status else "survived")


_tree: Path
_job: Job


def _start_worker(trees: "multiprocessing.Queue[Path]", job: Job) -> None:
    global _tree, _job
    _tree, _job = trees.get(), job


def _work(mutant: Mutant) -> Verdict:
    return _judge(_tree, _job, mutant)


def mapped(root: Path, modules: Sequence[str], tests: Sequence[str], workers: int) -> dict[str, dict[int, set[str]]]:
    """Which tests run which line of each module: all of them run once, or those that are asked for.

    Raises:
        ValueError: no test runs at all.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, tree = Path(name), Path(name) / "tree"
        shutil.copytree(root, tree, ignore=IGNORED)
        rows = {}
        count = 0
        for module in modules:
            source = (tree / module).read_text(encoding="utf-8")
            rows[module] = (count, len(source.splitlines()))
            (tree / module).write_text(mutation_marks.marking(source, count), encoding="utf-8")
            count += rows[module][1]
        mutation_marks.prepare(folder, count)
        environment = {
            mutation_marks.FOLDER: name,
            "PYTHONPATH": os.pathsep.join((str(tree), str(Path(__file__).parent))),
        }
        options = [*_QUIET, "-p", "mutation_marks", f"-n{workers}", *tests]
        log = folder / "log"
        with log.open("wb") as output:
            command = [sys.executable, "-m", "pytest", *options]
            subprocess.run(command, cwd=tree, env={**os.environ, **environment}, stdout=output, stderr=output)
        if not (folder / "tests").exists():
            raise ValueError(f"no test ran:\n{log.read_text(errors='replace')}")
        return {module: mutation_marks.marked_tests(folder, *rows[module]) for module in modules}


def judged(
    root: Path, module: str, covering: Mapping[int, set[str]], chosen: Sequence[Mutant], workers: int
) -> Iterator[Verdict]:
    """How each mutant of a module fares, by the tests that run its lines; works in copies of the tree at `root`.

    Tests that fail as the module is are left out, and named on standard error.

    Raises:
        ValueError: no test runs at all.
    """
    for library in ("hypothesis", "rich.console", "typer", "sqlite_utils", "rapidfuzz.process", "requests"):
        with suppress(ImportError):
            __import__(library)
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "0"
        shutil.copytree(root, first, ignore=IGNORED)
        tests = frozenset[str]().union(*covering.values())
        started = time.monotonic()
        failures = Path(folder) / "0.failures"
        failing = set()
        if tests and _run_tests(first, tests, module, None, first=False):
            if not failures.exists():
                raise ValueError(f"no test ran:\n{first.with_suffix('.log').read_text(errors='replace')}")
            failing = {*failures.read_text(encoding="utf-8").splitlines()}
            print(f"{module}: left out as they fail without a mutant: {', '.join(sorted(failing))}", file=sys.stderr)
        seconds = time.monotonic() - started
        job = Job(module, {line: frozenset(names - failing) for line, names in covering.items()}, seconds)
        trees: multiprocessing.Queue[Path] = multiprocessing.Queue()
        for number in range(workers):
            tree = Path(folder) / str(number)
            if number:
                shutil.copytree(first, tree)
            trees.put(tree)
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
    """Reads the command line and prints the report; 1 where no test ran."""
    parser = argparse.ArgumentParser(
        prog="scripts/mutate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("modules", nargs="+", help="paths of modules from the top of the tree")
    parser.add_argument("--sample", type=int, help="how many mutants of each; without it, all")
    parser.add_argument("--seed", type=int, default=1, help="of the samples (default: 1)")
    parser.add_argument("--tests", nargs="+", default=[], help="test files or tests (default: all)")
    parser.add_argument("--workers", type=int, default=1, help="how many processes at once (default: 1)")
    asked = parser.parse_args(arguments)
    try:
        covering = mapped(root, asked.modules, asked.tests, asked.workers)
        for module in asked.modules:
            source = (root / module).read_text(encoding="utf-8")
            chosen = mutants(source)
            if asked.sample is not None and asked.sample < len(chosen):
                chosen = random.Random(asked.seed).sample(chosen, asked.sample)
            verdicts = list(judged(root, module, covering[module], chosen, asked.workers))
            print(report(verdicts, module, source), flush=True)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
