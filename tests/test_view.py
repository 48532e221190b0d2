"""What people see: pictures and tables, and that no text of a stranger is ever obeyed."""

import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from catalog.card import ZONES, Card
from ccgrid.view import scores
from ccgrid.view.card import draw_card, show_card
from ccgrid.view.output import Column, note, progress, remark, show, show_json, show_table
from ccgrid.view.pictures import draw, show_picture
from ccgrid.view.text import pad, shorten, visible, width, wrap
from ccgrid.view.tiles import draw_tiles
from ccgrid.view.words import ZONE_PHRASES, reason_in_words
from engine.game_view import deck_tiles
from engine.picture import (
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    Spare,
    Stack,
    Standings,
    Table,
    TableColumn,
    TextGrid,
    Tile,
    Tiles,
)

HOSTILE = {
    "markup": "[/red] [bold]Ring[/] [link=file:///etc/passwd]x[/link]",
    "clears the screen": "\x1b[2J\x1b]0;title\x07Ring",
    "8-bit controls": "\x9b2J Ring \x85\x7f",
    "turns the direction": "\u202egniR\u2066 of \u200fGix",
    "lines": "Ring\nof\r\nGix\u2028\u2029\x0b\x0c\t.",
    "invisible": "Ri\u200bng\ufeff \u200d\U000e0041\xad",
    "long": "Ring of Gix " * 1000,
    "one long word": "x" * 10_000,
    "wide": "宝石の指輪" * 40,
    "combining": "R" + "\u0301" * 10_000,
    "only combining": "\u0301" * 10_000,
    "emoji": "❤️👩\u200d👩\u200d👧 Ring 🃏",
    "half a pair": "Ring \ud83d of Gix",
    "percent and braces": "%s {0} {name} \\x1b",
    "empty": "",
}

CARD = Card(
    id="mtg:ori/60",
    game="mtg",
    name="Jace, Vryn's Prodigy",
    zones={"top-left": 4, "top": 0, "right": 10, "left": 3, "bottom": 2},
    score=29,
    set_code="ori",
    set_name="Magic Origins",
    collector_number="60",
    face=(3, 0, 3),
    legal=False,
    reason="multiple-numbers:bottom-right",
    attack=2,
    defense=2,
)
NUMBERS: list[dict[str, Any]] = [
    {"zone": "top-left", "field": "cost", "raw": "{4}", "value": 4, "counts": True, "why": "rule 2"},
    {"zone": "bottom-right", "field": "power", "raw": "2/2", "value": 2, "counts": True, "why": "rule 4"},
    {"zone": "bottom-right", "field": "toughness", "raw": "2/2", "value": 2, "counts": True, "why": "rule 4"},
    {"face": True, "field": "text", "raw": "3000", "value": None, "counts": False, "why": "above 10 (rule 6)"},
]

Screen = Callable[..., list[str]]


def named(name: str) -> Card:
    return Card(id="x:1", game="x", name=name, zones={"left": 10, "right": 0}, score=10, set_code=name, reason=name)


def assert_harmless(text: str) -> None:
    bad = {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} - {"\n"}
    assert not bad


def board(cards: Sequence[Card | None], columns: int = 3, marked: Collection[str] = ()) -> Tiles:
    """Cards with their scores on a board whose cells are called by their letter and number; None is an open cell."""
    tiles = []
    for index, card in enumerate(cards):
        cell = f"{'abcde'[index % columns]}{index // columns + 1}"
        caption = "empty" if card is None else f"score {card.score}"
        name, zones = ("", {}) if card is None else (card.name, card.zones)
        tiles.append(Tile(label=cell, name=name, zones=zones, captions=(caption,), marked=cell in marked))
    return Tiles(tuple(tiles), columns)


def picture_of(name: str) -> Picture:
    """Pictures of every kind below each other, with a stranger's text wherever one can stand."""
    tile = Tile(label=name, owner=name, name=name, zones={"left": name, "top": 1}, captions=(name,), marked=True)
    cells = (Cell(name, name, marked=True), Cell("1/2", name), Cell())
    grid = (Divider(("a", "b", "c")), GridRow("1", cells), GridRow("2", cells, spare=True), Divider(("f",) * 3, True))
    sides = {side: (f"{side} ", Name(name, 12), " 7") for side in ("north", "west", "east", "south")}
    return Stack(
        (
            Line(("about ", Name(name)), style="caption"),
            Line(("  ", Name(name, None)), "1 2 3"),
            Listing((Name(name), " holds"), ((Name(name, 26),), ("2 ", Name(name, 26)))),
            Standings(((Name(name, None), ": 3 points"), ("N ", Name(name, None), ": 4 points"), "5 points")),
            Tiles((tile,) * 5, 3),
            TextGrid(grid, holds_names=True),
            TextGrid((Divider(), GridRow("1", (Cell("7"), Cell("8", marked=True))), Divider()), around=sides),
            Spare(Line((Name(name, 60),))),
        )
    )


