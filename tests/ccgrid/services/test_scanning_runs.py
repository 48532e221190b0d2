"""Runs of `scan` over several pictures: cards that the catalogue lacks are compared with others, and need a review."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write_layout

from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
from ccgrid.services import scanning
from ccgrid.services.catalogue import open_catalogue

COST = SeenNumber("4", 4, "top-left", 10, 8, 0.99)
POWER = SeenNumber("2", 2, "bottom-right", 90, 92, 0.99)
READ = {
    name: ScannedCard(name, numbers, names=(name,))
    for name, numbers in (("Brass Heron", (COST, POWER)), ("Cinder Wolf", (COST, POWER)), ("Dusk Drake", (COST,)))
}
"""What is read on each picture; on the last one, a number was not seen."""


def draw(shell: Shell, monkeypatch: pytest.MonkeyPatch, cards: dict[str, ScannedCard]) -> Path:
    """Return a folder with a picture of each card, which is read as that card."""
    folder = shell.folder / "pictures"
    folder.mkdir()
    for name in cards:
        # A picture's content identifies it.
        (folder / f"{name}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + name.encode())

    def read(scanner: Any, content: bytes, name: str, **options: Any) -> list[ScannedCard]:
        return [cards[Path(name).stem]]

    monkeypatch.setattr(scanning, "load_scanner", lambda: None)
    monkeypatch.setattr(scanning, "_read", read)
    return folder


@pytest.fixture
def pictures(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    return draw(shell, monkeypatch, READ)


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        (READ["Brass Heron"], 'no card of the catalogue is called "Brass Heron"'),
        (ScannedCard("", (COST,)), "its name cannot be read"),
    ],
)
def test_card_that_the_catalogue_lacks_is_left_for_later(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, card: ScannedCard, reason: str
) -> None:
    """However certain its readings are, it may have a number that nothing saw."""
    result = shell("scan", draw(shell, monkeypatch, {"a": card}), "--yes", "--game", "arcadia")
    assert result.out.endswith(f"a.png: left for later: {reason}.\n")
    assert result.err.endswith("1 left for later; without --yes you can correct each.\n")
    assert not shell.database.exists()


def test_reason_for_leaving_a_card_for_later_is_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in ("1", "2"):
        shell.good("card", "add", "-g", "arcadia", "--name", "Amber Drake", "--number", number, "--top-left", "5")
    folder = draw(shell, monkeypatch, {"a": ScannedCard("Amber Drake", (COST,), names=("Amber Drake",))})
    (line,) = shell.good("scan", folder, "--yes", "--game", "arcadia").out.splitlines()
    assert line.partition("left for later: ")[2] == (
        "it may be Amber Drake (arcadia:hand/amber-drake): 2 printings have this name."
    )


def test_card_is_compared_with_those_before_it(shell: Shell, pictures: Path) -> None:
    found = [json.loads(line) for line in shell.good("scan", pictures, "--json").out.splitlines()]
    assert [(one["name"], one["sure"], one["doubts"]) for one in found] == [
        ("Brass Heron", False, []),
        ("Cinder Wolf", False, []),
        ("Dusk Drake", False, [{"zone": "bottom-right", "x": 90, "y": 92, "value": None, "others": []}]),
    ]
    (alone,) = shell.good("scan", pictures / "Dusk Drake.png", "--json").out.splitlines()
    assert json.loads(alone)["doubts"] == []


@pytest.mark.parametrize("told", [("--game", "arcadia"), ()])
@pytest.mark.parametrize(("others", "is_lacking"), [(6, False), (7, True)])
def test_card_is_compared_with_cards_of_its_game_in_the_catalogue(
    shell: Shell, pictures: Path, others: int, is_lacking: bool, told: tuple[str, ...]
) -> None:
    """Without --game it is that of the catalogue, if it has only one."""
    for number in range(20):
        # Several numbers in one zone make a card illegal, but are printed there, too.
        power = ["--bottom-right", "3" if number % 2 else "3, 4"] if number < others else []
        shell.good("card", "add", "-g", "arcadia", "--name", f"Card {number}", "--top-left", "1", *power)
    (found,) = shell.good("scan", pictures / "Dusk Drake.png", *told, "--json").out.splitlines()
    assert bool(json.loads(found)["doubts"]) is is_lacking
    if not told:
        shell.good("card", "add", "-g", "nowhere", "--name", "Wizard", "--left", "1")
        (found,) = shell.good("scan", pictures / "Dusk Drake.png", "--json").out.splitlines()
        assert json.loads(found)["doubts"] == [], "it may be of either game"
    with open_catalogue(shell.database) as store:
        assert ("bottom-right" in scanning.usual_zones(store, "arcadia")) is is_lacking


def test_card_whose_data_lack_numbers_is_compared_with_its_own_game(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout, data = shell.folder / "pips.toml", shell.folder / "pips.csv"
    barred = '[[barred]]\nreason = "data:numbers"\nwhen = { power = { present = false } }\n'
    write_layout(layout, "power", "bottom-right", barred)
    data.write_text("name,power\nDusk Drake,\nBrass Heron,2\nCinder Wolf,3\n", encoding="utf-8")
    shell.good("import", "file", data, "--layout", layout)
    folder = draw(shell, monkeypatch, {name: READ[name] for name in ("Dusk Drake",)})
    (found,) = shell.good("scan", folder, "--json").out.splitlines()
    assert json.loads(found)["id"] == "pips:dusk-drake"
    assert [doubt["zone"] for doubt in json.loads(found)["doubts"]] == ["bottom-right"], "also without --game"
