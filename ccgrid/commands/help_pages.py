"""How help pages are set: sentences fill the lines, examples can be copied, and what is indented stays as it is."""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

EXAMPLE: Final = "Example: "
_WORD: Final = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")
_CONTINUED: Final = " \\"


def set_page(text: str, width: int) -> Iterator[str]:
    r"""The lines of a help text; paragraphs are parted by empty lines, and one that is indented is not filled.

    A command that is too long for a line goes on after a backslash, so that it can be copied.

    >>> print("\n".join(set_page("Find it.\n\nExample: ccgrid search 'Ring of Gix' --legal", 34)))
    Find it.
    <BLANKLINE>
    Example: ccgrid search \
        'Ring of Gix' --legal
    """
    for number, paragraph in enumerate(re.split(r"\n{2,}", text.strip("\n"))):
        if number:
            yield ""
        if paragraph.startswith(" "):
            yield from paragraph.split("\n")
        elif paragraph.startswith(EXAMPLE):
            yield from _command(paragraph, width)
        else:
            yield from textwrap.wrap(paragraph, width, break_on_hyphens=False, break_long_words=False)


def _command(text: str, width: int) -> Iterator[str]:
    """A command line, folded between its words."""
    words = _WORD.findall(text)
    line = words[0]
    for place, word in enumerate(words[1:], 2):
        rest = len(_CONTINUED) if place < len(words) else 0
        if len(line) + 1 + len(word) + rest > width:
            yield line + _CONTINUED
            line = f"    {word}"
        else:
            line += f" {word}"
    yield line
