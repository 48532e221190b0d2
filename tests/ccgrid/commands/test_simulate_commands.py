"""Tests of the commands `replay`, `simulate`, `rules` and `demo`: their text, JSON and exit statuses."""

import json
import re
import socket
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.forked_program import at_terminal
from helpers.game_files import GRID_RECORD, ROOT, SCORES, grid_document, write_records
from helpers.made_up import random_deck
from helpers.text_files import write

from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.engine.errors import EngineError
from ccgrid.engine.many import simulation
from ccgrid.engine.records.files import read_game

# --- replay -------------------------------------------------------------------------------------------------------


def test_replay_json_lists_the_sorted_legal_moves_before_each_move(shell: Shell) -> None:
    answer = shell.good("replay", GRID_RECORD, "--json").json
    game = read_game(GRID_RECORD)
    assert answer == {
        "plies": [{"player": ply.player, "move": ply.move, "legal": list(ply.state.legal_moves())} for ply in game],
        "over": True,
        "scores": SCORES,
    }
    assert all(ply["legal"] == sorted(ply["legal"]) and ply["move"] in ply["legal"] for ply in answer["plies"])


def test_replay_draws_the_board_after_every_move(shell: Shell) -> None:
    out = shell.good("replay", GRID_RECORD).out
    assert out.count(" a1 ") + out.count("▶a1◀") + out.count(">a1<") == 17
    assert "1. Ann plays c2xb1: +32 Dusk Bellringer\n" in out
    assert "16. Bob plays c2xc1: " in out
    assert out.endswith("\nAnn wins: no card on the grid can take a neighbour.\n")


def test_replay_reports_unfinished_game(shell: Shell) -> None:
    file = write_records(shell.folder / "game.jsonl", grid_document(moves=["c2xb1"], result=None))
    assert shell.good("replay", file).out.endswith("\nThe game is not over.\n")


def test_replay_of_an_invalid_game_stops_at_the_wrong_move_with_status_1(shell: Shell) -> None:
    moves = ["c2xb1", "a1xb1", "c2xc1"]
    file = write_records(shell.folder / "game.jsonl", grid_document(moves=moves, result=None))
    result = shell("replay", file)
    assert result.status == 1
    good = shell.good(
        "replay", write_records(shell.folder / "good.jsonl", grid_document(moves=moves[:1], result=None))
    ).out
    assert result.out == good.removesuffix("\nThe game is not over.\n")
    assert 'moves[1] "a1xb1": a1 has no number' in result.err
    assert shell("replay", file, "--json").out == ""
    before = shell("replay", file, "--json", "--to", 1)
    assert (before.status, len(before.json["plies"])) == (1, 1)


def test_replay_shows_the_requested_moves(shell: Shell) -> None:
    out = shell.good("replay", GRID_RECORD, "--from", 3, "--to", 4).out
    assert re.findall(r"^(?:Before move )?(\d+)\.", out, re.MULTILINE) == ["3", "3", "4"]
    assert "wins" not in out
    assert shell.good("replay", GRID_RECORD, "--to", 0).out.startswith("The start.\n")
    assert shell.good("replay", GRID_RECORD, "--from", 16).out.endswith("grid can take a neighbour.\n")
    whole, part = (shell.good("replay", GRID_RECORD, "--json", *more).json for more in ((), ("--from", 3, "--to", 4)))
    assert part["plies"] == whole["plies"][2:4]
    assert part["over"] is False
    assert sum(part["scores"].values()) < sum(SCORES.values())
    for wrong in (("--to", 17), ("--from", 17), ("--from", 3, "--to", 2)):
        assert shell("replay", GRID_RECORD, *wrong).status == 2


def test_replay_rejects_several_games(shell: Shell) -> None:
    shell("replay", write_records(shell.folder / "games.jsonl", grid_document(), grid_document())).fails(
        "more than one game"
    )


