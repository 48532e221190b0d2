"""Scanning pictures of made-up cards: scans, photographs and grids, with the command `scan` and at a terminal."""

import json
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.processes import ends_with_test

pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
pytest.importorskip("cv2", reason="the extra 'scan' is not installed")

from helpers.made_up_pictures import draw, packed, pixels
from PIL import Image, ImageDraw, ImageFont

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.scan import reading
from ccgrid.catalog.scan import scanner as scanner_module
from ccgrid.catalog.scan.scanner import Scanner, find_cards, in_cells, open_picture
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, ScannedCard
from ccgrid.catalog.zones import ZONES as ALL_ZONES
from ccgrid.services import scanning

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import photographs

GRIFFIN = draw("Amber Griffin", {"top-left": "4", "bottom-right": "8"}, "Draw 3 cards when this\ncard is turned up.")
HERON = draw("Brass Heron", {"left": "3", "top-right": "6"}, "Draw 3 cards when this\ncard is turned up.")
ZONES = {"top-left": 4, "bottom-right": 8}


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    return Scanner()


@pytest.fixture
def glances(monkeypatch: pytest.MonkeyPatch, scanner: Scanner) -> None:
    """Read each picture only twice, with loaded networks: fast, and sufficient for large print."""
    monkeypatch.setattr(reading, "_LOOKS", ((512, "raised"), (400, "plain")))
    monkeypatch.setattr(scanning, "load_scanner", lambda: scanner)


def name_of(number: int) -> str:
    return ("Amber", "Brass", "Cinder", "Dusk", "Ember", "Frost", "Gale", "Hollow", "Iron")[number] + " Drake"


@pytest.fixture(scope="module")
def page() -> Any:
    return photographs.page(
        [pixels(draw(name_of(number), {"top-left": str(number), "right": "5"})) for number in range(9)], 5
    )


# --- reading ----------------------------------------------------------------------------------------------------------


def test_name_and_zones_of_a_scan_are_read(scanner: Scanner) -> None:
    (card,) = scanner.scan(pixels(GRIFFIN))
    assert card.zones == ZONES
    assert card.name == "Amber Griffin"
    assert card.doubts == ()
    assert all(number.confidence >= MIN_CERTAIN_CONFIDENCE for number in card.rim)
    assert [number.value for number in card.numbers if number.zone == "face"] == [3]


@pytest.mark.usefixtures("glances")
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_rotated_card_is_turned_upright(scanner: Scanner, quarters: int) -> None:
    turned = GRIFFIN.rotate(90 * quarters, expand=True)
    (card,) = scanner.scan(pixels(turned))
    assert card.zones == ZONES


@pytest.mark.usefixtures("glances")
def test_card_printed_sideways_is_read_in_its_orientation(scanner: Scanner) -> None:
    landscape = GRIFFIN.rotate(90, expand=True)
    pen = ImageDraw.Draw(landscape)
    pen.rectangle((40, 100, 840, 560), fill=(238, 232, 214))
    for line, words in enumerate(("Crossing of Amber", "draw three of your cards", "and turn them face down")):
        pen.text((440, 200 + 90 * line), words, fill=(15, 15, 20), font=ImageFont.load_default(48), anchor="mm")
    pen.rectangle((740, 20, 860, 110), fill=(250, 250, 245))
    pen.text((800, 65), "7", fill=(15, 15, 20), font=ImageFont.load_default(64), anchor="mm")
    (card,) = scanner.scan(photographs.photograph(pixels(landscape), 1, 1000))
    assert card.zones.get("top-right") == 7


@pytest.mark.usefixtures("glances")
@pytest.mark.parametrize("seed", [1, 2])
def test_photograph_is_straightened_and_gives_same_zones_as_scan(scanner: Scanner, seed: int) -> None:
    (card,) = scanner.scan(photographs.photograph(pixels(GRIFFIN), seed, 1200))
    assert card.zones == ZONES
    assert card.corners != ((0, 0), (100, 0), (100, 100), (0, 100))


