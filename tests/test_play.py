"""Playing at the keyboard: on a terminal of 80 columns, and through a pipe; what strangers wrote is never obeyed."""

import io
import os
import random
import re
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from catalogues import Result, Shell
from made_up import card, random_deck
from rich.cells import cell_len

from catalog.card import Card
from catalog.decks.deck import Deck, deck_toml
from ccgrid.view.games import in_columns
from engine.record import Record
from engine.record_files import read_game

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of

from terminals import STYLE, Terminal

HOSTILE = (
    "[/red][bold]Ring",
    "\x1b[2J\x1b]0;title\x07Ring",
    "\u202egniR\u2066",
    "Ring\nof\r\nGix",
    "宝石の指輪" * 9,
    "x" * 3000,
)


Sit = Callable[..., Terminal]


@pytest.fixture
def sit(shell: Shell, deck: Path) -> Iterator[Sit]:
    """Sits down at a terminal, with made-up cards unless told otherwise."""
    games: list[Terminal] = []

    def begin(*arguments: str | Path, lines: int = 50) -> Terminal:
        cards = () if {"--deck", "--load"} & set(arguments) else ("--deck", deck, "--seed", "3")
        games.append(Terminal(shell, *cards, *arguments, lines=lines))
        return games[-1]

    yield begin
    for game in games:
        game.child.close(force=True)


@pytest.fixture
def deck(shell: Shell) -> Path:
    return write_deck(shell, random_deck(random.Random(9)))


def write_deck(shell: Shell, cards: list[Card]) -> Path:
    path = shell.folder / "deck.toml"
    path.write_text(deck_toml(Deck("Dusk", tuple(cards))), encoding="utf-8")
    return path


def moves_in(shown: str) -> list[str]:
    return re.findall(r"\d+  ([a-c][1-3]x[a-c][1-3])  \+", shown)


# --- on a terminal ------------------------------------------------------------------------------------------------


def test_two_people_play_to_the_end_and_the_record_scores_to_the_same(shell: Shell, sit: Sit) -> None:
    game = sit("--players", "Ann,Bob", "--record", "game.toml")
    shown = game.prompt()
    assert shown.startswith("Type help to see what can be typed.\n")
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
    assert end.endswith("\nSaved to game.toml. Check it with: ccgrid score game.toml\n")
    answer = shell.good("score", shell.folder / "game.toml", "--json").json
    assert (answer["over"], answer["moves"]) == (True, len(turns))
    for player, score in answer["scores"].items():
        assert re.search(rf"\b{player} +{score}\b", end)
    assert f"{answer['winner']} wins." in end
    assert game.status == 0
    game.check_widths()


def test_moves_are_understood_by_notation_loosely_and_by_number(sit: Sit) -> None:
    game = sit("--players", "Ann,Bob")
    first = moves_in(game.prompt())
    second = moves_in(game.answer(first[-1]))
    third = moves_in(game.answer(f"{second[0][:2].upper()} - {second[0][3:].upper()}"))
    assert moves_in(game.answer("2")) != third
    shown = game.answer("save")
    assert shown == "Save it where? For example: save game.toml"
    game.child.sendline("quit")
    assert "Go on with: ccgrid play --load last" in game.rest()


def test_commands_at_the_table(shell: Shell, sit: Sit) -> None:
    game = sit("--players", "Ann,Bob")
    opening = game.prompt()
    legal = moves_in(opening)
    assert "undo        take back your last move" in game.answer("help")
    assert moves_in(game.answer("moves")) == legal
    assert "┌─ a1 ─" in game.answer("board")
    assert "Fractions are rounded down" in " ".join(game.answer("rules").split())
    hint = re.fullmatch(r"The greedy player would play (\w+)", game.answer("hint"))
    assert hint is not None
    assert hint[1] in legal
    assert "a card cannot take itself" in game.answer("a1xa1")
    assert "a1 and c3 are not neighbours" in game.answer("a1xc3")
    assert f"the moves are numbered 1 to {len(legal)}" in game.answer("99")
    assert "not a move; write moves like a1xb2" in game.answer("checkmate")
    assert "There is nothing to take back." in game.answer("undo")
    game.answer("1")
    undone = game.answer("undo")
    assert undone.startswith("Took back 1 move.\n")
    assert moves_in(undone) == legal
    assert game.answer("save my game.toml") == "Saved to my game.toml"
    game.child.sendline("quit")
    assert game.rest().endswith("The game is not over. Go on with: ccgrid play --load 'my game.toml'\n")
    assert read_game(shell.folder / "my game.toml").moves == ()
    assert game.status == 0
    game.check_widths()


def test_against_the_computer_undo_goes_back_to_ones_own_decision(sit: Sit) -> None:
    game = sit("--players", "You,greedy")
    legal = moves_in(game.prompt("You"))
    after = game.answer(legal[0], "You")
    assert re.search(r"^greedy plays \w+: \+\d+ ", after)
    undone = game.answer("undo", "You")
    assert undone.startswith("Took back 2 moves.\n")
    assert moves_in(undone) == legal


