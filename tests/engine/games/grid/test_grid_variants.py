"""Tests of the grid game's options komi, order and empty-pile, and of records and endings that name them."""

import random

import pytest
from helpers.made_up import PASSIVE_CARD, card, deck_for, random_deck

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, UnknownCardError
from ccgrid.engine.games.grid.game import GridGame
from ccgrid.engine.games.grid.moves import DECK_SIZE
from ccgrid.engine.games.grid.options import Options
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.notation import play
from ccgrid.engine.players import RandomPlayer
from ccgrid.engine.records.files import read_ending
from ccgrid.engine.records.record import Record, read_document

GRID = GridGame()
NAMES = ("Ann", "Bob", "Cid", "Dan")


def deal(players=2, seed=1, first=None, **options):
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return GRID.deal(NAMES[:players], [random_deck(random.Random(seed))], Dice(seed), first=first, options=named)


def random_game(setup, seed=1):
    return play_out(setup.start(), [RandomPlayer()] * len(setup.players), Dice(seed))


# komi: points for all players except the starting player


@pytest.mark.parametrize("first", [0, 1])
def test_second_player_has_the_komi(first):
    with_komi, without = deal(first=first, komi=5), deal(first=first)
    assert with_komi.start().scores() == ((0, 5), (5, 0))[first]
    moves, final = random_game(without)
    state = with_komi.start()
    for move in moves:
        state = play(state, move)
    expected = tuple(score + 5 * (seat != first) for seat, score in enumerate(final.scores()))
    assert state.scores() == state.outcome().scores == expected


def test_all_players_except_the_starting_player_have_the_komi():
    assert deal(3, first=1, komi=4).start().scores() == (4, 0, 4)
    assert deal(4, first=3, komi=4).start().scores() == (4, 4, 4, 0)


# order: the order of moves


@pytest.mark.parametrize(
    ("players", "order", "turns"),
    [
        (2, "1-1-1", "ABABABAB"),
        (2, "1-2-2", "ABBAABBA"),
        (3, "1-2-2", "ABBCCAAB"),
        (4, "1-2-2", "ABBCCDDA"),
    ],
)
def test_every_player_makes_two_moves_after_the_first(players, order, turns):
    deck = [card(f"Card {number}", top=9, bottom=number % 3) for number in range(DECK_SIZE)]
    state = GRID.deal(NAMES[:players], [deck], Dice(3), first=0, options={"order": order}).start()
    for turn in turns:
        assert state.players[state.to_move][0] == turn
        state = play(state, state.legal_moves()[0])


# empty-pile: the game ends when the pile is empty and there is no legal move


def test_game_continues_while_the_pile_is_not_empty():
    for seed in range(300):
        deck = [card(f"Card {number}", top_right=number % 4) for number in range(DECK_SIZE)]
        _, final = random_game(GRID.deal(NAMES[:2], [deck], Dice(seed), options={"empty-pile": True}), seed)
        assert final.pile == 0


def test_cards_are_covered_from_a1_until_move_exists():
    hunter = card("Hunter", right=5, left=9, top=0, bottom=0)
    options = Options(empty_pile=True)
    setup = GridSetup(NAMES[:2], 1, (PASSIVE_CARD,) * 9 + (PASSIVE_CARD, hunter) + (PASSIVE_CARD,) * 9, options=options)
    state = setup.start()
    assert (state.turned_up, state.to_move) == (11, 1)
    assert (state.card_on("a1"), state.card_on("b1")) == (PASSIVE_CARD, hunter)
    assert state.legal_moves() == ("b1xa1", "b1xc1")
    assert sum(map(len, state.taken)) == 0


def test_position_without_moves_ends_the_game_or_gets_covering_cards():
    striker, hunter = card("Striker", right=1, top=0, bottom=0), card("Hunter", right=5, top=0, bottom=0)
    deck = (PASSIVE_CARD, striker, *(PASSIVE_CARD,) * 7, PASSIVE_CARD, hunter, *(PASSIVE_CARD,) * 9)
    usual, covering = (GridSetup(NAMES[:2], 0, deck, options=Options(empty_pile=on)).start() for on in (False, True))
    ended, continued = (play(state, "b1xc1") for state in (usual, covering))
    assert (ended.legal_moves(), ended.pile, ended.card_on("a1")) == ((), 10, PASSIVE_CARD)
    assert (continued.legal_moves(), continued.pile, continued.card_on("a1")) == (("a1xb1",), 9, hunter)