def everything(card: Card) -> None:
    """Show a card, and its name wherever else a view has a place for it."""
    name = card.name
    show(name, draw(board([card, None, *[card] * 7], marked=["a1"])), draw(picture_of(name)))
    show_picture(Stack((deck_tiles([card] * 3), Table((TableColumn("name", wraps=True),), ((name,),)))))
    show_card(card, [{"zone": name, "field": name, "raw": name, "value": 1, "counts": name, "why": name}])
    show_table([Column("name"), Column("why", wrap=True)], [(name, name)], title=name)
    scores.show_import({**IMPORT, "source": name, "version": name, "barred": {name: 1}})
    scores.show_stats({**STATS, "games": [{**STATS["games"][0], "game": name, "barred": {name: 2}}]})
    scores.show_deck_check({"ok": False, "cards": 1, "problems": [{"card": name, "reason": name}]})
    scores.show_score({**SCORE, "file": name, "game": name, "scores": {name: 1}, "winner": name})
    scores.show_validity({**SCORE, "file": name, "ok": False, "errors": [{"where": name, "message": name}]})
    scores.show_simulation(
        {
            **SIMULATION,
            "game": name,
            "seed": name,
            "players": [{**SIMULATION["players"][0], "name": name, "policy": name}],
        }
    )


IMPORT: dict[str, Any] = {
    "source": "mtg",
    "version": "2026-11-20",
    "read": 100,
    "added": 90,
    "changed": 4,
    "unchanged": 3,
    "removed": 2,
    "skipped": 3,
    "legal": 60,
    "barred": {"no-number": 7, "multiple-numbers:bottom-right": 30},
    "seconds": 1.25,
}
STATS: dict[str, Any] = {
    "cards": 1200,
    "legal": 60,
    "games": [{"game": "mtg", "cards": 1200, "legal": 60, "barred": {"no-number": 1140}, "zones": {"bottom": 54}}],
}
SCORE: dict[str, Any] = {
    "file": "evening.toml",
    "game": "grid",
    "players": ["Ann", "Bob"],
    "over": True,
    "moves": 23,
    "scores": {"Ann": 57, "Bob": 61},
    "winner": "Bob",
    "ok": True,
    "errors": [],
}
SIMULATION: dict[str, Any] = {
    "game": "grid",
    "games": 1000,
    "seed": 7,
    "players": [
        {"name": "south", "policy": "random", "wins": 500, "draws": 10, "mean_score": 45.678},
        {"name": "north", "policy": "greedy", "wins": 490, "draws": 10, "mean_score": 44.1},
    ],
    "first_player_wins": 510,
    "draws": 10,
    "mean_moves": 13.25,
    "games_per_second": 12345.6,
}


# Text


@given(st.text())
def test_visible_text_is_one_harmless_line(text: str) -> None:
    assert_harmless(visible(text))
    assert "\n" not in visible(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "Mn"])))
def test_harmless_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_every_character_that_hides_or_acts_is_escaped() -> None:
    acting = [
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    ]
    assert len(acting) > 2000
    assert all(visible(c).startswith("\\") and visible(c).isascii() for c in acting)


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
def test_wrapping_loses_nothing_that_there_is_room_for(text: str) -> None:
    assert "".join(wrap(text, 10, 10)) == text


def test_a_name_is_broken_between_words() -> None:
    assert wrap("Jace, Vryn's Prodigy", 14, 2) == ["Jace, Vryn's", "Prodigy"]


# Pictures


def test_a_card_shows_its_numbers_at_their_places_and_two_in_a_corner_marked() -> None:
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
        "│          ! barred !          │",
        "│              2           2 2!│",
        "└──────────────────────────────┘",
    ]


def test_many_numbers_in_a_zone_are_cut_but_marked() -> None:
    numbers = [{"zone": "top", "value": value, "counts": True} for value in range(7)]
    assert "0 1 2+!" in draw_card(CARD, numbers).plain


def test_numbers_that_do_not_count_are_not_drawn() -> None:
    numbers = [{"zone": "bottom-right", "value": value, "counts": False} for value in (7, 8)]
    assert "7" not in draw_card(CARD, numbers).plain


def test_a_board_names_its_cells_marks_the_last_move_and_shows_empty_cells() -> None:
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
def test_a_board_of_any_size_is_a_rectangle_of_at_most_80_columns(columns: int) -> None:
    lines = draw(board([CARD] * columns**2, columns), low=columns > 3).plain.splitlines()
    assert len({cell_len(line) for line in lines}) == 1
    assert cell_len(lines[0]) <= 80
    if columns <= 4:
        assert len(lines) <= 24, "a board is seen at once in a terminal of 24 lines"


