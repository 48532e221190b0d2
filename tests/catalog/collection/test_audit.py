"""`collection audit`: checking a box pocket by pocket, with the report, undo, and resuming after a break."""

from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Result, Shell, row, rows

POCKETS = (("1", 2), ("2", 4), ("3", 1), ("4", 1))
"""Collector numbers, which are also the slots, and numbers of copies."""


@pytest.fixture
def home(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.setenv("CCGRID_STATE", str(tmp_path / "state"))
    shell.import_rows(rows(12))
    for number, copies in POCKETS:
        where = ("--box", "Attic", "--row", "1", "--slot", number)
        shell.good("collection", "add", f"mtg:dsk/{number}", "--copies", str(copies), *where)
    shell.good("collection", "add", "mtg:dsk/9", "--box", "Cellar")
    return shell


def audit(shell: Shell, *answers: str, words: tuple[str, ...] = ()) -> Result:
    """Audit the box with these lines from a pipe."""
    return shell("collection", "audit", "attic", *words, typed="".join(f"{answer}\n" for answer in answers))


def owned(shell: Shell) -> dict[tuple[str, str], int]:
    """Return the copies of each card in each slot."""
    listed: list[Any] = shell.entries()
    return {(one["id"], one["slot"]): one["copies"] for one in listed}


def test_pressing_enter_confirms_pocket_without_change(home: Shell) -> None:
    before = owned(home)
    output = audit(home, "", "", "", "")
    assert (output.status, output.out) == (0, "8 copies there, 0 missing.\n")
    assert owned(home) == before


def test_audit_is_one_change_that_undo_reverts(home: Shell) -> None:
    before = owned(home)
    output = audit(home, "m", "3", "mtg:dsk/7", "", words=("--json",)).json
    assert (output["there"], [(one["id"], one["copies"]) for one in output["missing"]]) == (
        4,
        [("mtg:dsk/1", 2), ("mtg:dsk/2", 1), ("mtg:dsk/3", 1)],
    )
    assert output["found"] == [
        {"id": "mtg:dsk/7", "name": rows(12)[6]["name"], "copies": 1, "location": "Attic, row 1, slot 3"}
    ]
    now = owned(home)
    assert ("mtg:dsk/1", "1") not in now
    assert (now["mtg:dsk/2", "2"], now["mtg:dsk/7", "3"], now["mtg:dsk/4", "4"]) == (3, 1, 1)
    home.good("undo")
    assert owned(home) == before


def test_name_prefers_printing_in_this_box(home: Shell) -> None:
    names = [one["name"] for one in rows(12)]
    older = [row(number, names[number - 1], set="old", released_at="1999-01-01") for number in range(1, 5)]
    home.import_rows([*rows(12), *older])
    output = audit(home, names[0].upper(), names[1], names[3], names[2], words=("--json",)).json
    assert (output["there"], output["missing"], output["found"]) == (6, [], [])
    assert [(one["id"], one["to"]) for one in output["moved"]] == [
        ("mtg:dsk/4", "Attic, row 1, slot 3"),
        ("mtg:dsk/3", "Attic, row 1, slot 4"),
    ]


def test_audit_moves_cards_found_in_other_pockets(home: Shell) -> None:
    output = audit(home, "", "", "mtg:dsk/4", "mtg:dsk/3", words=("--json",)).json
    assert (output["missing"], output["found"]) == ([], [])
    now = owned(home)
    assert (now["mtg:dsk/4", "3"], now["mtg:dsk/3", "4"]) == (1, 1)
    assert sum(now.values()) == sum(copies for _, copies in POCKETS) + 1


def test_audit_resumes_at_last_pocket(home: Shell) -> None:
    before = owned(home)
    left = audit(home, "m", "", "b", "q")
    assert (left.status, owned(home)) == (1, before)
    assert "Stopped after 1 of 4 pockets" in left.err
    over = audit(home, "", "", "", words=("--json",)).json
    assert [one["id"] for one in over["missing"]] == ["mtg:dsk/1"]
    assert audit(home, "").status == 1  # The next audit starts at the first pocket.
    again = audit(home, "", "", "", words=("--restart", "--json")).json
    assert again["missing"] == []


def test_audit_asks_again_about_changed_pockets(home: Shell) -> None:
    audit(home, "m", "", "q")
    home.good("collection", "add", "mtg:dsk/1", "--box", "Attic", "--row", "1", "--slot", "1")
    output = audit(home, "1", "", "", words=("--json",)).json
    assert [(one["id"], one["copies"]) for one in output["missing"]] == [("mtg:dsk/1", 2)]


def test_copies_in_checked_out_decks_are_not_missing(home: Shell) -> None:
    deck = home.folder / "deck.txt"
    deck.write_text(f"2 {rows(1)[0]['name']} (dsk) 1\n3 {rows(2)[1]['name']} (dsk) 2\n", encoding="utf-8")
    home.good("collection", "pull", deck, "--out")
    output = audit(home, "m", "", "", words=("--json",)).json
    assert [(one["id"], one["copies"]) for one in output["missing"]] == [("mtg:dsk/2", 1)]
    assert owned(home)["mtg:dsk/1", "1"] == 2


def test_audit_asks_again_after_unknown_answers(home: Shell) -> None:
    output = audit(home, "9", "Nobody at all", "?", "", "", "", "")
    assert output.status == 0
    assert "There should be 2" in output.err
    assert "No card matches 'Nobody at all'" in output.err
    assert "q: quit" in output.out


def test_audit_rejects_unknown_box_and_ignores_broken_state_file(home: Shell) -> None:
    home("collection", "audit", "Nowhere").finds_none("no box 'Nowhere'", "collection boxes")
    audit(home, "m", "q")
    (file,) = (home.folder / "state" / "audits").iterdir()
    for broken in ("", "[]", '{"answers": 3}', '{"answers": [[1]]}', '{"answers": [[1, "x", "y", "z", 5]]}'):
        file.write_text(broken, encoding="utf-8")
        assert audit(home, "q").status == 1
