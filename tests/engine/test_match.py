"""Tests of matches: starting players, total points or wins, and the end of a match."""

import json
import random

import msgspec
import pytest
from helpers.made_up import deck_for, options_for
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Ending
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.four_sides import sided_card
from ccgrid.engine.games.tactics.rules import TacticsSetup
from ccgrid.engine.many.simulation import Lineup, play_out, simulate
from ccgrid.engine.notation import play
from ccgrid.engine.players import RandomPlayer
from ccgrid.engine.records.files import read_games
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import Record, read_document

ANN, BOB = 0, 1
TWO = ("Ann", "Bob")
FOUR = ("Ann", "Bob", "Cid", "Dan")

# Three equal cards each, so that no card is captured: a score is the sum of the cell values.
CELLS = {
    "Ann wins": (("b2", "a1", "a2", "a3", "b1", "c1"), (7, 3)),
    "Bob wins": (("a1", "b2", "a3", "a2", "c1", "b1"), (3, 7)),
    "draw": (("b1", "a2", "a1", "a3", "c1", "c3"), (4, 4)),
}


def tactics(result, first=ANN, players=TWO):
    """Return a finished game of tactics between players with equal cards, with the given result."""
    cells, scores = CELLS[result]
    setup = TacticsSetup(players, first, ((sided_card("Mirror", 5, 5, 5, 5),) * 3,) * len(players))
    if first == BOB:  # Bob plays the second cell of each pair first
        cells = tuple(cell for pair in zip(cells[1::2], cells[0::2], strict=True) for cell in pair)
    record = Record(setup, tuple(f"Mirror@{cell}" for cell in cells)).with_result()
    assert record.result == scores
    return record


def four_player_game(winner, first=0):
    """Return a finished game of four players: the given seat takes centre cells, the others corners."""
    setup = TacticsSetup(FOUR, first, ((sided_card("Mirror", 5, 5, 5, 5),) * 3,) * 4)
    inner, outer = ["b2", "c2", "b3"], ["a1", "d1", "a4", "d4", "a2", "a3", "d2", "d3", "b1"]
    state, moves = setup.start(), []
    while state.legal_moves():
        moves.append("Mirror@" + (inner if state.to_move == winner else outer).pop(0))
        state = play(state, moves[-1])
    return Record(setup, tuple(moves)).with_result()


# Starting players


def test_first_starting_player_is_random():
    match = Match.by_points("tactics", TWO)
    assert match.next_first is None
    decks = [deck_for("tactics", random.Random(1)) for _ in TWO]
    assert {match.deal(decks, Dice(seed)).first for seed in range(30)} == {ANN, BOB}


@pytest.mark.parametrize(("result", "winner"), [("Ann wins", ANN), ("Bob wins", BOB)])
@pytest.mark.parametrize("first", [ANN, BOB])
def test_winner_starts_next_game(result, winner, first):
    match = Match.by_points("tactics", TWO).add(tactics(result, first))
    assert match.next_first == winner
    decks = [deck_for("tactics", random.Random(1)) for _ in TWO]
    assert {match.deal(decks, Dice(seed)).first for seed in range(10)} == {winner}


@pytest.mark.parametrize("first", [ANN, BOB])
def test_other_player_starts_after_draw(first):
    assert Match.by_points("tactics", TWO).add(tactics("draw", first)).next_first == 1 - first


@pytest.mark.parametrize("first", range(4))
def test_four_players_next_seat_starts_after_draw(first):
    won = four_player_game(2, first)
    assert won.final().outcome().winner == 2
    assert Match.by_points("tactics", FOUR).add(won).next_first == 2
    setup = TacticsSetup(FOUR, first, ((sided_card("Mirror", 5, 5, 5, 5),) * 3,) * 4)
    cells = ["a1", "d1", "a4", "d4", "a2", "a3", "d2", "d3", "b1", "c1", "b4", "c4"]
    drawn = Record(setup, tuple(f"Mirror@{cell}" for cell in cells)).with_result()
    assert drawn.result == (5, 5, 5, 5)
    assert Match.by_points("tactics", FOUR).add(drawn).next_first == (first + 1) % 4


