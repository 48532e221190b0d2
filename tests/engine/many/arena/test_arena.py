"""Who is better: pairs of games, their statistics against plain formulas, and tests that stop by themselves."""

import random
from itertools import product

import pytest
from arenas import GRID, arena
from helpers.made_up import random_side_deck

from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.arena import Arena, Contestant, play_arena
from ccgrid.engine.many.comparison import Sprt, half_points
from ccgrid.engine.many.kernels import find_kernel
from ccgrid.engine.many.runner import Runner
from ccgrid.engine.many.simulation import play_game


def test_a_pair_is_one_deal_with_seats_exchanged():
    one, other = arena("greedy", "random").lineups(0)
    for number in range(1, 20):
        first, second = play_game(one, number), play_game(other, number)
        assert first.setup.cards == second.setup.cards
        assert first.setup.first == second.setup.first
        assert first.setup.players == ("greedy-1", "random-2")
        assert second.setup.players == ("random-1", "greedy-2")


def test_who_brings_a_deck_takes_it_to_the_other_seat():
    decks = [tuple(random_side_deck(random.Random(seed))) for seed in (1, 2)]
    made = Arena(
        "tactics", tuple(Contestant(name, "greedy", deck) for name, deck in zip("AB", decks, strict=True)), GRID, 3
    )
    one, other = made.lineups(0)
    assert one.decks.decks == tuple(decks)
    assert other.decks.decks == tuple(decks[::-1])


def test_every_meeting_has_deals_of_its_own():
    made = arena("random", "greedy", "random")
    assert made.meetings == [(0, 1), (0, 2), (1, 2)]
    assert len({made.lineups(meeting)[0].seed for meeting in range(3)}) == 3


def test_what_is_counted_is_what_the_records_say():
    made = arena("greedy", "random", "greedy")
    found = play_arena(made, 60).to_dict()
    points = [0.0] * 3
    for meeting, (one, other) in enumerate(made.meetings):
        for (sat, lineup), number in product(enumerate(made.lineups(meeting)), range(1, 31)):
            mine = half_points(*play_game(lineup, number).result) / 2
            seats = (other, one) if sat else (one, other)
            points[seats[0]] += mine
            points[seats[1]] += 1 - mine
    assert [player["points"] for player in found["players"]] == points
    assert [player["games"] for player in found["players"]] == [120, 120, 120]
    assert found["games"] == 180
    assert found["los"] is None
    assert found["sprt"] is None


@pytest.mark.parametrize("game", ["grid", "tactics", "matrix"])
def test_kernels_and_the_readable_rules_count_the_same(game, monkeypatch):
    decks = {"grid": GRID, "matrix": FixedDecks(())}.get(
        game, FixedDecks(tuple(faction.cards for faction in FACTIONS.bundled()[:2]))
    )
    made = arena("greedy", "random", game=game, decks=decks)
    monkeypatch.setattr("ccgrid.engine.many.arena.find_kernel", lambda *_, **__: None)
    plain = play_arena(made, 60, runner=Runner(1))
    monkeypatch.setattr(
        "ccgrid.engine.many.arena.find_kernel", lambda lineup, *_, **__: find_kernel(lineup)
    )  # however few games
    assert play_arena(made, 60, runner=Runner(1)).to_dict() == plain.to_dict()


def test_counts_do_not_depend_on_who_plays(tmp_path):
    made = arena("greedy", "random")
    alone = play_arena(made, 3000, runner=Runner(1))
    assert play_arena(made, 3000, runner=Runner(2)) == alone
    for games in (1000, 1000, 3000):
        gone_on = play_arena(made, games, resume=tmp_path / "kept.json")
    assert gone_on == alone
    with pytest.raises(EngineError, match="other games"):
        play_arena(arena("greedy", "greedy"), 3000, resume=tmp_path / "kept.json")


def test_an_odd_number_of_games_is_one_more():
    assert play_arena(arena("greedy", "random"), 7).to_dict()["games"] == 8


@pytest.mark.parametrize("games", [0, -1])
def test_there_is_at_least_one_game(games):
    with pytest.raises(EngineError, match="at least 1"):
        play_arena(arena("greedy", "random"), games)


def test_one_contestant_is_too_few_and_three_are_too_many_for_a_test():
    with pytest.raises(EngineError, match="needs two contestants"):
        play_arena(arena("greedy"), 10)
    with pytest.raises(EngineError, match="two contestants"):
        play_arena(arena("greedy", "random", "random"), 10, test=Sprt(0, 10))


@pytest.mark.usefixtures("tilted")
def test_a_player_who_is_a_little_better_is_told_apart():
    found = play_arena(arena("tilted", "random"), 2000, test=Sprt(0, 40), runner=Runner(1)).to_dict()
    assert found["sprt"]["decided"] == "elo1"
    assert found["los"] > 0.99
    assert found["players"][0]["elo_low"] > 0 > found["players"][1]["elo_high"]
    worse = play_arena(arena("random", "tilted"), 2000, test=Sprt(0, 40), runner=Runner(1)).to_dict()
    assert worse["sprt"]["decided"] == "elo0"
    assert worse["los"] < 0.01


@pytest.mark.usefixtures("tilted")
def test_a_player_is_not_told_apart_from_itself():
    found = play_arena(arena("tilted", "tilted"), 400, runner=Runner(1)).to_dict()
    assert found["players"][0]["elo_low"] <= 0 <= found["players"][0]["elo_high"]


def test_damaged_counts_of_meetings_are_told_and_stay(tmp_path):
    kept = tmp_path / "kept.json"
    play_arena(arena("greedy", "random"), 20, resume=kept)
    damaged = kept.read_text().replace('"counts":[[', '"counts":[[0,')
    kept.write_text(damaged)
    with pytest.raises(EngineError, match="is damaged"):
        play_arena(arena("greedy", "random"), 40, resume=kept)
    assert kept.read_text() == damaged


def test_between_one_player_and_itself_shares_are_even_for_certain_and_nothing_is_to_be_tested():
    one, other = play_arena(arena("greedy", "greedy"), 60).to_dict()["players"]
    assert [one[key] for key in ("share", "stderr", "elo", "elo_low", "elo_high")] == [0.5, 0, 0, 0, 0]
    assert one["points"] == other["points"]
    with pytest.raises(EngineError, match="the same player with the same cards"):
        play_arena(arena("greedy", "greedy"), 60, test=Sprt(0, 10))
