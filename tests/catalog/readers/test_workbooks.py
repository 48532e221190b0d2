"""Spreadsheets, read as cards and as a collection."""

import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write_layout

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.readers.streams import open_data

HEAD = ("Name", "Set", "Number", "Quantity", "Signed")
CELLS = (HEAD, ("Amber Archivist", "dsk", 1, 3, "yes"), ("Isle", "dsk", 11, 2, ""))
XLSX = {
    "[Content_Types].xml": ('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    "_rels/.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1"'
        ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
        ' Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
        '<sheet name="empty" sheetId="1" r:id="rId1"/><sheet name="cards" sheetId="2" r:id="rId2"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"'
        ' Target="worksheets/sheet1.xml"/>'
        '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"'
        ' Target="worksheets/sheet2.xml"/></Relationships>'
    ),
    "xl/worksheets/sheet1.xml": (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>'
    ),
}


def xlsx(path: Path, rows: Sequence[Sequence[str | int]], first: Sequence[Sequence[str | int]] = ()) -> Path:
    """Write a workbook whose second sheet has these rows, and the first one others."""
    sheets = {f"xl/worksheets/sheet{number}.xml": sheet(each) for number, each in ((1, first), (2, rows))}
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**XLSX, **sheets}.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return path


def sheet(rows: Sequence[Sequence[str | int]]) -> str:
    """Return the XML of a sheet."""
    lines = []
    for line, row in enumerate(rows, 1):
        cells = "".join(
            f'<c r="{chr(65 + at)}{line}"><v>{cell}</v></c>'
            if isinstance(cell, int)
            else f'<c r="{chr(65 + at)}{line}" t="inlineStr"><is><t>{cell}</t></is></c>'
            for at, cell in enumerate(row)
        )
        lines.append(f'<row r="{line}">{cells}</row>')
    return XLSX["xl/worksheets/sheet1.xml"].replace("<sheetData/>", f"<sheetData>{''.join(lines)}</sheetData>")


def _ods_cell(cell: str | float) -> str:
    kind = (
        f'office:value-type="float" office:value="{cell}"'
        if not isinstance(cell, str)
        else 'office:value-type="string"'
    )
    return f"<table:table-cell {kind}><text:p>{cell}</text:p></table:table-cell>"


def ods(path: Path, *sheets: Sequence[Sequence[str | float]]) -> Path:
    """Return a workbook of LibreOffice with the sheets `cards`, `cards2` …."""
    tables = ""
    for number, rows in enumerate(sheets, 1):
        lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
        tables += f'<table:table table:name="cards{number if number > 1 else ""}">{lines}</table:table>'
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="{space}office:1.0"'
        f' xmlns:table="{space}table:1.0" xmlns:text="{space}text:1.0"><office:body><office:spreadsheet>'
        f"{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", '<?xml version="1.0"?><manifest/>')
        archive.writestr("content.xml", content)
    return path


@pytest.mark.parametrize(("make", "name"), [(xlsx, "mine.xlsx"), (ods, "mine.ods")])
def test_collection_is_read_from_a_spreadsheet(make, name: str, owned: Shell) -> None:
    pytest.importorskip("python_calamine")
    owned.good("collection", "import", make(owned.folder / name, CELLS))
    found = owned.entries()
    assert sorted((one["id"], one["copies"], one["signed"]) for one in found) == [
        ("mtg:dsk/1", 3, True),
        ("mtg:dsk/11", 2, False),
    ]


@pytest.mark.parametrize(("make", "name"), [(xlsx, "ants.xlsx"), (ods, "ants.ods")])
def test_cards_are_read_from_a_spreadsheet(make, name: str, shell: Shell) -> None:
    pytest.importorskip("python_calamine")
    file = make(shell.folder / name, (("Name", "Set", "Fire"), ("Ant", "One", 3), ("Bee", "One", 10)))
    layout = write_layout(shell.folder / "ants.toml", "Fire")
    shell.good("import", "file", file, "--layout", layout)
    found = shell.good("search", "game:ants", "--json").json_lines
    assert sorted((card["name"], card["zones"]["top"]) for card in found) == [("Ant", 3), ("Bee", 10)]


def test_lines_above_a_table_are_skipped_and_other_sheets_reported(owned: Shell) -> None:
    pytest.importorskip("python_calamine")
    table = (("My cards",), (), ("Name", "Quantity", "Purchase price"), ("Amber Archivist", 3, 0.1 + 0.2), ("Ilse", 1))
    path = ods(owned.folder / "mine.ods", table, (), (("Wanted", "Why"), ("Isle", "nice")))
    output = owned.incomplete("collection", "import", path)
    assert "mine.ods: the sheet 'cards' is read; not read: 'cards3'." in output.err
    assert "mine.ods: a table (sheet 'cards')." in output.out
    found = [(one["id"], one["copies"], one["price"]) for one in owned.entries()]
    assert ("mtg:dsk/1", 3, "0.3") in found
    assert [one["line"] for one in owned.good("collection", "doubts", "--json").json_lines] == [5]


def test_spreadsheet_without_the_extra_is_an_error_with_both_remedies(
    owned: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    file = xlsx(owned.folder / "mine.xlsx", CELLS)
    owned("collection", "import", file).fails("Save it as CSV", install_command("spreadsheet"))


def test_file_with_only_the_suffix_of_a_spreadsheet_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    path = tmp_path / "odd.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook")
    with (
        pytest.raises(CatalogError, match=r"a spreadsheet that cannot be read"),
        open_data(path),
    ):
        pass


def test_sheet_of_notes_before_the_cards_is_skipped(shell: Shell) -> None:
    pytest.importorskip("python_calamine")
    book = xlsx(shell.folder / "mine.xlsx", CELLS, (("My binder", "2026"), ("Lent to", "Bob"), ("Version", 3)))
    with open_data(book) as table:
        assert table.read().splitlines()[0] == b"Name,Set,Number,Quantity,Signed"
        assert (table.sheet, table.others) == ("cards", ("empty",))  # type: ignore[attr-defined]
