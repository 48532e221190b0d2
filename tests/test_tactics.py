"""The tactics game, sentence by sentence as RULES.md states it."""

import json
import random
import re
from contextlib import suppress

import naive_tactics
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import random_side_deck, random_tactics_card
from test_every_game import perft_table

from catalog.card import Card, CatalogError
from engine import codecs
from engine.deck_sources import TooFewCardsError
from engine.dice import Dice
from engine.errors import (
    AmbiguousMoveError,
    EngineError,
    IllegalMoveError,
    MalformedMoveError,
    MoveError,
    UnknownCardError,
)
from engine.game import Ending
from engine.games.tactics.cards import LARGEST_DECK, as_tactics_card, sides, tactics_card, tactics_cards
from engine.games.tactics.decks import TacticsDecks
from engine.games.tactics.game import TacticsGame
from engine.games.tactics.state import EMPTY, TacticsSetup, TacticsState
from engine.games.tactics.table import TABLES
from engine.notation import play, read_move
from engine.players import choose_move, find_player
from engine.record import Record, read_document
from engine.record_files import read_ending
from engine.schema import RecordError

TACTICS = TacticsGame()
NAMES = ("Ann", "Bob", "Cid", "Dan")
SIDES = ("top", "right", "bottom", "left")
SEATS = {2: ("south", "north"), 4: ("south", "west", "north", "east")}
BESIDE = {"up": "b1", "right": "c2", "down": "b3", "left": "a2"}  # of b2

# Where each side of a card faces on the table, by who plays it: upright, a half turn, a quarter turn either way.
FACES = {
    "south": {"top": "up", "right": "right", "bottom": "down", "left": "left"},
    "north": {"top": "down", "right": "left", "bottom": "up", "left": "right"},
    "west": {"top": "right", "right": "down", "bottom": "left", "left": "up"},
    "east": {"top": "left", "right": "up", "bottom": "right", "left": "down"},
}
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
TURNS = [(2, seat) for seat in range(2)] + [(4, seat) for seat in range(4)]


def card(name="Sentry", top=5, right=5, bottom=5, left=5):
    return tactics_card(name, top, right, bottom, left)


def position(players=2, to_move=0, hands=None, decks=None, **cells):
    """A position with cards on cells, each a (seat, card) pair; hands and what is left of the decks by seat."""
    hands, left = hands or {}, decks or {}
    table = TABLES[players]
    grid, held, drawn, owned, offset = [EMPTY] * len(table.board.cells), [], [], [], 0
    for seat in range(players):
        on_board = [(cell, one) for cell, (owner, one) in cells.items() if owner == seat]
        in_hand = hands.get(seat, [])
        for number, (cell, _) in enumerate(on_board):
            grid[table.places[cell]] = offset + number
        held.append(tuple(range(offset + len(on_board), offset + len(on_board) + len(in_hand))))
        drawn.append(len(on_board) + len(in_hand))
        owned.append((*[one for _, one in on_board], *in_hand, *left.get(seat, [])))
        offset += len(owned[-1])
    setup = TacticsSetup(NAMES[:players], 0, tuple(owned))
    return TacticsState(setup, tuple(grid), tuple(held), tuple(drawn), to_move, ((),) * players)


def deal(decks=None, players=2, seed=1, **more):
    rng = random.Random(seed)
    return TACTICS.deal(NAMES[:players], decks or [random_side_deck(rng) for _ in range(players)], Dice(seed), **more)


def played(seed, players=2, size=18):
    """A random game to its end."""
    rng = random.Random(seed)
    setup = deal([random_side_deck(rng, size) for _ in range(players)], players, seed)
    state, moves = setup.start(), []
    while legal := state.legal_moves():
        moves.append(rng.choice(legal))
        state = state.play_unchecked(moves[-1])
    return Record(setup, tuple(moves), result=state.scores()), state


def names(cards):
    return [one.name if one else None for one in cards]


# Setup


@pytest.mark.parametrize(("players", "cells"), [(2, 9), (4, 16)])
def test_two_play_on_three_by_three_and_four_on_four_by_four(players, cells):
    assert len(deal(players=players).start().grid) == cells


def test_three_may_not_play():
    with pytest.raises(EngineError, match="tactics is for 2 or 4 players, not 3"):
        deal(players=3)


