"""Real collections written in every format and read back: all fields are the same or reported as lost."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app_files import read, written
from helpers.everyday import part_of

from ccgrid.catalog.collection.export import export, find_writer
from ccgrid.catalog.collection.formats import all_formats
from ccgrid.catalog.collection.imports import CollectionImport, import_file
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lookup import StoreLookup

EXPORTS = (
    *("MTGScryfallLookup/Collection102125.csv", "MTG_DeckFind/all-folders.csv", "MTGstuff/Inventory.csv"),
    *("goldfish_to_moxfield/my_collection.csv", "mtg-deck-collection/ManaBox_Collection.csv"),
)
"""Exports of Moxfield, Dragon Shield, Deckbox, MTGGoldfish and ManaBox."""
WRITERS = [form.name for form in all_formats() if form.write is not None]
WHICH_CARD = ("which printing it is", "collector number", "the name as it is", "the card itself")


@pytest.fixture(scope="module")
def shelf(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CollectionStore]:
    """Create a collection from five users' exports, limited to 6,472 real printings."""
    folder = tmp_path_factory.mktemp("trips")
    with Store(folder / "catalogue.db", create=True) as store:
        cards = shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz"
        import_bundled(ImportRequest(find_source("mtg"), cards), store)
        collection = CollectionStore(store)
        names = {card.name for card in store.all_cards()}
        for name in EXPORTS:
            known = write_known_rows(shared_data / "collections" / name, names, folder / Path(name).name)
            import_file(CollectionImport(known, name), collection, lambda remark: None)
        yield collection


def write_known_rows(export: Path, names: set[str], known: Path) -> Path:
    """Write the first two lines of an export and its rows with a known name to the file `known`."""
    with export.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for number, row in enumerate(csv.reader(file)) if number < 2 or not names.isdisjoint(row)]
    with known.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return known


@pytest.fixture(scope="module")
def owned_cards(shelf: CollectionStore) -> list[Holding]:
    return list(shelf.holdings())


@pytest.fixture(scope="module")
def resolver(shelf: CollectionStore) -> Resolver:
    return Resolver(StoreLookup(shelf.store))


def test_round_trip_collection_covers_languages_finishes_and_boxes(owned_cards: list[Holding]) -> None:
    assert len(owned_cards) > 1900
    assert {one.language for one in owned_cards} == {"en", "it"}
    assert {one.finish for one in owned_cards} == {"normal", "foil"}
    assert {bool(one.place.box) for one in owned_cards} == {bool(one.rarity) for one in owned_cards} == {True, False}


@pytest.mark.parametrize("name", WRITERS)
def test_large_collection_is_read_back_or_losses_are_reported(
    resolver: Resolver, owned_cards: list[Holding], name: str, tmp_path: Path
) -> None:
    form = find_writer(name)
    if name == "cardmarket":  # The data of 2019 contain no ids of Cardmarket.
        with pytest.raises(CatalogError, match="Nothing written"):
            export(form, owned_cards)
        return
    chosen = part_of(owned_cards, WRITERS.index(name), 3)
    found = export(form, chosen)
    assert found.holdings == chosen
    output: dict[int, set[str]] = {}
    for loss in found.losses:
        output.setdefault(loss.holding.id, set()).add(loss.what.partition(" (")[0])
    rows = read(written(form, chosen, tmp_path), name).rows
    for one in chosen:
        row = next(rows)
        assert isinstance(row, Row), row
        for _ in range(one.copies - row.copies):  # Some formats have a row for each copy.
            assert next(rows)._replace(line=row.line) == row
        lost = output.get(one.id, set())
        match = resolver.match(row)
        assert match.card is not None or not lost.isdisjoint(WHICH_CARD), (one, row, match)
        if match.card is not None:
            assert match.card.id == one.card_id or not lost.isdisjoint(WHICH_CARD), (one, row, match)
            assert differences(one, match.with_finish(row), match.card) <= {word.split()[0] for word in lost}, (
                one,
                row,
            )
    assert next(rows, None) is None


def differences(holding: Holding, row: Row, card: Candidate) -> set[str]:
    """Return the fields of a holding that differ in the row."""
    pairs: dict[str, tuple[Any, Any]] = {
        "finish": (holding.finish, row.amounts[0][0]),
        "condition": (holding.condition, row.condition),
        "language": (holding.language, row.language or card.lang),
        "box": (holding.place.box, row.place.box),
        "row": (holding.place[1:], row.place[1:]),
        "rarity": (holding.rarity, row.rarity),
    }
    return {what for what, (before, after) in pairs.items() if before != after}
