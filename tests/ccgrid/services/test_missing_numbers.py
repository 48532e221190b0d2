"""Tests that numbers missing in the data are read from pictures and filled in."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write

from ccgrid.catalog.card import Card
from ccgrid.catalog.scan.comparison import contradictions
from ccgrid.catalog.scan.identification import Recognition
from ccgrid.catalog.scan.values import ScanDoubt, ScannedCard, SeenNumber
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services import scanning
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


def scan(shell: Shell, monkeypatch: pytest.MonkeyPatch, *copies: tuple[str, ScannedCard], own: bool = False) -> str:
    """Return the output of `scan --yes` for pictures of known cards."""

    def pictures(*_: Any, **__: Any) -> Any:
        with open_catalogue(shell.database) as store:
            for card_id, read in copies:
                known = Recognition(StoreLookup(store).card(card_id), True, "")
                pictures.count += 1
                digest = f"{pictures.count:032}" * 2
                card = store.cards([card_id])[0]
                against = tuple(contradictions(read, card))
                yield [scanning.Scan("a.png", digest, read, "pips", known, card, against)]

    pictures.count = 100 * sum(map(ord, str(copies)))
    (shell.folder / "a.png").write_bytes(b"")
    monkeypatch.setattr(scanning, "scan_pictures", pictures)
    return shell.good("scan", shell.folder / "a.png", "--yes", *(["--own"] if own else [])).out


def reading_of(value: int, sure: float = 0.95, *doubts: ScanDoubt) -> ScannedCard:
    return ScannedCard("", (SeenNumber(str(value), value, "top", 50, 8, sure),), doubts)


def test_certain_reading_supplies_missing_numbers_and_makes_the_card_legal(pips: Shell, monkeypatch) -> None:
    assert cards(pips)[DRAKE].reason == "data:numbers"
    scan(pips, monkeypatch, (DRAKE, reading_of(4)))
    card = cards(pips)[DRAKE]
    assert (card.zones, card.legal) == ({"top": 4}, True)


def test_uncertain_zone_is_not_filled_in(pips: Shell, monkeypatch) -> None:
    scan(pips, monkeypatch, (DRAKE, reading_of(4, 0.95, ScanDoubt(10, 50, "left"))))
    assert cards(pips)[DRAKE].zones == {}


def test_missing_numbers_are_added_to_existing_ones(pips: Shell, monkeypatch) -> None:
    number = SeenNumber("7", 7, "top-left", 8, 8, 0.95)
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", layout_lacking_wolves(pips), "--force")
    both = ScannedCard("", (*reading_of(4).numbers, number))
    other = ScannedCard("", (*reading_of(4).numbers, number._replace(value=8)))
    output = scan(pips, monkeypatch, (WOLF, other))
    assert "left for later: Cinder Wolf, top-left: the catalogue has 7, the picture 8." in output
    scan(pips, monkeypatch, (WOLF, both))
    card = cards(pips)[WOLF]
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


def test_several_numbers_in_a_zone_are_filled_in_and_exclude_the_card(pips: Shell, monkeypatch) -> None:
    output = scan(pips, monkeypatch, (DRAKE, reading_of_column(3, 6, sure=0.96)))
    assert "Not legal: two numbers on the left side (rule 9)." in output
    card = cards(pips)[DRAKE]
    assert (card.zones, card.score, card.reason) == ({}, 9, "multiple-numbers:left")


def test_uncertain_number_next_to_another_prevents_filling_in(pips: Shell, monkeypatch) -> None:
    read = replace(reading_of_column(3), doubts=(ScanDoubt(8, 60, "left"),))
    scan(pips, monkeypatch, (DRAKE, read))
    assert cards(pips)[DRAKE].zones == {}


def test_card_without_a_number_of_the_other_cards_gets_none(pips: Shell, monkeypatch) -> None:
    right = SeenNumber("2", 2, "right", 90, 50, 0.97)
    whole = ScannedCard("", (*reading_of(4).numbers, right))
    scan(pips, monkeypatch, (DRAKE, reading_of(4)), (HERON, whole), (WOLF, whole))
    assert cards(pips)[DRAKE].zones == {}, "also if it was read before the others"
    assert cards(pips)[HERON].zones == {"top": 4, "right": 2}
    scan(pips, monkeypatch, (DRAKE, reading_of(4)))
    assert cards(pips)[DRAKE].zones == {"top": 4}, "alone it is certain"


def test_number_next_to_one_of_the_data_is_filled_in(pips: Shell, monkeypatch) -> None:
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", layout_lacking_wolves(pips), "--force")
    two = tuple(SeenNumber(str(n), n, "top-left", 8, n, 0.97) for n in (7, 2))
    scan(pips, monkeypatch, (WOLF, ScannedCard("", two)))
    assert cards(pips)[WOLF].reason == "multiple-numbers:top-left"


def test_card_with_several_numbers_in_two_zones_agrees_with_its_picture(pips: Shell, monkeypatch) -> None:
    two = tuple(SeenNumber(str(n), n, "top-left", 8, n, 0.97) for n in (7, 2))
    both = replace(reading_of_column(3, 6, sure=0.97), numbers=(*reading_of_column(3, 6, sure=0.97).numbers, *two))
    scan(pips, monkeypatch, (DRAKE, both))
    assert contradictions(both, cards(pips)[DRAKE]) == []


def test_several_numbers_in_a_zone_are_shown_as_text(pips: Shell) -> None:
    scanned = scanning.Scan("a.png", "0" * 64, reading_of_column(3, 6), "pips", card=cards(pips)[DRAKE])
    assert scanned.entry().printed == {"left": "3, 6"}
    assert scanned.entry().card().reason == "multiple-numbers:left"


def test_card_with_complete_data_gets_no_numbers(pips: Shell, monkeypatch) -> None:
    layout = write(pips.folder / "pips.toml", LAYOUT.split("[[barred]]")[0])
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", layout, "--force")
    assert cards(pips)[DRAKE].reason == "no-number"
    assert "left for later" in scan(pips, monkeypatch, (DRAKE, reading_of(4)))
    assert "in the catalogue" in scan(pips, monkeypatch, (DRAKE, reading_of(4, 0.8)), (DRAKE, reading_of(4, 0.8)))
    assert cards(pips)[DRAKE].zones == {}


def test_numbers_of_the_data_are_kept(pips: Shell, monkeypatch) -> None:
    before = cards(pips)[WOLF]
    scan(pips, monkeypatch, (WOLF, ScannedCard("", (SeenNumber("7", 7, "top-left", 8, 8, 0.95),))))
    assert cards(pips)[WOLF] == before