def test_nine_cards_of_a_page_are_found_in_order_with_their_cells(page: Any) -> None:
    found = find_cards(page)
    assert len(found) == 9
    rows = [sorted(card.centre[0] for card in found[row : row + 3]) for row in (0, 3, 6)]
    assert all([card.centre[0] for card in found[3 * n : 3 * n + 3]] == row for n, row in enumerate(rows))
    assert [card.cell for card in in_cells(found)] == list(range(9))


@pytest.mark.usefixtures("glances")
def test_cards_of_a_grid_are_read_in_board_order(scanner: Scanner, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def corners(picture: Any, *, grid: bool) -> list[Any]:
        return [card for card in in_cells(find_cards(picture, grid=grid)) if card.cell in (2, 5)]

    monkeypatch.setattr(scanner_module, "find_cards", corners)
    monkeypatch.setattr(scanner_module, "in_cells", lambda found: found)
    cards = scanner.scan(page, grid=True)
    assert [(card.cell, card.zones.get("top-left")) for card in cards] == [(2, 2), (5, 5)]


def test_missing_grid_is_reported(scanner: Scanner) -> None:
    with pytest.raises(CatalogError, match="no 3x3 grid"):
        scanner.scan(pixels(GRIFFIN), grid=True)


# --- outlines, and cards that cannot be read --------------------------------------------------------------------------


@pytest.mark.usefixtures("glances")
def test_frame_of_art_on_borderless_scan_is_not_the_card(scanner: Scanner) -> None:
    card = Image.new("RGB", (300, 420), (84, 84, 98))
    pen = ImageDraw.Draw(card)
    pen.rectangle((58, 100, 246, 225), (200, 150, 60))
    for text, place, size in (
        ("Power Marsh", (150, 240), 18),
        ("Draw when you may", (150, 320), 15),
        ("7", (270, 60), 24),
    ):
        pen.text(place, text, (250, 250, 250), ImageFont.load_default(size), anchor="mm")
    picture = pixels(card)
    assert not find_cards(picture)[0].whole
    (read,) = scanner.scan(picture)
    assert read.zones == {"top-right": 7}


@pytest.mark.usefixtures("glances")
def test_blurred_picture_is_reported(scanner: Scanner) -> None:
    with pytest.raises(CatalogError, match="blurred"):
        scanner.scan(pixels(GRIFFIN.resize((21, 29)).resize((630, 880))))


@pytest.mark.usefixtures("glances")
def test_small_card_is_reported_with_needed_size(scanner: Scanner) -> None:
    table = Image.new("RGB", (900, 700), (70, 110, 60))
    table.paste(GRIFFIN.resize((100, 140)).rotate(12, expand=True, fillcolor=(70, 110, 60)), (400, 300))
    with pytest.raises(CatalogError, match="too small on the picture"):
        scanner.scan(pixels(table))


def test_picture_without_card_is_reported(scanner: Scanner) -> None:
    with pytest.raises(CatalogError, match="no card found"):
        scanner.scan(pixels(Image.new("RGB", (1600, 900), (90, 120, 80))))


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, glances: None) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.png").write_bytes(packed(GRIFFIN))
    (folder / "b.png").write_bytes(packed(HERON))
    return folder


def test_scan_prints_a_json_document_for_each_card(shell: Shell, folder: Path) -> None:
    result = shell("scan", str(folder), "--json", "--game", "arcadia")
    first, second = (json.loads(line) for line in result.out.splitlines())
    assert result.status == 0
    assert {"file", "name", "game", "id", "sure", "zones", "numbers"} <= first.keys()
    assert (first["name"], first["game"], first["id"], first["sure"]) == ("Amber Griffin", "arcadia", None, False)
    assert first["zones"] == ZONES
    assert {"raw", "value", "zone", "x", "y", "confidence"} == first["numbers"][0].keys()
    assert second["zones"] == {"top-right": 6, "left": 3}


def enter_cards(shell: Shell) -> None:
    """Enter the cards of the pictures, one of them with another number."""
    shell("card", "add", "-g", "arcadia", "--name", "Amber Griffin", "--top-left", "4", "--bottom-right", "8")
    shell("card", "add", "-g", "arcadia", "--name", "Brass Heron", "--left", "5", "--top-right", "6")