@pytest.mark.parametrize(("typed", "boards"), [("\n\nq\n", 3), ("\n", 2), ("", 1)], ids=["q", "end", "nothing"])
def test_replay_pauses_between_moves_and_ends_on_request(shell: Shell, typed: str, boards: int) -> None:
    out = shell.good("replay", "--pause", GRID_RECORD, typed=typed).out
    assert out.count(" c3 ") + out.count("▶c3◀") == boards


# --- simulate -----------------------------------------------------------------------------------------------------


def test_simulate_json_has_the_documented_shape(shell: Shell) -> None:
    result = shell.good("simulate", "-n", "30", "--players", "random,greedy", "--seed", "3", "--json")
    answer = result.json
    assert (answer["game"], answer["games"], answer["seed"]) == ("grid", 30, 3)
    assert [(p["name"], p["policy"]) for p in answer["players"]] == [("random-1", "random"), ("greedy-2", "greedy")]
    for player in answer["players"]:
        assert (type(player["wins"]), type(player["draws"]), type(player["mean_score"])) == (int, int, float)
    assert sum(player["wins"] for player in answer["players"]) + answer["draws"] == 30
    assert 0 <= answer["first_player_wins"] <= 30
    assert (type(answer["mean_moves"]), type(answer["games_per_second"])) == (float, float)
    assert "bundled cards" in result.err


@pytest.mark.slow
def test_results_are_independent_of_the_number_of_workers(shell: Shell) -> None:
    def summary(workers: str) -> tuple[dict[str, Any], bytes]:
        file = shell.folder / f"{workers}.jsonl"
        options = ("-n", "1001", "--seed", "9", "--json", "--workers", workers, "--records", file)
        answer: dict[str, Any] = shell.good("simulate", *options).json
        del answer["games_per_second"]
        return answer, file.read_bytes()

    assert summary("1") == summary("2")


def test_simulate_prints_shares_and_speed(shell: Shell) -> None:
    out = shell.good("simulate", "-n", "20", "--seed", "3").out
    assert out.startswith("20 games of grid, seed 3.\n")
    assert "random-1" in out
    assert "games a second" in out


def test_simulated_games_are_written_one_per_line_and_valid(shell: Shell) -> None:
    file = shell.folder / "games.jsonl"
    shell.good("simulate", "-n", "12", "--seed", "3", "--records", file)
    answers = shell.good("validate", file, "--json").json_lines
    assert len(answers) == 12
    assert all(answer["ok"] and answer["over"] for answer in answers)


def test_records_are_written_atomically(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(shell.folder / "games.jsonl", "as it was\n")
    monkeypatch.setattr(simulation, "_CHUNK", 3)
    play = simulation._play_number

    def fail(table: Any, number: int) -> Any:
        if number == 8:
            raise EngineError("the table broke")
        return play(table, number)

    monkeypatch.setattr(simulation, "_play_number", fail)
    shell("simulate", "-n", "9", "--workers", "1", "--records", file)
    assert file.read_text() == "as it was\n"
    assert list(shell.folder.iterdir()) == [file]


def test_records_in_a_missing_folder_are_rejected(shell: Shell) -> None:
    result = shell("simulate", "-n", "2", "--records", shell.folder / "nowhere" / "games.jsonl")
    assert result.status == 3
    assert "games.jsonl: No such file or directory." in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "grid"),
        (["grid", "--players", "random,clever"], "greedy"),
        (["grid", "--players", "random"], "players"),
        (["grid", "--players", "random,random,random,random,random"], "players"),
    ],
)
def test_unknown_game_or_player_error_lists_known_ones(shell: Shell, arguments: list[str], words: str) -> None:
    result = shell("simulate", *arguments)
    assert result.status == 2
    assert words in result.err.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [["-n", "0"], ["--workers", "0"], ["--seed", "-1"], ["--seed", str(2**63)], ["--seed", "x"], ["--games", "many"]],
)
def test_impossible_numbers_are_usage_errors(shell: Shell, arguments: list[str]) -> None:
    assert shell("simulate", *arguments).status == 2


