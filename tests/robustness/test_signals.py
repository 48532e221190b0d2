"""Commands that are ended by signals at any moment: no temporary file and no process remains."""

import io
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.catalogues import Shell, json_lines, rows, wait_for_result
from helpers.forked_program import at_terminal
from helpers.text_files import write_layout

from ccgrid import app
from ccgrid.catalog.temporary import MARKER

if sys.platform != "linux":
    pytest.skip("processes are listed in /proc", allow_module_level=True)

TROUBLE = ("Traceback", "defect", "Exception ignored")


def tarball(path: Path) -> Path:
    """Create data for a slow import that needs a temporary folder."""
    with tarfile.open(path, "w") as archive:
        for number in range(20):
            content = json_lines(rows(2000, 2000 * number))
            member = tarfile.TarInfo(f"{number}.jsonl")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def processes(session: int) -> list[int]:
    """Return the running processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else []
        except OSError:
            continue
        if words and int(words[3]) == session and words[0] != "Z":
            found.append(int(entry.name))
    return found


def all_gone(session: int) -> bool:
    for _ in range(2400):  # At most two minutes.
        if not processes(session):
            return True
        time.sleep(0.05)
    return False


def listens(process: subprocess.Popen[str]) -> None:
    """Wait until the program handles requests to end; before that, Python's own message is expected."""
    status, heard = Path(f"/proc/{process.pid}/status"), 1 << (signal.SIGTERM - 1)
    while process.poll() is None:
        words = status.read_text().partition("SigCgt:")[2].split()
        if words and int(words[0], 16) & heard:
            return
        time.sleep(0.005)


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tarball(tmp_path_factory.mktemp("cards") / "cards.tar")


def is_unmarked(path: Path) -> bool:
    """Return whether a temporary path belongs to a program that was killed before it could mark it.

    Such a path is an empty folder, or the file with which Python's `tempfile` tests whether a folder is writable.
    """
    if path.is_dir():
        return path.name.startswith("ccgrid-") and all(
            one.name == MARKER and not one.stat().st_size for one in path.iterdir()
        )
    return len(path.name) == 8 and path.read_bytes() in (b"", b"blat")


@pytest.fixture
def commands(shell: Shell, cards: Path, tmp_path: Path) -> dict[str, list[str | Path]]:
    layout = write_layout(tmp_path / "dusk.toml", "mana_cost")
    return {
        "import": ["import", "file", cards, "--layout", layout],
        "simulate": ["simulate", "grid", "--games", "4000000", "--workers", "3", "--players", "greedy,greedy"],
        "demo": ["demo"],
        "help": ["--help"],
    }


KILLED = [("import", 0.1), ("simulate", 0.4), ("demo", 0.1), ("help", 0.0)]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda n: n.name)
@pytest.mark.parametrize(
    ("command", "delay"), [("import", 0.6), *(pytest.param(*one, marks=pytest.mark.slow) for one in KILLED)]
)
def test_ended_command_leaves_nothing_behind(
    shell: Shell,
    commands: dict[str, list[str | Path]],
    tmp_path: Path,
    command: str,
    delay: float,
    number: int,
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    environment = {**shell.environment(), "TMPDIR": str(folder)}
    process = shell.start(*commands[command], env=environment, start_new_session=True)
    listens(process)
    time.sleep(delay)
    process.send_signal(number)
    result = wait_for_result(process)
    assert all_gone(process.pid)
    assert not any(words in result.err for words in TROUBLE), result
    if number == signal.SIGKILL:  # The next command with a temporary folder removes it.
        assert wait_for_result(shell.start("demo", env=environment)).status == 0
    assert [path for path in folder.iterdir() if not (number == signal.SIGKILL and is_unmarked(path))] == []
    if command == "import":
        stats = shell("stats")
        assert stats.status == 0
        assert "40,000 cards" in stats.out or (result.status != 0 and "using the bundled cards" in stats.err), stats


LONG = {
    "puzzle": (("puzzle", "grid", "--seed", "7", "--count", "900"), "Looking through games"),
    "simulate": (("simulate", "matrix", "--games", "9000000", "--workers", "2", "--best-of", "3"), "Playing"),
    "arena": (("arena", "matrix", "--games", "9000000", "--workers", "2", "--players", "greedy,random"), "Playing"),
    "deck new": (("deck", "new", "--balanced", "--seed", "1"), "Searching for"),
}
"""Slow commands, and the text displayed while they run."""


@pytest.mark.parametrize("place", ["_report", "_print_error", "_flush", "getsignal"])
@pytest.mark.parametrize("command", LONG)
def test_second_interrupt_prints_nothing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, command: str, place: str
) -> None:
    """Interrupt twice, as from a terminal, and once more while the program is only ending."""
    reported: list[int] = []
    usual, reader = getattr(app.signal if place == "getsignal" else app, place), app.run

    def run(words: Sequence[str]) -> int:
        try:
            return reader(words)
        finally:
            reported.append(0)

    def interrupted(*given: object) -> object:
        if reported or place != "getsignal":
            signal.raise_signal(signal.SIGINT)
        return usual(*given)

    monkeypatch.setattr(app, "run", run)
    monkeypatch.setattr(app.signal if place == "getsignal" else app, place, interrupted)
    words, shown = LONG[command]
    child = at_terminal(words, {**shell.environment(), "TERM": "xterm"}, folder=shell.folder)
    child.expect(shown)
    child.sendintr()
    child.sendintr()
    output = child.read()
    child.close()
    assert not any(words in output for words in TROUBLE), output
    assert child.exitstatus == 130 or child.signalstatus == signal.SIGINT  # A shell reports the signal as 130, too.


def test_interrupt_during_process_start_prints_nothing() -> None:
    code = "import os, signal\nfrom ccgrid.engine.deck_sources import FixedDecks\n"
    code += "from ccgrid.engine.many.simulation import Lineup, simulate\n"
    code += "lineup = Lineup('matrix', ('random', 'random'), FixedDecks(()), 1)\n"
    code += "os.register_at_fork(after_in_child=lambda: signal.raise_signal(signal.SIGINT))\n"
    code += "print(simulate(lineup, 60, workers=3).tally.games)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "60\n", "")


@pytest.mark.parametrize(
    ("command", "module", "status"),
    [
        ("stats", "enum", 130),
        ("stats", "typer", -signal.SIGINT),
        *[("scan", module, 130) for module in ("enum", "ccgrid.terminal.echo", "typer")],
    ],
)
def test_interrupt_during_loading_prints_nothing(command: str, module: str, status: int) -> None:
    code = "import os, sys, ccgrid.start as start\nsys.meta_path.insert(0, type('Early', (), {'find_spec':"
    code += f" staticmethod(lambda name, *_: os.kill(os.getpid(), {int(signal.SIGINT)}) if name == {module!r} else None"
    code += f")}})())\nsys.argv = ['ccgrid', {command!r}]\n"
    process = subprocess.run([sys.executable, "-c", f"{code}start.main()"], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout, process.stderr) == (status, "", "")


def test_entry_point_loads_nothing_that_an_interrupt_could_hit() -> None:
    code = "import sys\nbefore = {*sys.modules}\nimport ccgrid.start\nprint(*sorted({*sys.modules} - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.split() == ["ccgrid", "ccgrid.start", "gc"]
