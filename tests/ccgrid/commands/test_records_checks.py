"""Tests of the commands `validate` and `score`: their text, JSON and exit statuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Result, Shell
from helpers.everyday import one_in
from helpers.game_files import GRID_RECORD, SCORES, grid_document, write_records
from helpers.text_files import write

# --- validate and score -------------------------------------------------------------------------------------------


def test_game_played_by_the_rules_is_valid(shell: Shell) -> None:
    assert shell.good("validate", GRID_RECORD).out == f"Valid: {GRID_RECORD}: grid, 16 moves, over.\n"


def test_score_lists_the_winner_first(shell: Shell) -> None:
    lines = shell.good("score", GRID_RECORD).out.splitlines()
    assert lines[0] == f"Valid: {GRID_RECORD}: grid, 16 moves, over."
    assert [line.split() for line in lines[2:]] == [["player", "score"], ["Ann", "182", "winner"], ["Bob", "95"]]


def test_score_json_has_the_documented_shape(shell: Shell) -> None:
    assert shell.good("score", GRID_RECORD, "--json").json == {
        "file": str(GRID_RECORD),
        "game": "grid",
        "players": ["Ann", "Bob"],
        "over": True,
        "moves": 16,
        "scores": SCORES,
        "winner": "Ann",
        "ending": "no-captures",
        "ok": True,
        "errors": [],
    }


def test_validate_json_is_the_same_without_scores(shell: Shell) -> None:
    scored = shell.good("score", GRID_RECORD, "--json").json
    del scored["scores"]
    assert shell.good("validate", GRID_RECORD, "--json").json == scored


@pytest.mark.parametrize(
    ("changes", "where", "message"),
    [
        ({"moves": ["c2xb1", "a1xb1"]}, 'moves[1] "a1xb1"', "a1 has no number at its right, which faces b1"),
        ({"moves": ["pass"]}, 'moves[0] "pass"', "not a move; write moves like a1xb2"),
        ({"result": {"scores": {"Ann": 183, "Bob": 95}}}, "result.scores.Ann", 'is 183, but "Ann" has 182'),
        ({"moves": ["c2xb1"]}, "result", "the game is not over"),
        ({"players": ["Ann", "Ann"], "first": "Ann"}, "players", "two players are called"),
        ({"first": "Cay"}, "first", "is not one of the players"),
        ({"mood": "good"}, "mood", ""),
        ({"game": "chess"}, "game", "grid"),
        ({"setup": None}, "setup", "is missing"),
    ],
)
def test_game_errors_are_reported_with_location_and_status_1(
    shell: Shell, changes: dict[str, Any], where: str, message: str
) -> None:
    file = write_records(shell.folder / "game.jsonl", grid_document(**changes))
    for command in ("validate", "score"):
        result = shell(command, file, "--json")
        assert result.status == 1
        assert result.json["ok"] is False
        [error] = result.json["errors"]
        assert error["where"] == where
        assert message in error["message"]
        result = shell(command, file)
        assert result.status == 1
        assert result.out.startswith(f"Not valid: {file}:1\n  {where}: ")
        assert result.err == ""


def test_unfinished_game_is_valid_without_winner(shell: Shell) -> None:
    file = write_records(shell.folder / "game.jsonl", grid_document(moves=["c2xb1", "b2xa1"], result=None))
    answer = shell.good("score", file, "--json").json
    assert (answer["over"], answer["moves"], answer["winner"]) == (False, 2, None)
    assert answer["scores"] == {"Ann": 32, "Bob": 17}
    assert shell.good("validate", file).out == f"Valid: {file}:1: grid, 2 moves, not over yet.\n"
    assert "winner" not in shell.good("score", file).out


def test_files_and_lines_are_checked_in_order(shell: Shell) -> None:
    games = write_records(
        shell.folder / "games.jsonl", grid_document(), grid_document(moves=["a1xb1"]), grid_document()
    )
    result = shell("validate", GRID_RECORD, games, "--json")
    assert result.status == 1
    assert [(line["file"], line["ok"]) for line in result.json_lines] == [
        (str(GRID_RECORD), True),
        (f"{games}:1", True),
        (f"{games}:2", False),
        (f"{games}:3", True),
    ]


def test_missing_file_does_not_stop_checks_of_others(shell: Shell) -> None:
    missing = shell.folder / "missing.toml"
    result = shell("score", missing, GRID_RECORD)
    assert result.status == 3
    assert result.err.startswith(f"Error: {missing}: ")
    assert result.err.count("\n") == 1
    assert "Ann" in result.out
    lines = shell("score", missing, GRID_RECORD, "--json").json_lines
    assert [line["ok"] for line in lines] == [False, True]
    assert lines[0]["errors"][0]["where"] == "file"


def test_unreadable_line_among_games_is_invalid_game(shell: Shell) -> None:
    file = write_records(shell.folder / "games.jsonl", grid_document())
    file.write_text(file.read_text() + "{half a game\n")
    result = shell("validate", file)
    assert result.status == 1
    assert result.out == f"Valid: {file}:1: grid, 16 moves, over.\n"
    assert result.err.startswith(f"Error: {file}:2: is not JSON: ")
    file.write_text("{half a game\n")
    assert shell("validate", file).status == 3


DAMAGED = {
    "empty": b"",
    "blank": b"\n \n",
    "binary": bytes(range(256)) * 40,
    "NUL": b"game = 'grid'\0",
    "Latin-1": "game = 'grid' # caf\u00e9".encode("latin-1"),
    "nested brackets": b"a = " + b"[" * 100_000,
    "a string of 10 MB": b"a = '" + b"x" * (10 << 20) + b"'",
    "a text": b"Ann won, I think.\n",
    "a gzip file": b"\x1f\x8b\x08\x00" + bytes(500),
    "nested objects": b'{"a":' * 100_000,
    "a JSON list": b"[1, 2]",
}


@pytest.mark.parametrize("command", [["validate"], ["score"], ["score", "--piles"], ["replay"], ["play", "--load"]])
@pytest.mark.parametrize("name", ["game.toml", "game.jsonl", "game"])
@pytest.mark.parametrize("damage", one_in(3, DAMAGED))
def test_damaged_file_has_status_3_and_one_message(shell: Shell, command: list[str], name: str, damage: str) -> None:
    file = shell.folder / name
    file.write_bytes(DAMAGED[damage])
    check_fails(shell(*command, file), str(file))


@pytest.mark.parametrize("command", [["validate"], ["score"], ["score", "--piles"], ["replay"], ["play", "--load"]])
def test_folder_or_missing_file_has_status_3_and_one_message(shell: Shell, command: list[str]) -> None:
    check_fails(shell(*command, shell.folder), str(shell.folder))
    check_fails(shell(*command, shell.folder / "none.toml"), "none.toml")


def check_fails(result: Result, file: str) -> None:
    result.fails(file)
    assert len(result.err) < 500


# --- records with names of cards ------------------------------------------------------------------------------------


def named_game(cards: list[dict[str, Any]], key: str) -> dict[str, Any]:
    return {
        "game": "grid",
        "players": ["Ann", "Bob"],
        "first": "Ann",
        "moves": [],
        "setup": {"cards": [card["id"] if key == "id" else f"{card['name']} ({card['game']})" for card in cards]},
    }


@pytest.mark.parametrize("key", ["id", "name"])
def test_cards_given_by_id_or_name_are_looked_up(
    shell: Shell, starter: Path, cards: list[dict[str, Any]], key: str
) -> None:
    file = write_records(shell.folder / "game.jsonl", named_game(cards, key))
    looked_up = shell.good("replay", file, "--json", "--db", starter).json
    keys = ("id", "name", "zones", "score")
    tables = {"setup": {"cards": [{k: card[k] for k in keys} for card in cards]}}
    written = write_records(shell.folder / "written.jsonl", {**named_game(cards, key), **tables})
    assert shell.good("replay", written, "--json").json == looked_up


def test_unknown_card_in_record_is_reported_with_location(
    shell: Shell, starter: Path, cards: list[dict[str, Any]]
) -> None:
    game = named_game(cards, "id")
    game["setup"]["cards"][3] = "mtg:zzz/1"
    result = shell("validate", write_records(shell.folder / "game.jsonl", game), "--db", starter)
    assert result.status == 1
    assert "setup.cards[3]: " in result.out
    assert "mtg:zzz/1" in result.out


@pytest.mark.parametrize("command", [["validate"], ["score"], ["replay"], ["play", "--load"]])
def test_named_cards_need_a_catalogue(shell: Shell, cards: list[dict[str, Any]], command: list[str]) -> None:
    file = write_records(shell.folder / "game.jsonl", named_game(cards, "id"))
    shell(*command, file).fails("names", cards[0]["id"], "ccgrid import")


def test_complete_cards_need_no_catalogue(shell: Shell) -> None:
    shell.good("score", GRID_RECORD)
    assert shell.catalogue() == {}


# --- score --piles ------------------------------------------------------------------------------------------------


def piles(folder: Path, **players: list[str]) -> Path:
    lines = [f"{player} = [{', '.join(pile)}]" for player, pile in players.items()]
    return write(folder / "piles.toml", "\n".join(['game = "grid"', "[piles]", *lines, ""]))


def test_piles_are_scored_by_name_id_or_written_score(shell: Shell, starter: Path, cards: list[dict[str, Any]]) -> None:
    ann = [json.dumps(cards[0]["id"]), json.dumps(cards[1]["name"]), '{ name = "Brass Ferryman", score = 9 }']
    file = piles(shell.folder, Ann=ann, Bob=["{ score = 1 }", "{ score = 2 }"])
    answer = shell.good("score", "--piles", file, "--json", "--db", starter).json
    assert answer["scores"] == {"Ann": cards[0]["score"] + cards[1]["score"] + 9, "Bob": 3}
    assert (answer["winner"], answer["over"], answer["ok"], answer["moves"]) == ("Ann", True, True, 0)
    taken = [(card["id"], card["score"]) for card in answer["piles"]["Ann"]]
    assert taken == [(cards[0]["id"], cards[0]["score"]), (cards[1]["id"], cards[1]["score"]), (None, 9)]
    shown = shell.good("score", "--piles", file, "--db", starter).out
    assert "winner" in shown
    assert re.search(rf"Ann +{re.escape(cards[0]['name'])} +{cards[0]['score']} +{cards[0]['id']}\n", shown), shown
    assert re.search(r"Ann +Brass Ferryman +9\n", shown), shown


def test_equal_piles_are_a_draw(shell: Shell) -> None:
    file = piles(shell.folder, Ann=["{ score = 4 }"], Bob=["{ score = 1 }", "{ score = 3 }"])
    assert shell.good("score", "--piles", file, "--json").json["winner"] is None
    assert shell.good("score", "--piles", file).out.endswith("A draw.\n")


def test_impossible_piles_have_status_1(shell: Shell) -> None:
    result = shell("score", "--piles", piles(shell.folder, Ann=["{ score = 10_001 }"], Bob=[]))
    assert result.status == 1
    assert "piles.Ann[0].score: must be 0 to" in result.out


def test_piles_of_named_cards_need_a_catalogue(shell: Shell) -> None:
    shell("score", "--piles", piles(shell.folder, Ann=['"mtg:m10/146"'], Bob=[])).fails("ccgrid import")


def test_file_with_only_the_result_is_reported_as_such(shell: Shell) -> None:
    piles = write(shell.folder / "piles.toml", 'game = "grid"\n[piles]\nAnn = [{ score = 9 }]\nBob = [{ score = 6 }]\n')
    assert "Valid: " in (output := shell.good("score", "--piles", piles).out)
    assert "grid, final result only." in output
