"""Tests that numbers missing in the data are read from pictures, and filled in if they are accepted."""

from dataclasses import replace
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.scan.comparison import contradictions
from ccgrid.catalog.scan.identification import Recognition
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScanDoubt, ScannedCard, SeenNumber
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services import scanning
from ccgrid.services.accepted_scans import keep
from ccgrid.services.catalogue import open_catalogue

LAYOUT = """
format = 1
game = "pips"
name = "Pips"

[[printed]]
field = "top-left"
zone = "top-left"

[[barred]]
reason = "data:numbers"
when = { top-left = { present = false } }
"""
ROWS = "name,number,top-left\nAmber Drake,1,\nBrass Heron,2,\nCinder Wolf,3,7\n"
DRAKE, HERON, WOLF = "pips:1", "pips:2", "pips:3"


def import_pips(shell: Shell) -> Shell:
    (shell.folder / "pips.toml").write_text(LAYOUT)
    (shell.folder / "pips.csv").write_text(ROWS)
    shell.good("import", "file", shell.folder / "pips.csv", "--layout", shell.folder / "pips.toml")
    return shell


@pytest.fixture
def pips(shell: Shell) -> Shell:
    """A catalogue with a game in which two of three cards have no number."""
    return import_pips(shell)


def cards(shell: Shell) -> dict[str, Card]:
    with open_catalogue(shell.database) as store:
        return {card.id: card for card in store.all_cards()}


def scan_of(shell: Shell, card_id: str, read: ScannedCard) -> Scan:
    """Return the scan of a known card."""
    with open_catalogue(shell.database) as store:
        known = Recognition(StoreLookup(store).card(card_id), True, "")
        (card,) = store.cards([card_id])
    return Scan("a.png", "0" * 64, read, "pips", known).of_card(card)


def accept(shell: Shell, card_id: str, read: ScannedCard) -> Card:
    """Accept a scan of a known card without changes, and return that card of the catalogue."""
    scan = scan_of(shell, card_id, read)
    keep(scan, 0, 1, scan.entry(), shell.database, lambda: None, copies=0, kind=copy_key())
    return cards(shell)[card_id]


def scan_with_yes(shell: Shell, monkeypatch: pytest.MonkeyPatch, card_id: str, read: ScannedCard) -> str:
    """Return the output of `scan --yes` for a picture of a known card."""
    (shell.folder / "a.png").write_bytes(b"")
    monkeypatch.setattr(scanning, "scan_pictures", lambda *_, **__: [[scan_of(shell, card_id, read)]])
    return shell.good("scan", shell.folder / "a.png", "--yes").out


def reading_of(value: int, sure: float = 0.95, *doubts: ScanDoubt) -> ScannedCard:
    return ScannedCard("", (SeenNumber(str(value), value, "top", 50, 8, sure),), doubts)


def test_certain_reading_supplies_missing_numbers_and_makes_the_card_legal(pips: Shell) -> None:
    assert cards(pips)[DRAKE].reason == "data:numbers"
    card = accept(pips, DRAKE, reading_of(4))
    assert (card.zones, card.legal) == ({"top": 4}, True)


def test_numbers_that_nobody_saw_are_not_filled_in(pips: Shell, monkeypatch) -> None:
    """However certain a reading is, the card may have more numbers, so that the user must look at it."""
    assert "in the catalogue" in scan_with_yes(pips, monkeypatch, DRAKE, reading_of(4))
    assert cards(pips)[DRAKE].zones == {}


@pytest.mark.parametrize("read", [reading_of(4, 0.8), reading_of(4, 0.95, ScanDoubt(50, 8, "top"))])
def test_uncertain_zone_is_not_filled_in(pips: Shell, read: ScannedCard) -> None:
    assert accept(pips, DRAKE, read).zones == {}


def test_missing_numbers_are_added_to_existing_ones(pips: Shell, monkeypatch) -> None:
    number = SeenNumber("7", 7, "top-left", 8, 8, 0.95)
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", layout_lacking_wolves(pips), "--force")
    both = ScannedCard("", (*reading_of(4).numbers, number))
    other = ScannedCard("", (*reading_of(4).numbers, number._replace(value=8)))
    output = scan_with_yes(pips, monkeypatch, WOLF, other)
    assert "left for later: Cinder Wolf, top-left: the catalogue has 7, the picture 8." in output
    card = accept(pips, WOLF, both)
    assert (card.zones, card.legal) == ({"top-left": 7, "top": 4}, True)


def layout_lacking_wolves(shell: Shell) -> Path:
    """Write and return the layout, which states that the data also lack a number of wolves."""
    return write(
        shell.folder / "pips.toml",
        LAYOUT + '\n[[barred]]\nreason = "data:numbers"\nwhen = { name = { has = "Wolf" } }\n',
    )


def reading_of_column(*values: int, sure: float = 0.95) -> ScannedCard:
    """Return a reading with several numbers at the left."""
    numbers = (SeenNumber(str(n), n, "left", 8, 30 + 10 * place, sure) for place, n in enumerate(values))
    return ScannedCard("", tuple(numbers))


def test_several_numbers_in_a_zone_are_filled_in_and_exclude_the_card(pips: Shell) -> None:
    card = accept(pips, DRAKE, reading_of_column(3, 6, sure=0.96))
    assert (card.zones, card.score, card.reason) == ({}, 9, "multiple-numbers:left")


def test_uncertain_number_next_to_another_prevents_filling_in(pips: Shell) -> None:
    read = replace(reading_of_column(3), doubts=(ScanDoubt(8, 60, "left"),))
    assert accept(pips, DRAKE, read).zones == {}


def test_number_next_to_one_of_the_data_is_filled_in(pips: Shell) -> None:
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", layout_lacking_wolves(pips), "--force")
    two = tuple(SeenNumber(str(n), n, "top-left", 8, n, 0.97) for n in (7, 2))
    assert accept(pips, WOLF, ScannedCard("", two)).reason == "multiple-numbers:top-left"


def test_card_with_several_numbers_in_two_zones_agrees_with_its_picture(pips: Shell) -> None:
    two = tuple(SeenNumber(str(n), n, "top-left", 8, n, 0.97) for n in (7, 2))
    both = replace(reading_of_column(3, 6, sure=0.97), numbers=(*reading_of_column(3, 6, sure=0.97).numbers, *two))
    assert contradictions(both, accept(pips, DRAKE, both)) == []


def test_several_numbers_in_a_zone_are_shown_as_text(pips: Shell) -> None:
    scanned = Scan("a.png", "0" * 64, reading_of_column(3, 6), "pips", card=cards(pips)[DRAKE])
    assert scanned.entry().printed == {"left": "3, 6"}
    assert scanned.entry().card().reason == "multiple-numbers:left"


def test_card_with_complete_data_gets_no_numbers(pips: Shell, monkeypatch) -> None:
    layout = write(pips.folder / "pips.toml", LAYOUT.split("[[barred]]")[0])
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", layout, "--force")
    assert cards(pips)[DRAKE].reason == "no-number"
    assert "left for later" in scan_with_yes(pips, monkeypatch, DRAKE, reading_of(4))
    assert "in the catalogue" in scan_with_yes(pips, monkeypatch, DRAKE, reading_of(4, 0.8))
    assert cards(pips)[DRAKE].zones == {}


def test_numbers_of_the_data_are_kept(pips: Shell, monkeypatch) -> None:
    before = cards(pips)[WOLF]
    scan_with_yes(pips, monkeypatch, WOLF, ScannedCard("", (SeenNumber("7", 7, "top-left", 8, 8, 0.95),)))
    assert cards(pips)[WOLF] == before
