"""Tests that pages are accessible and small, send no requests, and escape names."""

import random
import re
from colorsys import hls_to_rgb

import pytest
from helpers.browsers import PHONE, open_page
from helpers.made_up import random_card
from helpers.random_records import random_record
from helpers.replay_pages import HOSTILE, LARGEST

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.records.record import Record
from ccgrid.pages.card_looks import HUES
from ccgrid.pages.page import asset, json_script, replay_page


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as in the contrast rules of WCAG."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


PAIRS = [
    *((text, ground) for text in ("ink", "quiet") for ground in ("paper", "card", "mat", "last")),
    *(("seat-ink", f"seat-{seat}") for seat in range(4)),
    ("accent-ink", "accent"),
    ("accent", "paper"),
    ("accent", "card"),
    ("lit-ink", "lit"),
    ("bad", "paper"),
    ("bad", "card"),
    ("good", "paper"),
]
TONES = [
    ("plate-ink", "plate-tone"),
    *((text, tone) for text in ("ink", "quiet") for tone in ("face-tone", "deep-tone")),
]
"""Texts on cards, with backgrounds in the hue of the card game or faction."""


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_texts_have_enough_contrast(text, ground, scheme):
    blocks = re.findall(r":root[^{]* \{(.*?)\}", asset("design.css"), re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[scheme]))
    high, low = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "tone"), TONES)
def test_texts_on_cards_have_enough_contrast_in_every_hue(text, tone, scheme):
    style = asset("design.css")
    blocks = re.findall(r":root[^{]* \{(.*?)\}", style, re.DOTALL)
    # The dark colours replace those of the light scheme.
    declarations = "".join(blocks[: scheme + 1])
    ink = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", declarations))[text]
    saturation, lightness = map(
        int, dict(re.findall(r"--([\w-]+): (\d+% \d+%)", declarations))[tone].replace("%", "").split()
    )
    hues = re.findall(r"\.hue-\d+ \{ --hue: (\d+); \}", style)
    assert len(hues) == HUES
    for hue in map(int, hues):
        parts = hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
        ground = "#" + "".join(f"{round(255 * part):02x}" for part in parts)
        high, low = sorted((luminance(ink), luminance(ground)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_page_is_one_small_file_without_requests():
    text = replay_page(random_record(GAMES[0], 1))
    assert len(text.encode()) < LARGEST
    assert "default-src 'none'" in text
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_page_of_the_longest_game_is_small():
    record = random_record(find_game("ninecard"), 3, count=4, share=10_000)
    assert len(replay_page(record).encode()) < LARGEST


def test_card_names_are_escaped_on_pages(browser, tmp_path):
    rng = random.Random(3)
    deck = [Card("", "", f"{HOSTILE[number % 3]} {number}", random_card(rng).zones, 100) for number in range(20)]
    setup = find_game("grid").deal(("Ann", "Bob"), [deck], Dice(1))
    (tmp_path / "game.html").write_text(replay_page(Record(setup, ())), encoding="utf-8")
    with open_page(browser, (tmp_path / "game.html").as_uri(), PHONE) as page:
        names = page.locator(".card .name").all_inner_texts()
        assert {text[:6] for text in names} == {name[:6] for name in HOSTILE}
        assert page.locator("img").count() == 0


def test_embedded_data_cannot_end_their_element():
    text = json_script({"name": HOSTILE, "half": "\ud83d"})
    assert "<" not in text
    assert "\u2028" not in text
    text.encode("utf-8")
