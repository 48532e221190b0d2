"""The last rounds among three and four: who holds what as far as moves tell, and others who play as greedy does."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from matrix_positions import deal, position

from engine.dice import Dice
from engine.games.matrix.cards import KINDS
from engine.games.matrix.heuristic import tried_with
from engine.games.matrix.signs import habits
from engine.games.matrix.state import order_of_play
from engine.games.matrix.table import MatrixTable, games, hoards, is_late
from engine.notation import play
from engine.players import choose_move, find_player
from engine.search import best_move, think
from engine.search.tree import WorldTree
from engine.worlds import sample_world

GREEDY = find_player("greedy")
three_or_four = pytest.mark.parametrize("players", [3, 4])


def late(players, seed, left=3):
    """The first position of a game between greedy players in which who is to move holds so many cards."""
    state = deal(players, seed).start()
    while len(state.hands[state.to_move]) > left:
        state = state.play_unchecked(choose_move(GREEDY, state, Dice(seed)))
    return state


def against(found, hands):
    return sum(found[seat][KINDS.index(kind)] for seat, hand in enumerate(hands) for kind in hand)


@three_or_four
def test_a_view_has_every_board_that_was_seen_and_what_was_played_on_it(players):
    states = [deal(players, 2).start()]
    while len(states) < 9:
        states.append(play(states[-1], states[-1].legal_moves()[-1]))
    view = states[-1].view(0)
    assert view.past == states[-1].past
    assert [(seat, board) for seat, board, _ in view.past] == [(state.to_move, state.board) for state in states[:-1]]
    again = states[0]
    for _, _, move in view.past:
        again = play(again, move)
    assert again == states[-1]
    assert order_of_play(again.board, again.order) == order_of_play(states[-1].board, states[-1].order)


@three_or_four
def test_no_move_of_a_greedy_player_speaks_against_a_card_that_it_holds(players):
    for seed in range(6):
        state = late(players, seed)
        found = habits(state).signs
        assert against(found, state.hands) == 0
        assert found == habits(state.view(state.to_move)).signs
        assert found[state.to_move] == (0,) * len(KINDS)
        assert any(map(any, found))


def test_a_move_speaks_against_every_card_of_which_a_move_would_have_looked_better():
    state = position([["shift-north"] * 3] * 3, board=(1, 2, 3, 4, 5, 6, 7, 8, 9), to_move=0)
    found = dict(zip(KINDS, habits(play(state, "shift-north c").view(1)).signs[0], strict=True))
    better = {"rotate-clockwise", "rotate-counterclockwise", "switch-corners", "switch-edges"}  # these come down
    assert found == {kind: int(kind in better) for kind in KINDS}


def test_the_rounds_that_greedy_players_try_out_tell_nothing():
    state = position([["shift-north"] * 2] * 3, board=(1, 2, 3, 4, 5, 6, 7, 8, 9), to_move=0)
    assert not any(map(any, habits(play(state, "shift-north c").view(1)).signs))


@three_or_four
def test_hands_are_dealt_of_what_is_not_seen_and_agree_with_what_was_played(players):
    broken = shuffled = 0
    for seed in range(4):
        state = late(players, seed)
        view = state.view(state.to_move)
        world, found = MatrixTable(view), habits(view).signs
        (hidden,) = view.unseen(view.to_move)
        for number in range(10):
            world.begin(Dice(number))
            drawn = world._state
            assert drawn.view(view.to_move) == view
            others = Counter(kind for seat, hand in enumerate(drawn.hands) if seat != view.to_move for kind in hand)
            assert others <= Counter(hidden.cards)
            broken += against(found, drawn.hands)
            shuffled += against(found, sample_world(view, view.to_move, Dice(number)).hands)
    assert shuffled > 10 * broken


def test_cards_that_are_known_stay_in_the_hand():
    state = position([["shift-east", "shift-north", "swap-odd"]] * 3)
    hands = (("shift-east", "shift-north", None), *state.hands[1:])
    world = MatrixTable(replace(state, hands=hands, setup=replace(state.setup, hands=hands)))
    for number in range(5):
        world.begin(Dice(number))
        assert Counter(world._state.hands[0]) >= Counter(("shift-east", "shift-north"))
        assert all(len(hand) == 3 and None not in hand for hand in world._state.hands)


@three_or_four
def test_a_round_tries_a_move_out_against_greedy_players(players):
    state = late(players, 3, left=1)
    world = MatrixTable(state.view(state.to_move))
    world.begin(Dice(5))
    by_rules, move = world._state, world.legal()[0]
    world.play(move)
    assert world.legal() == []
    dice = Dice(7)
    by_rules = play(by_rules, move)
    while legal := by_rules.legal_moves():
        other = dice.bits()
        values = [tried_with(by_rules, one, other) for one in legal]
        best = [one for one, value in zip(legal, values, strict=True) if value == max(values)]
        by_rules = play(by_rules, dice.choose(best))
    assert tuple(world.finish(Dice(7))) == by_rules.scores()


@three_or_four
def test_it_hoards_until_the_last_three_rounds(players):
    for left, early in ((4, True), (3, False), (1, False)):
        state = late(players, 1, left)
        assert (hoards(state), is_late(state)) == (early, not early)
        assert games(state, 100) == (100 if early else 20)
    assert not hoards(deal().start())
    assert not is_late(deal().start())
    assert games(deal().start(), 7) == 7
    assert games(late(players, 1), 1) == 1
    assert games(late(players, 1), None) is None


@three_or_four
def test_it_plays_the_same_in_the_last_rounds_whatever_the_others_hold(players):
    for left, rounds in ((3, 10), (2, 20), (1, 50)):
        state = late(players, left, left)
        other = sample_world(state.view(state.to_move), state.to_move, Dice(9))
        assert best_move(state, Dice(1), rounds=rounds) == best_move(other, Dice(1), rounds=rounds)
    assert think(state, Dice(1), rounds=5) == think(other, Dice(1), rounds=5)


@three_or_four
def test_with_few_games_a_move_it_wins_well_over_its_share_against_greedy_players_with_other_dice(players):
    pytest.importorskip("engine.games.matrix.compiled.rounds")
    strong, shares = find_player("strong:600"), []
    for number in range(20):
        state, seat = deal(players, number).start(), number % players
        while legal := state.legal_moves():
            if state.to_move == seat:
                move = choose_move(strong, state, Dice(number))
            else:
                view = state.view(state.to_move)
                move = max(legal, key=lambda move, view=view: tried_with(view, move, 7))
            state = state.play_unchecked(move)
        leaders = state.outcome().leaders
        shares.append(seat in leaders and 1 / len(leaders))
    assert sum(shares) / len(shares) >= 0.45


@three_or_four
def test_who_plays_as_greedy_players_do_never_slips_and_who_plays_any_card_mostly_does(players):
    random, slips, judged = find_player("random"), 0, 0
    for seed in range(6):
        assert not any(habits(late(players, seed)).slipped)
        state = deal(players, seed).start()
        while len(state.hands[state.to_move]) > 3:
            state = state.play_unchecked(choose_move(random, state, Dice(len(state.past))))
        found = habits(state)
        slips, judged = slips + sum(found.slipped), judged + sum(found.judged)
        for seat in range(players):
            assert found.slipped[seat] <= found.judged[seat] <= 7
            if 2 * found.slipped[seat] > found.judged[seat]:
                assert not any(found.signs[seat])
    assert slips > judged / 2


def test_a_move_slips_where_a_card_that_was_played_later_would_have_looked_better():
    hands = [["rotate-clockwise", "shift-north", "shift-north", "shift-north"], *[["swap-odd"] * 4] * 2]
    state = position(hands, board=(1, 2, 3, 4, 5, 6, 7, 8, 9), to_move=0)
    state = play(state, "shift-north c")
    assert habits(state.view(1)).slipped == habits(state.view(1)).judged == (0, 0, 0)
    while state.to_move != 0:
        state = play(state, state.legal_moves()[0])
    told = habits(play(state, "rotate-clockwise").view(1))
    assert (told.slipped[0], told.judged[0]) == (1, 1)


@three_or_four
def test_nobody_knows_with_which_dice_the_others_try_their_moves_out(players):
    def ends(seed):
        world = MatrixTable(late(players, seed, left=2))
        for throw in range(5):
            world.begin(Dice(1))  # the same hands
            world.play(world.legal()[0])
            yield tuple(world.finish(Dice(throw)))

    assert any(len(set(ends(seed))) > 1 for seed in range(9))


def counted(tree):
    return {move: (node.visits, node.total, node.lead, node.squares, node.seen) for move, node in tree.tried().items()}


@three_or_four
@pytest.mark.parametrize("rotate", ["quarter", "step"])
def test_compiled_it_finds_what_it_finds_in_plain_python(players, rotate):
    matrix_rounds = pytest.importorskip("engine.games.matrix.compiled.rounds")
    from engine.games.matrix.tree import MatrixTableTree

    for left, rounds in ((3, 4), (2, 6), (1, 20)):
        state = deal(players, left, options={"rotate": rotate}).start()
        while len(state.hands[state.to_move]) > left:
            state = state.play_unchecked(choose_move(find_player("random"), state, Dice(len(state.past))))
        view = state.view(state.to_move)
        plain, quick = WorldTree(MatrixTable(view), Dice(left)), MatrixTableTree(view, Dice(left), matrix_rounds)
        for by_lead in (False, True):
            plain.grow(rounds, by_lead=by_lead)
            quick.grow(rounds, by_lead=by_lead)
        assert counted(quick) == counted(plain)
        for number, move in islice(enumerate(plain.moves), 2):
            assert plain.lead(move, number) == quick.lead(move, number)
