"""Tests of records with unknown cards, which are written as question marks."""

import random

import pytest
from helpers.made_up import deck_for, options_for

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.games import find_game
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.games.matrix.rules import COPIES
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import RandomPlayer
from ccgrid.engine.records.record import Record, read_document
from ccgrid.engine.worlds import Pool, sample_world
from ccgrid.services.tables import reopen

NAMES = ("Ann", "Bob", "Cid", "Dan")


def random_game(game, players=2, seed=1):
    rng = random.Random(seed)
    dice = Dice(seed)
    decks = [deck_for(game, rng) for _ in range(find_game(game).decks_needed(players))]
    setup = find_game(game).deal(NAMES[:players], decks, dice, options=options_for(game, rng))
    moves, _ = play_out(setup.start(), [RandomPlayer()] * players, dice)
    return Record(setup, tuple(moves))


def unplayed_cards(record, cards, player):
    """Return the indices of a player's cards that no move names."""
    named = {ply.move.rpartition("@")[0] for ply in record if ply.player == player}
    return [number for number, card in enumerate(cards) if card["name"] not in named]


def with_unknown_cards(record, player):
    """Return the document of a game of tactics with a question mark for each unplayed card of a player."""
    document = record.to_document()
    deck = document["setup"]["decks"][player]
    for number in unplayed_cards(record, deck, player):
        deck[number] = UNKNOWN
    return document


@pytest.mark.parametrize("players", [2, 4])
def test_tactics_record_is_scored_without_unplayed_cards(players):
    for seed in range(20):
        record = random_game("tactics", players, seed)
        document = with_unknown_cards(record, "Bob")
        assert UNKNOWN in document["setup"]["decks"]["Bob"]
        reading = read_document(document)
        assert reading.error is None
        assert reading.state.scores() == record.final().scores()
        assert reading.record.to_document() == document
        assert reading.state.outcome() == record.final().outcome()


def test_playing_unknown_tactics_card_is_an_error():
    record = random_game("tactics")
    document = with_unknown_cards(record, "Bob")
    deck = document["setup"]["decks"]["Bob"]
    number, move = next((number, ply.move) for number, ply in enumerate(record) if ply.player == "Bob")
    document["setup"]["decks"]["Bob"] = [UNKNOWN] * len(deck)
    error = read_document(document).error
    assert error.where.startswith(f"moves[{number}]")
    name = move.rpartition("@")[0]
    assert error.message == f'"Bob" has no "{name}" in hand, but the record does not name 3 of the cards'


def test_drawing_unknown_card_in_view_raises():
    state = read_document(with_unknown_cards(random_game("tactics"), "Bob")).record.setup.start()
    view = state.view(state.to_move)
    with pytest.raises(UnknownCardError, match="draws a card that is not known"):
        view.play_unchecked(view.legal_moves()[0])


def test_view_setup_round_trips_with_unknown_cards():
    setup = random_game("tactics").setup
    table = setup.start().view(0).setup.to_table()
    assert [entry == UNKNOWN for entry in table["decks"]["Ann"]] == [False] * 3 + [True] * 15
    assert set(table["decks"]["Bob"]) == {UNKNOWN}
    assert find_game("tactics").read_setup(table, NAMES[:2], setup.first).to_table() == table
    hands = random_game("matrix", 3).setup.start().view(1).setup.to_table()["hands"]
    assert [hands[name].count(UNKNOWN) for name in NAMES[:3]] == [10, 0, 10]


@pytest.mark.parametrize("game", ["tactics", "matrix"])
def test_positions_with_unknown_cards_can_be_sampled(game):
    record = random_game(game, 2 if game == "tactics" else 3)
    start = record.setup.start()
    seat = start.to_move
    document = record.to_document() | {"moves": []}
    others = [name for name in record.setup.players if name != record.setup.players[seat]]
    dealt = document["setup"]["decks" if game == "tactics" else "hands"]
    for name in others:
        dealt[name] = [UNKNOWN] * len(dealt[name])
    state = read_document(document).state
    pool = Pool.of(find_game(game), deck_for(game, random.Random(2)))
    for seed in range(5):
        world = sample_world(state, seat, Dice(seed), pool)
        assert world.view(seat).legal_moves() == start.legal_moves()
        _, final = play_out(world, [RandomPlayer()] * len(record.setup.players), Dice(seed))
        assert final.outcome() is not None


# Matrix


