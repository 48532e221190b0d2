"""Newer exports of the same collection: recognised by their rows, shown as a difference, and applied as one change."""

import csv
import io
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Result, Shell, rows
from helpers.forked_program import at_terminal
from helpers.text_files import write

from ccgrid.catalog.collection.formats.format import EVERYTHING
from ccgrid.catalog.collection.newer import (
    Difference,
    RepeatedError,
    copy_changes,
    identity,
    merge_copies,
    repeats_copies,
    row_json,
    row_of,
    rows_of,
    take,
)
from ccgrid.catalog.holding import Place
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.collection_files import Doubt, ImportedFile
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey, key_of

HEADINGS = ("Count", "Name", "Edition", "Condition", "Language", "Foil", "Tags", "Collector Number", "Binder Name")


@dataclass(frozen=True)
class Line:
    """A row of an export of Moxfield with a column for the binder."""

    copies: int
    name: str
    number: str
    condition: str = "Near Mint"
    foil: str = ""
    edition: str = "dsk"
    box: str = "A"


def export(shell: Shell, name: str, lines: list[Line], tag: str = "") -> Path:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(HEADINGS)
    for one in lines:
        table.writerow(
            (one.copies, one.name, one.edition, one.condition, "English", one.foil, tag, one.number, one.box)
        )
    return write(shell.folder / name, text.getvalue())


MAP = "copies=Count,name=Name,set_code=Edition,condition=Condition,finish=Foil,number=Collector Number,box=Binder Name"


def import_export(shell: Shell, path: Path, *options: str) -> dict[str, Any]:
    result = shell("collection", "import", path, "--map", MAP, "--json", *options)
    report: dict[str, Any] = result.json
    assert result.status == int(report["missed"] + report["matched"]["fuzzy"] > 0), result
    return report


def owned_copies(shell: Shell) -> Counter[tuple[str, str, str, str]]:
    found: Counter[tuple[str, str, str, str]] = Counter()
    for one in shell.entries():
        found[one["id"], one["finish"], one["condition"] or "", one["box"]] += one["copies"]
    return found


def expected_copies(lines: list[Line]) -> Counter[tuple[str, str, str, str]]:
    words = {"Near Mint": "near-mint", "Lightly Played": "lightly-played"}
    found: Counter[tuple[str, str, str, str]] = Counter()
    for one in lines:
        card = f"mtg:{one.edition}/{one.number.lstrip('0')}"
        found[card, one.foil or "normal", words[one.condition], one.box] += one.copies
    return found


JANUARY = [
    Line(3, "Amber Archivist", "1"),
    Line(1, "Amber Archivist", "1", foil="foil"),
    Line(2, "Brass Bellringer", "2"),
    Line(4, "Cinder Cartographer", "3", box="B"),
    Line(1, "Hollow Ferryman", "13"),
    Line(2, "Gale Herald", "14"),
]


def test_six_monthly_exports_each_leave_state_of_last_file(owned: Shell) -> None:
    february = [*JANUARY, Line(1, "Iron Herald", "15"), Line(3, "Isle", "11", box="B")]  # The user bought cards.
    march = [one for one in february if one.name != "Gale Herald"]  # The user sold cards.
    march[0] = replace(march[0], copies=1)
    april = [replace(one, box="C") if one.box == "B" else one for one in march]  # The user moved cards.
    may = [
        replace(one, condition="Lightly Played") if one.number == "2" else one for one in april
    ]  # The user changed a condition.
    june = [*may[1:], Line(5, "Mint Hare", "17", box="C"), Line(1, "Brass Bellringer", "2", foil="foil")]
    import_export(owned, export(owned, "january.csv", JANUARY, "1"))
    assert owned_copies(owned) == expected_copies(JANUARY)
    for month, lines in (("february", february), ("march", march), ("april", april), ("may", may), ("june", june)):
        report = import_export(owned, export(owned, f"{month}.csv", lines, month), "--replace")
        assert owned_copies(owned) == expected_copies(lines), month
        assert report["rows"] == len(lines)
        assert report["difference"] is not None, month
    # Each import is one change, and can be undone separately.
    for lines in (may, april, march, february, JANUARY):
        owned.good("undo")
        assert owned_copies(owned) == expected_copies(lines)
    for lines in (february, march, april, may, june):
        owned.good("redo")
        assert owned_copies(owned) == expected_copies(lines)


