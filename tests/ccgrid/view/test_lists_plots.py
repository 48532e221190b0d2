"""Counts of cards as plots, on a terminal and as SVG."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from helpers.catalogues import Shell, row, write_rows

from ccgrid.catalog.extras import install_command
from ccgrid.catalog.store.statistics import count_for_plots
from ccgrid.services.catalogue import cards_asked, open_catalogue
from ccgrid.view.lists import plots_svg

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


def test_plots_can_be_written_as_png(home: Shell) -> None:
    svg_to_bytes = pytest.importorskip("resvg_py").svg_to_bytes
    picture = home.folder / "stats.PNG"
    if "needs one of the fonts" in home("stats", "-o", picture).err:
        pytest.skip("no font on this machine")
    head = picture.read_bytes()[:24]
    assert (head[:8], int.from_bytes(head[16:20])) == (b"\x89PNG\r\n\x1a\n", 2 * 820)
    home("stats", "-o", picture).fails("exists already")
    home.good("stats", "-o", picture, "--force")
    with open_catalogue(home.database) as store:
        plotted = count_for_plots(store, cards_asked(store, ""))
    without_words = re.sub(r"<text.*?</text>", "", plots_svg(plotted))
    assert svg_to_bytes(svg_string=without_words, zoom=2) != picture.read_bytes().removesuffix(b"%ccgrid\n")
    picture.write_bytes(head)
    home("stats", "-o", picture, "--force").fails("is not a picture of ccgrid")


def test_png_without_extra_names_the_extra(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    home("stats", "-o", home.folder / "stats.png").fails(install_command("png"), ".svg")
    assert not list(home.folder.glob("*.png"))
