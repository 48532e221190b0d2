"""Tests of the command `code`, and of codes as arguments of other commands."""

import json
import random
from dataclasses import replace
from pathlib import Path

from helpers.catalogues import Shell
from helpers.random_records import random_record

from ccgrid.catalog.card import Card
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.engine.games import find_game
from ccgrid.engine.records.codes import LONGEST_LINE, code_document, record_code
from ccgrid.engine.records.files import read_game, write_game

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"


def code_of(shell: Shell, *arguments: object) -> str:
    return shell.good("code", *arguments).out.strip()


def test_code_of_a_game_is_accepted_by_other_commands(shell: Shell):
    line = code_of(shell, EXAMPLES / "game.toml")
    assert "\n" not in line
    assert len(line) <= LONGEST_LINE
    assert shell.good("score", line, "--json").json["scores"] == {"Ann": 23, "Bob": 29}
    assert shell.good("validate", line).out.startswith("Valid: ccgrid2-")
    assert len(shell.good("replay", line, "--json").json["plies"]) == 12
    again = shell.folder / "again.toml"
    shell.good("code", line, "-o", again)
    assert read_game(again) == read_game(EXAMPLES / "game.toml")


def test_code_of_a_deck_is_accepted_by_other_commands(shell: Shell):
    line = code_of(shell, EXAMPLES / "deck.toml")
    assert len(line) <= LONGEST_LINE
    assert shell.good("deck", "check", line).out.startswith("Legal")
    games = shell.good("simulate", "grid", "--deck", line, "--games", 3, "--seed", 1, "--json").json
    assert games["games"] == 3


def test_unfinished_game_resumes_from_its_code(shell: Shell):
    record = random_record(find_game("matrix"), 4, share=3)
    shell.good("play", "--load", record_code(record).line, "--record", shell.folder / "more.toml", typed="1\n")
    assert read_game(shell.folder / "more.toml").moves[: len(record.moves)] == record.moves


def test_code_names_dropped_parts(shell: Shell):
    record = random_record(find_game("grid"), 5)
    rng = random.Random(5)  # random letters cannot be compressed
    long = tuple(replace(card, name=f"{card.name} {rng.getrandbits(200):x}") for card in record.setup.cards)
    setup = replace(record.setup, cards=long, deck=(), moving=(), facing=())
    write_game(replace(record, setup=setup), shell.folder / "long.toml")
    result = shell("code", shell.folder / "long.toml")
    assert result.status == 0
    assert result.err == "Dropped to fit: the ids of the cards and the ends of names.\n"
    answer = shell("code", shell.folder / "long.toml", "--json").json
    assert answer == {
        "code": result.out.strip(),
        "length": len(result.out.strip()),
        "left_out": ["the ids of the cards", "the ends of names"],
    }


def test_unsuitable_codes_are_rejected_with_their_status(shell: Shell):
    line = code_of(shell, EXAMPLES / "game.toml")
    damaged = shell("score", line[:-1] + ("A" if line[-1] != "A" else "I"))
    assert (damaged.status, "damaged" in damaged.err) == (3, True)
    shell("code", "ccgrid2-nope").fails("the code is damaged")
    deck = shell("score", code_of(shell, EXAMPLES / "deck.toml"))
    assert (deck.status, "the code of a deck" in deck.err) == (3, True)
    wrong = shell.folder / "wrong.toml"
    wrong.write_text(
        (EXAMPLES / "game.toml").read_text("utf-8").replace('"b3xc2", "a2xb1"', '"a1xc3", "a2xb1"', 1), "utf-8"
    )
    illegal = shell("code", wrong)
    assert (illegal.status, "moves[0]" in illegal.err) == (1, True)
    assert shell("code", shell.folder / "nothing.toml").status == 3
    game = shell("deck", "check", record_code(random_record(find_game("tactics"), 4)).line)
    assert (game.status, "code of a game" in game.err) == (3, True)


def test_illegal_deck_gets_no_code(shell: Shell):
    cards = [Card("", "", f"Drake {number}", {"top": 3}, 3) for number in range(19)]
    (shell.folder / "short.toml").write_text(deck_toml(Deck("Short", tuple(cards))), encoding="utf-8")
    result = shell("code", shell.folder / "short.toml")
    assert (result.status, "19 cards" in result.err) == (3, True)


def test_file_of_several_games_gives_one_code_per_line(shell: Shell):
    path = shell.folder / "games.jsonl"
    shell.good("simulate", "tactics", "--games", 3, "--seed", 2, "--records", path)
    lines = code_of(shell, path).split("\n")
    assert [json.dumps(code_document(line)["moves"]) for line in lines] == [
        json.dumps(json.loads(line)["moves"]) for line in path.read_text("utf-8").splitlines()
    ]
