"""`collection import`, and changes by hand with undo and export."""

import json
import subprocess
import sys

import pexpect
import pytest
from helpers import forked_program as forked
from helpers.catalogues import Shell
from helpers.collection_catalogue import CARDS, card
from moxfield_files import moxfield, owned_copies

IMPORTED = [("mtg:dsk/1", 6, "normal"), ("mtg:dsk/1", 1, "foil")]


# --- importing ---------------------------------------------------------------------------------------------------


def test_import_counts_every_row_and_reports_uncertain_ones(owned: Shell) -> None:
    report = owned.incomplete("collection", "import", moxfield(owned), "--json").json
    assert (report["file"], report["format"], report["rows"], report["copies"]) == ("mine.csv", "moxfield", 6, 7)
    assert report["matched"] == {"id": 0, "number": 3, "name": 0, "fuzzy": 1}
    assert (report["missed"], report["skipped"], report["added"]) == (1, 1, 7)
    assert report["rows"] == sum(report["matched"].values()) + report["missed"] + report["skipped"]
    fuzzy, missed, skipped = report["report"]
    assert (fuzzy["line"], fuzzy["outcome"], fuzzy["card"]) == (4, "fuzzy", "mtg:dsk/2")
    assert "is nearly 'Brass Belringer'" in fuzzy["reason"]
    assert (missed["line"], missed["outcome"], missed["card"], missed["candidates"]) == (
        5,
        "missed",
        None,
        ["mtg:old/2"],
    )
    assert missed["raw"].startswith("4,0,Jade Gardener,xyz")
    assert (skipped["line"], skipped["outcome"], skipped["reason"]) == (6, "skipped", "it has no copies")
    assert sorted(owned_copies(owned)) == sorted(IMPORTED)
    assert set(report["unused"]) == {"Last Modified"}


def test_importing_same_file_again_changes_nothing(owned: Shell) -> None:
    owned.incomplete("collection", "import", moxfield(owned))
    before = owned_copies(owned)
    again = owned.incomplete("collection", "import", moxfield(owned, name="renamed.csv"), "--json").json
    assert (again["added"], again["rows"], again["copies"]) == (0, 6, 7)
    assert again["known"]
    assert owned_copies(owned) == before
    assert "imported before" in owned.incomplete("collection", "import", moxfield(owned)).out
    owned.good("undo")
    assert owned_copies(owned) == []  # The second import was not a change.
    assert owned.incomplete("collection", "import", moxfield(owned), "--json").json["added"] == 7
    assert owned.incomplete("collection", "import", moxfield(owned), "--again", "--json").json["added"] == 7
    assert sum(copies for _, copies, _ in owned_copies(owned)) == 14


def test_dry_run_predicts_report_and_changes_nothing(owned: Shell) -> None:
    predicted = owned.incomplete("collection", "import", moxfield(owned), "--dry-run", "--json").json
    assert owned_copies(owned) == []
    assert owned.good("collection", "doubts", "--json").json_lines == []
    assert [one["kind"] for one in owned.good("history", "--json").json_lines] == ["import"]
    done = owned.incomplete("collection", "import", moxfield(owned), "--json").json
    assert (predicted.pop("dry_run"), done.pop("dry_run")) == (True, False)
    assert predicted == done


def test_import_without_known_rows_fails_and_changes_nothing(owned: Shell) -> None:
    path = moxfield(owned, "Count,Name,Edition\n1,Quxyzzy,zzz\n")
    owned("collection", "import", path).fails("none of its 1 row", "no set 'zzz'", "Is its game imported?")
    empty = owned("collection", "import", moxfield(owned, "Count,Name,Edition\n0,Quxyzzy,dsk\n"))
    empty.fails("none of its 1 row", "Line 2: it has no copies.")
    assert "imported?" not in empty.err
    owned("collection", "import", moxfield(owned, "Count,Name,Edition\n")).fails("no rows")
    owned("collection", "import", owned.folder / "none.csv").fails("none.csv")
    owned("collection", "import", owned.folder).fails("folder")
    assert owned.good("collection", "doubts", "--json").json_lines == []


def test_on_error_stop_changes_nothing_if_row_fails(owned: Shell) -> None:
    owned("collection", "import", moxfield(owned), "--on-error", "stop").fails("line 4", "Nothing changed")
    assert owned_copies(owned) == []
    assert owned("collection", "import", moxfield(owned), "--on-error", "halt").status == 2