@pytest.mark.parametrize("size", [3, 18, 60, LARGEST_DECK])
def test_a_deck_has_any_size_from_three(size):
    decks = [[card(f"Sentry {number}") for number in range(size)]] * 2
    assert [len(deck) for deck in deal(decks).decks] == [size, size]


@pytest.mark.parametrize("size", [0, 2, LARGEST_DECK + 1])
def test_a_deck_is_not_smaller_and_not_endless(size):
    with pytest.raises(EngineError, match=f"a deck has 3 to 1000 cards, not {size}"):
        deal([[card()] * size, [card()] * 3])


def test_every_player_has_a_deck():
    with pytest.raises(EngineError, match="a deck for each player: 2, not 1"):
        deal([[card()] * 3])


def test_decks_are_shuffled_and_the_first_three_cards_are_the_hand():
    deck = [card(f"Sentry {number}") for number in range(18)]
    setups = [deal([deck, deck], seed=seed) for seed in range(40)]
    assert len({setup.decks for setup in setups}) == 40
    assert {setup.first for setup in setups} == {0, 1}
    for setup in setups:
        assert sorted(names(setup.decks[0])) == sorted(names(deck))
        state = setup.start()
        assert [state.hand(seat) for seat in (0, 1)] == [dealt[:3] for dealt in setup.decks]
        assert (state.deck_left(0), state.deck_left(1)) == (15, 15)


def test_the_decks_may_be_of_different_sizes():
    setup = deal([[card()] * 3, [card()] * 7])
    assert [setup.start().deck_left(seat) for seat in (0, 1)] == [0, 4]


def test_who_starts_may_be_said_and_the_same_seed_deals_the_same():
    assert deal(first=1).start().to_move == 1
    assert deal(seed=7) == deal(seed=7)


def test_the_game_has_no_options():
    with pytest.raises(EngineError, match='no option "life"'):
        deal(options={"life": 20})


def test_a_card_has_a_number_on_every_side():
    lacking = Card(id="", game="", name="Half", zones={"top": 1, "left": 2, "top-left": 3}, score=6)
    with pytest.raises(EngineError, match='"Half" has no number at its right and bottom'):
        deal([[lacking] * 3, [card()] * 3])


def test_different_cards_of_one_name_in_one_deck_are_numbered_and_copies_are_not():
    setup = deal([[card("Twin"), card("Twin"), card("Twin", top=6)], [card("Twin", top=7)] * 3])
    assert sorted(names(setup.decks[0])) in (["Twin", "Twin", "Twin #2"], ["Twin", "Twin #2", "Twin #2"])
    assert names(setup.decks[1]) == ["Twin"] * 3


# Who sits where, and how the cards lie


def test_the_seats_go_clockwise_around_the_table():
    state = position(4, hands={seat: [card(f"Card {seat}")] for seat in range(4)})
    seats = []
    for cell in ("a1", "d1", "a4", "d4"):
        seats.append(SEATS[4][state.to_move])
        state = play(state, f"Card {state.to_move}@{cell}")
    assert seats == ["south", "west", "north", "east"]


@pytest.mark.parametrize(("players", "seat"), TURNS)
@pytest.mark.parametrize("side", SIDES)
def test_each_side_of_a_played_card_meets_the_cell_it_faces_on_the_table(players, seat, side):
    """A card with one 9 and else 0 takes a 5 only where its 9 faces, wherever the 5 lies."""
    lance = card("Lance", **{**dict.fromkeys(SIDES, 0), side: 9})
    for direction, cell in BESIDE.items():
        state = position(players, seat, hands={seat: [lance]}, **{cell: ((seat + 1) % players, card())})
        taken = play(state, "Lance@b2").cards_captured(seat)
        assert (len(taken) == 1) is (FACES[SEATS[players][seat]][side] == direction)


@pytest.mark.parametrize(("players", "seat"), TURNS)
@pytest.mark.parametrize("side", SIDES)
def test_the_number_that_touches_defends(players, seat, side):
    """A card with one 4 and else 9 is taken by a 5 only from where its 4 faces."""
    weak = card("Weak", **{**dict.fromkeys(SIDES, 9), side: 4})
    mover = (seat + 1) % players
    for direction, cell in BESIDE.items():
        state = position(players, mover, hands={mover: [card("Mover")]}, **{cell: (seat, weak)})
        taken = play(state, "Mover@b2").cards_captured(mover)
        assert (len(taken) == 1) is (OPPOSITE[FACES[SEATS[players][seat]][side]] == direction)


