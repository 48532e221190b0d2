"""What an import makes of rows: how far it is, what settles nothing, what was dropped before, and rarities."""

from pathlib import Path
from typing import Any

from collection_acts import refusal

from ccgrid.catalog.collection.doubts import DoubtFilter, ImportReport, dismiss, entries_in_doubt
from ccgrid.catalog.collection.imports import CollectionImport, run
from ccgrid.catalog.store.holdings import CollectionStore

HEADINGS = "Count,Name,Edition,Collector Number,Rarity\n"


def ordered(folder: Path, rows: str, name: str = "mine.csv", head: str = HEADINGS, **more: Any) -> CollectionImport:
    (folder / name).write_text(head + rows, encoding="utf-8")
    return CollectionImport(folder / name, name, **more)


def brought(collection: CollectionStore, order: CollectionImport) -> ImportReport:
    return run(order, collection, lambda remark: None)


def told(report: ImportReport) -> list[tuple[int, str, str, str | None]]:
    return [(one.line, one.outcome, one.reason, one.card) for one in report.entries]


def test_it_is_told_every_hundred_rows_how_far_an_import_is(collection: CollectionStore, tmp_path: Path) -> None:
    moments: list[tuple[int, int | None, str]] = []
    order = ordered(tmp_path, "1,Amber Archivist,dsk,1,\n1,Brass Bellringer,dsk,2,\n" * 115)
    run(order, collection, lambda remark: None, lambda *moment: moments.append(moment))  # type: ignore[arg-type]
    assert moments == [(100, None, "reading"), (200, None, "reading"), (0, 2, "adding")]
    assert collection.totals() == (2, 230)


def test_a_file_without_a_row_or_a_card_is_refused(collection: CollectionStore, tmp_path: Path) -> None:
    assert refusal(lambda: brought(collection, ordered(tmp_path, ""))).startswith("mine.csv: it has no rows, read as ")
    words = refusal(lambda: brought(collection, ordered(tmp_path, "1,Quxyzzy,dsk,99,\n")))
    assert words.startswith("mine.csv: none of its 1 rows, read as ")
    assert words.endswith("; nothing changed.\nLine 2: dsk has no card of that name. Is its game imported?")
    strict = ordered(tmp_path, "1,Amber Archivist,dsk,1,\n1,Quxyzzy,dsk,99,\n", strict=True)
    assert refusal(lambda: brought(collection, strict)) == (
        "mine.csv, line 3: dsk has no card of that name: '1,Quxyzzy,dsk,99,'. Nothing changed."
    )
    assert collection.totals() == (0, 0)


def test_a_correction_that_settles_nothing_is_told_with_its_reason(collection: CollectionStore, tmp_path: Path) -> None:
    brought(collection, ordered(tmp_path, "1,Amber Archivist,dsk,1,\n2,Quxyzzy,dsk,99,\n3,Jade Gardner,,,\n"))
    missed, fuzzy = entries_in_doubt(collection)
    assert missed.doubt is not None
    assert fuzzy.doubt is not None
    head = "Copies,Name,Set code,Set name,Number,Finish,Condition,Language,Box,Row,Slot,Card id,Settles,Rarity\n"
    rows = f"2,Zyxquux,dsk,,99,,,,,,,,{missed.doubt.id},\n"
    rows += "".join(f"3,Jade Gardenr,,,,,,,,,,,{fuzzy.doubt.id + more},\n" for more in (0, 9))
    report = brought(collection, ordered(tmp_path, rows, "table.csv", head))
    assert told(report) == [
        (2, "missed", "dsk has no card of that name", None),
        (3, "fuzzy", "'Jade Gardener' is nearly 'Jade Gardenr'", "mtg:old/2"),
        (4, "skipped", "the row it settles is already settled", None),
    ]
    assert (report.settled, report.added) == (1, 0)
    assert [one.doubt and one.doubt.id for one in entries_in_doubt(collection)] == [missed.doubt.id]


def test_what_was_dropped_stays_so_in_a_newer_file_and_rarities_are_as_the_file_says(
    collection: CollectionStore, tmp_path: Path
) -> None:
    rows = "1,Amber Archivist,dsk,1,rare\n2,Brass Belringer,dsk,2,\n1,Brass Bellringer,dsk,2,\n4,Quxyzzy,dsk,99,\n"
    rows += "".join(f"1,{name},dsk,{number},\n" for name, number in (("Frost Drake", "046"), ("Mint Hare", "17")))
    brought(collection, ordered(tmp_path, rows))
    assert dismiss(collection, DoubtFilter()).rows == 2
    more = rows.replace("1,Brass Bellringer", "2,Brass Bellringer") + "1,Mist Hare,dsk,18,\n"
    newer = ordered(tmp_path, more, "newer.csv", replace=True)
    report = brought(collection, newer)
    assert told(report) == [
        (3, "missed", "you dropped this row earlier", None),
        (5, "missed", "you dropped this row earlier", None),
    ]
    assert {one.card_id: (one.copies, one.rarity) for one in collection.holdings()} == {
        "mtg:dsk/1": (1, "rare"),
        "mtg:dsk/2": (2, ""),
        "mtg:dsk/046": (1, ""),
        "mtg:dsk/17": (1, ""),
        "mtg:dsk/18": (1, ""),
    }
    assert (report.copies, dict(report.outcomes)) == (6, {"number": 5, "fuzzy": 0, "missed": 2})
