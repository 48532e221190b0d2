"""A computer player that is added as CONTRIBUTING says plays, simulates, and is named wherever players are."""

import json
import re
import shutil
from pathlib import Path

import pytest
from helpers.processes import run_copy

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The packages with the recipe followed: the module as it stands there, and the two lines in the registry."""
    folder = tmp_path_factory.mktemp("house")
    for package in ("catalog", "ccgrid", "data", "engine"):
        shutil.copytree(ROOT / package, folder / package, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    recipe = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A computer player")[2]
    module = re.search(r"```python\n(.*?)```", recipe, re.DOTALL)[1]
    line, entry = re.search(r"In the registry, add `(.*?)`, and `(.*?)` among the others", recipe).groups()
    (folder / "engine/players/lowest.py").write_text(module, encoding="utf-8")
    registry = folder / "engine/players/__init__.py"
    text = registry.read_text(encoding="utf-8")
    assert "StrongPlayer(), *LEVELS)" in text
    text = text.replace("StrongPlayer(), *LEVELS)", f"StrongPlayer(), *LEVELS, {entry.rstrip(',')})")
    first = "from ccgrid.engine.players.player"
    registry.write_text(text.replace(first, f"{line}\n{first}"), encoding="utf-8")
    return folder


def run(house, *arguments):
    return run_copy(house, "-m", "ccgrid", *arguments)


def test_own_player_simulates_every_game_on_several_cores(house):
    for game in ("grid", "matrix"):
        done = run(house, "simulate", game, "-n", "250", "--players", "lowest,random", "--workers", "2", "--json")
        assert [player["policy"] for player in json.loads(done.stdout)["players"]] == ["lowest", "random"]


def test_own_player_plays_complete_games(house):
    done = run(house, "play", "matrix", "--players", "lowest,greedy", "--seed", "1", "--record", "game.toml")
    assert done.returncode == 0, done.stderr
    assert json.loads(run(house, "score", "game.toml", "--json").stdout)["over"]


def test_help_and_errors_list_own_player(house):
    assert "lowest" in " ".join(run(house, "play", "--help").stdout.split())
    wrong = run(house, "simulate", "grid", "-n", "1", "--players", "lowst,random")
    assert "There is no computer player 'lowst'. Did you mean lowest?" in " ".join(wrong.stderr.split())
