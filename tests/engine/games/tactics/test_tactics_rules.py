"""Tests of the rules of tactics, sentence by sentence as in RULES.md, and of how moves are written and explained."""

import pytest
from tactics_positions import FACES, NEIGHBOUR_OF_B2, SEATS, SIDES, TACTICS, card, deal, names, position

from ccgrid.catalog.card import Card
from ccgrid.engine.errors import (
    AmbiguousMoveError,
    EngineError,
    IllegalMoveError,
    MalformedMoveError,
)
from ccgrid.engine.game import Ending
from ccgrid.engine.games.tactics.decks import SIZES
from ccgrid.engine.games.tactics.rules import TABLES
from ccgrid.engine.notation import play, read_move

OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
TURNS = [(2, seat) for seat in range(2)] + [(4, seat) for seat in range(4)]


# Setup
@pytest.mark.parametrize(("players", "cells"), [(2, 9), (4, 16)])
def test_two_players_use_three_by_three_cells_and_four_use_four_by_four(players, cells):
    assert len(deal(players=players).start().grid) == cells


def test_three_players_are_rejected():
    with pytest.raises(EngineError, match="tactics is for 2 or 4 players, not 3"):
        deal(players=3)


@pytest.mark.parametrize("size", [3, 18, 60, SIZES[-1]])
def test_deck_may_have_three_or_more_cards(size):
    decks = [[card(f"Sentry {number}") for number in range(size)]] * 2
    assert [len(deck) for deck in deal(decks).decks] == [size, size]


@pytest.mark.parametrize("size", [0, 2, SIZES[-1] + 1])
def test_deck_size_is_limited(size):
    with pytest.raises(EngineError, match=f"a deck has 3 to 1000 cards, not {size}"):
        deal([[card()] * size, [card()] * 3])


def test_every_player_has_a_deck():
    with pytest.raises(EngineError, match="a deck for each player, 2 here, not 1"):
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


def test_starting_player_may_be_given_and_deals_are_reproducible():
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


# The seats, and the orientation of cards
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
    """Play a card with one 9 and else 0, which captures a 5 only on the cell that its 9 faces."""
    lance = card("Lance", **{**dict.fromkeys(SIDES, 0), side: 9})
    for direction, cell in NEIGHBOUR_OF_B2.items():
        state = position(players, seat, hands={seat: [lance]}, **{cell: ((seat + 1) % players, card())})
        taken = play(state, "Lance@b2").cards_captured(seat)
        assert (len(taken) == 1) is (FACES[SEATS[players][seat]][side] == direction)


@pytest.mark.parametrize(("players", "seat"), TURNS)
@pytest.mark.parametrize("side", SIDES)
def test_adjacent_number_defends(players, seat, side):
    """Attack a card with one 4 and else 9, which a 5 captures only from the cell that its 4 faces."""
    weak = card("Weak", **{**dict.fromkeys(SIDES, 9), side: 4})
    mover = (seat + 1) % players
    for direction, cell in NEIGHBOUR_OF_B2.items():
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
def test_picture_shows_the_turned_numbers(players, seat):
    numbers = dict(zip(SIDES, (1, 2, 3, 4), strict=True))
    state = position(players, a1=(seat, card("Turned", **numbers)))
    directions = {"up": "top", "right": "right", "down": "bottom", "left": "left"}
    faces = FACES[SEATS[players][seat]]
    assert state.lying_on("a1") == {directions[faces[side]]: number for side, number in numbers.items()}
    assert state.lying_on("b1") == {}


# --- Notation, typed moves and explanations -------------------------------------------------------------------------