def test_a_deck_numbers_its_cards_and_fills_its_last_row() -> None:
    lines = draw(deck_tiles([CARD] * 18)).plain.splitlines()
    assert " 18 " in "".join(lines)
    assert " 19 " not in "".join(lines)
    assert len({cell_len(line) for line in lines}) == 1


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_name_breaks_the_frame_of_a_picture(kind: str) -> None:
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
    st.integers(3, 8),
    st.integers(1, 5),
)
def test_any_tile_is_drawn_as_a_rectangle(tile: Tile, height: int, columns: int) -> None:
    lines = draw_tiles([tile] * columns, columns, height=height).plain.split("\n")
    assert len(lines) == height + 2
    assert len({cell_len(line) for line in lines}) == 1


def test_every_reason_is_explained_with_its_rule() -> None:
    reasons = ["digital", "oversized", "no-number", "layout:split", *(f"multiple-numbers:{zone}" for zone in ZONES)]
    assert set(ZONE_PHRASES) == set(ZONES)
    for reason in reasons:
        assert re.search(r"\(rule (9|10|11)\)$", reason_in_words(reason))


def test_a_barred_card_says_why_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    show_card(CARD, NUMBERS)
    out = capsys.readouterr().out
    assert "Barred from decks: more than one number in the bottom-right corner (rule 9)\n" in out
    assert re.search(r"^face +text +3000 +no +above 10 \(rule 6\)$", out, re.MULTILINE)


# Results


def test_an_import_tells_amounts_that_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_import(IMPORT)
    out = capsys.readouterr().out
    assert "Imported mtg (2026-11-20)" in out
    assert re.search(r"^barred +37$", out, re.MULTILINE)
    assert out.index("two numbers, bottom right") < out.index("no number"), "the most frequent reason comes first"


