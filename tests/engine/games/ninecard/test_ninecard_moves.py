"""Tests of ninecard moves before the assault, sentence by sentence as in RULES.md, and of typed moves."""

import random
from dataclasses import replace

import msgspec
import pytest
from ninecard_positions import (
    DRAKE,
    FULL_HAND,
    NINECARD,
    SCOUT,
    SPARK,
    after_moves,
    cells_of,
    deal,
    document,
    side,
    table,
)

from ccgrid.engine import schema
from ccgrid.engine.errors import (
    AmbiguousMoveError,
    EngineError,
    IllegalMoveError,
    MalformedMoveError,
)
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.notation import play, read_move
from ccgrid.engine.records.record import read_document


# A whole game by hand
def test_handwritten_game_is_valid():
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
    assert msgspec.to_builtins(reading.check().answer())["winner"] == "Ann"


# Notation and typed moves
def test_names_of_cards_and_players_may_be_any_text():
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
def test_typed_moves_may_be_informal(text, move):
    state = table(side((SPARK, DRAKE), energy=5, a1=(1, 1), b1=(2, 2)))
    assert read_move(state, text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [("attack A1", "attack a1"), ("a1", "attack a1"), ("att a", "attack a1"), ("C", "attack c2"), ("e", "end")],
)
def test_typed_attacks_may_be_informal(text, move):
    assert read_move(play(table(side(a1=(1, 1), c2=(1, 1))), "assault Bob"), text) == move


def test_typed_discards_may_be_informal():
    state = after_moves(table(side((*FULL_HAND, DRAKE), a1=(1, 1))), "assault Bob", "end")
    for text in ("drake", "discard dr", "d amber drake"):
        assert read_move(state, text) == "discard Amber Drake"


def test_complete_name_is_preferred_to_longer_names():
    state = table(side((Creature("Foo", 0, 0), Creature("Foo b", 0, 0), Creature("Food", 0, 0))))
    assert read_move(state, "play Foo b") == "play Foo b"
    assert read_move(state, "play foo b b") == "play Foo b b"
    assert read_move(state, "play foo c") == "play Foo c"


def test_ambiguous_typed_text_lists_its_moves():
    state = table(side((DRAKE, Creature("Dusk Drake", 1, 1)), energy=9))
    with pytest.raises(AmbiguousMoveError, match="this may be play Amber Drake a or play Dusk Drake a: say which"):
        read_move(state, "play drake a")
    evil = table(side((Energy("\x1b[2J a"), Energy("\x1b[2J b"))))
    with pytest.raises(AmbiguousMoveError) as caught:
        read_move(evil, "energy")
    assert "\x1b" not in str(caught.value)


def test_illegal_typed_move_is_explained():
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


def test_text_that_breaks_several_rules_lists_legal_moves():
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
def test_typed_text_without_a_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(table(side((SPARK,), b1=(1, 1))), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)


# --- A turn before its assault, sentence by sentence as in RULES.md ------------------------------------------------


def verbs(state):
    return {move.split(" ")[0] for move in state.legal_moves()}


# The start of a turn
def test_a_creature_costs_attack_plus_defense():
    assert Creature("Drake", 3, 4).cost == 7


def test_turn_starts_by_readying_energy_and_drawing_also_for_the_starting_player():
    state = deal().start()
    assert len(state.side.hand) == 6
    ann = side((DRAKE,), energy=5, deck=[SCOUT])
    state = table(ann, side(deck=[DRAKE, SCOUT], energy=3, a1=(1, 1)))
    state = after_moves(state, "play Amber Drake b")
    assert state.ready == 0
    state = after_moves(state, "assault Bob", "end")
    assert state.to_move == 1
    assert state.side.hand == (*FULL_HAND, DRAKE)
    assert state.ready == 3
    state = after_moves(state, "energy Spark", "assault Ann", "end")
    assert (state.to_move, state.ready) == (0, 5)


def test_no_card_is_drawn_from_an_empty_deck():
    state = after_moves(table(side(a1=(1, 1)), side((SPARK,), a1=(1, 1))), "assault Bob", "end")
    assert state.side.hand == (SPARK,)


