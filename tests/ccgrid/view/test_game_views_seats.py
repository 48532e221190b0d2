"""What is hidden from a seat in a picture, and what is seen."""

import random
from typing import Any

import pytest
from helpers.game_positions import NAMES, every_game, named, positions, tactics
from helpers.made_up import random_battle_deck, random_side_deck

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.games.four_sides.cards import sided_card
from ccgrid.engine.games.matrix.state import MatrixSetup
from ccgrid.engine.notation import play
from ccgrid.engine.records.record import Ply
from ccgrid.view.games import describe_move, draw_state, show_position, tell


def visible_names(game: str, seat: int, state: Any, last: str | None) -> str:
    view = state.view(seat)
    texts = [draw_state(game, view, last, seat).plain]
    texts += [describe_move(game, view, move) for move in view.legal_moves()] if state.to_move == seat else []
    return "\n".join(texts)


# --- what is hidden -----------------------------------------------------------------------------------------------


def test_a_seat_of_tactics_is_shown_its_own_hand_and_what_lies_on_the_board_and_no_other_card() -> None:
    rng = random.Random(2)
    decks = [named(random_side_deck(rng), owner) for owner in ("A", "B", "C", "D")]
    state: Any = find_game("tactics").deal(NAMES, decks, Dice(2)).start()
    last = None
    while moves := state.legal_moves():
        for seat in range(4):
            shown = visible_names("tactics", seat, state, last)
            open_cards = {card.name for cell in state.table.board.cells if (card := state.card_on(cell))}
            open_cards |= {card.name for card in state.cards_captured(seat)}
            own = {card.name for card in state.hand(seat)}
            everything = {card.name for card in state.setup.cards}
            for name in everything - open_cards - own:
                assert name not in shown
            assert all(name in shown for name in own)
        last = rng.choice(moves)
        state = play(state, last)


def test_a_seat_of_ninecard_is_shown_no_other_hand_no_deck_and_not_what_lies_face_down() -> None:
    rng = random.Random(2)
    decks = [named(random_battle_deck(rng, 20), owner) for owner in "ABC"]
    state: Any = find_game("ninecard").deal(NAMES[:3], decks, Dice(2), options={"facedown": True, "limit": 20}).start()
    last = None
    while moves := state.legal_moves():
        for seat in range(3):
            shown = visible_names("ninecard", seat, state, last)
            for owner, side in enumerate(state.sides):
                hidden = [*side.deck, *(() if owner == seat else (*side.hand, *side.facedown))]
                public = [*side.grid, *side.energy, *side.discard]
                for name in {card.name for card in hidden} - {card.name for card in public if card}:
                    assert name not in shown
        last = rng.choice([move for move in moves if move.startswith("facedown")] or moves)
        told = tell("ninecard", [Ply(state, last)])
        if last.startswith("facedown"):
            assert told == [f"{told[0].partition(':')[0]}: a creature laid face down as energy"]
        state = play(state, last)


def test_three_players_of_matrix_do_not_see_each_others_cards_but_what_was_played() -> None:
    hands = (
        ("shift-east",) * 4 + ("swap-odd",) * 4 + ("swap-even",) * 2,
        ("shift-north",) * 2 + ("shift-west",) * 4 + ("switch-edges",) * 4,
        ("rotate-clockwise",) * 4 + ("shift-south",) * 4 + ("switch-corners",) * 2,
    )
    state: State = MatrixSetup(NAMES[:3], tuple(range(1, 10)), hands).start()
    seen = draw_state("matrix", state.view(0), None, 0).plain
    assert "Cid holds 10 cards" in seen
    assert not any(kind in seen for kind in {*hands[1], *hands[2]})
    while state.to_move != 1:
        state = play(state, state.legal_moves()[0])
    state = play(state, "shift-north a")
    assert "shift-north" in draw_state("matrix", state.view(0), None, 0).plain


