"""Tests of clusters of real processes on this machine: killed processes, other versions, logging and TLS."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.everyday import sampled
from helpers.processes import ends_with_test

pytestmark = [
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra 'cluster' is not installed"),
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals"),
]
UNREACHABLE = ("tcp://127.0.0.1:9", "tls://127.0.0.1:9")
"""Addresses at which nothing answers."""
# Matches with records are played by the readable rules, so that nothing is compiled.
MATCHES = ("simulate", "matrix", "--best-of", "3", "--seed", "3", "--json")
HOW_TO_CONTINUE = "Repeat the command to continue; --resume keeps what was counted."


class Cluster:
    """A scheduler and workers, each in its own process."""

    def __init__(self, shell: Shell, **settings: str) -> None:
        self.shell = shell
        self.environment = {**shell.environment(), **settings}
        self.scheduler = self._start("dask", "scheduler", *self._options(settings))
        note = shell.folder / "scheduler.json"
        while not (note.exists() and note.read_text()):
            assert self.scheduler.poll() is None, self.scheduler.communicate()
            time.sleep(0.02)
        self.address = json.loads(note.read_text())["address"]

    def _options(self, settings: dict[str, str]) -> tuple[str, ...]:
        note = str(self.shell.folder / "scheduler.json")
        protocol = ("--protocol", "tls") if settings else ()
        return ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", note, *protocol)

    def _start(self, *arguments: str, **more: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", *arguments]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        if arguments[0] == "dask":  # the tests do not check the output of Dask
            streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        folder = self.shell.folder  # outside the checkout, so that another version on the path is imported
        return ends_with_test(
            subprocess.Popen(
                command, env={**self.environment, **more}, cwd=folder, text=True, start_new_session=True, **streams
            )
        )

    def ccgrid(self, *arguments: str | Path, **more: str) -> "subprocess.Popen[str]":
        return self._start("ccgrid", *map(str, arguments), **more)

    def workers(self) -> "subprocess.Popen[str]":
        """Start the command for one worker, and return it when it is ready."""
        process = self.ccgrid("workers", self.address, "--workers", "1")
        assert process.stderr is not None
        assert process.stderr.readline() == f"Workers for {self.address}, until Ctrl-C: 1.\n"
        return process

    def simulation(self, counts: Path, games: int) -> "subprocess.Popen[str]":
        return self.ccgrid(*MATCHES, "--resume", counts, "--games", str(games), "--cluster", self.address)


@pytest.fixture
def cluster(shell: Shell) -> Cluster:
    return Cluster(shell)


def wait_for_end(process: "subprocess.Popen[str]") -> tuple[int, str, list[str]]:
    """Return the exit status, standard output and lines of standard error, without the notice about compiling."""
    out, err = process.communicate(timeout=240)
    return process.returncode, out, [line for line in err.splitlines() if not line.startswith("Compiling")]


def wait_for_counts(counts: Path, process: "subprocess.Popen[str]") -> int:
    """Wait until matches are counted, and return their number."""
    while not (counts.exists() and json.loads(counts.read_bytes())["done"]):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return int(json.loads(counts.read_bytes())["done"])


def children_of(process: "subprocess.Popen[str]") -> str:
    """Return the child processes of a process; on other systems than Linux wait, and return a placeholder."""
    threads = Path(f"/proc/{process.pid}/task")
    if not threads.exists():
        time.sleep(2)
        return "some"
    return "".join(children.read_text() for children in threads.glob("*/children"))


def equals_single_run(shell: Shell, counts: Path, out: str) -> bool:
    """Return whether the total of several runs equals the result of one run on this machine."""
    resumed = json.loads(out)
    single = shell.good(*MATCHES, "--games", str(resumed["match"]["matches"]), "--workers", "1").json
    return {**resumed, "games_per_second": 0} == {**single, "games_per_second": 0}


def test_killed_scheduler_is_reported_and_counts_can_be_resumed(cluster: Cluster, shell: Shell, tmp_path: Path):
    counts = tmp_path / "counts.json"
    workers, games = cluster.workers(), cluster.simulation(counts, 90_000_000)
    wait_for_counts(counts, games)
    cluster.scheduler.kill()
    lost = f'Error: the cluster at "{cluster.address}" was lost: start it again.'
    assert wait_for_end(games) == (3, "", [lost, HOW_TO_CONTINUE])
    missing = f'Error: the cluster at "{cluster.address}" has stopped: restart its scheduler, then these workers'
    assert wait_for_end(workers) == (3, "", [missing])
    done = wait_for_counts(counts, games)
    summary = shell.good(*MATCHES, "--resume", counts, "--games", str(done + 5))
    assert equals_single_run(shell, counts, summary.out)


def test_killed_workers_are_reported_and_replacements_continue(cluster: Cluster, shell: Shell, tmp_path: Path):
    counts = tmp_path / "counts.json"
    workers, games = cluster.workers(), cluster.simulation(counts, 90_000_000)
    wait_for_counts(counts, games)
    workers.kill()
    no_workers = (
        f'Error: the cluster at "{cluster.address}" has no workers. To start some: ccgrid workers {cluster.address}'
    )
    assert wait_for_end(games) == (3, "", [no_workers, HOW_TO_CONTINUE])
    done = wait_for_counts(counts, games)
    retried = cluster.simulation(counts, done + 5)
    assert wait_for_end(retried) == (3, "", [no_workers])
    cluster.workers()
    status, out, err = wait_for_end(cluster.simulation(counts, done + 5))
    assert (status, err) == (0, [])
    assert equals_single_run(shell, counts, out)


def test_cluster_serves_next_command_after_one_is_killed(cluster: Cluster, shell: Shell, tmp_path: Path):
    counts = tmp_path / "counts.json"
    workers, games = cluster.workers(), cluster.simulation(counts, 90_000_000)
    wait_for_counts(counts, games)
    games.kill()
    games.wait()
    status, out, err = wait_for_end(cluster.simulation(counts, wait_for_counts(counts, games) + 5))
    assert (status, err) == (0, [])
    assert equals_single_run(shell, counts, out)
    os.killpg(workers.pid, signal.SIGINT)  # a terminal also sends the signal to all processes of the command
    assert wait_for_end(workers) == (0, "", ["Stopped."])


@pytest.mark.parametrize("delay", sampled([0, 0.05, 0.2, 0.8], 0, 0.8))
def test_interrupted_workers_print_nothing_of_dask(cluster: Cluster, delay: float):
    workers = cluster.ccgrid("workers", cluster.address, "--workers", "1")
    while not children_of(workers):
        assert workers.poll() is None, workers.communicate()
        time.sleep(0.01)
    time.sleep(delay)
    os.killpg(workers.pid, signal.SIGINT)
    status, out, lines = wait_for_end(workers)
    assert (status, out, lines[-1:]) == (0, "", ["Stopped."])
    assert len(lines) <= 2


def test_workers_of_other_version_are_rejected(cluster: Cluster, tmp_path: Path):
    cluster.workers()
    other = tmp_path / "other" / "ccgrid-9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: ccgrid\nVersion: 9.9\n")
    own_version = version("ccgrid")
    other_workers = cluster.ccgrid("workers", cluster.address, PYTHONPATH=str(other.parent))
    status, out, (line,) = wait_for_end(other_workers)
    assert (status, out) == (3, "")
    assert line.endswith(f"of the cluster has version {own_version}, and this machine 9.9: install the same there")


def test_scheduler_with_other_dask_version_is_rejected(cluster: Cluster, monkeypatch: pytest.MonkeyPatch):
    from ccgrid.engine.errors import EngineError
    from ccgrid.engine.many.cluster import Client, start_workers

    found = {"scheduler": {"packages": {"python": "3.11.7.final.0", "distributed": "2020.1"}}}
    found["client"] = {"packages": {"python": "3.11.9.final.0", "distributed": "2026.8.0"}}
    monkeypatch.setattr(Client, "get_versions", lambda *_, **__: found)
    with pytest.raises(EngineError, match=r"has distributed 2020\.1, and here is 2026\.8\.0"):
        start_workers(cluster.address, 1, lambda: None)


def test_tracker_is_not_started_if_signals_cannot_be_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate Windows, where no tracker is needed."""
    from ccgrid.engine.errors import EngineError
    from ccgrid.engine.many import cluster

    async def work(*_: object) -> None:
        """Return at once, as workers do that lose their cluster."""

    monkeypatch.delattr(signal, "pthread_sigmask")
    monkeypatch.setattr(cluster.resource_tracker, "ensure_running", lambda: pytest.fail("a tracker is started"))
    monkeypatch.setattr(cluster, "_connection", nullcontext)
    monkeypatch.setattr(cluster, "_check_scheduler", lambda *_: None)
    monkeypatch.setattr(cluster, "_check_workers", lambda *_: None)
    monkeypatch.setattr(cluster, "_work", work)
    with pytest.raises(EngineError, match="has stopped"):
        cluster.start_workers("tcp://127.0.0.1:1", 1, lambda: None)


