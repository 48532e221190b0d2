"""Runs of `scan` over several pictures: cards that the catalogue lacks are compared when all of them are read."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell

from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
from ccgrid.services import scanning
from ccgrid.services.catalogue import open_catalogue

COST = SeenNumber("4", 4, "top-left", 10, 8, 0.99)
POWER = SeenNumber("2", 2, "bottom-right", 90, 92, 0.99)
READ = {
    "Amber Drake": (COST,),
    "Brass Heron": (COST, POWER),
    "Cinder Wolf": (COST, POWER),
}
"""The numbers on each picture; on the first one, a number was not seen."""


@pytest.fixture
def pictures(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of pictures, which are read as `READ` says."""
    folder = shell.folder / "pictures"
    folder.mkdir()
    for name in READ:
        # A picture's content identifies it.
        (folder / f"{name}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + name.encode())

    def read(scanner: Any, content: bytes, name: str, **options: Any) -> list[ScannedCard]:
        name = Path(name).stem
        return [ScannedCard(name, READ[name], names=(name,))]

    monkeypatch.setattr(scanning, "load_scanner", lambda: None)
    monkeypatch.setattr(scanning, "_read", read)
    return folder


def test_card_without_a_number_of_the_others_is_left_for_later(shell: Shell, pictures: Path) -> None:
    result = shell("scan", pictures, "--yes", "--game", "arcadia")
    assert result.status == 0
    lines = result.out.splitlines()
    assert [(Path(line.partition(":")[0]).stem, "Entered" in line) for line in lines] == [
        ("Amber Drake", False),
        ("Brass Heron", True),
        ("Cinder Wolf", True),
    ]
    assert lines[0].endswith("left for later: not sure.")
    assert result.err.endswith("1 left for later; without --yes you can correct each.\n")


def test_comparison_also_counts_in_json(shell: Shell, pictures: Path) -> None:
    found = [json.loads(line) for line in shell.good("scan", pictures, "--json").out.splitlines()]
    assert [(one["name"], one["sure"]) for one in found] == [
        ("Amber Drake", False),
        ("Brass Heron", True),
        ("Cinder Wolf", True),
    ]
    assert [(one["zone"], one["x"], one["y"]) for one in found[0]["doubts"]] == [("bottom-right", 90, 92)]
    (alone,) = shell.good("scan", pictures / "Amber Drake.png", "--json").out.splitlines()
    assert json.loads(alone)["sure"]


@pytest.mark.parametrize(("others", "is_sure"), [(6, True), (7, False)])
def test_card_is_compared_with_cards_of_its_game_in_the_catalogue(
    shell: Shell, pictures: Path, others: int, is_sure: bool
) -> None:
    for number in range(20):
        power = ["--bottom-right", "3"] if number < others else []
        shell.good("card", "add", "-g", "arcadia", "--name", f"Card {number}", "--top-left", "1", *power)
    (found,) = shell.good("scan", pictures / "Amber Drake.png", "--game", "arcadia", "--json").out.splitlines()
    assert json.loads(found)["sure"] is is_sure
    with open_catalogue(shell.database) as store:
        assert ("bottom-right" in scanning.usual_zones(store, "arcadia")) is not is_sure
