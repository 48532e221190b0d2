"""A folder with typical files of a user, in which the documentation's commands run."""

import shutil
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.catalog.collection.edit import add_copies, copy_key
from ccgrid.catalog.collection.pulls import take_out
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.file_kinds import BACKUP_ENTRY
from ccgrid.catalog.holding import Place
from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.custom_cards import add_card
from ccgrid.catalog.store.history import undo
from ccgrid.catalog.store.holdings import CollectionStore
from helpers.catalogues import Shell, row, write_rows
from helpers.wanted_copies import deck_needs

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
CAN_SCAN = find_spec("rapidocr") is not None and find_spec("cv2") is not None


LAYOUT = """format = 1
game = "dragons"
name = "Dragons"
[[printed]]
field = "Cost"
zone = "top-left"
[[printed]]
field = "No"
zone = "bottom-right"
read = "collector"
"""
"""The content of `my.toml` in the examples."""


def in_copy(folder: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell in a copy of a folder."""
    shutil.copytree(folder, shell.folder, dirs_exist_ok=True)
    monkeypatch.chdir(shell.folder)
    return shell


def prepare(folder: Path) -> None:
    """Fill a folder with typical files: bundled cards, two cards of a Magic set, a deck, a game, a layout."""
    for file in EXAMPLES.iterdir():
        shutil.copy(file, folder)
    (folder / "my.csv").write_text("Name,Set,Cost,No\nAmber Drake,dsk,3,4\nBrass Ferryman,dsk,5,2\n", encoding="utf-8")
    (folder / "my.toml").write_text(LAYOUT, encoding="utf-8")
    famous = [row(146, "Lightning Bolt", 1, set="m10"), row(1, "Ajani Goldmane", 4, set="m10")]
    cards = write_rows(folder / "cards.jsonl", famous)
    importing.import_source(importing.ImportRequest(find_source("mtg"), cards), folder / "catalogue.db")
    importing.import_source(importing.ImportRequest(find_source("starter")), folder / "catalogue.db")
    cards.unlink()
    with Store(folder / "catalogue.db") as store:
        add_card(store, CustomCard("arcadia", "Griffin", printed={"top-left": "4"}))
    own_some(folder / "catalogue.db", folder / "deck.toml")
    with ZipFile(folder / "kept.zip", "w") as archive:
        archive.writestr(BACKUP_ENTRY, '{"format": 1, "made": "2026-11-28T12:00:00"}')
        archive.write(folder / "catalogue.db", "catalogue.db")
    if CAN_SCAN:
        photograph(folder / "Pictures" / "rifts")


def photograph(folder: Path) -> None:
    """Write the picture of a made-up card into a folder."""
    from helpers.made_up_pictures import draw, packed

    folder.mkdir(parents=True)
    (folder / "1.png").write_bytes(packed(draw("Amber Griffin", {"top-left": "4", "bottom-right": "7"})))


def own_some(database: Path, deck: Path) -> None:
    """Add a few cards and two copies of a deck to the collection; one copy of the deck is checked out."""
    with Store(database) as store:
        collection = CollectionStore(store)
        cards = tuple(entry.card for entry in read_deck(deck).entries if entry.card is not None)
        for card in [*cards, *cards]:
            add_copies(collection, find_card(collection, card.id).card, 1, copy_key())  # type: ignore[arg-type]
        take_out(collection, deck_needs(cards), "Sunday deck")
        bolt = find_card(collection, "Lightning Bolt", games=["mtg"]).card
        add_copies(collection, bolt, 4, copy_key(place=Place("Attic 2", "3")))  # type: ignore[arg-type]
        add_copies(collection, bolt, 1, copy_key())  # type: ignore[arg-type]
        undo(store)
