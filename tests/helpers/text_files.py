"""Text files, and layouts with one field."""

from pathlib import Path


def write(path: Path, text: str) -> Path:
    """Write this text to the file, and return its path."""
    path.write_text(text, encoding="utf-8")
    return path


def write_layout(path: Path, field: str, zone: str = "top", more: str = "") -> Path:
    """Write a layout with one field, printed in one zone; the game is named after the file."""
    game = path.stem
    head = f'format = 1\ngame = "{game}"\nname = "{game.title()}"\n'
    return write(path, f'{head}[[printed]]\nfield = "{field}"\nzone = "{zone}"\n{more}')
