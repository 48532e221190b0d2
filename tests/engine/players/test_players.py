"""Tests of the choices of computer players, and that players see only their seat's view."""

import random
from collections import Counter

import pytest
from helpers.game_positions import positions
from helpers.made_up import PASSIVE_CARD, card, grid_of, random_deck

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import PLAYERS, choose_move, find_player
from ccgrid.services.session import typed_move


def test_unknown_player_error_suggests_similar_name():
    assert find_player("random") is PLAYERS[0]
    with pytest.raises(EngineError, match=r"There is no computer player 'Gredy'\. Did you mean greedy"):
        find_player("Gredy")
    with pytest.raises(EngineError, match=r"'clairvoyant'\. There are: random, greedy"):
        find_player("clairvoyant")


def position_with_choices():
    """Return a position in which card a1 can capture three neighbours, two of them with the highest score."""
    neighbours = {cell: card(top=0, bottom=0, score=score) for cell, score in (("b1", 3), ("a2", 9), ("b2", 9))}
    return grid_of([PASSIVE_CARD] * 11, a1=card(top=0, right=1, bottom=1, bottom_right=1), **neighbours)


def test_random_player_chooses_uniformly():
    dice = Dice(1)
    counts = Counter(choose_move(find_player("random"), position_with_choices(), dice) for _ in range(3000))
    assert set(counts) == {"a1xa2", "a1xb1", "a1xb2"}
    assert min(counts.values()) > 3000 / len(counts) * 0.85


def test_greedy_player_maximises_score_and_breaks_ties_at_random():
    dice = Dice(1)
    counts = Counter(choose_move(find_player("greedy"), position_with_choices(), dice) for _ in range(1000))
    assert set(counts) == {"a1xa2", "a1xb2"}
    assert min(counts.values()) > 400


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
def test_player_does_not_see_draw_pile(player):
    seen = []

    class Spy:
        name = about = "spy"

        def choose(self, view, legal, dice, budget):
            seen.append(view)
            return player.choose(view, legal, dice, budget)

    setup = GAMES[0].deal(["Ann", "Bob"], [random_deck(random.Random(3))], Dice(4))
    move = choose_move(Spy(), setup.start(), Dice(5))
    assert move in setup.start().legal_moves()
    assert [len(view.setup.cards) for view in seen] == [9]


@pytest.mark.parametrize("player", [each for each in PLAYERS if each.name != "best"], ids=lambda player: player.name)
def test_choice_depends_only_on_given_dice(player):
    state = GAMES[0].deal(["Ann", "Bob"], [random_deck(random.Random(3))], Dice(4)).start()
    chosen = [choose_move(player, state, Dice(6)) for _ in range(5)]
    assert len(set(chosen)) == 1


def test_player_name_round_trips():
    for player in PLAYERS:
        assert find_player(str(player)) is player
        assert str(player) == player.name


def test_invalid_parameter_is_rejected():
    with pytest.raises(EngineError, match=r'^greedy takes no parameter: write greedy, not "greedy:3"$'):
        find_player("greedy:3")
    with pytest.raises(
        EngineError, match=r"^There is no computer player 'stout'.* greedy, strong, easy, fair, hard, best, medium\.$"
    ):
        find_player("stout:0.2s")


@pytest.mark.parametrize("game", GAMES.names)
@pytest.mark.parametrize("name", ["random", "greedy", "strong:2"])
def test_choosing_move_after_end_of_game_raises(game, name):
    *_, (final, _) = positions(game, 2, 2)
    with pytest.raises(EngineError, match=r"^The game is over"):
        choose_move(find_player(name), final, Dice(1))


def test_ninecard_lists_moves_that_end_a_phase_last():
    for state, _ in positions("ninecard", 3, 3):
        listed, legal = find_game("ninecard").move_menu(state), state.legal_moves()
        assert [move for move in listed if not ends_phase(move)] == [move for move in legal if not is_assault(move)]
        assert {move for move in listed if is_assault(move)} <= set(legal)
        assert sorted(map(ends_phase, listed)) == list(map(ends_phase, listed))
        assert (listed[-1:] == ("end turn",)) == any(map(is_assault, legal))
        for number, move in enumerate(listed, 1):
            assert typed_move(state, str(number)) == move


def is_assault(move):
    return move.startswith("assault ")


def ends_phase(choice):
    return is_assault(choice) or choice == "end turn"
