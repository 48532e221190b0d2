"""Tests of hidden information: what each seat sees, and the sampling of full positions consistent with it."""

import random
from collections import Counter
from dataclasses import fields, replace

import pytest
from helpers.hypothesis_examples import EXAMPLES
from helpers.made_up import card, deck_for, grid_of, options_for, random_battle_deck, random_deck, random_side_deck
from hypothesis import given, settings
from hypothesis import strategies as st

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, UnknownCardError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import find_player
from ccgrid.engine.records.record import Record, read_document
from ccgrid.engine.worlds import Pool, sample_world

NAMES = ("Ann", "Bob", "Cid", "Dan")
NINECARD = find_game("ninecard")
TABLES = [(game, count) for game in GAMES for count in game.player_counts]

every_table = pytest.mark.parametrize(("game", "count"), TABLES, ids=lambda value: getattr(value, "name", value))
few = settings(max_examples=max(4, EXAMPLES // 2), deadline=None)
seeds = st.integers(0, 2**32)


def random_position(game, count, seed):
    """Return a position of a random game with random options; not the last one."""
    rng = random.Random(seed)
    decks = [deck_for(game.name, rng) for _ in range(game.decks_needed(count))]
    state = game.deal(NAMES[:count], decks, Dice(seed), options=options_for(game.name, rng)).start()
    states = []
    while moves := state.legal_moves():
        states.append(state)
        state = state.play_unchecked(rng.choice(moves))
    return rng.choice(states or [state])


def all_fields(state):
    """Return all fields of a state, including those that comparisons ignore."""
    return {field.name: getattr(state, field.name) for field in fields(state)}


def pools(game, seed, state, seat):
    """Return the pools for sampling: one of other cards, and no pool if the seat knows any card."""
    pool = Pool.of(game, deck_for(game.name, random.Random(seed + 1)))
    groups = state.unseen(seat)
    return [None, pool] if not groups or any(group.seen or group.cards for group in groups) else [pool]


@every_table
@few
@given(seed=seeds)
def test_sampled_world_is_consistent_with_view(game, count, seed):
    state = random_position(game, count, seed)
    for seat in range(count):
        view = state.view(seat)
        for pool in pools(game, seed, state, seat):
            world = sample_world(view, seat, Dice(seed), pool)
            assert world.view(seat) == view
            assert all_fields(world.view(seat))["to_move"] == view.to_move
            assert getattr(world.view(seat), "setup", None) == getattr(view, "setup", None)
            assert world.view(seat).unseen(seat) == view.unseen(seat)
            assert world.players == state.players
            assert world.scores() == state.scores()
            assert world.ending() == state.ending()


@every_table
@few
@given(seed=seeds)
def test_sampled_world_can_be_played_to_the_end(game, count, seed):
    state = random_position(game, count, seed)
    random_player = find_player("random")
    for seat in range(count):
        for pool in pools(game, seed, state, seat):
            world = sample_world(state.view(seat), seat, Dice(seed), pool)
            for move in world.legal_moves():
                world.play_unchecked(move)
            if seat == state.to_move:
                assert world.legal_moves() == state.legal_moves()
            _, final = play_out(world, [random_player] * count, Dice(seed))
            assert final.outcome() is not None


@every_table
@few
@given(seed=seeds)
def test_sampled_world_depends_only_on_view_and_dice(game, count, seed):
    state = random_position(game, count, seed)
    for seat in range(count):
        view = state.view(seat)
        for pool in pools(game, seed, state, seat):
            world = sample_world(view, seat, Dice(seed), pool)
            other = sample_world(view, seat, Dice(seed + 1), pool)
            for source in (view, state, world, other, other.view(seat)):
                again = sample_world(source, seat, Dice(seed), pool)
                assert again == world
                assert getattr(again, "setup", None) == getattr(world, "setup", None)


@every_table
@few
@given(seed=seeds)
def test_unseen_is_equal_for_position_and_view(game, count, seed):
    state = random_position(game, count, seed)
    for seat in range(count):
        groups = state.unseen(seat)
        assert groups == state.view(seat).unseen(seat)
        places = [place for group in groups for place in group.places]
        assert len(set(places)) == len(places)
        assert all(group.cards is None or len(group.cards) == len(group.places) for group in groups)


@every_table
@few
@given(seed=seeds)
def test_known_hidden_cards_are_the_actual_ones(game, count, seed):
    state = random_position(game, count, seed)
    for seat in range(count):
        for group in state.unseen(seat):
            if group.cards is not None:
                actual = [card_at(state, place) for place in group.places if not place.startswith("box")]
                assert Counter(actual) <= Counter(group.cards)
                assert len(actual) == len(group.cards) or game.name == "matrix"


def card_at(state, place):
    zone, *where = place.split(":")
    numbers = [int(number) for number in where]
    if zone == "pile":
        return state.setup.cards[state.turned_up + numbers[0]]
    if state.game == "matrix":
        return state.hands[numbers[0]][numbers[1]]
    if state.game == "ninecard":
        return getattr(state.sides[numbers[0]], zone)[numbers[1]]
    return state.setup.cards[state.hidden_card(place)]


@every_table
@few
@given(seed=seeds)
def test_only_moves_that_reveal_hidden_cards_fail_in_view(game, count, seed):
    state = random_position(game, count, seed)
    view = state.view(state.to_move)
    for move in view.legal_moves():
        try:
            after = view.play_unchecked(move)
        except UnknownCardError:
            continue
        assert after.scores() == state.play_unchecked(move).scores()


def test_pile_orders_are_sampled_uniformly():
    pile = [card(f"Card {number}", top=number) for number in range(11)]
    view = grid_of(pile).view(0)
    tops = Counter(sample_world(view, 0, Dice(1).fork(number)).setup.cards[9].name for number in range(2200))
    assert set(tops) == {one.name for one in pile}
    assert min(tops.values()) > 200 * 0.7


def test_label_numbers_do_not_reveal_order():
    twins = [card("Twin", top=1), card("Twin", top=2)] + [card(f"Card {number}", top=3) for number in range(18)]
    game, tops = find_game("grid"), Counter()
    for number in range(300):
        pile = game.deal(NAMES[:2], [twins], Dice(1).fork(number)).start().setup.cards[9:]
        twins_in_pile = [one.name for one in pile if one.name.startswith("Twin")]
        tops.update([" before ".join(twins_in_pile)] if len(twins_in_pile) == 2 else [])
    assert set(tops) == {"Twin before Twin #2", "Twin #2 before Twin"}
    assert min(tops.values()) > sum(tops.values()) * 0.3


def test_unknown_pile_is_sampled_from_pool_or_copies():
    cards = tuple(random_deck(random.Random(1), 15))
    state = GridSetup(("Ann", "Bob"), 0, cards).start()
    assert state.unseen(0)[0].cards is None
    copies = sample_world(state, 0, Dice(1)).setup.cards[9:]
    assert {each.id for each in copies} <= {each.id for each in cards[:9]}
    others = random_deck(random.Random(2), 30)
    world = sample_world(state, 0, Dice(1), others)
    assert {each.id for each in world.setup.cards[9:]} <= {each.id for each in others}
    assert len(world.setup.cards) == 20


def test_known_deck_is_sampled_without_its_visible_cards():
    game = find_game("tactics")
    decks = [random_side_deck(random.Random(seed), 8) for seed in (1, 2)]
    state = game.deal(("Ann", "Bob"), decks, Dice(3), first=1).start()
    state = state.play_unchecked(state.legal_moves()[0])
    deck = state.setup.lists[1]
    world = sample_world(state.view(0), 0, Dice(4), Pool.of(game, (), {1: deck}))
    assert Counter(world.setup.decks[1]) == Counter(deck)
    assert world.setup.decks[1] != state.setup.decks[1]


def test_known_ninecard_deck_is_sampled_without_repetition():
    deck = tuple(Energy(f"Spark {number}") for number in range(12))
    state = NINECARD.deal(NAMES[:2], [random_battle_deck(random.Random(1), 9)] * 2, Dice(5)).start()
    other = replace(state.sides[1], deck=deck[:5], hand=deck[5:8], energy=deck[8:11], discard=deck[11:])
    state = replace(state, sides=(state.sides[0], other))
    drawn = sample_world(state.view(0), 0, Dice(1), Pool(deck[:3], {1: deck})).sides[1]
    assert (drawn.energy, drawn.discard) == (other.energy, other.discard)
    assert Counter((*drawn.deck, *drawn.hand)) == Counter(deck[:8])
    assert drawn.deck != other.deck


def test_without_pool_seen_cards_are_used_evenly():
    seen = tuple(Energy(f"Spark {number}") for number in range(4))
    state = NINECARD.deal(NAMES[:2], [random_battle_deck(random.Random(1), 9)] * 2, Dice(5)).start()
    other = replace(state.sides[1], deck=(Energy("Secret"),) * 3, hand=(Energy("Secret"),), energy=seen)
    state = replace(state, sides=(state.sides[0], other))
    drawn = sample_world(state.view(0), 0, Dice(1)).sides[1]
    assert Counter((*drawn.deck, *drawn.hand)) == Counter(seen)


def test_shared_pile_is_not_sampled_from_a_seats_deck():
    cards = tuple(random_deck(random.Random(1), 15))
    state = GridSetup(NAMES[:2], 0, cards).start()
    pool = Pool(decks=dict.fromkeys(range(12), tuple(random_deck(random.Random(2), 30))))
    assert {one.id for one in sample_world(state, 0, Dice(1), pool).setup.cards} == {one.id for one in cards[:9]}


def test_face_down_cards_are_creatures_in_every_world():
    game = find_game("ninecard")
    decks = [random_battle_deck(random.Random(seed), 12) for seed in (1, 2)]
    state: NinecardState = game.deal(("Ann", "Bob"), decks, Dice(5), options={"facedown": True}).start()
    hidden = replace(state.sides[1], facedown=(Creature("Secret", 1, 1), Creature("Hidden", 2, 2)))
    state = replace(state, sides=(state.sides[0], hidden))
    for number in range(30):
        world = sample_world(state.view(0), 0, Dice(number), Pool((Energy("Spark"), Creature("Wall", 0, 9))))
        assert all(isinstance(one, Creature) for one in world.sides[1].facedown)


def test_face_down_card_without_known_creature_is_any_known_card():
    game = find_game("ninecard")
    state: NinecardState = game.deal(("Ann", "Bob"), [random_battle_deck(random.Random(1), 6)] * 2, Dice(5)).start()
    own, other = (replace(side, deck=(), hand=()) for side in state.sides)
    bare = replace(state, sides=(own, replace(other, facedown=(Creature("Secret", 1, 1),))), lists=())
    assert sample_world(bare, 0, Dice(1), Pool((Energy("Spark"),))).sides[1].facedown == (Energy("Spark"),)
    message = "^no known card fits the hidden card facedown:1:0: give a pool of possible cards$"
    with pytest.raises(UnknownCardError, match=message):
        sample_world(bare, 0, Dice(1))


@pytest.mark.parametrize("count", [3, 4])
def test_other_matrix_hands_are_the_remaining_cards(count):
    state = find_game("matrix").deal(NAMES[:count], [], Dice(7)).start()
    own = Counter(state.hands[0])
    (group,) = state.unseen(0)
    assert Counter(group.cards) + own == Counter(KINDS * 4)
    assert sum(place.startswith("box:") for place in group.places) == 40 - 10 * count
    assert [place for place in group.places if place.startswith("hand:0")] == []


def test_two_player_matrix_has_perfect_information():
    state = find_game("matrix").deal(NAMES[:2], [], Dice(7)).start()
    assert state.unseen(0) == ()
    assert sample_world(state.view(1), 1, Dice(1)) == state


@pytest.mark.parametrize("name", ["grid", "matrix", "tactics"])
def test_position_equality_ignores_deal(name):
    game = find_game(name)
    one, other = (
        game.deal(NAMES[:2], [deck_for(name, random.Random(seed))] * game.decks_needed(2), Dice(seed)).start()
        for seed in (1, 2)
    )
    assert one.setup != other.setup
    assert replace(one, setup=other.setup) == one
    assert hash(replace(one, setup=other.setup)) == hash(one)


@pytest.mark.parametrize(("name", "shown"), [("grid", "cards"), ("tactics", "decks")])
def test_repr_of_position_hides_deal(name, shown):
    game = find_game(name)
    deck = deck_for(name, random.Random(1))
    setup = game.deal(NAMES[:2], [deck] * game.decks_needed(2), Dice(1))
    dealt = f"players={setup.players!r}, first={setup.first}, {shown}={getattr(setup, shown)!r}"
    assert repr(setup) == f"{type(setup).__name__}({dealt})"
    assert not any(card.name in repr(setup.start()) for card in deck)


# --- Cards that are unknown to a record or a seat -------------------------------------------------------------------


NAMES_OF_SETUPS = ("Ann", "Bob", "Cid")
WITH_DECKS = ("ninecard", "tactics")


def deal_setup(name, **options):
    game = find_game(name)
    decks = [deck_for(name, random.Random(seed)) for seed in range(game.decks_needed(2))]
    return game.deal(NAMES_OF_SETUPS[:2], decks, Dice(1), options=options)


def read_setup_of(name, setup_table):
    first = {"first": "Ann"} if find_game(name).has_first else {}
    document = {"game": name, "players": list(NAMES_OF_SETUPS[:2]), **first, "moves": [], "setup": setup_table}
    return read_document(document).require().setup


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_pictures_come_from_own_package_of_game(game):
    assert find_game(game.name).pictures.package == game.package


@pytest.mark.parametrize("name", WITH_DECKS)
def test_deck_is_listed_only_if_fully_known(name):
    table = deal_setup(name).to_table()
    assert "pile" not in table
    known = read_setup_of(name, table)
    assert [Counter(cards) for cards in known.lists] == [Counter(deck) for deck in known.decks]
    *others, last = table["decks"]["Bob"]
    gap = {**table, "decks": {**table["decks"], "Bob": [*others, "?"]}}
    assert read_setup_of(name, gap).lists == (known.lists[0], None)
    assert "pile" not in read_setup_of(name, gap).to_table()
    with_rest = read_setup_of(name, {**gap, "pile": {"Bob": [last]}})
    assert with_rest.lists == known.lists
    assert with_rest.to_table()["pile"] == {"Bob": [last]}
    assert read_setup_of(name, with_rest.to_table()) == with_rest


@pytest.mark.parametrize("name", ["matrix", *WITH_DECKS])
def test_reveal_restores_hidden_cards(name):
    game = find_game(name)
    players = NAMES_OF_SETUPS if name == "matrix" else NAMES_OF_SETUPS[:2]
    decks = [deck_for(name, random.Random(seed)) for seed in range(game.decks_needed(len(players)))]
    state = game.deal(players, decks, Dice(1)).start()
    places = [place for group in state.unseen(0) for place in group.places]
    actual = {place: card_in_hand_or_deck(state, place) for place in places}
    assert game.reveal(state.view(0), actual) == state
    shown = game.reveal(state.view(0), actual)
    assert {place: card_in_hand_or_deck(shown, place) for place in places} == actual
    assert all(game.fits(place, actual[place]) for place in places)


def card_in_hand_or_deck(state, place):
    zone, owner, *number = place.split(":")
    if zone == "box":
        return KINDS[0]
    if state.game == "tactics":
        return state.setup.cards[state.hidden_card(place)]
    hand = state.hands[int(owner)] if state.game == "matrix" else getattr(state.sides[int(owner)], zone)
    return hand[int(number[0])]


def test_matrix_hand_with_unknown_cards_is_complement_of_other():
    board = [4, 6, 3, 7, 9, 2, 1, 8, 5]
    complete = {"board": board, "hands": {"Ann": list(KINDS), "Bob": list(KINDS)}}
    for name in ("Ann", "Bob"):
        with_gaps = {**complete, "hands": {**complete["hands"], name: [*KINDS[:7], "?", "?", "?"]}}
        assert read_setup_of("matrix", with_gaps).hands == (KINDS, KINDS)
    both = {**complete, "hands": {name: [*KINDS[:9], "?"] for name in NAMES_OF_SETUPS[:2]}}
    assert read_setup_of("matrix", both).hands == ((*KINDS[:9], None),) * 2


def test_only_creatures_fit_face_down():
    game = find_game("ninecard")
    cards = (Creature("Ant", 1, 1), Energy("Spark"))
    assert [game.fits(place, one) for place in ("facedown:1:0", "hand:1:0") for one in cards] == [
        *(True, False),
        *(True, True),
    ]


@pytest.mark.parametrize(("option", "most"), [("life", 10_000), ("limit", 2_000)])
def test_ninecard_options_are_positive(option, most):
    for value in (1, most):
        assert getattr(deal_setup("ninecard", **{option: value}).options, option) == value
    for value in (0, most + 1):
        with pytest.raises(EngineError, match=f"^the option {option} must be 1 to {most}, not {value}$"):
            deal_setup("ninecard", **{option: value})


def test_tactics_needs_number_on_every_side():
    game = find_game("tactics")
    lance = card("Lance", top=1, right=2, bottom=3, left=4)
    assert game.playable_card(lance).name == "Lance"
    assert game.playable_card(replace(lance, zones={"top": 1, "right": 2, "bottom": 3})) is None


def test_record_of_deal_names_game():
    for entry in GAMES:
        assert Record(deal_setup(entry.name)).to_document()["game"] == find_game(entry.name).name == entry.name
        assert find_game(entry.name).title == entry.title
