"""Tests of the grid game, sentence by sentence as in RULES.md, and of how its moves are written and explained."""

import random
from collections import Counter
from contextlib import suppress
from dataclasses import FrozenInstanceError, replace
from itertools import product

import pytest
from grid_deals import GRID, deal
from helpers.made_up import PASSIVE_CARD, card, grid_of, random_deck

from ccgrid.catalog.card import Card
from ccgrid.engine.errors import (
    AmbiguousMoveError,
    EngineError,
    IllegalMoveError,
    MalformedMoveError,
    RecordError,
    UnknownCardError,
)
from ccgrid.engine.game import Ending
from ccgrid.engine.games.grid.moves import BOARD
from ccgrid.engine.games.grid.rules import EMPTY, GridState
from ccgrid.engine.notation import play, read_move


# Deck
@pytest.mark.parametrize("size", [0, 9, 19, 21])
def test_deck_has_exactly_20_cards(size):
    with pytest.raises(EngineError, match="one deck of 20 cards"):
        deal(random_deck(random.Random(1), size))


def test_deck_has_only_legal_cards():
    barred = Card(id="", game="", name="Twin", zones={"top": 1}, score=4, legal=False, reason="multiple-numbers:left")
    with pytest.raises(EngineError, match='"Twin" is not playable: two numbers, left'):
        deal([*random_deck(random.Random(1), 19), barred])


def test_a_card_without_a_number_in_any_zone_is_not_legal():
    with pytest.raises(EngineError, match='"Bare" is not playable: it has no number in any zone'):
        deal([*random_deck(random.Random(1), 19), Card(id="", game="", name="Bare", zones={}, score=4)])


def test_two_copies_of_one_card_are_allowed_and_share_their_name():
    assert {entry.name for entry in deal([card("Copy", top=3)] * 20).cards} == {"Copy"}


def test_different_cards_of_one_name_are_numbered():
    deck = [card("Copy", top=3)] * 18 + [card("Copy", top=4)] * 2
    assert sorted({entry.name for entry in deal(deck).cards}) == ["Copy", "Copy #2"]


# Players
@pytest.mark.parametrize("count", [2, 3, 4])
def test_two_to_four_players_can_play(count):
    assert len(deal(random_deck(random.Random(1)), [f"P{n}" for n in range(count)]).players) == count


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["Ann"], "for 2 to 4 players, not 1"),
        (["A", "B", "C", "D", "E"], "not 5"),
        (["Ann", "Ann"], '"Ann"'),
        (["Ann", " "], "has no name"),
    ],
)
def test_players_are_two_to_four_and_have_different_names(players, message):
    with pytest.raises(EngineError, match=message):
        deal(random_deck(random.Random(1)), players)


def test_players_take_turns_in_seat_order_from_the_starting_player():
    state = grid_of([PASSIVE_CARD] * 11, players=("Ann", "Bob", "Cid"), first=2, a1=card(left=9, right=9))
    seats = [state.to_move]
    for move in ("a1xb1", "b1xa1", "a1xb1"):
        state = play(state, move)
        seats.append(state.to_move)
    assert seats == [2, 0, 1, 2]


# Setup
def test_nine_cards_are_dealt_face_up_row_by_row_and_eleven_are_the_draw_pile():
    setup = deal(random_deck(random.Random(1)))
    state = setup.start()
    assert [state.card_on(cell) for cell in BOARD.cells] == list(setup.cards[:9])
    assert BOARD.cells == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert state.pile == 11


def test_the_cards_are_shuffled_and_the_starting_player_is_random():
    deck = random_deck(random.Random(1))
    setups = [deal(deck, seed=seed) for seed in range(50)]
    assert {setup.first for setup in setups} == {0, 1}
    assert len({setup.cards for setup in setups}) == 50
    assert all(sorted(entry.id for entry in setup.cards) == sorted(entry.id for entry in deck) for setup in setups)