# Energy
def test_any_number_of_energy_cards_may_be_laid_and_is_ready():
    state = table(side((SPARK, Energy("Ember"), SPARK)))
    state = after_moves(state, "energy Spark", "energy Ember", "energy Spark")
    assert state.ready == 3
    assert state.side.hand == ()
    assert state.side.energy == (SPARK, Energy("Ember"), SPARK)


def test_creature_is_energy_only_with_an_option():
    state = table(side((DRAKE, SPARK)))
    assert verbs(state) == {"energy", "assault"}
    for move, message in [
        ("energy Amber Drake", "this is a creature, not an energy card: play it into a column"),
        ("facedown Amber Drake", "it has no option facedown"),
        ("sacrifice Amber Drake", "it has no option one_creature"),
        ("facedown Spark", 'this is an energy card: lay it with "energy Spark"'),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)


# Playing a creature
def test_creature_needs_its_cost_in_ready_energy():
    state = table(side((DRAKE, SCOUT), energy=6))
    state = play(state, "play Amber Drake a")
    assert state.ready == 1
    with pytest.raises(IllegalMoveError, match='"Brass Scout" costs 2, and 1 energy is ready'):
        play(state, "play Brass Scout b")
    assert play(table(side((SCOUT,), energy=2)), "play Brass Scout c").ready == 0


def test_free_creature_needs_no_energy():
    assert "play Ghost a" in table(side((Creature("Ghost", 0, 0),))).legal_moves()


def test_creature_enters_at_the_rear_and_slides_forward():
    state = table(side((SCOUT,) * 5, energy=20, c2=(5, 5)))
    assert cells_of(play(state, "play Brass Scout a").side) == {"a1": "1/1", "c2": "5/5"}
    assert cells_of(after_moves(state, *["play Brass Scout a"] * 3).side).keys() == {"a1", "a2", "a3", "c2"}
    assert cells_of(play(state, "play Brass Scout c").side) == {"c2": "5/5", "c3": "1/1"}


def test_column_with_occupied_rear_cell_is_full():
    state = table(side((SCOUT,), energy=2, a3=(1, 1)))
    assert [move for move in state.legal_moves() if move.startswith("play")] == [
        "play Brass Scout b",
        "play Brass Scout c",
    ]
    with pytest.raises(IllegalMoveError, match="a3, where creatures enter column a, is not empty"):
        play(state, "play Brass Scout a")


def test_an_energy_card_is_not_played_into_a_column():
    with pytest.raises(IllegalMoveError, match="only creatures are played"):
        play(table(side((SPARK,))), "play Spark a")


def test_a_card_that_is_not_in_hand_is_not_played():
    for move in ("energy Ghost", "play Ghost a"):
        with pytest.raises(IllegalMoveError, match='there is no "Ghost" in your hand'):
            play(table(side()), move)


def test_energy_creatures_and_steps_come_in_any_order():
    state = table(side((SPARK, SPARK, SCOUT, SPARK), a1=(2, 2)))
    state = after_moves(state, "move a1 b1", "energy Spark", "energy Spark", "play Brass Scout a", "energy Spark")
    state = after_moves(state, "move a1 a2")
    assert cells_of(state.side) == {"b1": "2/2", "a2": "1/1"}


# Moving
def test_creature_steps_to_an_empty_neighbour_but_not_diagonally():
    state = table(side(b2=(1, 1)))
    assert [move for move in state.legal_moves() if move.startswith("move")] == [
        "move b2 a2",
        "move b2 b1",
        "move b2 b3",
        "move b2 c2",
    ]
    for move, message in [
        ("move b2 a1", "b2 and a1 are not next to each other in a row or a column"),
        ("move b2 b2", "not next to each other"),
        ("move c1 c2", "you have no creature on c1"),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)


def test_a_creature_does_not_step_onto_another():
    with pytest.raises(IllegalMoveError, match="b1 is not empty: creatures next to each other swap"):
        play(table(side(a1=(1, 1), b1=(2, 2))), "move a1 b1")


def test_a_swap_changes_two_neighbours_and_names_the_cells_in_alphabetical_order():
    state = table(side(a1=(1, 1), a2=(2, 2), b1=(3, 3)))
    assert [move for move in state.legal_moves() if move.startswith("swap")] == ["swap a1 a2", "swap a1 b1"]
    assert cells_of(play(state, "swap a1 b1").side) == {"a1": "3/3", "a2": "2/2", "b1": "1/1"}
    for move, message in [
        ("swap b1 a1", "the cells of a swap are in alphabetical order: swap a1 b1"),
        ("swap a2 b1", "not next to each other"),
        ("swap a2 b2", "you have no creature on b2"),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)


