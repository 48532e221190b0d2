"""Tests that a photograph of a 3x3 grid becomes the record of a position, with or without a deck."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.services import scanning
from ccgrid.services.scanned_position import OnGrid, position

PLAYERS = ("Ann", "Bob")
NAMES = ("Amber", "Brass", "Cinder", "Dusk", "Ember", "Frost", "Gale", "Hollow", "Iron", "Jade")
DECK = tuple(
    Card(f"arcadia:{n}", "arcadia", f"{NAMES[n % 10]} {('Drake', 'Heron')[n // 10]}", {"top": n % 10}, n % 10)
    for n in range(20)
)


def scan_of(name: str, value: int | None, cell: int) -> Scan:
    numbers = () if value is None else (SeenNumber(str(value), value, "top", 50, 8, 1.0),)
    return Scan("table.jpg", "0" * 64, ScannedCard(name, numbers, cell=cell, names=(name,)), "arcadia")


def scans_of(*names: str) -> list[Scan]:
    values = {card.name: card.zones["top"] for card in DECK}
    return [scan_of(name, values.get(name, 5), cell) for cell, name in enumerate(names)]


NINE = scans_of(*(card.name for card in DECK[5:14]))


def on_grid(scans: list[Scan]) -> list[OnGrid]:
    return [OnGrid(scan, scan.entry()) for scan in scans]


def cards_of(scans: list[Scan], deck: tuple[Card, ...] = ()) -> GridSetup:
    setup = position(on_grid(scans), PLAYERS, "Bob", deck).setup
    assert isinstance(setup, GridSetup)
    return setup


def test_nine_read_cards_are_the_grid_row_by_row() -> None:
    setup = cards_of(NINE)
    assert [(card.name, dict(card.zones)) for card in setup.cards] == [
        (card.name, dict(card.zones)) for card in DECK[5:14]
    ]
    assert setup.players[setup.first] == "Bob"


def test_misread_cards_are_matched_to_the_deck_and_the_others_are_the_pile() -> None:
    misread = [scan_of("Arnber Heron", 3, scan.read.cell or 0) if scan.name == "Amber Heron" else scan for scan in NINE]
    setup = cards_of(misread, DECK)
    assert [card.id for card in setup.cards] == [card.id for card in DECK[5:14]]
    assert len(setup.deck) == 20


def test_cards_with_similar_names_are_distinguished_by_numbers() -> None:
    twins = (replace(DECK[0], name="Amber Drake I"), replace(DECK[1], name="Amber Drake"), *DECK[2:])
    read = [scan_of("Amber Drake", 0, 0), scan_of("Amber Drake", 1, 1), *scans_of(*(card.name for card in DECK[2:9]))]
    assert [card.id for card in cards_of(read, twins).cards[:2]] == ["arcadia:0", "arcadia:1"]


def test_card_not_in_the_deck_is_reported_with_its_cell() -> None:
    with pytest.raises(CatalogError, match=r"b2: .Granite Basilisk. matches no single card of the deck"):
        cards_of([*NINE[:4], scan_of("Granite Basilisk", 3, 4), *NINE[5:]], DECK)


def test_card_without_numbers_and_fewer_than_nine_cards_are_rejected() -> None:
    with pytest.raises(CatalogError, match="a1: no number was read"):
        cards_of([scan_of("Amber Drake", None, 0), *NINE[1:]])
    with pytest.raises(CatalogError, match="8 cards"):
        cards_of(NINE[:8])


def test_record_is_written_and_accepted_by_advise(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scans(*_: Any, **__: Any) -> list[list[Scan]]:
        return [NINE]

    monkeypatch.setattr(scanning, "scan_pictures", scans)
    picture, record = tmp_path / "table.jpg", tmp_path / "game.toml"
    picture.write_bytes(b"seen by the line above")
    result = shell("scan", str(picture), "--grid", "-o", str(record), "--players", "Ann,Bob", "--first", "Bob")
    assert result.status == 0
    assert f"look at their numbers in {record}" in result.err, "the catalogue has none of the cards"
    assert "Bob is to move" in shell("advise", str(record), "--think", "0.01").out
    shell("scan", str(picture), "--grid", "-o", str(record)).fails("exists already")
    assert shell("scan", str(picture), "-o", str(tmp_path / "other.toml")).status == 2
    (tmp_path / "another.jpg").write_bytes(b"too")
    assert shell("scan", str(tmp_path), "--grid", "-o", str(tmp_path / "other.toml")).status == 2
