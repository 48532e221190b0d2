"""Files of a text, and layouts of one field."""

from pathlib import Path


def write(path: Path, text: str) -> Path:
    """The file, with this text."""
    path.write_text(text, encoding="utf-8")
    return path


def write_layout(path: Path, field: str, zone: str = "top", more: str = "") -> Path:
    """A layout of the game that the file is called after: one field, which is printed in one zone."""
    game = path.stem
    head = f'format = 1\ngame = "{game}"\nname = "{game.title()}"\n'
    return write(path, f'{head}[[printed]]\nfield = "{field}"\nzone = "{zone}"\n{more}')