def test_script_rejects_newer_export_and_names_both_options(owned: Shell) -> None:
    import_export(owned, export(owned, "january.csv", JANUARY))
    before = owned_copies(owned)
    newer = export(owned, "february.csv", [*JANUARY[1:], Line(1, "Iron Herald", "15")])
    refused = owned("collection", "import", newer, "--map", MAP)
    refused.fails("january.csv", "1 added, 3 removed, 0 changed", "--replace", "--again")
    assert refused.status == 3
    assert owned_copies(owned) == before
    assert owned.good("history", "--json").json_lines[-1]["what"] == "import january.csv"
    import_export(owned, newer, "--again")
    assert owned_copies(owned) == before + expected_copies([*JANUARY[1:], Line(1, "Iron Herald", "15")])
    assert owned("collection", "import", newer, "--map", MAP, "--again", "--replace").status == 2


def test_difference_names_added_removed_and_changed_cards(owned: Shell) -> None:
    import_export(owned, export(owned, "january.csv", JANUARY))
    lines = [*JANUARY[:4], replace(JANUARY[4], condition="Lightly Played"), Line(1, "Iron Herald", "15")]
    newer = export(owned, "february.csv", lines)
    difference = import_export(owned, newer, "--dry-run")["difference"]
    assert isinstance(difference, dict)
    assert (difference["added"], difference["removed"], difference["changed"]) == (1, 2, 1)
    assert [(one["what"], one["name"], one["copies"]) for one in difference["changes"]] == [
        ("removed", "Gale Herald", 2),
        ("changed", "Hollow Ferryman", 1),
        ("added", "Iron Herald", 1),
    ]
    graded = difference["changes"][1]
    assert graded["before"] == {
        **{"finish": "normal", "condition": "near-mint", "language": "en"},
        **{"box": "A", "row": "", "slot": ""},
    }
    assert graded["now"] == {**graded["before"], "condition": "lightly-played"}
    assert [one["before"] is None for one in difference["changes"]] == [False, False, True]
    assert owned_copies(owned) == expected_copies(JANUARY)
    shown = owned.good("collection", "import", newer, "--map", MAP, "--replace").out
    assert "Replacing january.csv" in shown
    assert "near-mint → lightly-played" in shown
    assert shown.rstrip().endswith("Added 1, removed 2 and changed 1 copy.")


def test_export_after_selling_most_copies_counts_as_newer(owned: Shell) -> None:
    # It repeats the cards, but few of the copies.
    many = [replace(one, copies=40) for one in JANUARY]
    import_export(owned, export(owned, "january.csv", many))
    import_export(owned, export(owned, "february.csv", JANUARY), "--replace")
    assert owned_copies(owned) == expected_copies(JANUARY)


def test_replacing_import_keeps_copies_from_elsewhere(owned: Shell) -> None:
    owned.good("collection", "add", "Mint Hare", "--box", "Shelf")
    import_export(owned, export(owned, "january.csv", JANUARY))
    owned.good("collection", "add", "Amber Archivist", "--set", "dsk", "--condition", "nm", "--box", "A")
    import_export(owned, export(owned, "february.csv", JANUARY[1:]), "--replace")
    elsewhere = Counter({("mtg:dsk/17", "normal", "", "Shelf"): 1, ("mtg:dsk/1", "normal", "near-mint", "A"): 1})
    assert owned_copies(owned) == expected_copies(JANUARY[1:]) + elsewhere


