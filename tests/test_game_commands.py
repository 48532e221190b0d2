"""The commands on games: what they answer people and scripts, what their exit statuses mean."""

import io
import json
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
from catalogues import Result, Shell
from made_up import random_deck

import engine.simulation
from catalog.decks.deck import Deck, deck_toml
from ccgrid import app
from engine.deck_sources import FixedDecks
from engine.errors import EngineError
from engine.record import Record
from engine.record_files import read_game
from engine.simulation import Lineup, play_game

ROOT = Path(__file__).resolve().parents[1]
PLAYED = ROOT / "tests" / "playthroughs" / "grid.toml"
SCORES = {"Ann": 182, "Bob": 95}


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue that holds the bundled cards."""
    path = tmp_path_factory.mktemp("starter") / "starter.db"
    assert app.run(["import", "starter", "--db", str(path), "--json"]) == 0
    return path


@pytest.fixture
def cards(starter: Path, shell: Shell) -> list[dict[str, Any]]:
    """A legal deck of bundled cards, of which each has a name of its own."""
    drawn: list[dict[str, Any]] = shell.good("deck", "new", "--seed", "4", "--json", "--db", starter).json["cards"]
    assert len({card["name"] for card in drawn}) == 20
    return drawn


def record(number: int = 1) -> Record:
    import random

    deck = tuple(random_deck(random.Random(number)))
    return play_game(Lineup("grid", ("random", "greedy"), FixedDecks((deck,)), 5), number)


def document(**changes: Any) -> dict[str, Any]:
    """The played game as plain values, with other values for some keys; None takes a key out."""
    whole = {**read_game(PLAYED).to_document(), **changes}
    return {key: value for key, value in whole.items() if value is not None}


def write(path: Path, *documents: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in documents), encoding="utf-8")
    return path


# --- validate and score -------------------------------------------------------------------------------------------


def test_a_game_played_by_the_rules_is_valid(shell: Shell) -> None:
    assert shell.good("validate", PLAYED).out == f"Valid: {PLAYED}: grid, 16 moves, over.\n"


def test_the_score_names_the_winner_first(shell: Shell) -> None:
    lines = shell.good("score", PLAYED).out.splitlines()
    assert lines[0] == f"Valid: {PLAYED}: grid, 16 moves, over."
    assert [line.split() for line in lines[2:]] == [["player", "score"], ["Ann", "182", "winner"], ["Bob", "95"]]


def test_score_json_has_the_documented_shape(shell: Shell) -> None:
    assert shell.good("score", PLAYED, "--json").json == {
        "file": str(PLAYED),
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
    scored = shell.good("score", PLAYED, "--json").json
    del scored["scores"]
    assert shell.good("validate", PLAYED, "--json").json == scored


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
def test_what_is_wrong_with_a_game_is_said_with_its_place_and_status_1(
    shell: Shell, changes: dict[str, Any], where: str, message: str
) -> None:
    file = write(shell.folder / "game.jsonl", document(**changes))
    for command in ("validate", "score"):
        result = shell(command, file, "--json")
        assert result.status == 1
        assert result.json["ok"] is False
        [error] = result.json["errors"]
        assert error["where"] == where
        assert message in error["message"]
        told = shell(command, file)
        assert told.status == 1
        assert told.out.startswith(f"Not valid: {file}:1\n  {where}: ")
        assert told.err == ""


def test_a_game_that_stopped_early_is_valid_and_nobody_has_won(shell: Shell) -> None:
    file = write(shell.folder / "game.jsonl", document(moves=["c2xb1", "b2xa1"], result=None))
    answer = shell.good("score", file, "--json").json
    assert (answer["over"], answer["moves"], answer["winner"]) == (False, 2, None)
    assert answer["scores"] == {"Ann": 32, "Bob": 17}
    assert shell.good("validate", file).out == f"Valid: {file}:1: grid, 2 moves, not over yet.\n"
    assert "winner" not in shell.good("score", file).out


def test_every_file_and_every_line_is_answered_in_order(shell: Shell) -> None:
    games = write(shell.folder / "games.jsonl", document(), document(moves=["a1xb1"]), document())
    result = shell("validate", PLAYED, games, "--json")
    assert result.status == 1
    assert [(line["file"], line["ok"]) for line in result.json_lines] == [
        (str(PLAYED), True),
        (f"{games}:1", True),
        (f"{games}:2", False),
        (f"{games}:3", True),
    ]


def test_a_file_that_is_missing_does_not_keep_the_others_from_being_checked(shell: Shell) -> None:
    missing = shell.folder / "missing.toml"
    result = shell("score", missing, PLAYED)
    assert result.status == 3
    assert result.err.startswith(f"Error: {missing}: ")
    assert result.err.count("\n") == 1
    assert "Ann" in result.out
    lines = shell("score", missing, PLAYED, "--json").json_lines
    assert [line["ok"] for line in lines] == [False, True]
    assert lines[0]["errors"][0]["where"] == "file"


def test_a_line_that_cannot_be_read_among_games_is_a_game_that_is_not_valid(shell: Shell) -> None:
    file = write(shell.folder / "games.jsonl", document())
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
@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_has_status_3_and_one_clear_message(
    shell: Shell, command: list[str], name: str, damage: str
) -> None:
    file = shell.folder / name
    file.write_bytes(DAMAGED[damage])
    assert_refused(shell(*command, file), str(file))


@pytest.mark.parametrize("command", [["validate"], ["score"], ["score", "--piles"], ["replay"], ["play", "--load"]])
def test_a_folder_or_no_file_at_all_has_status_3_and_one_clear_message(shell: Shell, command: list[str]) -> None:
    assert_refused(shell(*command, shell.folder), str(shell.folder))
    assert_refused(shell(*command, shell.folder / "none.toml"), "none.toml")


def assert_refused(result: Result, file: str) -> None:
    result.refused(file)
    assert len(result.err) < 500


# --- cards that a record only names -------------------------------------------------------------------------------


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
    file = write(shell.folder / "game.jsonl", named_game(cards, key))
    looked_up = shell.good("replay", file, "--json", "--db", starter).json
    keys = ("id", "name", "zones", "score")
    tables = {"setup": {"cards": [{k: card[k] for k in keys} for card in cards]}}
    written = write(shell.folder / "written.jsonl", {**named_game(cards, key), **tables})
    assert shell.good("replay", written, "--json").json == looked_up


def test_a_named_card_that_nobody_knows_is_said_with_its_place(
    shell: Shell, starter: Path, cards: list[dict[str, Any]]
) -> None:
    game = named_game(cards, "id")
    game["setup"]["cards"][3] = "mtg:zzz/1"
    result = shell("validate", write(shell.folder / "game.jsonl", game), "--db", starter)
    assert result.status == 1
    assert "setup.cards[3]: " in result.out
    assert "mtg:zzz/1" in result.out


@pytest.mark.parametrize("command", [["validate"], ["score"], ["replay"], ["play", "--load"]])
def test_without_a_catalogue_named_cards_cannot_be_looked_up(
    shell: Shell, cards: list[dict[str, Any]], command: list[str]
) -> None:
    file = write(shell.folder / "game.jsonl", named_game(cards, "id"))
    shell(*command, file).refused("names", cards[0]["id"], "ccgrid import")


def test_written_out_cards_need_no_catalogue(shell: Shell) -> None:
    shell.good("score", PLAYED)
    assert shell.catalogue() == {}


# --- score --piles ------------------------------------------------------------------------------------------------


def piles(folder: Path, **players: list[str]) -> Path:
    lines = [f"{player} = [{', '.join(pile)}]" for player, pile in players.items()]
    file = folder / "piles.toml"
    file.write_text("\n".join(['game = "grid"', "[piles]", *lines, ""]), encoding="utf-8")
    return file


def test_piles_are_scored_by_name_by_id_and_by_what_is_written(
    shell: Shell, starter: Path, cards: list[dict[str, Any]]
) -> None:
    ann = [json.dumps(cards[0]["id"]), json.dumps(cards[1]["name"]), '{ name = "Brass Ferryman", score = 9 }']
    file = piles(shell.folder, Ann=ann, Bob=[])
    answer = shell.good("score", "--piles", file, "--json", "--db", starter).json
    assert answer["scores"] == {"Ann": cards[0]["score"] + cards[1]["score"] + 9, "Bob": 0}
    assert (answer["winner"], answer["over"], answer["ok"], answer["moves"]) == ("Ann", True, True, 0)
    assert "winner" in shell.good("score", "--piles", file, "--db", starter).out


def test_equal_piles_are_a_draw(shell: Shell) -> None:
    file = piles(shell.folder, Ann=["{ score = 4 }"], Bob=["{ score = 1 }", "{ score = 3 }"])
    assert shell.good("score", "--piles", file, "--json").json["winner"] is None
    assert shell.good("score", "--piles", file).out.endswith("A draw.\n")


def test_piles_that_cannot_be_have_status_1(shell: Shell) -> None:
    result = shell("score", "--piles", piles(shell.folder, Ann=["{ score = 10_001 }"], Bob=[]))
    assert result.status == 1
    assert "piles.Ann[0].score: must be 0 to" in result.out


def test_piles_of_named_cards_need_a_catalogue(shell: Shell) -> None:
    shell("score", "--piles", piles(shell.folder, Ann=['"mtg:m10/146"'], Bob=[])).refused("ccgrid import")


# --- replay -------------------------------------------------------------------------------------------------------


def test_replay_json_lists_every_legal_move_before_each_move_sorted(shell: Shell) -> None:
    answer = shell.good("replay", PLAYED, "--json").json
    game = read_game(PLAYED)
    assert answer == {
        "plies": [{"player": ply.player, "move": ply.move, "legal": list(ply.state.legal_moves())} for ply in game],
        "over": True,
        "scores": SCORES,
    }
    assert all(ply["legal"] == sorted(ply["legal"]) and ply["move"] in ply["legal"] for ply in answer["plies"])


def test_replay_draws_the_board_after_every_move(shell: Shell) -> None:
    out = shell.good("replay", PLAYED).out
    assert out.count(" a1 ") + out.count("▶a1◀") + out.count(">a1<") == 17
    assert "1. Ann plays c2xb1: +32 Dusk Bellringer\n" in out
    assert "16. Bob plays c2xc1: " in out
    assert out.endswith("\nAnn wins: no card on the grid can take a neighbour.\n")


def test_replay_of_an_unfinished_game_says_so(shell: Shell) -> None:
    file = write(shell.folder / "game.jsonl", document(moves=["c2xb1"], result=None))
    assert shell.good("replay", file).out.endswith("\nThe game is not over.\n")


def test_replay_of_a_game_that_is_not_valid_has_status_1(shell: Shell) -> None:
    result = shell("replay", write(shell.folder / "game.jsonl", document(moves=["a1xb1"])))
    assert (result.status, result.out) == (1, "")
    assert 'moves[0] "a1xb1": a1 has no number' in result.err


def test_replay_is_of_one_game(shell: Shell) -> None:
    shell("replay", write(shell.folder / "games.jsonl", document(), document())).refused("more than one game")


@pytest.mark.parametrize(("typed", "boards"), [("\n\nq\n", 3), ("\n", 2), ("", 1)], ids=["q", "end", "nothing"])
def test_replay_stops_between_moves_and_ends_when_asked(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, typed: str, boards: int
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    out = shell.good("replay", "--pause", PLAYED).out
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


def test_no_result_depends_on_the_number_of_workers(shell: Shell) -> None:
    def summary(workers: str) -> tuple[dict[str, Any], bytes]:
        file = shell.folder / f"{workers}.jsonl"
        options = ("-n", "1001", "--seed", "9", "--json", "--workers", workers, "--records", file)
        answer: dict[str, Any] = shell.good("simulate", *options).json
        del answer["games_per_second"]
        return answer, file.read_bytes()

    assert summary("1") == summary("2")


def test_simulate_tells_people_shares_and_the_rate(shell: Shell) -> None:
    out = shell.good("simulate", "-n", "20", "--seed", "3").out
    assert out.startswith("20 games of grid, seed 3.\n")
    assert "random-1" in out
    assert "games a second" in out


def test_simulated_games_are_written_a_line_each_and_valid(shell: Shell) -> None:
    file = shell.folder / "games.jsonl"
    shell.good("simulate", "-n", "12", "--seed", "3", "--records", file)
    answers = shell.good("validate", file, "--json").json_lines
    assert len(answers) == 12
    assert all(answer["ok"] and answer["over"] for answer in answers)


def test_records_are_written_whole_or_not_at_all(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    file = shell.folder / "games.jsonl"
    file.write_text("as it was\n")
    monkeypatch.setattr(engine.simulation, "_CHUNK", 3)
    play = engine.simulation._play_number

    def fail(table: Any, number: int) -> Any:
        if number == 8:
            raise EngineError("the table broke")
        return play(table, number)

    monkeypatch.setattr(engine.simulation, "_play_number", fail)
    shell("simulate", "-n", "9", "--workers", "1", "--records", file)
    assert file.read_text() == "as it was\n"
    assert list(shell.folder.iterdir()) == [file]


def test_records_in_no_folder_are_refused(shell: Shell) -> None:
    result = shell("simulate", "-n", "2", "--records", shell.folder / "nowhere" / "games.jsonl")
    assert result.status == 3
    assert "games.jsonl: there is no such file or folder" in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "grid"),
        (["grid", "--players", "random,clever"], "greedy"),
        (["grid", "--players", "random"], "players"),
        (["grid", "--players", "random,random,random,random,random"], "players"),
    ],
)
def test_an_unknown_game_or_player_is_answered_with_what_there_is(
    shell: Shell, arguments: list[str], words: str
) -> None:
    result = shell("simulate", *arguments)
    assert result.status == 3
    assert words in result.err.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [["-n", "0"], ["--workers", "0"], ["--seed", "-1"], ["--seed", str(2**63)], ["--seed", "x"], ["--games", "many"]],
)
def test_a_number_that_cannot_be_is_a_wrong_command_line(shell: Shell, arguments: list[str]) -> None:
    assert shell("simulate", *arguments).status == 2


def test_games_are_played_with_the_deck_that_is_named(shell: Shell) -> None:
    import random

    deck = shell.folder / "deck.toml"
    deck.write_text(deck_toml(Deck("Dusk", tuple(random_deck(random.Random(1))))), encoding="utf-8")
    file = shell.folder / "games.jsonl"
    result = shell.good("simulate", "-n", "3", "--deck", deck, "--records", file)
    assert result.err == ""
    for line in file.read_text().splitlines():
        ids = [card["id"] for card in json.loads(line)["setup"]["cards"]]
        assert sorted(ids) == sorted(f"dusk:{number}" for number in range(20))


@pytest.mark.parametrize("command", ["simulate", "play"])
def test_a_deck_that_is_not_legal_is_refused_with_what_is_wrong(shell: Shell, command: str) -> None:
    import random

    deck = shell.folder / "deck.toml"
    deck.write_text(deck_toml(Deck("Short", tuple(random_deck(random.Random(1), 19)))), encoding="utf-8")
    shell(command, "--deck", deck).refused("not a legal deck", "19 cards", "ccgrid deck check")


@pytest.mark.parametrize("command", ["simulate", "play"])
def test_a_deck_that_is_missing_is_refused(shell: Shell, command: str) -> None:
    shell(command, "--deck", shell.folder / "none.toml").refused("none.toml")


# --- rules and demo -----------------------------------------------------------------------------------------------


def test_the_rules_are_printed_as_the_file_has_them(shell: Shell) -> None:
    assert shell.good("rules", "grid").out == (ROOT / "engine" / "games" / "grid" / "rules.md").read_text(
        encoding="utf-8"
    )


def test_there_are_no_rules_of_an_unknown_game(shell: Shell) -> None:
    shell("rules", "chess").refused("chess", "grid")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any network."""

    def fail(*arguments: object, **options: object) -> None:
        raise AssertionError("the network was asked")

    for name in ("socket", "create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, fail)


@pytest.mark.usefixtures("no_network")
def test_the_demo_shows_everything_offline_with_no_catalogue_twice_the_same(shell: Shell) -> None:
    first = shell.good("demo")
    assert first.err == ""
    for step in ("1. ", "2. Twenty legal cards", "3. Nine are turned up", "4. Nobody can move any more", "Now you:"):
        assert f"\n{step}" in f"\n{first.out}"
    assert "Valid: game.toml: grid, " in first.out
    assert shell.good("demo").out == first.out
    assert shell.good("demo", "--seed", "8").out != first.out
    assert list(shell.folder.iterdir()) == []


def test_what_the_demo_keeps_is_legal_and_valid(shell: Shell) -> None:
    folder = shell.folder / "evening" / "games"
    shell.good("demo", "-o", folder)
    assert sorted(path.name for path in folder.iterdir()) == ["deck.toml", "game.toml"]
    assert shell.good("deck", "check", folder / "deck.toml", "--json").json["ok"]
    assert shell.good("score", folder / "game.toml", "--json").json["over"]


def test_the_demo_refuses_a_folder_that_is_a_file(shell: Shell) -> None:
    file = shell.folder / "notes.txt"
    file.write_text("mine")
    shell("demo", "-o", file).refused("notes.txt")
    assert file.read_text() == "mine"