def test_equal_seeds_deal_equal_games():
    deck = random_deck(random.Random(1))
    assert deal(deck, seed=7) == deal(deck, seed=7)
    assert hash(deal(deck, seed=7)) == hash(deal(deck, seed=7))


def test_starting_player_may_be_given():
    assert deal(random_deck(random.Random(1)), first=1).first == 1


def test_the_grid_game_has_no_options():
    with pytest.raises(EngineError, match='no option "life"'):
        deal(random_deck(random.Random(1)), options={"life": 20})


# A move
@pytest.mark.parametrize(
    ("mover", "captured", "taken"),
    [
        ({"bottom_right": 4}, {"top_left": 3}, True),
        ({"bottom_right": 4}, {"top_left": 4}, False),
        ({"bottom_right": 4}, {"top_left": 5}, False),
        ({"bottom_right": 4}, {"bottom_right": 9}, True),
        ({"bottom_right": 0}, {"top": 9}, True),
        ({"bottom_right": 0}, {"top_left": 0}, False),
        ({"right": 10}, {"top_left": 0}, False),
    ],
    ids=["lower", "equal", "higher", "none", "zero-takes-none", "zero-does-not-take-zero", "no-number-to-move-with"],
)
def test_a_card_takes_a_lower_or_missing_number_facing_it(mover, captured, taken):
    assert ("a1xb2" in grid_of(a1=card(**mover), b2=card(**captured)).legal_moves()) is taken


@pytest.mark.parametrize(
    ("move", "zone"),
    [
        ("b2xa1", "top-left"),
        ("b2xb1", "top"),
        ("b2xc1", "top-right"),
        ("b2xa2", "left"),
        ("b2xc2", "right"),
        ("b2xa3", "bottom-left"),
        ("b2xb3", "bottom"),
        ("b2xc3", "bottom-right"),
    ],
)
def test_each_zone_takes_the_neighbour_it_faces_and_no_other(move, zone):
    state = grid_of(b2=card(**{zone: 10}))
    assert [legal for legal in state.legal_moves() if legal.startswith("b2")] == [move]


def test_cards_are_never_turned():
    mover = card("Mover", right=9)
    state = play(grid_of([PASSIVE_CARD], a2=mover, b2=card(left=1)), "a2xb2")
    assert state.card_on("b2") == mover
    assert "b2xc2" in state.legal_moves()


def test_the_taken_card_goes_to_the_movers_pile_and_the_mover_to_its_cell():
    mover, captured = card("Mover", bottom_right=4), card("Captured", top_left=3, score=8)
    state = play(grid_of([card("New", top=1)], first=1, a1=mover, b2=captured), "a1xb2")
    assert state.cards_taken(1) == (captured,)
    assert state.cards_taken(0) == ()
    assert state.card_on("b2") == mover
    assert state.scores() == (0, 8)


def test_the_top_card_of_the_pile_fills_the_cell_the_mover_left():
    new = card("New", top=1)
    state = play(grid_of([new, card("Next", top=2)], a1=card(bottom_right=4)), "a1xb2")
    assert state.card_on("a1") == new
    assert state.pile == 10


def grid_with_an_empty_pile(**cells):
    """Return a position after a card that captures along the first row has emptied the pile."""
    runner = card("Runner", left=9, right=9, bottom=0)
    state = grid_of([PASSIVE_CARD] * 11, a1=runner, **cells)
    for move in ["a1xb1", "b1xa1"] * 5 + ["a1xb1"]:
        state = play(state, move)
    assert state.pile == 0
    return state


def test_cell_stays_empty_if_the_pile_is_empty():
    state = play(grid_with_an_empty_pile(), "b1xc1")
    assert state.card_on("b1") is None
    assert EMPTY in state.grid


def test_an_empty_cell_neither_takes_nor_is_taken():
    state = play(grid_with_an_empty_pile(a3=card(top=0, bottom=0, right=1)), "b1xc1")
    assert state.legal_moves() == ("a3xb3",)
    for move in ("c1xb1", "b1xc1"):
        with pytest.raises(IllegalMoveError) as caught:
            play(state, move)
        assert caught.value.reason == "there is no card on b1"


