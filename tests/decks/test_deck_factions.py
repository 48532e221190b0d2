"""Factions, and where decks come from."""

from typing import Any

import pytest
from catalogues import Shell
from deck_texts import write

from ccgrid.services.dealing import dealt_with, read_options
from engine.dice import Dice
from engine.games import GAMES

# --- factions -----------------------------------------------------------------------------------------------------


GOOD = """format = 1
name = "elves"
title = "The Elves"
cards = [
  { name = "Spear", top = 1, right = 2, bottom = 3, left = 4 },
  { name = "Shield", top = 5, right = 5, bottom = 5, left = 5 },
  { name = "Bow", top = 0, right = 10, bottom = 0, left = 0 },
]
"""


def test_the_factions_are_listed_with_their_characters(shell: Shell) -> None:
    out = shell.good("faction", "list").out
    listed = shell.good("faction", "list", "--json").json_lines
    assert [faction["name"] for faction in listed] == ["bastion", "cinder", "harbor", "lancers"]
    for faction in listed:
        assert list(faction) == ["name", "title", "about", "cards"]
        assert faction["title"] in out
        assert faction["cards"] == 18


def test_a_faction_is_shown_with_the_numbers_of_its_cards(shell: Shell) -> None:
    shown = shell.good("faction", "show", "bastion")
    assert shown.out.startswith("The Slate Bastion (bastion)\n")
    assert "Gate Warden" in shown.out
    answer = shell.good("faction", "show", "bastion", "--json").json
    assert list(answer["cards"][0]) == ["name", "top", "right", "bottom", "left"]
    shell("faction", "show", "elves").misnamed('no faction is called "elves"', "bastion")
    own = write(shell.folder / "elves.toml", GOOD)
    assert shell.good("faction", "show", own).out.startswith("The Elves (elves)\n")
    shell.good("simulate", "tactics", "-n", "1", "--faction", f"{own},bastion")


def test_a_faction_file_is_checked_and_every_problem_is_told(shell: Shell) -> None:
    file = write(shell.folder / "elves.toml", GOOD)
    assert shell.good("faction", "check", file).out == "Legal: The Elves, 3 cards.\n"
    assert shell.good("faction", "check", file, "--json").json == {"ok": True, "file": str(file), "problems": []}
    file.write_text(GOOD.replace("top = 1", "top = 11").replace("left = 5", "luck = 5").replace('name = "elves"\n', ""))
    result = shell("faction", "check", file)
    assert result.status == 1
    assert result.out.splitlines() == [
        "Not legal:",
        "  elves.toml: name: is missing: say what people type to choose it",
        '  elves.toml: card "Spear", top: must be 0 to 10, not 11',
        '  elves.toml: card "Shield", luck: unknown key; known here: name, top, right, bottom, left',
        '  elves.toml: card "Shield", left: is missing',
    ]
    answer = shell("faction", "check", file, "--json").json
    assert answer["ok"] is False
    assert answer["problems"][1] == {
        "file": "elves.toml",
        "card": '"Spear"',
        "key": "top",
        "reason": "must be 0 to 10, not 11",
    }


def test_a_faction_file_that_cannot_be_read_is_refused(shell: Shell) -> None:
    shell("faction", "check", shell.folder / "none.toml").refused("cannot be read")
    file = shell.folder / "bytes.toml"
    file.write_bytes(b"\xff\xfe")
    assert shell("faction", "check", file).status == 1


# --- where decks come from ----------------------------------------------------------------------------------------


def test_every_game_is_dealt_without_a_deck_or_a_catalogue(shell: Shell) -> None:
    for game in GAMES:
        for players in game.player_counts:
            source, options = dealt_with(game.name, players, database=shell.database, remark=print)
            dice = Dice(1)
            game.deal([f"P{n}" for n in range(players)], source(dice), dice, options=options)


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ([], {}),
        (["facedown"], {"facedown": True}),
        (["facedown = no", "life = 40"], {"facedown": False, "life": 40}),
        (["life=-3"], {"life": -3}),
        (["rotate=step"], {"rotate": "step"}),
        (["life=99999999999999999999"], {"life": "99999999999999999999"}),
    ],
)
def test_options_are_read_as_people_write_them(texts: list[str], options: dict[str, Any]) -> None:
    assert read_options(texts) == options
