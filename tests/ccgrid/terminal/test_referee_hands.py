"""Tests of tactics, matrix and ninecard with real cards at a terminal, where hands stay secret."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.made_up import card, random_side_deck

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import GreedyPlayer
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import Record

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # Windows has none

from helpers.game_files import write_deck
from helpers.terminals import Terminal

PROMPT = r"Ann|Bob|Cards that \w+ shows|Numbers? on [^>]+"
NAMES = ("Ann", "Bob")

StartGame = Callable[..., Terminal]


def battle_deck() -> list[Card]:
    """Return cheap creatures and energy, each card with a unique name."""
    cards = [
        Card(id="", game="", name=f"Wolf {chr(65 + n)}", zones={}, score=0, attack=2, defense=1) for n in range(14)
    ]
    return cards + [Card(id="", game="", name=f"Fire {chr(65 + n)}", zones={}, score=0) for n in range(10)]


def random_record(game: str, decks: list[list[Card]], seed: int, **options: object) -> Record:
    """Return the record of a random game, which the players at the table play."""
    dice = Dice(seed)
    setup = find_game(game).deal(NAMES, decks, dice, first=None if game == "matrix" else 0, options=options)
    moves, _ = play_out(setup.start(), [GreedyPlayer()] * 2, dice)
    return Record(setup, tuple(moves))


def deck_files(shell: Shell, decks: list[list[Card]], game: str) -> list[Path]:
    return [write_deck(shell.folder / f"{name}.toml", deck, game) for name, deck in zip(NAMES, decks, strict=True)]


def check_record(shell: Shell, real: Record) -> Record:
    """Check that the written record is valid and has the score of the real game, and return it."""
    shell.good("validate", shell.folder / "game.toml")
    final = real.final()
    scores = dict(zip(final.players, final.scores(), strict=True))
    assert shell.good("score", shell.folder / "game.toml", "--json").json["scores"] == scores
    record = read_game(shell.folder / "game.toml")
    assert record.moves == real.moves
    return record


def test_tactics_is_refereed_without_naming_hands(shell: Shell, start_table: StartGame) -> None:
    rng = random.Random(2)
    decks = [random_side_deck(rng) for _ in NAMES]
    real = random_record("tactics", decks, 5)
    files = deck_files(shell, decks, "tactics")
    game = start_table(*files, "--players", "Ann,Bob", "--record", "game.toml")
    shown = game.prompt(PROMPT)
    assert shown.count("3 cards") == 2
    assert "The cards of Bob that no player has seen:" in game.answer("deck bob", PROMPT)
    for number, ply in enumerate(real):
        name, _, cell = ply.move.rpartition("@")
        if number == 1:
            taken = next(move for move in real.moves[:1]).rpartition("@")[2]
            assert f"{taken} is taken, by a card of " in game.answer(f"{name} {taken}", PROMPT)
            assert "not among the remaining cards" in game.answer(f"xyzzy {cell}", PROMPT)
        game.child.sendline(f"{name} on {cell.upper()}")
        if number == len(real.moves) - 1:
            break
        shown = game.prompt(PROMPT)
        assert f"{ply.player} plays {ply.move}: +" in shown
        assert f"{ply.player} draws a card." in shown
    assert "The game is over: every cell is taken" in game.rest()
    decks_written = check_record(shell, real).setup.to_table()["decks"]
    assert all(UNKNOWN in deck for deck in decks_written.values())
    game.check_widths()


def test_matrix_is_refereed_from_the_nine_numbers(shell: Shell, start_table: StartGame) -> None:
    real = random_record("matrix", [], 3, rotate="step")
    game = start_table("matrix", "--players", "Ann,Bob", "--option", "rotate=step", "--record", "game.toml")
    game.prompt(PROMPT)
    board = real.setup.to_table()["board"]
    assert "a1 " in game.answer("".join(map(str, board[:5])), PROMPT)
    in_help = game.answer("help", PROMPT)
    assert "undo the last line" in in_help
    assert "save FILE" not in in_help, "which is for a game that has begun"
    assert game.answer("1 2 3 4 5", PROMPT) == "These are 5 numbers; 4 are wanted."
    shown = game.answer(" ".join(map(str, board[5:])), PROMPT)
    assert shown.count("holds 10 cards") == 2
    for ply in real.moves[:-1]:
        shown = game.answer(ply.replace("-", " "), PROMPT)
        assert "plays " in shown
    game.child.sendline(real.moves[-1])
    assert "The game is over: all ten rounds are played" in game.rest()
    assert check_record(shell, real).setup == real.setup


def test_ninecard_is_refereed_with_forecast_and_revealed_hand(shell: Shell, start_table: StartGame) -> None:
    decks = [battle_deck() for _ in NAMES]
    real = random_record("ninecard", decks, 4, life=6, limit=8, facedown=True)
    files = deck_files(shell, decks, "ninecard")
    options = [word for text in ("life=6", "limit=8", "facedown") for word in ("--option", text)]
    game = start_table(*files, "--players", "Ann,Bob", *options, "--record", "game.toml")
    shown = game.prompt(PROMPT)
    assert "life 6" in shown
    assert "Hand of Ann: 6 hidden cards" in shown
    asked_for_forecast = False
    for number, ply in enumerate(real):
        if ply.move.startswith("assault") and any(ply.state.side.grid):
            asked_for_forecast = True
            assert re.search(r"Bob|Ann: life", game.answer("forecast", PROMPT))
        game.child.sendline(ply.move)
        if number == len(real.moves) - 1:
            break
        shown = game.prompt(PROMPT)
        while "shows" in game.child.match[1]:
            assert "has an empty grid and played no creature" in shown
            shown = game.answer(", ".join(card.name for card in ply.state.side.hand), PROMPT)
    shown = game.rest()
    assert asked_for_forecast
    assert "The game is over" in shown
    assert UNKNOWN in str(check_record(shell, real).setup.to_table()["decks"])


def test_wrong_card_of_a_hand_is_corrected(shell: Shell, start_table: StartGame) -> None:
    game = start_table("bastion", "cinder", "--players", "Ann,Bob", "--record", "game.toml")
    game.prompt(PROMPT)
    game.answer("gate b2", PROMPT)
    assert "The last move is Gate Warden@b3, not Gate Warden@b2." in game.answer("that was b3 not b2", PROMPT)
    assert "Moat Keeper, not Gate Warden." in game.answer("b3 is moat", PROMPT)
    game.answer("kiln a1", PROMPT)
    assert "Gate Warden, not Moat Keeper." in game.answer("no, that was gate not moat", PROMPT)
    assert "The last move is Ash Dancer@c1, not Kiln Singer@a1." in game.answer("that was ash dancer c1", PROMPT)
    assert "Undone: Ash Dancer@c1." in game.answer("undo", PROMPT)
    assert 'The hand of "Bob" is not known' in game.answer("hint", "Bob")
    assert "holds 3 cards: name all of them" in game.answer("hint ash", "Bob")
    assert re.search(r"Play (Ash Dancer|Kiln Singer|\w[\w ]+)@\w\d \(\+", game.answer("hint 1, 2, 3", "Bob"))
    game.child.sendline("quit")
    assert "To continue: ccgrid table --load game.toml" in game.rest()
    record = read_game(shell.folder / "game.toml")
    assert record.moves == ("Gate Warden@b3",)
    again = start_table("--load", "game.toml", command="play")
    assert "Gate Warden" in again.prompt("Bob")
    assert "Undone: Gate Warden@b3." in again.answer("undo", "Ann")


def test_number_means_a_move_only_after_the_list(shell: Shell, start_table: StartGame) -> None:
    game = start_table("bastion", "cinder", "--players", "Ann,Bob", "--record", "game.toml")
    game.prompt(PROMPT)
    assert game.answer("2", "Ann") == "Write the move, or type moves to list the moves with their numbers."
    game.answer("moves", "Ann")
    game.answer("deck", "Ann")
    assert "type moves" in game.answer("2", "Ann")
    second = re.search(r"\b2 (\w\d)", game.answer("moves", "Ann"))
    assert second is not None
    assert f"@{second[1]}: +" in game.answer("2", "Bob")


def test_unsupported_real_table_is_rejected(shell: Shell) -> None:
    shell("table", "tactics").misuses("Name one deck for all, or one for each player: ccgrid table bastion cinder")
    shell("table", "nosuch").misuses(
        '"nosuch" is not a file, a game or a faction. Games: grid, ninecard, tactics, matrix'
    )
    shell("table", "matrix", "bastion").fails("bastion is a deck for tactics, not for matrix")
    shell("table", "matrix", "--first", "Ann", "--players", "Ann,Bob").misuses("In matrix the scores decide who starts")
    deck = [card(f"Card {number}", right=number % 10) for number in range(20)]
    file = write_deck(shell.folder / "deck.toml", deck)
    shell("table", file, file, "--players", "Ann,Bob").misuses("grid needs 1 deck")