def test_file_of_other_cards_is_not_newer_export(owned: Shell) -> None:
    import_export(owned, export(owned, "january.csv", JANUARY[:3]))
    import_export(owned, export(owned, "other.csv", JANUARY[3:]))
    assert owned_copies(owned) == expected_copies(JANUARY)
    everything = export(owned, "all.csv", [*JANUARY, Line(1, "Iron Herald", "15")])
    import_export(owned, everything, "--replace")  # This file repeats both.
    assert owned_copies(owned) == expected_copies([*JANUARY, Line(1, "Iron Herald", "15")])


def test_replacing_import_covers_one_box_or_whole_collection(owned: Shell) -> None:
    import_export(owned, export(owned, "january.csv", JANUARY))
    boxless = write(owned.folder / "box.txt", "2 Mint Hare\n1 Cinder Cartographer\n")
    owned.good("collection", "import", boxless, "--replace", "--box", "B")
    inside = {key[0]: copies for key, copies in owned_copies(owned).items() if key[3] == "B"}
    assert sum(owned_copies(owned).values()) == 9 + 3
    assert inside["mtg:dsk/17"] == 2
    owned.good("collection", "import", boxless, "--replace", "--box", "B")
    assert {key[0]: copies for key, copies in owned_copies(owned).items() if key[3] == "B"} == inside
    whole = write(owned.folder / "whole.txt", "4 Gale Herald\n1 Mist Hare\n")
    before = owned_copies(owned)
    refused = owned("collection", "import", whole, "--replace").fails("repeats no earlier file", "--yes", "--box NAME")
    assert "3 added, 10 removed, 0 changed" in refused.err
    assert owned_copies(owned) == before
    assert owned.good("collection", "import", whole, "--replace", "--dry-run", "--json").json["difference"]["removed"]
    owned.good("collection", "import", whole, "--replace", "--yes")
    hare, new, as_it_was = ("mtg:dsk/18", "normal", "", ""), ("mtg:dsk/14", "normal", "", ""), JANUARY[5]
    assert owned_copies(owned) == Counter({hare: 1, new: 2}) + expected_copies([as_it_was]), (
        "a list contains no condition and no box"
    )


def test_resolved_rows_of_newer_export_are_not_asked_again(owned: Shell) -> None:
    doubtful = [
        Line(1, "Amber Archivst", ""),
        Line(2, "Brass Belringer", ""),
        Line(1, "Quxyzzy", "99"),
        Line(1, "Nobody", "98"),
    ]
    import_export(owned, export(owned, "january.csv", [*JANUARY, *doubtful]))
    lines = owned.good("collection", "doubts", "--json").json_lines
    assert [one["outcome"] for one in lines] == ["fuzzy", "fuzzy", "missed", "missed"]
    owned.good("collection", "doubts", "--reason", "Archivst", "--confirm")
    table = owned.folder / "corrections.csv"
    owned.good("collection", "doubts", "-o", table)
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    column = next(name for name in rows[0] if name.casefold() == "card id")
    for row in rows:
        if row["Name"] == "Quxyzzy":
            row[column] = "mtg:dsk/18"
    settled_rows = [row for row in rows if row["Name"] == "Quxyzzy"]
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(settled_rows)
    assert owned.good("collection", "import", table, "--json").json["settled"] == 1
    last = owned.good("collection", "doubts", "--json", "--outcome", "missed").json_lines
    assert [one["raw"].split(",")[1] for one in last] == ["Nobody"]
    owned.good("collection", "doubts", "--outcome", "missed", "--dismiss")
    before = owned_copies(owned)
    report = import_export(
        owned, export(owned, "february.csv", [*JANUARY, *doubtful, Line(1, "Isle", "11")]), "--replace"
    )
    assert owned_copies(owned) == before + expected_copies([Line(1, "Isle", "11")])
    open_ones = owned.good("collection", "doubts", "--json").json_lines
    assert [one["raw"].split(",")[1] for one in open_ones] == ["Brass Belringer"]
    assert (report["missed"], report["skipped"]) == (0, 1)
    assert report["matched"] == {"id": 2, "number": 7, "name": 0, "fuzzy": 1}


