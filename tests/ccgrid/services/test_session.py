"""Tests of game sessions: moves, undo, saving, and matches of several games."""

import random
from pathlib import Path

import pytest
from helpers.made_up import random_deck, random_side_deck

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.players import GreedyPlayer, Player
from ccgrid.engine.records.files import read_game, read_games
from ccgrid.engine.records.match import Match, MatchReader
from ccgrid.engine.records.record import Ply, Record
from ccgrid.services.match_session import MatchSession
from ccgrid.services.session import Session


def session(game: str = "grid", computers: dict[int, Player] | None = None) -> Session:
    rng = random.Random(5)
    decks = [random_deck(rng)] if game == "grid" else [random_side_deck(rng, 18) for _ in range(2)]
    setup = find_game(game).deal(["Ann", "Bob"], decks, Dice(5), first=0)
    return Session(Record(setup), computers or {}, Dice(5))


def test_news_are_other_players_moves_since_last_turn() -> None:
    game = session()
    first = game.state.legal_moves()[0]
    game.submit(0, first)
    assert [ply.move for ply in game.news()] == [first]
    assert game.last_move == first


def test_only_the_player_to_move_can_move_or_resign() -> None:
    game = session()
    with pytest.raises(EngineError, match=r"^It is Ann's turn\.$"):
        game.submit(1, "1")
    with pytest.raises(EngineError, match=r"^It is Ann's turn\.$"):
        game.resign(1)
    game.resign(0)
    assert game.resigned == "Ann"
    with pytest.raises(EngineError, match=r"^The game is over\.$"):
        game.submit(0, "1")


def test_moves_of_computer_players_are_reported() -> None:
    game = session(computers={0: GreedyPlayer(), 1: GreedyPlayer()})
    plies: list[Ply] = []
    while not game.is_over:
        plies += game.advance()
    assert [ply.move for ply in plies] == game.moves
    assert game.state.outcome() is not None
    assert game.advance() == []


def test_ending_a_turn_without_attack_makes_two_moves_that_are_undone_together() -> None:
    table = session("ninecard")
    seat, before = table.state.to_move, table.state
    table.submit(seat, "End  turn")
    assert table.moves == [f"assault {table.setup.players[1 - seat]}", "end"]
    assert table.undo() == 2
    assert table.state == before


def test_computer_does_not_move_in_the_turn_of_a_person() -> None:
    game = session(computers={1: GreedyPlayer()})
    assert game.advance() == []
    game.submit(0, "1")
    assert [ply.player for ply in game.advance()] == ["Bob"]
    assert game.undo() == 2


def test_every_change_can_be_saved_immediately(tmp_path: Path) -> None:
    game, file = session(), tmp_path / "game.toml"
    game.on_change = lambda changed: changed.save(file)
    game.submit(0, "1")
    assert read_game(file).moves == tuple(game.moves)
    game.submit(1, "1")
    game.undo()
    assert read_game(file).moves == tuple(game.moves)
    game.resign(1)
    assert read_game(file).notes == {"resigned": "Bob"}
    with pytest.raises(EngineError):
        game.submit(0, "1")
    assert game.saved_to == file


def test_change_stays_if_it_cannot_be_saved(tmp_path: Path) -> None:
    game = session()
    game.on_change = lambda changed: changed.save(tmp_path / "no" / "game.toml")
    with pytest.raises(EngineError, match="cannot be written"):
        game.submit(0, "1")
    assert (len(game.moves), game.player) == (1, "Bob")


def test_resigned_game_of_a_match_is_lost_by_one_point(tmp_path: Path) -> None:
    deck, dice, file = random_deck(random.Random(1)), Dice(1), tmp_path / "match.jsonl"

    def deal(match: Match) -> Session:
        return Session(Record(match.deal([deck], dice)), {}, dice)

    match = MatchSession.begin(Match.by_points("grid", ["Ann", "Bob"], 2), deal)
    match.session.play(match.session.state.legal_moves()[0])
    loser, scores = match.session.state.to_move, match.session.state.scores()
    match.session.resign(loser)
    assert match.end_game() is None
    assert match.match.outcomes[0].winner == 1 - loser
    assert match.match.outcomes[0].scores[loser] == scores[1 - loser] - 1
    match.next_game()
    assert match.session.setup.first == 1 - loser, "the winner starts"
    match.session.play(match.session.state.legal_moves()[0])
    match.write(file)
    reader = MatchReader()
    standings = [reader.follow(reading)[1] for reading in read_games(file)]
    assert standings[0] is not None
    assert standings[0].totals == dict(zip(("Ann", "Bob"), match.match.scores(), strict=True))


def test_a_match_deals_game_after_game_and_writes_them_all(tmp_path: Path) -> None:
    file, computers = tmp_path / "match.jsonl", {0: GreedyPlayer(), 1: GreedyPlayer()}
    deck, dice = random_deck(random.Random(1)), Dice(1)

    def deal(match: Match) -> Session:
        return Session(Record(match.deal([deck], dice)), dict(computers), dice)

    match = MatchSession.begin(Match.by_points("grid", ["Ann", "Bob"], 2), deal)
    match.write(file)
    assert not file.exists(), "nothing was begun"
    for number in (1, 2):
        assert (match.number, match.has_people) == (number, False)
        match.session.advance()
        match.write(file)
        assert [reading.check().outcome is not None for reading in read_games(file)] == [True] * (number - 1) + [False]
        while not match.session.is_over:
            match.session.advance()
        outcome = match.end_game()
        match.write(file)
        assert len([*read_games(file)]) == number
        if number == 1:
            assert outcome is None
            match.next_game()
    assert outcome is not None
    assert outcome.scores == match.match.scores()
