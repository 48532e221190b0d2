"""Details of copies, such as price, date and tags: imported, exported, edited and queried."""

import csv
import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from app_files import read, rows, written
from helpers.catalogues import Shell
from helpers.text_files import write
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.collection.export import in_words, losses
from ccgrid.catalog.collection.formats import all_formats, find_format
from ccgrid.catalog.collection.formats.apps import all_apps
from ccgrid.catalog.collection.formats.format import EVERYTHING
from ccgrid.catalog.details import NO_DETAILS, Details, merge_details, parse_details, split_for_trade
from ccgrid.catalog.holding import NOWHERE, Holding

WRITERS = [form for form in all_formats() if form.write is not None]
OWN = (("Misprint", "yes"), ("Shelf", "=3"))
ALL = Details("2024-05-31", "1.50", "EUR", ("cube", "old border"), 1, 1, 1, 1, "PSA", "9.5", OWN)
IDS = "scryfall:11111111-2222-3333-4444-555555555555 mtgo:7 tcgplayer:8 cardmarket:9 multiverse:10"
KNOWN = Holding(
    1, "mtg:dsk/7", 2, "normal", "near-mint", "en", NOWHERE, "mtg", "Ant", "dsk", "Dusk", "7", IDS, details=ALL.text()
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=8)
TAGS = st.text("abc", min_size=1, max_size=4)
DETAILS = st.builds(
    Details,
    acquired=st.sampled_from(("", "2024", "2024-05-31")),
    price=st.sampled_from(("", "0", "1.50")),
    currency=st.sampled_from(("", "EUR")),
    tags=st.lists(TAGS, max_size=3, unique=True).map(tuple),
    signed=st.integers(0, 1),
    for_trade=st.integers(0, 1),
    own=st.dictionaries(st.sampled_from(("Shelf", "Lent to", "Grösse")), TEXTS.filter(bool)).map(
        lambda own: tuple(sorted(own.items()))
    ),
)


@given(DETAILS)
def test_details_are_read_back_from_their_text(details: Details) -> None:
    assert parse_details(details.text()) == details
    assert (details.text() == NO_DETAILS) == (details == Details())


@pytest.mark.parametrize("form", WRITERS, ids=lambda form: form.name)
def test_copy_details_are_read_back_or_reported_as_lost(form: Any, tmp_path: Path) -> None:
    row = rows(written(form, [KNOWN], tmp_path), form.name)[0]
    found = parse_details(next(split_for_trade(row.details, KNOWN.copies))[0])
    output = " ".join(in_words(losses(form, [KNOWN])))
    words = {
        **{"acquired": "date acquired", "price": "price paid", "for_trade": "for trade", "grader": "grade"},
        "own": "columns of your own",
    }
    for field, wanted, read_back in zip(Details._fields, ALL, found, strict=True):
        assert (wanted != read_back) == (words.get(field, field) in output), (field, wanted, read_back, output)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_own_formats_lose_no_details(form: str) -> None:
    assert losses(find_format(form), [KNOWN, KNOWN._replace(details=NO_DETAILS)]) == []


APP_DETAILS = {
    "moxfield": {"tags", "altered", "proxy", "price", "for_trade"},
    "manabox": {"altered", "price", "currency"},
    "deckbox": {"signed", "altered", "tags", "price", "for_trade"},
    "archidekt": {"acquired", "price", "tags"},
    "dragonshield": {"for_trade", "price", "acquired"},
    "topdecked": {"acquired", "price", "signed", "altered", "tags"},
    "cardmarket": {"signed", "altered"},
    "cardtrader": {"signed", "altered"},
    "collectr": {"acquired", "price", "grader", "grade"},
    "tappedout": {"signed", "altered"},
}
"""The details for which each app has a column."""


@pytest.mark.parametrize("form", APP_DETAILS)
def test_app_columns_hold_expected_details(form: str, tmp_path: Path) -> None:
    (row,) = rows(written(find_format(form), [KNOWN], tmp_path), form)
    found = parse_details(row.details)
    assert {name for name in Details._fields if name != "own" and getattr(found, name)} == APP_DETAILS[form]