def numbers_on(drawn: str, label: str, inner: int = 16) -> list[str]:
    """The numbers of the tile with this label: top, left, right, bottom."""
    lines = drawn.split("\n")
    [top] = [index for index, line in enumerate(lines) if label in line]
    start = lines[top].index(label)
    inside = " ".join(line[start - 2 : start - 2 + inner] for line in lines[top + 1 : top + 5])
    return [part for part in inside.split() if part.isdigit()]


# --- what is seen -------------------------------------------------------------------------------------------------


def test_cards_of_tactics_lie_as_the_seat_that_looks_sees_them_and_say_whose_they_are() -> None:
    state = play(play(tactics(), "Spear@b1"), "Lamp@c3")
    south = draw_state("tactics", state.view(0), "Lamp@c3", 0).plain
    assert "▶c3 ○ N Bob◀" in south
    assert numbers_on(south, "b1 ● S Ann") == ["1", "4", "2", "3"]
    assert numbers_on(south, "c3 ○ N Bob") == ["8", "7", "9", "6"], "turned by a half turn"
    north = draw_state("tactics", state.view(1), "Lamp@c3", 1).plain
    assert numbers_on(north, "c3 ○ N Bob") == ["6", "9", "7", "8"]
    assert south.index("a1") < south.index("c3")
    assert north.index("c3") < north.index("a1"), "north sees the board from the other side"
    assert "Spear" not in draw_state("tactics", tactics().view(1), None, 1).plain


def test_west_and_east_see_the_board_from_their_sides() -> None:
    decks = [[sided_card(f"{owner}{n}", 1, 2, 3, 4) for n in range(3)] for owner in "ABCD"]
    state: Any = find_game("tactics").deal(list("SWNE"), decks, Dice(1), first=1).start()
    state = play(state, next(move for move in state.legal_moves() if move.endswith("@b2")))
    first_cells = {}
    for seat in range(4):
        drawn = draw_state("tactics", state.view(seat), None, seat).plain
        first_cells[seat] = drawn.split("\n")[1].split()[1]
        assert (numbers_on(drawn, "b2 ○ W W", 12) == ["1", "4", "2", "3"]) is (seat == 1), (
            "upright for who played it alone"
        )
    assert first_cells == {0: "a1", 1: "d1", 2: "d4", 3: "a4"}


def test_what_a_move_of_tactics_gains_and_takes_is_said() -> None:
    state = play(play(tactics(), "Spear@b1"), "Flag@c3")
    state = play(state, "Shield@c2")
    assert describe_move("tactics", tactics(), "Spear@b2") == "+3"
    before = play(play(tactics(), "Spear@b1"), "Flag@c3")
    assert before.captures("Shield@c2") == ("c3",)
    assert describe_move("tactics", before, "Shield@c2") == "+3, takes Flag on c3"
    assert state.scores() == (2 + 2 + 1, 0)


def test_the_matrix_has_its_players_around_it_with_their_scores_and_the_round() -> None:
    hands = tuple(tuple(sorted(("shift-east", "swap-odd") * 5)) for _ in range(4))
    state = MatrixSetup(("Ann", "Bob", "Cid", "Dan"), (4, 6, 3, 7, 9, 2, 1, 8, 5), hands).start()
    lines = draw_state("matrix", state.view(0), None, 0).plain.split("\n")
    assert lines[0] == "Round 1 of 10, played in this order: Ann, Cid, Bob, Dan"
    assert lines[1].strip() == "N Cid 13"
    assert lines[5].startswith("W Bob 12")
    assert lines[5].endswith("E Dan 10")
    assert [lines[row].split("│")[1:4] for row in (3, 5, 7)] == [
        ["   4   ", "   6   ", "   3   "],
        ["   7   ", "   9   ", "   2   "],
        ["   1   ", "   8   ", "   5   "],
    ]
    assert lines[9].strip() == "S Ann 14"
    marked = draw_state("matrix", play(state, "shift-east 2").view(1), "shift-east 2", 1).plain
    assert [part for part in marked.split() if part.startswith("▶")] == ["▶2◀", "▶7◀", "▶9◀"]


