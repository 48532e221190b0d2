"""A made-up fifth game, added to a copy of the program by CONTRIBUTING's recipe alone, is a game like the others."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from catalogues import Result
from forked import Served

from catalog.card import Card
from catalog.decks.deck import Deck, deck_toml

ROOT = Path(__file__).resolve().parents[1]
LADDER = Path(__file__).parent / "fifth_game" / "ladder"
RECIPE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## A game\n")[2].partition("\n## ")[0]

HOUSE_RULES = """
import imported_modules, test_layers, test_packaging
# The others are asked elsewhere.
test_layers.MODULES = [path for path in imported_modules.MODULES if "ladder" in path.parts]
test_layers.INSIDE_FUNCTIONS = {}
test_layers.test_imports_go_down_only()
test_layers.test_inside_the_packages_imports_go_down_too()
test_layers.test_every_module_has_a_room_and_every_room_a_module()
test_layers.test_one_module_alone_prints_and_asks()
test_layers.test_imports_stand_at_the_top_of_a_module_but_for_a_reason()
test_packaging.test_every_package_is_installed_and_nothing_else()
test_packaging.test_every_folder_with_a_module_is_a_package()
test_packaging.test_every_file_of_a_package_that_is_no_python_is_installed()
print(len(test_layers.MODULES))
"""
"""What asks of a folder whether it has a room and is installed."""

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program to which the game was added as the recipe says: a folder and an entry."""
    house = tmp_path_factory.mktemp("house")
    for package in ("ccgrid", "catalog", "engine", "data"):
        shutil.copytree(ROOT / package, house / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(LADDER, house / "engine" / "games" / "ladder", ignore=shutil.ignore_patterns("__pycache__"))
    registry = house / "engine" / "games" / "__init__.py"
    [entry] = re.findall(r'^ +("\w+",\n)', RECIPE, re.MULTILINE)
    entry = f"    {entry}"
    text = registry.read_text(encoding="utf-8")
    [last] = re.findall(r'^ +"\w+",\n(?=\))', text, re.MULTILINE)
    registry.write_text(text.replace(last, last + entry), encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", house)
    (house / "tests").mkdir()
    for asked in ("test_layers.py", "test_packaging.py", "imported_modules.py"):
        shutil.copy(ROOT / "tests" / asked, house / "tests")
    for module in house.rglob("*.py"):  # what was compiled here need not be compiled there
        compiled = Path(cache_from_source(str(ROOT / module.relative_to(house))))
        if compiled.exists():
            there = Path(cache_from_source(str(module)))
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(compiled, there)
    return house


@pytest.fixture(scope="module")
def served(house: Path) -> Iterator[Served]:
    served = Served(house)
    yield served
    served.close()


@pytest.fixture
def ccgrid(served: Served, tmp_path: Path) -> Command:
    """Runs a command of the copy in a folder of this test."""

    def run(*arguments: str | Path, typed: str = "", status: int = 0, **more: str) -> Result:
        own = {"CCGRID_DB": str(tmp_path / "catalogue.db"), "CCGRID_STATE": str(tmp_path / "state"), "COLUMNS": "80"}
        done = Result(*served(arguments, tmp_path, typed, {**own, **more}))
        assert done.status == status, done
        return done

    return run


def test_its_folder_has_a_room_and_is_installed(house: Path) -> None:
    asked = [sys.executable, "-c", HOUSE_RULES]
    environment = {**os.environ, "PYTHONPATH": str(house / "tests")}
    done = subprocess.run(asked, cwd=house, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(list(LADDER.glob("*.py")))


def test_it_is_played_at_the_keyboard_and_its_record_is_valid_scored_and_replayed(ccgrid: Command) -> None:
    played = ccgrid("play", "ladder", "--seed", "3", "-o", "game.toml", typed="help\nrules\nhint\n" + "1\n" * 5)
    assert "The game is over: every card is played." in played.out
    assert "On the table: nothing" in played.out
    assert "┌─" in played.out, "it draws itself"
    assert "Two players have five legal cards each" in played.out
    assert re.search(r"Play [^:]+: .* in the end\.", played.out)
    assert json.loads(ccgrid("validate", "game.toml", "--json").out)["ok"]
    scored = json.loads(ccgrid("score", "game.toml", "--json").out)
    assert (scored["game"], scored["over"], scored["moves"]) == ("ladder", True, 10)
    replayed = json.loads(ccgrid("replay", "game.toml", "--json").out)
    assert [len(ply["legal"]) for ply in replayed["plies"]][-1] == 1
    assert ccgrid("replay", "game.toml").out.startswith("The beginning.\n")


def test_two_people_hand_the_keyboard_over_and_never_see_the_other_hand(ccgrid: Command, tmp_path: Path) -> None:
    for owner in ("Ann", "Bob"):
        cards = [Card("", "", f"{owner}s{number}", {"top": number}, number) for number in range(5)]
        (tmp_path / f"{owner}.toml").write_text(deck_toml(Deck(owner, tuple(cards), plays="ladder")), encoding="utf-8")
    decks = ("--deck", "Ann.toml", "--deck", "Bob.toml")
    out = ccgrid("play", "ladder", "--players", "Ann,Bob", *decks, "--seed", "3", typed="\n1\n\n").out
    _, leads, before, follows, after = re.split(r"(\w+), it is your turn", out)
    assert {leads, follows} == {"Ann", "Bob"}
    assert set(re.findall(r"\w+s\d", before)) == {f"{leads}s{number}" for number in range(5)}
    [led] = re.findall(rf"{leads} plays (\w+): ", after)
    assert set(re.findall(r"\w+s\d", after)) == {led, *(f"{follows}s{number}" for number in range(5))}


def test_a_wrong_move_is_explained_in_the_games_words(ccgrid: Command) -> None:
    out = ccgrid("play", "ladder", "--seed", "3", typed="Nobody\nquit\n").out
    assert '"Nobody": not a move; write moves like Gate Warden' in out


def test_it_is_simulated_with_the_same_result_for_any_number_of_workers(ccgrid: Command) -> None:
    arguments = ("simulate", "ladder", "--games", "600", "--players", "greedy,random", "--seed", "4", "--json")
    one, two = (json.loads(ccgrid(*arguments, "--workers", count).out) for count in ("1", "2"))
    assert {**one, "games_per_second": 0} == {**two, "games_per_second": 0}
    assert one["players"][0]["wins"] > one["players"][1]["wins"]


def test_matches_of_it_are_played(ccgrid: Command) -> None:
    out = ccgrid("play", "ladder", "--players", "greedy,random", "--best-of", "3", "--seed", "5").out
    assert "The match is over: " in out


def test_its_rules_are_printed(ccgrid: Command) -> None:
    assert ccgrid("rules", "ladder").out == (LADDER / "rules.md").read_text(encoding="utf-8")


def test_its_decks_are_drawn_checked_shown_and_played_with(ccgrid: Command) -> None:
    ccgrid("import", "starter")
    ccgrid("deck", "new", "ladder", "--seed", "2", "-o", "deck.toml")
    assert json.loads(ccgrid("deck", "check", "deck.toml", "--json").out) == {"ok": True, "cards": 5, "problems": []}
    assert "┌─ 1 ─" in ccgrid("deck", "show", "deck.toml").out
    ccgrid("simulate", "ladder", "--games", "2", "--deck", "deck.toml")
    refused = ccgrid("deck", "check", "deck.toml", "--for", "grid", status=3)
    assert "is a deck for 'ladder', not for grid" in refused.err
    assert "There are decks for: grid, ninecard, tactics, ladder." in ccgrid("deck", "new", "matrix", status=3).err


def test_what_it_does_not_hand_out_is_refused_and_what_has_a_default_is_not(ccgrid: Command, tmp_path: Path) -> None:
    cards = tuple(Card("", "", f"Card {number}", {"top": number}, number) for number in range(5))
    (tmp_path / "deck.toml").write_text(deck_toml(Deck("Five", cards, plays="ladder")), encoding="utf-8")
    refused = {
        ("deck", "rate", "deck.toml"): "Decks of ladder are not rated: there are ratings for grid, ninecard, tactics.",
        ("deck", "new", "ladder", "--lively"): "are for grid, not for ladder",
        ("table", "deck.toml"): "ladder has no referee: there is one for grid, ninecard, tactics, matrix",
        ("learn", "ladder"): "nothing was measured of ladder yet",
        ("page", "deck.toml", "-o", "x.html"): "The page of a deck is for 3x3 CCG Battle, and this deck is for ladder",
    }
    for words, said in refused.items():
        assert said in " ".join(ccgrid(*words, status=3).err.split())
    assert "grid, ninecard or tactics" in " ".join(ccgrid("deck", "rate", "--help").out.split())
    wrong = ccgrid("simulate", "ladder", "-n", "1", "--option", "komi=1", status=2)
    assert 'ladder has no option "komi"' in wrong.err
    ccgrid("play", "ladder", "--players", "greedy,random", "--seed", "3", "-o", "game.toml")
    assert "Proved: " in ccgrid("solve", "game.toml", "--after", "4").out
    ccgrid("advise", "game.toml", "--after", "4", "--think", "0.05")
    ccgrid("sheet", "deck.toml", "-o", "sheet.html")


def test_who_noted_the_end_alone_is_scored(ccgrid: Command, tmp_path: Path) -> None:
    (tmp_path / "end.toml").write_text('game = "ladder"\n[points]\nAnn = 3\nBob = 2\n', encoding="utf-8")
    assert json.loads(ccgrid("score", "--ending", "end.toml", "--json").out)["winner"] == "Ann"


def test_it_stands_in_help_in_completion_and_in_what_is_said_of_unknown_games(ccgrid: Command) -> None:
    help_page = " ".join(ccgrid("play", "--help").out.split())
    assert "grid, ninecard, tactics, matrix or ladder" in help_page
    assert "grid, ninecard, tactics or ladder" in " ".join(ccgrid("deck", "new", "--help").out.split())
    assert "there are grid, ninecard, tactics, matrix, ladder" in ccgrid("rules", "chess", status=2).err
    for line in ("ccgrid play la", "ccgrid simulate la", "ccgrid rules la", "ccgrid deck new la"):
        words = {"_CCGRID_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        assert ccgrid(**words).out.split() == ["ladder"], "what is completed stands in COMP_WORDS"


def test_a_world_that_agrees_with_what_a_seat_sees_can_be_sampled(house: Path, tmp_path: Path) -> None:
    script = """
from engine.deck_sources import FixedDecks
from engine.dice import Dice
from engine.games import find_game
from engine.worlds import sample_world
from catalog.card import Card
game = find_game("ladder")
cards = tuple(Card(f"a:{n}", "a", f"Card {n}", {"top": n % 10}, n) for n in range(1, 6))
state = game.deal(["Ann", "Bob"], [cards, cards], Dice(1)).start()
for step in range(4):
    for seat in (0, 1):
        view = state.view(seat)
        world = sample_world(view, seat, Dice(step), cards)
        assert world.view(seat) == view and world.legal_moves()
    state = state.play_unchecked(state.legal_moves()[0])
"""
    environment = {**os.environ, "PYTHONPATH": str(house)}
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
