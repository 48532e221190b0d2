"""Tests of the widths of tables on a terminal: which columns are omitted, wrapped and cut."""

import re

import pytest
from helpers.catalogues import Shell
from rich.cells import cell_len

from ccgrid.view.output import MOST_LINES, OutputColumn, break_lines, fit_columns, show_table, wrapped_cells

COLUMNS = (
    OutputColumn("id", wrap=True, spare=1),
    OutputColumn("name", wrap=True),
    OutputColumn("set", wrap=True, spare=2),
    OutputColumn("score", "right"),
)
ROWS = [
    ("mtg:m10/146", "Lightning Bolt", "Magic 2010", "3"),
    ("wyvern:02kingdom/7", "Adun Oakenshield of the Northern Hills", "Kingdom", "12"),
]


@pytest.fixture
def narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the terminal 40 columns wide."""
    for name, value in {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "40"}.items():
        monkeypatch.setenv(name, value)


def test_fitting_table_is_as_wide_as_its_texts() -> None:
    assert fit_columns(COLUMNS, ROWS, 100) == {0: 18, 1: 38, 2: 10, 3: 5}


def test_spare_columns_are_omitted_only_if_wrapping_is_not_enough() -> None:
    assert fit_columns(COLUMNS, ROWS, 77) == {0: 18, 1: 38, 2: 10, 3: 5}
    assert set(fit_columns(COLUMNS, ROWS, 76)) == {0, 1, 2, 3}
    assert set(fit_columns(COLUMNS, ROWS, 48)) == {0, 1, 3}
    assert set(fit_columns(COLUMNS, ROWS, 30)) == {1, 3}


@pytest.mark.parametrize("cells", range(20, 90))
def test_table_is_never_wider_than_terminal(cells: int) -> None:
    widths = fit_columns(COLUMNS, ROWS, cells)
    assert sum(widths.values()) + 2 * (len(widths) - 1) <= cells
    for row in ROWS:
        for text, wide in zip(wrapped_cells(COLUMNS, row, widths, "…"), widths.values(), strict=True):
            assert all(cell_len(line) <= wide for line in text.split("\n"))


@pytest.mark.parametrize("cells", range(16, 90))
def test_id_is_wrapped_before_it_is_cut(cells: int) -> None:
    columns = (OutputColumn("id", whole=True), OutputColumn("name"))
    rows = [("riftbound:ogn-spiritforged/119a/fr", "Shadow of the Highland Keep")]
    ids, _ = wrapped_cells(columns, rows[0], fit_columns(columns, rows, cells), "…")
    assert ids.replace("\n", "") == rows[0][0]


@pytest.mark.parametrize("cells", range(12, 60))
def test_names_are_wrapped_between_words_without_loss(cells: int) -> None:
    lines = break_lines(ROWS[1][1], cells)
    assert " ".join(lines) == ROWS[1][1]
    assert max(map(cell_len, lines)) <= cells


def test_texts_are_wrapped_after_hyphens_slashes_and_wide_characters() -> None:
    assert break_lines("wyvern:02kingdom/237", 18) == ["wyvern:02kingdom/", "237"]
    assert break_lines("宝石の指輪", 6) == ["宝石の", "指輪"]


def test_only_words_longer_than_a_line_are_broken() -> None:
    assert break_lines("a " + "b" * 12, 5) == ["a", "bbbbb", "bbbbb", "bb"]
    [text] = wrapped_cells((OutputColumn("name", wrap=True),), ("x" * 200,), {0: 10}, "…")
    assert len(text.split("\n")) == MOST_LINES
    assert text.endswith("…")


def test_secondary_columns_are_omitted_on_narrow_terminal(
    narrow_terminal: None, capsys: pytest.CaptureFixture[str]
) -> None:
    show_table(COLUMNS, ROWS)
    out = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(cell_len, out.splitlines())) <= 40
    for word in ("Lightning", "Bolt", "Adun", "Oakenshield", "Northern", "Hills"):
        assert re.search(rf"\b{word}\b", out)
    assert "Magic 2010" not in out


def test_empty_column_is_omitted_first() -> None:
    columns = (OutputColumn("name", wrap=True), OutputColumn("kind"), OutputColumn("place", wrap=True))
    rows = [("Adun Oakenshield", "", "Attic 2, the long one, row 3")]
    assert set(fit_columns(columns, rows, 60)) == {0, 1, 2}
    assert set(fit_columns(columns, rows, 32)) == {0, 2}


def test_columns_are_narrowed_evenly() -> None:
    columns = (OutputColumn("place", wrap=True), OutputColumn("name", wrap=True), OutputColumn("set"))
    rows = [("Attic 2, the long one, row 3", "Deathstream, Black Dragon", "From_Nightmares 19-059R")]
    widths = fit_columns(columns, rows, 50)
    assert min(widths[0], widths[1]) >= 10


def test_names_are_wrapped_after_dots_and_underscores() -> None:
    assert break_lines("Fo...llow...Me", 9) == ["Fo...", "llow...Me"]
    assert break_lines("From_Nightmares", 12) == ["From_", "Nightmares"]
    assert break_lines("Monkey D.Dragon", 12) == ["Monkey", "D.Dragon"], "no line ends after a single dot"


@pytest.mark.parametrize("cells", [60, 80])
def test_id_is_on_one_line_of_a_table(shell: Shell, monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setenv("COLUMNS", str(cells))
    monkeypatch.setenv("FORCE_COLOR", "1")
    shell.import_starter()
    ids = [card["id"] for card in shell.good("search", "game:onepiece", "--limit", "20", "--json").json_lines]
    table = shell.good("search", "game:onepiece").out
    assert len(ids) == 20
    assert all(one in table for one in ids)
