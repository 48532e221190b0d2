"""Lines of an entry session: number, copies and finish in any order, and questions about ambiguous lines."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.catalogues import Shell, write_rows
from helpers.collection_catalogue import card

from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.collection.entry_session import EntrySession, UnsureError
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore

NAMES = {
    **{"2": "Ant", "3": "Bee", "7": "Cat", "12": "Dog", "25": "Hen", "146": "Eel", "210": "Fox", "211": "7 Cat"},
    **{"212": "1996 World Fox", "213": "Gnu x2", "214": "World Fox", "215": "1997 Bees", "TG3": "Cub", "12s": "Doe"},
}


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("entry")
    rows = [card("dsk", number, name) for number, name in NAMES.items()]
    with Store(folder / "cards.db", create=True) as store:
        import_bundled(ImportRequest(find_source("mtg"), write_rows(folder / "cards.jsonl", rows)), store)
    return folder / "cards.db"


@pytest.fixture
def entry(cards: Path, tmp_path: Path) -> Iterator[EntrySession]:
    (tmp_path / "own.db").write_bytes(cards.read_bytes())
    with Store(tmp_path / "own.db") as store:
        yield EntrySession(CollectionStore(store), (), "dsk", copy_key())


def owned_copies(session: EntrySession) -> list[tuple[str, int, str]]:
    return [(one.name, one.copies, one.finish) for one in session.collection.holdings()]


@pytest.mark.parametrize(
    "line",
    [
        *("146 x2 f", "146x2f", "2x146f", "146fx2", "146f x2", "2x 146 f", "2x 146f", "146 2x foil", "x2 146 f"),
        *("foil 146 x2", "f 146x2", "146 F x2", "146 x2 *F*", "146×2 (foil)", "146 x 2 f", "2 x 146f", "146X2F"),
        *("2 Eel f", "2x Eel *F*", "Eel x2 foil", "eel (foil) x2", "foil Eel x2", "2 Eel FOIL"),
    ],
)
def test_number_copies_and_finish_are_read_in_any_order(entry: EntrySession, line: str) -> None:
    entry.enter(line)
    assert owned_copies(entry) == [("Eel", 2, "foil")]


@pytest.mark.parametrize(
    ("line", "copies"),
    [
        ("210", ("Fox", 1, "normal")),
        ("210e", ("Fox", 1, "etched")),
        ("210x3f", ("Fox", 3, "foil")),
        ("12x3", ("Dog", 3, "normal")),
        ("3x12", ("Dog", 3, "normal")),
        ("12 x3", ("Dog", 3, "normal")),
        ("2 x12", ("Ant", 12, "normal")),
        ("12x 2", ("Ant", 12, "normal")),
        ("2x2", ("Ant", 2, "normal")),
        ("12s x2", ("Doe", 2, "normal")),
        ("TG3f", ("Cub", 1, "foil")),
        ("1997 Bees", ("1997 Bees", 1, "normal")),
        ("2 1996 World Fox", ("1996 World Fox", 2, "normal")),
        ("Gnu x2", ("Gnu x2", 1, "normal")),
        ("Gnu x2 x3", ("Gnu x2", 3, "normal")),
        ("DSK/146 x2 foil", ("Eel", 2, "foil")),
        ("an Eel", ("Eel", 1, "normal")),
        ("Playset Eel", ("Eel", 4, "normal")),
        ("Eel playset", ("Eel", 4, "normal")),
    ],
)
def test_entry_line_gives_card_copies_and_finish(entry: EntrySession, line: str, copies: tuple[str, int, str]) -> None:
    entry.enter(line)
    assert owned_copies(entry) == [copies]


@pytest.mark.parametrize("line", ["3x2", "7 Cat", "2 146", "12x25", "146 2", "1996 World Fox"])
def test_ambiguous_line_offers_two_readings(entry: EntrySession, line: str) -> None:
    with pytest.raises(UnsureError, match=r"may be") as error:
        entry.enter(line)
    assert owned_copies(entry) == []
    assert len(error.value.choices) == 2
    entry.take(error.value.choices[1])
    assert entry.copies == error.value.choices[1].copies


def test_number_after_set_code_is_not_read_as_copies(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match="12 may be copies or a number"):
        entry.enter("Dog, DSK, 12")
    with pytest.raises(CatalogError, match="12 may be copies or a number"):
        find_card(entry.collection, "Dog, DSK, 12")
    assert owned_copies(entry) == []


def test_more_than_20_copies_need_yes(entry: EntrySession) -> None:
    entry.enter("210 x20")
    with pytest.raises(UnsureError, match="21 Fox"):
        entry.enter("21 Fox")
    assert entry.copies == 20
    entry.enter("yes")
    assert (entry.copies, entry.failed) == (41, 0)
    with pytest.raises(CatalogError):
        entry.enter("yes")


def test_yes_without_question_adds_nothing(entry: EntrySession) -> None:
    with pytest.raises(UnsureError):
        entry.enter("210 x21")
    entry.enter("2")
    with pytest.raises(CatalogError):
        entry.enter("yes")
    assert owned_copies(entry) == [("Ant", 1, "normal")]


@pytest.mark.parametrize("line", ["999", "999x2", "0x146", "146 x0", "x2", "Ants", "146 Eel", "2x", "Eel 2 3", "0 Eel"])
def test_impossible_entry_lines_are_rejected(entry: EntrySession, line: str) -> None:
    with pytest.raises(CatalogError):
        entry.enter(line)
    assert owned_copies(entry) == []


def test_piped_entry_reports_unclear_lines_and_continues(owned: Shell) -> None:
    result = owned("collection", "add", "-s", "dsk", "--json", typed="1x30\nyes\n2x30\n1\n")
    assert result.status == 1
    assert "30 " in result.err
    assert (result.json["copies"], result.json["failed"]) == (31, 1)