@pytest.mark.slow
def test_second_export_equals_the_first(owned: Shell) -> None:
    mine = write(
        owned.folder / "mine.csv",
        "Count,Name,Set code,Number,Condition,Foil,Language,Tags,Signed,Altered,Proxy,Purchase price,Currency,"
        "Date bought,Grade,For trade,Notes,Lent to,Market price\n"
        "4,Amber Archivist,dsk,1,NM,,en,cube; old,yes,no,,1.50,EUR,2024-05-31,,2,from Ann,,9.99\n"
        "1,Brass Bellringer,dsk,2,LP,foil,de,,,yes,true,,,,PSA 9,,,Bob,3.00\n"
        "1,Brass Bellringer,dsk,2,LP,foil,de,,,,,0,,,,,,Cleo,4.00\n"
        "2,Isle,dsk,11,,,,,,,,,,,,,,,\n",
    )
    report = owned.good("collection", "import", mine, "--json").json
    assert report["unused"] == ["Market price"]
    assert report["copies"] == 8
    holding = [app.name for app in all_apps() if app.writes] + ["jsonl"]
    for form in holding:
        first, second = owned.folder / f"{form}.1", owned.folder / f"{form}.2"
        owned.good("collection", "export", "--format", form, "--game", "mtg", "-o", first)
        other = owned.folder / f"{form}.db"
        other.write_bytes(owned.database.read_bytes())
        owned.good("collection", "remove", "--all", "--yes", "own>=1", "--db", other)
        owned.good("collection", "import", first, "--format", form, "--again", "--db", other)
        owned.good("collection", "export", "--format", form, "--game", "mtg", "-o", second, "--db", other)
        assert copies_by_cells(form, first) == copies_by_cells(form, second), form


def test_dates_in_other_notations_are_normalised(owned: Shell) -> None:
    rows = ("12/31/2019", "03/04/2021", "24.12.2020", "45292", "2018-05-06 11:22:01")
    table = "".join(f"1,Brass Bellringer,dsk,2,{text}\n" for text in rows)
    owned.good("collection", "import", write(owned.folder / "dates.csv", f"Qty,Name,Set,Number,Date bought\n{table}"))
    assert sorted(one["acquired"][:10] for one in owned.entries()) == [
        *("2018-05-06", "2019-12-31", "2020-12-24", "2021-03-04", "2024-01-01"),
    ]


def test_ambiguous_date_is_kept_but_not_compared(owned: Shell) -> None:
    table = "Qty,Name,Set,Number,Date bought\n1,Brass Bellringer,dsk,2,04/03/2019\n"
    owned.good("collection", "import", write(owned.folder / "dates.csv", table))
    assert [one["acquired"] for one in owned.entries()] == ["04/03/2019"]
    assert not owned.entries("acquired<2030")


def copies_by_cells(form: str, path: Path) -> Counter[tuple[str, ...]]:
    """Return the copies for each combination of the other cells; for ccgrid's own formats, count equal lines."""
    text = path.read_text(encoding="utf-8")
    app = next((app for app in all_apps() if app.name == form), None)
    if app is None or app.free_columns:
        return Counter((line,) for line in text.splitlines())
    table, found = csv.DictReader(text.splitlines(), delimiter=app.delimiter), Counter[tuple[str, ...]]()
    copies = [heading for heading, field in app.columns if field in ("copies", "foil_copies", "all_copies", "trade")]
    for row in table:
        for heading in copies:
            found[heading, *(row[name] for name in row if name not in copies)] += int(row[heading])
    return found


APP_NAMES = {
    "manabox": ("Name,Set code,Collector number,Quantity,ManaBox ID,Condition\n", "ManaBox ID", "5436", ",near_mint"),
    "mtggoldfish": (
        "Card,Set ID,Collector Number,Quantity,Variation,Set Name\n",
        "Variation",
        "City: Old Frame",
        ",Dusk",
    ),
}


