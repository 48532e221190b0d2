"""Lone surrogates in texts, which no encoding has."""


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which neither SQLite nor files store. They occur in command lines and file names."""
    return text.encode("utf-8", "replace").decode()
