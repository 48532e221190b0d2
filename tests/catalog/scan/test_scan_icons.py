"""Numbers in round icons and small shapes, drawn with fonts on which the network was not trained."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
pytest.importorskip("cv2", reason="the extra 'scan' is not installed")

import numpy as np
from helpers.made_up_pictures import pixels
from PIL import Image, ImageDraw, ImageFont

from ccgrid.catalog.scan.icons import LABELS, Icon, SeenIcons
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.reading import Models, look_again, read_card, read_ends, read_icons, without_signs
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, SeenText, TextReading

SIZE = (744, 1040)
NAVY, CREAM, RED, GREEN, YELLOW = (25, 30, 80), (245, 238, 215), (175, 30, 35), (30, 120, 60), (240, 205, 60)
TOP_LEFT, BOTTOM_RIGHT, RIGHT, MIDDLE = (80, 90), (664, 950), (690, 520), (372, 520)
TONES = [(NAVY, CREAM), (CREAM, NAVY), (RED, CREAM), (YELLOW, (20, 20, 20)), (GREEN, YELLOW)]


@pytest.fixture(scope="module")
def models() -> Models:
    return Models()


def card() -> Image.Image:
    """Return an empty card with a frame around its art."""
    picture = Image.new("RGB", SIZE, (150, 146, 138))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, *SIZE), outline=(20, 20, 24), width=24)
    pen.rectangle((140, 160, 604, 560), (96, 110, 124))
    return picture


def icon(picture: Image.Image, text: str, place: tuple[int, int], tones: Any = TONES[0], radius: int = 34) -> None:
    """Draw a round icon with a text in Pillow's own font, which no training uses."""
    pen = ImageDraw.Draw(picture)
    x, y = place
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), tones[0], (15, 15, 15), 3)
    pen.text(place, text, tones[1], ImageFont.load_default(round(1.3 * radius)), anchor="mm")


def shown(models: Models, picture: Image.Image) -> set[tuple[str, int]]:
    """Return the numbers on a card that are read without any line of text."""
    found = find_numbers(read_icons(models, pixels(picture), models.icons.see(pixels(picture)), []))
    return {(number.zone, number.value) for number in found.seen if number.counts}


@pytest.mark.parametrize("tones", TONES)
def test_numbers_in_round_icons_are_read_in_their_zones(models: Models, tones: Any) -> None:
    picture = card()
    for number in range(1, 11):
        icon(picture, str(number), (80 if number < 6 else 664, 90 + 215 * ((number - 1) % 5)), tones)
    assert shown(models, picture) == {
        ("top-left", 1), ("left", 2), ("left", 3), ("left", 4), ("bottom-left", 5),
        ("top-right", 6), ("right", 7), ("right", 8), ("right", 9), ("bottom-right", 10),
    }  # fmt: skip


def test_digit_without_a_frame_is_read(models: Models) -> None:
    picture = card()
    for place, digit in ((TOP_LEFT, "3"), (RIGHT, "7")):
        ImageDraw.Draw(picture).text(place, digit, (15, 15, 20), ImageFont.load_default(52), anchor="mm")
    assert shown(models, picture) == {("top-left", 3), ("right", 7)}


def test_multiplier_is_read_as_its_number(models: Models) -> None:
    picture = card()
    icon(picture, "", (70, 960), TONES[2], 24)
    ImageDraw.Draw(picture).text((125, 960), "×2", (15, 15, 20), ImageFont.load_default(40), anchor="mm")
    found = find_numbers(read_card(models, pixels(picture)))
    assert [(number.zone, number.value) for number in found.seen] == [("bottom-left", 2)]


def test_number_after_a_minus_does_not_count(models: Models) -> None:
    picture = card()
    ImageDraw.Draw(picture).text((90, 960), "-6", (15, 15, 20), ImageFont.load_default(52), anchor="mm")
    assert shown(models, picture) == set()


