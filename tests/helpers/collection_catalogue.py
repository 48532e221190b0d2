"""A small catalogue with every kind of name and number that is difficult in collection files, and rows to match."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup
from helpers.catalogues import row, write_rows

UUID = "11111111-2222-3333-4444-{:012d}"


def card(set_code: str, number: str, name: str, **more: Any) -> dict[str, Any]:
    names = {"dsk": "Dusk", "old": "Old Dusk", "pdsk": "Dusk Promos", "tdsk": "Dusk Tokens", "tmp": "Tempest"}
    set_name = names.get(set_code, set_code.upper())
    return row(1, name, set=set_code, set_name=set_name, collector_number=number, **more)


CARDS = (
    card("dsk", "1", "Amber Archivist", id=UUID.format(1), mtgo_id=501, mtgo_foil_id=502, tcgplayer_id=901),
    card("dsk", "2", "Brass Bellringer", id=UUID.format(2), cardmarket_id=77),
    card("dsk", "3", "Cinder Cartographer", id=UUID.format(3)),
    card("dsk", "4", "Ember Gate // Ash Gate", layout="split", id=UUID.format(4)),
    card("dsk", "5", "Áine's Dûsk, the 2nd"),
    card("dsk", "6", "+2 Lantern"),
    card("dsk", "7", 'Moth, "the Quick"'),
    card("dsk", "8", "B.R.O. (Left)"),
    card("dsk", "046", "Frost Drake"),
    card("dsk", "10a", "Twin Sister"),
    card("dsk", "11", "Isle"),
    card("dsk", "12", "Isle"),
    card("dsk", "13", "Hollow Ferryman"),
    card("dsk", "13", "Hollow Ferryman", lang="it", printed_name="Traghettatore Cavo", id=UUID.format(13)),
    card("dsk", "14", "Gale Herald", arena_id=60001),
    card("dsk", "15", "Iron Herald", tcgplayer_id=909),
    card("dsk", "16", "Mothra Blade", games=["arena"], digital=True),
    card("dsk", "17", "Mint Hare"),
    card("dsk", "18", "Mist Hare"),
    card("dsk", "21†", "Kestrel"),
    card("dsk", "22/264", "Lynx"),
    card("old", "3", "Iron Herald", released_at="1999-01-01", tcgplayer_id=909),
    card("old", "4", "Twin Sisters", released_at="1999-01-01"),
    card("old", "1", "Brass Bellringer", released_at="1999-01-01"),
    card("old", "2", "Jade Gardener", released_at="1999-01-01"),
    card("pdsk", "2s", "Brass Bellringer", released_at="2006-01-01"),
    card("pdsk", "3★", "Cinder Cartographer", released_at="2006-01-01"),
    card("tdsk", "1", "Drake"),
    card("tmp", "9", "Ember Drake"),
)


def build(folder: Path) -> Path:
    """Create a catalogue of these cards."""
    database = folder / "owned.db"
    with Store(database, create=True) as store:
        import_bundled(ImportRequest(find_source("mtg"), write_rows(folder / "cards.jsonl", CARDS)), store)
    return database


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a catalogue that tests copy and must not change."""
    return build(tmp_path_factory.mktemp("owned"))


@pytest.fixture
def owned(shell: Any, template: Path) -> Any:
    """Return a shell with a catalogue of these cards and an empty collection."""
    shutil.copy(template, shell.database)
    return shell


def wanted(name: str = "", set_code: str = "", number: str = "", *ids: tuple[str, str], language: str = "") -> Row:
    return Row(1, name, (("normal", 1),), name, set_code, set_code, number, ids, "", language)


@pytest.fixture
def matcher(template: Path) -> Any:
    with Store(template) as store:
        yield Resolver(StoreLookup(store))


@pytest.fixture
def lenient(template: Path) -> Any:
    with Store(template) as store:
        yield Resolver(StoreLookup(store), any_printing=True)
