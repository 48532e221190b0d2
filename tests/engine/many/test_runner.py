"""Tests of the runner: chunks of games, interrupts, worker processes and clusters."""

import json
import os
import random
import re
import signal
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
from helpers.catalogues import Shell
from helpers.small_lineups import CARDS, LINEUP, SLOW, counts_of

from ccgrid.catalog.extras import install_command
from ccgrid.engine.deck_sources import FixedDecks, RandomDecks
from ccgrid.engine.errors import EngineError
from ccgrid.engine.many.runner import Chunks, Runner, Task
from ccgrid.engine.many.simulation import simulate
from ccgrid.engine.records.files import read_games


def squares(table, numbers):
    return [table * number * number for number in numbers]


def interrupted_at(number):
    def play(table, numbers):
        if number in numbers:
            os.kill(os.getpid(), signal.SIGINT)
        return len(numbers)

    return play


# Chunks


def test_chunks_cover_all_numbers_in_order():
    chunks = Chunks(range(1, 1001), 1, 100)
    taken = []
    while chunks:
        numbers = chunks.take()
        chunks.adapt_size(numbers, random.Random(len(taken)).random() / 50)
        taken += numbers
    assert taken == list(range(1, 1001))


def test_last_chunks_for_several_workers_are_small_but_not_tiny():
    chunks = Chunks(range(1, 8001), 1000, 1000)
    taken = []
    while chunks:
        taken.append(chunks.take(2))
    assert [number for numbers in taken for number in numbers] == list(range(1, 8001))
    sizes = list(map(len, taken))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 1000
    assert sizes[-2] == 125


def test_chunk_size_adapts_to_speed():
    slow, quick = Chunks(range(10**6), 100, 100), Chunks(range(10**6), 1, 100)
    for _ in range(6):
        slow.adapt_size(slow.take(), 10.0)
        quick.adapt_size(quick.take(), 0.001)
    assert len(slow.take()) == 1
    assert len(quick.take()) == 100


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_every_number_is_played_once_in_order(workers):
    chunks = list(Runner(workers).run(Task(squares, 3, 7), range(1, 60)))
    assert [number for chunk in chunks for number in chunk.numbers] == list(range(1, 60))
    assert [value for chunk in chunks for value in chunk.result] == [3 * n * n for n in range(1, 60)]


def test_cluster_and_number_of_workers_are_exclusive():
    with pytest.raises(EngineError, match="leave out either"):
        Runner(2, "tcp://localhost:1")


# Interrupts


def count_until_interrupted(work, numbers, after_chunk=lambda: None):
    """Return the number of finished games at the interrupt, or None without one."""
    count = 0
    try:
        for chunks in Runner(1).run(work, numbers):
            after_chunk()
            count += len(chunks.numbers)
    except KeyboardInterrupt:
        return count
    return None


def test_interrupt_while_counting_is_deferred():
    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)

    assert count_until_interrupted(Task(squares, 1, 5, 5), range(100), interrupt) == 5
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupt_while_playing_keeps_finished_chunks():
    assert count_until_interrupted(Task(interrupted_at(30), 1, 10, 10), range(100)) == 30


def test_interrupted_simulation_counts_finished_games():
    def interrupt(_):
        os.kill(os.getpid(), signal.SIGINT)

    summary = simulate(LINEUP, 100_000, workers=1, progress=interrupt)
    assert summary.is_interrupted
    assert msgspec.to_builtins(summary.answer())["interrupted"] is True
    assert counts_of(summary) == {**counts_of(simulate(LINEUP, summary.tally.games)), "interrupted": True}


def test_interrupt_before_first_game_is_raised(monkeypatch):
    monkeypatch.setattr("ccgrid.engine.many.simulation.find_kernel", lambda *_, **__: None)
    monkeypatch.setattr("ccgrid.engine.many.simulation._play_chunk", interrupted_at(1))
    with pytest.raises(KeyboardInterrupt):
        simulate(LINEUP, 10)


def test_control_c_prints_summary_and_same_command_resumes(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # A shorter interval makes the test faster; forked processes inherit it.
    monkeypatch.setattr("ccgrid.engine.many.tally._SAVE_INTERVAL_SECONDS", 0.1)
    counts_file = tmp_path / "kept.json"
    records = tmp_path / "games.jsonl"
    # Matches with records are played by the readable rules, so that nothing is compiled.
    command = ["simulate", "matrix", "--best-of", "3", "--seed", "3", "--json", "--resume", str(counts_file)]
    command += ["--records", str(records), "--workers", "1", "--games"]
    process = shell.start(*command, "90000000")
    while process.poll() is None and not (counts_file.exists() and json.loads(counts_file.read_bytes())["done"]):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=240)
    interrupted = json.loads(out)
    done = json.loads(counts_file.read_bytes())["done"]
    assert process.returncode == 130
    assert err.splitlines()[-1] == "Interrupted."
    assert interrupted["interrupted"] is True
    assert interrupted["match"]["matches"] == done > 0
    assert sum(player["wins"] for player in interrupted["players"]) + interrupted["draws"] == interrupted["games"]
    summary = shell.good(*command, str(done + 5)).json
    assert summary["match"]["matches"] == done + 5
    assert len(list(read_games(records))) == summary["games"]


# A cluster

has_cluster = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra 'cluster' is not installed")


@pytest.fixture
def cluster():
    """A cluster of two processes on this machine."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@has_cluster
@pytest.mark.filterwarnings("default")
def test_cluster_plays_same_games_despite_lost_worker(cluster):
    address = cluster.scheduler_address
    worker_pid = next(iter(cluster.workers.values())).process.process.pid
    lost = []

    def kill_worker(_):
        if not lost:
            lost.append(worker_pid)
            os.kill(worker_pid, signal.SIGKILL)

    local_records, distributed_records = [], []
    lineup = replace(LINEUP, decks=RandomDecks(CARDS, 20))
    local = simulate(lineup, 6_000, workers=1, write=local_records.append)
    distributed = simulate(
        lineup, 6_000, runner=Runner(cluster=address), write=distributed_records.append, progress=kill_worker
    )
    assert lost
    assert counts_of(distributed) == counts_of(local)
    assert distributed_records == local_records  # no record is repeated or missing
    slow = simulate(SLOW, 300, runner=Runner(cluster=address))
    assert counts_of(slow) == counts_of(simulate(SLOW, 300))


@has_cluster
@pytest.mark.filterwarnings("default")
def test_cluster_raises_same_errors_as_local_play(cluster):
    with pytest.raises(EngineError, match="one deck of 20 cards"):
        simulate(replace(LINEUP, decks=FixedDecks((CARDS[:19],))), 9, runner=Runner(cluster=cluster.scheduler_address))


@has_cluster
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "quux://x:1", ""])
def test_missing_cluster_is_reported(address, monkeypatch):
    monkeypatch.setattr("ccgrid.engine.many.cluster._SECONDS_TO_ANSWER", 1)
    with pytest.raises(EngineError, match="no Dask cluster answers"):
        simulate(LINEUP, 9, runner=Runner(cluster=address))


def test_missing_cluster_extra_is_reported_with_install_command(monkeypatch):
    monkeypatch.setattr("ccgrid.engine.many.runner.find_spec", lambda _: None)
    with pytest.raises(EngineError, match=re.escape(install_command("cluster"))):
        simulate(LINEUP, 9, runner=Runner(cluster="tcp://127.0.0.1:8786"))
