"""Rows of an import, selection of holdings, search for cards, and the maximum length of names."""

from pathlib import Path
from typing import Any

import pytest
from collection_copies import owned_copies, put
from helpers.catalogues import Shell, row, rows, write_rows
from helpers.error_messages import error_of

from ccgrid.catalog.collection.doubts import DoubtFilter, ImportReport, dismiss, entries_in_doubt
from ccgrid.catalog.collection.edit import Edit, add_copies, clean_text, copy_key, move_copies, remove_copies
from ccgrid.catalog.collection.entry_session import EntrySession
from ccgrid.catalog.collection.imports import CollectionImport, import_file
from ccgrid.catalog.collection.selection import find_holdings, select_holdings
from ccgrid.catalog.collection.typed_cards import find_card, typed_row
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.holding import NOWHERE, Place
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore

HEADINGS = "Count,Name,Edition,Collector Number,Rarity\n"


def import_request(
    folder: Path, rows: str, name: str = "mine.csv", head: str = HEADINGS, **more: Any
) -> CollectionImport:
    (folder / name).write_text(head + rows, encoding="utf-8")
    return CollectionImport(folder / name, name, **more)


def run_import(collection: CollectionStore, request: CollectionImport) -> ImportReport:
    return import_file(request, collection, lambda remark: None)


def report_rows(report: ImportReport) -> list[tuple[int, str, str, str | None]]:
    return [(one.line, one.outcome, one.reason, one.card) for one in report.entries]


def test_import_reports_progress_every_hundred_rows(collection: CollectionStore, tmp_path: Path) -> None:
    moments: list[tuple[int, int | None, str]] = []
    request = import_request(tmp_path, "1,Amber Archivist,dsk,1,\n1,Brass Bellringer,dsk,2,\n" * 115)
    import_file(request, collection, lambda remark: None, lambda *moment: moments.append(moment))  # type: ignore[arg-type]
    assert moments == [(100, None, "reading"), (200, None, "reading"), (0, 2, "adding")]
    assert collection.totals() == (2, 230)


def test_file_without_rows_or_cards_is_rejected(collection: CollectionStore, tmp_path: Path) -> None:
    assert error_of(lambda: run_import(collection, import_request(tmp_path, ""))).startswith(
        "mine.csv: it has no rows, read as "
    )
    words = error_of(lambda: run_import(collection, import_request(tmp_path, "1,Quxyzzy,dsk,99,\n")))
    assert words.startswith("mine.csv: none of its 1 row, read as ")
    assert words.endswith("; nothing changed.\nLine 2: dsk has no card of that name. Is its game imported?")
    strict = import_request(tmp_path, "1,Amber Archivist,dsk,1,\n1,Quxyzzy,dsk,99,\n", strict=True)
    assert error_of(lambda: run_import(collection, strict)) == (
        "mine.csv, line 3: dsk has no card of that name: '1,Quxyzzy,dsk,99,'. Nothing changed."
    )
    assert collection.totals() == (0, 0)


@pytest.mark.parametrize(
    ("lines", "copies"),
    [
        ("- [x] 2 Amber Archivist\n- [ ] 3 Brass Bellringer\n", 2),
        ("☑ 2 Amber Archivist\n☐ 3 Brass Bellringer\n", 2),
        ("[ ] 3 Brass Bellringer\n* [X] 2 Amber Archivist\n", 2),
        ("- [ ] 2 Amber Archivist\n- [ ] 3 Brass Bellringer\n", 5),
        ("✓ 2 Amber Archivist\n✓ 3 Brass Bellringer\n", 5),
        ("[x] 2 Amber Archivist\n3 Brass Bellringer\n", 5),
    ],
)
def test_unticked_lines_are_not_owned_if_others_are_ticked(
    collection: CollectionStore, tmp_path: Path, lines: str, copies: int
) -> None:
    report = run_import(collection, import_request(tmp_path, lines, "list.txt", head=""))
    assert collection.totals()[1] == copies
    assert [one.reason for one in report.entries if one.outcome == "skipped"] == (
        ["not owned: it is not ticked, and other lines are"] if copies == 2 else []
    )