def test_souths_top_meets_norths_top():
    state = position(hands={0: [card("South", top=7)]}, b1=(1, card("North", top=6, bottom=9)))
    assert play(state, "South@b2").scores() == (4, 0)
    state = position(hands={0: [card("South", top=7)]}, b1=(1, card("North", top=8, bottom=0)))
    assert play(state, "South@b2").scores() == (3, 2)


def test_wests_top_meets_easts_top():
    state = position(4, to_move=1, hands={1: [card("West", top=7)]}, c2=(3, card("East", top=6, left=9)))
    assert names(play(state, "West@b2").cards_captured(1)) == ["East"]


@pytest.mark.parametrize(("players", "seat"), TURNS)
def test_a_picture_of_the_table_shows_the_turned_numbers(players, seat):
    numbers = dict(zip(SIDES, (1, 2, 3, 4), strict=True))
    state = position(players, a1=(seat, card("Turned", **numbers)))
    directions = {"up": "top", "right": "right", "down": "bottom", "left": "left"}
    faces = FACES[SEATS[players][seat]]
    assert state.lying_on("a1") == {directions[faces[side]]: number for side, number in numbers.items()}
    assert state.lying_on("b1") == {}


# A turn: play, process, draw


def test_a_turn_puts_a_card_from_hand_on_an_open_cell():
    state = play(position(hands={0: [card("Sentry"), card("Lance")]}), "Lance@c3")
    assert state.card_on("c3") == card("Lance")
    assert state.holder("c3") == 0
    assert names(state.hand(0)) == ["Sentry"]


def around(seat, numbers):
    """Opponents' cards on all four sides of b2, of which each meets the mover's sides in the order given."""
    faces = FACES[SEATS[2][seat]]
    cells = {}
    for side, number in zip(SIDES, numbers, strict=True):
        cells[BESIDE[faces[side]]] = (1 - seat, card(f"At {side}", *[number] * 4))
    return cells


PROCESSING = [
    ((4, 4, 4, 4), ["top", "right", "bottom", "left"]),
    ((4, 5, 4, 4), ["top", "bottom", "left"]),
    ((5, 5, 5, 5), []),
    ((5, 5, 5, 4), ["left"]),
    ((6, 4, 4, 4), []),
    ((4, 6, 4, 4), ["top"]),
    ((4, 4, 6, 4), ["top", "right"]),
    ((4, 5, 4, 6), ["top", "bottom"]),
]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("numbers", "captured"), PROCESSING)
def test_top_right_bottom_left_in_that_order_higher_captures_equal_goes_on_lower_stops(seat, numbers, captured):
    state = play(position(2, seat, hands={seat: [card("Mover")]}, **around(seat, numbers)), "Mover@b2")
    assert names(state.cards_captured(seat)) == [f"At {side}" for side in captured]


def test_a_lower_number_leaves_the_played_card_on_the_board():
    state = play(position(hands={0: [card("Mover")]}, **around(0, (6, 4, 4, 4))), "Mover@b2")
    assert state.card_on("b2") == card("Mover")


def test_empty_cells_the_rim_and_ones_own_cards_are_skipped():
    own, prize = card("Own", 10, 10, 10, 10), card("Prize", 0, 0, 0, 0)
    mover = card("Mover", 0, 0, 0, 1)
    state = play(position(hands={0: [mover]}, c2=(0, own), b3=(1, prize)), "Mover@c3")
    assert names(state.cards_captured(0)) == ["Prize"]
    assert state.card_on("c2") == own


def test_a_captured_card_leaves_the_board_its_cell_is_open_and_the_captor_keeps_it():
    state = play(position(hands={0: [card("Mover")], 1: [card("Next")]}, b1=(1, card("Weak", top=4))), "Mover@b2")
    assert state.card_on("b1") is None
    assert state.holder("b1") is None
    assert names(state.cards_captured(0)) == ["Weak"]
    assert "Next@b1" in state.legal_moves()


def test_captured_cards_do_not_capture_and_a_card_is_processed_only_when_played():
    state = play(position(hands={0: [card("Low", 0, 0, 0, 0)]}, b1=(1, card("High", 9, 9, 9, 9))), "Low@b2")
    assert state.card_on("b2") is not None
    assert state.cards_captured(1) == ()


