"""Cards that were accepted from pictures teach the reader; what they taught is shown, written as a layout, undone."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell

from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber, SeenText, TextReading
from ccgrid.services import scanning
from ccgrid.services.accepted_scans import accepted_cards, keep

NAMES = ("Amber Griffin", "Brass Heron", "Cinder Wolf", "Dusk Lantern", "Ember Knight", "Frost Otter")
LINE = SeenText(10, 8, 5, 4, tuple(TextReading("4", sure) for sure in (0.9, 0.8, 0.7, 0.8)))


def seen(place: int) -> ScannedCard:
    numbers = (
        SeenNumber("9", 9, "top-left", 10, 8, 0.7),
        SeenNumber(f"3 R {place + 40}", place + 40, "bottom", 50, 96, 0.95),
    )
    return ScannedCard(NAMES[place], numbers, names=(NAMES[place],), lines=(LINE,), fingerprint=bytes(576))


def accept(place: int, text: str = "4") -> None:
    """Somebody corrects the number at the top left."""
    scan = Scan(f"{place}.png", f"{place}" * 64, seen(place), "arcadia")
    entry = CustomCard("arcadia", NAMES[place], "", str(place + 40), {"top-left": text})
    keep(scan, 0, 1, entry, None, lambda: None, copies=0, kind=copy_key())


class _Reader:
    """Stands in for the networks: every picture shows one card, and it is noted where it was to look."""

    def __init__(self) -> None:
        self.looked: list[list[tuple[str, float, float]]] = []

    def scan(self, *_: Any, places: Any, **__: Any) -> list[ScannedCard]:
        self.looked.append([(place.zone, place.x, place.y) for place in places])
        return [ScannedCard("", (), lines=(LINE,), fingerprint=bytes(576))]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Iterator[Any]]:
    """Reads two pictures of the game, one after the other."""
    scanner = pytest.importorskip("ccgrid.catalog.scan.scanner", reason="the extra 'scan' is not installed")
    monkeypatch.setattr(scanning, "load_scanner", _Reader)
    monkeypatch.setattr(scanner, "open_picture", lambda *_: None)
    pictures = [tmp_path / "one.png", tmp_path / "two.png"]
    for number, path in enumerate(pictures):
        path.write_bytes(bytes([number]))
    return lambda: scanning.scan_pictures(pictures, None, game="arcadia")


def test_a_card_that_was_corrected_counts_for_the_next_picture_of_the_same_folder(shell: Shell, read) -> None:
    reading = read()
    next(reading)
    for place in range(5):
        accept(place)
    (after,) = next(reading)
    assert after.read.numbers[0].confidence > find_numbers([LINE]).seen[0].confidence


def test_positions_of_other_cards_are_read(shell: Shell, read, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = _Reader()
    monkeypatch.setattr(scanning, "load_scanner", lambda: reader)
    accept(0)
    accept(1)
    list(read())
    assert reader.looked == [[("top-left", 10, 8)]] * 2


def test_learned_positions_are_shown_and_undo_reverts_them(shell: Shell) -> None:
    shell.good("card", "add", "-g", "arcadia", "--name", "Griffin", "--left", "1")
    for place in range(3):
        accept(place)
    found = shell.good("layout", "places", "arcadia", "--json").json
    assert (found["game"], found["cards"]) == ("arcadia", 3)
    places = [(one["zone"], one["form"], one["collector"], one["seen"], one["cards"]) for one in found["places"]]
    assert places == [("top-left", "#", False, 3, 3), ("bottom", "# A ##", True, 3, 3)]
    assert "3 of 3" in shell.good("layout", "places", "arcadia").out
    for _ in range(3):
        shell.good("undo", "--yes")
    assert accepted_cards(None, "arcadia") == []
    assert "No scanned card of arcadia" in shell("layout", "places", "arcadia").err


def test_learned_positions_are_written_as_layout(shell: Shell, tmp_path: Path) -> None:
    for place in range(6):
        accept(place)
    shell.good("layout", "places", "arcadia", "-o", tmp_path / "arcadia.toml")
    shell.good("layout", "check", tmp_path / "arcadia.toml")
    layout = parse_layout((tmp_path / "arcadia.toml").read_text(), "arcadia.toml")
    assert [(one.field, one.zone, one.read, one.part, one.confidence) for one in layout.printed] == [
        ("top-left", "top-left", "numbers", "first", "high"),
        ("collector_number", "bottom", "collector", "last", "high"),
    ]


def test_card_without_readable_name_is_identified_by_accepted_picture(
    shell: Shell, read, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = {name: bytes((place * (name + 2)) ** 2 % 251 for place in range(576)) for name in range(3)}
    for place in (0, 1):
        scan = Scan(f"{place}.png", f"{place}" * 64, replace(seen(place), fingerprint=looks[place]), "arcadia")
        keep(scan, 0, 1, scan.entry(), None, lambda: None, copies=0, kind=copy_key())
    shown = iter((looks[1], looks[2]))
    fake = lambda *_, **__: [ScannedCard("", (), fingerprint=next(shown))]  # noqa: E731
    monkeypatch.setattr(_Reader, "scan", fake)
    (first,), (second,) = read()
    assert (first.name, first.zones) == (NAMES[1], {"top-left": 9})
    assert (second.name, second.card) == ("", None)


def test_a_number_that_contradicts_says_that_it_is_another_card(
    shell: Shell, read, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = bytes(place**2 % 251 for place in range(576))
    scan = Scan("0.png", "0" * 64, replace(seen(0), fingerprint=looks), "arcadia")
    keep(scan, 0, 1, scan.entry(), None, lambda: None, copies=0, kind=copy_key())
    line = SeenText(90, 92, 5, 4, (TextReading("3", 1.0),) * 4)
    fake = lambda *_, **__: [ScannedCard("", find_numbers([line]).seen, lines=(line,), fingerprint=looks)]  # noqa: E731
    monkeypatch.setattr(_Reader, "scan", fake)
    ((card,), _) = read()
    assert card.card is None
