#!/usr/bin/env python
"""Draw the pictures of the documentation with the program itself: terminals as SVG, pages on phones as PNG.

scripts/pictures.py          # updates docs/pictures; pages need Chromium and the extras test, web and scan
"""

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
PICTURES = {
    "card": ("ccgrid show netrunner:20029", "A card, and where each number comes from"),
    "deck": ("ccgrid deck show lively.toml", "A deck of twenty cards from any games"),
    "board": ("ccgrid replay game.jsonl --from 3 --to 3", "A move on the board"),
    "moves": ("ccgrid replay game.jsonl --to 4", "3x3 CCG Battle"),
}
SECONDS = 2.5
"""The time for which an animated picture shows a position."""
_COLUMNS = 80
NOUNS = ("Drake", "Heron", "Wolf", "Lantern", "Knight", "Fox")


def printed(line: str, folder: Path) -> str:
    """Return the output of a command on a terminal with colours, in a folder with examples and bundled cards."""
    own = {
        "CCGRID_DB": str(folder / "catalogue.db"),
        "CCGRID_STATE": str(folder / "state"),
        "CCGRID_CONFIG": str(folder / "config.toml"),
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "COLUMNS": str(_COLUMNS),
        "FORCE_COLOR": "1",
        "PAGER": "cat",
    }
    environment = {**{name: value for name, value in os.environ.items() if name != "NO_COLOR"}, **own}
    command = [sys.executable, "-m", *line.split()]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def drawn(line: str, output: str, title: str, name: str) -> str:
    """Return a picture of a terminal with a command and its output."""
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("$ ", "dim"), line))
    console.print(Text.from_ansi(output.rstrip("\n")))
    svg = console.export_svg(title=title, unique_id=name)
    # Letters of another font may be wider than a column: fit them, so that they do not overlap.
    return svg.replace("textLength=", 'lengthAdjust="spacingAndGlyphs" textLength=')


def animated(line: str, output: str, title: str, name: str) -> str:
    """Return a picture that shows the positions of a replay in turn, or only the last one where motion is unwanted."""
    positions = re.split(r"\n\n(?=[^\n]*\d\. )", output.rstrip("\n"))
    height = max(position.count("\n") for position in positions)
    times = f"animation: {SECONDS * (len(positions) + 1)}s steps(1) infinite"
    rules, frames = ["@media (prefers-reduced-motion: reduce) {g {animation: none !important}}"], []
    for number, position in enumerate(positions):
        filled = position + "\n" * (height - position.count("\n")) + " "
        percent = 100 * number / (len(positions) + 1)
        rules.append(f"@keyframes {name}{number} {{0% {{opacity: 0}} {percent:.0f}% {{opacity: 1}}}}")
        style = f' style="{times} {name}{number}"' if number else ""
        frames.append(f"<g{style}>{drawn(line, filled, title, f'{name}-{number}')}</g>")
    box = frames[0].partition('viewBox="')[2].partition('"')[0]
    styles = f"<style>{' '.join(rules)}</style>"
    return f'<svg viewBox="{box}" xmlns="http://www.w3.org/2000/svg">{styles}{"".join(frames)}</svg>'


def draw_pages() -> None:
    """Write the pictures of `ccgrid serve` on a phone: a game, and a photographed card. All cards are made up."""
    sys.path.insert(0, str(ROOT / "tests"))
    from helpers.browsers import PHONE, run_chromium
    from helpers.catalogues import make_catalogue, row, write_rows
    from helpers.made_up_pictures import draw, packed
    from helpers.web_server import server

    from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
    from ccgrid.services import card_pictures
    from ccgrid.services.deck_requests import DeckRequest
    from ccgrid.services.scan_queue import Photograph, ReadCard
    from ccgrid.web.deck_shelf import DeckShelf

    names = [f"{first} {second}" for first in ("Amber", "Brass", "Cinder", "Dusk") for second in NOUNS]
    cards = packed(draw(names[0], {"top-right": "1", "left": "3"}, "A made-up card."), "JPEG")
    seen = (SeenNumber("1", 1, "top-right", 88, 9, 0.99), SeenNumber("3", 3, "left", 10, 50, 0.5))
    read = ReadCard(ScannedCard(names[0], seen, names=(names[0],)), cards, 630, 880, "mtg:dsk/1")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [row(number, one, number % 11) for number, one in enumerate(names, 1)]
        database = make_catalogue(folder / "catalogue.db", write_rows(folder / "cards.jsonl", rows))
        shelf = DeckShelf(folder / "decks", database)
        shelf.write(shelf.make(DeckRequest(game="grid"), "Ours", 1)[0])
        with server(folder, database=database) as served:
            served.scans._photographs[1] = Photograph(1, "card.jpg", "0" * 64, "mtg", is_read=True, cards=[read])
            guest = served.guest()
            guest.post("/tables", game="grid", name=["You", ""], computer=["", "easy"], faction="1")
            (table,) = served.tables
            table.leave_seat(table.seats[0])
            first = table.playing.setup.cards[0].name
            card_pictures.pictures_of = lambda *_: {first: "1-0"}
            card_pictures.read_picture = lambda *_: cards
            for chromium in run_chromium():
                page = chromium.new_context(**{**PHONE, "viewport": {"width": 360, "height": 560}}).new_page()
                page.goto(served.invitation)
                for path, picture in (("/table/1", "serve-table"), ("/scan/1/0", "serve-scan")):
                    page.goto(served.address + path)
                    if picture == "serve-table":
                        page.get_by_role("button", name="Play as You").click()
                        page.wait_for_selector(".play[data-ways]")
                        page.wait_for_timeout(1000)  # until the cards lie still
                    page.evaluate("scrollTo(0, 0)")
                    _write_small(page.screenshot(), FOLDER / f"{picture}.png")


def _write_small(png: bytes, file: Path) -> None:
    """Write a picture of a page with few colours, so that it takes a few kilobytes."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(128).save(file, optimize=True)


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (ROOT / "docs" / "examples").iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        printed("ccgrid import starter", folder)
        printed("ccgrid deck new --lively --seed 7 -o lively.toml", folder)
        printed(
            "ccgrid simulate grid --deck lively.toml --games 1 --players greedy,greedy --records game.jsonl", folder
        )
        game = (folder / "game.jsonl").read_text("utf-8")
        (folder / "game.jsonl").write_text(game.replace("greedy-1", "Ann").replace("greedy-2", "Bob"), "utf-8")
        for picture, (line, title) in PICTURES.items():
            svg = (animated if picture == "moves" else drawn)(line, printed(line, folder), title, picture)
            (FOLDER / f"{picture}.svg").write_text(svg, encoding="utf-8")
    draw_pages()


if __name__ == "__main__":
    main()
