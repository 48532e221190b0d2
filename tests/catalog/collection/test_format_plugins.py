"""Collection formats from installed packages, written as docs/extending.md describes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.plugins import write_package

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs/extending.md").read_text("utf-8")
BROKEN = """
from ccgrid.catalog.collection.formats.format import Format


def sniff(file):
    raise KeyError("sniffed")


BAD = Format("bad", "a broken format", lambda file: None, sniff)
"""


def block(path: str) -> str:
    """Return the file of the guide with this path."""
    found = re.search(rf"^```python\n# {re.escape(path)}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a catalogue of one card, for installing packages."""
    make_catalogue(tmp_path / "cards.db", write_rows(tmp_path / "cards.jsonl", [row(1, "Amber Drake")]))
    return tmp_path


def run_program(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CCGRID_DB": str(folder / "cards.db"), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "ccgrid", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, timeout=240, check=False
    )


def test_format_of_an_installed_package_is_detected_read_and_written(folder: Path) -> None:
    entry = re.search(r'^\[project\.entry-points\."ccgrid\.formats"\]\ntally = "(.*)"$', GUIDE, re.MULTILINE)
    assert entry is not None
    modules = {
        "ccgrid_tally/__init__.py": block("ccgrid_tally/__init__.py"),
        # A zero byte makes the file one that no shipped format reads.
        "ccgrid_tally/tally.py": block("catalog/collection/formats/tally.py").replace("TALLY", r"TALLY\0"),
    }
    write_package(folder, "ccgrid-tally", f"[ccgrid.formats]\ntally = {entry[1]}\n", modules)
    (folder / "box.txt").write_text("TALLY\0\n||| Amber Drake\n")
    done = run_program(folder, "collection", "import", "box.txt", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["format"], report["copies"]) == ("tally", 3)
    done = run_program(folder, "collection", "export", "--format", "tally")
    assert (done.returncode, done.stdout) == (0, "TALLY\0\n||| Amber Drake\n")


def test_broken_format_is_named_in_one_line_and_skipped(folder: Path) -> None:
    declared = "[ccgrid.formats]\nbad = broken_format:BAD\ntext = broken_format:BAD\ngone = no_module:GONE\n"
    write_package(folder, "broken", declared, {"broken_format.py": BROKEN})
    (folder / "box.txt").write_text("3 Amber Drake\n")
    done = run_program(folder, "collection", "import", "box.txt", "--json")
    assert (done.returncode, json.loads(done.stdout)["copies"]) == (0, 3)
    where = f"{folder / 'broken_format.py'}, line 6"
    assert sorted(done.stderr.splitlines()) == [
        f"Warning: The plug-in 'bad' (ccgrid.formats) of broken 1.0 cannot be loaded: KeyError: 'sniffed' ({where}); "
        "it is skipped.",
        "Warning: The plug-in 'gone' (ccgrid.formats) of broken 1.0 cannot be loaded: "
        "ModuleNotFoundError: No module named 'no_module'; it is skipped.",
        "Warning: The plug-in 'text' (ccgrid.formats) of broken 1.0 is skipped: ccgrid has the same name.",
    ]
    done = run_program(folder, "collection", "list")
    assert (done.returncode, done.stderr) == (0, "")