@pytest.mark.parametrize("leave", ["quit", "end of input", "interrupt"])
def test_who_leaves_is_told_how_to_go_on_and_can(shell: Shell, sit: Sit, leave: str) -> None:
    file = shell.folder / "game.toml"
    game = sit("--players", "Ann,Bob", "--record", file)
    game.prompt()
    game.answer("1")
    match leave:
        case "quit":
            game.child.sendline("quit")
        case "end of input":
            game.child.sendeof()
        case "interrupt":
            game.child.sendintr()
    assert "The game is not over. Go on with: ccgrid play --load" in " ".join(game.rest().split())
    assert game.status == 0
    assert shell.good("validate", file, "--json").json["moves"] == 1
    again = sit("--load", file, "--record", file)
    again.prompt()
    again.answer("1")
    again.child.sendline("quit")
    again.rest()
    assert len(read_game(file).moves) == 2


def test_who_resigns_ends_the_game_and_the_record_says_so(shell: Shell, sit: Sit) -> None:
    file = shell.folder / "game.toml"
    game = sit("--players", "Ann,Bob", "--record", file)
    game.prompt()
    who = game.child.match[1]
    game.child.sendline("resign")
    assert f"\n{who} resigns.\n" in game.rest()
    assert read_game(file).notes == {"resigned": who}
    shell.good("validate", file)


@pytest.mark.parametrize("lines", [24, 50])
def test_the_board_and_the_moves_fit_on_the_screen(shell: Shell, sit: Sit, lines: int) -> None:
    cards = [card(f"Drake of the Long Name {n}", top=n % 3, left=n % 5, bottom_right=n % 7) for n in range(20)]
    game = sit("--players", "You,greedy", "--seed", "3", "--deck", write_deck(shell, cards), lines=lines)
    shown = game.prompt("You")
    for _ in range(6):
        board = shown[shown.index("┌") :].split("\n")
        assert len(board) + 1 <= lines, "the prompt stands below"
        assert len(moves_in(shown)) == len(set(moves_in(shown))) > 0
        shown = game.answer("1", "You")
    game.check_widths()


def test_hostile_names_are_shown_and_never_obeyed(shell: Shell, sit: Sit) -> None:
    names = [HOSTILE[number % len(HOSTILE)] for number in range(20)]
    cards = [replace(made, name=name) for made, name in zip(random_deck(random.Random(8)), names, strict=True)]
    game = sit("--deck", write_deck(shell, cards), "--seed", "3", "--players", "Ann,greedy")
    shown = game.prompt("Ann")
    shown += game.answer("1", "Ann")
    assert "[/red][bold]Ring" in shown
    assert_harmless(game)


def test_hostile_players_of_a_record_are_shown_and_never_obeyed(shell: Shell, sit: Sit) -> None:
    played = read_game(Path(__file__).parent / "playthroughs" / "grid.toml")
    file = shell.folder / "game.jsonl"
    for name in HOSTILE:
        document = {**played.to_document(), "players": [name, "Bob"], "first": name, "moves": []}
        del document["result"]
        write_document(file, document)
        game = sit("--load", file)
        game.prompt(".*")
        game.child.sendline("resign")
        assert "resigns." in game.rest().replace("\n", " ")
        assert_harmless(game)


def write_document(path: Path, document: dict[str, Any]) -> None:
    import json

    path.write_text(json.dumps(document) + "\n", encoding="utf-8")


def assert_harmless(game: Terminal) -> None:
    left = STYLE.sub("", game.raw).replace("\r\n", "\n")
    assert not [c for c in left if c != "\n" and not c.isprintable()]
    assert "\x1b[2J" not in game.raw
    game.check_widths()


# --- through a pipe -----------------------------------------------------------------------------------------------

Type = Callable[..., Result]


@pytest.fixture
def typing(shell: Shell, deck: Path, monkeypatch: pytest.MonkeyPatch) -> Type:
    """Plays with these lines as standard input."""

    def play(text: str, *arguments: str | Path) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        cards = () if "--load" in arguments else ("--deck", deck, "--seed", "3")
        return shell("play", *cards, *arguments)

    return play


