"""`collection doubts`: resolving uncertain rows; also boxes as a whole, and redo."""

import re
from pathlib import Path

import msgspec
import pytest
from helpers.catalogues import Shell
from helpers.text_files import write

from ccgrid.catalog.collection.doubts import (
    DoubtFilter,
    ImportReport,
    ReportRow,
    confirm,
    dismiss,
    entries_in_doubt,
    kind_of_reason,
)
from ccgrid.catalog.collection.edit import MOST_UNASKED
from ccgrid.catalog.errors import CatalogError, NotConfirmedError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.services.collection_imports import settle_doubt

FILE = (
    "Count,Name,Edition,Collector Number\n"
    "1,Amber Archivist,dsk,1\n"
    "2,Brass Belringer,dsk,\n"
    "3,Cinder Cartografer,dsk,\n"
    "4,Jade Gardener,xyz,9\n"
    "1,Quxyzzy,dsk,99\n"
)


def bring(shell: Shell, text: str = FILE, name: str = "mine.csv") -> Path:
    path = write(shell.folder / name, text)
    shell.incomplete("collection", "import", path)
    return path


def copies(shell: Shell) -> dict[str, int]:
    return {one["id"]: one["copies"] for one in shell.entries()}


def doubts(shell: Shell, *options: str) -> list[str]:
    lines = shell.good("collection", "doubts", "--json", *options).json_lines
    return [one["raw"].split(",")[1] for one in lines]


def test_doubts_are_selected_by_file_outcome_and_reason(owned: Shell) -> None:
    bring(owned)
    bring(owned, "1 Isle\n1 Frost Drak\n", "list.txt")
    assert doubts(owned, "--outcome", "fuzzy", "--file", "MINE.csv") == ["Brass Belringer", "Cinder Cartografer"]
    assert doubts(owned, "--outcome", "missed") == ["Jade Gardener", "Quxyzzy"]
    assert doubts(owned, "--reason", "NO SET") == ["Jade Gardener"]
    assert doubts(owned, "--reason", "the catalogue has no set …") == ["Jade Gardener"]
    owned("collection", "doubts", "--file", "none.csv").finds_none("mine.csv, list.txt")
    assert owned("collection", "doubts", "--outcome", "id").status == 2
    assert owned("collection", "doubts", "--confirm", "--dismiss").status == 2
    shown = owned.good("collection", "doubts").out
    assert shown.rstrip().endswith("5 uncertain rows: 3 fuzzy, 2 missed.")


def test_fuzzy_rows_are_confirmed_together(owned: Shell) -> None:
    bring(owned)
    assert copies(owned) == {"mtg:dsk/1": 1}
    done = owned.good("collection", "doubts", "--confirm", "--json").json
    assert done == {"rows": 2, "added": 5, "removed": 0, "left": 2}
    assert doubts(owned) == ["Jade Gardener", "Quxyzzy"]
    assert copies(owned) == {"mtg:dsk/1": 1, "mtg:dsk/2": 2, "mtg:dsk/3": 3}
    owned.good("undo")
    assert copies(owned) == {"mtg:dsk/1": 1}
    assert len(doubts(owned)) == 4


def test_confirming_missed_rows_takes_single_candidates(owned: Shell) -> None:
    bring(owned)
    shown = owned.good("collection", "doubts", "--outcome", "missed", "--confirm").out
    assert "1 row confirmed; 4 copies added." in shown
    assert "1 row left" in shown
    assert copies(owned)["mtg:old/2"] == 4
    assert doubts(owned, "--outcome", "missed") == ["Quxyzzy"]


def test_dismissed_rows_are_forgotten(owned: Shell) -> None:
    path = bring(owned)
    done = owned.good("collection", "doubts", "--dismiss", "--json").json
    assert done == {"rows": 4, "added": 0, "removed": 0, "left": 0}
    assert copies(owned) == {"mtg:dsk/1": 1}
    assert doubts(owned) == []
    owned("collection", "doubts", "--dismiss").finds_none("There is no such uncertain row to dismiss.")
    owned("collection", "doubts", "--outcome", "fuzzy", "--confirm").finds_none("no such uncertain row to confirm")
    again = owned.good("collection", "import", path, "--json").json
    assert (again["added"], again["missed"], again["skipped"], again["rows"]) == (0, 0, 4, 5)
    owned.good("undo")
    assert len(doubts(owned)) == 4


