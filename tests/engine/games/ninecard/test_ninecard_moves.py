"""How moves of ninecard are written, typed and explained."""

import random
from dataclasses import replace

import pytest
from ninecard_positions import DRAKE, FULL_HAND, NINECARD, SPARK, cells_of, document, played, side, table

from ccgrid.engine import schema
from ccgrid.engine.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    MalformedMoveError,
)
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.notation import play, read_move
from ccgrid.engine.records.record import read_document


# A whole game by hand
def test_a_game_written_down_by_hand():
    """Bob's Guard blocks Ann's Drake; her Scout comes through an empty column, and Bob cannot play any more."""
    spark = {"name": "Spark"}
    drake = {"name": "Amber Drake", "attack": 2, "defense": 1}
    scout = {"name": "Brass Scout", "attack": 1, "defense": 1}
    guard = {"name": "Guard", "attack": 1, "defense": 3}
    moves = ["energy Spark"] * 3 + ["play Amber Drake a", "assault Bob", "attack a1", "end"]  # 5 - 2 = 3
    moves += ["energy Spark"] * 4 + ["play Guard a", "assault Ann", "attack a1", "end"]  # the Drake dies
    moves += [
        "energy Spark",
        "play Brass Scout b",
        "play Brass Scout b",
        "assault Bob",
        "attack b1",
        "attack b2",
        "end",
    ]
    moves += ["assault Ann", "end"]
    moves += ["assault Bob", "attack b1"]
    ann = [spark, spark, spark, drake, scout, scout, spark, spark]
    bob = [spark, spark, spark, spark, guard, spark]
    reading = read_document({**document(ann, bob, moves, life=5), "result": {"scores": {"Ann": 5, "Bob": 0}}})
    assert reading.error is None
    assert cells_of(reading.state.sides[1]) == {"a1": "1/3"}
    assert reading.to_dict()["winner"] == "Ann"


# Notation, and what people type
def test_names_of_cards_and_players_may_hold_anything():
    names = [
        "end",
        "Foo b",
        "Foo",
        "Foo b c",
        "  spaced  out ",
        "new\nline",
        "\x1b[2J",
        "[/red]",
        "play Foo a",
        "ÅΩ",
        "a1",
    ]
    players = ["Ann Lee", "assault", "b\n1 ", "[bold]"]
    deck = [{"name": name, "attack": 0, "defense": 0} for name in names]
    value = document(deck, moves=[]) | {"players": players, "first": "Ann Lee"}
    value["setup"] = {"decks": dict.fromkeys(players, deck)}
    rng = random.Random(3)
    for _ in range(20):
        state = read_document(value).require().setup.start()
        moves = []
        while (legal := state.legal_moves()) and len(moves) < 60:
            for move in legal:
                assert NINECARD.notation.is_notation(state, move)
                assert read_move(state, move) == move
            moves.append(rng.choice(legal))
            state = play(state, moves[-1])
        for text, parse in (
            (read_document(value | {"moves": moves}).require().to_toml(), schema.parse_toml),
            (read_document(value | {"moves": moves}).require().to_json_line(), schema.parse_json),
        ):
            assert read_document(parse(text.encode())).state == state


def test_legal_moves_are_sorted_by_code_point_and_copies_count_once():
    state = table(side((SPARK, SPARK, DRAKE, DRAKE, Energy("drop")), energy=5, b1=(1, 1), b2=(1, 1)))
    assert state.legal_moves() == (
        "assault Bob",
        "energy Spark",
        "energy drop",
        "move b1 a1",
        "move b1 c1",
        "move b2 a2",
        "move b2 b3",
        "move b2 c2",
        "play Amber Drake a",
        "play Amber Drake b",
        "play Amber Drake c",
        "swap b1 b2",
    )


