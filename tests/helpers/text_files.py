"""Files of a text."""

from pathlib import Path


def write(path: Path, text: str) -> Path:
    """The file, with this text."""
    path.write_text(text, encoding="utf-8")
    return path