def test_correction_that_resolves_nothing_is_reported_with_reason(collection: CollectionStore, tmp_path: Path) -> None:
    run_import(collection, import_request(tmp_path, "1,Amber Archivist,dsk,1,\n2,Quxyzzy,dsk,99,\n3,Jade Gardner,,,\n"))
    missed, fuzzy = entries_in_doubt(collection)
    assert missed.doubt is not None
    assert fuzzy.doubt is not None
    head = "Copies,Name,Set code,Set name,Number,Finish,Condition,Language,Box,Row,Slot,Card id,Settles,Rarity\n"
    rows = f"2,Zyxquux,dsk,,99,,,,,,,,{missed.doubt.id},\n"
    rows += f"3,Jade Gardenr,,,,,,,,,,,{fuzzy.doubt.id},\n3,Jade Gardener,,,,,,,,,,,{fuzzy.doubt.id},\n"
    rows += f"1,Jade Gardener,,,,,,,,,,,{fuzzy.doubt.id + 9},\n"
    report = run_import(collection, import_request(tmp_path, rows, "table.csv", head))
    assert report_rows(report) == [
        (2, "missed", "dsk has no card of that name", None),
        (3, "fuzzy", "'Jade Gardener' is nearly 'Jade Gardenr'", "mtg:old/2"),
        (5, "skipped", "the row that it answers is no longer uncertain", None),
    ]
    assert (report.settled, report.added) == (1, 3)
    assert [one.doubt and one.doubt.id for one in entries_in_doubt(collection)] == [missed.doubt.id]


def test_newer_file_keeps_dropped_rows_and_takes_its_rarities(collection: CollectionStore, tmp_path: Path) -> None:
    rows = "1,Amber Archivist,dsk,1,rare\n2,Brass Belringer,dsk,,\n1,Brass Bellringer,dsk,2,\n4,Quxyzzy,dsk,99,\n"
    rows += "".join(f"1,{name},dsk,{number},\n" for name, number in (("Frost Drake", "046"), ("Mint Hare", "17")))
    run_import(collection, import_request(tmp_path, rows))
    assert dismiss(collection, DoubtFilter()).rows == 2
    more = rows.replace("1,Brass Bellringer", "2,Brass Bellringer") + "1,Mist Hare,dsk,18,\n"
    newer = import_request(tmp_path, more, "newer.csv", replace=True)
    report = run_import(collection, newer)
    assert report_rows(report) == [
        (3, "skipped", "you dropped this row earlier", None),
        (5, "skipped", "you dropped this row earlier", None),
    ]
    assert {one.card_id: (one.copies, one.rarity) for one in collection.holdings()} == {
        "mtg:dsk/1": (1, "rare"),
        "mtg:dsk/2": (2, ""),
        "mtg:dsk/046": (1, ""),
        "mtg:dsk/17": (1, ""),
        "mtg:dsk/18": (1, ""),
    }
    assert (report.copies, dict(report.outcomes)) == (6, {"number": 5, "fuzzy": 0, "missed": 0, "skipped": 2})


@pytest.fixture
def one_holding(collection: CollectionStore) -> CollectionStore:
    """Return a collection with one holding."""
    put(collection, "mtg:dsk/7", 3, finish="foil", condition="good", language="it", place=Place("Attic", "2", "5"))
    return collection


# --- selection of holdings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "",
        "mtg:dsk/7",
        "quick moth",
        "MOTH",
        'Moth, "the Quick"',
        "game:mtg",
        "set:DSK",
        "set:dusk",
        "number:7",
        "finish:Yes",
        "cond:GD",
        "lang:Italian",
        "box:attic",
        "row:2",
        "slot:5",
        "moth (dsk) 7",
        "moth (mtg)",
        "own>=3 legal",
    ],
)
def test_holding_is_selected_if_all_words_match(one_holding: CollectionStore, query: str) -> None:
    assert len(select_holdings(one_holding, query)) == 1


