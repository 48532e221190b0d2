"""Tests of plots of the numbers of cards, on a terminal and as SVG."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from helpers.catalogues import Shell, row, write_rows

CARDS = [
    *(row(number, f"Dusk {number}", set="dsk", set_name="Dusk") for number in range(1, 8)),
    *(row(n, f"Old {n}", set="old", set_name="Old <Dusk>", released_at="1999-01-01", layout="planar") for n in (1, 2)),
]


@pytest.fixture
def imported_cards(shell: Shell) -> Shell:
    """A catalogue with the cards of two sets."""
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", CARDS))
    return shell


def test_plots_count_every_card_once_per_set_and_year(imported_cards: Shell) -> None:
    counted = imported_cards.good("stats", "--plot", "--json").json
    assert sum(entry["cards"] for entry in counted["sets"]) == counted["cards"] == 9
    assert sum(entry["cards"] for entry in counted["years"]) == 9
    assert {entry["set"]: entry["legal"] for entry in counted["sets"]} == {"mtg: Dusk": 7, "mtg: Old <Dusk>": 0}
    assert [entry["year"] for entry in counted["years"]] == [1999, 2005]
    zones = counted["games"][0]["zones"]
    assert {zone: sum(counts) for zone, counts in counted["numbers"].items()} == zones
    assert counted["numbers"]["top-right"][:8] == [0, 1, 1, 1, 1, 1, 1, 1]
    assert "sets" not in imported_cards.good("stats", "--json").json


def test_plots_show_shares_and_shades(imported_cards: Shell) -> None:
    output = imported_cards.good("stats", "--plot").out
    for words in ("Cards by game", "Cards by set", "Cards by year", "77 %", "100 %", "Legal cards by number and zone"):
        assert words in output
    assert "Cards by year" in imported_cards.good("stats", "--plot", "year:1999").out
    assert imported_cards("stats", "--plot", "year:1950").status == imported_cards("stats", "year:1950").status


def test_svg_is_valid_xml_and_overwritten_only_with_force(imported_cards: Shell) -> None:
    picture = imported_cards.folder / "stats.svg"
    imported_cards.good("stats", "-o", picture)
    root = ET.fromstring(picture.read_text(encoding="utf-8"))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "mtg: Old <Dusk>" in texts
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 1 + 8 * 11
    assert "top-right 3: 1" in titles
    imported_cards("stats", "-o", picture).fails("exists already")
    imported_cards.good("stats", "-o", picture, "--force")
    other = Path(imported_cards.folder / "other.svg")
    other.write_text("<svg/>", encoding="utf-8")
    imported_cards("stats", "-o", other, "--force").fails("is not a picture of ccgrid")


def test_unsupported_picture_format_is_rejected_with_advice(imported_cards: Shell) -> None:
    result = imported_cards("stats", "--plot", "-o", imported_cards.folder / "stats.jpg")
    assert result.status == 2
    assert "Name a file ending in .svg" in result.err
    assert not (imported_cards.folder / "stats.jpg").exists()