def test_yes_adds_sure_cards_to_box_and_continues_later(shell: Shell, folder: Path) -> None:
    enter_cards(shell)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    result = shell("scan", str(folder), "--yes", "--own", "--box", "Attic 2", "--game", "arcadia")
    assert result.status == 0
    assert "arcadia:hand/amber-griffin" in result.out
    owned = [json.loads(line) for line in shell("collection", "list", "--json").out.splitlines()]
    assert {(card["id"], card["copies"], card["location"]) for card in owned} == {
        ("arcadia:hand/amber-griffin", 1, "Attic 2")
    }
    assert result.out.endswith("left for later: Brass Heron, left: the catalogue has 5, the picture 3.\n")
    shell.good("card", "edit", "arcadia:hand/brass-heron", "--left", "3")
    again = shell("scan", str(folder), "--yes", "--own", "--box", "Attic 2", "--game", "arcadia").out
    assert "Amber" not in again
    assert "arcadia:hand/brass-heron" in again
    assert shell.good("scan", str(folder), "--yes", "--own", "--box", "Attic 2", "--game", "arcadia").out == ""
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_yes_leaves_card_that_the_catalogue_lacks_for_later(shell: Shell, folder: Path) -> None:
    result = shell.good("scan", str(folder / "a.png"), "--yes", "--game", "arcadia")
    assert result.out.endswith('left for later: no card of the catalogue is called "Amber Griffin".\n')
    assert not shell.database.exists()


def test_card_of_catalogue_is_recognised_and_contradictions_reported(shell: Shell, folder: Path) -> None:
    enter_cards(shell)
    first, second = (json.loads(line) for line in shell("scan", str(folder), "--json").out.splitlines())
    assert (first["id"], first["sure"]) == ("arcadia:hand/amber-griffin", True)
    assert (second["id"], second["sure"]) == ("arcadia:hand/brass-heron", False)
    assert second["contradictions"] == ["left: the catalogue has 5, the picture 3"]
    check = shell("scan", str(folder), "--check")
    assert check.status == 1
    assert "Brass Heron" in check.out
    assert "Amber Griffin" not in check.out


def test_unreadable_picture_is_reported_and_others_are_read(shell: Shell, folder: Path) -> None:
    (folder / "aa.png").write_bytes(b"nothing")
    result = shell("scan", str(folder), "--json")
    assert result.status == 3
    assert len(result.out.splitlines()) == 2
    assert "aa.png" in result.err