@pytest.mark.parametrize(
    "query",
    [
        *("mtg:dsk/8", "moth bee", '"!"', "-game:mtg", "set:old", "number:8", "finish:normal", "cond:NM", "lang:en"),
        *("box:Cellar", "row:3", "slot:6", "moth slot:6", "moth (wyvern)", "-moth", "box:none", "own>3"),
    ],
)
def test_holding_is_not_selected_if_any_word_differs(one_holding: CollectionStore, query: str) -> None:
    assert select_holdings(one_holding, query) == []
    assert select_holdings(one_holding, games=("b",)) == []


def test_typed_values_are_normalised() -> None:
    place = Place(" Attic ", "1", "2")
    assert copy_key(" Yes ", "NM", "Japanese", place) == (
        "foil",
        "near-mint",
        "ja",
        Place("Attic", "1", "2"),
        "",
        NO_DETAILS,
    )
    assert copy_key() == ("normal", "", "", NOWHERE, "", NO_DETAILS)
    assert clean_text(" a\ud800b " + "x" * 400) == "a?b " + "x" * 296
    row = typed_row(" a:1 ", " dsk ", " 7 ", "it")
    assert (row.name, row.set_code, row.set_name, row.number, row.ids, row.language) == (
        *("a:1", "dsk", "dsk", "7"),
        (("card", "a:1"),),
        "it",
    )
    assert typed_row("Ant").ids == ()


