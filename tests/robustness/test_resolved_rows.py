"""Imported lines that resolve an uncertain row but give an invalid or unknown number of the row."""

import json

import pytest
from helpers.catalogues import Shell, rows


@pytest.mark.parametrize(
    ("number", "message"),
    [(number, "is not the number of an uncertain row") for number in (10**30, -(10**30), 1 << 63, -(1 << 63) - 1, -1)]
    + [(number, "no longer uncertain") for number in (0, 7, (1 << 63) - 1)]
    + [(1.5, ""), ("4", ""), ([4], ""), (None, "")],
)
def test_line_that_resolves_an_unknown_row_is_reported_and_skipped(shell: Shell, number: object, message: str) -> None:
    shell.import_rows(rows(3))
    path = shell.folder / "mine.jsonl"
    lines = ({"id": "mtg:dsk/3", "copies": 2, "settles": number}, {"id": "mtg:dsk/2", "copies": 5})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = shell("collection", "import", path)
    assert result.status in (0, 1), result
    assert "defect" not in result.err
    assert message in result.out + result.err
    assert sum(one["copies"] for one in shell.entries()) == (5 if message else 7)
