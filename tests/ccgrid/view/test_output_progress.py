"""Tests of the progress of long work on a terminal, and of the report after an interrupt."""

import re
import sys
from collections.abc import Iterator
from typing import Any

import pexpect
import pytest
from helpers.catalogues import Shell, row, rows, write_rows
from helpers.forked_program import at_terminal

from ccgrid.catalog.collection.imports import _Import
from ccgrid.catalog.sources import scryfall
from ccgrid.view.output import ProgressBar, progress

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


def terminal_output(shell: Shell, *arguments: object, columns: int = 80) -> str:
    """Return the output of a command on a terminal, with a new line for each cursor movement."""
    environment = {**shell.environment(), "TERM": "xterm-256color"}
    for name in ("COLUMNS", "LINES"):
        environment.pop(name, None)
    child = at_terminal(arguments, environment, columns=columns)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0, child.before
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", child.before).replace("\r", "\n")


@needs_terminal
@pytest.mark.parametrize("game", ["grid", "ninecard", "tactics", "matrix"])
def test_progress_of_simulation_shows_total_from_the_start(shell: Shell, game: str) -> None:
    out = terminal_output(shell, "simulate", game, "--games", "30", "--workers", "1", "--seed", "1")
    assert re.search(r"Playing .*\b\d+ of 30\b", out)
    assert "/?" not in out


@needs_terminal
def test_progress_counts_matches_imports_and_lists(shell: Shell) -> None:
    cards = [row(number, f"Card {number}") for number in range(1, 3001)]
    file = write_rows(shell.folder / "cards.jsonl", cards)
    assert re.search(r"Magic: The Gathering: reading .*\d \w+ of \d", terminal_output(shell, "import", "mtg", file))
    own = shell.folder / "own.csv"
    own.write_text("Count,Name,Edition\n" + "".join(f"1,Card {number},dsk\n" for number in range(1, 3001)))
    out = terminal_output(shell, "collection", "import", own, columns=60)
    assert re.search(r"own.csv: reading [\d,]+ \d+:\d\d:\d\d\b", out)
    out = terminal_output(shell, "simulate", "matrix", "--best-of", "3", "--games", "4", "--workers", "1")
    assert re.search(r"\b\d of 4\b", out)


@needs_terminal
def test_progress_counts_repeated_files_and_checks(shell: Shell) -> None:
    file = write_rows(shell.folder / "cards.jsonl", [row(1, "Fog")])
    shell.good("import", "mtg", file)
    shell.good("collection", "add", "Fog")
    assert re.search(r"Magic: The Gathering: comparing .*\d \w+ of \d", terminal_output(shell, "import", "mtg", file))
    assert re.search(r"Looking at everything .*\b\d+ of \d+\b", terminal_output(shell, "doctor"))
    assert re.search(r"Comparing .*\b0 of 1\b", terminal_output(shell, "collection", "verify"))


def test_interrupted_work_reports_its_progress(capsys: pytest.CaptureFixture[str]) -> None:
    def stop(report: ProgressBar, done: int, total: int | None = None) -> None:
        report(done, total)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), progress("Counting") as report:
        stop(report, 1200, 5000)
    assert capsys.readouterr().err == "Counting: 1,200 of 5,000 done.\n"
    with pytest.raises(KeyboardInterrupt), progress("Downloading", unit="bytes") as report:
        stop(report, 1_500_000)
    assert capsys.readouterr().err == "Downloading: 1.5 MB done.\n"


def test_interrupted_import_changes_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(30))
    before = shell.good("export", "--json").out
    read = scryfall.read

    def interrupt(*arguments: Any) -> Iterator[Any]:
        for number, printing in enumerate(read(*arguments)):
            if number == 50:
                raise KeyboardInterrupt
            yield printing

    monkeypatch.setattr(scryfall, "read", interrupt)
    result = shell("import", "mtg", write_rows(shell.folder / "more.jsonl", rows(90)))
    assert result.status == 130
    assert result.err.endswith("Interrupted; nothing changed.\n")
    assert shell.good("export", "--json").out == before


def test_interrupted_collection_import_adds_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(200))
    own = shell.folder / "own.csv"
    own.write_text("Count,Name\n" + "".join(f"1,{card['name']}\n" for card in rows(200)))
    matched, seen = _Import._match, list[int]()

    def interrupt(job: _Import, *arguments: Any) -> Any:
        seen.append(1)
        if len(seen) == 150:
            raise KeyboardInterrupt
        return matched(job, *arguments)

    monkeypatch.setattr(_Import, "_match", interrupt)
    result = shell("collection", "import", own)
    assert (result.status, result.out) == (130, "")
    assert result.err == "own.csv: 100 done.\nInterrupted; nothing changed.\n"
    assert shell.entries() == []


def test_interrupted_pipe_adds_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(9))

    class Pipe:
        def isatty(self) -> bool:
            return False

        def __iter__(self) -> Iterator[str]:
            yield "1\n"
            yield "2 x3\n"
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Pipe())
    result = shell("collection", "add", "--game", "mtg", "--set", "dsk")
    assert (result.status, result.out) == (130, "")
    assert shell.entries() == []