def test_holdings_follow_requested_order(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/12", 1, place=Place("B"))
    put(collection, "mtg:dsk/2", 3, place=Place("A", "10"))
    put(collection, "mtg:dsk/3", 2, place=Place("A", "9"))
    put(collection, "mtg:old/2", 2)

    def order(sort: str) -> list[str]:
        return [one.card_id for one in select_holdings(collection, f"sort:{sort}")]

    assert order("name") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    assert order("set") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    assert order("-copies") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:old/2", "mtg:dsk/12"]
    assert order("game") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    placed = [one for one in order("place") if one != "mtg:old/2"]
    assert placed == ["mtg:dsk/3", "mtg:dsk/2", "mtg:dsk/12"]


# --- search for cards -------------------------------------------------------------------------------------------------


def test_card_not_found_is_reported_with_suggestions(collection: CollectionStore) -> None:
    assert find_card(collection, "", set_code="dsk", number="2").card is not None
    assert error_of(lambda: find_card(collection, "Brass Belringer", set_code="dsk")) == (
        "No card matches 'Brass Belringer'. Did you mean: Brass Bellringer?"
    )
    assert error_of(lambda: find_card(collection, "", set_code="dsk", number="99")) == (
        "Number 99 not found: dsk has no number 99."
    )
    assert error_of(lambda: find_card(collection, "Lant")) == ("No card matches 'Lant'. Did you mean: +2 Lantern?")
    assert error_of(lambda: find_card(collection, "Qqqqqqq")) == "No card matches 'Qqqqqqq'."


def test_unowned_card_is_reported(collection: CollectionStore) -> None:
    assert error_of(lambda: list(find_holdings(collection, "Ant"))) == "No card in the collection matches 'Ant'."
    nothing = "No card in the collection matches 'Ant'."
    assert error_of(lambda: remove_copies(collection, "Ant", 1)) == nothing
    assert error_of(lambda: move_copies(collection, "Ant", Edit(box=""))) == nothing


def test_exact_name_is_preferred_over_longer_names(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/11", 2)
    put(collection, "mtg:dsk/7", 1)
    assert [one.name for one in find_holdings(collection, "isle")] == ["Isle"]
    assert [one.name for one in find_holdings(collection, "moth")] == ['Moth, "the Quick"']
    assert [one.name for one in find_holdings(collection, "mtg:dsk/7")] == ['Moth, "the Quick"']


def test_exact_name_is_selected_before_longer_names(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/046", 2)
    put(collection, "mtg:tdsk/1", 2)
    assert [one.name for one in find_holdings(collection, "drake")] == ["Drake"]
    assert [one.name for one, _ in remove_copies(collection, "drake", 1)] == ["Drake"]
    assert [one.name for one, _ in remove_copies(collection, "mtg:dsk/046", 1)] == ["Frost Drake"]
    assert sorted(owned_copies(collection)) == ["1 Drake (mtg, tdsk 1, en)", "1 Frost Drake (mtg, dsk 046, en)"]


def test_copy_has_language_of_its_card_unless_given(collection: CollectionStore) -> None:
    card = find_card(collection, "mtg:dsk/13/it").card
    assert card is not None
    assert add_copies(collection, card, 1, copy_key()) == copy_key(language="it")
    assert add_copies(collection, card, 1, copy_key(language="fr")) == copy_key(language="fr")


# --- names of up to 200 characters --------------------------------------------------------------------------------


LONG, MOST = "x" * 201, "x" * 200


@pytest.fixture
def shell(shell: Shell) -> Shell:
    shell.import_rows(rows(9))
    shell.good("collection", "add", "mtg:dsk/1", "--box", "Attic")
    return shell


@pytest.mark.parametrize("option", ["--box", "--row", "--slot"])
def test_too_long_location_option_is_rejected(shell: Shell, option: str) -> None:
    result = shell("collection", "add", "mtg:dsk/2", option, LONG)
    assert (result.status, result.out) == (2, "")
    assert "201 characters; the maximum is 200" in result.err
    assert shell("collection", "move", "box:Attic", f"--to-{option[2:]}", LONG).status == 2
    shell.good("collection", "add", "mtg:dsk/2", option, MOST)
    shell.good("collection", "move", "box:Attic", f"--to-{option[2:]}", MOST)


def test_too_long_name_of_box_with_comma_is_rejected(shell: Shell) -> None:
    assert shell("collection", "add", "mtg:dsk/2", "--box", f"{'x' * 150},{'y' * 150}").status == 2
    assert shell("collection", "rename-box", "Attic", LONG).status == 2


@pytest.mark.parametrize("what", ["box", "row", "slot"])
def test_too_long_location_in_session_is_rejected(shell: Shell, what: str) -> None:
    with Store(shell.database) as store:
        session = EntrySession(CollectionStore(store), ("mtg",), "dsk", copy_key())
        with pytest.raises(ValueError, match=f"The {what} has 201 characters; the maximum is 200"):
            session.enter(f"{what} {LONG}")
        session.enter(f"{what} {MOST}")
        assert getattr(session.kind.place, what) == MOST


@pytest.mark.parametrize("key", ["name", "printed_name", "set_name"])
def test_card_with_too_long_name_is_skipped_by_import(shell: Shell, key: str) -> None:
    write_rows(shell.folder / "more.jsonl", [*rows(9), row(10), {**row(11), key: LONG}, {**row(12), key: MOST}])
    result = shell.good("import", "mtg", shell.folder / "more.jsonl", "--json")
    assert (result.json["added"], result.json["skipped"]) == (2, 1)
    assert "Skipped mtg:dsk/11: a name in it has 201 characters; the maximum is 200" in result.err


def test_too_long_title_of_layout_is_rejected(shell: Shell) -> None:
    data = shell.folder / "my.csv"
    data.write_text("Name,Cost\nAmber Drake,3\n", encoding="utf-8")
    assert shell("layout", "new", data, "--at", "Cost=tl", "--title", LONG).status == 2
    layout = shell.folder / "my.toml"
    text = f'format = 1\ngame = "my"\nname = "{LONG}"\n[[printed]]\nfield = "Cost"\nzone = "top-left"\n'
    layout.write_text(text, encoding="utf-8")
    result = shell("layout", "check", layout)
    assert result.status == 1
    assert "201 characters; the maximum is 200" in result.out
    layout.write_text(text.replace(LONG, MOST), encoding="utf-8")
    shell.good("layout", "check", layout)