@pytest.mark.parametrize("decision", ["confirm", "dismiss", ""])
def test_decisions_on_doubtful_row_hold_in_later_exports(owned: Shell, decision: str) -> None:
    doubtful = Line(2, "Brass Belringer", "")
    months = [[*JANUARY, replace(doubtful, copies=copies)] for copies in (2, 3, 1)]
    import_export(owned, export(owned, "0.csv", months[0]))
    assert owned_copies(owned) == expected_copies(JANUARY)
    if decision:
        owned.good("collection", "doubts", f"--{decision}")
    for number, lines in enumerate(months[1:], 1):
        report = import_export(owned, export(owned, f"{number}.csv", lines), "--replace")
        right = replace(doubtful, copies=lines[-1].copies, name="Brass Bellringer", number="2")
        assert owned_copies(owned) == expected_copies([*JANUARY, right] if decision == "confirm" else JANUARY)
        assert report["matched"]["fuzzy"] == (not decision)
        assert len(owned.good("collection", "doubts", "--json").json_lines) == (not decision)


def test_row_that_became_uncertain_keeps_its_copies(owned: Shell) -> None:
    import_export(owned, export(owned, "january.csv", [*JANUARY, Line(2, "Mint Hare", "", edition="")]))
    before = owned_copies(owned)
    owned.good("card", "add", "--game", "wyvern", "--name", "Mint Hare", "--top", "3")
    unclear = Line(3, "Mint Hare", "", edition="")
    fresh = import_export(owned, export(owned, "fresh.csv", [unclear, Line(1, "Lynx", "22")]), "--dry-run", "--again")
    assert fresh["matched"]["fuzzy"] == 1
    report = import_export(owned, export(owned, "february.csv", [*JANUARY, unclear]), "--replace")
    assert (report["missed"], report["matched"]["fuzzy"]) == (0, 0)
    assert (owned_copies(owned) - before).total() == 1
    assert not before - owned_copies(owned)


def test_copies_out_in_deck_follow_replacing_import(owned: Shell) -> None:
    import_export(owned, export(owned, "january.csv", JANUARY))
    deck = write(owned.folder / "deck.json", json.dumps({"format": 1, "cards": ["mtg:dsk/3"] * 3}))
    owned.good("collection", "pull", deck, "--out")
    lines = [replace(one, box="C", copies=2) if one.box == "B" else one for one in JANUARY]
    import_export(owned, export(owned, "february.csv", lines), "--replace")
    assert owned_copies(owned) == expected_copies(lines)
    out = owned.good("collection", "out", "--json").json_lines
    assert [(one["id"], one["copies"], one["box"]) for one in out] == [("mtg:dsk/3", 2, "C")]


def test_replacing_import_finds_copies_moved_by_hand(owned: Shell) -> None:
    import_export(owned, export(owned, "january.csv", JANUARY))
    owned.good("collection", "move", "box:B", "--to-box", "Cellar")
    owned.good("collection", "remove", "Gale Herald")
    report = import_export(
        owned, export(owned, "february.csv", [one for one in JANUARY if one.number in "12"]), "--replace"
    )
    assert owned_copies(owned) == expected_copies([one for one in JANUARY if one.number in "12"])
    assert isinstance(report["difference"], dict)
    assert report["difference"]["gone"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("answer", "copies"), [("r", 11), ("a", 24), ("", 13), ("\x04", 13)])