def test_covered_cards_belong_to_no_player():
    options = Options(empty_pile=True)
    setup = GridSetup(NAMES[:2], 0, (PASSIVE_CARD,) * DECK_SIZE, options=options)
    state = setup.start()
    assert state.pile == 0
    assert state.ending().words == "no card on the grid can take a neighbour"
    assert state.outcome().scores == (0, 0)


def test_covering_continues_around_the_grid():
    deck = (PASSIVE_CARD,) * 19 + (card("Hunter", right=5, top=0, bottom=0),)
    state = GridSetup(NAMES[:2], 0, deck, options=Options(empty_pile=True)).start()
    assert state.card_on("b1").name == "Hunter"  # the 11th card: nine are dealt, then a1 and b1 are covered
    assert state.legal_moves() == ("b1xc1",)


def test_unknown_covering_card_is_an_error():
    setup = GridSetup(NAMES[:2], 0, (PASSIVE_CARD,) * 8 + (card("Hunter", top=5),), options=Options(empty_pile=True))
    state = setup.start()
    assert state.legal_moves() == ("c3xc2",)
    with pytest.raises(UnknownCardError, match="turns up card 10 of the deck, which is not known"):
        state.play_unchecked("c3xc2")
    stuck = GridSetup(NAMES[:2], 0, (PASSIVE_CARD,) * 9).to_table() | {"empty-pile": True}
    with pytest.raises(EngineError, match=r"^cards: no card can take another, and card 10, which is next, is"):
        GRID.read_setup(stuck, NAMES[:2], 0)


# Invalid options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"life": 4}, 'grid has no option "life": it has komi, order, empty-pile, turn'),
        ({"komi": "5"}, 'the option komi must be a whole number, not the text "5"'),
        ({"komi": -1}, "the option komi must be 0 to 1000, not -1"),
        ({"komi": 1001}, "the option komi must be 0 to 1000, not 1001"),
        ({"order": "2-2-2"}, 'the option order must be "1-1-1" or "1-2-2", not "2-2-2"'),
        ({"order": 122}, "the option order must be a text, not the number 122"),
        ({"empty-pile": 1}, "the option empty-pile must be true or false, not the number 1"),
    ],
)
def test_unknown_variant_is_rejected(options, message):
    with pytest.raises(EngineError, match=f"^{message}$"):
        GRID.deal(NAMES[:2], [deck_for("grid", random.Random(1))], Dice(1), options=options)


# Records


def test_record_names_options_that_differ_from_defaults():
    assert set(deal().to_table()) == {"cards"}
    assert set(deal(komi=0, order="1-1-1", empty_pile=False).to_table()) == {"cards"}
    table = deal(komi=5, order="1-2-2", empty_pile=True).to_table()
    assert {key: value for key, value in table.items() if key != "cards"} == {
        "komi": 5,
        "order": "1-2-2",
        "empty-pile": True,
    }


def document(setup, **more):
    moves, _ = random_game(setup)
    return {**Record(setup, tuple(moves)).to_document(), **more}


def test_a_recorded_variant_is_checked_by_its_own_rules():
    setup = deal(first=0, komi=5, order="1-2-2")
    reading = read_document(document(setup))
    assert reading.require().setup == setup
    without = document(setup)
    scores = reading.state.scores()
    del without["setup"]["komi"]
    claimed = read_document({**without, "result": {"scores": {"Ann": scores[0], "Bob": scores[1]}}})
    assert str(claimed.error) == f'result.scores.Bob: is {scores[1]}, but "Bob" has {scores[1] - 5}'


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("komi", 5.5, "setup.komi: must be a whole number, not the number 5.5"),
        ("komi", -1, "setup.komi: must be 0 to 1000, not -1"),
        ("order", "1-3-3", 'setup.order: must be "1-1-1" or "1-2-2", not "1-3-3"'),
        ("empty-pile", "yes", 'setup.empty-pile: must be true or false, not the text "yes"'),
        ("komis", 5, "setup.komis: unknown key; known here: cards, pile, komi, order, empty-pile, turn"),
    ],
)
def test_impossible_variant_in_a_record_is_reported(key, value, message):
    changed = document(deal())
    changed["setup"][key] = value
    assert str(read_document(changed).error) == message


# Piles without a record