@pytest.mark.parametrize(
    "move",
    ["", "e", "END", "end ", "energy", "energy ", "play Spark", "play Spark d", "move a1", "move a1 a4", "swap a1,b1",
     "attack", "attack d1", "assault", "fly a1"],
)  # fmt: skip
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like play Amber Drake b"):
        play(table(side()), move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("energy spark", "energy Spark"),
        ("EN sp", "energy Spark"),
        ("en", "energy Spark"),
        ("spark", "energy Spark"),
        ("play amber drake B", "play Amber Drake b"),
        ("p drake b", "play Amber Drake b"),
        ("drake b", "play Amber Drake b"),
        ("play drake in b", "play Amber Drake b"),
        ("amber drake in column b", "play Amber Drake b"),
        ("p a c", "play Amber Drake c"),
        ("move A1 a2", "move a1 a2"),
        ("m a1-a2", "move a1 a2"),
        ("a1 a2", "move a1 a2"),
        ("a1->a2", "move a1 a2"),
        ("a1 to a2", "move a1 a2"),
        ("b1 a1", "swap a1 b1"),
        ("SWAP b1 with a1", "swap a1 b1"),
        ("assault bob", "assault Bob"),
        ("as", "assault Bob"),
        ("assault", "assault Bob"),
    ],
)
def test_a_person_may_type_a_move_loosely(text, move):
    state = table(side((SPARK, DRAKE), energy=5, a1=(1, 1), b1=(2, 2)))
    assert read_move(state, text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [("attack A1", "attack a1"), ("a1", "attack a1"), ("att a", "attack a1"), ("C", "attack c2"), ("e", "end")],
)
def test_a_person_may_type_an_attack_loosely(text, move):
    assert read_move(play(table(side(a1=(1, 1), c2=(1, 1))), "assault Bob"), text) == move


def test_a_person_may_type_a_discard_loosely():
    state = played(table(side((*FULL_HAND, DRAKE), a1=(1, 1))), "assault Bob", "end")
    for text in ("drake", "discard dr", "d amber drake"):
        assert read_move(state, text) == "discard Amber Drake"


def test_a_name_in_full_is_that_card_though_others_begin_so():
    state = table(side((Creature("Foo", 0, 0), Creature("Foo b", 0, 0), Creature("Food", 0, 0))))
    assert read_move(state, "play Foo b") == "play Foo b"
    assert read_move(state, "play foo b b") == "play Foo b b"
    assert read_move(state, "play foo c") == "play Foo c"


def test_a_typed_move_that_may_mean_several_is_ambiguous_and_says_which():
    state = table(side((DRAKE, Creature("Dusk Drake", 1, 1)), energy=9))
    with pytest.raises(AmbiguousMoveError, match="this may be play Amber Drake a or play Dusk Drake a: say which"):
        read_move(state, "play drake a")
    evil = table(side((Energy("\x1b[2J a"), Energy("\x1b[2J b"))))
    with pytest.raises(AmbiguousMoveError) as caught:
        read_move(evil, "energy")
    assert "\x1b" not in str(caught.value)


def test_a_typed_move_that_is_not_legal_says_why():
    state = table(side((DRAKE, SPARK), energy=1, a1=(1, 1)))
    for text, message in [
        ("play drake", '"Amber Drake" costs 5, and 1 energy is ready'),
        ("drake", "costs 5"),
        ("attack", "no assault has been declared"),
        ("end", "no assault has been declared"),
        ("energy ghost", 'no "ghost" in your hand'),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            read_move(state, text)


def test_a_typed_text_that_breaks_several_rules_is_answered_with_the_first_legal_moves():
    hand = tuple(Creature(f"Ghost {n}", 0, 0) for n in range(8))
    state = replace(table(side(hand, a1=(1, 1), b1=(1, 1))), moved=(0,))
    assert len(state.legal_moves()) == 27
    with pytest.raises(
        IllegalMoveError, match=r"no such move is legal now; the legal ones: assault Bob, move b1 b2, .*, 7 more"
    ):
        read_move(state, "a1 b1")


@pytest.mark.parametrize(
    "text", ["", "   ", "xyzzy", "\x1b[2J", "a" * 10_000, "a1 a2 a3", "end it", "a1" + " " * 50_000 + "z"]
)
def test_a_typed_text_that_is_no_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(table(side((SPARK,), b1=(1, 1))), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)
