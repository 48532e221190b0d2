"""A card from the phone's queue is kept as the command line keeps one: corrected, or entered anew."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from helpers.catalogues import make_catalogue, row, write_rows

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber, SeenText, TextReading
from ccgrid.services.catalogue import open_catalogue
from ccgrid.services.scan_queue import Photograph, ReadCard, ScanQueue
from ccgrid.services.scanning import keep

SEEN = ScannedCard("Amber Drake", (SeenNumber("9", 9, "left", 8, 50, 1.0),), names=("Amber Drake",))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    rows = [row(1, "Amber Drake"), row(2, "Amber Drake"), row(3, "Brass Heron")]
    return make_catalogue(tmp_path / "catalogue.db", write_rows(tmp_path / "cards.jsonl", rows))


@pytest.fixture
def queue(tmp_path: Path, database: Path) -> Callable[[str, bool], ScanQueue]:
    """A queue with one photograph of one card, which was taken for the card with that id."""

    def made(card_id: str, is_sure: bool) -> ScanQueue:
        folder = tmp_path / "queue"
        folder.mkdir(exist_ok=True)
        card = ReadCard(SEEN, b"a picture", 100, 140, card_id, is_sure)
        one = Photograph(1, "a.jpg", "0" * 64, "mtg", is_read=True, cards=[card])
        (folder / "1.json").write_bytes(msgspec.json.encode(one))
        (folder / "1.picture").write_bytes(b"a photograph")
        return ScanQueue(folder, database, pytest.fail)

    return made


def cards(database: Path) -> dict[str, Card]:
    with open_catalogue(database) as store:
        return {card.id: card for card in store.all_cards()}


def settle(queue: ScanQueue, card_id: str, change: Callable[[CustomCard], CustomCard]) -> str:
    """What becomes of the card when somebody leaves its form so."""
    scan, _ = queue.card(1, 0)
    return queue.keep(1, 0, change(scan.entry()), card_id, 1, copy_key()).what


def with_left(text: str) -> Callable[[CustomCard], CustomCard]:
    return lambda entry: replace(entry, printed={**entry.printed, "left": text})


def test_a_changed_number_of_a_known_card_corrects_that_card(queue, database: Path) -> None:
    before = cards(database)
    settle(queue("mtg:dsk/1", True), "mtg:dsk/1", with_left("8"))
    after = cards(database)
    assert after.keys() == before.keys()
    assert after["mtg:dsk/1"].zones == {**before["mtg:dsk/1"].zones, "left": 8}
    assert after["mtg:dsk/2"] == before["mtg:dsk/2"]


def test_a_changed_name_of_a_known_card_enters_a_new_one(queue, database: Path) -> None:
    before = cards(database)
    settle(queue("mtg:dsk/1", True), "mtg:dsk/1", lambda entry: replace(entry, name="Amber Hound"))
    after = cards(database)
    assert after.keys() - before.keys() == {"mtg:hand/amber-hound"}
    assert all(after[card_id] == card for card_id, card in before.items())


def test_another_printing_that_somebody_chose_is_corrected_where_they_changed_a_number(queue, database: Path) -> None:
    before = cards(database)
    settle(queue("mtg:dsk/1", True), "mtg:dsk/2", with_left("8"))
    after = cards(database)
    assert after["mtg:dsk/2"].zones == {**before["mtg:dsk/2"].zones, "left": 8}
    assert after["mtg:dsk/1"] == before["mtg:dsk/1"]


@pytest.mark.parametrize(("card_id", "is_sure"), [("mtg:dsk/1", True), ("mtg:dsk/1", False), ("", False)])
def test_a_card_that_somebody_chose_stays_as_it_is_where_they_changed_nothing(
    queue, database: Path, card_id: str, is_sure: bool
) -> None:
    before = cards(database)
    assert settle(queue(card_id, is_sure), "mtg:dsk/3", lambda entry: entry) == "owned"
    assert cards(database) == before


def test_a_card_that_waits_is_shown_with_what_was_learned_since_it_was_read(queue, database: Path) -> None:
    line = SeenText(8, 50, 5, 4, tuple(TextReading("4", sure) for sure in (0.9, 0.8, 0.7, 0.8)))
    read = replace(SEEN, numbers=find_numbers([line]).seen, lines=(line,))
    waiting = queue("", False)
    waiting.find(1).cards[0] = ReadCard(read, b"a picture", 100, 140)
    before = waiting.card(1, 0)[0].read.numbers[0].confidence
    for number in range(5):
        scan = Scan(f"{number}.png", f"{number}" * 64, read, "mtg")
        entry = CustomCard("mtg", f"Card {number}", printed={"left": "4"})
        keep(scan, 0, 1, entry, database, lambda: None, copies=0, kind=copy_key())
    assert waiting.card(1, 0)[0].read.numbers[0].confidence > before
