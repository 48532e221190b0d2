"""Corrections of imported cards: they survive imports and undo until the user removes them."""

import gzip
import io
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, row, rows

LANDED = Path(__file__).parents[1] / "landed"


@pytest.fixture
def shell(shell: Shell) -> Shell:
    shell.import_rows(rows(40))
    return shell


def shown(shell: Shell, card: str = "mtg:dsk/3") -> dict[str, Any]:
    return shell.card(card)


def cards(shell: Shell) -> str:
    return shell.good("export", "--json").out


def test_edit_without_difference_is_reported_and_not_recorded(shell: Shell) -> None:
    number = shown(shell)["zones"]["top-right"]
    changes = shell.good("history", "--json").json_lines
    assert (
        "mtg:dsk/3 already has these values." in shell.good("card", "edit", "mtg:dsk/3", "--top-right", str(number)).err
    )
    assert shell.good("history", "--json").json_lines == changes
    assert "Corrected mtg:dsk/3." in shell.good("card", "edit", "mtg:dsk/3", "--top-right", str(number + 1)).err


def test_correcting_a_zone_changes_only_that_zone(shell: Shell) -> None:
    before = shown(shell)
    result = shell.good("card", "edit", "mtg:dsk/3", "--top-left", "7", "--json").json
    after = shown(shell)
    assert result == {key: value for key, value in after.items() if key in result}
    assert after["zones"] == {**before["zones"], "top-left": 7}
    assert after["score"] == before["score"] + 7
    assert {key for key in before if before[key] != after[key]} == {"zones", "score", "numbers", "corrected"}
    assert (before["corrected"], after["corrected"]) == (None, {"printed": {"top-left": "7"}})
    assert {"zone": "top-left", "field": "entered"}.items() <= after["numbers"][-1].items()


def test_edit_explains_the_numbers_of_the_corrected_card(shell: Shell) -> None:
    out = shell.good("card", "edit", "mtg:dsk/3", "--bottom", "7").out
    assert [line.split() for line in out.splitlines()[-4:-1]] == [
        ["top-right", "mana_cost", "3", "3", "counts"],
        ["face", "text", "2", "2", "counts"],
        ["bottom", "entered", "7", "7", "counts"],
    ]


def test_text_replaces_source_texts_of_zone_and_empty_text_clears_it(shell: Shell) -> None:
    assert "top-right" in shown(shell)["zones"]
    shell.good("card", "edit", "mtg:dsk/3", "--top-right", "2,8")
    assert (shown(shell)["legal"], shown(shell)["reason"]) == (False, "multiple-numbers:top-right")
    shell.good("card", "edit", "mtg:dsk/3", "--top-right", "")
    assert "top-right" not in shown(shell)["zones"]
    assert shown(shell)["legal"]


def test_corrected_names_sets_numbers_and_stats_are_found(shell: Shell) -> None:
    old = shown(shell)["name"]
    shell.good("card", "edit", "mtg:dsk/3", "--name", "Amber Hound", "--set", "dks", "--attack", "4")
    shell.good("card", "edit", "mtg:dsk/3", "--number", "9", "--number-at", "bl", "--defense", "2")
    card = shown(shell, "Amber Hound")
    assert [card[key] for key in ("id", "set_code", "collector_number", "attack", "defense")] == [
        *("mtg:dsk/3", "dks", "9", 4, 2)
    ]
    assert card["zones"]["bottom-left"] == 9
    assert shell.good("search", "amber hond", "--json").json_lines[0]["id"] == "mtg:dsk/3"
    assert not [found for found in shell.good("search", old, "--json").json_lines if found["id"] == "mtg:dsk/3"]


def test_correction_survives_import_and_undo_and_ends_when_removed(shell: Shell) -> None:
    untouched = cards(shell)
    shell.good("card", "edit", "mtg:dsk/3", "--top-left", "7", "--name", "Amber Hound")
    corrected = cards(shell)
    changed = [row(3, cost=9) if number == 3 else row(number) for number in range(1, 42)]
    summary = shell.import_rows(changed)
    assert (summary["added"], summary["changed"], summary["unchanged"]) == (1, 1, 39)
    card = shown(shell)
    assert (card["name"], card["zones"]["top-left"], card["zones"]["top-right"]) == ("Amber Hound", 7, 9)
    shell.good("undo", "--yes")
    assert cards(shell) == corrected
    shell.good("import", "mtg", shell.folder / "cards.jsonl", "--dry-run")
    assert cards(shell) == corrected
    shell.good("card", "remove", "mtg:dsk/3")
    assert cards(shell) == untouched
    assert shown(shell)["corrected"] is None


