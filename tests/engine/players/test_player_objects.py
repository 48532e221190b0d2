"""Tests that player objects are accepted wherever names are, and that their illegal moves are reported."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
from helpers.made_up import random_deck

from ccgrid import engine
from ccgrid.engine.many.comparison import compare

DECK = tuple(random_deck(random.Random(1)))
DECKS = engine.FixedDecks((DECK,))


@dataclass  # so that it is not hashable
class First(engine.PlainPlayer):
    """A player that chooses the legal move at an index, or an invalid move if there is none."""

    index: int = 0
    name: ClassVar[str] = "first"
    about: ClassVar[str] = "the first move"

    def choose(self, view, legal, dice, budget):
        return legal[self.index] if self.index < len(legal) else "nonsense"


class MinimalPlayer:
    """A player with only the required attributes and methods."""

    name = "bare"
    about = "the last move"

    def with_parameter(self, parameter):
        return self

    def prepare(self, game, tell, games, variant):
        pass

    def choose(self, view, legal, dice, budget):
        return legal[-1]


def test_lineup_accepts_player_objects_on_any_number_of_workers():
    lineup = engine.Lineup("grid", (First(), "random"), DECKS, seed=1)
    one, two = (msgspec.to_builtins(engine.simulate(lineup, 40, workers=workers).answer()) for workers in (1, 2))
    assert [(player["name"], player["policy"]) for player in one["players"]] == [
        ("first-1", "first"),
        ("random-2", "random"),
    ]
    assert {**one, "games_per_second": 0} == {**two, "games_per_second": 0}
    record = engine.play_game(lineup, 1)
    assert record.setup.players == ("first-1", "random-2")
    for ply in record:
        assert ply.player == "random-2" or ply.move == ply.state.legal_moves()[0]


@pytest.mark.parametrize("name", ["random", "greedy", "strong:5"])
def test_built_in_player_as_object_plays_as_by_name(name):
    games = [
        engine.play_game(engine.Lineup("grid", (policy, "random"), DECKS, seed=3), 2)
        for policy in (name, engine.find_player(name))
    ]
    assert games[0] == games[1]


def test_arena_accepts_player_objects():
    contestants = (
        engine.Contestant("A", MinimalPlayer()),
        engine.Contestant("B", First()),
        engine.Contestant("C", "greedy"),
    )
    summary = msgspec.to_builtins(engine.play_arena(engine.Arena("grid", contestants, DECKS, seed=1), 4).answer())
    assert [player["policy"] for player in summary["players"]] == ["bare", "first", "greedy"]
    assert engine.Arena("grid", (contestants[1], engine.Contestant("D", First())), DECKS, 1).is_mirror_match(0)


def test_ratings_and_comparisons_accept_player_objects():
    rated = msgspec.to_builtins(engine.rate_deck("grid", DECK, 4, seed=1, policies=(First(), "greedy")).figures())
    assert (rated["games"], rated["players"]) == (4, ["first", "greedy"])
    one, other = (engine.Lineup("grid", (First(), MinimalPlayer()), DECKS, 1, {"komi": komi}) for komi in (0, 1))
    compared = msgspec.to_builtins(compare(one, other, ("one", "other"), 4).answer())
    assert [player["policy"] for player in compared["players"]] == ["first", "bare"]


def test_names_are_accepted_where_objects_are():
    state = engine.find_game("grid").deal(["Ann", "Bob"], [DECK], engine.Dice(1)).start()
    assert engine.choose_move("greedy", state, engine.Dice(1)) in state.legal_moves()
    _, final = engine.play_out(state, ["random", MinimalPlayer()], engine.Dice(1))
    assert final.outcome() is not None


def test_illegal_move_of_player_names_its_file_and_line():
    line = First.choose.__code__.co_firstlineno
    message = rf'first chose "nonsense", which is not a legal move \({Path(__file__)}, line {line}\)\.'
    lineup = engine.Lineup("grid", (First(1000), "random"), DECKS, seed=1)
    with pytest.raises(engine.EngineError, match=message):
        engine.simulate(lineup, 3, workers=1)
    with pytest.raises(engine.EngineError, match=message):
        engine.choose_move(First(1000), start_of_game(), engine.Dice(1))


def start_of_game():
    return engine.find_game("grid").deal(["Ann", "Bob"], [DECK], engine.Dice(1)).start()
