"""Opening pictures of cards: kinds, sizes, turns, and what is said of those that cannot be opened."""

from io import BytesIO
from typing import Any

import pytest

pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
pytest.importorskip("cv2", reason="the extra 'scan' is not installed")

from helpers.made_up_pictures import draw, packed
from PIL import Image

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.scan.scanner import open_picture

GRIFFIN = draw("Amber Griffin", {"top-left": "4", "bottom-right": "8"}, "Draw 3 cards when this\ncard is turned up.")


def opened(content: bytes) -> Any:
    return open_picture(BytesIO(content), "card.jpg")


def test_what_is_no_picture_is_said_to_be_none() -> None:
    with pytest.raises(CatalogError, match="not a picture"):
        opened(b"name,set\nGriffin,x\n")


def test_half_a_picture_is_damaged_whatever_other_libraries_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", True)  # as what makes PDF does
    with pytest.raises(CatalogError, match="damaged"):
        opened(packed(GRIFFIN)[:9000])


def test_heic_is_told_how_to_convert() -> None:
    with pytest.raises(CatalogError, match="heif-convert"):
        opened(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 99)


def test_a_small_picture_is_told_what_size_is_needed() -> None:
    with pytest.raises(CatalogError, match="200 x 280"):
        opened(packed(GRIFFIN.resize((90, 126))))


def test_a_picture_of_200_megapixels_is_refused_before_it_is_decoded() -> None:
    header = packed(Image.new("1", (20_000, 10_000)))
    with pytest.raises(CatalogError, match="200 megapixels"):
        opened(header)


def test_the_turn_that_a_camera_notes_is_honoured() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert opened(packed(GRIFFIN, "JPEG", exif=exif)).shape[:2] == (GRIFFIN.width, GRIFFIN.height)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK", "I;16", "1", "LA"])
def test_pictures_of_every_kind_of_colour_are_opened(mode: str) -> None:
    picture = GRIFFIN.convert("L").convert("I").convert("I;16") if mode == "I;16" else GRIFFIN.convert(mode)
    assert opened(packed(picture, "TIFF")).shape == (880, 630, 3)
