"""Checks for short sentences and plain words in pages and messages."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import words  # noqa: E402

PAGES = [page for page in words.PAGES if page.name != "commands.md"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_sentences_and_paragraphs_of_a_page_are_short(path: Path) -> None:
    page = words.count(path.read_text("utf-8"))
    assert page.mean <= words.MEAN
    assert page.long_sentences == []
    assert page.long_paragraphs == []


@pytest.mark.parametrize("path", words.PAGES, ids=lambda path: path.name)
def test_pages_have_no_phrases_to_avoid(path: Path) -> None:
    assert words.stumbles(path.read_text("utf-8")) == []


def test_messages_have_no_phrases_to_avoid() -> None:
    assert [(str(path), text) for path, text in words.messages() if words.stumbles(text)] == []


def test_long_sentences_and_paragraphs_are_found() -> None:
    page = words.count(
        f"# Title\n\nShort `code` here. {'word ' * 36}end.\n\n{'Six words are in this sentence. ' * 20}\n"
    )
    assert (len(page.long_sentences), len(page.long_paragraphs)) == (1, 1)
    assert words.stumbles("It may be\nbrought in.") == ["brought in"]
