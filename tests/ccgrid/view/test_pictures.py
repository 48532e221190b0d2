"""Tests of every kind of picture of a game, drawn on a terminal."""

import pytest

from ccgrid.catalog.card import Card
from ccgrid.engine.picture import (
    Beside,
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    PictureTable,
    Spare,
    Stack,
    Standings,
    TableColumn,
    TextGrid,
    Tile,
    Tiles,
    deck_tiles,
    joined,
    together,
)
from ccgrid.view.decks import show_deck
from ccgrid.view.pictures import draw, say, show_picture

WIDE_NAME = "宝石の指輪"


def drawn_lines(picture: Picture, cells: int = 79, *, low: bool = False) -> list[str]:
    """Return the lines of a picture."""
    return draw(picture, cells, low=low).plain.splitlines()


def test_seats_have_colours_and_symbols() -> None:
    tiles = tuple(Tile(f"a{seat + 1}", name, name, seat=seat) for seat, name in enumerate("STUV"))
    drawing = draw(Stack((Tiles(tiles, 4), Standings(tuple("STUV"), signs=True))), 79)
    styles = [dict(line) for line in drawing.lines]
    colours = [
        styles[0][f" a{seat + 1} {sign} {name} "] for seat, (sign, name) in enumerate(zip("●○◆◇", "STUV", strict=True))
    ]
    assert len(set(colours)) == 4
    shown = [(text.strip(), style) for line in drawing.lines[-2:] for text, style in line if text.strip()]
    assert shown == [(f"{sign} {name}", style) for sign, name, style in zip("●○◆◇", "STUV", colours, strict=True)]


# --- texts --------------------------------------------------------------------------------------------------------


def test_names_in_texts_are_cut_and_escaped() -> None:
    assert say(("Hand of ", Name("Bartholomew the Elder", 12), ":")) == "Hand of Bartholomew…:"
    assert say(("Hand of ", Name("\x1b[2J\n"))) == "Hand of \\x1b[2J\\n"
    assert say(Name(WIDE_NAME, 5).text) == WIDE_NAME
    assert say((Name(WIDE_NAME, 5),)) == "宝石…"


def test_name_in_sentence_is_limited_to_30_cells_by_default() -> None:
    assert say((Name("x" * 99),)) == "x" * 29 + "…"
    assert say((Name("x" * 99, None),)) == "x" * 99


def test_names_without_limit_share_the_rest_of_a_line() -> None:
    assert say((Name("x" * 99, None), ": 3 points"), 20) == "xxxxxxxxx…: 3 points"
    assert say((Name("x" * 99, None), " and ", Name("y" * 99, None)), 15) == "xxxx… and yyyy…"
    assert say((Name("Ann", None), ": 3 points"), 40) == "Ann: 3 points"


def test_joined_texts_keep_names_marked() -> None:
    taken = joined(", ", (together(Name(name), " on a1") for name in ("Bow", "Lamp")))
    assert taken == (Name("Bow"), " on a1", ", ", Name("Lamp"), " on a1")
    assert say(together("takes ", taken)) == "takes Bow on a1, Lamp on a1"
    assert joined(", ", []) == ()


# --- lines --------------------------------------------------------------------------------------------------------


def test_value_of_line_is_right_aligned() -> None:
    assert drawn_lines(Line(("  ", Name("Gate Warden of the Hills", None)), "1 2 3 4"), 24) == [
        "  Gate Warden o… 1 2 3 4"
    ]
    assert drawn_lines(Line("Bow", "10"), 10) == ["Bow     10"]


@pytest.mark.parametrize(("style", "expected"), [("plain", ""), ("caption", "dim"), ("strong", "bold")])
def test_line_has_its_style(style: str, expected: str) -> None:
    line = Line("Seen from south", style=style)  # type: ignore[arg-type]
    assert draw(line).lines == ((("Seen from south", expected),),)


def test_listing_is_wrapped_between_entries() -> None:
    entries = ("2 shift-north", "swap-odd", "rotate-counterclockwise-for-ever")
    assert drawn_lines(Listing("Ann holds", entries), 30) == [
        "Ann holds 2 shift-north,",
        "  swap-odd,",
        "  rotate-counterclockwise-f…",
    ]


