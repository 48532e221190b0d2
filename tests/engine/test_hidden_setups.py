"""What games know of cards that a record or a seat does not: lists of decks, cards put back, what may lie where."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from helpers.made_up import card, deck_for

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.records.record import Record, read_document

NAMES = ("Ann", "Bob", "Cid")
WITH_DECKS = ("ninecard", "tactics")


def dealt(name, **options):
    game = find_game(name)
    decks = [deck_for(name, random.Random(seed)) for seed in range(game.decks_needed(2))]
    return game.deal(NAMES[:2], decks, Dice(1), options=options)


def read(name, setup_table):
    first = {"first": "Ann"} if find_game(name).has_first else {}
    document = {"game": name, "players": list(NAMES[:2]), **first, "moves": [], "setup": setup_table}
    return read_document(document).require().setup


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_draws_itself(game):
    assert find_game(game.name).pictures.package == f"ccgrid.engine.games.{game.name}"


@pytest.mark.parametrize("name", WITH_DECKS)
def test_a_deck_is_known_as_a_list_where_all_of_it_is_known_and_only_then(name):
    table = dealt(name).to_table()
    assert "pile" not in table
    known = read(name, table)
    assert [Counter(cards) for cards in known.lists] == [Counter(deck) for deck in known.decks]
    *kept, last = table["decks"]["Bob"]
    gap = {**table, "decks": {**table["decks"], "Bob": [*kept, "?"]}}
    assert read(name, gap).lists == (known.lists[0], None)
    assert "pile" not in read(name, gap).to_table()
    with_rest = read(name, {**gap, "pile": {"Bob": [last]}})
    assert with_rest.lists == known.lists
    assert with_rest.to_table()["pile"] == {"Bob": [last]}
    assert read(name, with_rest.to_table()) == with_rest


@pytest.mark.parametrize("name", ["matrix", *WITH_DECKS])
def test_cards_are_put_back_where_a_view_hides_them(name):
    game = find_game(name)
    players = NAMES if name == "matrix" else NAMES[:2]
    decks = [deck_for(name, random.Random(seed)) for seed in range(game.decks_needed(len(players)))]
    state = game.deal(players, decks, Dice(1)).start()
    places = [place for group in state.unseen(0) for place in group.places]
    lying = {place: lying_at(state, place) for place in places}
    assert game.revealed(state.view(0), lying) == state
    shown = game.revealed(state.view(0), lying)
    assert {place: lying_at(shown, place) for place in places} == lying
    assert all(game.fits(place, lying[place]) for place in places)


def lying_at(state, place):
    zone, owner, *number = place.split(":")
    if zone == "box":
        return KINDS[0]
    if state.game == "tactics":
        return state.setup.cards[state.hidden_card(place)]
    hand = state.hands[int(owner)] if state.game == "matrix" else getattr(state.sides[int(owner)], zone)
    return hand[int(number[0])]


def test_of_two_hands_of_matrix_with_gaps_in_one_that_one_holds_what_the_other_does_not():
    board = [4, 6, 3, 7, 9, 2, 1, 8, 5]
    whole = {"board": board, "hands": {"Ann": list(KINDS), "Bob": list(KINDS)}}
    for name in ("Ann", "Bob"):
        gap = {**whole, "hands": {**whole["hands"], name: [*KINDS[:7], "?", "?", "?"]}}
        assert read("matrix", gap).hands == (KINDS, KINDS)
    both = {**whole, "hands": {name: [*KINDS[:9], "?"] for name in NAMES[:2]}}
    assert read("matrix", both).hands == ((*KINDS[:9], None),) * 2


def test_creatures_alone_lie_face_down():
    game = find_game("ninecard")
    cards = (Creature("Ant", 1, 1), Energy("Spark"))
    assert [game.fits(place, one) for place in ("facedown:1:0", "hand:1:0") for one in cards] == [
        *(True, False),
        *(True, True),
    ]


@pytest.mark.parametrize(("option", "most"), [("life", 10_000), ("limit", 2_000)])
def test_options_of_ninecard_are_from_one_up(option, most):
    for value in (1, most):
        assert getattr(dealt("ninecard", **{option: value}).options, option) == value
    for value in (0, most + 1):
        with pytest.raises(EngineError, match=f"^the option {option} must be 1 to {most}, not {value}$"):
            dealt("ninecard", **{option: value})


def test_tactics_plays_cards_with_a_number_on_every_side():
    game = find_game("tactics")
    lance = card("Lance", top=1, right=2, bottom=3, left=4)
    assert game.as_played(lance).name == "Lance"
    assert game.as_played(replace(lance, zones={"top": 1, "right": 2, "bottom": 3})) is None


def test_the_record_of_a_deal_says_which_game_it_is():
    for entry in GAMES:
        assert Record(dealt(entry.name)).to_document()["game"] == find_game(entry.name).name == entry.name
        assert find_game(entry.name).title == entry.title
