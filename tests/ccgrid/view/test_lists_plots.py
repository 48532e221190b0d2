"""Counts of cards as plots, on a terminal and as SVG."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from helpers.catalogues import Shell, row, write_rows

CARDS = [
    *(row(number, f"Dusk {number}", set="dsk", set_name="Dusk") for number in range(1, 8)),
    *(row(n, f"Old {n}", set="old", set_name="Old <Dusk>", released_at="1999-01-01", layout="planar") for n in (1, 2)),
]


@pytest.fixture
def home(shell: Shell) -> Shell:
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", CARDS))
    return shell


def test_plots_count_every_card_once_per_set_and_year(home: Shell) -> None:
    spread = home.good("stats", "--plot", "--json").json
    assert sum(one["cards"] for one in spread["sets"]) == spread["cards"] == 9
    assert sum(one["cards"] for one in spread["years"]) == 9
    assert {one["set"]: one["legal"] for one in spread["sets"]} == {"mtg: Dusk": 7, "mtg: Old <Dusk>": 0}
    assert [one["year"] for one in spread["years"]] == [1999, 2005]
    zones = spread["games"][0]["zones"]
    assert {zone: sum(counts) for zone, counts in spread["numbers"].items()} == zones
    assert spread["numbers"]["top-right"][:8] == [0, 1, 1, 1, 1, 1, 1, 1]
    assert "sets" not in home.good("stats", "--json").json


def test_plots_show_shares_and_shades(home: Shell) -> None:
    shown = home.good("stats", "--plot").out
    for words in ("Cards by game", "Cards by set", "Cards by year", "77 %", "100 %", "Legal cards by number and zone"):
        assert words in shown
    assert "Cards by year" in home.good("stats", "--plot", "year:1999").out
    assert home("stats", "--plot", "year:1950").status == home("stats", "year:1950").status


def test_svg_is_valid_xml_and_overwritten_only_with_force(home: Shell) -> None:
    picture = home.folder / "stats.svg"
    home.good("stats", "-o", picture)
    root = ET.fromstring(picture.read_text(encoding="utf-8"))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "mtg: Old <Dusk>" in texts
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 1 + 8 * 11
    assert "top-right 3: 1" in titles
    home("stats", "-o", picture).fails("exists already")
    home.good("stats", "-o", picture, "--force")
    other = Path(home.folder / "other.svg")
    other.write_text("<svg/>", encoding="utf-8")
    home("stats", "-o", other, "--force").fails("is not a picture of ccgrid")


def test_unsupported_picture_format_is_rejected_with_advice(home: Shell) -> None:
    result = home("stats", "--plot", "-o", home.folder / "stats.jpg")
    assert result.status == 2
    assert "Name a file ending in .svg" in result.err
    assert not (home.folder / "stats.jpg").exists()
