"""User-defined app formats and vocabularies in the folder of formats."""

import re
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from ccgrid.catalog.checked_file import LARGEST
from ccgrid.catalog.collection.formats import find_format, open_rows
from ccgrid.catalog.collection.formats.app_file import parse_app
from ccgrid.catalog.collection.formats.apps import all_apps, app_names, broken_files
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.words import vocabulary

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/collection.md").read_text("utf-8"), re.DOTALL)
APP, WORDS = (next(text for text in EXAMPLES if word in text) for word in ("My App", "igen"))
TABLE = "Owned,Card,Set code,No,Shine,Grade,Worth today\n3,Ant,dsk,7,shiny,A,9.99\n1,Bee,dsk,8,plain,C,1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    folder = tmp_path / "formats"
    (folder / "words").mkdir(parents=True)
    monkeypatch.setenv("CCGRID_FORMATS", str(folder))
    vocabulary.cache_clear()
    yield folder
    vocabulary.cache_clear()


def read(path: Path, text: str) -> tuple[str, list[Row], list[str]]:
    path.write_text(text, "utf-8")
    remarks: list[str] = []
    found = open_rows(path, path.name, None, None, remarks.append)
    return found.name, [row for row in found.rows if isinstance(row, Row)], remarks


def test_documented_app_is_read_and_written(folder: Path) -> None:
    (folder / "myapp.toml").write_text(APP, "utf-8")
    name, found, remarks = read(folder.parent / "a.csv", TABLE)
    assert (name, remarks) == ("myapp", [])
    assert [(row.name, row.number, row.amounts, row.condition) for row in found] == [
        ("Ant", "7", (("foil", 3),), "near-mint"),
        ("Bee", "8", (("normal", 1),), "played"),
    ]
    assert "myapp" in app_names()
    write = find_format("myapp").write
    assert write is not None
    assert "".join(write([])) == "Owned,Card,Set code,No,Shine,Grade,Worth today\n"


def test_documented_vocabulary_is_read(folder: Path) -> None:
    (folder / "words/hu.toml").write_text(WORDS, "utf-8")
    _, [row], _ = read(
        folder.parent / "a.csv", "Darab,Név,Set code,Number,Condition,Language\n2,Ant,dsk,7,szinte új,Angol\n"
    )
    assert (row.name, row.copies, row.condition, row.language) == ("Ant", 2, "near-mint", "en")


def test_own_format_file_overrides_shipped_one(folder: Path) -> None:
    (folder / "moxfield.toml").write_text(APP.replace("My App", "My Moxfield"), "utf-8")
    assert find_format("moxfield").title == "My Moxfield"
    assert [app.title for app in all_apps() if app.name == "moxfield"] == ["My Moxfield"]


def test_broken_format_file_is_reported_and_skipped(folder: Path, shell: Any) -> None:
    (folder / "broken.toml").write_text(APP.replace('"copies"', '"copys"'), "utf-8")
    (folder / "words/xx.toml").write_text("yes = 1\n", "utf-8")
    (folder / "myapp.toml").write_text(APP, "utf-8")
    messages = [
        'broken.toml, line 6: columns.Owned is \'copys\'; it is a field such as "copies", "" for what is passed over, '
        'or "=TEXT".',
        "xx.toml, line 1: yes is a list of texts in quotes.",
    ]
    assert list(map(str, broken_files())) == messages
    name, found, remarks = read(folder.parent / "a.csv", TABLE)
    assert (name, len(found), remarks) == ("myapp", 2, [f"Skipped {one}" for one in messages])
    report = shell("doctor", "--json").json
    assert [place["path"] for place in report["places"] if place["what"] == "formats"] == [str(folder)]
    assert [one["message"] for one in report["findings"] if one["code"] == "format"] == messages


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("format = 1", "format = 2", snapshot("mine.toml, line 1: format is 2, but this ccgrid reads format 1.")),
        (
            "needs = ",
            "need = ",
            snapshot(
                "mine.toml, line 3: need is not known; a format may hold also, capitals, columns, conditions, "
                "delimiter, finishes, format, free_columns, free_finish, games, language_codes, languages, name, "
                "needs, no, reads_only and yes."
            ),
        ),
        (
            '"Owned"]',
            '"Own"]',
            snapshot("mine.toml, line 3: needs names 'Own', which is no heading of [columns] or [also]."),
        ),
        (
            "near-mint",
            "nearmint",
            snapshot(
                "mine.toml, line 19: conditions.nearmint is not known; conditions may hold damaged, excellent, good, "
                "heavily-played, lightly-played, mint, moderately-played, near-mint, played and poor."
            ),
        ),
        ('foil = "shiny"', "foil = 1", snapshot("mine.toml, line 16: finishes.foil is a text in quotes.")),
        (
            "[columns]",
            "[column]",
            snapshot(
                "mine.toml, line 5: column is not known; a format may hold also, capitals, columns, conditions, "
                "delimiter, finishes, format, free_columns, free_finish, games, language_codes, languages, name, "
                "needs, no, reads_only and yes."
            ),
        ),
        ("[columns]", "free_finish = 1\n[columns]", snapshot("mine.toml, line 5: free_finish is true or false.")),
        (
            "[columns]",
            "delimiter = '.'\n[columns]",
            snapshot("mine.toml, line 5: delimiter is '.'; it is one of ,, ;, \t and |."),
        ),
        ("format = 1", "#" * LARGEST, snapshot("mine.toml: a format is at most 256 KiB, and this is larger.")),
    ],
)
def test_format_errors_name_line_and_key(before: str, after: str, message: str) -> None:
    assert before in APP
    with pytest.raises(CatalogError) as caught:
        parse_app(APP.replace(before, after, 1), "mine", "mine.toml")
    assert str(caught.value) == message
    assert "\n" not in message


def test_format_that_is_not_toml_is_reported() -> None:
    with pytest.raises(CatalogError, match=r"^mine\.toml: the file is not TOML: Invalid value \(at line 7"):
        parse_app(APP.replace('"name"\n', "\n", 1), "mine", "mine.toml")


def test_app_file_without_columns_or_needs_is_rejected() -> None:
    for text, message in (("", "columns is missing"), ('[columns]\nCard = "name"\n', "needs is missing")):
        with pytest.raises(CatalogError, match=message):
            parse_app(text, "mine", "mine.toml")


def test_each_word_has_one_meaning_in_its_column() -> None:
    known = vocabulary()
    assert known.known("yes").keys().isdisjoint(known.known("no"))
    assert known.known("finishes").keys().isdisjoint(known.known("conditions"))
    both = known.known("languages").keys() & {*known.known("conditions"), *known.known("finishes")}
    # "sp" is slightly played or Spanish, "pl" played or Polish: the column decides.
    assert both == {"sp", "pl"}