def test_games_are_played_with_the_named_deck(shell: Shell) -> None:
    import random

    deck = write(shell.folder / "deck.toml", deck_toml(Deck("Dusk", tuple(random_deck(random.Random(1))))))
    file = shell.folder / "games.jsonl"
    result = shell.good("simulate", "-n", "3", "--deck", deck, "--records", file)
    assert result.err == ""
    for line in file.read_text().splitlines():
        ids = [card["id"] for card in json.loads(line)["setup"]["cards"]]
        assert sorted(ids) == sorted(f"dusk:{number}" for number in range(20))


@pytest.mark.parametrize("command", ["simulate", "play"])
def test_illegal_deck_is_rejected_with_reasons(shell: Shell, command: str) -> None:
    import random

    deck = write(shell.folder / "deck.toml", deck_toml(Deck("Short", tuple(random_deck(random.Random(1), 19)))))
    shell(command, "--deck", deck).fails("not a legal deck", "19 cards", "ccgrid deck check")


@pytest.mark.parametrize("command", ["simulate", "play"])
def test_missing_deck_is_rejected(shell: Shell, command: str) -> None:
    shell(command, "--deck", shell.folder / "none.toml").fails("none.toml")


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_unknown_player_is_rejected_before_cards_are_loaded(command: str, shell: Shell) -> None:
    shell(command, "--players", "greedy,Ann").names_unknown("Error: There is no computer player 'Ann'.")


# --- rules and demo -----------------------------------------------------------------------------------------------


def test_rules_are_printed_unchanged(shell: Shell) -> None:
    assert shell.good("rules", "grid").out == (ROOT / "engine" / "games" / "grid" / "rules.md").read_text(
        encoding="utf-8"
    )


def test_rules_reject_unknown_game(shell: Shell) -> None:
    shell("rules", "chess").names_unknown("chess", "grid")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace network functions by one that fails the test."""

    def fail(*arguments: object, **options: object) -> None:
        raise AssertionError("the network was asked")

    for name in ("socket", "create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, fail)


@pytest.mark.usefixtures("no_network")
def test_demo_is_complete_and_reproducible_without_network_and_catalogue(shell: Shell) -> None:
    first = shell.good("demo")
    assert first.err == ""
    for step in ("1. ", "2. Twenty legal cards", "3. Nine are dealt face up", "4. No moves are left", "Now you:"):
        assert f"\n{step}" in f"\n{first.out}"
    assert "Valid: game.toml: grid, " in first.out
    assert len(re.findall("┌─.a1", first.out)) == 2, "the first board and the last one"
    moves = int(re.search(r"Valid: game.toml: grid, (\d+) moves", first.out)[1])
    assert re.findall(r"^(\d+)\. (?:Ann|Bob) plays ", first.out, re.MULTILINE) == [str(n + 1) for n in range(moves)]
    assert shell.good("demo").out == first.out
    assert shell.good("demo", "--seed", "8").out != first.out
    assert list(shell.folder.iterdir()) == []


def test_each_step_of_the_demo_fits_on_the_screen(shell: Shell) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    child = at_terminal(["demo"], {**shell.environment(), "TERM": "xterm"}, folder=shell.folder)
    steps: list[str] = []
    while child.expect(["Press Enter to continue> ", pexpect.EOF]) == 0:
        steps.append(child.before)
        child.sendline()
    steps.append(child.before)
    assert len(steps) > 5
    assert max(step.count("\n") for step in steps) <= 24, "the first one ends the line of the prompt"


def test_demo_files_are_legal_and_valid(shell: Shell) -> None:
    folder = shell.folder / "evening" / "games"
    shell.good("demo", "-o", folder)
    assert sorted(path.name for path in folder.iterdir()) == ["deck.toml", "game.toml"]
    assert shell.good("deck", "check", folder / "deck.toml", "--json").json["ok"]
    assert shell.good("score", folder / "game.toml", "--json").json["over"]


def test_demo_rejects_file_as_folder(shell: Shell) -> None:
    file = write(shell.folder / "notes.txt", "mine")
    shell("demo", "-o", file).misuses("notes.txt")
    assert file.read_text() == "mine"
