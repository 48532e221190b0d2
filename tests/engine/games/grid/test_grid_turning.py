"""Tests of grid with cards that turn as they capture (`turn = "clockwise"`), also against naive rules."""

import random
import runpy
from pathlib import Path

import pytest
from grid_deals import GRID
from helpers import naive_grid
from helpers.made_up import PASSIVE_CARD, card, deck_for, random_deck
from helpers.random_records import assert_reads_back
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.zones import ZONES
from ccgrid.engine.board import CLOCKWISE, STEPS
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, IllegalMoveError
from ccgrid.engine.games.grid.moves import DECK_SIZE
from ccgrid.engine.games.grid.options import Options
from ccgrid.engine.games.grid.rules import EMPTY, GridSetup, turned_zones
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.notation import play
from ccgrid.engine.options import with_named_rules
from ccgrid.engine.players import RandomPlayer
from ccgrid.engine.records.codes import code_document, record_code
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import Record, read_document

TESTS = Path(__file__).resolve().parents[3]
TURNING = Options(turn="clockwise")
EVENING = {"turn": "clockwise", "order": "1-2-2"}

zone_numbers = st.dictionaries(st.sampled_from(ZONES), st.integers(0, 10))


def grid_of(pile=(), options=TURNING, **cells):
    """Return a position with these cards on these cells; all other cells have cards that take no other."""
    cards = tuple(cells.get(cell, PASSIVE_CARD) for cell in naive_grid.FILL_ORDER)
    return GridSetup(("Ann", "Bob"), 0, (*cards, *pile), options=options).start()


def deal(seed=1, players=2, deck=None, **options):
    named = {name.replace("_", "-"): value for name, value in options.items()}
    deck = deck or random_deck(random.Random(seed))
    return GRID.deal(("Ann", "Bob", "Cid", "Dan")[:players], [deck], Dice(seed), options=named)


# A quarter turn


def test_quarter_turn_brings_every_zone_to_the_next_corner_or_side():
    assert CLOCKWISE == {
        "top-left": "top-right",
        "top": "right",
        "top-right": "bottom-right",
        "right": "bottom",
        "bottom-right": "bottom-left",
        "bottom": "left",
        "bottom-left": "top-left",
        "left": "top",
    }
    for zone, other in CLOCKWISE.items():
        right, down = STEPS[zone]
        assert STEPS[other] == (-down, right)  # clockwise, because rows count downwards


@given(zone_numbers)
def test_four_quarter_turns_change_nothing(zones):
    assert turned_zones(zones, 4) == turned_zones(zones, 0) == zones


@given(zone_numbers, st.integers(0, 3), st.integers(0, 3))
def test_turns_add_up_and_keep_all_numbers(zones, first, second):
    assert turned_zones(turned_zones(zones, first), second) == turned_zones(zones, (first + second) % 4)
    assert sorted(turned_zones(zones, first).values()) == sorted(zones.values())


@given(zone_numbers)
def test_naive_rules_turn_cards_equally(zones):
    assert naive_grid.quarter_clockwise((zones, 7)) == (turned_zones(zones, 1), 7)


# The rules


def test_capturing_card_is_turned_a_quarter_clockwise():
    mover = card("Mover", right=9, top=3, bottom_left=2)
    state = play(grid_of([PASSIVE_CARD], a2=mover, b2=card(left=1)), "a2xb2")
    assert state.card_on("b2") == mover
    assert state.turns_on("b2") == 1
    assert state.zones_on("b2") == {"bottom": 9, "right": 3, "top-left": 2}
    assert [move for move in state.legal_moves() if move.startswith("b2")] == ["b2xa1", "b2xb3", "b2xc2"]


def test_each_further_capture_turns_the_card_further_until_it_is_upright():
    runner = card("Runner", **{zone.replace("-", "_"): 9 for zone in ZONES} | {"top": 10})
    state = grid_of([PASSIVE_CARD] * 5, a2=runner)
    cell, tops = "a2", []
    for target in ("b2", "b3", "b2", "c2", "c1"):
        state = play(state, f"{cell}x{target}")
        cell = target
        tops.append([zone for zone, number in state.zones_on(cell).items() if number == 10])
    assert tops == [["right"], ["bottom"], ["left"], ["top"], ["right"]]


def test_revealed_card_is_upright():
    new = card("New", top=4)
    state = play(grid_of([new], a2=card(right=9), b2=card(left=1)), "a2xb2")
    assert (state.zones_on("a2"), state.turns_on("a2")) == ({"top": 4}, 0)


def test_covering_card_is_upright():
    options = Options(empty_pile=True, turn="clockwise")
    striker, hunter = card("Striker", right=1, top=0, bottom=0), card("Hunter", right=5, top=0, bottom=0)
    deck = (striker, *(PASSIVE_CARD,) * 8, PASSIVE_CARD, hunter, *(PASSIVE_CARD,) * 9)
    state = play(GridSetup(("Ann", "Bob"), 0, deck, options=options).start(), "a1xb1")
    # The turned card on b1 can capture a neighbour, so no card is covered yet.
    assert state.turns_on("b1") == 1
    while state.legal_moves():
        state = play(state, state.legal_moves()[0])
    assert all(turns == 0 or entry != EMPTY for turns, entry in zip(state.turns, state.grid, strict=True))


def test_turning_changes_no_score():
    state = play(grid_of([PASSIVE_CARD], a2=card(right=9, score=12), b2=card(left=1, score=5)), "a2xb2")
    assert state.scores() == (5, 0)
    assert state.card_on("b2").score == 12