def test_corrections_report_counts_added_copies(owned: Shell) -> None:
    bring(owned)
    table = owned.folder / "corrections.csv"
    owned.good("collection", "doubts", "--outcome", "fuzzy", "-o", table)
    report = owned.good("collection", "import", table, "--json").json
    assert (report["settled"], report["added"]) == (2, 5)
    assert sum(copies(owned).values()) == 6


CORRECTIONS_HEAD = (
    "Copies,Name,Set code,Set name,Number,Finish,Condition,Language,Box,Row,Slot,Card id,Settles,Rarity,Note,"
    "Acquired,Price,Currency,Tags,Signed,Altered,Proxy,For trade,Grade,"
)
CORRECTIONS = (
    CORRECTIONS_HEAD + "Why,Candidates,Row in the file\n"
    "2,Brass Belringer,dsk,dsk,,normal,,,,,,mtg:dsk/2,1,,,,,,,,,,0,,"
    "'Brass Bellringer' is nearly 'Brass Belringer',mtg:dsk/2 Brass Bellringer,"
    '"2,Brass Belringer,dsk,"\n'
    "4,Jade Gardener,xyz,xyz,9,normal,,,,,,,2,,,,,,,,,,0,,"
    "the catalogue has no set 'xyz'; other sets have it,mtg:old/2 Jade Gardener,"
    '"4,Jade Gardener,xyz,9"\n'
    "5,Twin Sistr,,,,normal,,,,,,mtg:dsk/10a,3,,,,,,,,,,0,,"
    "'Twin Sister' is nearly 'Twin Sistr',mtg:dsk/10a Twin Sister; mtg:old/4 Twin Sisters,"
    '"5,Twin Sistr,,"\n'
)


def test_corrections_table_lists_doubtful_rows_reasons_and_candidates(owned: Shell) -> None:
    path, tried, table = (owned.folder / name for name in ("mine.csv", "tried.csv", "table.csv"))
    rows = "1,Amber Archivist,dsk,1\n2,Brass Belringer,dsk,\n4,Jade Gardener,xyz,9\n0,Isle,dsk,11\n5,Twin Sistr,,\n"
    path.write_text(f"Count,Name,Edition,Collector Number\n{rows}", encoding="utf-8")
    owned.incomplete("collection", "import", path, "--dry-run", "--corrections", tried)
    owned.incomplete("collection", "import", path, "--corrections", table)
    assert table.read_bytes().decode() == CORRECTIONS
    unnumbered = re.sub(r",[123](,{10}0,)", r",\1", CORRECTIONS)
    assert tried.read_bytes().decode() == unnumbered


def test_rows_skipped_for_a_mistake_are_in_the_corrections(owned: Shell) -> None:
    table = owned.folder / "corrections.csv"
    mistakes = ["3/4", "4 of 4", "2-3", "+4", '"1,000"']
    text = "Count,Name,Edition,Collector Number\n2,Isle,dsk,11\n"
    path = write(owned.folder / "mine.csv", text + "".join(f"{copies},Isle,dsk,11\n" for copies in mistakes))
    shown = owned.good("collection", "import", path, "--corrections", table)
    assert "… and 2 more: --json, or --corrections FILE." in shown.out
    assert "The rows to correct are written to" in shown.err
    head, *lines = table.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 5
    assert all(copies.strip('"') in line for copies, line in zip(mistakes, lines, strict=True))
    write(table, f"{head}\n3,Isle,dsk,,11{lines[0][4:]}\n" + "".join(f"{line}\n" for line in lines[1:]))
    assert owned.good("collection", "import", table, "--json").json["added"] == 3
    assert copies(owned) == {"mtg:dsk/11": 5}


def test_rows_without_copies_are_not_in_the_corrections(owned: Shell) -> None:
    table = owned.folder / "corrections.csv"
    text = "Count,Name,Edition,Collector Number\n2,Isle,dsk,11\n" + "0,Isle,dsk,11\n" * 5
    shown = owned.good("collection", "import", write(owned.folder / "mine.csv", text), "--corrections", table)
    assert "… and 2 more: --json." in shown.out
    assert "has only headings" in shown.err
    assert len(table.read_text(encoding="utf-8").splitlines()) == 1