def test_then_one_card_is_drawn_from_the_top_of_the_deck():
    decks = {0: [card("Top"), card("Below")]}
    state = play(position(hands={0: [card("Mover"), card("Kept")]}, decks=decks), "Mover@b2")
    assert names(state.hand(0)) == ["Kept", "Top"]
    assert state.deck_left(0) == 1


def test_from_an_empty_deck_nothing_is_drawn():
    state = play(position(hands={0: [card("Mover"), card("Kept")]}), "Mover@b2")
    assert names(state.hand(0)) == ["Kept"]


def test_a_player_without_cards_in_hand_is_skipped():
    state = position(4, hands={0: [card("A1"), card("A2")], 2: [card("C1"), card("C2")]})
    seats = []
    for cell in ("a1", "d1", "a4", "d4"):
        seats.append(state.to_move)
        state = play(state, f"{state.hand(state.to_move)[0].name}@{cell}")
    assert seats == [0, 2, 0, 2]


def test_the_last_one_with_cards_goes_on_alone():
    state = play(play(position(hands={0: [card("A1"), card("A2"), card("A3")]}), "A1@a1"), "A2@b1")
    assert state.to_move == 0
    assert state.ending() is None


# The end and the score


def test_the_game_ends_when_no_cell_is_empty():
    cells = {cell: (0, card(f"On {cell}")) for cell in TABLES[2].board.cells[:-1]}
    state = position(hands={0: [card("Last"), card("Left")], 1: [card("Other")]}, **cells)
    assert state.ending() is None
    over = play(state, "Last@c3")
    assert over.ending() == Ending("board-full", "every cell is taken")
    assert over.legal_moves() == ()
    with pytest.raises(IllegalMoveError, match="the game is over: every cell is taken"):
        play(over, "Other@c3")


def test_a_full_board_is_judged_after_processing():
    cells = {cell: (1, card(f"On {cell}", 0, 0, 0, 0)) for cell in TABLES[2].board.cells[:-1]}
    state = play(position(hands={0: [card("Last")], 1: [card("Other")]}, **cells), "Last@c3")
    assert state.ending() is None
    assert state.legal_moves() == ("Other@b3", "Other@c2")


def test_the_game_ends_when_nobody_has_a_card_in_hand():
    state = play(position(hands={0: [card("Only")]}), "Only@b2")
    assert state.ending() == Ending("no-cards", "nobody has a card left")
    assert state.outcome().scores == (3, 0)


@pytest.mark.parametrize(
    ("players", "points"),
    [(2, "121 232 121"), (4, "1221 2332 2332 1221")],
)
def test_a_corner_is_worth_1_a_side_cell_2_a_centre_cell_3(players, points):
    table = TABLES[players]
    found = {cell: position(players, **{cell: (1, card())}).scores() for cell in table.board.cells}
    assert [score[1] for score in found.values()] == [int(digit) for digit in points.replace(" ", "")]
    assert all(sum(score) == score[1] for score in found.values())


def test_each_captured_card_is_worth_1():
    state = position(hands={0: [card("Mover")]}, **around(0, (4, 4, 4, 4)))
    assert state.scores() == (0, 8)
    assert play(state, "Mover@b2").scores() == (3 + 4, 0)


def test_the_highest_score_wins_and_equal_is_a_draw():
    won = play(position(hands={0: [card("Only")]}, a1=(1, card("Other"))), "Only@b2").outcome()
    assert (won.scores, won.winner) == ((3, 1), 0)
    drawn = play(position(hands={0: [card("Only")]}, a1=(1, card("Other"))), "Only@c3").outcome()
    assert (drawn.scores, drawn.winner, drawn.leaders) == ((1, 1), None, (0, 1))


# Moves as written and as typed


