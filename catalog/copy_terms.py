"""Canonical terms for the finish, condition and language of copies."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ccgrid.catalog.errors import NoSuchNameError
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.words import CONDITIONS, fold, vocabulary

NORMAL: Final = "normal"
"""The finish of a card if none is given."""


FINISHES: Final = (NORMAL, "foil", "etched")
REVERSE: Final = "reverse holo"
"""A finish that shines everywhere except in the picture; some tables have a column for it."""
_FINISH_ENDS: Final = frozenset(("foil", "holo", "holofoil", "edition", "limited", "unlimited"))
"""Last words of finishes that only some games have: 1st Edition, Cold Foil."""
_SHINES: Final = lazy_pattern("foil|holo|etched|reverse", re.IGNORECASE)
_MOST_WORDS: Final = 5  # of the name of a finish


def condition_word(text: str) -> str:
    """Return the canonical term for a condition; an unknown word is returned unchanged.

    >>> condition_word("NearMint"), condition_word("light_played"), condition_word("Good (Lightly Played)")
    ('near-mint', 'lightly-played', 'good')
    """
    return vocabulary().find("conditions", fold(text)) or text


def finish_word(text: str) -> str:
    """Return the canonical term for a finish, such as foil; an unknown word is returned unchanged.

    >>> finish_word("Yes"), finish_word("regular"), finish_word("1st Edition")
    ('foil', 'normal', '1st Edition')
    """
    known, folded = vocabulary(), fold(text)
    if (found := known.find("finishes", folded)) or (truth := known.truth(folded)) is None:
        return found or text
    return "foil" if truth else NORMAL


def named_finish(text: str) -> str:
    """Return the finish that a text names, or "" if it names none; finishes of single games are returned unchanged.

    >>> named_finish("F"), named_finish("Sparkling Foil"), named_finish("sparkling")
    ('foil', 'Sparkling Foil', '')
    """
    if found := vocabulary().find("finishes", fold(text)):
        return found
    parts = text.casefold().split()
    is_name = 1 < len(parts) <= _MOST_WORDS and parts[-1] in _FINISH_ENDS
    return text if is_name and not any(vocabulary().truth(fold(part)) is False for part in parts[:-1]) else ""


def shines(finish: str) -> bool:
    """Return whether a finish is a kind of foil, which 1st Edition is not."""
    return bool(_SHINES.search(finish))


def condition_mark(text: str) -> str:
    """Return the canonical term for a condition that may be next to a name, or ""."""
    return vocabulary().in_english("conditions", fold(text))


def finish_mark(text: str) -> str | None:
    """Return the canonical term for a finish that may be next to a name, unlike `yes` or `standard`; or None.

    >>> finish_mark("etched foil"), finish_mark("yes")
    ('etched', None)
    """
    folded = fold(text)
    known = vocabulary()
    # Words of other languages are words of names: Nova.
    return None if known.has("in_names", folded) else known.in_english("finishes", folded) or None


def language_code(text: str) -> str:
    """Return the catalogue's code of a language; an unknown word is returned unchanged.

    >>> language_code("Japanese"), language_code("zh_TW"), language_code("Klingon")
    ('ja', 'zht', 'Klingon')
    """
    return vocabulary().find("languages", fold(text)) or text


def known_finish(text: str) -> str:
    """Return the canonical term for a finish that the user typed.

    Raises:
        NoSuchNameError: If there is no such finish. The message suggests one.

    >>> known_finish("F"), known_finish("1st Edition")
    ('foil', '1st Edition')
    """
    if found := named_finish(text) or named_finish(finish_word(text)):
        return found
    raise _unknown("finish", text, vocabulary().known("finishes"), (*FINISHES, REVERSE))


def known_condition(text: str) -> str:
    """Return the canonical term for a condition that the user typed.

    Raises:
        NoSuchNameError: If there is no such condition. The message suggests one.
    """
    if (found := condition_word(text)) in CONDITIONS:
        return found
    raise _unknown("condition", text, vocabulary().known("conditions"), CONDITIONS)


def known_language(text: str) -> str:
    """Return the code of a language that the user typed.

    Raises:
        NoSuchNameError: If there is no such language. The message suggests one.
    """
    if (found := language_code(text)) in vocabulary().language_names:
        return found
    raise _unknown("language", text, vocabulary().known("languages"), vocabulary().language_names)


def _unknown(what: str, text: str, meanings: Mapping[str, str], known: Iterable[str]) -> NoSuchNameError:
    import difflib

    near = difflib.get_close_matches(text.casefold(), [word for word in meanings if len(word) > 2], cutoff=0.7)
    meant = list(dict.fromkeys(meanings[word] for word in near))
    hint = f"Did you mean {' or '.join(meant)}?" if meant else f"There are: {', '.join(known)}."
    return NoSuchNameError(f"There is no {what} {text!r}. {hint}", kind=what, name=text, known=known)


def language_name(code: str) -> str:
    """Return the name of a language."""
    return vocabulary().language_names.get(code, code)