def test_match_leaves_starting_player_to_rules():
    match = Match.best_of("matrix", TWO, 3).add(random_record("matrix", 1, Match.best_of("matrix", TWO, 3)))
    assert match.next_first is None


def test_wrong_starting_player_is_rejected():
    match = Match.by_points("tactics", TWO).add(tactics("Bob wins"))
    with pytest.raises(EngineError, match=r"^Bob starts this game of the match$"):
        match.add(tactics("draw", ANN))
    assert len(match.add(tactics("draw", BOB)).records) == 2


# Total points


def test_points_of_three_games_are_added():
    match = Match.by_points("tactics", TWO)
    for record in (tactics("Ann wins"), tactics("draw", ANN), tactics("Bob wins", BOB)):
        assert match.outcome() is None
        match = match.add(record)
    assert match.scores() == (7 + 4 + 3, 3 + 4 + 7)
    assert match.ending() == Ending("all-games", "all 3 games are played")
    assert (match.outcome().winner, match.outcome().leaders) == (None, (ANN, BOB))


def test_highest_total_wins_match():
    match = Match.by_points("tactics", TWO).add_all([tactics("Ann wins"), tactics("Ann wins"), tactics("draw")])
    assert (match.outcome().scores, match.outcome().winner) == ((18, 10), ANN)


def test_points_match_plays_all_games():
    match = Match.by_points("tactics", TWO).add_all([tactics("Ann wins")] * 2)
    assert match.ending() is None


# Best of N games


def test_best_of_counts_wins_and_stops_when_decided():
    match = Match.best_of("tactics", TWO, 5).add_all([tactics("Ann wins")] * 2)
    assert (match.scores(), match.ending()) == ((2, 0), None)
    match = match.add(tactics("Ann wins"))
    assert match.ending() == Ending("decided", "no other player can catch up (games left: 2)")
    assert match.outcome().winner == ANN
    with pytest.raises(EngineError, match=r"^the match is over: no other player can catch up \(games left: 2\)$"):
        match.add(tactics("Ann wins"))
    with pytest.raises(EngineError, match="the match is over"):
        match.deal([], Dice(1))


def test_drawn_game_counts_as_played_without_win():
    match = Match.best_of("tactics", TWO, 3).add_all([tactics("draw", ANN), tactics("draw", BOB)])
    assert (match.scores(), match.ending()) == ((0, 0), None)
    match = match.add(tactics("Bob wins", ANN))
    assert match.ending() == Ending("all-games", "all 3 games are played")
    assert match.outcome().winner == BOB


def test_match_continues_while_lead_can_be_equalled():
    match = Match.best_of("tactics", TWO, 2).add(tactics("Ann wins"))
    assert match.ending() is None
    over = match.add(tactics("Bob wins", ANN))
    assert (over.scores(), over.outcome().winner) == ((1, 1), None)


def test_best_of_one_is_one_game():
    match = Match.best_of("tactics", TWO, 1).add(tactics("Bob wins"))
    assert (match.ending(), match.outcome().winner) == (Ending("all-games", "the game is played"), BOB)


# The games of a match


def test_match_accepts_only_finished_games_of_same_players_and_game():
    match = Match.best_of("tactics", TWO, 3)
    unfinished = tactics("draw")
    for record, message in (
        (
            Record(unfinished.setup, unfinished.moves[:-1]),
            "this game is not over: only a finished one counts in a match",
        ),
        (
            Record(TacticsSetup(("Bob", "Ann"), 0, unfinished.setup.decks), unfinished.moves),
            "this is a game of Bob, Ann: the match is of Ann, Bob",
        ),
        (
            random_record("matrix", 1, Match.best_of("matrix", TWO, 3)),
            "this is a game of matrix, and the match is of tactics",
        ),
    ):
        with pytest.raises(EngineError, match=f"^{message}$"):
            match.add(record)


