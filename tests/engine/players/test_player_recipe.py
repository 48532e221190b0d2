"""Tests of the computer player of docs/extending.md, installed as a package."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.plugins import install

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The folder of packages with the player, whose two files are taken from the documentation."""
    source, packages = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("packages")
    recipe = (ROOT / "docs/extending.md").read_text(encoding="utf-8").partition("## A computer player")[2]
    for file, language in (("lowest.py", "python"), ("pyproject.toml", "toml")):
        text = re.search(rf"```{language}\n(.*?)```", recipe, re.DOTALL)[1]
        (source / file).write_text(text, encoding="utf-8")
    install(source, packages)
    return packages


def run(packages, folder, *arguments):
    path = os.pathsep.join((str(packages), str(ROOT)))
    return subprocess.run(
        [sys.executable, "-m", "ccgrid", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


def test_own_player_simulates_every_game_on_several_cores(packages, tmp_path):
    for game in ("grid", "matrix"):
        names = ("--players", "lowest,random", "--workers", "2", "--json")
        done = run(packages, tmp_path, "simulate", game, "-n", "250", *names)
        assert [player["policy"] for player in json.loads(done.stdout)["players"]] == ["lowest", "random"]


def test_own_player_plays_complete_games(packages, tmp_path):
    names = ("--players", "lowest,greedy", "--seed", "1", "--record", "game.toml")
    done = run(packages, tmp_path, "play", "matrix", *names)
    assert done.returncode == 0, done.stderr
    assert json.loads(run(packages, tmp_path, "score", "game.toml", "--json").stdout)["over"]


def test_help_and_errors_list_own_player(packages, tmp_path):
    assert "lowest" in " ".join(run(packages, tmp_path, "play", "--help").stdout.split())
    wrong = run(packages, tmp_path, "simulate", "grid", "-n", "1", "--players", "lowst,random")
    assert "There is no computer player 'lowst'. Did you mean lowest?" in " ".join(wrong.stderr.split())
