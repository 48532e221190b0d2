"""Tests of printed sheets: cards with numbers in their zones, crop marks, and one page of rules."""

import random
import re
import zlib
from base64 import b64encode
from contextlib import suppress
from html import escape
from importlib.util import find_spec
from io import BytesIO
from itertools import cycle, product
from pathlib import Path

import pytest
from helpers.browsers import DESK, open_page
from helpers.catalogues import Shell, row, write_rows
from helpers.everyday import sampled
from helpers.made_up import random_battle_deck, random_deck
from helpers.text_files import write

from ccgrid.catalog.card import Card
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.game_view import CardFace
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.pages.sheet import SheetDeck, sheet, to_pdf
from ccgrid.pages.sheet_cards import HEIGHT, PAPERS, WIDTH, card_pages
from ccgrid.services import card_pictures

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
SCRIPTS = ("黒き魔導士ガイア", "Огненный дракон", "바람의 정령", "חלום לבן", "Ægir's Þórn", "Ω Φοίνικας")
MILLIMETRES = 96 / 25.4

every_paper = pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
every_game = pytest.mark.parametrize("game", [game.name for game in GAMES])


def decks_of(game: str) -> list[SheetDeck]:
    """Return the decks of a sheet of this game; matrix has none."""
    if game == "matrix":
        return []
    if game == "tactics":
        return [SheetDeck(ready.title, ready.cards) for ready in find_game(game).factions.bundled()[:1]]
    make = random_battle_deck if game == "ninecard" else random_deck
    return [SheetDeck("A deck", make(random.Random(1)))]


def card_positions(page: str) -> list[tuple[float, float]]:
    """Return the left and the top of every card on a page, in millimetres."""
    found = re.findall(r'class="cut[ a-z0-9-]*" style="left:([\d.]+)mm;top:([\d.]+)mm', page)
    return [(float(left), float(top)) for left, top in found]


@every_paper
def test_nine_cards_are_centred_without_gaps(paper):
    pages = list(card_pages([CardFace(str(number)) for number in range(20)], paper))
    assert [len(card_positions(page)) for page in pages] == [6, 7, 7]
    positions = card_positions(next(card_pages([CardFace("Drake")] * 9, paper)))
    assert positions[0][0] == pytest.approx(paper.width - positions[2][0] - WIDTH, abs=0.02)
    assert positions[0][1] == pytest.approx(paper.height - positions[8][1] - HEIGHT, abs=0.02)
    assert positions[4] == pytest.approx((positions[0][0] + WIDTH, positions[0][1] + HEIGHT), abs=0.02)