@pytest.mark.parametrize("text", ["", "A", "R", "48", "120", "?"])
def test_icon_without_number_from_0_to_10_is_not_read(models: Models, text: str) -> None:
    picture = card()
    icon(picture, text, TOP_LEFT)
    icon(picture, text, BOTTOM_RIGHT, TONES[2])
    assert shown(models, picture) == set()


def test_signs_in_round_icons_are_not_numbers(models: Models) -> None:
    picture = card()
    pen = ImageDraw.Draw(picture)
    icon(picture, "", TOP_LEFT, TONES[1])
    pen.polygon([(80, 66), (98, 104), (62, 104)], RED)
    icon(picture, "", BOTTOM_RIGHT, TONES[3])
    pen.ellipse((652, 932, 676, 968), (30, 60, 170))
    pen.polygon([(664, 920), (676, 944), (652, 944)], (30, 60, 170))
    icon(picture, "", RIGHT)
    pen.regular_polygon((690, 520, 18), 5, fill=YELLOW)
    assert shown(models, picture) == set()


def places(models: Models, picture: Image.Image) -> list[tuple[str, int, int]]:
    """Return what the network sees on the rim of a card, and where, in steps of 20 pixels."""
    found = models.icons.see(pixels(picture)).places()
    return [(icon.shown[0].text, round(icon.x / 20), round(icon.y / 20)) for icon in found]


def test_places_of_icons_are_found_only_on_the_rim(models: Models) -> None:
    picture = card()
    icon(picture, "4", TOP_LEFT)
    icon(picture, "4", MIDDLE)
    assert [text for text, x, y in places(models, picture) if 2 < x < 6 and 3 < y < 6] == ["4"]
    assert not any(abs(20 * x - 372) < 100 for _, x, _ in places(models, picture))


def test_single_digits_are_found_on_plain_ground_and_next_to_an_edge(models: Models) -> None:
    picture = Image.new("RGB", (500, 704), (40, 40, 46))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 340, 33, 420), (165, 165, 170))
    for place in ((60, 380), (440, 100)):
        pen.text(place, "2", (250, 250, 250), ImageFont.load_default(36), anchor="mm")
    assert {("2", 3, 19), ("2", 22, 5)} <= set(places(models, picture))


def test_white_digit_on_yellow_is_found(models: Models) -> None:
    picture = Image.new("RGB", (500, 704), (250, 215, 0))
    ImageDraw.Draw(picture).text((440, 100), "2", (255, 255, 255), ImageFont.load_default(36), anchor="mm")
    assert places(models, picture) == [("2", 22, 5)]


def test_small_digit_next_to_dark_border_is_found(models: Models) -> None:
    picture = Image.new("RGB", (500, 704), (10, 10, 14))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((30, 30, 475, 672), (190, 50, 40))
    pen.rectangle((50, 50, 460, 655), (120, 105, 95))
    pen.text((440, 660), "8", (245, 245, 245), ImageFont.load_default(14), anchor="mm")
    assert places(models, picture) == [("8", 22, 33)]


@pytest.mark.parametrize("size", [(744, 1040), (600, 838), (351, 500)])
def test_places_are_in_pixels_of_the_picture(models: Models, size: tuple[int, int]) -> None:
    picture = card()
    icon(picture, "4", TOP_LEFT)
    shrunk = pixels(picture.resize(size))
    (found,) = (one for one in models.icons.see(shrunk).places() if one.shown[0].text == "4")
    factor = size[1] / SIZE[1]
    assert (found.x, found.y) == pytest.approx((80 * factor, 90 * factor), abs=4)
    (text, sure, *_), *_ = models.icons.see(shrunk).around(found.x, found.y, 20, 20)
    assert (text, sure) == found.shown[0][:2]


