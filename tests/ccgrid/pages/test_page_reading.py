"""Pages are accessible and small, send no requests, and escape names."""

import random
import re
from colorsys import hls_to_rgb
from tomllib import loads

import pytest
from helpers.browsers import DESK, PHONE, open_page
from helpers.made_up import random_card, random_deck
from helpers.random_records import random_record
from helpers.table_pages import BROKEN_WORDS, HOSTILE, LARGEST, NAMELESS, a_game, page_of

from ccgrid.catalog.card import Card
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.records.record import read_document
from ccgrid.pages.card_looks import HUES
from ccgrid.pages.page import asset, json_script, replay_page, table_page


def test_table_is_playable_by_keyboard_and_screen_reader(browser, table):
    with open_page(browser, table, DESK) as page:
        page.locator("#player-0").focus()
        page.keyboard.press("Enter")
        for number in range(1, 10):  # every card by its number
            assert page.evaluate("document.activeElement.id") == "filter"
            page.keyboard.type(str(number))
            page.keyboard.press("Enter")
        first = page.locator("#grid .can").first
        name, takes = first.get_attribute("aria-label"), first.get_attribute("data-takes")
        assert re.fullmatch(r"[abc][123]: .+, score \d+, .+; can take [abc1-3, ]+", name)
        first.focus()
        page.keyboard.press("Enter")
        assert page.locator("#grid .selected").get_attribute("aria-pressed") == "true"
        page.keyboard.press("Escape")
        assert page.locator("#grid .selected").count() == 0
        page.keyboard.press("Space")
        source, target = name[:2], takes.split(" ")[0]
        across, down = ord(target[0]) - ord(source[0]), int(target[1]) - int(source[1])
        sideways, upright = ("ArrowRight" if across > 0 else "ArrowLeft"), ("ArrowDown" if down > 0 else "ArrowUp")
        for key in [sideways] * abs(across) + [upright] * abs(down):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(target)
        page.keyboard.press("Enter")
        assert page.locator("#asked").inner_text() == f"Turned up onto {source}"
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        assert page.locator("#moves li").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, DESK], ids=["phone", "desk"])
def test_table_fits_the_screen_and_controls_have_names(browser, table, screen, scheme):
    touch = "tap" if screen is PHONE else "click"
    with open_page(browser, table, screen, color_scheme=scheme) as page:
        for step in ("#shuffle", "#grid .can", "#grid .lit", "#written summary"):
            getattr(page.locator(step).first, touch)()
            assert page.evaluate("document.documentElement.scrollWidth") <= screen["viewport"]["width"]
            assert page.evaluate(BROKEN_WORDS) == []
        unnamed = page.evaluate(NAMELESS)
        assert unnamed == []
        sizes = page.evaluate(
            "[...document.querySelectorAll('#grid .number')].map((n) => parseFloat(getComputedStyle(n).fontSize))"
        )
        assert min(sizes) >= 14


def luminance(colour: str) -> float:
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
"""Texts on cards, whose ground has the hue of the card game or faction."""


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
    both = "".join(blocks[: scheme + 1])
    ink = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", both))[text]
    saturation, lightness = map(int, dict(re.findall(r"--([\w-]+): (\d+% \d+%)", both))[tone].replace("%", "").split())
    hues = re.findall(r"\.hue-\d+ \{ --hue: (\d+); \}", style)
    assert len(hues) == HUES
    for hue in map(int, hues):
        parts = hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
        ground = "#" + "".join(f"{round(255 * part):02x}" for part in parts)
        high, low = sorted((luminance(ink), luminance(ground)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_page_is_one_small_file_without_requests():
    for text in (
        table_page("grid", "A deck", random_deck(random.Random(1)), {}),
        replay_page(random_record(GAMES[0], 1)),
    ):
        assert len(text.encode()) < LARGEST
        assert "default-src 'none'" in text
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_page_of_the_longest_game_is_small():
    record = random_record(find_game("ninecard"), 3, count=4, share=10_000)
    assert len(replay_page(record).encode()) < LARGEST


def test_card_names_are_escaped_on_pages(browser, tmp_path):
    rng = random.Random(3)
    deck = [Card("", "", f"{HOSTILE[number % 3]} {number}", random_card(rng).zones, 100) for number in range(20)]
    address = page_of(tmp_path, deck, HOSTILE[0])
    with open_page(browser, address, PHONE) as page:
        a_game(page, 0)
        assert page.locator("#title").inner_text() == HOSTILE[0]
        assert {text[:6] for text in page.locator("#grid .name").all_inner_texts()} <= {name[:6] for name in HOSTILE}
        assert page.locator("img").count() == 0
        back = read_document(loads(page.locator("#record").input_value())).require()
    assert {card.name.rpartition(" ")[0] for card in back.setup.cards} <= set(HOSTILE)


def test_embedded_data_cannot_end_their_element():
    text = json_script({"name": HOSTILE, "half": "\ud83d"})
    assert "<" not in text
    assert "\u2028" not in text
    text.encode("utf-8")
