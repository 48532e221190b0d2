"""Tests of games at a terminal of 80 columns: commands, records, and escaping of untrusted text."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.made_up import card, random_deck
from helpers.processes import wait_until_reading

from ccgrid.engine.records.files import read_game

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # Windows has none

from helpers.game_files import GRID_RECORD, write_deck, write_records
from helpers.terminals import STYLE, Terminal

HOSTILE = (
    "[/red][bold]Ring",
    "\x1b[2J\x1b]0;title\x07Ring",
    "\u202egniR\u2066",
    "Ring\nof\r\nGix",
    "宝石の指輪" * 9,
    "x" * 3000,
)

StartGame = Callable[..., Terminal]


@pytest.fixture
def start_game(shell: Shell, deck: Path) -> StartGame:
    """A function that starts a game at a terminal, with made-up cards by default."""

    def begin(*arguments: str | Path, lines: int = 50) -> Terminal:
        cards = () if {"--deck", "--load"} & set(arguments) else ("--deck", deck, "--seed", "3")
        return Terminal(shell, *cards, *arguments, lines=lines)

    return begin


def moves_in(shown: str) -> list[str]:
    return re.findall(r"\d+  ([a-c][1-3]x[a-c][1-3])  \+", shown)


@pytest.mark.slow
def test_record_of_a_complete_game_has_the_same_score(shell: Shell, start_game: StartGame) -> None:
    game = start_game("--players", "Ann,Bob", "--record", "game.toml")
    shown = game.prompt()
    assert shown.startswith("For closer games: --option rules=evening")
    assert "\nType help for a list of commands.\n" in shown
    turns = [game.child.match[1]]
    while True:
        game.child.sendline("1")
        found = game.child.expect([r"\r\n(?:\x1b\[\?2004h)?(Ann|Bob)> ", "The game is over: "])
        game._shown(game.child.before)
        if found:
            break
        turns.append(game.child.match[1])
    assert turns == [turns[index % 2] for index in range(len(turns))]
    end = game.rest()
    assert end.startswith("no card on the grid can take a neighbour")
    assert "\nSaved to game.toml. Check it with: ccgrid score game.toml\n" in end
    answer = shell.good("score", shell.folder / "game.toml", "--json").json
    assert (answer["over"], answer["moves"]) == (True, len(turns))
    for player, score in answer["scores"].items():
        assert re.search(rf"\b{player} +{score}\b", end)
    assert f"{answer['winner']} wins." in end
    assert game.status == 0
    game.check_widths()


def test_moves_are_read_as_notation_informal_text_and_number(start_game: StartGame) -> None:
    game = start_game("--players", "Ann,Bob")
    first = moves_in(game.prompt())
    second = moves_in(game.answer(first[-1]))
    third = moves_in(game.answer(f"{second[0][:2].upper()} - {second[0][3:].upper()}"))
    assert moves_in(game.answer("2")) != third
    shown = game.answer("save")
    assert shown == "Name a file: save game.toml"
    game.child.sendline("quit")
    assert "To continue: ccgrid play --load last" in game.rest()


def test_commands_at_the_table(shell: Shell, start_game: StartGame) -> None:
    game = start_game("--players", "Ann,Bob")
    opening = game.prompt()
    legal = moves_in(opening)
    assert "undo        undo your last move" in game.answer("help")
    assert moves_in(game.answer("moves")) == legal
    assert "┌─ a1 ─" in game.answer("board")
    in_short = game.answer("rules").splitlines()
    assert in_short[0].startswith("Your card takes a neighbour")
    assert in_short[-1] == "All rules: ccgrid rules grid"
    assert len(in_short) <= 6
    hint = re.match(r"Play (\w+) \(\+.+\): about ", game.answer("hint"))
    assert hint is not None
    assert hint[1] in legal
    assert "a card cannot take itself" in game.answer("a1xa1")
    assert "a1 and c3 are not neighbours" in game.answer("a1xc3")
    assert f"moves are numbered 1 to {len(legal)}" in game.answer("99")
    assert "not a move; write moves like a1xb2" in game.answer("checkmate")
    assert "There is nothing to undo." in game.answer("undo")
    game.answer("1")
    undone = game.answer("undo")
    assert undone.startswith("Undid 1 move.\n")
    assert moves_in(undone) == legal
    assert game.answer("save my game.toml") == "Saved to my game.toml"
    game.child.sendline("quit")
    assert game.rest().endswith("The game is not over. To continue: ccgrid play --load 'my game.toml'\n")
    assert read_game(shell.folder / "my game.toml").moves == ()
    assert game.status == 0
    game.check_widths()


def test_prompt_is_shown_again_after_suspension(start_game: StartGame) -> None:
    game = start_game("--players", "Ann,Bob")
    game.prompt()
    game.suspend_and_resume()
    game.child.expect_exact(f"{game.child.match[1]}> ")
    assert game.child.waitnoecho(60), "the line editor is prepared again"
    assert "undo your last move" in game.answer("help")


def test_undo_against_computer_reverts_own_decision(start_game: StartGame) -> None:
    game = start_game("--players", "You,greedy")
    legal = moves_in(game.prompt("You"))
    after = game.answer(legal[0], "You")
    assert re.search(r"^greedy plays \w+: \+\d+ ", after)
    undone = game.answer("undo", "You")
    assert undone.startswith("Undid 2 moves.\n")
    assert moves_in(undone) == legal


@pytest.mark.parametrize("leave", ["quit", "end of input", "interrupt"])
def test_quitting_prints_how_to_continue(shell: Shell, start_game: StartGame, leave: str) -> None:
    file = shell.folder / "game.toml"
    game = start_game("--players", "Ann,Bob", "--record", file)
    game.prompt()
    game.answer("1")
    match leave:
        case "quit":
            game.child.sendline("quit")
        case "end of input":
            game.child.sendeof()
        case "interrupt":
            wait_until_reading(game.child)
            game.child.sendintr()
    assert "The game is not over. To continue: ccgrid play --load" in " ".join(game.rest().split())
    assert game.status == 0
    assert shell.good("validate", file, "--json").json["moves"] == 1
    again = start_game("--load", file, "--record", file)
    again.prompt()
    again.answer("1")
    again.child.sendline("quit")
    again.rest()
    assert len(read_game(file).moves) == 2


def test_resigning_ends_game_and_is_recorded(shell: Shell, start_game: StartGame) -> None:
    file = shell.folder / "game.toml"
    game = start_game("--players", "Ann,Bob", "--record", file)
    game.prompt()
    player = game.child.match[1]
    game.child.sendline("resign")
    assert f"\n{player} resigns.\n" in game.rest()
    assert read_game(file).notes == {"resigned": player}
    shell.good("validate", file)


@pytest.mark.parametrize("lines", [24, 50])
def test_board_and_moves_fit_on_the_screen(shell: Shell, start_game: StartGame, lines: int) -> None:
    cards = [card(f"Drake of the Long Name {n}", top=n % 3, left=n % 5, bottom_right=n % 7) for n in range(20)]
    game = start_game(
        "--players", "You,greedy", "--seed", "3", "--deck", write_deck(shell.folder / "deck.toml", cards), lines=lines
    )
    shown = game.prompt("You")
    for _ in range(6):
        board = shown[shown.index("┌") :].split("\n")
        assert len(board) + 1 <= lines, "the prompt stands below"
        assert len(moves_in(shown)) == len(set(moves_in(shown))) > 0
        shown = game.answer("1", "You")
    game.check_widths()


def test_malicious_names_are_escaped(shell: Shell, start_game: StartGame) -> None:
    names = [HOSTILE[number % len(HOSTILE)] for number in range(20)]
    cards = [replace(made, name=name) for made, name in zip(random_deck(random.Random(8)), names, strict=True)]
    game = start_game("--deck", write_deck(shell.folder / "deck.toml", cards), "--seed", "3", "--players", "Ann,greedy")
    shown = game.prompt("Ann")
    shown += game.answer("1", "Ann")
    assert "[/red][bold]Ring" in shown
    assert_harmless(game)


def test_malicious_players_of_a_record_are_escaped(shell: Shell, start_game: StartGame) -> None:
    record = read_game(GRID_RECORD)
    file = shell.folder / "game.jsonl"
    for name in HOSTILE:
        document = {**record.to_document(), "players": [name, "Bob"], "first": name, "moves": []}
        del document["result"]
        write_records(file, document)
        game = start_game("--load", file)
        game.prompt(".*")
        game.child.sendline("resign")
        assert "resigns." in game.rest().replace("\n", " ")
        assert_harmless(game)


def assert_harmless(game: Terminal) -> None:
    text = STYLE.sub("", game.raw).replace("\r\n", "\n")
    assert not [c for c in text if c != "\n" and not c.isprintable()]
    assert "\x1b[2J" not in game.raw
    game.check_widths()


@pytest.mark.slow
def test_coach_comments_immediately_and_game_is_not_rated(shell: Shell, start_game: StartGame) -> None:
    game = start_game("--players", "You,fair", "--coach")
    game.prompt()
    shown = ""
    while True:
        game.child.sendline("1")
        found = game.child.expect([r"\r\n(?:\x1b\[\?2004h)?You> ", "The game is over: "])
        shown += game._shown(game.child.before)
        if found:
            break
    assert re.search(r"\?[!?]? \w\dx\w\d loses .*\. Best was", " ".join(shown.split()))
    assert "Rating of" not in game.rest()
    assert shell.good("progress", "--json").json["ratings"] == {}