@pytest.mark.parametrize(("sure", "is_read"), [(0.85, False), (0.95, True)])
def test_icon_in_a_line_of_words_is_read_only_if_certain(
    models: Models, monkeypatch: pytest.MonkeyPatch, sure: float, is_read: bool
) -> None:
    picture = card()
    icon(picture, "8", TOP_LEFT)
    seen = models.icons.see(pixels(picture))
    monkeypatch.setattr(SeenIcons, "places", lambda self: [Icon(*TOP_LEFT, 60, (TextReading("8", sure),))])
    words = SeenText(50, 50, 100, 100, (TextReading("8 Amber", 0.99),))
    assert read_icons(models, pixels(picture), seen, [])
    assert bool(read_icons(models, pixels(picture), seen, [words])) is is_read


def label(picture: Image.Image, text: str, place: tuple[int, int], size: int = 30) -> SeenText:
    """Write a label, and return its line without its last character, which the detector cut."""
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size)
    pen.text(place, text, (20, 20, 20), font, anchor="lm")
    left, top, right, bottom = pen.textbbox(place, text[:-1], font, anchor="lm")
    across, down = 100 / SIZE[0], 100 / SIZE[1]
    return SeenText(
        (left + right) / 2 * across,
        (top + bottom) / 2 * down,
        (right - left) * across,
        (bottom - top) * 1.4 * down,
        (TextReading(text[:-1] + "]", 0.9),),
    )


def test_digit_that_is_cut_from_a_label_is_read(models: Models) -> None:
    picture = card()
    lines = [label(picture, "STAGE 2", (60, 80)), label(picture, "LEVEL 3", (560, 960))]
    found = find_numbers(read_ends(models, pixels(picture), lines))
    assert {(number.zone, number.value) for number in found.seen} == {("top-left", 2), ("bottom-right", 3)}
    assert min(number.confidence for number in found.seen) < MIN_CERTAIN_CONFIDENCE


def test_end_of_label_is_not_read_in_the_middle_or_without_digit(models: Models) -> None:
    picture = card()
    lines = [label(picture, "STAGE 2", (300, 620)), label(picture, "RANKS", (60, 80))]
    assert read_ends(models, pixels(picture), lines) == []


def test_digit_at_an_end_needs_likely_readings(models: Models) -> None:
    readings = tuple(TextReading(text, 0.6, (0.2, 0.8), (0.6, 0.6)) for text in ("1e", "1e", "le", "1e"))
    line = SeenText(86, 8, 11, 5, readings)
    assert read_ends(models, pixels(card()), [line]) == []
    surer = tuple(one._replace(chances=(0.9, 0.6)) for one in readings)
    assert [end.readings[0].text for end in read_ends(models, pixels(card()), [replace(line, readings=surer)])] == ["1"]


def test_network_for_icons_reads_digit_next_to_a_sign(models: Models) -> None:
    picture = card()
    pen = ImageDraw.Draw(picture)
    pen.ellipse((60, 900, 100, 940), RED)
    pen.text((110, 920), "2", (20, 20, 20), ImageFont.load_default(44), anchor="lm")
    reading = TextReading("@2", 0.8, (0.25, 0.8), (0.8, 0.8))
    line = SeenText(100 * 98 / SIZE[0], 100 * 920 / SIZE[1], 100 * 80 / SIZE[0], 100 * 48 / SIZE[1], (reading,) * 4)
    seen = models.icons.see(pixels(picture))
    assert look_again(seen, pixels(picture), [line])[0].icon[0].text == "2"


@pytest.mark.parametrize(("printed", "number"), [("2", "2"), ("20", "20")])
def test_round_sign_after_a_digit_is_no_zero(models: Models, printed: str, number: str) -> None:
    picture = card()
    pen = ImageDraw.Draw(picture)
    pen.text((70, 920), printed, (20, 20, 20), ImageFont.load_default(44), anchor="lm")
    if printed == "2":
        pen.ellipse((98, 902, 134, 938), RED)
    reading = TextReading("20", 0.9, (0.25, 0.75), (0.95, 0.85))
    line = SeenText(100 * 98 / SIZE[0], 100 * 920 / SIZE[1], 100 * 64 / SIZE[0], 100 * 48 / SIZE[1], (reading,) * 4)
    read = without_signs(models.icons.see(pixels(picture)), pixels(picture), [line])
    assert {one.text for one in read[0].readings} == {number}


