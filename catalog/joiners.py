"""Invisible characters that belong to words and emoji."""

from typing import Final

from ccgrid.catalog.lazy_patterns import lazy_pattern

# Zero-width joiners and non-joiners shape letters of Persian, Hindi and other scripts, and join emoji. Between ASCII
# letters, at an end or repeated they show nothing, and would only make two names look alike. A black flag with tags is
# the flag of a region.
_JOINED: Final = lazy_pattern(
    "(?<=[^\0-\x7f\\s\u200c\u200d])[\u200c\u200d](?=[^\0-\x7f\\s\u200c\u200d])"
    "|(?<=\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f"
)


def joiners_in(text: str) -> set[int]:
    """Return the positions of invisible characters that change how their neighbours look."""
    return {place for found in _JOINED.finditer(text) for place in range(*found.span())}


def is_visible(text: str) -> bool:
    """Return whether all other characters of a text are printable.

    >>> is_visible("می\u200cخواهم"), is_visible("Ann\u200d")
    (True, False)
    """
    return text.isprintable() or _JOINED.sub("", text).isprintable()