# The end
def test_game_ends_without_moves_even_with_cards_in_the_pile():
    state = grid_of()
    assert state.legal_moves() == ()
    assert state.ending() == Ending(
        "no-captures", "no card on the grid can take a neighbour, with 11 left in the draw pile"
    )
    assert state.outcome().scores == (0, 0)
    assert state.outcome().winner is None


def test_game_ends_without_moves_and_with_an_empty_pile():
    state = play(grid_with_an_empty_pile(), "b1xc1")
    assert state.legal_moves() == ()
    assert state.ending() == Ending("no-captures", "no card on the grid can take a neighbour")


def test_unfinished_game_has_no_outcome():
    assert grid_of(a1=card(right=1)).outcome() is None


def test_players_may_not_pass():
    state = grid_of(a1=card(right=1))
    for word in ("pass", ""):
        with pytest.raises(MalformedMoveError):
            play(state, word)


def test_each_score_is_the_sum_of_the_scores_of_the_cards_taken_and_the_highest_wins():
    runner, prize = card("Runner", left=1, bottom=0), card("Prize", top=0, bottom=0, score=7)
    state = grid_of([PASSIVE_CARD] * 11, c1=runner, a1=prize)
    state = play(play(state, "c1xb1"), "b1xa1")
    assert state.scores() == (0, 7)
    assert state.outcome().scores == (0, 7)
    assert state.outcome().winner == 1
    assert state.outcome().leaders == (1,)


def test_equal_scores_are_a_draw():
    rng = random.Random(0)
    draws = 0
    for _ in range(300):
        state = deal([card(top=1, left=2, bottom_right=3, score=6)] * 20, seed=rng.randrange(1 << 30)).start()
        while moves := state.legal_moves():
            state = play(state, rng.choice(moves))
        outcome = state.outcome()
        assert (outcome.winner is None) is (outcome.scores[0] == outcome.scores[1])
        if outcome.winner is not None:
            assert outcome.leaders == (outcome.winner,)
            assert outcome.scores[outcome.winner] == max(outcome.scores)
        else:
            assert outcome.leaders == (0, 1)
            draws += 1
    assert 0 < draws < 300


# --- Notation, typed moves and explanations -------------------------------------------------------------------------


# Legality and notation
def test_legal_moves_are_sorted_by_code_point():
    moves = deal(random_deck(random.Random(1))).start().legal_moves()
    assert len(moves) > 3
    assert list(moves) == sorted(moves)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("b2xc3", "c3 has 5 facing b2's 4"),
        ("b2xb3", "b3 has 4 facing b2's 4, and equal does not capture"),
        ("b2xa2", "b2 has no number at its left, which faces a2"),
        ("a1xc3", "a1 and c3 are not neighbours"),
        ("b2xb2", "a card cannot take itself"),
    ],
)
def test_illegal_move_is_explained_in_the_players_terms(move, reason):
    state = grid_of(b2=card(bottom_right=4, bottom=4), c3=card(top_left=5), b3=card(top=4))
    with pytest.raises(IllegalMoveError) as caught:
        play(state, move)
    assert caught.value.reason == reason
    assert str(caught.value) == f'"{move}": {reason}'


@pytest.mark.parametrize("move", ["a1b2", "A1xB2", "a1xb2 ", "a4xb2", "d1xc1", "a1Xb2", "a1xb2\n", "x", "resign"])
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like a1xb2"):
        play(grid_of(a1=card(bottom_right=1)), move)


@pytest.mark.parametrize(
    "text",
    ["a1xb2", "A1 x B2", "a1b2", "a1 b2", " A1-B2 ", "a1 to b2", "a1->b2", "a1 takes b2", "a1×b2", "a1", "A1", "xb2"],
)
def test_typed_moves_may_be_informal(text):
    assert read_move(grid_of(a1=card(top=0, bottom=0, bottom_right=1)), text) == "a1xb2"


