#!/usr/bin/env python
"""Draws the pictures of the documentation, as SVG, from what the program itself prints on a terminal.

scripts/pictures.py          # writes docs/pictures anew
"""

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
PICTURES = {
    "card": ("ccgrid show pokemon:base2/8", "A card, and where each number comes from"),
    "deck": ("ccgrid deck show deck.toml", "A deck of twenty cards from any games"),
    "board": ("ccgrid replay game.toml --from 3 --to 3", "A move on the board"),
}
_COLUMNS = 80


def printed(line: str, folder: Path) -> str:
    """What a command prints on a terminal with colours, in a folder with the examples and the bundled cards."""
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
    """The picture of a terminal in which a command was typed."""
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("$ ", "dim"), line))
    console.print(Text.from_ansi(output.rstrip("\n")))
    return console.export_svg(title=title, unique_id=name)


def main() -> None:
    """Writes every picture."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (ROOT / "docs" / "examples").iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        printed("ccgrid import starter", folder)
        for picture, (line, title) in PICTURES.items():
            svg = drawn(line, printed(line, folder), title, picture)
            (FOLDER / f"{picture}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