def test_correction_resolves_both_finishes_of_a_row(owned: Shell) -> None:
    headings = "Name,Set code,Collector number,Quantity,Foil Quantity\n"
    path = write(owned.folder / "two.csv", f"{headings}Amber Archivst,dsk,,2,3\nIsle,dsk,11,1,0\n")
    fields = "name=Name,set_code=Set code,number=Collector number,copies=Quantity,foil_copies=Foil Quantity"
    owned.incomplete("collection", "import", path, "--map", fields)
    assert copies(owned) == {"mtg:dsk/11": 1}
    table = owned.folder / "corrections.csv"
    owned.good("collection", "doubts", "-o", table)
    owned.good("collection", "import", table)
    assert doubts(owned) == []
    after = sorted((one["id"], one["copies"], one["finish"]) for one in owned.entries())
    assert after == [("mtg:dsk/1", 2, "normal"), ("mtg:dsk/1", 3, "foil"), ("mtg:dsk/11", 1, "normal")]


def test_reasons_are_grouped_across_cards(owned: Shell) -> None:
    cards = "".join(f"1,Nobody {number},dsk,{number}\n" for number in range(500, 540))
    bring(owned, FILE + cards)
    report = owned.incomplete("collection", "import", owned.folder / "mine.csv", "--json").json
    assert sum(report["reasons"].values()) == 44
    assert len(report["reasons"]) <= 4
    shown = owned.good("collection", "doubts").out
    assert sum("Nobody" in line for line in shown.splitlines()) == 2
    assert "… and 38 more" in shown


def test_report_names_unknown_sets_once_and_end_of_catalogue(owned: Shell) -> None:
    lost = "".join(f"1,Card {number},{code},{number}\n" for code, count in NEW.items() for number in range(count))
    path = write(owned.folder / "new.csv", f"Count,Name,Edition,Collector Number\n1,Amber Archivist,dsk,1\n{lost}")
    shown = owned.incomplete("collection", "import", path).out
    assert "Unknown sets: fin (9), mkm (8), ddq (7), znr (6), snc (5) and 1 other." in shown
    assert "39 missed rows name sets or ids that the catalogue does not have." in shown
    assert "Its mtg cards end on 2006-01-01. To fetch newer ones: ccgrid import mtg" in shown
    assert sum("Card " in line for line in shown.splitlines()) == 3


NEW = {"snc": 5, "znr": 6, "ddq": 7, "mkm": 8, "fin": 9, "inr": 4}


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("'Brass' is nearly \"Bra's\"", "… is nearly …"),
        ("number 15 of dsk is 'Iron', not quite 'Irn'", "number … of the set is …, not quite …"),
        ("dsk has no number 46★", "the set has no number …"),
        ("'Isle' is Arena's own version of 'Islet'", "… is Arena's own version of …"),
        ("dsk has 'Isle' as number 11, not as 9", "the set has … as number …, not as …"),
        ("the catalogue has no card with the mtgo id 501", "the catalogue has no card with the mtgo id …"),
        ("the mtgo id is that of 'Isle', not of 'Ilse'", "the mtgo id is that of …, not of …"),
        ("the catalogue has no set 'x'; other sets have it", "the catalogue has no set …; other sets have it"),
        (
            "the mtgo id is that of 'Isle' (dsk 11), but old 2 is 'Moth'",
            "the mtgo id is that of …, but set and number are …",
        ),
        ("not in mtg or vtes; found in: arcadia", "not in the game; found in: others"),
        ("no set 'x'; this is the one from Old Dusk", "no set …; this is another printing"),
    ],
)
def test_kind_of_reason_omits_card_set_number_and_id(reason: str, kind: str) -> None:
    assert kind_of_reason(reason) == kind


def test_report_ends_with_totals_and_counts_other_printings(owned: Shell) -> None:
    path = write(owned.folder / "mine.csv", FILE)
    predicted = owned.incomplete("collection", "import", path, "--dry-run", "--json").json
    assert predicted["any_printing"] == 1
    lenient = owned.incomplete("collection", "import", path, "--dry-run", "--json", "--any-printing").json
    assert (lenient["missed"], lenient["added"]) == (predicted["missed"] - 1, predicted["added"] + 4)
    (other,) = [one for one in lenient["report"] if one["outcome"] == "name"]
    assert other["reason"] == "the catalogue has no set 'xyz'; this is the one from Old Dusk"
    shown = owned.incomplete("collection", "import", path).out
    assert "1 missed row has a match in another printing: add --any-printing to use it." in shown
    assert "2 rows are not certain, and nothing is added for them until you confirm" in shown
    assert shown.rstrip().endswith("1 copy added.")
    assert shown.index("is nearly") < shown.index("rows in all")


def report_row(reason: str, outcome: str = "missed") -> ReportRow:
    return ReportRow(7, "1 Ant", outcome, reason, None, ("a", "b"))


