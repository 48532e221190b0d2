"""Disk errors, interrupts and kills at every write of every command: each leaves the old state or the new one."""

import errno
import os
from itertools import chain

import pytest
from disk import FailingDisk, FailingStatements, can_fail, failing, failing_statements, full
from helpers import catalogues
from helpers.catalogues import READ_ONLY_COMMANDS, Result, Shell, rows
from writing import EXAMPLES, MIGRATION, Example, Trial

from ccgrid.catalog.outcome import OUTCOME
from ccgrid.catalog.temporary import HIDDEN
from ccgrid.commands import COMMANDS

if not can_fail():
    pytest.skip("SQLite's system calls cannot be replaced here", allow_module_level=True)

KILLS = int(os.environ.get("CCGRID_KILLS", "100"))
"""The total number of kills."""
STEP, MOST = (1, None) if os.environ.get("CCGRID_EVERY_FAULT") else (4, 5)
"""The distance between the writes that fail, and the most faults of a kind with each command."""
ALL_EXAMPLES = [*chain(*EXAMPLES.values()), MIGRATION]
STATEMENT_EXAMPLES = [one for one in ALL_EXAMPLES if one.words[0] != "restore"]
"""The examples that write only with SQL statements; SQLite's online backup writes without them."""


def name_of(example: Example) -> str:
    return "-".join((example.before.__name__, *example.words[:2]))


each = pytest.mark.parametrize("example", ALL_EXAMPLES, ids=name_of)


def test_every_command_that_writes_has_an_example() -> None:
    assert EXAMPLES.keys() == {entry.words for entry in COMMANDS if entry.module} - READ_ONLY_COMMANDS


def test_unlisted_writing_command_is_noticed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "READ_ONLY_COMMANDS", READ_ONLY_COMMANDS | {"import"})
    with pytest.raises(AssertionError, match="has changed the catalogue"):
        shell.import_rows(rows(3))


def some_of(writes: int, example: Example) -> range:
    """Return the numbers of the writes that fail, spread evenly, and different ones for different commands."""
    step = max(STEP, -(-writes // (MOST or writes)))
    return range(1 + ALL_EXAMPLES.index(example) % step, writes + 1, step)


def state_after(trial: Trial) -> tuple[str, ...]:
    """Return the state after the command runs without interference."""
    trial.reset()
    assert trial.run().status == trial.example.status
    after = trial.state()
    assert after != trial.before
    trial.reset()
    return after


def check_whole(trial: Trial, after: tuple[str, ...]) -> tuple[str, ...]:
    """Assert that no change is half done, and return the current state."""
    now = trial.state()
    assert now[0] in (trial.before[0], after[0])
    assert set(now[1:]) <= {*trial.before, *after}, "a file is incomplete"
    assert now[1:] == trial.before[1:] or now[0] == after[0], "a file exists for a change that failed"
    return now


def check(trial: Trial, result: Result, after: tuple[str, ...]) -> None:
    """Assert that no change is half done, and that the command's message is true."""
    now = check_whole(trial, after)
    assert "defect" not in result.err
    assert "savepoint" not in result.err
    assert HIDDEN not in result.err, "the message names a temporary folder"
    if result.status in (0, 1):
        assert now == after, result
    elif "saved" in result.err:
        assert now[0] == after[0], result
    else:
        assert result.status in (3, 130), result
        assert now[0] == trial.before[0] or trial.example is MIGRATION, result
        assert result.status == 130 or "Error: " in result.err
        says_so = "nothing changed" in result.err or "cannot be opened" in result.err
        assert says_so or not OUTCOME.is_rolled_back, result


@pytest.mark.slow
@each
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO], ids=["full", "fails"])
def test_failing_write_leaves_old_or_new_state(
    shell: Shell, example: Example, error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(shell, example, monkeypatch)
    after = state_after(trial)
    with failing(FailingDisk(None)) as disk:
        trial.run()
    assert disk.writes > 3
    for number in some_of(disk.writes, example):
        trial.reset()
        with failing(FailingDisk(number, error, once=error == errno.EIO)):
            result = trial.run()
        check(trial, result, after)


@pytest.mark.slow
@pytest.mark.parametrize("example", STATEMENT_EXAMPLES, ids=name_of)
@pytest.mark.parametrize("kind", ["full", "interrupted"])
def test_failing_statement_leaves_old_or_new_state(
    shell: Shell, example: Example, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(shell, example, monkeypatch)
    after = state_after(trial)
    with failing_statements(FailingStatements(None, full()), monkeypatch) as disk:
        trial.run()
    assert disk.writes > 2
    for number in {*some_of(disk.writes, example), disk.writes}:  # The last one ends a unit of work.
        trial.reset()
        error = full() if kind == "full" else KeyboardInterrupt()
        with failing_statements(FailingStatements(number, error, behind=kind != "full"), monkeypatch):
            result = trial.run()
        check(trial, result, after)


@pytest.mark.slow
@each
def test_killed_command_leaves_old_or_new_state(
    shell: Shell, example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(shell, example, monkeypatch)
    after = state_after(trial)
    with failing(FailingDisk(None)) as disk:
        trial.run()
    kills = min(disk.writes, -(-KILLS // len(ALL_EXAMPLES)))
    for number in {1 + disk.writes * place // kills for place in range(kills)}:
        trial.reset()
        if not (child := os.fork()):
            try:
                with failing(FailingDisk(number, "kill")):
                    trial.run()
            finally:
                os._exit(0)  # The child process must never continue with the tests.
        os.waitpid(child, 0)
        if check_whole(trial, after) == trial.before:
            assert trial.run().status == trial.example.status
            assert trial.state() == after
