"""The catalogue's exceptions: callers can distinguish them and read their details from attributes."""

import pickle
from pathlib import Path

import pytest
from helpers.error_messages import error_of

from ccgrid.catalog.card import Card
from ccgrid.catalog.copy_terms import known_finish
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.download.errors import StatusError, TemporaryError
from ccgrid.catalog.errors import (
    BusyCatalogueError,
    CatalogError,
    CatalogueFileError,
    CatalogueVersionError,
    ChangedMeanwhileError,
    DamagedCatalogueError,
    EmptyCatalogueError,
    FileFormatError,
    MissingCatalogueError,
    MissingExtraError,
    NoSuchNameError,
    NotConfirmedError,
    NotFoundError,
    WrongKindError,
)
from ccgrid.catalog.matching.asking import AmbiguousCardError, NoSuchCardError
from ccgrid.catalog.store import custom_cards
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.temporary import errors_naming, temporary_folder_beside

FILE = Path("x.db")
EXAMPLES = [
    NotFoundError("No card.", kind="card", name="x", suggestions=["y"]),
    NoSuchNameError("No game.", kind="game", name="x", known=("grid",)),
    NotConfirmedError("Add --yes."),
    ChangedMeanwhileError("It was changed."),
    MissingExtraError("It is not installed.", extra="scan"),
    FileFormatError("not a deck", file="x.toml", line=3),
    WrongKindError("this is a deck", file=Path("x.toml")),
    CatalogueFileError("It cannot be opened.", path=FILE),
    MissingCatalogueError("There is none.", path=FILE),
    EmptyCatalogueError("It is empty.", path=FILE),
    BusyCatalogueError("It is in use.", path=None),
    DamagedCatalogueError(path=FILE),
    CatalogueVersionError("It is too new.", path=FILE),
    NoSuchCardError("No card.", name="x", suggestions=["y"]),
    AmbiguousCardError("x", [Card("a:1", "a", "X", {}, 0), Card("b:1", "b", "X", {}, 0)]),
    TemporaryError("no answer", wait=3),
    StatusError("answered 404", status=404),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_every_error_is_a_catalog_error_and_survives_pickling(error: CatalogError) -> None:
    assert isinstance(error, CatalogError)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.__dict__) == (type(error), str(error), error.__dict__)


def test_first_line_of_an_error_omits_the_remedy() -> None:
    assert CatalogError("It is damaged.\nDownload it again.").first_line == "It is damaged."
    assert CatalogError("It is damaged.").first_line == "It is damaged."


def test_message_of_file_format_error_names_file_and_line() -> None:
    assert str(FileFormatError("not a deck", file=Path("x.toml"), line=3)) == "x.toml, line 3: not a deck"
    assert str(FileFormatError("not a deck", file="x.toml")) == "x.toml: not a deck"


def test_missing_catalogue_is_distinguishable_and_names_its_path(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(MissingCatalogueError) as caught:
        Store(path)
    assert caught.value.path == path


def test_damaged_catalogue_is_distinguishable(tmp_path: Path) -> None:
    path = tmp_path / "cards.db"
    with Store(path, create=True) as store:
        custom_cards.add_card(store, CustomCard("pips", "Ant", printed={"top": "3"}))
        store.connection.execute("UPDATE cards SET face = '['")
        with pytest.raises(DamagedCatalogueError):
            list(store.all_cards())


def test_concurrent_change_of_a_card_is_distinguishable() -> None:
    ant, bee = (CustomCard("pips", "Ant", printed={"top": text}) for text in "34")
    with Store.in_memory() as store:
        card = custom_cards.add_card(store, ant)
        with pytest.raises(ChangedMeanwhileError):
            custom_cards.change_card(store, bee, card.id, ant)


def test_unknown_card_has_kind_and_name() -> None:
    with Store.in_memory() as store, pytest.raises(NotFoundError) as caught:
        custom_cards.entered_card(store, "pips:hand/ant")
    assert (caught.value.kind, caught.value.name) == ("card", "pips:hand/ant")


def test_unknown_finish_lists_the_known_ones() -> None:
    with pytest.raises(NoSuchNameError) as caught:
        known_finish("nonsense")
    assert (caught.value.kind, caught.value.name) == ("finish", "nonsense")
    assert "foil" in caught.value.known


def test_error_in_temporary_catalogue_keeps_class_and_names_final_path(tmp_path: Path) -> None:
    path = tmp_path / "cards.db"

    def fail() -> None:
        with errors_naming(path), temporary_folder_beside(path) as folder:
            raise MissingCatalogueError(f"{folder / path.name} is missing.", path=folder / path.name)

    assert error_of(fail, MissingCatalogueError) == f"{path} is missing."
    with pytest.raises(MissingCatalogueError) as caught:
        fail()
    assert caught.value.path == path
