"""Regular expressions in many texts, in any case: a test faster than that of `re`, and texts that a match contains."""

import re
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final

from ccgrid.catalog.lazy_patterns import lazy_pattern

_CLASS: Final = r"\[(?:\\.|[^\]\\])*\]"
_TIMES: Final = r"(?:\{\d*,?\d*\}|[?*])"
"""A sign that the part of an expression before it need not occur, or not once."""
_PLAIN: Final = lazy_pattern(
    r"(?:[^\\()\[\]]|\\[bBdDwWsS]|\\[^\w]|\((?:\?:|(?!\?))|\)|"
    r"\[\^?(?:\\[dDwWsS]|[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[^\\\]\[-])+\])*",
    re.ASCII,
)
"""An expression that means the same in small letters, if the text is in small letters, too."""
_CAPITALS: Final = lazy_pattern(r"\\.|[A-Z]+", re.DOTALL)
_UNCERTAIN: Final = lazy_pattern(rf"(?:\\.|{_CLASS}|[^()|\\\[}}?*+]){_TIMES}|\\.|{_CLASS}", re.DOTALL)
"""Parts of an expression that stand for different characters, or for none."""
_GROUP: Final = lazy_pattern(rf"\((?:\?:)?([^()]*)\)({_TIMES})?")
_LITERAL: Final = lazy_pattern(r"[a-z0-9 ,:'-]+")

_CHOICE: Final = lazy_pattern(r"\((?:\?:)?([a-z0-9 |]+)\)|\[([a-z0-9 ]+)\]|(^\^|[a-z0-9 ]+)")
"""Plain text, or a choice of texts or letters."""
_CHOICES: Final = lazy_pattern(r"\^?(?:\((?:\?:)?[a-z0-9 |]+\)|\[[a-z0-9 ]+\]|[a-z0-9 ])*")
_OPTIONAL_END: Final = lazy_pattern(r"(?:[a-z0-9 ][?*])+$")
_MOST_TEXTS: Final = 3
"""The most texts that SQL finds faster than Python."""


def occurs(pattern: str, text: object) -> bool:
    r"""Return whether a regular expression occurs in a text, without regard to case.

    >>> occurs("draws? (a|two) cards?", "Draw a card."), occurs(r"\bart", "Heart")
    (True, False)
    """
    if not isinstance(text, str):
        return False
    fits, in_small = _compiled(pattern)
    if not in_small:
        return fits.search(text) is not None
    return fits.search(text.lower() if text.isascii() else _small(text)) is not None


@lru_cache(64)
def _compiled(pattern: str) -> tuple[re.Pattern[str], bool]:
    """Return a compiled expression, and whether it is for small letters, in which `re` searches faster."""
    small = _small_pattern(pattern)
    if small is None:
        return re.compile(pattern, re.IGNORECASE), False
    # `re` finds a text at the beginning of an expression faster than the edge of a word.
    return re.compile(re.sub(r"^\\b([a-z0-9]+)(?![?*+{])", r"\1(?<=\\b\1)", small)), True


def _small_pattern(pattern: str) -> str | None:
    """Return an expression in small letters that occurs in the same texts; None if it may not mean the same."""
    if not (pattern.isascii() and _PLAIN.fullmatch(pattern)):
        return None
    small = _CAPITALS.sub(lambda found: found[0] if found[0].startswith("\\") else found[0].lower(), pattern)
    return re.sub(r"([^\\(|+])\+$", r"\1", small)  # what occurs several times at the end occurs once


def _small(text: str) -> str:
    """Return a text in small letters, each character by one; İ, ı and ſ fit i and s as they do in `re`."""
    return text.replace("İ", "i").lower().replace("ı", "i").replace("ſ", "s")


def literal_texts(pattern: str) -> tuple[str, ...]:
    """Return up to three texts: an expression occurs in exactly those ASCII texts that contain one of them.

    A text after ^ is at the beginning. There are none if the expression has other signs than those of choices.

    >>> literal_texts("(the|your)s?"), literal_texts("^an|two"), literal_texts("[tw]o"), literal_texts("a.o")
    (('the', 'your'), ('^an', 'two'), ('to', 'wo'), ())
    """
    small, texts = _small_pattern(pattern), list[str]()
    if small is None:
        return ()
    for alternative in [small] if "(" in small else small.split("|"):
        needed = _OPTIONAL_END.sub("", alternative)
        if not _CHOICES.fullmatch(needed):
            return ()
        choices = [
            group.split("|") if group else list(letters) or [text] for group, letters, text in _CHOICE.findall(needed)
        ]
        if prod(map(len, choices)) + len(texts) > _MOST_TEXTS:
            return ()
        texts += map("".join, product(*choices))
    return tuple(texts)


def needed_texts(pattern: str) -> tuple[str, ...]:
    """Return up to three texts: each match in ASCII contains one, in any case. Return none if that is not certain.

    In these, any characters may stand for a percent sign.

    >>> needed_texts("get [0-9]+ life"), needed_texts("(the|your)s?"), needed_texts("an?|two"), needed_texts("x*")
    (('get % life',), ('the', 'your'), ('a', 'two'), ())
    """
    small, groups = _small_pattern(pattern), list[str]()
    if small is None:
        return ()

    def without_group(found: re.Match[str]) -> str:
        groups.extend([] if found[2] else [found[1]])
        return "\0"

    bare = _GROUP.sub(without_group, _UNCERTAIN.sub("\0", small))
    if "(" in bare:
        return ()
    choices = [bare] if "|" in bare else [bare, *groups]
    longest = [
        tuple("%".join(_LITERAL.findall(alternative)) for alternative in choice.split("|")) for choice in choices
    ]
    few = [texts for texts in longest if all(texts) and len(texts) <= _MOST_TEXTS]
    return max(few, key=lambda texts: min(map(len, texts)), default=())