def test_typed_text_for_several_moves_is_ambiguous():
    state = grid_of(a1=card(bottom_right=1, right=1))
    with pytest.raises(AmbiguousMoveError, match='"a1": this may be a1xb1 or a1xb2: say which'):
        read_move(state, "a1")


@pytest.mark.parametrize("text", ["", "x", "b4", "a1xb2xc3", "a1 b2 c3", "take it", "\x1b[2J", "a" * 10_000])
def test_typed_text_without_a_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(grid_of(a1=card(bottom_right=1)), text)
    assert len(str(caught.value)) < 200
    assert "\x1b" not in str(caught.value)


def test_illegal_typed_move_is_explained():
    state = grid_of(b2=card(bottom_right=4), c3=card(top_left=5))
    with pytest.raises(IllegalMoveError, match="c3 has 5 facing b2's 4"):
        read_move(state, "B2 C3")
    with pytest.raises(IllegalMoveError, match="no such move is legal now"):
        read_move(state, "a1")


def test_moves_after_the_end_are_rejected_with_its_reason():
    state = grid_of(**{cell: card(top=0, bottom=0) for cell in BOARD.cells})
    for parse in (play, read_move):
        with pytest.raises(IllegalMoveError, match="the game is over: no card on the grid"):
            parse(state, "a1xb1")


# Values, hidden cards
def test_states_compare_and_hash_as_values():
    state = grid_of([PASSIVE_CARD] * 11, a1=card(right=1))
    with pytest.raises(FrozenInstanceError):
        state.turned_up = 3
    assert state == grid_of([PASSIVE_CARD] * 11, a1=card(right=1))
    assert hash(state) == hash(grid_of([PASSIVE_CARD] * 11, a1=card(right=1)))
    assert play(state, "a1xb1") != state
    assert not hasattr(state, "__dict__")


def test_the_draw_pile_is_hidden_from_every_seat():
    state = deal(random_deck(random.Random(1))).start()
    view = state.view(0)
    assert view.setup.cards == state.setup.cards[:9]
    assert len(view.setup.moving) == len(view.setup.facing) == 10
    assert view.legal_moves() == state.legal_moves()
    assert view.pile == 11
    with pytest.raises(UnknownCardError):
        play(view, view.legal_moves()[0])


def test_pile_has_the_remaining_known_cards_in_hidden_order():
    state = deal(random_deck(random.Random(1))).start()
    (hidden,) = state.unseen(1)
    assert hidden.places == tuple(f"pile:{number}" for number in range(11))
    assert Counter(hidden.cards) == Counter(state.setup.cards[9:])
    assert hidden.cards != state.setup.cards[9:]
    assert hidden.seen == state.setup.cards[:9]
    (unknown,) = grid_of([PASSIVE_CARD] * 3).view(0).unseen(0)
    assert (unknown.places, unknown.cards) == (hidden.places, None)


def test_nothing_is_hidden_when_the_pile_is_empty():
    assert GridState(deal(random_deck(random.Random(1))), tuple(range(9)), 20, 0, ((), ())).unseen(0) == ()


def test_view_contains_all_revealed_cards():
    state = deal(random_deck(random.Random(1))).start()
    rng = random.Random(2)
    while moves := state.legal_moves():
        assert state.view(state.to_move).scores() == state.scores()
        assert len(state.view(0).setup.cards) == state.turned_up
        state = play(state, rng.choice(moves))


def test_drawing_a_hidden_card_is_an_error():
    state = play(grid_of([PASSIVE_CARD], a1=card(right=1)), "a1xb1")
    with pytest.raises(UnknownCardError, match="card 11 of the deck, which is not known"):
        play(state, state.legal_moves()[0])


# --- Piles without a record ---------------------------------------------------------------------------------------


def piles(**counts):
    return {name: [{"name": f"Card {number}", "score": 1} for number in range(count)] for name, count in counts.items()}