def test_standings_of_two_players_share_a_line() -> None:
    entries = (("S ", Name("Bartholomew the Elder", None), ": 3 points"), "N Bob: 4 points", "W Cid: 5 points")
    assert drawn_lines(Standings(entries), 50) == ["S Bartholomew…: 3 points  N Bob: 4 points", "W Cid: 5 points"]


# --- tiles --------------------------------------------------------------------------------------------------------

TILES = Tiles(
    (
        Tile("a1", "S Ann", "Bow", {"top": 1, "left": 2}, ("score 1",)),
        Tile("b1", "N Bartholomew", "Lamp of the Hills", {"right": 10}, ("score 10",), marked=True),
        Tile("c1"),
        Tile("a2", captions=("empty",)),
    ),
    3,
)


def test_tiles_show_numbers_owner_and_change() -> None:
    assert drawn_lines(TILES, 46) == [
        "┌─ a1 S Ann ───┬─▶b1 N Bart…◀─┬─ c1 ─────────┐",
        "│      1       │              │              │",
        "│     Bow      │ Lamp of the  │              │",
        "│2             │   Hills    10│              │",
        "│   score 1    │   score 10   │              │",
        "│              │              │              │",
        "├─ a2 ─────────┼──────────────┼──────────────┤",
        "│              │              │              │",
        "│              │              │              │",
        "│              │              │              │",
        "│    empty     │              │              │",
        "│              │              │              │",
        "└──────────────┴──────────────┴──────────────┘",
    ]


def test_low_tiles_have_one_line_for_the_name() -> None:
    assert drawn_lines(TILES, 46, low=True)[:6] == [
        "┌─ a1 S Ann ───┬─▶b1 N Bart…◀─┬─ c1 ─────────┐",
        "│      1       │              │              │",
        "│     Bow      │ Lamp of the… │              │",
        "│2  score 1    │  score 10  10│              │",
        "│              │              │              │",
        "├─ a2 ─────────┼──────────────┼──────────────┤",
    ]


def test_low_tiles_with_caption_in_rim_have_two_lines_for_the_name() -> None:
    tiles = Tiles((Tile("a1", "", "Dusk Cartographer", {"right": 10, "left": 3}, ("score 12",)), Tile("b1")), 2)
    assert drawn_lines(tiles, 39, low=True) == [
        "┌─ a1 ── score 12 ─┬─ b1 ─────────────┐",
        "│                  │                  │",
        "│       Dusk       │                  │",
        "│3  Cartographer 10│                  │",
        "│                  │                  │",
        "└──────────────────┴──────────────────┘",
    ]
    assert "score 12" in drawn_lines(tiles, 31, low=True)[3], "if it does not fit there, it is below the name"


def test_column_next_to_tiles_moves_below_on_narrow_terminal() -> None:
    tiles = Tiles((Tile("a1"), Tile("b1"), Tile("c1")), 3)
    picture = Beside(tiles, Line("beside"), Listing("Below:", ("one", "two")))
    assert "beside" in drawn_lines(picture, 79)[0]
    assert drawn_lines(picture, 59)[-1] == "Below: one, two"
    assert "beside" not in "".join(drawn_lines(picture, 59))


def test_empty_deck_has_a_picture() -> None:
    assert len(drawn_lines(deck_tiles([]))) == 1


def test_ninecard_deck_lists_creatures_by_cost_and_energy(capsys: pytest.CaptureFixture[str]) -> None:
    values = (("Wolf", 1, 2), ("Ant", 0, 1), ("Forest", None, None), ("Wolf", 1, 2))
    cards = [Card("", "", name, {}, 0, attack=attack, defense=defense) for name, attack, defense in values]
    show_deck("ninecard", "Woods", cards)
    assert capsys.readouterr().out.splitlines() == [
        "Woods",
        "",
        "3 creatures:",
        "",
        "copies  creature  attack/defense  costs",
        "     1  Ant       0/1                 1",
        "     2  Wolf      1/2                 3",
        "",
        "1 energy card:",
        "",
        "copies  energy  why",
        "     1  Forest  no attack and no defense from 0 to 10",
    ]


# --- grids of texts -----------------------------------------------------------------------------------------------

