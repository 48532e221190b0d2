"""Tests of games through a pipe, and of the list of moves."""

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.catalogues import Result, Shell
from rich.cells import cell_len

from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import Record
from ccgrid.view.games import in_columns

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # Windows has none

from helpers.game_files import GRID_RECORD, write_records

# --- through a pipe -----------------------------------------------------------------------------------------------


Type = Callable[..., Result]


@pytest.fixture
def typing(shell: Shell, deck: Path) -> Type:
    """A function that plays with these lines as standard input."""

    def play(text: str, *arguments: str | Path) -> Result:
        cards = () if "--load" in arguments else ("--deck", deck, "--seed", "3")
        return shell("play", *cards, *arguments, typed=text)

    return play


def test_game_can_be_played_through_a_pipe(shell: Shell, typing: Type) -> None:
    file = shell.folder / "game.jsonl"
    result = typing("1\n" * 60, "--players", "Ann,Bob", "--record", file)
    assert (result.status, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert result.out.endswith(f"Saved to {file}. Check it with: ccgrid score {file}\n")
    assert shell.good("score", file, "--json").json["over"]


def test_moves_have_one_line_each_in_a_pipe(typing: Type) -> None:
    out = typing("", "--players", "Ann,Bob").out
    listed = re.findall(r"^ *(\d+)  (\w+)  \+\d+ .+$", out, re.MULTILINE)
    assert [int(number) for number, _ in listed] == list(range(1, len(listed) + 1))
    assert len(listed) > 4


def test_game_stays_unfinished_at_the_end_of_input(shell: Shell, typing: Type) -> None:
    result = typing("1\n", "--players", "Ann,Bob")
    assert (result.status, result.err) == (0, "The game is not over. To continue: ccgrid play --load last\n")
    assert result.out.endswith("> \n")
    file = shell.folder / "game.toml"
    result = typing("1\n", "--players", "Ann,Bob", "--record", file)
    assert result.err == f"The game is not over. To continue: ccgrid play --load {file}\n"


def test_unstarted_game_does_not_overwrite_file(shell: Shell, typing: Type) -> None:
    file = shell.folder / "game.toml"
    file.write_text("mine")
    typing("", "--players", "Ann,Bob", "--record", file)
    assert file.read_text() == "mine"


def test_equal_seeds_play_equal_games(typing: Type) -> None:
    first = typing("1\nhint\n1\n", "--players", "You,random").out
    assert typing("1\nhint\n1\n", "--players", "You,random").out == first


def test_players_with_one_policy_get_distinct_names(shell: Shell, typing: Type) -> None:
    file = shell.folder / "game.toml"
    typing("1\nquit\n", "--players", "greedy,Ann,greedy", "--record", file)
    assert read_game(file).setup.players == ("greedy-1", "Ann", "greedy-3")
    out = typing("1\n", "--load", file).out
    assert "greedy-3 plays" in out
    assert "greedy-3> " not in out


def test_person_named_like_a_policy_is_prompted(typing: Type) -> None:
    assert "greedy-fan> " in typing("1\n", "--players", "greedy-fan,Bob").out


def test_loading_finished_game_shows_its_end(typing: Type) -> None:
    result = typing("", "--load", GRID_RECORD)
    assert result.status == 0
    assert result.out.endswith("Ann wins.\n")


def test_invalid_record_is_not_continued(shell: Shell, typing: Type) -> None:
    record: Record = read_game(GRID_RECORD)
    write_records(shell.folder / "game.jsonl", {**record.to_document(), "moves": ["a1xb1"]})
    result = typing("", "--load", shell.folder / "game.jsonl")
    assert result.status == 1
    assert 'moves[0] "a1xb1"' in result.err


@pytest.mark.parametrize("options", [["--players", "Ann,Bob"], ["--deck", "deck.toml"], ["--game", "mtg"]])
def test_players_and_cards_are_rejected_with_a_record(shell: Shell, options: list[str]) -> None:
    assert shell("play", "--load", GRID_RECORD, *options).status == 2


def test_unwritable_file_is_rejected_before_the_game(shell: Shell, typing: Type) -> None:
    typing("1\n", "--record", shell.folder / "no" / "game.toml").fails("is not a folder")
    typing("1\n", "--record", shell.folder).fails("is a folder")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "grid"),
        (["grid", "--players", "Ann"], "players, not 1"),
        (["grid", "--players", "A,B,C,D,E"], "players, not 5"),
        (["grid", "--players", "Ann,"], "a player has no name"),
    ],
)
def test_unplayable_request_is_rejected(typing: Type, arguments: list[str], words: str) -> None:
    typing("", *arguments).misuses(words)