@pytest.mark.parametrize("address", sampled([*UNREACHABLE, "nonsense", "quux://x:1"], *UNREACHABLE))
def test_workers_report_missing_cluster(shell: Shell, address: str):
    process = ends_with_test(
        subprocess.Popen(
            [sys.executable, "-m", "ccgrid", "workers", address],
            env=shell.environment(),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    )
    status, out, lines = wait_for_end(process)
    assert (status, out, len(lines)) == (3, "", 1)
    assert "takes certificates" in lines[0] if address.startswith("tls") else "no Dask cluster answers" in lines[0]


def test_dask_logging_can_be_enabled(cluster: Cluster):
    workers = cluster.ccgrid("workers", cluster.address, "--workers", "1", "--json", DASK_LOGGING__DISTRIBUTED="info")
    assert workers.stderr is not None
    assert workers.stdout is not None
    assert json.loads(workers.stdout.readline()) == {"address": cluster.address, "workers": 1}
    while "Start worker at" not in (line := workers.stderr.readline()):
        assert line


def test_dask_logging_is_off_in_child_processes(shell: Shell):
    source = """
import logging, os, subprocess, sys
before = dict(os.environ)
import ccgrid.engine.many.cluster
assert dict(os.environ) == before
for name in ("asyncio", "distributed.client", "distributed.core", "distributed.gc", "tornado.application"):
    logging.getLogger(name).error("%s complains", name)
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "again"], check=True)
"""
    program = shell.folder / "says.py"
    program.write_text(source)
    run = subprocess.run([sys.executable, program], env=shell.environment(), text=True, capture_output=True, check=True)
    assert (run.stdout, run.stderr) == ("", "")


def make_certificate(folder: Path) -> Callable[[str], str]:
    """Write a self-signed certificate and its key, and return a function that returns the path of each."""
    program = shutil.which("openssl") or pytest.skip("openssl is not installed")
    paths = {name: str(folder / f"{name}.pem") for name in ("key", "cert")}
    options = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-nodes"]
    command = [program, "req", "-x509", "-newkey", "rsa:2048", "-keyout", paths["key"], "-out", paths["cert"], *options]
    subprocess.run(command, check=True, capture_output=True)
    return paths.__getitem__


def test_tls_is_configured_by_dask_settings(shell: Shell, tmp_path: Path):
    path = make_certificate(tmp_path)
    settings = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": path("cert")}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = path("cert")
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY"] = path("key")
    cluster = Cluster(shell, **settings)
    assert cluster.address.startswith("tls://")
    cluster.workers()
    status, out, err = wait_for_end(cluster.simulation(tmp_path / "counts.json", 9))
    assert (status, err) == (0, [])
    assert equals_single_run(shell, tmp_path / "counts.json", out)
    without_certificate = ends_with_test(
        subprocess.Popen(
            [sys.executable, "-m", "ccgrid", *MATCHES, "--games", "9", "--cluster", cluster.address],
            env={**os.environ, "CCGRID_DB": str(shell.database)},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    )
    status, out, (line,) = wait_for_end(without_certificate)
    assert (status, out) == (3, "")
    assert "takes certificates" in line
