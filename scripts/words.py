#!/usr/bin/env python
"""Measure the sentences and paragraphs of the documentation, and find phrases that confuse readers.

scripts/words.py [PAGE ...]
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))

MEAN, LONGEST, PARAGRAPH = 15, 35, 100
"""The maximum number of words: of a sentence on average, of any sentence, and of a paragraph."""

PHRASES = """\
A card a line | tabulator | go on with another | a command for certain | is told by | Say what would be done
told by the content | by which it is told | ; told. | This file is what you own | Copies that were | would be 0 added
neither> | Note what changed | as you have them | lines not understood | Take a card out | by answers
The same in this corner | The same on this side | takes back what was there | is again as | Take back what you did
Do again what | Done again | the last thing last | and is it still legal | what they say of a deck | matters little who
as many as tell | Numbers hardly meet, in | even it with | with a likelihood of | is decided: rather
Policies that meet
whoever starts takes | who does not start make | :--measure asks | You resigns | You starts | the points that it gains
what is hidden drawn anew | points ahead in the end | Card turned up for | was seen before | One move alone | times of
points given away | to the right, the other | over. moves | not sure where it is printed | on screens alone
its keepers
Cards to begin with | Let them go | Another address than | is as it was | is called like | cannot be had | is not plain
maps no column | for lack of room | Any other than this | what one takes to the table | What stands behind
Tell what | Know which | Ask which | brought in | bring in | brings in | so many | nobody can say
"""
"""Phrases that confuse readers, separated by bars."""


class Page(NamedTuple):
    """The word counts of a page, and its overlong sentences and paragraphs."""

    sentences: int
    words: int
    long_sentences: list[str]
    long_paragraphs: list[str]

    @property
    def mean(self) -> float:
        """Return the mean number of words of a sentence."""
        return self.words / max(self.sentences, 1)


def paragraphs(text: str) -> Iterator[str]:
    """Return the paragraphs and list items without code, tables, headings and markup."""
    text = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^(?:#|\||\s*<|!|\[!|:::|\$).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"!\[[^]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"``.+?``|`[^`]+`", "Code", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        plain = " ".join(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", block).replace("*", "").split())
        if plain and plain != "---":
            yield plain


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph."""
    return [one for one in re.split(r"(?<=[.!?])[)\"]?\s+(?=[A-Z`\"(])|(?<=:)\s+(?=[A-Z])", paragraph) if words(one)]


def words(text: str) -> int:
    """Return the number of words of a text."""
    return len(re.findall(r"[^\W_][\w'’.,/+-]*", text))


def count(text: str) -> Page:
    """Return the counts of a page."""
    blocks = list(paragraphs(text))
    found = [sentence for block in blocks for sentence in sentences(block)]
    return Page(
        len(found),
        sum(map(words, found)),
        [one for one in found if words(one) > LONGEST],
        [one for one in blocks if words(one) > PARAGRAPH],
    )


_EACH = re.split(r" [|] |\n", PHRASES.strip())
PHRASE = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _EACH))})(?!\w)")


def messages() -> Iterator[tuple[Path, str]]:
    """Yield every text in the program except docstrings."""
    for package in ("ccgrid", "catalog", "engine"):
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            explained = {
                id(node.value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explained:
                    yield path, node.value


def stumbles(text: str) -> list[str]:
    """Return the phrases to avoid that occur in a text."""
    return PHRASE.findall(" ".join(text.split()))


def main(names: list[str]) -> None:
    """Print a line for each page, its overlong parts, and the phrases to avoid."""
    for path in [Path(name).resolve() for name in names] or PAGES:
        text = path.read_text("utf-8")
        page = count(text)
        note = f", more than {MEAN}" if page.mean > MEAN else ""
        print(f"{page.mean:5.1f} words a sentence, {page.words:5} words  {path.name}{note}")
        for one in page.long_sentences:
            print(f"   sentence of {words(one)}: {one}")
        for one in page.long_paragraphs:
            print(f"   paragraph of {words(one)}: {one[:80]} ...")
        for one in stumbles(text):
            print(f"   {one!r}")
    for path, text in messages() if not names else ():
        for one in stumbles(text):
            print(f"{path.relative_to(ROOT)}: {one!r} in {text[:100]!r}")


if __name__ == "__main__":
    main(sys.argv[1:])
