"""Markup that data files leave in names and texts: HTML, LackeyCCG's `[[i]]`, and bold Markdown."""

import html
import re
from typing import Final

_REFERENCE: Final = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]+\d*);", re.IGNORECASE)
TAG: Final = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|small|li|ul|ol|p|br|hr|span|div|td|tr|th|table|tbody|font|sup|sub|h[1-6]|trace|errata)"
    r"\b[^<>]*>",
    re.IGNORECASE,
)
"""Only known tags: One Piece prints `<Slash>` on its cards."""
_BREAK: Final = re.compile(r"\s*(?:<br ?/?>|</?(?:p|ul|ol|li|div)>|\[\[br\]\])\s*", re.IGNORECASE)
_STYLE: Final = re.compile(r"\[\[(?:/|b|ex|i|s|u)\]\]", re.IGNORECASE)
_BOLD: Final = re.compile(r"\*\*(\S[^*]*)\*\*")


def unescape_entities(text: str) -> str:
    """Return a text with the characters that references such as `&amp;` stand for; any other `&` stays.

    >>> unescape_entities("Ovjang &amp; Mnejing"), unescape_entities("R&copy")
    ('Ovjang & Mnejing', 'R&copy')
    """
    return _REFERENCE.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def without_markup(text: str) -> str:
    r"""Return a rules text as the card shows it: with line breaks, and without tags that change only its look.

    >>> without_markup("Interface → <strong>1[credit]:</strong> Break.<br>Deal [[i]]one[[/]] to a <Slash> character.")
    'Interface → 1[credit]: Break.\nDeal one to a <Slash> character.'
    """
    return _BOLD.sub(r"\1", _STYLE.sub("", TAG.sub("", _BREAK.sub("\n", text)))).strip()
