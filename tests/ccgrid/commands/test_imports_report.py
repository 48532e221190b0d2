"""Tests of the report of an import: its JSON summary, and the advice for cards without numbers."""

from helpers.catalogues import Shell, row, rows
from helpers.json_shapes import Shape, assert_shape
from helpers.text_files import write, write_layout


def test_import_prints_the_documented_summary(shell: Shell) -> None:
    summary = shell.import_rows([*rows(30), row(31, power="3", toughness="4"), {"no": "card"}])
    shape: Shape = {"source": str, "version": (str, type(None))}
    shape |= dict.fromkeys(("read", "added", "changed", "unchanged", "removed", "skipped", "legal"), int)
    assert_shape({key: value for key, value in summary.items() if key not in ("barred", "seconds")}, shape)
    assert isinstance(summary["seconds"], float)
    assert summary["barred"] == {"multiple-numbers:bottom-right": 1}
    assert (summary["read"], summary["legal"], summary["skipped"]) == (32, 30, 1)


def test_cards_without_numbers_are_reported_with_advice(shell: Shell) -> None:
    layout = write_layout(shell.folder / "whi.toml", "Cost", "top-left")
    data = write(shell.folder / "whi.csv", "Name,Cost\nAsh,-\nBo,-\nCy,3\n")
    report = shell.good("import", "file", data, "--layout", layout).err
    assert "no number for 2 cards. To add numbers: ccgrid scan, or ccgrid card edit" in report