# Notation and typed moves
def test_copies_of_one_card_have_one_move_per_cell():
    moves = position(hands={0: [card("Twin"), card("Twin")]}).legal_moves()
    assert moves == tuple(f"Twin@{cell}" for cell in ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"))


@pytest.mark.parametrize("name", ["@", "a@b2", "Gate Warden", " lead and trail ", "[/red]", "\x1b[2J", "Été", "x\ny"])
def test_a_card_may_have_any_name(name):
    state = position(hands={0: [card(name)]})
    assert f"{name}@b2" in state.legal_moves()
    assert read_move(state, f"{name}@b2") == f"{name}@b2"
    assert play(state, f"{name}@b2").card_on("b2").name == name


def test_last_at_sign_separates_name_and_cell():
    state = position(hands={0: [card("Gate@b1"), card("Gate")]})
    assert names(play(state, "Gate@b1@b2").hand(0)) == ["Gate"]
    assert names(play(state, "Gate@b1").hand(0)) == ["Gate@b1"]


@pytest.mark.parametrize("move", ["", "b2", "Gate", "Gate@", "@b2", " @b2", "Gate@d4", "Gate@B2", "Gate@b2 "])
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like Gate Warden@b2"):
        play(position(hands={0: [card("Gate")]}), move)


def test_illegal_move_is_explained():
    state = position(hands={0: [card("Gate"), card("Wall")]}, b2=(1, card("Other")))
    with pytest.raises(IllegalMoveError) as caught:
        play(state, "Gate@b2")
    assert caught.value.reason == 'b2 is taken, by a card of "Bob"'
    with pytest.raises(IllegalMoveError) as caught:
        play(state, "Tower@a1")
    assert caught.value.reason == '"Ann" has no "Tower" in hand, only "Gate", "Wall"'


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
def test_typed_moves_may_be_informal(text):
    assert read_move(position(hands={0: [card("Gate Warden"), card("Wall")]}), text) == "Gate Warden@b2"


def test_unique_card_or_cell_alone_is_a_move():
    only = position(hands={0: [card("Gate Warden")]})
    assert read_move(only, "b2") == "Gate Warden@b2"
    cells = {cell: (1, card(f"On {cell}")) for cell in TABLES[2].board.cells[1:]}
    assert read_move(position(hands={0: [card("Gate"), card("Wall")]}, **cells), "wall") == "Wall@a1"


def test_complete_name_is_preferred_to_longer_names():
    state = position(hands={0: [card("Gate"), card("Gate Warden")]})
    assert read_move(state, "gate b2") == "Gate@b2"
    with pytest.raises(AmbiguousMoveError, match="Gate@b2 or Gate Warden@b2: say which"):
        read_move(state, "ga b2")


def test_typed_card_not_in_hand_is_reported():
    state = position(hands={0: [card("Gate")]}, b2=(1, card("Other")))
    with pytest.raises(IllegalMoveError, match='"Ann" has no "tower" in hand'):
        read_move(state, "tower b1")
    with pytest.raises(IllegalMoveError, match="b2 is taken"):
        read_move(state, "gate b2")


@pytest.mark.parametrize("text", ["", "  ", "tower", "gate z9", "\x1b[2J", "a " * 10_000])
def test_typed_text_without_a_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(position(hands={0: [card("Gate"), card("Wall")]}), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)


# --- Playing, capturing, drawing and the end, sentence by sentence as in RULES.md -----------------------------------


# A turn: play, process, draw
def test_turn_places_a_card_from_hand_on_an_open_cell():
    state = play(position(hands={0: [card("Sentry"), card("Lance")]}), "Lance@c3")
    assert state.card_on("c3") == card("Lance")
    assert state.holder("c3") == 0
    assert names(state.hand(0)) == ["Sentry"]


def opponents_around(seat, numbers):
    """Return opponents' cards on the four sides of b2. Each number faces the given side of the mover's card."""
    faces = FACES[SEATS[2][seat]]
    cells = {}
    for side, number in zip(SIDES, numbers, strict=True):
        cells[NEIGHBOUR_OF_B2[faces[side]]] = (1 - seat, card(f"At {side}", *[number] * 4))
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
def test_sides_are_processed_clockwise_until_a_higher_neighbour(seat, numbers, captured):
    state = play(position(2, seat, hands={seat: [card("Mover")]}, **opponents_around(seat, numbers)), "Mover@b2")
    assert names(state.cards_captured(seat)) == [f"At {side}" for side in captured]


@pytest.mark.parametrize("players", [2, 4])
def test_neighbours_are_captured_on_every_cell(players):
    board = TABLES[players].board
    for cell in board.cells:
        for zone, other in board.neighbours(cell).items():
            hands = {0: [card("Lance", 9, 9, 9, 9)], 1: [card("Other")]}
            captures = position(players, hands=hands, **{other: (1, card())}).captures(f"Lance@{cell}")
            assert captures == ((other,) if zone in ("top", "right", "bottom", "left") else ())


def test_played_card_stays_on_the_board_beside_a_higher_neighbour():
    state = play(position(hands={0: [card("Mover")]}, **opponents_around(0, (6, 4, 4, 4))), "Mover@b2")
    assert state.card_on("b2") == card("Mover")


def test_empty_cells_the_rim_and_own_cards_are_skipped():
    own, prize = card("Own", 10, 10, 10, 10), card("Prize", 0, 0, 0, 0)
    mover = card("Mover", 0, 0, 0, 1)
    state = play(position(hands={0: [mover]}, c2=(0, own), b3=(1, prize)), "Mover@c3")
    assert names(state.cards_captured(0)) == ["Prize"]
    assert state.card_on("c2") == own


def test_captured_card_leaves_the_board_and_goes_to_the_captor():
    state = play(position(hands={0: [card("Mover")], 1: [card("Next")]}, b1=(1, card("Weak", top=4))), "Mover@b2")
    assert state.card_on("b1") is None
    assert state.holder("b1") is None
    assert names(state.cards_captured(0)) == ["Weak"]
    assert "Next@b1" in state.legal_moves()


def test_card_is_processed_only_when_played():
    state = play(position(hands={0: [card("Low", 0, 0, 0, 0)]}, b1=(1, card("High", 9, 9, 9, 9))), "Low@b2")
    assert state.card_on("b2") is not None
    assert state.cards_captured(1) == ()


def test_turn_ends_by_drawing_the_top_card_of_the_deck():
    decks = {0: [card("Top"), card("Below")]}
    state = play(position(hands={0: [card("Mover"), card("Kept")]}, decks=decks), "Mover@b2")
    assert names(state.hand(0)) == ["Kept", "Top"]
    assert state.deck_left(0) == 1


def test_no_card_is_drawn_from_an_empty_deck():
    state = play(position(hands={0: [card("Mover"), card("Kept")]}), "Mover@b2")
    assert names(state.hand(0)) == ["Kept"]


def test_a_player_without_cards_in_hand_is_skipped():
    state = position(4, hands={0: [card("A1"), card("A2")], 2: [card("C1"), card("C2")]})
    seats = []
    for cell in ("a1", "d1", "a4", "d4"):
        seats.append(state.to_move)
        state = play(state, f"{state.hand(state.to_move)[0].name}@{cell}")
    assert seats == [0, 2, 0, 2]


def test_last_player_with_cards_continues_alone():
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


def test_full_board_ends_the_game_only_after_processing():
    cells = {cell: (1, card(f"On {cell}", 0, 0, 0, 0)) for cell in TABLES[2].board.cells[:-1]}
    state = play(position(hands={0: [card("Last")], 1: [card("Other")]}, **cells), "Last@c3")
    assert state.ending() is None
    assert state.legal_moves() == ("Other@b3", "Other@c2")


def test_game_ends_when_all_hands_are_empty():
    state = play(position(hands={0: [card("Only")]}), "Only@b2")
    assert state.ending() == Ending("no-cards", "no player has a card left")
    assert state.outcome().scores == (3, 0)


@pytest.mark.parametrize(
    ("players", "points"),
    [(2, "121 232 121"), (4, "1221 2332 2332 1221")],
)
def test_corner_scores_1_side_cell_2_and_centre_cell_3(players, points):
    table = TABLES[players]
    found = {cell: position(players, **{cell: (1, card())}).scores() for cell in table.board.cells}
    assert [score[1] for score in found.values()] == [int(digit) for digit in points.replace(" ", "")]
    assert all(sum(score) == score[1] for score in found.values())


def test_each_captured_card_is_worth_1():
    state = position(hands={0: [card("Mover")]}, **opponents_around(0, (4, 4, 4, 4)))
    assert state.scores() == (0, 8)
    assert play(state, "Mover@b2").scores() == (3 + 4, 0)


def test_highest_score_wins_and_equal_scores_are_a_draw():
    won = play(position(hands={0: [card("Only")]}, a1=(1, card("Other"))), "Only@b2").outcome()
    assert (won.scores, won.winner) == ((3, 1), 0)
    drawn = play(position(hands={0: [card("Only")]}, a1=(1, card("Other"))), "Only@c3").outcome()
    assert (drawn.scores, drawn.winner, drawn.leaders) == ((1, 1), None, (0, 1))


# --- Heuristic values of moves --------------------------------------------------------------------------------------


def test_side_facing_the_first_cell_is_at_risk():
    state = position(hands={0: [card("Low", 0, 9, 9, 9), card("Left", 9, 9, 9, 1)], 1: [card("Other")]})
    assert TACTICS.heuristic(state, "Low@a2") == 10 * 2 - (1 + 2) * (10 - 0)
    assert TACTICS.heuristic(state, "Left@b1") == 10 * 2 - (1 + 2) * (10 - 1)


def test_card_without_open_neighbours_has_no_risk():
    opponents_around = {cell: (0, card(f"Own {cell}", 9, 9, 9, 9)) for cell in ("a2", "b1", "b3", "c2")}
    state = position(hands={0: [card("Low", 0, 0, 0, 0)], 1: [card("Other")]}, **opponents_around)
    assert TACTICS.heuristic(state, "Low@b2") == 10 * 3