def test_copies_of_one_card_make_one_move_for_each_cell():
    moves = position(hands={0: [card("Twin"), card("Twin")]}).legal_moves()
    assert moves == tuple(f"Twin@{cell}" for cell in ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"))


@pytest.mark.parametrize("name", ["@", "a@b2", "Gate Warden", " lead and trail ", "[/red]", "\x1b[2J", "Été", "x\ny"])
def test_a_card_may_have_any_name(name):
    state = position(hands={0: [card(name)]})
    assert f"{name}@b2" in state.legal_moves()
    assert read_move(state, f"{name}@b2") == f"{name}@b2"
    assert play(state, f"{name}@b2").card_on("b2").name == name


def test_the_last_at_sign_divides_name_and_cell():
    state = position(hands={0: [card("Gate@b1"), card("Gate")]})
    assert names(play(state, "Gate@b1@b2").hand(0)) == ["Gate"]
    assert names(play(state, "Gate@b1").hand(0)) == ["Gate@b1"]


@pytest.mark.parametrize("move", ["", "b2", "Gate", "Gate@", "@b2", " @b2", "Gate@d4", "Gate@B2", "Gate@b2 "])
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like Gate Warden@b2"):
        play(position(hands={0: [card("Gate")]}), move)


def test_an_illegal_move_is_explained():
    state = position(hands={0: [card("Gate"), card("Wall")]}, b2=(1, card("Other")))
    with pytest.raises(IllegalMoveError) as caught:
        play(state, "Gate@b2")
    assert caught.value.reason == 'b2 is taken, by a card of "Bob"'
    with pytest.raises(IllegalMoveError) as caught:
        play(state, "Tower@a1")
    assert caught.value.reason == '"Ann" has no "Tower" in hand, but "Gate", "Wall"'


@pytest.mark.parametrize(
    "text",
    [
        "Gate Warden@b2",
        "gate warden b2",
        "gate b2",
        "WARD@B2",
        "gate on b2",
        "gate  @ b2",
        " gate at B2",
        "gate onto b2",
    ],
)
def test_a_person_may_type_a_move_loosely(text):
    assert read_move(position(hands={0: [card("Gate Warden"), card("Wall")]}), text) == "Gate Warden@b2"


def test_a_card_or_a_cell_alone_is_enough_where_nothing_else_can_be_meant():
    only = position(hands={0: [card("Gate Warden")]})
    assert read_move(only, "b2") == "Gate Warden@b2"
    cells = {cell: (1, card(f"On {cell}")) for cell in TABLES[2].board.cells[1:]}
    assert read_move(position(hands={0: [card("Gate"), card("Wall")]}, **cells), "wall") == "Wall@a1"


def test_the_whole_name_goes_before_its_beginning():
    state = position(hands={0: [card("Gate"), card("Gate Warden")]})
    assert read_move(state, "gate b2") == "Gate@b2"
    with pytest.raises(AmbiguousMoveError, match="Gate@b2 or Gate Warden@b2: say which"):
        read_move(state, "ga b2")


def test_a_typed_card_that_is_not_in_hand_is_said_so():
    state = position(hands={0: [card("Gate")]}, b2=(1, card("Other")))
    with pytest.raises(IllegalMoveError, match='"Ann" has no "tower" in hand'):
        read_move(state, "tower b1")
    with pytest.raises(IllegalMoveError, match="b2 is taken"):
        read_move(state, "gate b2")


@pytest.mark.parametrize("text", ["", "  ", "tower", "gate z9", "\x1b[2J", "a " * 10_000])
def test_a_typed_text_that_is_no_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(position(hands={0: [card("Gate"), card("Wall")]}), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)


# What a seat may see


def test_a_seat_sees_its_own_hand_and_the_board_and_nothing_else():
    state = deal(players=4).start()
    rng = random.Random(4)
    for _ in range(6):
        state = play(state, rng.choice(state.legal_moves()))
    for seat in range(4):
        view = state.view(seat)
        assert view.hand(seat) == state.hand(seat)
        assert all(view.card_on(cell) == state.card_on(cell) for cell in state.table.board.cells)
        assert [view.cards_captured(one) for one in range(4)] == [state.cards_captured(one) for one in range(4)]
        assert view.scores() == state.scores()
        for other in {0, 1, 2, 3} - {seat}:
            assert view.hand(other) == (None,) * len(state.hand(other))
        seen = {one for one in view.setup.cards if one}
        lay = {state.setup.cards[one] for one in state.grid if one != EMPTY}
        assert seen == lay.union(state.hand(seat), *(state.cards_captured(one) for one in range(4)))
        assert [view.deck_left(one) for one in range(4)] == [state.deck_left(one) for one in range(4)]


def test_drawing_a_card_or_playing_one_that_a_view_hides_is_an_error():
    state = deal(first=0).start()
    with pytest.raises(UnknownCardError):
        play(state.view(0), state.legal_moves()[0])
    with pytest.raises(UnknownCardError):
        state.view(1).play_unchecked(state.legal_moves()[0])
    with pytest.raises(UnknownCardError):
        state.view(1).setup.to_table()


def test_a_move_is_worth_ten_a_point_less_what_its_weakest_open_side_may_lose():
    """A corner is worth 1, a side 2, the centre 3; a card captured 1 and its cell; only sides that face cells count."""
    hands = {0: [card("Lance", 7, 4, 2, 9)], 1: [card("Other")]}
    empty = position(hands=hands)
    assert TACTICS.heuristic(empty, "Lance@b2") == 10 * 3 - (1 + 3) * (10 - 2)
    assert TACTICS.heuristic(empty, "Lance@b1") == 10 * 2 - (1 + 2) * (10 - 2)
    assert TACTICS.heuristic(empty, "Lance@c3") == 10 * 1 - (1 + 1) * (10 - 7)
    assert TACTICS.heuristic(empty, "Lance@a3") == 10 * 1 - (1 + 1) * (10 - 4)
    held = position(hands=hands, b3=(0, card("Own", 9, 9, 9, 9)), c2=(1, card("Strong", 9, 9, 9, 9)))
    assert TACTICS.heuristic(held, "Lance@b2") == 10 * 3 - (1 + 3) * (10 - 7)
    won = position(hands=hands, b1=(1, card("Weak", 1, 1, 1, 1)), b3=(0, card("Own")), c2=(0, card("Mine")))
    assert TACTICS.heuristic(won, "Lance@b2") == 10 * (3 + 1 + 2) - (1 + 3) * (10 - 7)


def test_greedy_prefers_points_and_then_the_safer_card():
    hands = {0: [card("Open", 1, 1, 1, 1), card("Safe", 9, 9, 9, 9)], 1: [card("Other")]}
    assert choose_move(find_player("greedy"), position(hands=hands), Dice(1)) == "Safe@b2"
    strike = position(hands=hands, a2=(1, card("Weak", 2, 2, 2, 2)), b3=(1, card("Strong", 9, 9, 9, 9)))
    assert (
        TACTICS.heuristic(strike, "Safe@b2")
        > TACTICS.heuristic(strike, "Safe@a1")
        > TACTICS.heuristic(strike, "Open@a1")
    )


def test_greedy_beats_random():
    policies, wins = [find_player("greedy"), find_player("random")], 0
    for seed in range(60):
        state, dice = deal(seed=seed).start(), Dice(seed)
        while state.legal_moves():
            state = state.play_unchecked(choose_move(policies[(state.to_move + seed) % 2], state, dice))
        wins += state.outcome().winner == seed % 2
    assert wins > 50


# Cards and decks out of other cards


def test_rows_of_names_and_numbers_become_cards():
    cards = tactics_cards([("Geezard", 1, 4, 1, 5), ("Squall", 10, 4, 6, 9)])
    assert [(one.name, sides(one), one.score) for one in cards] == [
        ("Geezard", (1, 4, 1, 5), 11),
        ("Squall", (10, 4, 6, 9), 29),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [((" ", 1, 1, 1, 1), "name: is empty"), (("A", 1, 11, 1, 1), "right: must be 0 to 10, not 11")],
)
def test_a_row_that_is_no_card_is_refused_with_its_place(row, message):
    with pytest.raises(RecordError, match=re.escape(f"[1].{message}")):
        tactics_cards([("Good", 1, 1, 1, 1), row])


def test_a_deck_is_drawn_of_different_cards_with_a_number_on_every_side():
    rng = random.Random(3)
    usable = [random_tactics_card(rng) for _ in range(30)]
    others = [Card(id="", game="", name="Flat", zones={"top": 1}, score=1)] * 50
    [deck] = TacticsDecks().drawn([*others, *usable], 1, {})(Dice(1))
    assert len(deck) == len(set(map(id, deck))) == 18
    assert set(deck) <= {as_tactics_card(one) for one in usable}
    with pytest.raises(TooFewCardsError) as caught:
        TacticsDecks().drawn([*others, *usable[:17]], 1, {})
    assert str(caught.value) == "a deck takes 18 cards with a number on every side, and there are 17"


# Records


def read(setup, players=("Ann", "Bob"), lookup=None):
    TACTICS.setup_schema(setup)
    return TACTICS.read_setup(setup, players, 0, *([lookup] if lookup else []))


def rows(count=3, **changes):
    return [{"name": f"Sentry {n}", "top": 1, "right": 2, "bottom": 3, "left": 4, **changes} for n in range(count)]


@pytest.mark.parametrize(
    ("decks", "where", "message"),
    [
        ({"Ann": rows()}, "decks.Bob", "is missing: every player has a deck"),
        ({"Ann": rows(), "Bob": rows(), "Cid": rows()}, "decks.Cid", "is not one of the players"),
        ({"Ann": rows(2), "Bob": rows()}, "decks.Ann", "a deck has 3 to 1000 cards, not 2"),
        ({"Ann": rows(), "Bob": rows(1001)}, "decks.Bob", "a deck has 3 to 1000 cards, not 1001"),
        ({"Ann": rows(left=11), "Bob": rows()}, "decks.Ann[0].left", "must be 0 to 10, not 11"),
        ({"Ann": rows(), "Bob": rows(top=-1)}, "decks.Bob[0].top", "must be 0 to 10, not -1"),
        ({"Ann": rows(name=""), "Bob": rows()}, "decks.Ann[0].name", "is empty: a move names its card"),
        ({"Ann": rows(power=1), "Bob": rows()}, "decks.Ann[0].power", "unknown key"),
        ({"Ann": rows(top="A"), "Bob": rows()}, "decks.Ann[0].top", "must be a whole number"),
        ({"Ann": [{"name": "A"}], "Bob": rows()}, "decks.Ann[0].top", "is missing"),
        ({"Ann": ["Sentry"] * 3, "Bob": rows()}, "decks.Ann[0]", "there is no catalogue"),
    ],
)
def test_a_setup_is_refused_with_its_place(decks, where, message):
    with pytest.raises(RecordError) as caught:
        read({"decks": decks})
    assert caught.value.where == where
    assert message in caught.value.message


def test_a_card_may_be_looked_up_and_needs_a_number_on_every_side():
    found = {
        "tt:1": Card(id="tt:1", game="tt", name="Geezard", zones=dict(zip(SIDES, (1, 4, 1, 5), strict=True)), score=11),
        "flat": Card(id="flat", game="tt", name="Flat", zones={"top": 1}, score=1),
    }

    def lookup(wanted):
        if wanted not in found:
            raise CatalogError(f"there is no {wanted}")
        return found[wanted]

    setup = read({"decks": {"Ann": ["tt:1", *rows(2)], "Bob": rows()}}, lookup=lookup)
    assert sides(setup.decks[0][0]) == (1, 4, 1, 5)
    for bad, message in (("flat", "no number at its right and bottom and left"), ("none", "there is no none")):
        with pytest.raises(RecordError, match=message) as caught:
            read({"decks": {"Ann": rows(), "Bob": [*rows(2), bad]}}, lookup=lookup)
        assert caught.value.where == "decks.Bob[2]"


def test_a_record_is_written_one_card_a_line():
    record, _ = played(1)
    assert re.search(
        r'\[setup\]\n\[setup\.decks\]\nAnn = \[\n  \{ name = "[^"]+", top = \d+, right = \d', record.to_toml()
    )


def test_200_random_games_replay_from_both_spellings_to_the_same_scores():
    for seed in range(200):
        record, final = played(seed, 4 if seed % 8 == 0 else 2, 3 + seed % 9)
        for document in (
            codecs.parse_toml(record.to_toml().encode()),
            codecs.parse_json(record.to_json_line().encode()),
        ):
            reading = read_document(document)
            assert reading.require() == record
            assert reading.state == final
            assert reading.state.scores() == record.result


def test_a_damaged_record_is_refused_with_the_right_place():
    record, _ = played(3)
    document = json.loads(record.to_json_line())
    document["moves"][4] = document["moves"][3]
    error = read_document(document).error
    assert error.where.startswith("moves[4] ")
    document = json.loads(record.to_json_line()) | {"result": {"scores": {"Ann": 999, "Bob": record.result[1]}}}
    assert read_document(document).error.where == "result.scores.Ann"


# Who recorded only the end


def ending(tmp_path, text):
    file = tmp_path / "end.toml"
    file.write_text(f'game = "tactics"\n{text}')
    return read_ending(file)


def test_the_final_board_and_captures_are_enough_for_the_score(tmp_path):
    board = 'board = ["Ann", "Bob", "Ann", "", "Ann", "Bob", "Bob", "Bob", "Ann"]\n'
    read = ending(tmp_path, board + "[captures]\nAnn = 2\nBob = 4\n")
    assert read.error is None
    assert dict(read.scores) == {"Ann": 1 + 1 + 3 + 1 + 2, "Bob": 2 + 2 + 1 + 2 + 4}


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ('board = [""]\n[captures]\nAnn = 1\nBob = 1', "board", "of 2 players has 9 cells, not 1"),
        ("board = []\n[captures]\nAnn = 1", "captures", "for 2 or 4 players, not 1"),
        (f"board = {[''] * 9}\n[captures]\nAnn = 1\nBob = -1", "captures.Bob", "cannot be -1"),
        (f"board = {[''] * 8 + ['Cid']}\n[captures]\nAnn = 1\nBob = 1", "board[8]", '"Cid" is not one of the players'),
        ("[captures]\nAnn = 1\nBob = 1", "board", "is missing"),
    ],
)
def test_an_ending_that_cannot_be_is_refused_with_its_place(tmp_path, text, where, message):
    error = ending(tmp_path, text).error
    assert error.where == where
    assert message in error.message