@pytest.mark.parametrize(
    ("document", "scores"),
    [
        ({"piles": piles(Ann=3, Bob=5)}, {"Ann": 3, "Bob": 5}),
        ({"piles": piles(Ann=9, Bob=10)}, {"Ann": 9, "Bob": 10}),
        ({"piles": piles(Ann=3, Bob=3), "first": "Ann", "komi": 4}, {"Ann": 3, "Bob": 7}),
        ({"piles": piles(Ann=2, Bob=3, Cid=2), "first": "Bob"}, {"Ann": 2, "Bob": 3, "Cid": 2}),
        ({"piles": piles(Ann=3, Bob=4), "first": "Ann", "order": "1-2-2"}, {"Ann": 3, "Bob": 4}),
    ],
)
def test_ending_scores_include_komi_except_for_the_starting_player(document, scores):
    assert GRID.score_ending(document) == scores


TURNS = "have impossible sizes, because no player may pass: of"


@pytest.mark.parametrize(
    ("document", "where", "message"),
    [
        ({"piles": piles(Ann=1)}, "piles", "grid is for 2 to 4 players, not 1"),
        ({"piles": piles(Ann=10, Bob=10)}, "piles", "hold 20 cards; at most 19 can be taken"),
        ({"piles": piles(Ann=1, Bob=1), "first": "Cid"}, "first", '"Cid" has no pile'),
        (
            {"piles": piles(Ann=1, Bob=1), "komi": 5},
            "first",
            "is missing: name the player who started, who gets no komi",
        ),
        (
            {"piles": piles(Ann=2, Bob=4), "first": "Ann"},
            "piles",
            f"{TURNS} 6 cards, Ann, who starts, takes 3, and the other takes 3",
        ),
        (
            {"piles": piles(Ann=2, Bob=3, Cid=1), "first": "Ann"},
            "piles",
            f"{TURNS} 6 cards, Ann, who starts, takes 2, and the others take 2 and 2",
        ),
        (
            {"piles": piles(Ann=2, Bob=3, Cid=0), "first": "Ann"},
            "piles",
            f"{TURNS} 5 cards, Ann, who starts, takes 2, and the others take 2 and 1",
        ),
        (
            {"piles": piles(Ann=0, Bob=1), "first": "Ann"},
            "piles",
            f"{TURNS} 1 card, Ann, who starts, takes 1, and the other takes 0",
        ),
    ],
)
def test_impossible_piles_are_rejected_with_the_reason(document, where, message):
    with pytest.raises(RecordError) as caught:
        GRID.score_ending(document)
    assert (caught.value.where, caught.value.message) == (where, message)


@pytest.mark.parametrize("order", ["1-1-1", "1-2-2"])
@pytest.mark.parametrize("empty_pile", [False, True])
def test_exactly_the_piles_reachable_in_turns_are_accepted(order, empty_pile):
    possible = set()
    for captures in range(20):
        # The player of each move: alternating, or Ann once and then each player twice in turn.
        turns = ("AB" * 10 if order == "1-1-1" else "A" + "BBAA" * 5)[:captures]
        possible.add((turns.count("A"), turns.count("B")))
    accepted = set()
    for ann, bob in product(range(21), repeat=2):
        document = {"piles": piles(Ann=ann, Bob=bob), "first": "Ann", "order": order, "empty-pile": empty_pile}
        with suppress(RecordError):
            assert GRID.score_ending(document) == {"Ann": ann, "Bob": bob}
            accepted.add((ann, bob))
    assert accepted == possible


def test_only_legal_cards_with_a_number_in_a_zone_are_playable():
    lance = Card(id="dusk:1", game="dusk", name="Lance", zones={"top": 3}, score=3)
    assert GRID.playable_card(lance).zones == {"top": 3}
    assert GRID.playable_card(replace(lance, legal=False)) is None
    assert GRID.playable_card(replace(lance, zones={})) is None
    assert GRID.fits("pile:0", card())


def test_grid_has_its_own_pictures():
    assert GRID.pictures.package == "ccgrid.engine.games.grid"
