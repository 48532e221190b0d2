"""Lone surrogates in texts, which SQLite cannot store."""


def replace_surrogates(text: str) -> str:
    """A text without halves of surrogate pairs, which no catalogue holds: command lines and names of files may."""
    return text.encode("utf-8", "replace").decode()
