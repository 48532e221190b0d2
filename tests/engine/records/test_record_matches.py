"""Tests of records of the games of a match: position in the match, starting player, and totals."""

import json
import random
from dataclasses import replace

import pytest
from helpers.made_up import deck_for, options_for
from inline_snapshot import snapshot

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import RandomPlayer
from ccgrid.engine.records.match import Match, MatchReader
from ccgrid.engine.records.record import MatchGame, Reading, Record, read_document

NAMES = ("Ann", "Bob", "Cid", "Dan")
every_game = pytest.mark.parametrize("game", [game.name for game in GAMES])


def play_match(match, seed=1):
    """Return a match that random players have played to its end."""
    rng = random.Random(seed)
    decks = [deck_for(match.game, rng) for _ in range(find_game(match.game).decks_needed(len(match.players)))]
    options = options_for(match.game, rng)
    while match.outcome() is None and len(match.records) < 6:
        dice = Dice(seed).fork(match.next_game.number)
        setup = match.deal(decks, dice, options=options)
        moves, _ = play_out(setup.start(), [RandomPlayer()] * len(setup.players), dice)
        match = match.add(Record(setup, tuple(moves), seed=dice.seed).with_result())
    return match


def follow_all(records):
    """Return the readings and standings of records that are written and read again in sequence."""
    reader = MatchReader()
    return [reader.follow(read_document(json.loads(record.to_json_line()))) for record in records]


# The position of a game


def test_record_contains_position_in_match():
    match = play_match(Match.best_of("tactics", NAMES[:2], 3))
    first, second = match.records[:2]
    assert first.to_document()["match"] == {"of": 3, "number": 1, "counts": "wins"}
    assert second.to_document()["match"] == {"of": 3, "number": 2, "counts": "wins"}
    reading = read_document(first.to_document())
    assert reading.require() == first
    assert reading.record.match == MatchGame(1, "wins", 3)
    points = play_match(Match.by_points("grid", NAMES[:2], same_deal=True)).records[1]
    assert points.to_document()["match"] == {"of": 2, "number": 2, "counts": "points", "same_deal": True}


def test_match_game_round_trips_in_toml_and_json():
    for record in play_match(Match.by_points("matrix", NAMES[:3], 6, same_deal=True)).records:
        assert read_document(json.loads(record.to_json_line())).require() == record
        assert "[match]\n" in record.to_toml()


def test_every_match_game_has_different_seed():
    seeds = [record.seed for record in play_match(Match.by_points("grid", NAMES[:2])).records]
    assert len(set(seeds)) == len(seeds) == 3


@pytest.mark.parametrize(
    ("match", "message"),
    [
        ({"of": 3, "number": 4, "counts": "points"}, snapshot("match.number: must be 1 to 3, not 4")),
        ({"of": 3, "number": 0, "counts": "points"}, snapshot("match.number: must be 1 to 3, not 0")),
        ({"number": 100, "counts": "wins"}, snapshot("match.number: must be 1 to 99, not 100")),
        ({"of": 0, "number": 1, "counts": "wins"}, snapshot("match.of: must be 1 to 99 games, not 0")),
        ({"of": 3, "number": 1, "counts": "goals"}, snapshot('match.counts: must be "points" or "wins", not "goals"')),
        ({"of": 3, "counts": "wins"}, snapshot("match.number: is missing")),
        ({"number": 1}, snapshot("match.counts: is missing")),
        ({"number": "1", "counts": "wins"}, snapshot('match.number: must be a whole number, not the text "1"')),
        (
            {"number": 1, "counts": "wins", "same_deal": 1},
            snapshot("match.same_deal: must be true or false, not the number 1"),
        ),
        ({"game": 1}, snapshot("match.game: unknown key; known here: number, counts, of, same_deal")),
        (2, snapshot("match: must be a table, not the number 2")),
    ],
)
def test_invalid_match_position_is_reported(match, message):
    document = play_match(Match.by_points("grid", NAMES[:2], 1)).records[0].to_document()
    assert str(read_document({**document, "match": match}).error) == message


# Games read in sequence


@every_game
@pytest.mark.parametrize("same_deal", [False, True])
@pytest.mark.parametrize("adds_points", [False, True])
def test_reread_match_has_same_standing(game, same_deal, adds_points):
    for seats in find_game(game).player_counts:
        make = Match.by_points if adds_points else Match.best_of
        match = play_match(make(game, NAMES[:seats], 2 * seats, same_deal=same_deal), seats)
        readings = follow_all(match.records)
        assert [reading.error for reading, _ in readings] == [None] * len(match.records)
        *before, (_, last) = readings
        assert tuple(last.totals.values()) == match.scores()
        assert last.outcome == match.outcome()
        assert all(standing.outcome is None for _, standing in before)


def test_match_of_unknown_length_has_totals():
    match = Match("grid", NAMES[:2], None, adds_points=True)
    readings = follow_all(play_match(match).records)
    assert [standing.game.of for _, standing in readings] == [None] * 6
    assert all(standing.outcome is None for _, standing in readings)
    sums = [sum(reading.record.result[seat] for reading, _ in readings) for seat in (0, 1)]
    assert [*readings[-1][1].totals.values()] == sums


def test_several_matches_in_one_file_are_separated():
    matches = [play_match(Match.by_points("grid", NAMES[:2]), seed) for seed in (1, 2)]
    readings = follow_all([*matches[0].records, *matches[1].records])
    ends = [standing for _, standing in readings if standing.outcome is not None]
    assert [tuple(end.totals.values()) for end in ends] == [match.scores() for match in matches]