def test_a_creature_moves_or_swaps_once_a_turn():
    state = play(table(side(a1=(1, 1), b1=(2, 2), c3=(3, 3))), "swap a1 b1")
    assert [move for move in state.legal_moves() if move[0] in "ms"] == ["move c3 b3", "move c3 c2"]
    for move in ("swap a1 b1", "move a1 a2"):
        with pytest.raises(IllegalMoveError, match="on a1 has already moved this turn"):
            play(state, move)
    state = play(table(side(a1=(1, 1), b1=(2, 2))), "move b1 b2")
    with pytest.raises(IllegalMoveError, match="on b2 has already moved"):
        play(state, "move b2 a2")


def test_creature_that_has_moved_cannot_be_swapped():
    state = play(table(side(a1=(1, 1), c1=(2, 2))), "move a1 b1")
    assert "swap b1 c1" not in state.legal_moves()
    with pytest.raises(IllegalMoveError, match="on b1 has already moved"):
        play(state, "swap b1 c1")


def test_creature_can_move_in_the_turn_in_which_it_was_played_and_again_in_the_next():
    state = play(play(table(side((SCOUT,), energy=2)), "play Brass Scout a"), "move a1 b1")
    assert not any(move.startswith("move") for move in state.legal_moves())
    state = after_moves(state, "assault Bob", "end", "assault Ann", "end")
    assert "move b1 c1" in state.legal_moves()


def test_creature_played_or_moved_in_this_turn_can_attack():
    state = play(play(table(side((SCOUT,), energy=2)), "play Brass Scout a"), "move a1 b1")
    assert after_moves(state, "assault Bob", "attack b1").scores() == (50, 49)


def test_gap_left_by_a_step_stays_until_the_cleanup():
    state = play(table(side(a1=(1, 1), a2=(2, 2))), "move a1 b1")
    assert cells_of(state.side) == {"b1": "1/1", "a2": "2/2"}
    assert cells_of(after_moves(state, "assault Bob", "end").sides[0]) == {"b1": "1/1", "a1": "2/2"}


# Options
def test_facedown_lays_creatures_as_energy_without_limit():
    state = table(side((DRAKE, SCOUT, SPARK)), facedown=True)
    assert [move for move in state.legal_moves() if "Amber" in move] == ["facedown Amber Drake"]
    state = after_moves(state, "facedown Amber Drake", "facedown Brass Scout")
    assert state.ready == 2
    assert state.side.facedown == (DRAKE, SCOUT)
    assert state.side.hand == (SPARK,)


def test_one_creature_a_turn_is_laid_as_energy():
    state = play(table(side((DRAKE, SCOUT, SCOUT), a1=(1, 1)), one_creature=True), "sacrifice Amber Drake")
    assert state.ready == 1
    assert state.side.energy == (DRAKE,)
    assert "sacrifice" not in verbs(state)
    with pytest.raises(IllegalMoveError, match="one creature a turn may be laid as energy, and one has been"):
        play(state, "sacrifice Brass Scout")
    state = after_moves(state, "assault Bob", "end", "assault Ann", "end")
    assert "sacrifice Brass Scout" in state.legal_moves()


def test_options_are_off_by_default_and_recorded_if_set():
    assert "facedown" not in deal().to_table()
    options = {"life": 20, "facedown": True, "one_creature": True, "limit": 7}
    setup = deal(options=options)
    assert setup.options == Options(**options)
    assert {key: value for key, value in setup.to_table().items() if key != "decks"} == options
    assert setup.start().scores() == (20, 20)
    assert deal(options={"life": 50, "facedown": False}) == deal()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lives": 3}, 'no option "lives": it has life, facedown, one_creature, limit, opening'),
        ({"life": 0}, "the option life must be 1 to 10000, not 0"),
        ({"limit": 2001}, "the option limit must be 1 to 2000, not 2001"),
        ({"facedown": 1}, "the option facedown must be true or false, not the number 1"),
        ({"limit": True}, "the option limit must be a whole number, not true"),
    ],
)
def test_impossible_option_is_rejected(options, message):
    with pytest.raises(EngineError, match=message):
        deal(options=options)
