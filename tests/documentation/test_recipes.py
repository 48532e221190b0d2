"""The recipes of docs/extending.md for a source and a collection format, followed to the letter in a copy of ccgrid."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(?:python|toml)\n# (?P<where>[\w./]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
CARDS = "Amber Drake: 3 7\nBrass Bellringer: 4 4\nno card at all\nCinder Cartographer: 10 12\n"


def followed(folder: Path) -> None:
    """Copy the program, write each file of the recipes, and insert each line into the registry that it names."""
    for package in ("catalog", "ccgrid", "engine", "data"):
        shutil.copytree(ROOT / package, folder / package, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    recipes = (ROOT / "docs/extending.md").read_text("utf-8")
    blocks = {found["where"]: found["text"] for found in BLOCK.finditer(recipes)}
    registries = {
        "data/sources.toml": ("data/sources.toml", '[[source]]\nname = "file"\n'),
        "FORMATS": ("catalog/collection/formats/__init__.py", '    Format(\n        "jsonl",'),
    }
    for where, text in blocks.items():
        if where in registries:
            name, before = registries[where]
            registry = folder / name
            source = registry.read_text("utf-8")
            assert source.count(before) == 1
            registry.write_text(source.replace(before, text + before), "utf-8")
        elif where.startswith(("catalog/", "data/")):
            assert not (folder / where).exists()
            (folder / where).write_text(text, "utf-8")
    formats = folder / "catalog/collection/formats/__init__.py"
    source, imports = re.subn(
        r"^(from ccgrid\.catalog\.collection\.formats import .*\btables)\b",
        r"\1, tally",
        formats.read_text("utf-8"),
        flags=re.MULTILINE,
    )
    assert imports == 1
    formats.write_text(source, "utf-8")


class Copy:
    """A copy of the program, with its own catalogue."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        followed(folder)

    def __call__(self, *arguments: str | Path) -> str:
        surroundings = {**os.environ, "CCGRID_DB": str(self.folder / "cards.db"), "PYTHONPATH": str(self.folder)}
        command = [sys.executable, "-P", "-m", "ccgrid", *map(str, arguments)]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=self.folder, env=surroundings, timeout=240, check=False
        )
        assert done.returncode == 0, done
        return done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Return the program with the made-up source and format, and the source's cards imported."""
    program = Copy(tmp_path_factory.mktemp("recipes"))
    (program.folder / "pips.txt").write_text(CARDS)
    summary = json.loads(program("import", "pips", "pips.txt", "--json"))
    assert (summary["read"], summary["added"], summary["skipped"], summary["legal"]) == (4, 3, 1, 3)
    return program


def test_copy_is_the_program_that_runs(program: Copy) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", "import ccgrid.catalog.sources.pips as pips; print(pips.__file__)"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(program.folder)},
    )
    assert Path(done.stdout.strip()).is_relative_to(program.folder)


def test_source_of_recipe_is_listed_and_its_cards_are_playable(program: Copy) -> None:
    listed = [json.loads(line) for line in program("sources", "--json").splitlines()]
    [pips] = [source for source in listed if source["source"] == "pips"]
    assert (pips["title"], pips["cards"]) == ("Pips", 3)
    cards = [json.loads(line) for line in program("export", "--json").splitlines()]
    numbers = ({zone: number for zone, number in card["zones"].items() if number is not None} for card in cards)
    assert dict(zip((card["name"] for card in cards), numbers, strict=True)) == {
        "Amber Drake": {"top-left": 3, "bottom-right": 7},
        "Brass Bellringer": {"top-left": 4, "bottom-right": 4},
        "Cinder Cartographer": {"top-left": 10},
    }
    assert json.loads(program("import", "pips", "pips.txt", "--json"))["unchanged"] == 3


def test_format_of_recipe_is_recognised_read_and_written(program: Copy) -> None:
    (program.folder / "box.txt").write_text("TALLY\n||| Amber Drake\n| Brass Bellringer\nno tally\n")
    report = json.loads(program("collection", "import", "box.txt", "--json"))
    assert (report["format"], report["copies"], report["skipped"]) == ("tally", 4, 1)
    assert program("collection", "export", "--format", "tally") == "TALLY\n||| Amber Drake\n| Brass Bellringer\n"