def test_wrong_starting_player_is_reported_with_reason():
    match = play_match(Match.by_points("grid", NAMES[:2]))
    one, two, three = match.records
    winner = match.outcomes[0].winner
    other = Record(replace(two.setup, first=1 - winner), match=two.match)
    readings = follow_all([one, other, three])
    name = NAMES[winner]
    message = f'first: must be "{name}" in game 2 of the match: "{name}" won game 1'
    assert [str(reading.error) for reading, _ in readings] == ["None", message, "None"]
    assert readings[2][1].totals is None


def test_next_seat_starts_after_draw():
    match = next(
        match
        for seed in range(100)
        if (match := play_match(Match.by_points("tactics", NAMES[:2]), seed)).outcomes[0].winner is None
    )
    one, two, _ = match.records
    other = Record(replace(two.setup, first=one.setup.first), match=two.match)
    *_, (reading, _) = follow_all([one, other])
    name = NAMES[1 - one.setup.first]
    message = f'must be "{name}" in game 2 of the match: game 1 was a draw, and it is the next seat\'s turn'
    assert reading.error.message == message


def test_missing_or_repeated_game_is_reported():
    one, two, three = play_match(Match.by_points("grid", NAMES[:2])).records
    for records, message in (
        ([one, three], "match.number: is 3, and the game before it is 1"),
        ([one, two, two], "match.number: is 2, and the game before it is 2"),
        ([replace(one, moves=one.moves[:3], result=None), two], "match.number: is 2, but game 1 is not over"),
    ):
        assert str(follow_all(records)[-1][0].error) == message


def test_game_after_decided_match_is_reported():
    match = next(
        match
        for seed in range(100)
        if len((match := play_match(Match.best_of("tactics", NAMES[:2], 5), seed)).records) == 3
    )
    extra = replace(match.records[-1], match=MatchGame(4, "wins", 5))
    assert str(follow_all([*match.records, extra])[-1][0].error).startswith(
        "match: the match is over: no other player can catch up"
    )


def test_single_later_game_has_no_totals():
    one, two, three = play_match(Match.by_points("grid", NAMES[:2])).records
    for records in ([two], [replace(one, match=None), two], [two, three]):
        readings = follow_all(records)
        assert [reading.error for reading, _ in readings] == [None] * len(records)
        assert readings[-1][1].totals is None


def test_game_of_other_players_or_match_does_not_continue_match():
    one, two, _ = play_match(Match.by_points("grid", NAMES[:2])).records
    others = Record(replace(two.setup, players=("Eve", "Fay")), match=two.match)
    for record in (others, replace(two, match=MatchGame(2, "wins", 3))):
        (_, first), (reading, standing) = follow_all([one, record])
        assert (first.totals is None, reading.error, standing.totals) == (False, None, None)


def test_unfinished_game_must_be_last_of_match():
    one, two, _ = play_match(Match.by_points("grid", NAMES[:2])).records
    *_, (reading, standing) = follow_all([one, replace(two, moves=two.moves[:3], result=None)])
    assert reading.error is None
    assert tuple(standing.totals.values()) == one.result
    assert standing.outcome is None


def test_unreadable_game_ends_match():
    one, two, _ = play_match(Match.by_points("grid", NAMES[:2])).records
    reader = MatchReader()
    reader.follow(read_document(one.to_document()))
    assert reader.follow(Reading("broken")) == (Reading("broken"), None)
    assert reader.follow(read_document(two.to_document()))[1].totals is None


# Matches in which each deal is repeated


@every_game
def test_same_deal_match_exchanges_seats(game):
    for seats in find_game(game).player_counts:
        match = play_match(Match.by_points(game, NAMES[:seats], 2 * seats, same_deal=True))
        for number, record in enumerate(match.records):
            turn = number % seats
            assert record.setup.players == (*NAMES[turn:seats], *NAMES[:turn])
            deal = match.records[number - turn].setup
            assert record.setup == replace(deal, players=record.setup.players)
        assert match.records[0].setup != replace(match.records[seats].setup, players=NAMES[:seats])
        totals = [
            sum(dict(zip(r.setup.players, r.result, strict=True))[name] for r in match.records)
            for name in NAMES[:seats]
        ]
        assert match.scores() == tuple(totals)


def test_wrong_deal_or_starting_player_is_reported():
    one, two = play_match(Match.by_points("grid", NAMES[:2], same_deal=True)).records
    cards = two.setup.cards
    setup = replace(two.setup, cards=(*cards[:-2], cards[-1], cards[-2]), moving=(), facing=(), deck=())
    other = Record(setup, match=two.match)
    assert str(follow_all([one, other])[-1][0].error) == (
        "match: this is another deal: the last one is played again with the seats exchanged"
    )
    name = two.setup.players[two.setup.first]
    other_starter = Record(replace(two.setup, first=1 - two.setup.first), match=two.match)
    assert str(follow_all([one, other_starter])[-1][0].error) == (
        f'first: must be "{name}" in game 2 of the match: the deal is played again with the seats exchanged'
    )
    same_seats = Record(replace(two.setup, players=NAMES[:2]), match=two.match)
    assert (
        str(follow_all([one, same_seats])[-1][0].error) == "match: this is a game of Ann, Bob: the match is of Bob, Ann"
    )