def test_a_game_can_be_played_through_a_pipe(shell: Shell, typing: Type) -> None:
    file = shell.folder / "game.jsonl"
    result = typing("1\n" * 60, "--players", "Ann,Bob", "--record", file)
    assert (result.status, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert result.out.endswith(f"Saved to {file}. Check it with: ccgrid score {file}\n")
    assert shell.good("score", file, "--json").json["over"]


def test_into_a_pipe_each_move_has_a_line(typing: Type) -> None:
    out = typing("", "--players", "Ann,Bob").out
    listed = re.findall(r"^ *(\d+)  (\w+)  \+\d+ .+$", out, re.MULTILINE)
    assert [int(number) for number, _ in listed] == list(range(1, len(listed) + 1))
    assert len(listed) > 4


def test_input_that_ends_leaves_the_game_unfinished(shell: Shell, typing: Type) -> None:
    result = typing("1\n", "--players", "Ann,Bob")
    assert (result.status, result.err) == (0, "The game is not over. Go on with: ccgrid play --load last\n")
    assert result.out.endswith("> \n")
    file = shell.folder / "game.toml"
    result = typing("1\n", "--players", "Ann,Bob", "--record", file)
    assert result.err == f"The game is not over. Go on with: ccgrid play --load {file}\n"


def test_a_game_nobody_began_is_not_written_over_another(shell: Shell, typing: Type) -> None:
    file = shell.folder / "game.toml"
    file.write_text("mine")
    typing("", "--players", "Ann,Bob", "--record", file)
    assert file.read_text() == "mine"


def test_the_same_seed_deals_the_same_cards_and_dice(typing: Type) -> None:
    first = typing("1\nhint\n1\n", "--players", "You,random").out
    assert typing("1\nhint\n1\n", "--players", "You,random").out == first


def test_players_of_one_policy_are_told_apart_and_found_again(shell: Shell, typing: Type) -> None:
    file = shell.folder / "game.toml"
    typing("1\nquit\n", "--players", "greedy,Ann,greedy", "--record", file)
    assert read_game(file).setup.players == ("greedy-1", "Ann", "greedy-3")
    out = typing("1\n", "--load", file).out
    assert "greedy-3 plays" in out
    assert "greedy-3> " not in out


def test_a_person_whose_name_begins_like_a_policy_is_asked(typing: Type) -> None:
    assert "greedy-fan> " in typing("1\n", "--players", "greedy-fan,Bob").out


def test_a_game_that_is_over_is_taken_up_to_show_its_end(typing: Type) -> None:
    played = Path(__file__).parent / "playthroughs" / "grid.toml"
    result = typing("", "--load", played)
    assert result.status == 0
    assert result.out.endswith("Ann wins.\n")


def test_a_record_that_is_not_valid_is_not_taken_up(shell: Shell, typing: Type) -> None:
    played: Record = read_game(Path(__file__).parent / "playthroughs" / "grid.toml")
    write_document(shell.folder / "game.jsonl", {**played.to_document(), "moves": ["a1xb1"]})
    result = typing("", "--load", shell.folder / "game.jsonl")
    assert result.status == 1
    assert 'moves[0] "a1xb1"' in result.err


@pytest.mark.parametrize("options", [["--players", "Ann,Bob"], ["--deck", "deck.toml"], ["--game", "mtg"]])
def test_a_record_brings_its_players_and_cards(shell: Shell, options: list[str]) -> None:
    played = Path(__file__).parent / "playthroughs" / "grid.toml"
    assert shell("play", "--load", played, *options).status == 2


def test_a_place_that_cannot_be_written_is_refused_before_anybody_plays(shell: Shell, typing: Type) -> None:
    typing("1\n", "--record", shell.folder / "no" / "game.toml").refused("is not a folder")
    typing("1\n", "--record", shell.folder).refused("is a folder")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "grid"),
        (["grid", "--players", "Ann"], "players, not 1"),
        (["grid", "--players", "A,B,C,D,E"], "players, not 5"),
        (["grid", "--players", "Ann,"], "a player's name is empty"),
    ],
)
def test_what_cannot_be_played_is_refused(typing: Type, arguments: list[str], words: str) -> None:
    result = typing("", *arguments)
    assert result.status == 3
    assert words in result.err


def test_an_interrupt_while_a_computer_plays_leaves_the_table(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return ""

    monkeypatch.setattr("engine.players.GreedyPlayer.choose", interrupt)
    result = shell("play", "--players", "greedy,greedy")
    assert result.status == 0
    assert result.err.endswith("The game is not over, and not saved.\n"), "nobody has moved: there is nothing to keep"


# --- the list of moves --------------------------------------------------------------------------------------------

TEXTS = [f"{number:>2}  a1xb2  +{number} Amber Drake of the Dusk" for number in range(1, 21)]


@pytest.mark.parametrize(("most", "lines"), [(30, 20), (20, 20), (10, 10), (7, 7), (5, 5), (1, 5), (0, 5), (-3, 5)])
def test_moves_stand_in_as_few_columns_as_the_screen_allows(most: int, lines: int) -> None:
    shown = in_columns(TEXTS, 80, most)
    assert len(shown) == lines
    assert max(map(cell_len, shown)) <= 80
    columns = -(-20 // lines)
    starts = [line[at * (82 // columns) :][:4] for at in range(columns) for line in shown]
    assert [int(start) for start in starts if start.strip()] == list(range(1, 21))


def test_a_narrow_screen_has_one_column_and_no_moves_have_no_line() -> None:
    assert len(in_columns(TEXTS, 20, 3)) == 20
    assert in_columns([], 80, 3) == []