def test_interrupt_during_computer_move_quits(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return ""

    monkeypatch.setattr("ccgrid.engine.players.GreedyPlayer.choose", interrupt)
    result = shell("play", "--players", "greedy,greedy")
    assert result.status == 0
    assert result.err.endswith("The game is not over, and not saved.\n"), "nobody has moved: there is nothing to keep"


# --- the list of moves --------------------------------------------------------------------------------------------


TEXTS = [f"{number:>2}  a1xb2  +{number} Amber Drake of the Dusk" for number in range(1, 21)]


@pytest.mark.parametrize(("most", "lines"), [(30, 20), (20, 20), (10, 10), (7, 7), (5, 5), (1, 5), (0, 5), (-3, 5)])
def test_moves_are_listed_in_columns_that_fit(most: int, lines: int) -> None:
    shown = in_columns(TEXTS, 80, most)
    assert len(shown) == lines
    assert max(map(cell_len, shown)) <= 80
    columns = -(-20 // lines)
    starts = [line[column * (82 // columns) :][:4] for column in range(columns) for line in shown]
    assert [int(start) for start in starts if start.strip()] == list(range(1, 21))


def test_narrow_screen_has_one_column_and_empty_list_no_line() -> None:
    assert len(in_columns(TEXTS, 20, 3)) == 20
    assert in_columns([], 80, 3) == []


def test_score_and_replay_say_who_resigned(shell: Shell) -> None:
    file = shell.folder / "game.toml"
    shell.good("play", "--players", "Ann,Bob", "--seed", "1", "--record", file, typed="1\nresign\n")
    who = read_game(file).notes["resigned"]
    assert shell.good("score", file).out.startswith(f"Valid: {file}: grid, 1 move, {who} resigned.\n")
    assert shell.good("replay", file).out.endswith(f"{who} resigns.\n")


def test_match_without_a_move_is_not_said_to_be_saved(shell: Shell) -> None:
    file = shell.folder / "match.jsonl"
    result = shell("play", "--match", "--players", "Ann,Bob", "--seed", "4", "--record", file, typed="quit\n")
    assert f"No move was made, so {file} is not written.\n" in result.err
    assert "Its games are in" not in result.err
    assert not file.exists()


@pytest.mark.parametrize(("game", "status"), [("grid", 0), ("matrix", 2), ("chess", 2)])
def test_loaded_game_must_be_the_named_one(shell: Shell, game: str, status: int) -> None:
    file = shell.folder / "game.toml"
    shell.good("play", "--players", "Ann,Bob", "--seed", "1", "--record", file, typed="1\n")
    result = shell("play", game, "--load", file, typed="")
    assert result.status == status, result
    if game == "matrix":
        assert f"{file} is a game of grid, not of matrix. Leave matrix out." in result.err


def test_message_about_own_resignation_uses_you(shell: Shell) -> None:
    out = shell.good("play", "--players", "You,easy", "--seed", "1", typed="resign\n").out
    assert "\nYou resign.\n" in out


def test_record_of_game_without_moves_is_not_written(shell: Shell) -> None:
    record = shell.folder / "game.toml"
    message = shell.good("play", "--players", "You,Ann", "--seed", "1", "--record", record, typed="quit\n").err
    assert f"No move was made, so {record} is not written." in message
    assert not record.exists()