@pytest.mark.parametrize("form", APP_NAMES)
def test_app_names_of_printings_are_exported_without_splitting_copies(owned: Shell, form: str) -> None:
    header, heading, word, more = APP_NAMES[form]
    owned.good("collection", "add", "mtg:dsk/1", "--condition", "nm" if form == "manabox" else "")
    owned.good("collection", "add", "mtg:dsk/2", "--condition", "nm" if form == "manabox" else "")
    path = write(
        owned.folder / "app.csv", f"{header}Amber Archivist,DSK,1,1,{word}{more}\nBrass Bellringer,DSK,2,1,{more}\n"
    )
    output = owned.good("collection", "import", path, "--replace", "--yes", "--json").json["difference"]
    assert (output["added"], output["removed"], output["changed"]) == (0, 0, 0)
    owned.good("collection", "add", "mtg:dsk/1", "--condition", "nm" if form == "manabox" else "")
    with sqlite3.connect(owned.database) as connection:
        connection.execute("UPDATE cards SET set_name = 'Duskmourn' WHERE id = 'mtg:dsk/1'")
    connection.close()
    owned.good("collection", "verify", "--apply")
    text = owned.good("collection", "export", "--format", form).out
    assert "Duskmourn" in text
    found = {one[next(iter(one))] + one.get("Name", ""): one for one in csv.DictReader(text.splitlines())}
    assert [(one["Quantity"], one[heading]) for one in found.values()] == [("2", word), ("1", "")]


def test_copies_for_trade_are_a_separate_entry(owned: Shell) -> None:
    table = write(
        owned.folder / "moxfield.csv",
        "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,Proxy,"
        "Purchase Price\n4,1,Amber Archivist,dsk,Near Mint,English,,,,1,False,False,\n",
    )
    owned.good("collection", "import", table)
    found = owned.entries()
    assert sorted((one["copies"], one["for_trade"]) for one in found) == [(1, True), (3, False)]
    assert [one["copies"] for one in owned.entries("is:trade")] == [1]
    text = owned.good("collection", "export", "--format", "moxfield").out
    assert sorted(row["Tradelist Count"] for row in csv.DictReader(text.splitlines())) == ["0", "1"]


def test_details_can_be_edited_queried_and_undone(owned: Shell) -> None:
    owned.good("collection", "add", "mtg:dsk/1", "--copies", "3")
    edit = ("collection", "edit", "mtg:dsk/1", "--copies", "1", "--price", "2,50 EUR", "--acquired", "2024-05-31")
    owned.good(*edit, "--tag", "cube", "--tag", "old", "--signed", "--grade", "PSA 9", "--own", "Lent to=Bob")
    for query in (
        *("is:signed", "is:graded", "tag:cube", "tag:OLD", "price>=2", "price<3", "acquired>=2024-05", "acquired<2025"),
        *('grade:"psa 9"', "column:bob", 'column:"lent to"', "is:signed tag:any", "added>=2020 is:signed"),
    ):
        found = owned.entries(query)
        assert [(one["copies"], one["price"], one["tags"]) for one in found] == [(1, "2.50", ["cube", "old"])], query
        assert owned.good("search", query, "--json").json_lines, query
    for query in ("is:altered", "is:proxy", "tag:cub", "price>3", "acquired<2024", "added<2020"):
        assert owned("collection", "list", query).status == 1, query
    assert "PSA 9, signed, #cube, #old, 2.50 EUR, 2024-05-31, Lent to: Bob" in owned.good("collection", "list").out
    owned.good("collection", "edit", "is:signed", "--no-signed", "--tag", "", "--price", "", "--own", "Lent to=")
    (one,) = (one for one in owned.entries() if one["copies"] == 1)
    assert (one["signed"], one["tags"], one["price"], one["own"], one["grade"]) == (False, [], None, {}, "9")
    owned.good("undo")
    assert owned.entries("is:signed")
    owned("collection", "edit", "is:signed", "--price", "dear").misuses("not a price")
    owned("collection", "edit", "is:signed", "--acquired", "31.5.2024").misuses("not a date")
    owned("collection", "edit", "is:signed", "--own", "Bob").misuses("HEADING=TEXT")


