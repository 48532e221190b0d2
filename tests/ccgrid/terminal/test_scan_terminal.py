"""Tests of the review of scanned cards at a pseudo-terminal: the number of keys, and their echo."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.terminals import Terminal
from helpers.text_files import write_layout

from ccgrid import services
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

WORDS = (
    "Amber Birch Cedar Dune Ember Fjord Grove Heath Ivory Jade Kelp Larch Moss Night Onyx Pearl Quartz Reed Slate Tide"
)
NAMES = [f"{word} Griffin" for word in WORDS.split()]
SURE = 10
"""The number of cards with certain readings. The others have a similar name, half of them a wrong number."""


def read_as(card: int) -> ScannedCard:
    """Return the reading of a card: the last cards have a wrong number, and letters missing in their names."""
    name = NAMES[card]
    if card >= SURE:
        name = name.replace("Griffin", "Grifn")
    value = 3 if card < 15 else 8
    return ScannedCard(name, (SeenNumber(str(value), value, "left", 10, 50, 0.99),), names=(name,))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_reader(monkeypatch, read_as)


def replace_reader(monkeypatch: pytest.MonkeyPatch, read_as: Callable[[int], ScannedCard]) -> None:
    """Replace the reader of pictures in this process and its forks."""

    def read(scanner: Any, content: bytes, name: str, **options: Any) -> list[ScannedCard]:
        return [read_as(int(Path(name).stem))]

    monkeypatch.setattr(services.scanning, "load_scanner", lambda: None)
    monkeypatch.setattr(services.scanning, "_read", read)


def import_cards(folder: Path, names: list[str], cost: str = "3", more: str = "") -> None:
    """Import cards with a number on the left, and write a picture of each."""
    layout = write_layout(folder / "plain.toml", "Cost", "left", more)
    rows = "".join(f"{name},one,{cost}\n" for name in names)
    (folder / "plain.csv").write_text(f"Name,Set,Cost\n{rows}", encoding="utf-8")
    import_source(ImportRequest(find_source("file"), folder / "plain.csv", layout=str(layout)), folder / "c.db")
    (folder / "pictures").mkdir()
    for number in range(len(names)):
        # A picture's content identifies it.
        (folder / "pictures" / f"{number:02}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes([number]))


def start(shell: Shell) -> Terminal:
    # Relative paths are short enough for the terminal, regardless of the folder of tests.
    words = ("pictures", "--game", "plain", "--own", "--db", "c.db")
    return Terminal(shell, *words, command="scan")


@pytest.mark.usefixtures("reader")
def test_twenty_cards_take_at_most_forty_keys_and_certain_cards_none(shell: Shell, tmp_path: Path) -> None:
    import_cards(tmp_path, NAMES)
    terminal = start(shell)
    keys = 0
    for number in range(SURE, len(NAMES)):
        terminal.child.expect_exact(f"It may be {NAMES[number]}")
        if number == SURE:
            assert terminal.child.before.count("is in your collection") == SURE, "no key for a certain card"
        terminal.child.send("\r")  # accepts the suggested card
        keys += 1
        terminal.child.expect_exact("is in your collection")
    terminal.rest()
    assert terminal.status == 0
    assert keys <= 40
    with Store(tmp_path / "c.db") as store:
        owned = store.connection.execute("SELECT cards.name FROM holdings JOIN cards ON cards.id = holdings.card_id")
        assert sorted(name for (name,) in owned) == sorted(NAMES)
        assert store.connection.execute("SELECT count(*) FROM cards").fetchone() == (len(NAMES),), "no card twice"


@pytest.mark.usefixtures("reader")
def test_keys_pressed_before_a_card_is_drawn_are_not_echoed_and_accept_nothing(shell: Shell, tmp_path: Path) -> None:
    import_cards(tmp_path, NAMES[: SURE + 2])
    terminal = start(shell)
    assert terminal.child.waitnoecho(120), "from the start"
    terminal.child.send("\x1b[D\x1b[C\r\r")
    for number in (SURE, SURE + 1):
        terminal.child.expect_exact(f"It may be {NAMES[number]}")
        terminal.raw += terminal.child.before
        terminal.child.send(" ")  # skips the card
    terminal.rest()
    assert terminal.status == 0
    assert "[D" not in terminal.raw
    assert "^[" not in terminal.raw
    assert terminal.raw.count("is in your collection") == SURE


@pytest.mark.usefixtures("reader")
def test_typed_name_is_shown(shell: Shell, tmp_path: Path) -> None:
    import_cards(tmp_path, NAMES[: SURE + 1])
    terminal = start(shell)
    terminal.child.expect_exact(f"It may be {NAMES[SURE]}")
    terminal.child.send("n")
    terminal.child.expect("Name[^>]*> ")
    terminal.child.sendline("Jade Griffin")
    terminal.child.expect_exact("Jade Griffin\r\n")
    terminal.child.send("\r")
    terminal.rest()
    assert terminal.status == 0


@pytest.mark.usefixtures("reader")
def test_keys_work_and_are_not_echoed_after_suspension(shell: Shell, tmp_path: Path) -> None:
    import_cards(tmp_path, NAMES[: SURE + 1])
    terminal = start(shell)
    for _ in range(2):
        terminal.child.expect_exact(f"It may be {NAMES[SURE]}")
        terminal.wait_until_keys_are_read()
        terminal.suspend_and_resume()
    terminal.child.expect_exact(f"It may be {NAMES[SURE]}")
    assert terminal.child.waitnoecho(120)
    terminal.child.send("n")
    terminal.child.expect("Name[^>]*> ")
    terminal.suspend_and_resume()
    terminal.child.expect("Name[^>]*> ")
    terminal.child.sendintr()  # cancels the question, not the review
    terminal.child.expect_exact(f"It may be {NAMES[SURE]}")
    terminal.child.send("\r")
    terminal.rest()
    assert terminal.status == 0


def test_numbers_that_the_data_lack_are_shown_before_they_are_accepted(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = (SeenNumber("3", 3, zone, x, 50, 0.99) for zone, x in (("left", 10), ("right", 90)))
    read = [(left,), (left, right), (left._replace(confidence=0.8), right)]
    replace_reader(monkeypatch, lambda card: ScannedCard(NAMES[card], read[card], names=(NAMES[card],)))
    barred = '[[barred]]\nreason = "data:numbers"\nwhen = { Cost = { present = false } }\n'
    import_cards(tmp_path, NAMES[: len(read)], cost="", more=barred)
    terminal = start(shell)
    for number in range(len(read)):
        terminal.child.expect_exact(f"Known: {NAMES[number]}")
        terminal.child.send("\r")
    terminal.rest()
    assert terminal.status == 0
    with Store(tmp_path / "c.db") as store:
        cards = {card.name: card.zones for card in store.all_cards()}
    assert [cards[name] for name in NAMES[: len(read)]] == [{"left": 3}, {"left": 3, "right": 3}, {"right": 3}]


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(("game", "is_told"), [("digimon", True), ("plain", False), ("elsewhere", False)])
def test_import_is_suggested_for_game_whose_data_are_missing(
    shell: Shell, tmp_path: Path, game: str, is_told: bool
) -> None:
    """Nothing is suggested for a game with data, nor for one that no source has."""
    import_cards(tmp_path, NAMES[:1])
    terminal = Terminal(shell, "pictures", "--game", game, "--yes", "--db", "c.db", command="scan")
    said = " ".join(terminal.rest().split())
    assert ("The catalogue has no data of digimon. To find its cards by name: ccgrid import digimon" in said) is is_told
    assert terminal.status == 0