def test_two_players_of_matrix_see_both_hands() -> None:
    hands = (("shift-east",) * 2 + ("swap-odd",) * 2, ("shift-north",) * 2 + ("switch-edges",) * 2)
    full = tuple(hand + ("rotate-clockwise",) * 6 for hand in hands)
    state = MatrixSetup(("Ann", "Bob"), tuple(range(1, 10)), full).start()
    drawn = " ".join(draw_state("matrix", state.view(0), None, 0).plain.split())
    assert "2 shift-north" in drawn
    assert "6 rotate-clockwise" in drawn


def ninecard(**options: Any) -> Any:
    cards = [Card("", "", "Wolf", {}, 0, attack=1, defense=0), Card("", "", "Forest", {}, 0)]
    rules = find_game("ninecard")
    return rules.deal(["Ann", "Bob"], [cards * 10, cards * 10], Dice(1), first=0, options=options).start()


def test_grids_of_ninecard_face_each_other_front_to_front_in_the_same_columns() -> None:
    state = ninecard()
    for move in ("energy Forest", "play Wolf b", "assault Bob", "attack b1", "end", "energy Forest", "play Wolf c"):
        state = play(state, move)
    lines = draw_state("ninecard", state.view(0), None, 0).plain.split("\n")
    rows = [line for line in lines if line[:1] in "123"]
    assert [row[0] for row in rows] == ["3", "2", "1", "1", "2", "3"]
    assert "Wolf" in rows[2].split("│")[3], "Bob's, in column c"
    assert "Wolf" in rows[3].split("│")[2], "Ann's, in column b"
    assert rows[3].split("│")[2].split() == ["Wolf", "1/0"]
    assert any("Bob: life 49, energy 0 of 1 ready" in line for line in lines)
    assert any("Ann: life 50, energy 1 of 1 ready, hand 5, deck" in line for line in lines)
    assert any(line.startswith("Your hand: ") and "Wolf 1/0 costs 1" in line for line in lines)


def test_who_is_out_is_told_why() -> None:
    state = ninecard(life=1)
    for move in ("energy Forest", "play Wolf b", "assault Bob", "attack b1"):
        state = play(state, move)
    assert "Bob: out, with no life left" in draw_state("ninecard", state).plain
    dear = [Card("", "", "Giant", {}, 0, attack=9, defense=9)]
    rules = find_game("ninecard")
    lost: Any = rules.deal(["Ann", "Bob"], [dear * 10, dear * 10], Dice(1), first=0).start()
    for move in ("assault Bob", "end"):
        lost = play(lost, move)
    assert "Ann: out, with no creature left to play" in draw_state("ninecard", lost).plain


def test_an_attack_is_described_by_what_it_kills_and_takes() -> None:
    state = ninecard()
    for move in ("energy Forest", "play Wolf b", "assault Bob"):
        state = play(state, move)
    assert describe_move("ninecard", state, "attack b1") == "Wolf takes 1 life"
    for move in ("attack b1", "end", "energy Forest", "play Wolf b", "assault Ann"):
        state = play(state, move)
    assert describe_move("ninecard", state, "attack b1") == "Wolf kills Wolf, dies"


def test_all_moves_of_a_turn_are_told_in_one_text() -> None:
    state, plies = ninecard(), []
    for move in ("energy Forest", "play Wolf b", "assault Bob", "attack b1", "end", "energy Forest"):
        plies.append(Ply(state, move))
        state = play(state, move)
    assert tell("ninecard", plies) == [
        "Ann: energy Forest; play Wolf b (1/0 for 1 energy, to b1); assault Bob; attack b1 (Wolf takes 1 life); end",
        "Bob: energy Forest",
    ]


@every_game
def test_the_scores_stand_under_or_in_every_picture(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    *_, (state, last) = positions(game, 8, 2)
    show_position(game, state, last)
    out = capsys.readouterr().out
    for score in state.scores():
        assert str(score) in out or "out" in out