def test_illegal_move_is_explained_by_the_turned_numbers():
    state = play(grid_of([PASSIVE_CARD], a2=card(right=9, top=3), b2=card(left=1), c2=card(left=7)), "a2xb2")
    for move, reason in (
        ("b2xc2", "c2 has 7 facing b2's 3"),
        ("b2xb1", "b2 has no number at its top, which faces b1"),
        ("b2xa2", "b2 has no number at its left, which faces a2"),
    ):
        with pytest.raises(IllegalMoveError) as caught:
            play(state, move)
        assert caught.value.reason == reason


def test_board_shows_turned_numbers_and_the_angle():
    mover = card("Mover", right=9, top=3, score=12)
    state = play(grid_of([PASSIVE_CARD], a2=mover, b2=card(left=1)), "a2xb2")
    tiles = {tile.label: tile for tile in GRID.pictures.picture(state, None, "a2xb2").parts[0].tiles}
    assert (tiles["b2"].zones, tiles["b2"].turned) == ({"bottom": 9, "right": 3}, "turned 90°")
    assert (tiles["b2"].captions, tiles["b2"].marked) == (("score 12",), True)
    assert tiles["a2"].turned == tiles["c3"].turned == ""


def test_cards_are_not_turned_without_the_option():
    state = deal().start()
    while state.legal_moves():
        state = play(state, state.legal_moves()[-1])
    assert state.turns == ()
    assert state.variant == {}


# Against the naive rules


@given(
    st.integers(0, 2**32), st.integers(2, 4), st.booleans(), st.booleans(), st.sampled_from([(0, 1), (0, 10), (9, 10)])
)
def test_turning_game_equals_naive_implementation(seed, players, in_pairs, empty_pile, values):
    rng = random.Random(seed)
    deck = [
        card(**{zone.replace("-", "_"): rng.randint(*values) for zone in rng.sample(ZONES, rng.randint(1, 8))})
        for _ in range(DECK_SIZE)
    ]
    options = {"turn": "clockwise", "order": "1-2-2" if in_pairs else "1-1-1", "empty_pile": empty_pile}
    setup = deal(seed, players, deck, **options, komi=rng.randrange(9))
    state, naive = setup.start(), naive_grid.start_of(setup)
    while True:
        assert list(state.legal_moves()) == naive_grid.legal(naive)
        assert list(state.scores()) == naive["points"]
        assert {cell: dict(state.zones_on(cell)) for cell in naive["grid"]} == {
            cell: zones for cell, (zones, _) in naive["grid"].items()
        }
        if not state.legal_moves():
            return
        move = rng.choice(state.legal_moves())
        assert state.to_move == naive["turn"]
        state, naive = play(state, move), naive_grid.play(naive, move)


# Named rules


def test_evening_rules_stand_for_turning_and_moves_in_pairs():
    assert with_named_rules(GRID.named_rules, {"rules": "evening", "komi": 3}) == {**EVENING, "komi": 3}
    assert with_named_rules(GRID.named_rules, {"rules": "evening", **EVENING}) == EVENING
    assert with_named_rules(GRID.named_rules, {"komi": 3}) == {"komi": 3}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rules": "morning"}, 'the option rules must be "evening", not "morning"'),
        ({"rules": ""}, 'the option rules must be "evening", not ""'),
        ({"rules": "evening", "order": "1-1-1"}, "rules=evening means order=1-2-2, not order=1-1-1"),
    ],
)
def test_unknown_or_contradicted_rules_are_rejected(given, message):
    with pytest.raises(EngineError, match=f"^{message}$"):
        with_named_rules(GRID.named_rules, given)


# Records and codes


@pytest.mark.parametrize("seed", range(5))
def test_turning_game_reads_back_from_record_and_code(seed):
    setup = deal(seed, **EVENING)
    moves, final = play_out(setup.start(), [RandomPlayer()] * 2, Dice(seed))
    record = Record(setup, tuple(moves)).with_result()
    assert {name: value for name, value in setup.to_table().items() if name != "cards"} == EVENING
    assert_reads_back(record, final)
    code = record_code(record)
    assert len(code.line) <= 900
    again = read_document(code_document(code.line)).require()
    assert again.final().turns == record.final().turns
    assert again.final().scores() == record.final().scores()


def test_record_without_the_option_keeps_its_meaning():
    record = read_game(TESTS / "playthroughs" / "grid.toml")
    assert record.setup.options == Options()
    assert record.final().turns == ()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("counterclockwise", 'setup.turn: must be "none" or "clockwise", not "counterclockwise"'),
        (1, "setup.turn: must be a text, not the number 1"),
        (True, "setup.turn: must be a text, not true"),
    ],
)
def test_impossible_turn_in_a_record_is_reported(value, message):
    document = Record(deal(), ()).to_document()
    document["setup"]["turn"] = value
    assert str(read_document(document).error) == message


def test_record_stores_no_named_rules():
    document = Record(deal(), ()).to_document()
    document["setup"]["rules"] = "evening"
    assert str(read_document(document).error).startswith("setup.rules: unknown key")


def test_moves_of_a_turning_game_are_checked_by_its_own_rules():
    rng, rejected = random.Random(3), 0
    for seed in range(20):
        setup = deal(seed, turn="clockwise", deck=deck_for("grid", rng))
        moves, _ = play_out(setup.start(), [RandomPlayer()] * 2, Dice(seed))
        document = Record(setup, tuple(moves)).to_document()
        assert read_document(document).error is None
        del document["setup"]["turn"]
        rejected += read_document(document).error is not None
    assert rejected > 10


def test_playthrough_of_evening_rules_is_unchanged():
    lines = runpy.run_path(str(TESTS.parent / "scripts" / "make_playthroughs"))["lines"]
    golden = (TESTS / "playthroughs" / "grid-evening.txt").read_text(encoding="utf-8").splitlines()
    assert list(lines(read_game(TESTS / "playthroughs" / "grid-evening.toml"))) == golden