def test_komi_counts_for_piles_without_a_record(tmp_path):
    file = tmp_path / "piles.toml"
    text = 'game = "grid"\nkomi = 5\n{}[piles]\nAnn = [{{ score = 9 }}]\nBob = [{{ score = 6 }}]\n'
    file.write_text(text.format('first = "Ann"\n'))
    assert read_ending(file).scores == {"Ann": 9, "Bob": 11}
    file.write_text(text.format('first = "Cid"\n'))
    assert str(read_ending(file).error) == 'first: "Cid" has no pile'
    file.write_text(text.format(""))
    assert str(read_ending(file).error) == "first: is missing: name the player who started, who gets no komi"


@pytest.mark.parametrize(
    ("counts", "order", "fits"),
    [
        ((2, 2), "", True),
        ((3, 2), "", True),
        ((2, 3), "", False),
        ((3, 0), "", False),
        ((2, 3), "1-2-2", False),
        ((4, 1), "1-2-2", False),
        ((1, 2), "1-2-2", True),
        ((0, 0), "", True),
        ((2, 1, 2), "", True),
        ((1, 2, 1), "", False),
        ((3, 1, 1), "", False),
        ((1, 0, 2), "1-2-2", True),
    ],
)
def test_pile_sizes_must_fit_the_turns_if_the_starting_player_is_given(tmp_path, counts, order, fits):
    file = tmp_path / "piles.toml"
    piles = "".join(
        f"{name} = {'[' + '{ score = 1 },' * count + ']'}\n" for name, count in zip("ABC", counts, strict=False)
    )
    option_line = f'order = "{order}"\n' if order else ""
    file.write_text(f'game = "grid"\n{option_line}first = "A"\n[piles]\n{piles}')
    reading = read_ending(file)
    assert (reading.error is None) == fits
    assert fits or str(reading.error).startswith("piles: have impossible sizes, because no player may pass: of ")
    file.write_text(f'game = "grid"\n{option_line}[piles]\n{piles}')
    assert read_ending(file).error is None


@pytest.mark.parametrize(
    "option_lines", ["empty-pile = true", 'turn = "clockwise"', 'order = "1-2-2"\nturn = "clockwise"']
)
def test_piles_without_a_record_may_name_any_option(tmp_path, option_lines):
    file = tmp_path / "piles.toml"
    file.write_text(f'game = "grid"\n{option_lines}\n[piles]\nAnn = [{{ score = 9 }}]\nBob = [{{ score = 6 }}]\n')
    assert read_ending(file).scores == {"Ann": 9, "Bob": 6}


# A pile without order


def test_record_may_list_unrevealed_cards_without_order():
    setup = deal(first=0)
    moves, _ = random_game(setup)
    known = setup.first_known(11)
    table = known.to_table()
    assert len(table["cards"]) == 11
    names = [entry["name"] for entry in table["pile"]]
    assert names == sorted(card.name for card in setup.cards[11:])
    reading = read_document({**Record(known, tuple(moves[:2])).to_document()})
    assert reading.require().setup == known
    assert reading.state.unseen(0) == setup.start().play_unchecked(moves[0]).play_unchecked(moves[1]).unseen(0)
    assert reading.record.to_document()["setup"] == table


@pytest.mark.parametrize(
    ("count", "left", "message"),
    [
        (9, 10, "setup.pile: must be the 11 cards that are not in cards, not 10"),
        (20, 1, "setup.pile: must be the 0 cards that are not in cards, not 1"),
        (19, 0, "setup.pile: must be the 1 card that is not in cards, not 0"),
    ],
)
def test_cards_and_pile_have_twenty_cards_in_total(count, left, message):
    table = deal().to_table()
    changed = {"game": "grid", "players": ["Ann", "Bob"], "first": "Ann", "moves": []}
    setup = {"cards": table["cards"][:count], "pile": table["cards"][:left]}
    assert str(read_document({**changed, "setup": setup}).error) == message


def test_move_that_reveals_an_unordered_card_cannot_be_checked():
    setup = deal(first=0)
    moves, _ = random_game(setup)
    reading = read_document(Record(setup.first_known(9), tuple(moves[:1])).to_document())
    assert reading.error.message == "this move turns up card 10 of the deck, which is not known"


def test_same_named_cards_are_distinguished_in_cards_and_pile():
    deck = (PASSIVE_CARD,) * 19 + (card("Still", top=1, bottom=0),)
    table = GridSetup(NAMES[:2], 0, deck).first_known(9).to_table()
    assert {entry["name"] for entry in table["pile"]} == {"Still"}
    setup = GRID.read_setup(table, NAMES[:2], 0)
    assert sorted(entry.name for entry in setup.deck) == ["Still"] * 19 + ["Still #2"]