def test_import_counts_corrected_card_with_same_data_as_unchanged(shell: Shell) -> None:
    shell.good("card", "edit", "mtg:dsk/3", "--top-left", "7")
    summary = shell.import_rows([*rows(40), row(41)])
    assert (summary["added"], summary["changed"], summary["unchanged"]) == (1, 0, 40)


def test_correction_is_kept_while_its_source_lacks_the_card(shell: Shell) -> None:
    shell.good("card", "edit", "mtg:dsk/40", "--top-left", "7")
    shell.import_rows(rows(39))
    listed = shell.good("card", "list", "--json").json_lines
    assert listed == [{"id": "mtg:dsk/40", "corrected": {"printed": {"top-left": "7"}}}]
    assert "no longer in a source" in shell.good("card", "list").out
    shell.good("undo", "--yes")
    assert shown(shell, "mtg:dsk/40")["zones"]["top-left"] == 7


def test_show_and_list_name_the_corrected_fields(shell: Shell) -> None:
    shell.good("card", "edit", "mtg:dsk/3", "--top-left", "7", "--set", "dks")
    assert (
        "Corrected by hand: set, top left. To revert: ccgrid card remove mtg:dsk/3"
        in shell.good("show", "mtg:dsk/3").err
    )
    out = shell.good("card", "list").out
    assert "corrected by hand" in out
    assert "set, top left" in out
    shell.good("card", "add", "--game", "arcadia", "--name", "Griffin", "--top", "4")
    assert shell.good("card", "list", "--json").json_lines[0]["corrected"] is None


def test_correcting_a_zone_does_not_make_digital_card_legal(shell: Shell) -> None:
    shell.import_rows([*rows(40), row(77, digital=True)])
    shell.good("card", "edit", "mtg:dsk/77", "--top-left", "7")
    assert shown(shell, "mtg:dsk/77")["reason"] == "digital"


def test_invalid_correction_is_rejected_and_changes_nothing(shell: Shell) -> None:
    before = cards(shell)
    assert shell("card", "edit", "mtg:dsk/3", "--name", "x" * 201).status == 2
    assert shell("card", "edit", "mtg:dsk/3", "--name", "").status == 2
    assert shell("card", "edit", "mtg:dsk/3", "--attack", "11").status == 2
    assert shell("card", "edit", "mtg:dsk/3", "--json").status == 2
    shell("card", "edit", "mtg:dsk/99", "--top", "4").finds_none("There is no card 'mtg:dsk/99'")
    shell("card", "remove", "mtg:dsk/99").finds_none("There is no card 'mtg:dsk/99'")
    shell("card", "remove", "mtg:dsk/3").fails("no correction to revert", "ccgrid show mtg:dsk/3")
    assert cards(shell) == before


def test_form_shows_source_values_and_saves_only_changes(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    before = shown(shell)
    monkeypatch.setattr(sys, "stdin", Terminal("tl 7\n\n"))
    shell.good("card", "edit", "mtg:dsk/3")
    after = shown(shell)
    assert after["corrected"] == {"printed": {"top-left": "7"}}
    assert after["zones"] == {**before["zones"], "top-left": 7}


def test_correction_holds_through_import_and_undo_in_catalogue_of_version_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = Shell(tmp_path, capsys)
    monkeypatch.setenv("CCGRID_DB", str(old.database))
    monkeypatch.setenv("CCGRID_LAYOUTS", "none")
    monkeypatch.chdir(tmp_path)
    for name in ("isles.csv", "isles-2.csv", "isles.toml"):
        shutil.copy(LANDED / name, tmp_path)
    old.database.write_bytes(gzip.decompress((LANDED / "catalogue-1.db.gz").read_bytes()))
    before = old.card("isles:iow/10")
    old.good("card", "edit", "isles:iow/10", "--top", "9")
    corrected = old.card("isles:iow/10")
    assert corrected["zones"]["top"] == 9
    old.good("import", "file", "isles-2.csv", "--layout", "isles.toml", "--force")
    assert old.card("isles:iow/10")["zones"]["top"] == 9
    old.good("undo", "--yes")
    assert old.card("isles:iow/10") == corrected
    old.good("card", "remove", "isles:iow/10")
    assert old.card("isles:iow/10") == before
    with sqlite3.connect(old.database) as connection:
        assert connection.execute("SELECT count(*) FROM uncorrected").fetchone() == (0,)
    connection.close()