# Properties


seeds, player_counts = st.integers(0, 2**32), st.sampled_from([2, 4])


@given(seeds, player_counts, st.integers(3, 20), st.sampled_from([(0, 1), (0, 10), (4, 5)]))
def test_the_game_is_the_same_as_by_a_naive_reading_of_the_rules(seed, players, size, values):
    rng = random.Random(seed)
    decks = [[random_tactics_card(rng, *values) for _ in range(rng.randint(3, size))] for _ in range(players)]
    setup = deal(decks, players, seed)
    state, naive = setup.start(), naive_tactics.start_of(setup)
    while True:
        assert list(state.legal_moves()) == naive_tactics.legal(naive)
        assert list(state.scores()) == naive_tactics.points(naive)
        if not state.legal_moves():
            assert not any(naive["hands"]) or len(naive["board"]) == len(state.grid)
            break
        assert state.to_move == naive["turn"]
        move = rng.choice(state.legal_moves())
        state, naive = play(state, move), naive_tactics.play(naive, move)


def test_the_naive_reading_counts_the_same_tree():
    for name, counts, record in perft_table(TACTICS):
        naive = naive_tactics.start_of(record.setup)
        for move in record.moves:
            naive = naive_tactics.play(naive, move)
        for depth, expected in enumerate(counts[:3], start=1):
            assert naive_tactics.count(naive, depth) == expected, f"{name}, depth {depth}"


