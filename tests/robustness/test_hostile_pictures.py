"""Untrusted pictures: opened, or rejected plainly, within limits of time and memory; no program is started."""

import io
import sys
from functools import partial
from pathlib import Path

import pytest
from readers import CAN_SCAN, READERS, read_picture

if sys.platform == "win32":
    pytest.skip("needs fork and limits of processes", allow_module_level=True)
if not CAN_SCAN:
    pytest.skip("the extra 'scan' is not installed", allow_module_level=True)

from broken_pictures import HOSTILE, KINDS, drawn, jpeg_says
from limits import DONE, REFUSED, limited_each
from PIL import EpsImagePlugin

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.scan.scanner import open_picture


def test_hostile_pictures_are_harmless(tmp_path: Path) -> None:
    read_picture(written(tmp_path / "warm.jpg", KINDS["JPEG"]()))
    files = {name: written(tmp_path / f"{number}.jpg", make()) for number, (name, make) in enumerate(HOSTILE.items())}
    ended = limited_each([partial(READERS["picture"], path) for path in files.values()])
    wrong = {name: end for name, end in zip(files, ended, strict=True) if end.how not in (DONE, REFUSED)}
    assert not wrong, wrong
    assert {end.how for end in ended} == {DONE, REFUSED}


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_valid_picture_opens_with_any_file_ending(kind: str) -> None:
    content = KINDS[kind]()
    for name in ("card.jpg", "card.png", "card"):
        assert open_picture(io.BytesIO(content), name).shape == (320, 240, 3)


def test_formats_that_start_programs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *arguments, **options: pytest.fail("started"))
    monkeypatch.setattr(EpsImagePlugin, "has_ghostscript", lambda: True)
    printed = drawn("EPS", size=(300, 400))
    with pytest.raises(CatalogError, match="not a picture that can be opened"):
        open_picture(io.BytesIO(printed), "card.jpg")


def test_progressive_jpeg_has_a_lower_limit() -> None:
    assert open_picture(io.BytesIO(jpeg_says(7000, 7000)), "card.jpg").shape == (4000, 4000, 3)
    with pytest.raises(CatalogError, match="the maximum is 48"):
        open_picture(io.BytesIO(jpeg_says(7000, 7000, progressive=True)), "card.jpg")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless file")
def test_endless_file_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.services.scanning._MOST_INPUT", 1 << 20)
    with pytest.raises(CatalogError, match="more than 1,048,576 bytes"):
        read_picture(Path("/dev/zero"))
