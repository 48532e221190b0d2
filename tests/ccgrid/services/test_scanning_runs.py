"""Runs of `scan` over several pictures: cards that the catalogue lacks are compared when all of them are read."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write_layout

from ccgrid.catalog.scan.values import ScannedCard, SeenNumber, SeenText, TextReading
from ccgrid.services import scanning
from ccgrid.services.catalogue import open_catalogue

COST = SeenNumber("4", 4, "top-left", 10, 8, 0.99)
POWER = SeenNumber("2", 2, "bottom-right", 90, 92, 0.99)
READ = {
    name: ScannedCard(name, numbers, names=(name,))
    for name, numbers in (("Amber Drake", (COST,)), ("Brass Heron", (COST, POWER)), ("Cinder Wolf", (COST, POWER)))
}
"""What is read on each picture; on the first one, a number was not seen."""


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
    # The same command continues with the card that is left, and knows the others from the catalogue.
    again = shell.good("scan", pictures, "--yes", "--game", "arcadia").out
    assert again == lines[0] + "\n"


@pytest.mark.parametrize(
    ("letter", "second", "is_entered"),
    [(0.95, "Creature", True), (0.6, "Creature", False), (0.95, "Ember Wolf", False), (0.95, "Embers", True)],
)
def test_card_whose_name_may_be_misread_is_left_for_later(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, letter: float, second: str, is_entered: bool
) -> None:
    read = TextReading("Ember", 0.97, (0.1, 0.3, 0.5, 0.7, 0.9), (1.0, 1.0, letter, 1.0, 1.0))
    card = ScannedCard("Ember", (COST,), lines=(SeenText(50, 8, 30, 4, (read,)),), names=("Ember", second))
    out = shell.good("scan", draw(shell, monkeypatch, {"a": card}), "--yes", "--game", "arcadia").out
    assert ("Entered Ember" in out) is is_entered
    assert out.endswith('left for later: "Ember" may not be its whole name.\n') is not is_entered


def test_word_on_several_cards_is_not_entered_as_their_name(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    five = COST._replace(raw="5", value=5)
    dragons = {name: ScannedCard("Dragon", (cost,), names=("Dragon",)) for name, cost in (("a", COST), ("b", five))}
    copies = dict.fromkeys("cd", ScannedCard("Brass Heron", (COST,), names=("Brass Heron",)))
    folder = draw(shell, monkeypatch, {**dragons, **copies})
    outcomes = [
        line.partition(": ")[2] for line in shell.good("scan", folder, "--yes", "--game", "arcadia").out.splitlines()
    ]
    assert outcomes[0].endswith("b.png has the same name and other numbers.")
    assert outcomes[1].endswith("a.png has the same name and other numbers.")
    assert outcomes[2].startswith("Entered Brass Heron")
    assert "arcadia:hand/brass-heron" in outcomes[3]


def test_reason_for_leaving_a_card_for_later_is_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in ("1", "2"):
        shell.good("card", "add", "-g", "arcadia", "--name", "Amber Drake", "--number", number, "--top-left", "5")
    folder = draw(shell, monkeypatch, {"a": ScannedCard("Amber Drake", (COST,), names=("Amber Drake",))})
    (line,) = shell.good("scan", folder, "--yes", "--game", "arcadia").out.splitlines()
    assert line.partition("left for later: ")[2] == (
        "it may be Amber Drake (arcadia:hand/amber-drake): 2 printings have this name."
    )


def test_card_without_game_is_left_for_later_with_advice(shell: Shell, pictures: Path) -> None:
    lines = shell.good("scan", pictures, "--yes").out.splitlines()
    assert lines[1].endswith("Brass Heron.png: left for later: its game is unknown; name it with --game.")


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


@pytest.mark.parametrize("told", [("--game", "arcadia"), ()])
@pytest.mark.parametrize(("others", "is_sure"), [(6, True), (7, False)])
def test_card_is_compared_with_cards_of_its_game_in_the_catalogue(
    shell: Shell, pictures: Path, others: int, is_sure: bool, told: tuple[str, ...]
) -> None:
    """Without --game it is that of the catalogue, if it has only one."""
    for number in range(20):
        # Several numbers in one zone make a card illegal, but are printed there, too.
        power = ["--bottom-right", "3" if number % 2 else "3, 4"] if number < others else []
        shell.good("card", "add", "-g", "arcadia", "--name", f"Card {number}", "--top-left", "1", *power)
    (found,) = shell.good("scan", pictures / "Amber Drake.png", *told, "--json").out.splitlines()
    assert json.loads(found)["sure"] is is_sure
    if not told:
        shell.good("card", "add", "-g", "nowhere", "--name", "Wizard", "--left", "1")
        (found,) = shell.good("scan", pictures / "Amber Drake.png", "--json").out.splitlines()
        assert json.loads(found)["sure"], "it may be of either game"
    with open_catalogue(shell.database) as store:
        assert ("bottom-right" in scanning.usual_zones(store, "arcadia")) is not is_sure


def test_card_whose_data_lack_numbers_is_compared_with_its_own_game(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout, data = shell.folder / "pips.toml", shell.folder / "pips.csv"
    barred = '[[barred]]\nreason = "data:numbers"\nwhen = { power = { present = false } }\n'
    write_layout(layout, "power", "bottom-right", barred)
    data.write_text("name,power\nAmber Drake,\nBrass Heron,2\nCinder Wolf,3\n", encoding="utf-8")
    shell.good("import", "file", data, "--layout", layout)
    folder = draw(shell, monkeypatch, {name: READ[name] for name in ("Amber Drake",)})
    (found,) = shell.good("scan", folder, "--json").out.splitlines()
    assert json.loads(found)["id"] == "pips:amber-drake"
    assert not json.loads(found)["sure"], "also without --game"