def test_replacing_import_keeps_details_missing_from_its_columns(owned: Shell) -> None:
    mine = write(
        owned.folder / "deckbox.csv",
        "Count,Tradelist Count,Name,Edition,Card Number,Condition,Language,Foil,Signed,Tags,My Price,Notes\n"
        "2,0,Amber Archivist,Dusk,1,Near Mint,English,,signed,cube,1.50,from Ann\n"
        "1,0,Brass Bellringer,Dusk,2,Near Mint,English,,,,,\n"
        "1,0,Isle,Dusk,11,Near Mint,English,,,,,\n",
    )
    owned.good("collection", "import", mine)
    owned.good("collection", "move", "mtg:dsk/1", "--to-box", "Attic")
    other = write(
        owned.folder / "goldfish.csv",
        "Card,Set ID,Set Name,Quantity,Foil,Variation,Collector Number\n"
        "Amber Archivist,DSK,Dusk,3,regular,,1\nBrass Bellringer,DSK,Dusk,1,regular,,2\nIsle,DSK,Dusk,1,regular,,11\n",
    )
    difference = owned.good("collection", "import", other, "--replace", "--json").json["difference"]
    assert (difference["added"], difference["removed"], difference["changed"]) == (1, 0, 0)
    found = [one for one in owned.entries("mtg:dsk/1") if one["copies"] == 2]
    (one,) = found
    assert (one["signed"], one["tags"], one["price"], one["box"], one["note"], one["condition"]) == (
        *(True, ["cube"], "1.50", "Attic", "from Ann", "near-mint"),
    )
    again = write(
        owned.folder / "again.csv", other.read_text(encoding="utf-8").replace("Isle,DSK,Dusk,1", "Isle,DSK,Dusk,2")
    )
    difference = owned.good("collection", "import", again, "--replace", "--json").json["difference"]
    assert (difference["added"], difference["removed"], difference["changed"], difference["gone"]) == (1, 0, 0, 0)
    assert owned.entries("is:signed") == [one]


def test_newer_export_reports_changed_details(owned: Shell) -> None:
    table = owned.folder / "mine.csv"
    text = "Count,Name,Set code,Number,Tags\n2,Amber Archivist,dsk,1,{}\n1,Isle,dsk,11,\n"
    table.write_text(text.format("cube"), encoding="utf-8")
    owned.good("collection", "import", table)
    table.write_text(text.format("old"), encoding="utf-8")
    output = owned.good("collection", "import", table, "--replace", "--dry-run").out
    assert "#cube → #old" in output
    owned.good("collection", "import", table, "--replace")
    assert owned.entries("tag:old")


def test_merge_keeps_details_missing_from_format() -> None:
    old = Details(price="1", tags=("a",), own=(("A", "1"), ("B", "2"))).text()
    new = Details(tags=("b",), own=(("B", "3"),)).text()
    assert parse_details(merge_details(old, new, frozenset(("tags", "own")))) == Details(
        price="1", tags=("b",), own=(("A", "1"), ("B", "3"))
    )
    assert parse_details(merge_details(old, new, EVERYTHING)).price == ""


@pytest.mark.parametrize("wrong", [5, True, 1.5, None, [], {}, [[]], [None], {"x": 5}])
@pytest.mark.parametrize("field", Details._fields)
def test_detail_of_wrong_type_does_not_stop_the_import(field: str, wrong: object, tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps({"name": "Ant", "copies": 2, "tags": ["cube"], field: wrong}) + "\n")
    (row,) = read(path).rows
    assert parse_details(row.details).tags == (() if field == "tags" else ("cube",))


def test_odd_json_details_are_read_as_far_as_valid(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    odd = {"name": "Ant", "copies": 2, "price": 1.5, "tags": "a,b", "signed": "yes", "own": {"x": 1, "y": "2"}}
    path.write_text(json.dumps(odd) + "\n" + json.dumps({**odd, "tags": [1, "c"], "own": [], "for_trade": 9e9}) + "\n")
    first, second = (parse_details(row.details) for row in read(path).rows)
    assert first == Details(price="1.5", tags=("a", "b"), signed=1, own=(("y", "2"),))
    assert second == Details(price="1.5", tags=("c",), signed=1)


@pytest.mark.parametrize("form", [app.name for app in all_apps() if app.writes and "set_code" in app.fields])
def test_set_codes_are_written_in_case_used_by_the_app(form: str, tmp_path: Path) -> None:
    text = written(find_format(form), [KNOWN, KNOWN._replace(game="pokemon", set_code="base1")], tmp_path).read_text()
    capitals = form in ("manabox", "dragonshield", "mtggoldfish", "mtgo", "tcgplayer")
    assert ("DSK" in text, "dsk" in text, "BASE1" in text) == (capitals, not capitals, False)
