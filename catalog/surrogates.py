"""Lone surrogates in texts, which SQLite cannot store."""


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which SQLite cannot store. They occur in command lines and file names."""
    return text.encode("utf-8", "replace").decode()