def test_stats_count_cards_and_zones_per_game(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_stats(STATS)
    out = capsys.readouterr().out
    assert "1,200 cards, 60 of them legal." in out
    assert re.search(r"^mtg +1200 +60 +1140$", out, re.MULTILINE)
    assert re.search(r"^mtg +0 +0 +0 +0 +0 +0 +54 +0$", out, re.MULTILINE)


def test_an_empty_catalogue_has_stats_too(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_stats({"cards": 0, "legal": 0, "games": []})
    assert capsys.readouterr().out == "0 cards, 0 of them legal.\n"


def test_a_deck_check_lists_every_problem(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_deck_check({"ok": True, "cards": 20, "problems": []})
    assert capsys.readouterr().out == "Legal: a deck of 20 cards.\n"
    problems = [{"card": None, "reason": "19 cards, not 20"}, {"card": "Jace", "reason": "no-number"}]
    scores.show_deck_check({"ok": False, "cards": 19, "problems": problems})
    out = capsys.readouterr().out
    assert "Not legal: a deck of 19 cards with 2 problems." in out
    assert re.search(r"^Jace +no number$", out, re.MULTILINE)


def test_scores_are_listed_best_first_with_the_winner(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_score(SCORE)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines.index(["Bob", "61", "winner"]) < lines.index(["Ann", "57"])


def test_an_unfinished_game_has_no_winner_yet(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_score({**SCORE, "over": False, "winner": None})
    out = capsys.readouterr().out
    assert "not over yet" in out
    assert "winner" not in out
    assert "draw" not in out


def test_equal_scores_are_a_draw(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_score({**SCORE, "scores": {"Ann": 5, "Bob": 5}, "winner": None})
    assert "A draw." in capsys.readouterr().out


def test_a_wrong_record_shows_where_it_is_wrong_and_no_scores(capsys: pytest.CaptureFixture[str]) -> None:
    errors = [{"where": 'moves[6] "b2xc3"', "message": "c3 has 5 facing b2's 4"}]
    scores.show_score({**SCORE, "ok": False, "errors": errors})
    assert capsys.readouterr().out == 'Not valid: evening.toml\n  moves[6] "b2xc3": c3 has 5 facing b2\'s 4\n'


def test_a_simulation_shows_shares_of_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    scores.show_simulation(SIMULATION)
    out = capsys.readouterr().out
    assert re.search(r"^south +random +500 +50\.0 % +10 +45\.68$", out, re.MULTILINE)
    assert "The first player won 51.0 %, 1.0 % were draws." in out


# Pipes, terminals, encodings


def test_a_pipe_gets_aligned_text_without_rules_and_without_cutting(capsys: pytest.CaptureFixture[str]) -> None:
    long = "Ring of Gix " * 20 + "end"
    show_table([Column("name"), Column("score", "right")], [("Myrmidons", 4), ("Jace", 10), (long, 5), (None, 7)])
    assert capsys.readouterr().out.splitlines() == [
        "name       score",
        "Myrmidons      4",
        "Jace          10",
        f"{long}      5",
        "               7",
    ]


def test_a_pipe_gets_long_sentences_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    show("word " * 100 + "end")
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_name_is_obeyed_in_a_pipe(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    everything(named(HOSTILE[kind]))
    assert_harmless(capsys.readouterr().out)


def test_markup_in_names_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    show("[/red]Ring[bold]:smile:")
    show_table([Column("name")], [("[/red]Ring[bold]:smile:",)])
    assert capsys.readouterr().out.splitlines() == ["[/red]Ring[bold]:smile:", "name", "[/red]Ring[bold]:smile:"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_json_holds_every_name_exactly(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_json({"name": HOSTILE[kind]})
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "\x1b" not in out
    assert json.loads(out) == {"name": HOSTILE[kind]}


def test_json_writes_letters_as_letters(capsys: pytest.CaptureFixture[str]) -> None:
    show_json(["Lûs", "宝"])
    assert capsys.readouterr().out == '["Lûs", "宝"]\n'


@contextmanager
def ascii_output() -> Iterator[io.BytesIO]:
    """Standard output of a process in the C locale, as the command sets it up."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii", errors="backslashreplace", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        yield written
    stream.detach()  # which would close what was written


@pytest.mark.parametrize("kind", HOSTILE)
def test_an_ascii_locale_breaks_nothing(kind: str) -> None:
    with ascii_output() as written:
        everything(named(HOSTILE[kind]))
        show_json({"name": HOSTILE[kind]})
    out = written.getvalue().decode("ascii")
    assert_harmless(out)
    assert json.loads(out.splitlines()[-1]) == {"name": HOSTILE[kind]}


def test_pictures_in_an_ascii_locale_keep_their_frame() -> None:
    with ascii_output():
        lines = draw(board([named("宝石の指輪宝石の指輪")] * 9, marked=["a1"])).plain.splitlines()
    assert lines[0].startswith("+->a1<---")
    assert {len(line) for line in lines} == {79}
    assert "".join(lines).isascii()


def test_notes_and_progress_are_for_terminals_but_remarks_for_everybody(capsys: pytest.CaptureFixture[str]) -> None:
    note("Reading the catalogue")
    with progress("Downloading", unit="bytes") as report:
        report(1, 2)
    assert capsys.readouterr().err == ""
    remark("The bundled cards \x1b are used.")
    assert capsys.readouterr().err == "The bundled cards \\x1b are used.\n"


ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;[0-9]+)*m")


@pytest.fixture
def terminal(tmp_path: Path) -> Screen:
    """Run statements in a terminal of 80 columns, and return the lines that it received."""
    pexpect = pytest.importorskip("pexpect")

    def run(body: str, **environment: str) -> list[str]:
        script = tmp_path / "script.py"
        script.write_text(f"from test_view import *\n{body}\n", encoding="utf-8")
        plain = {
            name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
        }
        path = [str(Path(__file__).parent), *sys.path]
        child = pexpect.spawn(
            sys.executable,
            [str(script)],
            env={**plain, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(path), **environment},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=60,
        )
        received: str = child.read()
        child.close()
        assert child.exitstatus == 0, received
        return received.replace("\r\n", "\n").split("\n")

    return run


def test_a_terminal_gets_colour_and_no_line_of_more_than_80_columns(terminal: Screen) -> None:
    lines = terminal("everything(CARD)\nshow_card(CARD, NUMBERS)")
    assert any(COLOUR.search(line) for line in lines)
    assert max(cell_len(ANSI.sub("", line)) for line in lines) <= 80
    assert any("────" in line for line in lines)


def test_no_color_is_honoured(terminal: Screen) -> None:
    lines = terminal("everything(CARD)", NO_COLOR="1")
    assert not any(COLOUR.search(line) for line in lines)
    assert any("Jace, Vryn's Prodigy" in line for line in lines)


def test_force_color_colours_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show_card(CARD, NUMBERS)
    assert COLOUR.search(capsys.readouterr().out)


def test_a_terminal_obeys_no_name(terminal: Screen) -> None:
    lines = terminal("for name in HOSTILE.values(): everything(named(name))")
    for line in lines:
        assert_harmless(re.sub(r"\x1b\[[0-9;]*m", "", line))
        assert cell_len(ANSI.sub("", line)) <= 80
    assert len(lines) < 4000, "a hostile name is not printed over a hundred screens"


def test_progress_moves_on_a_terminal_and_leaves_nothing_behind(terminal: Screen) -> None:
    lines = terminal("with progress('Reading [/red] cards') as report:\n    report(5, 10)\nshow('done')")
    assert "Reading [/red] cards" in "".join(ANSI.sub("", line) for line in lines)
    assert ANSI.sub("", "\n".join(lines)).rstrip().endswith("done")
