"""What the greedy player of the tactics game thinks of a side that faces the first cell, and of a card that is safe."""

from tactics_positions import TACTICS, card, position


def test_a_side_that_faces_the_first_cell_is_at_risk_like_any_other():
    state = position(hands={0: [card("Low", 0, 9, 9, 9), card("Left", 9, 9, 9, 1)], 1: [card("Other")]})
    assert TACTICS.heuristic(state, "Low@a2") == 10 * 2 - (1 + 2) * (10 - 0)
    assert TACTICS.heuristic(state, "Left@b1") == 10 * 2 - (1 + 2) * (10 - 1)


def test_a_card_that_no_empty_cell_faces_puts_nothing_at_risk():
    around = {cell: (0, card(f"Own {cell}", 9, 9, 9, 9)) for cell in ("a2", "b1", "b3", "c2")}
    state = position(hands={0: [card("Low", 0, 0, 0, 0)], 1: [card("Other")]}, **around)
    assert TACTICS.heuristic(state, "Low@b2") == 10 * 3
