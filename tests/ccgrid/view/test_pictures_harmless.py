"""Tests that untrusted text is escaped and cut in texts and pictures."""

import sys
import unicodedata

import pytest
from helpers.view_examples import CARD, HOSTILE, NUMBERS, assert_harmless, board, named
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import PrintedNumber
from ccgrid.catalog.zones import ZONES, Zone
from ccgrid.engine.picture import Tile, deck_tiles
from ccgrid.view.card import draw_card
from ccgrid.view.pictures import draw, draw_tiles
from ccgrid.view.text import pad, shorten, visible, width, wrap


# --- Texts --------------------------------------------------------------------------------------------------------
@given(st.text())
def test_visible_text_is_one_line_without_control_characters(text: str) -> None:
    assert_harmless(visible(text))
    assert "\n" not in visible(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "Mn"])))
def test_plain_text_is_unchanged(text: str) -> None:
    assert visible(text) == text


def test_every_invisible_or_control_character_is_escaped() -> None:
    characters = [
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    ]
    assert len(characters) > 2000
    assert all(visible(c).startswith("\\") and visible(c).isascii() for c in characters)


def test_escapes_name_the_character() -> None:
    assert visible("\x1b[2J\n\u202e\ud83d") == "\\x1b[2J\\n\\u202e\\ud83d"


@given(st.text().map(visible), st.integers(0, 40), st.sampled_from(["…", "~", "..."]))
def test_shortened_text_fits_and_is_bounded(text: str, cells: int, ellipsis: str) -> None:
    short = shorten(text, cells, ellipsis)
    assert width(short) <= cells
    assert len(short) <= 4 * cells + len(ellipsis)
    assert short == text or width(text) > cells or len(text) > 4 * cells


@given(st.text().map(visible), st.integers(1, 40), st.sampled_from(["left", "center", "right"]))
def test_padded_text_takes_exactly_its_cells(text: str, cells: int, align: str) -> None:
    assert width(pad(text, cells, align)) == cells


@given(st.text().map(visible), st.integers(2, 40), st.integers(1, 4))
def test_wrapped_lines_fit(text: str, cells: int, lines: int) -> None:
    wrapped = wrap(text, cells, lines)
    assert len(wrapped) <= lines
    assert all(width(line) <= cells for line in wrapped)


@given(st.text(st.characters(categories=["L", "N"]), max_size=30).map(visible))
def test_wrapping_keeps_text_that_fits(text: str) -> None:
    assert "".join(wrap(text, 10, 10)) == text


def test_name_is_wrapped_between_words() -> None:
    assert wrap("Jace, Vryn's Prodigy", 14, 2) == ["Jace, Vryn's", "Prodigy"]


# --- Pictures -----------------------------------------------------------------------------------------------------
def test_card_shows_numbers_in_zones_and_marks_double_numbers() -> None:
    assert draw_card(CARD, NUMBERS).plain.splitlines() == [
        "┌──────────────────────────────┐",
        "│4             0               │",
        "│     Jace, Vryn's Prodigy     │",
        "│                              │",
        "│                              │",
        "│                              │",
        "│                              │",
        "│                              │",
        "│3                           10│",
        "│                              │",
        "│            ori 60            │",
        "│     attack 2  defense 2      │",
        "│          face 3 0 3          │",
        "│           score 29           │",
        "│        ! not legal !         │",
        "│              2           2 2!│",
        "└──────────────────────────────┘",
    ]


def printed_number(zone: Zone, value: int, *, counts: bool) -> PrintedNumber:
    return PrintedNumber(zone=zone, field="", raw=str(value), value=value, counts=counts, why="", confidence="high")


def test_many_numbers_in_a_zone_are_cut_and_marked() -> None:
    numbers = [printed_number("top", value, counts=True) for value in range(7)]
    assert "0 1 2+!" in draw_card(CARD, numbers).plain


def test_uncounted_numbers_are_not_drawn() -> None:
    numbers = [printed_number("bottom-right", value, counts=False) for value in (7, 8)]
    assert "7" not in draw_card(CARD, numbers).plain


def test_board_labels_cells_and_marks_last_move() -> None:
    card = Card(id="x:1", game="x", name="Myrmidons", zones={"top-left": 4, "right": 10}, score=14)
    assert draw(board([card, None, card, card], columns=2, marked=["b1", "a2"])).plain.splitlines() == [
        "┌─ a1 ─────────────────────────────────┬─▶b1◀─────────────────────────────────┐",
        "│4                                     │                                      │",
        "│              Myrmidons               │                                      │",
        "│                                    10│                                      │",
        "│               score 14               │                empty                 │",
        "│                                      │                                      │",
        "├─▶a2◀─────────────────────────────────┼─ b2 ─────────────────────────────────┤",
        "│4                                     │4                                     │",
        "│              Myrmidons               │              Myrmidons               │",
        "│                                    10│                                    10│",
        "│               score 14               │               score 14               │",
        "│                                      │                                      │",
        "└──────────────────────────────────────┴──────────────────────────────────────┘",
    ]


@pytest.mark.parametrize("columns", [2, 3, 4, 5])
def test_board_is_a_rectangle_of_at_most_80_columns(columns: int) -> None:
    lines = draw(board([CARD] * columns**2, columns), low=columns > 3).plain.splitlines()
    assert len({cell_len(line) for line in lines}) == 1
    assert cell_len(lines[0]) <= 80
    if columns <= 4:
        assert len(lines) <= 24, "a board fits on a terminal of 24 lines"


def test_deck_numbers_its_cards_and_fills_its_last_row() -> None:
    lines = draw(deck_tiles([CARD] * 18)).plain.splitlines()
    assert " 18 " in "".join(lines)
    assert " 19 " not in "".join(lines)
    assert len({cell_len(line) for line in lines}) == 1


@pytest.mark.parametrize("kind", HOSTILE)
def test_names_do_not_break_frames(kind: str) -> None:
    card = named(HOSTILE[kind])
    for picture in (draw(board([card] * 9)), draw(deck_tiles([card] * 20)), draw_card(card)):
        assert_harmless(picture.plain)
        assert len({cell_len(line) for line in picture.plain.split("\n")}) == 1
        assert len(picture.plain) < 40_000


@given(
    st.builds(
        Tile,
        label=st.text(),
        name=st.text(),
        zones=st.dictionaries(st.sampled_from(ZONES), st.text()),
        captions=st.lists(st.text()).map(tuple),
        marked=st.booleans(),
    ),
    st.integers(5, 40),
    st.integers(3, 8),
    st.integers(1, 5),
)
def test_every_tile_is_a_rectangle(tile: Tile, inner: int, height: int, columns: int) -> None:
    lines = draw_tiles([tile] * columns, columns, inner=inner, height=height).plain.split("\n")
    assert len(lines) == height + 2
    assert len({cell_len(line) for line in lines}) == 1
