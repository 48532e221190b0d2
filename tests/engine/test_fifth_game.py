"""Tests that games of packages installed next to the program work like bundled games.

Quads is a package of the tests: open cards with four sides, and nearly every part: ready decks, an option, a rating, a
referee, a lesson, a solver. Rungs is the package that `ccgrid new-game` writes: hands are hidden, decks are drawn from
the catalogue, and it has no optional part.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.catalogues import Result
from helpers.forked_program import ProgramServer
from helpers.plugins import install

from ccgrid.catalog.card import Card
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.engine.games import GAMES
from ccgrid.services.new_game import write_package

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
QUADS = ROOT / "tests" / "fifth_game"
ADDED = ("quads", "rungs")
NAMES = [*GAMES.bundled, *ADDED]

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source folder of the package that `ccgrid new-game rungs` writes."""
    return Path(write_package("rungs", tmp_path_factory.mktemp("written")).folder)


@pytest.fixture(scope="module")
def packages(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of packages with the two games."""
    packages = tmp_path_factory.mktemp("packages")
    for source in (QUADS, written):
        install(source, packages)
    return packages


def python(packages: Path, folder: Path, *arguments: str) -> str:
    """Run Python in a folder, with the packages next to the program."""
    path = os.pathsep.join((str(packages), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done
    return done.stdout


@pytest.fixture(scope="module")
def served(packages: Path) -> Iterator[ProgramServer]:
    served = ProgramServer(packages)
    yield served
    served.close()


@pytest.fixture
def ccgrid(served: ProgramServer, tmp_path: Path) -> Command:
    """A function that runs a command in a folder of this test."""

    def run(*arguments: str | Path, typed: str = "", status: int = 0, **more: str) -> Result:
        own = {"CCGRID_DB": str(tmp_path / "catalogue.db"), "CCGRID_STATE": str(tmp_path / "state"), "COLUMNS": "80"}
        done = Result(*served(arguments, tmp_path, typed, {**own, **more}))
        assert done.status == status, done
        return done

    return run


# --- quads


@pytest.fixture
def record(ccgrid: Command) -> str:
    """The file of a game of two computer players."""
    ccgrid("play", "quads", "--players", "greedy,random", "--seed", "3", "-o", "game.toml")
    return "game.toml"


def count_passed(packages: Path, folder: Path, *arguments: str) -> int:
    """Run tests, check that all pass, and return their number."""
    options = ("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider")
    return int(re.search(r"(\d+) passed", python(packages, folder, *options, *arguments))[1])


EXCLUDED_TESTS = [
    f"--ignore=tests/{path}"
    for path in ("test_layers.py", "test_packaging.py", "documentation", "engine/test_plugin_errors.py")
]
"""Options that exclude the tests of the program's own modules and pages, and of other plug-ins."""


@pytest.mark.timeout(900)  # hundreds of tests, each with its own timeout
def test_fifth_game_passes_contract_tests(packages: Path) -> None:
    assert count_passed(packages, ROOT, "--game", "quads", "-k", "not browser and not page", *EXCLUDED_TESTS) > 80


@pytest.mark.timeout(900)
def test_generated_game_passes_contract_tests(packages: Path) -> None:
    contract = ("tests/engine/test_every_game.py", "tests/engine/test_worlds.py", "tests/ccgrid/view/test_games.py")
    assert count_passed(packages, ROOT, "--game", "rungs", *contract) > 25


def test_generated_package_passes_own_tests(packages: Path, written: Path) -> None:
    options = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "43 passed" in python(packages, written, *options)


def test_unknown_game_to_test_is_rejected() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--game", "chess", "-n0", "-p", "no:cacheprovider"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 4
    assert "no game is called chess: there are grid" in done.stderr


def test_equal_numbers_turn_cards_depending_on_option(ccgrid: Command, tmp_path: Path) -> None:
    sides = {
        "Ann": [("Low", 0, 3, 0, 0), ("Also", 4, 0, 0, 0), *[(f"Spare {number}", 0, 0, 0, 0) for number in range(3)]],
        "Bob": [("Corner", 0, 0, 4, 3), *[(f"Other {number}", 0, 0, 0, 0) for number in range(4)]],
    }
    keys = ("name", "top", "right", "bottom", "left")
    decks = {player: [dict(zip(keys, card, strict=True)) for card in cards] for player, cards in sides.items()}
    moves = ["Low@a1", "Other 0@c3", "Also@b2", "Corner@b1"]
    for same, scores in ((True, {"Ann": 3, "Bob": 7}), (False, {"Ann": 5, "Bob": 5})):
        setup = {"decks": decks} | ({} if same else {"same": False})
        record = {"game": "quads", "players": ["Ann", "Bob"], "first": "Ann", "moves": moves, "setup": setup}
        (tmp_path / "game.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
        assert json.loads(ccgrid("score", "game.jsonl", "--json").out)["scores"] == scores


def test_games_are_solved_advised_analyzed_and_posed_as_puzzles(ccgrid: Command, record: str) -> None:
    solved = json.loads(ccgrid("solve", record, "--after", "5", "--json").out)
    assert len(solved["line"]) == 4
    assert solved["low"] == solved["high"]
    advised = json.loads(ccgrid("advise", record, "--after", "7", "--json").out)
    assert advised["exact"]
    report = ccgrid("analyze", record, "--think", "0.3").out
    assert "hindsight: proved with all cards known" in report
    assert re.search(r"\n7  random  Deep Well@b1 +\? +2  Deep Well@a2 +2 ", report), (
        "proved at the table, and afterwards"
    )
    assert "draw" not in report, "nothing is drawn"
    assert "could know" not in report, "everything lies open"
    hint = ccgrid("play", "quads", "--seed", "3", typed="hint\nquit\n").out
    assert "Estimated by playing on from each move." in hint


def test_puzzles_need_no_code_of_the_game(ccgrid: Command) -> None:
    puzzle = json.loads(ccgrid("puzzle", "quads", "--seed", "1", "--output", "one.toml", "--json").out)
    first, second, *_ = [one["value"] for one in puzzle["moves"]]
    assert first > second
    solved = json.loads(ccgrid("solve", "one.toml", "--json").out)
    assert (solved["value"], solved["line"]) == (puzzle["value"], puzzle["line"])
    output = ccgrid("puzzle", "quads", "--seed", "1", typed=f"{puzzle['best']}\n").out
    assert f"Right. {puzzle['best']}: " in output
    assert "Perfect information" not in output, "it always is"


def test_factions_are_listed_checked_and_rated(ccgrid: Command, packages: Path) -> None:
    listed = [json.loads(line) for line in ccgrid("faction", "list", "--json").out.splitlines()]
    assert [one["name"] for one in listed if one["game"] == "quads"] == ["kites", "wells"]
    kites = packages / "ccgrid_quads" / "factions" / "kites.toml"
    assert ccgrid("faction", "check", kites).out == "Legal: The Kites, 5 cards for quads.\n"
    rated = json.loads(ccgrid("deck", "rate", kites, "--games", "50", "--seed", "1", "--json").out)
    assert rated["games"] == 50


def test_other_commands_work_or_report_missing_parts(ccgrid: Command, record: str) -> None:
    arena = json.loads(ccgrid("arena", "quads", "--players", "greedy,random", "--games", "20", "--json").out)
    assert arena["games"] == 20
    one, two = (
        json.loads(ccgrid("simulate", "quads", "-n", "100", "--seed", "4", "--option", f"same={same}", "--json").out)
        for same in ("true", "false")
    )
    assert one["players"] != two["players"]
    assert ccgrid("score", ccgrid("code", record).out.strip()).out
    for words in (
        ("sheet", "quads", "-o", "sheet.html"),
        ("page", record, "-o", "page.html"),
        ("replay", record),
    ):
        ccgrid(*words)
    assert "ccgrid play GAME --faction" in ccgrid("faction", "list").out


def test_game_uses_its_own_referee_lessons_and_solver(ccgrid: Command, record: str) -> None:
    typed = "1\n1\nundo\nquit\n"
    table = ccgrid("table", "kites", "wells", "--players", "Ann,Bob", "-o", "table.toml", typed=typed)
    assert "Both players lay their five cards open." in table.out
    assert json.loads(ccgrid("validate", "table.toml", "--json").out)["ok"]
    assert "Turn as many cards as you can: a player who does wins " in ccgrid("learn", "quads").out
    assert "quads is solved from 7 open cells on" in ccgrid("solve", record, "--after", "1", status=3).err
    assert "Proved: " in ccgrid("solve", record, "--after", "4").out


# --- rungs


def test_keyboard_game_is_recorded_validated_scored_and_replayed(ccgrid: Command) -> None:
    game = ccgrid("play", "rungs", "--seed", "3", "-o", "game.toml", typed="help\nrules\nhint\n" + "1\n" * 5)
    assert "The game is over: every card is played." in game.out
    assert "On the table: nothing" in game.out
    assert "┌─" in game.out, "it draws itself"
    assert "Two players hold five legal cards each" in game.out
    assert re.search(r"Play [^:]+: .* in the end\.", game.out)
    assert json.loads(ccgrid("validate", "game.toml", "--json").out)["ok"]
    scored = json.loads(ccgrid("score", "game.toml", "--json").out)
    assert (scored["game"], scored["over"], scored["moves"]) == ("rungs", True, 10)
    replayed = json.loads(ccgrid("replay", "game.toml", "--json").out)
    assert [len(ply["legal"]) for ply in replayed["plies"]][-1] == 1
    assert ccgrid("replay", "game.toml").out.startswith("The start.\n")


def test_two_players_share_keyboard_without_seeing_other_hand(ccgrid: Command, tmp_path: Path) -> None:
    for owner in ("Ann", "Bob"):
        cards = [Card("", "", f"{owner}s{number}", {"top": number}, number) for number in range(5)]
        (tmp_path / f"{owner}.toml").write_text(deck_toml(Deck(owner, tuple(cards), plays="rungs")), encoding="utf-8")
    decks = ("--deck", "Ann.toml", "--deck", "Bob.toml")
    out = ccgrid("play", "rungs", "--players", "Ann,Bob", *decks, "--seed", "3", typed="\n1\n\n").out
    _, leads, before, follows, after = re.split(r"(\w+), it is your turn", out)
    assert {leads, follows} == {"Ann", "Bob"}
    assert set(re.findall(r"\w+s\d", before)) == {f"{leads}s{number}" for number in range(5)}
    [led] = re.findall(rf"{leads} plays (\w+): ", after)
    assert set(re.findall(r"\w+s\d", after)) == {led, *(f"{follows}s{number}" for number in range(5))}


def test_illegal_move_is_explained_by_the_game(ccgrid: Command) -> None:
    out = ccgrid("play", "rungs", "--seed", "3", typed="Nobody\nquit\n").out
    assert '"Nobody": not a move; write moves like Gate Warden' in out


def test_simulation_is_independent_of_number_of_workers(ccgrid: Command) -> None:
    arguments = ("simulate", "rungs", "--games", "600", "--players", "greedy,random", "--seed", "4", "--json")
    one, two = (json.loads(ccgrid(*arguments, "--workers", count).out) for count in ("1", "2"))
    assert {**one, "games_per_second": 0} == {**two, "games_per_second": 0}
    assert one["players"][0]["wins"] > one["players"][1]["wins"]


def test_matches_are_played(ccgrid: Command) -> None:
    out = ccgrid("play", "rungs", "--players", "greedy,random", "--best-of", "3", "--seed", "5").out
    assert "The match is over: " in out


def test_rules_are_printed(ccgrid: Command, packages: Path) -> None:
    assert ccgrid("rules", "rungs").out == (packages / "ccgrid_rungs" / "rules.md").read_text(encoding="utf-8")


def test_decks_are_drawn_checked_shown_and_played(ccgrid: Command) -> None:
    ccgrid("import", "starter")
    ccgrid("deck", "new", "rungs", "--seed", "2", "-o", "deck.toml")
    assert json.loads(ccgrid("deck", "check", "deck.toml", "--json").out) == {"ok": True, "cards": 5, "problems": []}
    assert "┌─ 1 ─" in ccgrid("deck", "show", "deck.toml").out
    ccgrid("simulate", "rungs", "--games", "2", "--deck", "deck.toml")
    result = ccgrid("deck", "check", "deck.toml", "--for", "grid", status=3)
    assert "is a deck for 'rungs', not for grid" in result.err
    assert (
        "There are decks for: grid, ninecard, tactics, quads, rungs." in ccgrid("deck", "new", "matrix", status=2).err
    )


def test_missing_parts_are_reported_and_defaults_work(ccgrid: Command, tmp_path: Path) -> None:
    cards = tuple(Card("", "", f"Card {number}", {"top": number}, number) for number in range(5))
    (tmp_path / "deck.toml").write_text(deck_toml(Deck("Five", cards, plays="rungs")), encoding="utf-8")
    messages = {
        (
            "deck",
            "rate",
            "deck.toml",
        ): "Decks of rungs are not rated: there are ratings for grid, ninecard, tactics, quads.",
        ("deck", "new", "rungs", "--lively"): "are for grid, not for rungs",
        ("table", "deck.toml"): "rungs has no referee: there is one for grid, ninecard, tactics, matrix, quads",
        ("learn", "rungs"): "rungs has no lessons: there are lessons for grid, ninecard, tactics, matrix, quads.",
    }
    for words, message in messages.items():
        assert message in " ".join(ccgrid(*words, status=2).err.split())
    assert "grid, ninecard, tactics or quads" in " ".join(ccgrid("deck", "rate", "--help").out.split())
    wrong = ccgrid("simulate", "rungs", "-n", "1", "--option", "komi=1", status=2)
    assert 'rungs has no option "komi"' in wrong.err
    ccgrid("play", "rungs", "--players", "greedy,random", "--seed", "3", "-o", "game.toml")
    assert "Proved: " in ccgrid("solve", "game.toml", "--after", "4").out
    ccgrid("advise", "game.toml", "--after", "4", "--think", "0.05")
    report = ccgrid("analyze", "game.toml", "--think", "0.01").out
    assert "the player could know" in report, "the other hand is hidden"
    assert "the draw gave" not in report, "nothing is drawn"
    ccgrid("sheet", "deck.toml", "-o", "sheet.html")


def test_ending_without_moves_is_scored(ccgrid: Command, tmp_path: Path) -> None:
    (tmp_path / "end.toml").write_text('game = "rungs"\n[points]\nAnn = 3\nBob = 2\n', encoding="utf-8")
    assert json.loads(ccgrid("score", "--ending", "end.toml", "--json").out)["winner"] == "Ann"


def test_game_appears_in_help_completion_and_errors(ccgrid: Command) -> None:
    help_page = " ".join(ccgrid("play", "--help").out.split())
    assert f"{', '.join(NAMES[:-1])} or rungs" in help_page
    assert "grid, ninecard, tactics, quads or rungs" in " ".join(ccgrid("deck", "new", "--help").out.split())
    assert f"There are: {', '.join(NAMES)}" in ccgrid("rules", "chess", status=2).err
    for line in ("ccgrid play ru", "ccgrid simulate ru", "ccgrid rules ru", "ccgrid deck new ru"):
        words = {"_CCGRID_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        assert ccgrid(**words).out.split() == ["rungs"], "what is completed stands in COMP_WORDS"