@pytest.mark.parametrize(
    ("game", "players", "length", "message"),
    [
        ("tactics", TWO, 0, "a match has 1 to 99 games, not 0"),
        ("tactics", TWO, 100, "a match has 1 to 99 games, not 100"),
        ("tactics", (*TWO, "Cid"), 3, "tactics is for 2 or 4 players, not 3"),
        ("tictacs", TWO, 3, "There is no game"),
    ],
)
def test_invalid_match_is_rejected(game, players, length, message):
    for make in (Match.best_of, Match.by_points):
        with pytest.raises(EngineError, match=f"^{message}"):
            make(game, players, length)


def test_match_file_error_names_game_number(tmp_path):
    match = Match.by_points("tactics", TWO).add_all([tactics("Ann wins"), tactics("draw"), tactics("Bob wins", BOB)])
    file = tmp_path / "match.jsonl"
    file.write_text(match.to_json_lines())
    again = Match.by_points("tactics", TWO).add_all(reading.require() for reading in read_games(file))
    assert again == match
    with pytest.raises(EngineError, match=r"^game 3: Bob starts this game of the match$"):
        Match.by_points("tactics", TWO).add_all([*match.records[:2], tactics("Bob wins", ANN)])


def random_record(game, seed, match):
    rng = random.Random(seed)
    decks = [deck_for(game, rng) for _ in range(find_game(game).decks_needed(len(match.players)))]
    setup = match.deal(decks, Dice(seed), options=options_for(game, rng))
    moves, _ = play_out(setup.start(), [RandomPlayer()] * len(match.players), Dice(seed))
    return Record(setup, tuple(moves)).with_result()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 5))
def test_every_game_can_be_played_as_match(game, seed, length):
    match = Match.best_of(game.name, ("Ann", "Bob"), length)
    while match.outcome() is None:
        match = match.add(random_record(game.name, seed + len(match.records), match))
    wins = [outcome.winner for outcome in match.outcomes]
    assert match.scores() == (wins.count(0), wins.count(1))
    assert len(wins) == length or abs(wins.count(0) - wins.count(1)) > length - len(wins)
    points = Match.by_points(game.name, ("Ann", "Bob"), len(wins)).add_all(match.records)
    assert points.scores() == tuple(sum(record.result[seat] for record in match.records) for seat in (0, 1))


# Matches in which each deal is repeated


@pytest.mark.parametrize(
    ("players", "length", "message"),
    [
        (TWO, 3, "each deal is played 2 times: a match has 2, 4 and so on games, not 3"),
        (FOUR, 6, "each deal is played 4 times: a match has 4, 8 and so on games, not 6"),
    ],
)
def test_same_deal_is_played_from_every_seat(players, length, message):
    with pytest.raises(EngineError, match=f"^{message}$"):
        Match.best_of("tactics", players, length, same_deal=True)
    assert Match.by_points("tactics", players, same_deal=True).length == len(players)


def test_simulated_same_deal_match_counts_by_player():
    decks = FixedDecks(tuple(tuple(deck_for("tactics", random.Random(seed))) for seed in (1, 2)))
    lineup = Lineup("tactics", ("greedy", "random"), decks, 5)
    lines = []
    plan = Match.by_points("tactics", lineup.players, 4, same_deal=True)
    summary = simulate(lineup, 20, plan=plan, workers=1, write=lines.append)
    records = [read_document(json.loads(line)).require() for line in lines]
    assert len(records) == 80
    points = dict.fromkeys(lineup.players, 0)
    starts = 0
    for record in records:
        for name, score in zip(record.setup.players, record.result, strict=True):
            points[name] += score
        winner = record.final().outcome().winner
        starts += winner is not None and winner == record.setup.first
    assert summary.tally.points == summary.matches.points == [*points.values()]
    assert points["greedy-1"] > points["random-2"]
    assert summary.tally.first_player_wins == starts
    assert len({record.seed for record in records}) == 80
    assert msgspec.to_builtins(summary.answer())["match"]["same_deal"] is True


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tactics", "--same-deal"), "--same-deal is for matches"),
        (("tactics", "--match", "--best-of", "3"), "Choose"),
        (("grid", "--workers", "2", "--cluster", "tcp://localhost:1"), "leave out either the cluster or their number"),
    ],
)
def test_contradictory_match_options_are_usage_errors(shell, words, message):
    result = shell("simulate", *words, "--games", "2")
    assert result.status == 2
    assert message in result.err