def test_empty_report_has_all_keys() -> None:
    assert msgspec.to_builtins(ImportReport("mine.csv").answer()) == {
        **{"file": "mine.csv", "format": "", "written": "", "rows": 0, "copies": 0, "missed": 0, "skipped": 0},
        "matched": {"id": 0, "number": 0, "name": 0, "fuzzy": 0},
        **{"report": [], "reasons": {}, "unused": [], "known": None, "dry_run": False, "difference": None},
        **dict.fromkeys(("added", "unsure", "differing", "settled", "any_printing", "of_games"), 0),
    }


def test_report_counts_missed_rows_by_unknown_set_and_several_games() -> None:
    unknown, several = "the catalogue has no set 'x'", "cards of several games match: mtg, pokemon"
    report = ImportReport("mine.csv")
    report.entries += [
        report_row(unknown),
        report_row(several),
        report_row(several),
        report_row("no card has a similar name"),
    ]
    report.entries += [report_row(unknown, "fuzzy"), report_row(several, "fuzzy")]
    assert (report.unknown, report.of_games, report.answer().of_games) == (1, 3, 3)
    assert msgspec.to_builtins(report.answer().report[0]) == {
        **{"line": 7, "raw": "1 Ant", "outcome": "missed", "reason": unknown, "card": None, "candidates": ["a", "b"]}
    }
    assert list(report.reasons().items()) == [
        ("cards of several games match: mtg, pokemon", 3),
        ("the catalogue has no set …", 2),
        ("no card has a similar name", 1),
    ]


def test_all_doubtful_rows_are_selected_by_default(owned: Shell) -> None:
    bring(owned)
    with Store(owned.database) as store:
        entries = entries_in_doubt(CollectionStore(store))
    assert [entry.line for entry in entries] == [3, 4, 5, 6]


def test_unconfirmable_rows_are_left_with_advice(owned: Shell) -> None:
    bring(owned, f"{FILE}1,Brass Bellringer,xyz,9\n")

    def left(wanted: DoubtFilter) -> dict[str, int]:
        with Store(owned.database) as store:
            return dict(confirm(CollectionStore(store), wanted).left)

    table = "collection doubts -o FILE writes a table to correct"
    assert left(DoubtFilter()) == {"missed: --outcome missed confirms those with a single candidate": 3}
    assert left(DoubtFilter(outcome="missed")) == {
        f"with no candidate: {table}": 1,
        f"with several candidates: {table}": 1,
    }
    assert doubts(owned) == ["Quxyzzy", "Brass Bellringer"]


def test_history_lists_confirmed_and_dropped_rows(owned: Shell) -> None:
    bring(owned)
    owned.good("collection", "doubts", "--confirm")
    owned.good("collection", "doubts", "--dismiss")
    changes = [one["what"] for one in owned.good("history", "--json").json_lines[1:]]
    assert changes == ["import mine.csv", "confirm uncertain rows", "drop uncertain rows"]


def test_confirming_or_dropping_many_rows_needs_confirmation(owned: Shell) -> None:
    bring(owned, FILE + "".join("1,Brass Belringer,dsk,\n" for _ in range(MOST_UNASKED)))
    with Store(owned.database) as store:
        for act in (confirm, dismiss):
            with pytest.raises(NotConfirmedError, match="uncertain rows"):
                act(CollectionStore(store), DoubtFilter(outcome="fuzzy"))
    assert len(doubts(owned)) == MOST_UNASKED + 4


def test_doubtful_row_becomes_chosen_card(owned: Shell) -> None:
    bring(owned)
    assert copies(owned) == {"mtg:dsk/1": 1}
    with Store(owned.database) as store:
        numbers = {entry.raw.split(",")[1]: entry.doubt.id for entry in entries_in_doubt(CollectionStore(store))}
    settle_doubt(owned.database, numbers["Brass Belringer"], "mtg:old/1")
    assert copies(owned) == {"mtg:dsk/1": 1, "mtg:old/1": 2}
    settle_doubt(owned.database, numbers["Cinder Cartografer"], "mtg:dsk/3")
    settle_doubt(owned.database, numbers["Quxyzzy"], "mtg:dsk/18")
    assert copies(owned) == {"mtg:dsk/1": 1, "mtg:old/1": 2, "mtg:dsk/3": 3, "mtg:dsk/18": 1}
    assert doubts(owned) == ["Jade Gardener"]
    for number, card in ((numbers["Quxyzzy"], "mtg:dsk/18"), (numbers["Jade Gardener"], "mtg:none/1")):
        with pytest.raises(CatalogError, match=r"^This row is settled, or there is no such card\.$"):
            settle_doubt(owned.database, number, card)