def test_terminal_shows_difference_and_asks(owned: Shell, answer: str, copies: int) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    import_export(owned, export(owned, "january.csv", JANUARY))
    lines = [replace(one, box="C") if one.box == "B" else one for one in JANUARY if one.name != "Gale Herald"]
    newer = export(owned, "february.csv", lines)
    words = ("collection", "import", newer, "--map", MAP)
    child = at_terminal(words, {**owned.environment(), "TERM": "xterm"}, lines=40)
    child.expect_exact("[Enter] cancel: ")
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", child.before)
    for words in ("repeats most of january.csv", "removed", "Gale Herald", "changed", "B → C"):
        assert words in shown
    assert max(len(line) for line in shown.splitlines()) <= 80
    child.send(answer if answer == "\x04" else answer + "\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (3 if copies == 13 else 0)
    assert sum(owned_copies(owned).values()) == copies


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("answer", "copies"), [("1", 5), ("n", 2), ("", 0), ("9", 0)])
def test_terminal_asks_for_column_of_copies(owned: Shell, answer: str, copies: int) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    path = write(owned.folder / "mine.csv", "Name,Set,Number,Pile\nAmber Archivist,dsk,1,3\nIsle,dsk,11,2\n")
    child = at_terminal(("collection", "import", path), {**owned.environment(), "TERM": "xterm"}, lines=40)
    child.expect_exact("[Enter] cancel: ")
    assert "it may be 'Pile'" in " ".join(child.before.split())
    child.send(answer + "\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (0 if copies else 3)
    assert sum(owned_copies(owned).values()) == copies


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("answer", "copies"), [("y", 4), ("", 13)])
def test_terminal_asks_before_replacing_whole_collection(owned: Shell, answer: str, copies: int) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    import_export(owned, export(owned, "january.csv", JANUARY))
    whole = write(owned.folder / "whole.txt", "4 Gale Herald\n")
    words = ("collection", "import", whole, "--replace")
    child = at_terminal(words, {**owned.environment(), "TERM": "xterm"}, lines=40)
    child.expect_exact("[Enter] cancel: ")
    assert "repeats no earlier file" in child.before
    child.send(answer + "\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (3 if copies == 13 else 0)
    assert sum(owned_copies(owned).values()) == copies


def test_replaced_file_is_not_treated_as_known(owned: Shell) -> None:
    january = export(owned, "january.csv", JANUARY)
    import_export(owned, january)
    february = JANUARY[2:]
    import_export(owned, export(owned, "february.csv", february), "--replace")
    owned("collection", "import", january, "--map", MAP).fails("repeats most of february.csv")
    assert owned_copies(owned) == expected_copies(february)
    import_export(owned, january, "--replace")
    assert owned_copies(owned) == expected_copies(JANUARY)
    assert import_export(owned, january)["known"]
    assert owned_copies(owned) == expected_copies(JANUARY)


# --- other apps ---

MONTHS = (*["moxfield"] * 4, *["manabox"] * 4, *["dragonshield"] * 4)
"""The app that exports the collection in each month of a year."""
IDS = [f"mtg:dsk/{number}" for number in range(1, 41)]


class OtherShell(Shell):
    """A shell that uses another catalogue than the test's."""

    def __call__(self, *arguments: str | Path, typed: str | None = None) -> Result:
        return super().__call__(*arguments, "--db", self.database, typed=typed)


@pytest.fixture
def truth(owned: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell with the true collection, in a separate catalogue."""
    owned.import_rows(rows(40), "--force")
    (tmp_path / "truth").mkdir()
    other = OtherShell(tmp_path / "truth", capsys)
    other.database.write_bytes(owned.database.read_bytes())
    return other


def kinds(shell: Shell) -> Counter[tuple[str, str, str, str]]:
    listed = shell.entries()
    found = Counter[tuple[str, str, str, str]]()
    for one in listed:
        found[one["id"], one["finish"], one["condition"] or "", one["language"]] += one["copies"]
    return found


def export_month(truth: Shell, month: int) -> Path:
    path = truth.folder / f"{month}-{MONTHS[month]}.csv"
    truth.good("collection", "export", "--format", MONTHS[month], "-o", path)
    return path


def buy(truth: Shell, *cards: str) -> None:
    for card in cards:
        truth.good("collection", "add", card, "--condition", "nm")


@pytest.mark.slow
def test_exports_of_three_apps_keep_collection_exact_for_a_year(owned: Shell, truth: Shell) -> None:
    ids = IDS[:24]
    for number, card in enumerate(ids[:12]):
        truth.good("collection", "add", card, "--copies", str(1 + number % 3), "--condition", "nm")
    for month in range(12):
        if month:
            truth.good("collection", "remove", ids[month - 1], "--all")
            buy(truth, ids[11 + month], ids[11 + month])
        path = export_month(truth, month)
        if month:
            before = kinds(owned)
            owned("collection", "import", path).fails("repeats most of", "copies: ")
            assert kinds(owned) == before
        owned.good("collection", "import", path, *(["--replace"] if month else []))
        assert kinds(owned) == kinds(truth), MONTHS[month]


@pytest.mark.slow
def test_copies_keep_dates_that_the_app_does_not_store(owned: Shell, truth: Shell) -> None:
    """Import from an app without dates: copies that differ in price keep their own dates."""
    for shell in (owned, truth):
        for price, day in (("3.10", "2024-01-01"), ("1.20", "2024-01-02"), ("2.30", "2024-01-03")):
            for card in IDS[:6]:
                shell.good("collection", "add", card, "--box", day)
                shell.good(
                    "collection", "edit", f"{card} box:{day}", "--price", price, "--acquired", day, "--to-box", ""
                )
    path = export_month(truth, 4)
    owned.good("collection", "import", path, "--replace", "--yes")
    dates = {(one["price"], one["acquired"]) for one in owned.entries()}
    assert dates == {("3.10", "2024-01-01"), ("1.20", "2024-01-02"), ("2.30", "2024-01-03")}
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if ",2.30," not in line) + "\n", encoding="utf-8")
    output = owned.good("collection", "import", path, "--replace", "--yes", "--json").json["difference"]
    assert (output["added"], output["removed"], output["changed"]) == (0, 6, 0)


def test_next_replacing_import_repairs_accidental_second_import(owned: Shell, truth: Shell) -> None:
    ids = IDS[:9]
    buy(truth, *ids)
    owned.good("collection", "import", export_month(truth, 0))
    owned.good("collection", "import", export_month(truth, 4), "--again")
    assert sum(kinds(owned).values()) == 2 * len(ids)
    owned.good("collection", "import", export_month(truth, 8), "--replace")
    assert kinds(owned) == kinds(truth)


def test_export_recognises_copies_entered_by_hand(owned: Shell, truth: Shell) -> None:
    ids = IDS[:9]
    for shell in (owned, truth):
        buy(shell, *ids)
    path = export_month(truth, 4)
    owned("collection", "import", path).fails("repeats most of what you own", "copies: 0 added, 0 removed, 0 changed")
    owned.good("collection", "import", path, "--replace", "--yes")
    assert kinds(owned) == kinds(truth)


def test_few_of_many_cards_are_new_copies_in_any_app(owned: Shell, truth: Shell) -> None:
    ids = IDS[:24]
    buy(truth, *ids)
    owned.good("collection", "import", export_month(truth, 0))
    truth.good("collection", "remove", "--all", "--yes", "game:mtg")
    buy(truth, *ids[:3])
    owned.good("collection", "import", export_month(truth, 4))
    assert sum(kinds(owned).values()) == 27


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_prompt_shows_totals_first_and_question_mark_explains_it(owned: Shell) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    import_export(owned, export(owned, "january.csv", JANUARY))
    newer = export(owned, "february.csv", [one for one in JANUARY if one.name != "Gale Herald"])
    words = ("collection", "import", newer, "--map", MAP)
    child = at_terminal(words, {**owned.environment(), "TERM": "xterm"}, lines=40)
    child.expect_exact("[Enter] cancel: ")
    assert child.before.index("0 added, ") < child.before.index("Gale Herald")
    child.send("?\r")
    child.expect("replaces the cards that it repeats")
    child.expect_exact("[Enter] cancel: ")
    child.send("\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 3


# --- comparison of copies, and rows --------------------------------------------------------------------------------

ROW = Row(4, "2 Ant at home", (("normal", 2),), "Ant", note="for Bob")


def copies(cards: str) -> Counter[tuple[str, CopyKey]]:
    return Counter((card, CopyKey("normal", "", "en", Place())) for card in cards)


@pytest.mark.parametrize(
    ("old", "new", "is_newer"),
    [
        ("abcdefghij", "abcde", True),  # half of the old cards
        ("abcdefghij", "abcdeklmnopqrst", True),
        ("abcdefghij", "abcdklmno", False),  # less than half of the old or the new cards
        ("abcdefghij", "abkl", True),  # half of the new cards, and a fifth of the old ones
        ("abcdefghij", "abklm", False),
        ("abcdefghijk", "ab", False),  # less than a fifth of the old cards
        ("ab", "ab", True),
        ("a", "a", False),  # One card is not enough.
        ("aaaa", "aaaa", False),  # Four copies of one card are not enough.
        ("aab", "aac", False),  # Two copies of one card and other cards are not enough.
    ],
)
def test_newer_state_repeats_enough_of_old_or_new_cards(old: str, new: str, is_newer: bool) -> None:
    assert repeats_copies(copies(old), copies(new)) is is_newer


def test_only_removed_or_changed_copies_need_confirmation() -> None:
    near, played = (CopyKey("normal", grade, "en", Place()) for grade in ("near-mint", "played"))
    old = Counter({("a", near): 1})

    def takes_away(new: Counter[tuple[str, CopyKey]]) -> bool:
        return Difference((), list(copy_changes(old, new, {}, EVERYTHING))).takes_away()

    assert not takes_away(old)
    assert not takes_away(old + Counter({("b", near): 1}))
    assert takes_away(Counter())
    assert takes_away(Counter({("a", played): 1}))


def test_difference_in_json_has_files_and_changes() -> None:
    files = [ImportedFile(1, "january.csv", "moxfield", "2026-01-01T10:00:00", {})]
    kind = CopyKey("foil", "near-mint", "en", Place("A", "1", "2"))
    (change,) = copy_changes(Counter(), Counter({("mtg:dsk/1", kind): 3}), {"mtg:dsk/1": "Ant"}, EVERYTHING)
    assert msgspec.to_builtins(Difference(files, [change], gone=2).answer()) == {
        "files": [{"file": "january.csv", "imported": "2026-01-01T10:00:00"}],
        **{"added": 3, "removed": 0, "changed": 0, "gone": 2},
        "changes": [
            {
                **{"what": "added", "id": "mtg:dsk/1", "name": "Ant", "copies": 3, "before": None},
                "now": {
                    **{"finish": "foil", "condition": "near-mint", "language": "en"},
                    **{"box": "A", "row": "1", "slot": "2"},
                },
            }
        ],
    }


def test_copy_changes_are_ordered_by_name_then_id() -> None:
    kind = CopyKey("normal", "", "en", Place())
    old, new = Counter({("a", kind): 1, ("z", kind): 1}), Counter({("b", kind): 1})
    names = {"a": "Bee", "b": "Bee", "z": "Ant"}
    assert [(one.what, one.card_id) for one in copy_changes(old, new, names)] == [
        ("removed", "z"),
        ("removed", "a"),
        ("added", "b"),
    ]


@pytest.mark.parametrize(("files", "named"), [(1, "a.csv of 2026-01-02"), (3, "a.csv of 2026-01-02 and 2 more")])
def test_repeated_files_error_names_first_and_counts_others(files: int, named: str) -> None:
    repeated = [ImportedFile(1, "a.csv", "moxfield", "2026-01-02T10:00:00", {})] * files
    message = str(RepeatedError("b.csv", Difference(repeated)))
    assert message.startswith(f"b.csv repeats most of {named} (copies: 0 added, 0 removed, 0 changed);")


def test_identity_includes_lone_surrogates() -> None:
    assert identity(ROW._replace(name="torn \ud800")) != identity(ROW)


def test_copies_of_unknown_cards_default_to_english() -> None:
    assert [(row.card_id, row.language) for row in rows_of(ROW, None, Place())] == [(None, "en")]
    assert [row.language for row in rows_of(ROW._replace(language="de"), None, Place())] == ["de"]


@pytest.mark.parametrize("own", [Place(), Place("Attic"), Place("Attic", "2", "14")])
def test_uncertain_row_is_restored_from_json(own: Place) -> None:
    given = Place("Cellar", "1")
    row = ROW._replace(place=own)
    doubt = Doubt(7, 1, row.line, "missed", "", row.raw, row_json(row, given), None, [])
    assert row_of(doubt) == row._replace(place=own if any(own) else given, doubt=7)
    assert json.loads(doubt.written)[1] == ""


def test_take_selects_copies_by_note(owned: Shell) -> None:
    for box, note in (("A", "for Bob"), ("B", "for Ann")):
        owned.good("collection", "add", "Amber Archivist", "--box", box)
        owned.good("collection", "edit", f"box:{box}", "--note", note)
    with Store(owned.database) as store:
        collection = CollectionStore(store)
        (kind,) = (key_of(one) for one in collection.holdings() if one.note == "for Ann")
        assert take(collection, "mtg:dsk/1", kind, 1) == 1
        assert [one.note for one in collection.holdings()] == ["for Bob"]


def test_file_with_places_clears_them_and_one_without_keeps_them() -> None:
    boxed = CopyKey("normal", "near-mint", "en", Place("A", "1"))
    loose = boxed._replace(place=Place())
    old, new = Counter({("a", boxed): 1}), Counter({("a", loose): 1})
    assert [change.now for change in copy_changes(old, new, {}, EVERYTHING - {"note"})] == [loose]
    assert list(copy_changes(old, new, {}, EVERYTHING - {"place"})) == []


def test_imported_copies_already_in_box_count_once() -> None:
    near, played = (CopyKey("normal", grade, "en", Place("A")) for grade in ("near-mint", "played"))
    imported = Counter({("a", near): 2, ("a", played): 2, ("b", near): 1})
    assert merge_copies(imported, Counter({("a", near): 3})) == Counter(
        {("a", near): 3, ("a", played): 1, ("b", near): 1}
    )


def test_file_without_languages_keeps_stored_languages() -> None:
    german = CopyKey("normal", "near-mint", "de", Place())
    english = german._replace(language="en")
    old, new = Counter({("a", german): 1}), Counter({("a", english): 1})
    assert list(copy_changes(old, new, {}, EVERYTHING - {"language"})) == []
    assert [change.now for change in copy_changes(old, new, {}, EVERYTHING - {"place"})] == [english]


# --- undo and redo -------------------------------------------------------------------------------------------------

MISSPELT_EXPORT = "Count,Name,Edition,Collector Number\n{},Brass Belringer,dsk,\n{},Amber Archivist,dsk,1\n"
EXPORTS = (("a.csv", 2, 2), ("b.csv", 3, 2), ("c.csv", 3, 4))


def import_misspelt_export(shell: Shell, made: tuple[str, int, int], *options: str) -> None:
    name, *counts = made
    shell("collection", "import", write(shell.folder / name, MISSPELT_EXPORT.format(*counts)), *options)


@pytest.mark.parametrize("undone", [False, True])
@pytest.mark.parametrize("second", [(EXPORTS[1], "--replace", "-y"), (EXPORTS[0], "--again")])
def test_undone_and_redone_import_can_be_replaced(
    owned: Shell, undone: bool, second: tuple[tuple[str, int, int], ...]
) -> None:
    import_misspelt_export(owned, EXPORTS[0])
    owned.good("collection", "doubts", "--confirm", "-y")
    import_misspelt_export(owned, *second)
    if undone:
        owned.good("undo", "--yes")
        owned.good("redo")
    import_misspelt_export(owned, EXPORTS[2], "--replace", "-y")
    assert {one["id"]: one["copies"] for one in owned.entries()} == {"mtg:dsk/2": 3, "mtg:dsk/1": 4}
