"""Tests of lines typed to the referee of real cards: corrections, cards, forecasts and invalid input."""

import random
from contextlib import suppress

import pytest
from helpers.refereed_games import at_table, random_game, table_record, wolf_game

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.errors import EngineError, MoveError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.records.record import read_document
from ccgrid.services.real_records import begin
from ccgrid.services.referee import Referee
from ccgrid.terminal.keyboard import PlayerQuit, terminal_prompter
from ccgrid.terminal.referee import handle_line


def test_matrix_corrections_fix_board_move_and_card():
    referee = at_table("matrix", "north b", "corners a1 c3")
    assert referee.correct("that was c1 not c3") == "The last move is switch-corners a1 c1, not switch-corners a1 c3."
    assert referee.correct("no, that was south not north") == "shift-south, not shift-north."
    assert referee.session.moves == ["shift-south b", "switch-corners a1 c1"]
    before = referee.state.number_on("b2")
    referee.correct("b2 is 9")
    assert referee.state.number_on("b2") == 9
    assert before in referee.setup.board
    with pytest.raises(EngineError, match="rotate-clockwise b is not a move"):
        referee.correct("that was rotate-clockwise not shift-south")
    assert referee.correct("that was ccw") == "The last move is rotate-counterclockwise, not switch-corners a1 c1."
    assert referee.correct("what was that") is None


def test_tactics_correction_with_impossible_move_changes_nothing():
    referee = at_table("tactics", "gate b2", "kiln a1", "moat b1")
    record = referee.session.record()
    with pytest.raises(EngineError, match=r"Move 3 would be against the rules\. .*a1 is taken"):
        referee.correct("that was a1 not b1")
    with pytest.raises(CatalogError, match='"Gate Warden" is already on the table'):
        referee.correct("b1 is gate")
    assert referee.session.record() == record


@pytest.mark.parametrize("wrong", ["12", "b1xa1", "xyzzy"])
def test_correction_of_what_is_neither_move_nor_card_says_so(wrong):
    referee = at_table("tactics", "1 b2")
    with pytest.raises(EngineError) as error:
        referee.correct(f"that was 2 not {wrong}")
    assert str(error.value) == f'"{wrong}" is not in the last move, Gate Warden@b2, nor a card on the table.'


def test_card_is_named_by_number_part_or_misspelling_once():
    referee = at_table("tactics", "1 b2")
    assert referee.session.moves == ["Gate Warden@b2"]
    assert referee.move("kiln snger a1") == "Kiln Singer@a1"
    with pytest.raises(CatalogError, match='"Gate Warden" is already on the table'):
        referee.move("gate warden c3")


def test_ninecard_corrections_fix_columns_cells_and_cards():
    referee = wolf_game()
    for move in ("energy fire 1", "energy fire 2", "energy fire 3", "wolf 0 a"):
        referee.move(move)
    assert referee.correct("that was b not a") == "The last move is play Wolf 0 b, not play Wolf 0 a."
    assert referee.correct("b1 is wolf 5") == "Wolf 5, not Wolf 0."
    assert referee.correct("no, that was fire 6 not fire 2") == "Fire 6, not Fire 2."
    assert referee.session.moves == ["energy Fire 1", "energy Fire 6", "energy Fire 3", "play Wolf 5 b"]
    assert referee.move("e 13") == "energy Fire 4"  # the card's number in the deck
    referee.undo()
    assert referee.correct("that was energy fire 7") == "The last move is energy Fire 7, not play Wolf 5 b."
    assert referee.undo() == "Undone: energy Fire 7."
    assert sum(isinstance(card, Creature | Energy) for card in referee.setup.decks[0]) == 3
    with pytest.raises(EngineError, match=r"There is no card on b1\."):
        referee.correct("b1 is wolf 5")


@pytest.mark.parametrize("move", ["end", "End", "attack a1", "move a1 b1"])
def test_move_without_a_card_is_never_read_as_a_card(move):
    deck = [Card(id="", game="", name=f"{name} friend a1", zones={}, score=0, attack=9, defense=9) for name in "ABCDEF"]
    referee = Referee.of(begin("ninecard", ["Ann", "Bob"], None, {}, [deck]))
    with pytest.raises(MoveError):
        referee.move(move)


def test_forecast_lists_result_of_every_attack():
    referee = wolf_game(life=3)
    for number in range(3):
        referee.move(f"energy fire {number}")
    referee.move("wolf 0 a")
    assert plain_text(referee.cards.forecast(referee.state, "")) == ["Bob: life 3 to 1", "  a1: Wolf 0 takes 2 life"]
    for move in ("assault bob", "end", "energy fire 4", "energy fire 5", "energy fire 6", "wolf 1 a", "assault ann"):
        referee.move(move)
    assert plain_text(referee.cards.forecast(referee.state, "a")) == [
        "Ann: life stays 3",
        "  a1: Wolf 1 kills Wolf 0, dies",
    ]
    with pytest.raises(EngineError, match='"cid" cannot be assaulted now'):
        referee.cards.forecast(referee.state, "cid")
    for move in ("end", "assault bob", "end"):
        referee.move(move)
    assert referee.state.discarding, "Ann holds six cards"
    with pytest.raises(EngineError, match="The assaults of this turn are over"):
        referee.cards.forecast(referee.state, "")
    with pytest.raises(EngineError, match="nothing to forecast in tactics"):
        at_table("tactics").cards.forecast(None, "")


def plain_text(lines):
    return ["".join(part if isinstance(part, str) else part.text for part in words) for words in lines]


def test_ambiguous_card_is_named_with_its_numbers():
    referee = at_table("tactics", "cellar b2", "cinder a1")
    with pytest.raises(
        CatalogError, match=r"may be Cellar Steward \(3 8 5 5\) or 7 Cinder Fool \(8 3 1 5\): type more"
    ):
        referee.correct("that was moat not c")


LINES = (
    "undo",
    "not",
    "b2",
    "a b",
    "deck ann",
    "board",
    "moves",
    "forecast",
    "energy",
    "play",
    "assault bob",
    "end",
    "",
)
LINES += ("facedown", "discard", "attack a1", "move a1 a2", "north", "corners a1 c3", "cw", "13", ",", "?", "x" * 5000)


def random_line(referee, rng):
    """Return a line that a player may type: a move, a card, a correction, or invalid text."""
    names, moves = [card.name for card in referee.deck], referee.possible.legal_moves() or ("end",)
    wrong = rng.choice(referee.session.moves or ["b2"]).replace("x", " ").replace("@", " ").split()
    return rng.choice(
        (
            rng.choice(moves),
            rng.choice(moves),
            rng.choice(names),
            f"that was {rng.choice((*names, *LINES))} not {rng.choice(wrong)}",
            f"{rng.choice(('a1', 'b2', 'd4'))} is {rng.choice((*names, '5'))}",
            f"{rng.choice(LINES)} {rng.choice((*LINES, *names))}",
            rng.choice(LINES),
        )
    )


@pytest.mark.parametrize("game", GAMES.having("referee"))
def test_any_input_keeps_the_record_valid(game):
    for seed in range(4):
        rng = random.Random(seed)
        record, decks, options = random_game(game, rng.choice(find_game(game).player_counts), seed)
        referee = Referee.of(table_record(record, decks, options))
        for _ in range(40):
            line = random_line(referee, rng)
            with suppress(EngineError, CatalogError, PlayerQuit):
                handle_line(referee, terminal_prompter(), line, None)
            document = referee.session.record().to_document()
            assert read_document(document).error is None, line
            if referee.session.is_over:
                break
