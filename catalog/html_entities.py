"""Character references of HTML, which exports and plugins leave in names and texts."""

import html
import re
from typing import Final

_REFERENCE: Final = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]+\d?);", re.IGNORECASE)


def unescape_entities(text: str) -> str:
    """Return a text with the characters that references such as `&amp;` stand for; any other `&` stays.

    >>> unescape_entities("Ovjang &amp; Mnejing"), unescape_entities("R&copy")
    ('Ovjang & Mnejing', 'R&copy')
    """
    return _REFERENCE.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text