def test_file_without_picture_is_named_once(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("4 Lightning Bolt\n")
    result = shell("scan", str(tmp_path / "list.txt"))
    what, advice = result.err.splitlines()
    assert (result.status, what.count("list.txt")) == (3, 1)
    assert "a list as text, not a picture" in what
    assert advice.startswith("To import it: ccgrid collection import ")


def test_folder_without_pictures_and_missing_file_are_reported(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert shell("scan", str(tmp_path / "empty")).status == 3
    assert shell("scan", str(tmp_path / "none.jpg")).status == 3


def test_scan_without_extra_reports_command_to_install_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(packed(GRIFFIN))
    for name in [name for name in sys.modules if name.startswith("ccgrid.catalog.scan.")]:
        if name.rpartition(".")[2] in ("scanner", "reading", "icons"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    result = shell("scan", str(picture))
    assert result.status == 3
    assert install_command("scan") in result.err


# --- the labelled sample ----------------------------------------------------------------------------------------------


def test_numbers_on_scans_of_real_cards_are_found_in_their_zones(scanner: Scanner, shared_data: Path) -> None:
    for file, zones in {
        "RiftsCCG/SAMAS_Squadron.jpg": {"left": [6, 2], "bottom-left": [4], "bottom": [5, 5, 6]},
        "Spellfire/257.jpg": {"top-left": [2]},
    }.items():
        (card,) = scanner.scan(open_picture(shared_data / "scans" / file, file))
        found: dict[str, list[int]] = {}
        for number in sorted(card.rim, key=lambda number: (number.y // 3, number.x)):
            found.setdefault(number.zone, []).append(number.value)
        assert found == zones


# --- at a terminal ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_user_corrects_and_accepts_with_single_keys(shell: Shell, folder: Path) -> None:
    import pexpect

    command = ["-m", "ccgrid", "scan", str(folder), "--game", "arcadia", "--own", "--box", "Attic 2"]
    environment = {**shell.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    options = {"env": environment, "dimensions": (60, 80), "encoding": "utf-8", "timeout": 200}
    child = ends_with_test(pexpect.spawn(sys.executable, command, **options))
    child.expect("Enter accepts")
    child.expect("bottom-right +8")
    assert child.waitnoecho(), "keys are read one by one"
    child.send("5")  # The first corner is selected.
    child.expect_exact("[5]")
    child.send("\r")
    child.expect("Amber Griffin .arcadia:hand/amber-griffin. is in your collection, Attic 2")
    child.expect("top-right +6")
    child.send("q")
    child.expect("continues here")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert json.loads(shell("show", "arcadia:hand/amber-griffin", "--json").out)["zones"] == {
        "top-left": 5,
        "bottom-right": 8,
    }
    listed = shell("scan", str(folder), "--yes", "--game", "arcadia")
    assert "Amber" not in listed.out
    assert 'no card of the catalogue is called "Brass Heron"' in listed.out


# --- opening pictures: formats, sizes, orientation and errors -------------------------------------------------------


def open_bytes(content: bytes) -> Any:
    return open_picture(BytesIO(content), "card.jpg")


def test_file_that_is_not_a_picture_is_reported() -> None:
    with pytest.raises(CatalogError, match="not a picture"):
        open_bytes(b"name,set\nGriffin,x\n")


def test_truncated_picture_is_damaged_regardless_of_other_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", True)  # The library for PDF does this.
    with pytest.raises(CatalogError, match="damaged"):
        open_bytes(packed(GRIFFIN)[:9000])


def test_heic_is_reported_how_to_send_jpeg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.catalog.scan.scanner.find_spec", lambda name: None)
    with pytest.raises(CatalogError, match="Send it as JPEG"):
        open_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 99)


def test_small_picture_is_reported_with_needed_size() -> None:
    with pytest.raises(CatalogError, match="200 x 280"):
        open_bytes(packed(GRIFFIN.resize((90, 126))))


def test_picture_of_200_megapixels_is_rejected_undecoded() -> None:
    header = packed(Image.new("1", (20_000, 10_000)))
    with pytest.raises(CatalogError, match="200 megapixels"):
        open_bytes(header)


def test_camera_orientation_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert open_bytes(packed(GRIFFIN, "JPEG", exif=exif)).shape[:2] == (GRIFFIN.width, GRIFFIN.height)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK", "I;16", "1", "LA"])
def test_pictures_of_every_colour_mode_are_opened(mode: str) -> None:
    picture = GRIFFIN.convert("L").convert("I").convert("I;16") if mode == "I;16" else GRIFFIN.convert(mode)
    assert open_bytes(packed(picture, "TIFF")).shape == (880, 630, 3)


def test_scanner_knows_where_the_game_prints_its_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    received: list[dict[str, Any]] = []

    class Reader:
        def scan(self, picture: Any, **options: Any) -> list[ScannedCard]:
            received.append(options)
            return []

    monkeypatch.setattr(scanning, "load_scanner", Reader)
    picture = tmp_path / "card.png"
    Image.new("RGB", (300, 420)).save(picture)
    for game in ("wyvern", "spellfire", "arcadia", ""):
        assert list(scanning.scan_pictures([picture], tmp_path / "none.db", game=game)) == [[]]
    zones = {"top-left", "top-right", "bottom-left", "bottom-right"}
    unknown = {"slash": None, "zones": ALL_ZONES}
    known = [{"slash": "fraction", "zones": {"bottom-right"}}, {"slash": "stats", "zones": zones}, unknown, unknown]
    assert received == [{"grid": False, **one} for one in known]