NUMBERS = TextGrid(
    (
        Divider(("a", "b")),
        GridRow("1", (Cell("7"), Cell("8", marked=True))),
        Divider(),
        GridRow("2", (Cell("1"), Cell("2"))),
        Divider(),
    ),
    around={"north": "N Bob 3", "south": ("S ", Name("Ann"), " 4")},
)


def test_number_grid_has_labels_marks_and_players() -> None:
    assert drawn_lines(NUMBERS) == [
        "         N Bob 3",
        "    ┌── a ──┬── b ──┐",
        "  1 │   7   │  ▶8◀  │",
        "    ├───────┼───────┤",
        "  2 │   1   │   2   │",
        "    └───────┴───────┘",
        "         S Ann 4",
    ]


def test_side_players_are_next_to_the_middle_row() -> None:
    sides = TextGrid(NUMBERS.lines, around={"west": "W Cid 5", "east": "E Dan 6"})
    assert drawn_lines(sides)[3] == "W Cid 5           2 │   1   │   2   │  E Dan 6"
    assert drawn_lines(sides)[1] == "                  1 │   7   │  ▶8◀  │"


FACING = TextGrid(
    (
        Divider(("a", "b"), spare=True),
        GridRow("2", (Cell(), Cell()), spare=True),
        GridRow("1", (Cell("1/2", "Wolf"), Cell(marked=True))),
        Divider(("front", "front")),
        GridRow("1", (Cell(), Cell("3/4", "Bear of the North", marked=True))),
        Divider(("a", "b"), faces=True),
    ),
    holds_names=True,
)


def test_name_grid_fills_the_width_and_is_open_to_the_facing_grid() -> None:
    assert drawn_lines(FACING, 40) == [
        "  ┌─────── a ───────┬─────── b ───────┐",
        "2 │                 │                 │",
        "1 │ Wolf        1/2 │                 │",
        "  ├───── front ─────┼───── front ─────┤",
        "1 │                 │▶Bear of th… 3/4◀│",
        "  ├─────── a ───────┼─────── b ───────┤",
    ]


def test_spare_parts_are_omitted_on_low_terminals() -> None:
    assert drawn_lines(FACING, 40, low=True) == drawn_lines(FACING, 40)[2:]
    parts = Stack((Line("one"), Spare(Line("two")), Line("three")))
    assert drawn_lines(parts) == ["one", "two", "three"]
    assert drawn_lines(parts, low=True) == ["one", "three"]


# --- combined pictures --------------------------------------------------------------------------------------------


def test_picture_is_next_to_number_grid_if_it_fits() -> None:
    stack = Stack((Line(), Listing("Ann holds", ("2 shift-north", "swap-odd"))))
    assert drawn_lines(Beside(NUMBERS, stack), 50) == [
        "         N Bob 3",
        "    ┌── a ──┬── b ──┐    Ann holds 2 shift-north,",
        "  1 │   7   │  ▶8◀  │      swap-odd",
        "    ├───────┼───────┤",
        "  2 │   1   │   2   │",
        "    └───────┴───────┘",
        "         S Ann 4",
    ]


def test_tiles_leave_a_column_for_the_picture_next_to_them() -> None:
    [first, *_] = drawn_lines(Beside(Stack((Line("Seen from south"), TILES)), Tiles((Tile("1"),), 1)))
    assert first.endswith("  ┌─ 1 ──────────────────┐")
    lines = drawn_lines(Beside(TILES, Line("Your hand is empty.")))
    assert lines[0] == "┌─ a1 S Ann ─────┬─▶b1 N Bartho…◀─┬─ c1 ───────────┐  Your hand is empty."


def test_right_picture_may_be_longer() -> None:
    stack = Stack((Line("a"), Line("b"), Line("c")))
    assert drawn_lines(Beside(Line("left"), stack), 30) == ["left    a", "        b", "        c"]


def test_picture_table_is_printed_as_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = PictureTable(
        (TableColumn("copies", is_number=True), TableColumn("creature", wraps=True)), ((2, "Wolf"), (10, "\n"))
    )
    show_picture(Stack((Line("Creatures:"), table)))
    assert capsys.readouterr().out == "Creatures:\ncopies  creature\n     2  Wolf\n    10  \\n\n"
    assert drawn_lines(Stack((Line("Creatures:"), table))) == [
        "Creatures:",
        "copies  creature",
        "     2  Wolf",
        "    10  \\n",
    ]
