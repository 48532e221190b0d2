"""Tests of the cells of boards, their neighbours and facing zones, as RULES.md names them."""

import pytest

from ccgrid.catalog.zones import ZONES
from ccgrid.engine.board import OPPOSITE, STEPS, Board


def test_cells_are_named_by_column_letter_and_row_from_top():
    assert Board(3).cells == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")


def test_board_may_have_four_columns():
    cells = Board(4).cells
    assert len(cells) == 16
    assert cells[:4] == ("a1", "b1", "c1", "d1")
    assert cells[-1] == "d4"


@pytest.mark.parametrize("size", [0, 10])
def test_unsupported_board_size_is_rejected(size):
    with pytest.raises(ValueError, match="1 to 9 columns"):
        Board(size)


def test_centre_has_eight_neighbours():
    assert Board(3).neighbours("b2") == {
        "top-left": "a1",
        "top": "b1",
        "top-right": "c1",
        "left": "a2",
        "right": "c2",
        "bottom-left": "a3",
        "bottom": "b3",
        "bottom-right": "c3",
    }


def test_corner_cell_has_three_neighbours():
    assert Board(3).neighbours("c3") == {"top-left": "b2", "top": "c2", "left": "b3"}


def test_corners_face_corners_and_sides_face_sides():
    assert OPPOSITE["bottom-right"] == "top-left"
    assert OPPOSITE["bottom-left"] == "top-right"
    assert OPPOSITE["right"] == "left"
    assert OPPOSITE["top"] == "bottom"


@pytest.mark.parametrize("size", [3, 4])
def test_neighbours_face_each_other_with_opposite_zones(size):
    board = Board(size)
    for cell in board.cells:
        for zone, other in board.neighbours(cell).items():
            assert board.neighbours(other)[OPPOSITE[zone]] == cell
            assert board.zone_towards(cell, other) == zone


def test_zone_towards_neighbour_is_named_by_direction():
    for zone in ZONES:
        right, down = STEPS[zone]
        assert zone == "-".join(filter(None, [{-1: "top", 1: "bottom"}.get(down), {-1: "left", 1: "right"}.get(right)]))


def test_cells_that_are_not_neighbours_have_no_zone():
    assert Board(3).zone_towards("a1", "c3") is None
    assert Board(3).zone_towards("a1", "a1") is None