@pytest.mark.parametrize(("text", "number"), [("7000", "7"), ("000*", None), ("1000", "1000")])
def test_row_of_round_signs_is_no_number(text: str, number: str | None) -> None:
    """Read a long row, too; what was read as 0 at its beginning is not kept if the network sees another number."""
    answer = np.zeros((176, 128, len(LABELS) + 1), np.float32)
    answer[..., LABELS.index("")] = 1
    answer[153:157, 4:8] = 0
    answer[153:157, 4:8, LABELS.index("7")] = 1
    line = SeenText(13, 88, 18, 4, (TextReading(text, 0.9, (0.125, 0.375, 0.625, 0.875), (0.95,) * 4),))
    read = without_signs(SeenIcons(answer, 704 / SIZE[1], (SIZE[1], SIZE[0])), pixels(card()), [line])
    assert [one.text for one in read] == ([] if number is None else [number])


def test_sign_is_no_digit_before_signs() -> None:
    """Read what is there if the network sees a plus, which is neither a number nor nothing."""
    answer = np.zeros((176, 128, len(LABELS) + 1), np.float32)
    answer[..., LABELS.index("+")] = 1
    line = SeenText(13, 88, 9, 5, (TextReading("20", 0.9, (0.25, 0.75), (0.95, 0.85)),) * 4)
    seen = SeenIcons(answer, 704 / SIZE[1], (SIZE[1], SIZE[0]))
    assert seen.around(*TOP_LEFT, 40, 40) == ()
    assert without_signs(seen, pixels(card()), [line]) == [line]


def test_number_needs_both_networks() -> None:
    """Require agreement, because one network reads some symbols of games as numbers."""
    both = SeenText(10, 10, 6, 5, (TextReading("5", 0.85),) * 2 + (TextReading("S", 0.4),) * 2, found=0.0)
    shown = (TextReading("5", 0.97),)
    assert [(n.value, n.zone) for n in find_numbers([replace(both, icon=shown)]).seen] == [(5, "top-left")]
    assert find_numbers([replace(both, icon=(TextReading("5", 0.72),))]).seen
    assert find_numbers([replace(both, icon=(TextReading("5", 0.68),))]).seen == ()
    assert find_numbers([both]).seen == ()
    assert find_numbers([replace(both, icon=(TextReading("3", 0.97),))]).seen == ()
    assert find_numbers([replace(both, icon=shown, readings=(TextReading("$", 0.6),) * 4)]).seen == ()


def test_card_with_only_a_number_in_an_icon_is_uncertain() -> None:
    both = SeenText(10, 10, 6, 5, (TextReading("5", 0.85),) * 2 + (TextReading("S", 0.4),) * 2, found=0.0)
    numbers = find_numbers([replace(both, icon=(TextReading("5", 0.97),))])
    assert numbers.doubts or numbers.seen[0].confidence < MIN_CERTAIN_CONFIDENCE


def test_file_of_weights_is_under_one_megabyte() -> None:
    assert len((files("ccgrid.data") / "icons.onnx").read_bytes()) < 1_000_000


def test_networks_store_no_files_about_their_use(tmp_path: Path) -> None:
    program = "from ccgrid.catalog.scan.icons import IconReader; IconReader()"
    unset = ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")
    environment = {name: text for name, text in os.environ.items() if name not in unset}
    subprocess.run([sys.executable, "-c", program], env={**environment, "HOME": str(tmp_path)}, check=True)
    assert not list(tmp_path.iterdir())
