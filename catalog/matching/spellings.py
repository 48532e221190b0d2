"""How one card is written in many ways: names with and without halves and decoration, numbers, sets; pure."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ccgrid.catalog.matching.names import fold

_DECORATION: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|\s(?:-{1,2}|[–—])\s.*| token)\s*$", re.IGNORECASE)
_NOT_PRINTED: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|-\d+|\*\w+|, level \d+)$", re.IGNORECASE)
_HALVES: Final = re.compile(r"\s*/{1,2}\s*")
_SUFFIX: Final = re.compile(r"(?<=\d)(?:[a-z]|[★†*]+|[a-z]?[★†])$", re.IGNORECASE)
_MARKS: Final = str.maketrans("*+", "★†")
"""As XMage writes them, and as they are printed."""
_ORDINALS: Final = {
    **{"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th"},
    **{"seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th"},
}
_SET_WORDS: Final = frozenset(("the", "edition", "core", "set", "series", "magic", "gathering", "decks", "deck", "ed"))


class Candidate(NamedTuple):
    """A card as far as matching needs it."""

    id: str
    game: str
    name: str
    set_code: str
    set_name: str
    number: str
    lang: str
    printed_name: str | None
    legal: bool
    released: str
    ids: str
    numbers: str = ""
    """All numbers of the card as one text: printings with the same are one card in every game."""


def set_key(name: str) -> str:
    """The words of a set's name that tell it from others."""
    return " ".join(_ORDINALS.get(word, word) for word in fold(name).split() if word not in _SET_WORDS)


@lru_cache(1 << 12)
def set_words(name: str) -> frozenset[str]:
    """The words of a set's name that tell it from others."""
    return frozenset(set_key(name).split())


def is_token(name: str) -> bool:
    """Whether a name says of itself that it is a token's."""
    return name.casefold().endswith(" token")


@lru_cache(1 << 15)
def forms(name: str) -> tuple[str, ...]:
    """The folded forms in which a name may be in the catalogue: whole, its front, without what sites add to it."""
    forms = [fold(name)]
    front = _HALVES.split(name, maxsplit=1)[0]
    bare, shorter = name, _DECORATION.sub("", name)
    while shorter and shorter != bare:
        forms.append(fold(shorter))
        bare, shorter = shorter, _DECORATION.sub("", shorter)
    if front and front != name:
        forms.append(fold(front))
    return tuple(form for form in dict.fromkeys(forms) if form)


@lru_cache(1 << 14)
def bare_name(name: str) -> str:
    """A name as it is printed, folded: without what data add to tell cards of one name apart.

    >>> bare_name("Ley Line Nexus (141)"), bare_name("The Cage [M]"), bare_name("Mercury Princess, Level 2")
    ('ley line nexus', 'the cage', 'mercury princess')
    """
    return fold(_NOT_PRINTED.sub("", name.strip())) or fold(name)


def card_forms(card: Candidate) -> frozenset[str]:
    """The folded forms of what is written on a card: its name, each half of it, its name in its language."""
    own = _forms_of_halves(card.name)
    return own | _forms_of_halves(card.printed_name) if card.printed_name else own


@lru_cache(1 << 14)
def _forms_of_halves(name: str) -> frozenset[str]:
    return frozenset(map(fold, (name, *_HALVES.split(name))))


def agrees(name: str, card: Candidate) -> bool:
    """Whether a name is that of a card, as far as accents, punctuation, halves and what sites add go."""
    return name in (card.name, card.printed_name) or not card_forms(card).isdisjoint(forms(name))


def is_rebalanced(name: str, card: Candidate) -> bool:
    """Whether a name is that of Arena's own version of a card, with other numbers, in no booster: `A-Shock`."""
    return name.startswith("A-") and agrees(name.removeprefix("A-"), card)


def similarity(name: str, card: Candidate) -> float:
    """How alike a name and that of a card are, 0 to 100."""
    from rapidfuzz.fuzz import ratio

    return max(ratio(form, other) for form in forms(name) or ("",) for other in card_forms(card))


def number_forms(number: str, code: str) -> list[str]:
    """How the catalogue may write a collector number; people write `46`, `046`, `46/264`, `OGN-001`."""
    text = number.strip()
    if text.isdecimal() and not text.startswith("0"):  # as nearly all are
        plain = [text] if len(text) > 2 else [text, text.zfill(3)] if len(text) > 1 else [text, f"0{text}", f"00{text}"]
        return plain + [f"{code}-{form}" for form in plain]
    whole = text.partition("/")[0].strip()
    prefix, _, last = whole.rpartition("-")
    written = [text]
    for form in (whole, last) if prefix.casefold() == code.casefold() else (whole,):
        bare = form.lstrip("0") or form
        written += [form, bare]
        if bare.isdigit():
            written += [bare.zfill(2), bare.zfill(3)]
    written += [f"{code}-{form}" for form in list(written)]
    return list(dict.fromkeys(form for form in written if form))


def plain_number(number: str, code: str) -> str:
    """A collector number as one compares it: `★222`, `0222*` and `222★/264` are `222★`, `72+` is `72†`."""
    text = number.partition("/")[0].strip().casefold().removeprefix(f"{code.casefold()}-")
    marked = text.translate(_MARKS)
    bare = marked.lstrip("★†")
    whole = bare + marked[: len(marked) - len(bare)]
    return whole.lstrip("0") or whole


def base_number(number: str) -> str:
    """A collector number without what marks a promotional or foil printing: `153s`, `12★`."""
    return _SUFFIX.sub("", plain_number(number, ""))


def same_number(one: str, other: str) -> bool:
    """Whether two collector numbers are the same as people write them."""
    return plain_number(one, "") == plain_number(other, "")
