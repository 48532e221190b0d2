"""Helpers for checking decks written as text."""

from typing import Any

from helpers.catalogues import Shell
from hypothesis import strategies as st

words = st.text(alphabet="abcdefghijklmnopqrstuvwxyz'-,éû", min_size=1, max_size=8).filter(lambda word: word.isalpha())


def deck_problems(shell: Shell, text: str) -> list[dict[str, Any]]:
    """Check a deck with this text, and return its problems."""
    file = shell.folder / "deck.txt"
    file.write_text(text)
    result = shell("deck", "check", file, "--json")
    assert result.status == (0 if result.json["ok"] else 1)
    assert list(result.json) == ["ok", "cards", "problems"]
    problems: list[dict[str, Any]] = result.json["problems"]
    assert all(list(problem) == ["card", "reason"] for problem in problems)
    return problems