@given(seeds, player_counts, st.integers(3, 20))
def test_every_card_is_in_a_deck_a_hand_on_the_board_or_captured_and_scores_add_up(seed, players, size):
    record, _ = played(seed, players, size)
    for ply in record:
        check_conserved(ply.state)
        assert ply.state.outcome() is None
    check_conserved(record.final())


def check_conserved(state):
    setup, start = state.setup, 0
    undrawn = []
    for deck, drawn in zip(setup.decks, state.drawn, strict=True):
        undrawn += range(start + drawn, start + len(deck))
        start += len(deck)
    on_board = [one for one in state.grid if one != EMPTY]
    captured = [one for pile in state.captured for one in pile]
    assert sorted(undrawn + on_board + captured + [one for hand in state.hands for one in hand]) == list(range(start))
    for seat, pile in enumerate(state.captured):
        assert all(setup.owners[one] != seat for one in pile)
    held = sum(value for value, one in zip(state.table.values, state.grid, strict=True) if one != EMPTY)
    assert sum(state.scores()) == len(captured) + held


@given(seeds, player_counts, st.text(max_size=8), st.sampled_from(["a1", "B2", "d4", ""]))
def test_any_text_is_a_legal_move_or_one_of_the_move_errors(seed, players, text, cell):
    state = deal(players=players, seed=seed).start()
    for door in (play, read_move):
        with suppress(MoveError):
            door(state, f"{text}@{cell}")
        with suppress(MoveError):
            door(state, f"{text}{cell}")


@given(seeds, player_counts)
def test_a_view_leads_to_the_same_choice_whatever_is_hidden(seed, players):
    """Another order of what a seat cannot see changes nothing that it sees."""
    state = deal(players=players, seed=seed).start()
    seat = state.to_move
    decks = [list(deck) for deck in state.setup.decks]
    for one, deck in enumerate(decks):
        hidden = deck[3:] if one == seat else deck
        random.Random(seed).shuffle(hidden)
        decks[one] = [*deck[:3], *hidden] if one == seat else hidden
    other = TacticsSetup(state.players, state.setup.first, tuple(map(tuple, decks))).start()
    assert state.view(seat) == other.view(seat)