def test_import_without_catalogue_suggests_command(shell: Shell) -> None:
    shell("collection", "import", moxfield(shell)).fails("ccgrid import starter")


PROSE = "Amber Archivist\nWe met at the station.\nIt rained all day, and nobody came.\nOn 3 May we left (at last).\n"


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--format", "text"), ("--replace", "--yes"), ("--again",)])
def test_list_with_few_matches_is_rejected_with_report(owned: Shell, options: tuple[str, ...]) -> None:
    owned.good("collection", "add", "Isle", "--set", "dsk")
    before = owned_copies(owned)
    letter = moxfield(owned, PROSE, "letter.txt")
    table = owned.folder / "corrections.csv"
    refused = owned("collection", "import", letter, "--corrections", table, *options)
    assert refused.status == 3
    assert "only 1 of its 4 rows that could name a card matches one; nothing changed" in refused.err
    assert "--partial" in refused.err
    assert "We met at the station." in refused.out
    assert "0 copies" in refused.out
    as_json = owned("collection", "import", letter, "--json", *options)
    assert (as_json.status, as_json.json["added"], as_json.json["missed"]) == (3, 0, 3)
    assert owned_copies(owned) == before
    assert owned.good("collection", "doubts", "--json").json_lines == []
    assert not table.exists()


def test_partial_option_imports_matching_rows(owned: Shell) -> None:
    letter = moxfield(owned, PROSE, "letter.txt")
    report = owned.incomplete("collection", "import", letter, "--partial", "--json").json
    assert (report["added"], report["missed"], owned_copies(owned)) == (1, 3, [("mtg:dsk/1", 1, "normal")])
    owned.incomplete("collection", "import", letter)  # The file is known now.
    assert len(owned.good("collection", "doubts", "--json").json_lines) == 3


@pytest.mark.parametrize(
    "rows",
    [
        "Amber Archivist\nWe met\n",  # Half of the rows match.
        "Amber Archivist\nNobody (XYZ) 12\nSomebody (XYZ) 13\nElse (ABC) 4\n",  # The rows name unknown sets.
        "Amber Archivist\nBrass Belringer\nCinder Cartografer\n",  # The rows are misspelt cards.
        "Amber Archivist\n-----\n=====\n* * *\n",
    ],
)
def test_list_with_some_unmatched_rows_is_still_imported(owned: Shell, rows: str) -> None:
    result = owned("collection", "import", moxfield(owned, rows, "list.txt"))
    assert result.status in (0, 1), result
    assert owned_copies(owned) == [("mtg:dsk/1", 1, "normal")]


