"""Tests that a variant added as docs/game-parts.md describes is played by its rules or declined, but never ignored."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.processes import run_copy

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "docs/game-parts.md").read_text("utf-8").partition("\n## A variant\n")[2].partition("\n## ")[0]
BLOCK = re.compile(
    r"^```\w+\n# (?P<file>[\w./]+)(?:: (?P<where>[\w ]+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
DECK = ROOT / "docs" / "examples" / "deck.toml"

COUNTED = """
from pathlib import Path
from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.many.simulation import Lineup, play_game
from ccgrid.engine.many.tally import Tally

cards = tuple(entry.card for entry in read_deck(Path("deck.toml")).entries)
lineup = Lineup("grid", ("greedy", "random"), FixedDecks((cards,)), 4, {"centre": True})
tally = Tally(2)
for number in range(1, 201):
    record = play_game(lineup, number)
    state, first = record.setup.start(), record.setup.first
    points = [0, 0]
    for move in record.moves:
        points[state.to_move] += state.card_taken(move).score * (2 if move.endswith("xb2") else 1)
        state = state.play_unchecked(move)
    assert tuple(points) == state.scores() == record.result
    tally.count(state.outcome(), first, len(record.moves))
print(tally.wins, [round(points / 200, 3) for points in tally.points])
"""


EXHAUSTIVE_PLAY = """
from pathlib import Path
from ccgrid.engine.records.files import read_game

def value(state, seat):
    found = [value(state.play_unchecked(move), seat) for move in state.legal_moves()]
    if not found:
        return state.scores()[seat] - state.scores()[1 - seat]
    return max(found) if state.to_move == seat else min(found)

record = read_game(Path("game.toml"))
after = len(record.moves) - 4
state = list(record)[after].state
print(after, value(state, state.to_move))
"""


def follow_recipe(program_copy: Path) -> None:
    """Apply the code blocks of the documentation to a copy of the program."""
    blocks = list(BLOCK.finditer(RECIPE))
    assert len(blocks) == RECIPE.count("```") // 2
    for block in blocks:
        path, text = program_copy / block["file"], block["text"]
        lines = path.read_text("utf-8").splitlines(keepends=True)
        if block["where"] is None:  # the block replaces lines
            begin, end = (re.split("=", text.splitlines()[place])[0] for place in (0, -1))
            first = next(number for number, line in enumerate(lines) if line.startswith(begin))
            last = next(number for number, line in enumerate(lines) if number >= first and line.startswith(end))
            lines[first : last + 1] = [text]
        else:  # the block follows the last similar line
            begins = re.match(r"\W*\w+", text)[0] if block["where"] != "class Options" else "    empty_pile"
            begins = "- `empty-pile`" if path.suffix == ".md" else begins
            last = max(number for number, line in enumerate(lines) if line.startswith(begins))
            while path.suffix == ".md" and lines[last + 1].startswith("  "):
                last += 1
            lines.insert(last + 1, text)
        path.write_text("".join(lines), "utf-8")


@pytest.fixture(scope="module")
def program_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program_copy = tmp_path_factory.mktemp("variant")
    for package in ("ccgrid", "catalog", "engine", "data", "tests"):
        shutil.copytree(
            ROOT / package, program_copy / package, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for file in (ROOT / "pyproject.toml", DECK):
        shutil.copy(file, program_copy)
    follow_recipe(program_copy)
    return program_copy


def run_python(program_copy: Path, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = run_copy(program_copy, "-P", *arguments)
    assert done.returncode == status, done
    return done


def ccgrid(program_copy: Path, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    return run_python(program_copy, "-m", "ccgrid", *arguments, status=status)


def test_new_variant_is_simulated_by_readable_rules_with_notice(program_copy: Path) -> None:
    words = ("simulate", "grid", "-n", "200", "--players", "greedy,random", "--seed", "4", "--deck", "deck.toml")
    without_variant = json.loads(ccgrid(program_copy, *words, "--json").stdout)
    variant = ccgrid(program_copy, *words, "--option", "centre=true", "--json")
    assert variant.stderr.splitlines() == ['"centre" is played by the slower, readable rules.']
    players = json.loads(variant.stdout)["players"]
    counted = [player["wins"] for player in players], [round(player["mean_score"], 3) for player in players]
    assert f"{counted[0]} {counted[1]}\n" == run_python(program_copy, "-c", COUNTED).stdout
    assert players != without_variant["players"], "it makes a difference"
    with_usual = ccgrid(program_copy, *words, "--option", "centre=false", "--json")
    assert with_usual.stderr == "", "what is as usual is no variant"
    assert json.loads(with_usual.stdout)["players"] == without_variant["players"]


def test_new_variant_is_solved_correctly_and_recorded(program_copy: Path) -> None:
    play_options = (
        "--players",
        "greedy,random",
        "--seed",
        "3",
        "--deck",
        "deck.toml",
        "--option",
        "centre",
        "-o",
        "game.toml",
    )
    ccgrid(program_copy, "play", "grid", *play_options)
    assert "centre = true" in (program_copy / "game.toml").read_text("utf-8")
    assert json.loads(ccgrid(program_copy, "validate", "game.toml", "--json").stdout)["ok"]
    after, value = map(int, run_python(program_copy, "-c", EXHAUSTIVE_PLAY).stdout.split())
    solved = ccgrid(program_copy, "solve", "game.toml", "--after", str(after), "--json")
    assert json.loads(solved.stdout)["value"] == value
    assert solved.stderr.splitlines() == ['"centre" is played by the slower, readable rules.']
    advised = json.loads(ccgrid(program_copy, "advise", "game.toml", "--after", "8", "--think", "0.2", "--json").stdout)
    assert not advised["exact"]


def test_new_variant_is_known_to_rules_completion_and_errors(
    program_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [*_, option] = json.loads(ccgrid(program_copy, "rules", "grid", "--json").stdout)["options"]
    assert (option["name"], option["values"], option["default"]) == ("centre", "true or false", False)
    monkeypatch.setenv("_CCGRID_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "ccgrid simulate --option ce")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert ccgrid(program_copy).stdout.split() == ["centre"]
    monkeypatch.undo()
    wrong = ccgrid(program_copy, "simulate", "grid", "-n", "1", "--option", "center", status=2).stderr
    assert "it has komi, order, empty-pile, turn, centre" in wrong


def test_fast_path_and_option_tests_cover_new_variant(program_copy: Path) -> None:
    words = ("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-m", "", "-k", "centre")
    done = run_python(program_copy, *words, "tests/engine/many/test_fast_paths.py", "tests/engine/test_options.py")
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 12