def test_cards_are_distributed_evenly_over_pages() -> None:
    for cards in range(3, 100):
        pages = [len(card_positions(page)) for page in card_pages([CardFace("Drake")] * cards, PAPERS[0])]
        assert (sum(pages), max(pages) <= 9, max(pages) - min(pages) <= 1) == (cards, True, True)
        assert len(pages) == -(-cards // 9)


def test_cards_have_the_colour_of_their_game_or_faction() -> None:
    def colours(deck: SheetDeck) -> list[str]:
        text = sheet("grid", [deck], PAPERS[0], parts=["cards"])
        return re.findall(r'class="cut (hue-\d+)', text)

    games = colours(
        SheetDeck("One", [Card(f"{game}:x/{n}", game, "A", {"top": 1}, 1) for game in "ab" for n in (1, 2)])
    )
    assert games[0] == games[1] != games[2] == games[3]
    bastion, lancers = (
        colours(SheetDeck(f"The {name}", [Card("", "", "A", {"top": 1}, 1)])) for name in ("Bastion", "Lancers")
    )
    assert bastion != lancers


def test_printed_rules_omit_options_and_files() -> None:
    for game in GAMES:
        text = re.sub(r"<t[hd].*?</t[hd]>", "", sheet(game.name, [], PAPERS[0], parts=["rules"]).partition("<body>")[2])
        assert not re.search(
            r"--|[Tt][Oo][Mm][Ll]|ccgrid(?! decides)|\[setup\]|[a-z] ?= ?", re.sub(r"<[^>]*>", "", text)
        ), game.name


@every_paper
def test_every_cut_has_crop_marks_at_both_ends(paper):
    page = next(card_pages([CardFace("Drake")] * 9, paper))
    found = re.findall(r'class="mark (\w+)" style="left:([\d.]+)mm;top:([\d.]+)mm;\w+:([\d.]+)mm', page)
    upright = sorted((float(left), float(top), float(long)) for kind, left, top, long in found if kind == "upright")
    level = sorted((float(top), float(left), float(long)) for kind, left, top, long in found if kind == "level")
    columns = [round(paper.left + number * WIDTH, 2) for number in range(4)]
    rows = [round(paper.top + number * HEIGHT, 2) for number in range(4)]
    assert [left for left, _, _ in upright] == pytest.approx(sorted(columns * 2), abs=0.02)
    assert [top for top, _, _ in level] == pytest.approx(sorted(rows * 2), abs=0.02)
    for marks, first, last, end in (
        (upright, rows[0], rows[3], paper.height),
        (level, columns[0], columns[3], paper.width),
    ):
        for _, start, long in marks:
            assert 0 < start < start + long < first or last < start < start + long < end


@every_game
def test_sheet_has_all_sections(game):
    text = sheet(game, decks_of(game), PAPERS[0])
    kinds = re.findall(r'<section class="page ([a-z ]+)"', text)
    cards = sum(len(deck.cards) for deck in decks_of(game)) or (30 if game == "matrix" else 0)
    assert kinds.count("cards") == -(-cards // 9)
    assert kinds[-3:] == ["board", "scores", "rules"]
    assert ("flows list" in kinds) is bool(decks_of(game))
    assert len(card_positions(text)) == cards
    assert "<script" not in text


def test_every_number_is_in_its_zone():
    card = Card("", "", "Amber Drake", {zone: number for number, zone in enumerate(ZONES)}, 28)
    text = sheet("grid", [SheetDeck("One", [card])], PAPERS[0], parts=["cards"])
    shown = dict(re.findall(r'<b class="zone ([a-z-]+)">(\d+)</b>', text))
    assert shown == {zone: str(number) for number, zone in enumerate(ZONES)}


def test_deck_list_shows_zones_score_game_and_box():
    card = Card("mtg:m15/235", "mtg", "Amber Drake", {"top-left": 4}, 9, "m15", "", "235")
    text = sheet("grid", [SheetDeck("One", [card], {"mtg:m15/235": "Shelf, row 2"})], PAPERS[0], parts=["list"])
    assert (
        '<td>Amber Drake</td><td>top left 4</td><td>9</td><td>mtg m15 235</td><td class="whole">Shelf, row 2</td>'
        in text
    )


def test_matrix_sheet_has_thirty_cards_numbers_and_overview():
    faces = find_game("matrix").pictures.sheet.own(2)
    assert [face.name for face in faces[:20]] == [kind for kind in KINDS for _ in range(2)]
    assert [face.large for face in faces[20:29]] == [str(number) for number in range(1, 10)]
    assert len(faces) == 30
    assert len(find_game("matrix").pictures.sheet.own(4)) == 50


def test_grid_score_sheet_has_eleven_rows_per_player():
    text = sheet("grid", [], PAPERS[0], parts=["scores"])
    table = text[text.index("<table") : text.index("</table>")]
    assert re.findall(r"<tr><th>(\d+)</th>", table) == [str(number) for number in range(1, 12)]
    assert table.count('class="player"') == 2


def test_names_on_sheets_are_escaped():
    names = (*SCRIPTS, "<script>alert(1)</script>", "half \ud83d")
    cards = [Card("", "", name, {"top": 3}, 3) for name in names]
    text = sheet("grid", [SheetDeck("<b>Deck</b>", cards)], PAPERS[0])
    text.encode("utf-8")
    assert "<script" not in text
    assert "<b>Deck" not in text
    assert all(escape(name) in text for name in SCRIPTS)


OUTSIDE = """() => [...document.querySelectorAll(".cut")].flatMap((card) => {
  const edge = card.getBoundingClientRect();
  const parts = [...card.querySelectorAll(".zone, .name, p")].map((part) => part.getBoundingClientRect());
  return parts.filter(({left, right, top, bottom}) =>
    left < edge.left || right > edge.right + 0.5 || top < edge.top || bottom > edge.bottom + 0.5);
}).length"""


@every_paper
@every_game
def test_rendered_cards_are_63_by_88_mm_and_rules_fit_one_page(browser, tmp_path, game, paper):
    path = write(tmp_path / "sheet.html", sheet(game, decks_of(game), paper))
    with open_page(browser, path.as_uri(), DESK) as page:
        for box in page.locator(".cut").evaluate_all("(cards) => cards.map((card) => card.getBoundingClientRect())"):
            assert box["width"] == pytest.approx(WIDTH * MILLIMETRES, abs=0.5)
            assert box["height"] == pytest.approx(HEIGHT * MILLIMETRES, abs=0.5)
        assert page.evaluate(OUTSIDE) == 0
        for kind in ("rules", "scores", "board"):
            height = page.locator(f".page.{kind}").bounding_box()["height"]
            assert height <= paper.height * MILLIMETRES, kind
            wide = page.locator(f".page.{kind}").evaluate("(part) => part.scrollWidth - part.clientWidth")
            assert wide <= 0, kind


def test_longest_names_fit_their_cards(browser, tmp_path):
    names = ("Gardienne des Mémoires Perdues de Brocéliande", "W" * 60, "word " * 40, SCRIPTS[0] * 4)
    cards = [Card("", "", name, dict.fromkeys(ZONES, 10), 99) for name in names]
    path = write(tmp_path / "sheet.html", sheet("grid", [SheetDeck("Long", cards)], PAPERS[0], parts=["cards"]))
    with open_page(browser, path.as_uri(), DESK) as page:
        assert page.evaluate(OUTSIDE) == 0


def make_photo(colour: str) -> bytes:
    """Return a JPEG picture of one colour."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    written = BytesIO()
    image.new("RGB", (126, 176), colour).save(written, "JPEG")
    return bytes(written.getvalue())


def test_own_picture_is_printed_below_the_numbers(browser, tmp_path):
    cards = [Card("", "", name, dict.fromkeys(ZONES, 10), 80) for name in ("Amber Drake", "Brass Heron")]
    own = {"Amber Drake": make_photo("orange")}
    text = sheet("grid", [SheetDeck("Own", cards, pictures=own)], PAPERS[0], parts=["cards"])
    path = write(tmp_path / "sheet.html", text)
    with open_page(browser, path.as_uri(), DESK) as page:
        assert page.evaluate("[...document.images].map((one) => [one.naturalWidth, one.closest('.own') !== null])") == [
            [126, True]
        ]
        assert page.evaluate(OUTSIDE) == 0
        visible = page.locator(".own .zone").evaluate_all(
            """(zones) => zones.filter((zone) => {
                zone.scrollIntoView();
                const box = zone.getBoundingClientRect();
                const top = (part) => document.elementFromPoint(box.x + box.width / 2, box.y + part * box.height);
                return [0.2, 0.5, 0.8].every((part) => top(part) === zone);
            }).length"""
        )
        assert visible == len(ZONES)


# --- PDF ---------------------------------------------------------------------------------------------------------

CAN_PDF = find_spec("weasyprint") is not None
needs_pdf = pytest.mark.skipif(not CAN_PDF, reason="the extra 'pdf' is not installed")


def uncompressed(pdf: bytes) -> bytes:
    """Return a PDF with its compressed streams decompressed and appended."""
    parts = [pdf]
    for compressed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            parts.append(zlib.decompressobj().decompress(compressed))
    return b"".join(parts)


@needs_pdf
@pytest.mark.parametrize(("game", "paper"), sampled(product(GAMES.names, PAPERS), *zip(GAMES.names, cycle(PAPERS))))
def test_pdf_has_as_many_pages_as_the_sheet(game, paper):
    text = sheet(game, decks_of(game), paper)
    pdf = to_pdf(text)
    assert pdf.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type ?/Page\b", uncompressed(pdf))) == text.count('<section class="page')


@needs_pdf
def test_pdf_contains_pictures_without_requests():
    deck = SheetDeck("Own", [Card("", "", "Amber Drake", {"top": 7}, 7)], pictures={"Amber Drake": make_photo("red")})
    pdf = uncompressed(to_pdf(sheet("grid", [deck], PAPERS[0], parts=["cards"])))
    assert pdf.count(b"/DCTDecode") == 1
    page = '<img src="file:///etc/hostname"><img src="http://127.0.0.1:9/x.png">'
    assert b"/DCTDecode" not in uncompressed(to_pdf(page))


def test_pdf_without_extra_names_the_extra(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: None)
    result = shell("sheet", "grid", "--pdf", "-o", shell.folder / "sheet.pdf")
    assert (result.status, install_command("pdf") in result.err) == (3, True)
    assert not (shell.folder / "sheet.pdf").exists()


# --- at the command line -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["grid", "ninecard", "tactics", "matrix", "cinder", EXAMPLES / "deck.toml"])
def test_sheet_is_made_from_game_faction_or_deck(shell: Shell, source):
    shell.good("sheet", source, "-o", shell.folder / "sheet.html", "--paper", "letter")
    text = (shell.folder / "sheet.html").read_text("utf-8")
    assert "215.9mm 279.4mm" in text
    cards = {"tactics": 72, "matrix": 30, "cinder": 18, "grid": 0, "ninecard": 0}
    assert text.count('class="cut') == cards.get(str(source), 20)


def test_sheet_is_made_from_code_and_lists_boxes(shell: Shell):
    shell.good(
        "import", "mtg", write_rows(shell.folder / "cards.jsonl", [row(n, f"Drake {n}", 3) for n in range(1, 21)])
    )
    shell.good("collection", "add", "Drake 7", "--box", "Shelf")
    (shell.folder / "deck.txt").write_text("".join(f"1 Drake {n}\n" for n in range(1, 21)), encoding="utf-8")
    shell.good("sheet", shell.folder / "deck.txt", "-o", shell.folder / "sheet.html", "--only", "list")
    lines = re.findall(r"<tr>(.*?)</tr>", (shell.folder / "sheet.html").read_text("utf-8"))
    assert [line.endswith('<td class="whole">Shelf</td>') for line in lines[1:]] == [n == 7 for n in range(1, 21)]
    code = shell.good("code", shell.folder / "deck.txt").out.strip()
    shell.good("sheet", code, "-o", shell.folder / "sheet.html", "--force", "--only", "cards")
    assert (shell.folder / "sheet.html").read_text("utf-8").count('class="cut') == 20


def test_sheet_uses_pictures_of_its_catalogue(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    cards = write_rows(shell.folder / "cards.jsonl", [row(n, f"Drake {n}", 3) for n in range(1, 21)])
    shell.good("import", "mtg", cards)
    (shell.folder / "deck.txt").write_text("".join(f"1 Drake {n}\n" for n in range(1, 21)), encoding="utf-8")
    monkeypatch.setattr(card_pictures, "pictures_of", lambda database: {"Drake 7": "a-0", "Drake 8": "gone-0"})
    card_pictures.keep_picture(None, "a-0", b"a picture")
    shell.good("sheet", shell.folder / "deck.txt", "-o", shell.folder / "sheet.html")
    text = (shell.folder / "sheet.html").read_text("utf-8")
    assert re.findall(r'<img [^>]*base64,([^"]*)"', text) == [b64encode(b"a picture").decode()]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("nothing",), 3, "No such file"),
        (("grid", "--paper", "a5"), 2, "a4 or letter"),
        (("grid", "--only", "dice"), 2, "no part"),
        (("tactics", "--seats", 3), 2, "not for 3 players"),
    ],
)
def test_unprintable_source_is_rejected(shell: Shell, arguments, status, words):
    result = shell("sheet", *arguments, "-o", shell.folder / "sheet.html")
    assert (result.status, words in result.err) == (status, True), result.err
