"""Tests that moves in records may be written informally, as at the keyboard, and are stored in canonical notation."""

import json
import re
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.game_positions import file_of_game
from helpers.record_errors import error_of

from ccgrid.engine.games import GAMES
from ccgrid.engine.notation import read_record_move
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import Record, read_document

TESTS = Path(__file__).resolve().parents[2]
PLAYTHROUGHS = TESTS / "playthroughs"
EXAMPLES = TESTS.parent / "docs" / "examples"

SPELLINGS = {
    "grid": [(r"(..)x(..)", r" \1 to \2")],
    "tactics": [(r"(.*)@(..)", r"\1 on \2")],
    "matrix": [
        (r"switch-(.*) (..) (..)", r"\1 \3 and \2"),
        ("shift-(.*)", r"\1"),
        ("swap-.* (.)", r"swap \1"),
        ("rotate-", ""),
    ],
    "ninecard": [
        ("(?:move|swap) (..) (..)", r"\1 -> \2"),
        ("play (.*) (.)", r"p \1 in column \2"),
        ("attack (..)", r"\1"),
        ("(energy|facedown|discard) ", r"\1  "),
    ],
}


def type_move(game: str, move: str) -> str:
    """Return the move as a user may type it, in capitals."""
    for written, typed in SPELLINGS.get(game, ()):
        move = re.sub(f"^{written}", typed, move)
    return move.upper()


def with_typed_moves(record: Record) -> dict[str, object]:
    """Return the document of a record with all moves as a user may type them."""
    game = record.setup.game
    return json.loads(record.to_json_line()) | {"moves": [type_move(game, move) for move in record.moves]}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_loosely_written_moves_give_same_record(game):
    record = read_game(file_of_game("playthroughs", game.name, ".toml"))
    typed = with_typed_moves(record)
    assert not set(typed["moves"]) & (set(record.moves) - {"end"})
    assert read_document(typed).require() == record


@pytest.mark.parametrize("command", ["validate", "score", "replay", "code", "page", "solve"])
def test_commands_accept_loosely_written_moves(shell: Shell, command: str):
    record = read_game(EXAMPLES / "game.toml")
    canonical, typed = shell.folder / "whole.jsonl", shell.folder / "typed.jsonl"
    document = with_typed_moves(record) | {"moves": with_typed_moves(record)["moves"][:-1], "result": None}
    del document["result"]
    typed.write_text(json.dumps(document), encoding="utf-8")
    canonical.write_text(json.dumps(document | {"moves": record.moves[:-1]}), encoding="utf-8")
    more = ["-o", shell.folder / "page.html", "--force"] if command == "page" else ["--json"]
    shown = [shell.good(command, file, *more).out.replace(file.name, "game") for file in (canonical, typed)]
    pages = [shell.folder / "page.html"] if command == "page" else []
    if command == "solve":
        shown = [json.loads(text) | {"seconds": 0} for text in shown]
    assert shown[0] == shown[1]
    assert all(record.moves[0] in page.read_text(encoding="utf-8") for page in pages)


def test_ambiguous_move_is_rejected_with_candidates():
    record = read_game(PLAYTHROUGHS / "matrix.toml")
    document = json.loads(record.to_json_line()) | {"moves": ["rotate"]}
    del document["result"]
    where, message = error_of(document)
    assert where == 'moves[0] "rotate"'
    assert message == "this may be rotate-clockwise or rotate-counterclockwise: say which"


def tactics(moves, *hand):
    numbers = {"top": 1, "right": 1, "bottom": 1, "left": 1}
    decks = {player: [{"name": name, **numbers} for name in hand] for player in ("Ann", "Bob")}
    return {"game": "tactics", "players": ["Ann", "Bob"], "first": "Ann", "moves": moves, "setup": {"decks": decks}}


def test_name_of_played_card_matches_no_other_card():
    hand = ("Gate", "Gate Warden", "Tower")
    assert read_document(tactics(["gate a1"], *hand)).error is None
    where, message = error_of(tactics(["Gate@a1", "Gate@b1", "Gate@c1"], *hand))
    assert where == 'moves[2] "Gate@c1"'
    assert message.startswith('"Ann" has no "Gate" in hand')
    assert read_document(tactics(["Gate@a1", "Gate@b1", "gat c1"], *hand)).error is None


def test_name_of_card_laid_as_energy_matches_no_other_card():
    deck = [{"name": name} for name in ("Spark", "Spark Tower", "Oak", "Elm", "Ash")]
    document = {
        "game": "ninecard",
        "players": ["Ann", "Bob"],
        "first": "Ann",
        "moves": ["energy spark", "energy Spark"],
        "setup": {"decks": {"Ann": deck, "Bob": deck}, "opening": "text"},
    }
    where, message = error_of(document)
    assert where == 'moves[1] "energy Spark"'
    assert message == 'there is no "Spark" in your hand'


def test_list_numbers_and_very_long_texts_are_rejected():
    state = read_game(PLAYTHROUGHS / "grid.toml").setup.start()
    for text in ("1", " 2 ", "a1" + " " * 4000 + "b1", ""):
        with pytest.raises(ValueError, match="not a move"):
            read_record_move(state, text)