@pytest.mark.parametrize("players", [2, 3, 4])
def test_matrix_record_needs_only_played_cards(players):
    record = random_game("matrix", players)
    half = Record(record.setup, record.moves[: 4 * players])
    document = half.to_document()
    hands = half.final().hands
    for seat, name in enumerate(record.setup.players):
        unplayed = list(hands[seat])
        played = list(half.setup.hands[seat])
        for kind in unplayed:
            played.remove(kind)
        document["setup"]["hands"][name] = [*played, *[UNKNOWN] * len(unplayed)]
    reading = read_document(document)
    assert reading.error is None
    assert reading.state.scores() == half.final().scores()
    assert reading.state.board == half.final().board
    assert reading.record.to_document() == document
    claimed = {**document, "result": {"scores": dict(zip(record.setup.players, reading.state.scores(), strict=True))}}
    assert str(read_document(claimed).error) == (
        "result: there is none yet: the game is not over, the player to move holds unknown cards"
    )


def test_one_known_matrix_hand_determines_the_other():
    record = random_game("matrix")
    document = record.to_document()
    document["setup"]["hands"]["Bob"] = [UNKNOWN] * 10
    reading = read_document(document)
    assert reading.require().setup == record.setup
    document["setup"]["hands"]["Ann"][0] = UNKNOWN
    setup = read_document({**document, "moves": []}).record.setup
    assert [hand.count(None) for hand in setup.hands] == [1, 10]
    state = setup.start()
    (group,) = state.unseen(0)
    assert len(group.places) == len(group.cards) == 11
    assert sample_world(state, 0, Dice(1)).hands[1].count(None) == 0


def test_partly_known_hands_cannot_exceed_existing_cards():
    document = random_game("matrix").to_document()
    kind = KINDS[0]
    document["setup"]["hands"] = {"Ann": [kind, kind, UNKNOWN, *KINDS[1:8]], "Bob": [kind, *[UNKNOWN] * 9]}
    error = read_document(document).error
    assert str(error) == (
        f"setup.hands.Bob[0]: is one {kind} too many: there are {COPIES[2]} of each card for 2 players"
    )


# Ninecard


def test_ninecard_record_is_valid_until_unknown_card_matters():
    for seed in range(30):
        record = random_game("ninecard", seed=seed)
        document = record.to_document()
        named = {" ".join(ply.move.split(" ")[1:]) for ply in record} | {ply.move[5:-2] for ply in record}
        for deck in document["setup"]["decks"].values():
            deck[:] = [card if card["name"] in named else UNKNOWN for card in deck]
        reading = read_document(document)
        assert reading.record.to_document() == document
        if reading.error is None:
            assert reading.state.scores() == record.final().scores()
        else:
            assert reading.error.message.endswith("is out depends on cards not known")


def test_playing_unknown_ninecard_card_is_an_error():
    record = random_game("ninecard")
    document = record.to_document()
    document["setup"]["decks"] = {name: [UNKNOWN] * 12 for name in NAMES[:2]}
    document["moves"] = ["energy Amber Drake"]
    error = read_document(document).error
    assert error.message == 'there is no "Amber Drake" in your hand, but the record does not name 6 of the cards'


def test_search_samples_unknown_ninecard_cards():
    record = random_game("ninecard", seed=3)
    document = record.to_document() | {"moves": []}
    start = record.setup.start()
    other = NAMES[1 - start.to_move]
    document["setup"]["decks"][other] = [UNKNOWN] * 12
    state = read_document(document).state
    assert state.legal_moves() == start.legal_moves()
    world = sample_world(
        state, start.to_move, Dice(1), Pool.of(find_game("ninecard"), deck_for("ninecard", random.Random(1)))
    )
    _, final = play_out(world, [RandomPlayer()] * 2, Dice(1))
    assert final.outcome() is not None


# Continued games


def test_unordered_pile_is_shuffled_when_game_continues():
    record = random_game("grid")
    start = Record(record.setup.first_known(11), record.moves[:1])
    sessions = [reopen(start, seed) for seed in (1, 1, 2)]
    piles = [session.setup.cards[11:] for session in sessions]
    assert piles[0] == piles[1] != piles[2]
    for session, pile in zip(sessions, piles, strict=True):
        assert sorted(card.name for card in pile) == sorted(card.name for card in record.setup.cards[11:])
        assert session.setup.cards[:11] == record.setup.cards[:11]
        assert session.state.taken == start.final().taken


def test_game_with_unknown_cards_cannot_be_continued():
    for game in ("tactics", "matrix", "ninecard"):
        document = random_game(game, 3 if game == "matrix" else 2).to_document() | {"moves": []}
        dealt = document["setup"]["hands" if game == "matrix" else "decks"]
        dealt["Bob"] = [UNKNOWN, *dealt["Bob"][1:]]
        with pytest.raises(CatalogError, match=r'^Some cards of this game are unknown \("\?"\): it can be checked'):
            reopen(read_document(document).require(), 1)