# --- boxes -------------------------------------------------------------------------------------------------------


def box_counts(shell: Shell) -> dict[str | None, int]:
    return {one["box"]: one["copies"] for one in shell.good("collection", "boxes", "--json").json_lines}


def fill_boxes(shell: Shell) -> None:
    shell.good("collection", "add", "Amber Archivist", "--copies", "2", "--box", "Attic 2", "--row", "1")
    shell.good("collection", "add", "Mint Hare", "--box", "Attic 10")
    shell.good("collection", "add", "Mist Hare", "--copies", "3")


def test_boxes_are_listed_in_natural_order_with_unboxed_last(owned: Shell) -> None:
    assert owned.good("collection", "boxes").out == "No boxes.\n"
    fill_boxes(owned)
    assert list(box_counts(owned).items()) == [("Attic 2", 2), ("Attic 10", 1), (None, 3)]
    assert "6 copies in 2 boxes" in owned.good("collection", "boxes").out


def test_renaming_a_box_keeps_rows_and_slots(owned: Shell) -> None:
    fill_boxes(owned)
    owned.good("collection", "rename-box", "attic 2", "Cellar")
    assert box_counts(owned) == {"Cellar": 2, "Attic 10": 1, None: 3}
    assert owned.entries("Amber")[0]["row"] == "1"
    owned("collection", "rename-box", "Cellar", "attic 10").fails("already", "collection move")
    owned("collection", "rename-box", "Nowhere", "B").finds_none("no box 'Nowhere'", "collection boxes")
    owned("collection", "rename-box", "Cellar", " ").fails("needs a name")
    owned.good("collection", "rename-box", "Cellar", "CELLAR")
    assert box_counts(owned) == {"CELLAR": 2, "Attic 10": 1, None: 3}


def test_emptying_a_box_keeps_its_cards_and_removing_it_does_not(owned: Shell) -> None:
    fill_boxes(owned)
    owned.good("collection", "empty-box", "Attic 2")
    assert box_counts(owned) == {"Attic 10": 1, None: 5}
    owned.good("collection", "remove-box", "Attic 10")
    assert box_counts(owned) == {None: 5}
    owned.good("undo")
    owned.good("undo")
    assert box_counts(owned) == {"Attic 2": 2, "Attic 10": 1, None: 3}
    owned("collection", "empty-box", "").finds_none("no box ''")


# --- history -----------------------------------------------------------------------------------------------------


def test_redo_repeats_undone_changes_until_new_change(owned: Shell) -> None:
    fill_boxes(owned)
    states = [copies(owned)]
    for _ in range(3):
        owned.good("undo")
        states.append(copies(owned))
    assert states[-1] == {}
    _, *lines = owned.good("history", "--json").json_lines
    assert [(one["what"], one["undone"]) for one in lines] == [
        ("add 2 Amber Archivist", True),
        ("add 1 Mint Hare", True),
        ("add 3 Mist Hare", True),
    ]
    for state in reversed(states[:-1]):
        owned.good("redo")
        assert copies(owned) == state
    owned("redo").fails("nothing to redo")
    owned.good("undo")
    owned.good("collection", "add", "Isle", "--set", "dsk", "--number", "11")
    owned("redo").fails("nothing to redo")
    assert "add 1 Isle" in owned.good("history").out.splitlines()[-1]


def file_rows(shell: Shell) -> list[tuple[object, ...]]:
    with Store(shell.database) as store:
        return store.connection.execute("SELECT * FROM file_rows ORDER BY id").fetchall()


def test_undo_and_redo_cover_imported_rows_and_confirmed_doubts(owned: Shell) -> None:
    file = write(owned.folder / "list.csv", "Count,Name,Edition\n2,Amber Archivist,dsk\n1,Kestril,dsk\n1,Nobody,dsk\n")
    owned.incomplete("collection", "import", file)
    imported_copies = file_rows(owned)
    assert len(imported_copies) == 3
    owned.good("collection", "doubts", "--outcome", "fuzzy", "--confirm")
    decided = file_rows(owned)
    assert decided != imported_copies
    for _ in range(2):
        owned.good("undo")
        assert file_rows(owned) == imported_copies
        owned.good("undo")
        assert file_rows(owned) == []
        owned.good("redo")
        assert file_rows(owned) == imported_copies
        owned.good("redo")
        assert file_rows(owned) == decided
    assert owned.incomplete("collection", "import", file, "--json").json["known"]
