"""Factions, dealing without decks, and options of games in text."""

import re
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES
from ccgrid.engine.games.four_sides import Factions
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.services.dealing import choose_decks, read_options
from ccgrid.services.requests import GameRequest

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


def test_factions_are_listed_with_their_descriptions(shell: Shell) -> None:
    out = shell.good("faction", "list").out
    every = shell.good("faction", "list", "--json").json_lines
    listed = [faction for faction in every if faction["game"] == "tactics"]
    assert [faction["name"] for faction in listed] == ["bastion", "cinder", "harbor", "lancers"]
    for faction in listed:
        assert list(faction) == ["game", "name", "title", "about", "cards"]
        assert faction["title"] in out
        assert faction["cards"] == 18


@pytest.mark.parametrize("command", ["rate", "show", "check", "edit"])
def test_deck_commands_recognise_faction_names(shell: Shell, command: str) -> None:
    words = ("It is a faction of tactics", "ccgrid faction show cinder\n", "ccgrid play tactics --faction cinder\n")
    change = ("--out", "1") if command == "edit" else ()
    shell("deck", command, "cinder", *change).fails(*words)
    shell("deck", command, "nobody", *change).fails(
        "nobody: No such file or directory.\n", "To show a card: ccgrid show nobody\n"
    )
    shell("deck", command, "nobody.toml", *change).fails("nobody.toml: No such file or directory.\n")


def test_faction_show_prints_numbers_of_cards(shell: Shell) -> None:
    shown = shell.good("faction", "show", "bastion")
    assert shown.out.startswith("The Slate Bastion (bastion)\n")
    assert "Gate Warden" in shown.out
    answer = shell.good("faction", "show", "bastion", "--json").json
    assert list(answer["cards"][0]) == ["name", "top", "right", "bottom", "left"]
    shell("faction", "show", "elves").names_unknown("There is no faction 'elves'", "bastion")
    own = write(shell.folder / "elves.toml", GOOD)
    assert shell.good("faction", "show", own).out.startswith("The Elves (elves)\n")
    shell.good("simulate", "tactics", "-n", "1", "--faction", f"{own},bastion")


def test_simulated_players_are_labelled_by_their_factions(shell: Shell) -> None:
    simulate = ("simulate", "tactics", "-n", "2", "--seed", "1")
    named = ("--faction", "bastion,cinder")
    assert [row["faction"] for row in shell.good(*simulate, *named, "--json").json["players"]] == ["bastion", "cinder"]
    assert re.findall(r"random-\d  (\w+)", shell.good(*simulate, *named).out) == ["bastion", "cinder"]
    # In a match the players change seats, so that no faction belongs to a player.
    for others in ((), (*named, "--match")):
        assert "faction" not in shell.good(*simulate, *others, "--json").json["players"][0]


def test_faction_check_reports_every_problem(shell: Shell) -> None:
    file = write(shell.folder / "elves.toml", GOOD)
    assert shell.good("faction", "check", file).out == "Legal: The Elves, 3 cards for tactics.\n"
    assert "18 cards or more, and are likely to win" in shell.good("faction", "check", file).err
    assert shell.good("faction", "check", "bastion").err == ""
    assert shell.good("faction", "check", file, "--json").json == {"ok": True, "file": str(file), "problems": []}
    file.write_text(GOOD.replace("top = 1", "top = 11").replace("left = 5", "luck = 5").replace('name = "elves"\n', ""))
    result = shell("faction", "check", file)
    assert result.status == 1
    assert result.out.splitlines() == [
        "Not legal:",
        "  elves.toml: name: is missing: give the name to type",
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


def test_faction_file_is_checked_by_rules_of_its_game(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = Factions("duel", "ccgrid.engine.games.tactics.factions", range(5, 6))
    monkeypatch.setattr("ccgrid.services.factions.ready_decks", lambda: {"tactics": FACTIONS, "duel": duel})
    monkeypatch.setattr(Factions, "bundled", lambda self: ())
    file = write(shell.folder / "elves.toml", GOOD)
    assert "3 cards for tactics" in shell.good("faction", "check", file).out, (
        "a file without a game is for the first game with factions"
    )
    file.write_text(f'game = "tactics"\n{GOOD}')
    assert "3 cards for tactics" in shell.good("faction", "check", file).out
    file.write_text(f'game = "duel"\n{GOOD}')
    assert "cards: must be 5 to 5 cards, not 3" in shell("faction", "check", file).out
    file.write_text(f'game = "chess"\n{GOOD}')
    problem = 'elves.toml: game: must be a game that has factions, tactics or duel, not the text "chess"'
    assert shell("faction", "check", file).out == f"Not legal:\n  {problem}\n"
    shell("faction", "show", file).fails(problem)


def test_faction_of_another_game_is_rejected(shell: Shell) -> None:
    file = write(shell.folder / "elves.toml", f'game = "grid"\n{GOOD}')
    shell("simulate", "tactics", "-n", "1", "--faction", f"{file},bastion").fails('game: must be "tactics" here')


def test_unreadable_faction_file_is_rejected(shell: Shell) -> None:
    shell("faction", "check", shell.folder / "none.toml").fails("No such file or directory")
    file = shell.folder / "bytes.toml"
    file.write_bytes(b"\xff\xfe")
    assert shell("faction", "check", file).status == 1


# --- dealing without decks, and options ---------------------------------------------------------------------------


def test_every_game_can_be_dealt_without_deck_and_catalogue(shell: Shell) -> None:
    for game in GAMES:
        for players in game.player_counts:
            source, options = choose_decks(
                GameRequest(game=game.name, players=("P",) * players, database=shell.database), print
            )
            dice = Dice(1)
            game.deal([f"P{n}" for n in range(players)], source(dice), dice, options=options)


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ([], {}),
        (["facedown"], {"facedown": True}),
        (["facedown = no", "life = 40"], {"facedown": False, "life": 40}),
        (["opening=text"], {"opening": "text"}),
        (["size=30"], {"size": 30}),
    ],
)
def test_options_are_read_from_text(texts: list[str], options: dict[str, Any]) -> None:
    assert read_options("ninecard", texts) == options


@pytest.mark.parametrize(
    "text", ["life=-3", "life=many", "life", "facedown=1", "rotate=step", "life=99999999999999999999"]
)
def test_unknown_options_and_invalid_values_are_rejected(text: str) -> None:
    with pytest.raises(EngineError, match=text.partition("=")[0]):
        read_options("ninecard", [text])


def test_faction_check_accepts_faction_names(shell: Shell) -> None:
    assert "Legal: " in shell.good("faction", "check", "cinder").out