def test_text_of_sentences_is_reported_as_text(owned: Shell) -> None:
    letter = moxfield(owned, PROSE.partition("\n")[2], "letter.txt")
    owned("collection", "import", letter).fails("none of its 3 rows", "It is a text of sentences.")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_import_at_terminal_asks_about_doubtful_rows(owned: Shell) -> None:
    text = "1 Amber Archivist\n2 Brass Belringer (DSK)\n3 Cinder Cartografer\n4 Kestril\n1 Frost Drak\n"
    environment = {**owned.environment(), "TERM": "xterm-256color", "NO_COLOR": "1"}
    child = forked.at_terminal(("collection", "import", str(moxfield(owned, text, "list.txt"))), environment, lines=90)
    for answer in ("?", "1", "d", "", "q"):
        child.expect("q to stop> ")
        child.send(f"{answer}\r")
    child.expect("2 rows confirmed or forgotten; 2 copies added.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert owned_copies(owned) == [("mtg:dsk/1", 1, "normal"), ("mtg:dsk/2", 2, "normal")]
    assert len(owned.good("collection", "doubts", "--json").json_lines) == 2
    owned.good("undo")
    assert len(owned.good("collection", "doubts", "--json").json_lines) == 4


def test_corrected_rows_resolve_uncertain_ones(owned: Shell) -> None:
    table = owned.folder / "corrections.csv"
    owned.incomplete("collection", "import", moxfield(owned), "--corrections", table)
    text = table.read_text(encoding="utf-8")
    head, fuzzy, missed = text.splitlines()
    assert head.startswith("Copies,Name,Set code")
    assert "mtg:old/2 Jade Gardener" in missed
    assert owned("collection", "import", moxfield(owned, f"{head}\n{missed}\n", "left.csv")).status == 3
    chosen = ",".join([*missed.split(",")[:11], "mtg:old/2", *missed.split(",")[12:]])
    moved = ",".join([*fuzzy.split(",")[:11], "mtg:old/1", *fuzzy.split(",")[12:]])
    report = owned.good(
        "collection", "import", moxfield(owned, f"{head}\n{moved}\n{chosen}\n", "right.csv"), "--json"
    ).json
    assert (report["matched"]["id"], report["settled"]) == (2, 2)
    assert sorted(owned_copies(owned)) == sorted([*IMPORTED, ("mtg:old/1", 2, "normal"), ("mtg:old/2", 4, "normal")])
    assert owned.good("collection", "doubts", "--json").json_lines == []
    twice = owned("collection", "import", moxfield(owned, f"{head}\n{chosen}\n", "twice.csv"))
    assert twice.status == 3
    assert "no longer uncertain" in twice.err


def test_missed_rows_are_found_after_their_cards_arrive(owned: Shell) -> None:
    owned.incomplete("collection", "import", moxfield(owned))
    owned.import_rows([*CARDS, card("xyz", "9", "Jade Gardener")])
    report = owned.incomplete("collection", "import", moxfield(owned), "--json").json
    assert (report["added"], report["settled"], report["missed"], report["copies"]) == (4, 1, 0, 11)
    assert ("mtg:xyz/9", 4, "normal") in owned_copies(owned)
    assert owned.incomplete("collection", "import", moxfield(owned), "--json").json["added"] == 0
    owned.good("undo")
    assert sorted(owned_copies(owned)) == sorted(IMPORTED)
    assert owned.incomplete("collection", "import", moxfield(owned), "--json").json["added"] == 4


def test_import_takes_places_from_file_or_options(owned: Shell) -> None:
    text = "Folder Name,Quantity,Card Name,Set Code,Card Number\nBinder,2,Amber Archivist,DSK,1\n,1,Isle,DSK,11\n"
    owned.good("collection", "import", moxfield(owned, text), "--box", "Attic 2", "--row", "3")
    places = [one["location"] for one in owned.entries()]
    assert places == ["Binder", "Attic 2, row 3"]


def test_standard_input_is_read_like_a_file(owned: Shell) -> None:
    process = owned.start("collection", "import", "-", "--json", stdin=subprocess.PIPE)
    out, err = process.communicate("2 Amber Archivist\n1 Isle (DSK) 12\n", timeout=240)
    assert process.returncode == 0, err
    assert json.loads(out)["matched"] == {"id": 0, "number": 1, "name": 1, "fuzzy": 0}


def test_card_missing_from_source_stays_owned(owned: Shell) -> None:
    owned.good("collection", "add", "mtg:dsk/1", "-n", "3")
    owned.import_rows([one for one in CARDS if one["name"] != "Amber Archivist"])
    assert owned("show", "mtg:dsk/1").status == 1
    (entry,) = owned.entries()
    assert (entry["id"], entry["name"], entry["copies"]) == ("mtg:dsk/1", "Amber Archivist", 3)


# --- by hand -----------------------------------------------------------------------------------------------------


def test_equal_copies_in_same_place_are_one_holding(owned: Shell) -> None:
    owned.good("collection", "add", "Amber Archivist", "-n", "2")
    owned.good("collection", "add", "mtg:dsk/1", "--condition", "NM", "--box", "A")
    added = owned.good("collection", "add", "--set", "dsk", "--number", "1", "--json").json
    assert (added["id"], added["copies"], added["condition"]) == ("mtg:dsk/1", 3, None)
    assert len(owned_copies(owned)) == 2
    assert owned_copies(owned, "box:a") == [("mtg:dsk/1", 1, "normal")]
    assert owned_copies(owned, "box:none") == [("mtg:dsk/1", 3, "normal")]


def test_add_never_guesses_misspelt_cards(owned: Shell) -> None:
    owned("collection", "add", "Amber Archivst").finds_none("Did you mean: Amber Archivist?")
    owned("collection", "add", "Jade Gardener", "--set", "dsk").finds_none("dsk has no card of that name", "mtg:old/2")
    assert owned_copies(owned) == []


def test_remove_needs_unambiguous_entry(owned: Shell) -> None:
    owned.good("collection", "add", "Amber Archivist", "-n", "3")
    owned.good("collection", "add", "Amber Archivist", "-n", "2", "--finish", "foil")
    owned("collection", "remove", "Amber Archivist").fails("Several entries match", "foil")
    owned.good("collection", "remove", "amber archivist finish:foil")
    assert sorted(owned_copies(owned)) == [("mtg:dsk/1", 1, "foil"), ("mtg:dsk/1", 3, "normal")]
    owned("collection", "remove", "mtg:dsk/1 finish:foil", "-n", "2").fails("Only 1 available.")
    owned.good("collection", "remove", "mtg:dsk/1", "--all")
    assert owned_copies(owned) == []
    owned("collection", "remove", "Isle").finds_none("No card in the collection matches")


def test_undo_reverts_one_change_at_a_time(owned: Shell) -> None:
    states = [owned_copies(owned)]
    for command in (
        ("add", "Amber Archivist", "-n", "2"),
        ("add", "Isle", "--set", "dsk"),
        ("remove", "Amber Archivist"),
    ):
        owned.good("collection", *command)
        states.append(owned_copies(owned))
    owned.incomplete("collection", "import", moxfield(owned))
    for state in reversed(states):
        owned.good("undo")
        if state is not states[0]:
            assert owned_copies(owned) == state
        states.pop()
    assert owned_copies(owned) == []
    assert [one["kind"] for one in owned.good("history", "--json").json_lines if not one["undone"]] == ["import"]


def test_collection_list_follows_requested_order(owned: Shell) -> None:
    for name, copies, row in (("Isle", "3", "10"), ("Amber Archivist", "1", "9"), ("Gale Herald", "7", "")):
        owned.good("collection", "add", name, "--set", "dsk", "-n", copies, "--row", row, "--box", "B")
    first = {sort: owned.entries(f"sort:{sort}")[0]["name"] for sort in ("name", "-copies", "place", "set")}
    assert first == {
        "name": "Amber Archivist",
        "-copies": "Gale Herald",
        "place": "Amber Archivist",
        "set": "Amber Archivist",
    }
    assert owned("collection", "list", "sort:colour").status == 2
    assert "11 copies in 3 entries" in owned.good("collection", "list").out


@pytest.mark.parametrize(
    "form", ["jsonl", "csv", "moxfield", "manabox", "deckbox", "archidekt", "dragonshield", "topdecked"]
)
def test_export_imported_into_empty_collection_restores_it(owned: Shell, form: str) -> None:
    for options in ((), ("--finish", "foil"), ("--condition", "nm"), ("--language", "ja", "-n", "3")):
        owned.good("collection", "add", "mtg:dsk/6", *options)
    owned.good("collection", "add", "mtg:dsk/4", "--condition", "played" if form != "moxfield" else "lp")
    owned.good("collection", "add", "mtg:pdsk/3★")
    before = owned.entries()
    file = owned.folder / "export.txt"
    owned.good("collection", "export", "--format", form, "-o", file)
    owned.good("collection", "remove", "", "--all")
    report = owned.good("collection", "import", file, "--json").json
    assert report["matched"]["id"] + report["matched"]["number"] == report["rows"] == 6
    after = owned.entries()
    if form in ("archidekt", "topdecked", "manabox", "deckbox", "dragonshield"):
        before = [{**one, "condition": None} if one["condition"] == "played" else one for one in before]
        after = [
            {**one, "condition": None} if one["condition"] in ("played", "heavily-played") else one for one in after
        ]
    assert after == before


def test_export_reports_losses_of_its_format(owned: Shell) -> None:
    owned.good("collection", "add", "mtg:dsk/6", "--finish", "foil", "-n", "2", "--box", "A", "--condition", "nm")
    output = owned.good("collection", "export", "--format", "text")
    assert output.out == "2 +2 Lantern\n"
    for what in ("finish: 2 copies", "condition", "box", "which printing"):
        assert what in output.err
    assert owned.good("collection", "export", "--format", "jsonl").err == ""
    owned("collection", "export", "--format", "excel").names_unknown("moxfield")
