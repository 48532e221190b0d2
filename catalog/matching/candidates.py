"""Candidates: cards as matching compares them, and the many ways in which their names and numbers are written."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.matching.names import fold

_DECORATION: Final = lazy_pattern(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|\s(?:-{1,2}|[–—])\s.*| token)\s*$", re.IGNORECASE)
_NOT_PRINTED: Final = lazy_pattern(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|-\d+|\*\w+|, level \d+)$", re.IGNORECASE)
_BASIC_ENERGY: Final = lazy_pattern(r"basic (\w+ energy)")
"""What Pokémon's clients write for every basic energy, and older sets do not."""
_HALVES: Final = lazy_pattern(r"\s*/{1,2}\s*")
_SUFFIX: Final = lazy_pattern(r"(?<=\d)(?:[a-z]|[★†*]+|[a-z]?[★†])$", re.IGNORECASE)
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
    other_printings: bool = False
    """Whether the source says that other printings exist, which the catalogue may lack."""


def set_key(name: str) -> str:
    """Return the words of a set's name that distinguish it from others, as one text."""
    return " ".join(_ORDINALS.get(word, word) for word in fold(name).split() if word not in _SET_WORDS)


@lru_cache(1 << 12)
def set_words(name: str) -> frozenset[str]:
    """Return the words of a set's name that distinguish it from others."""
    return frozenset(set_key(name).split())


def is_token(name: str) -> bool:
    """Return whether a name states that it is that of a token."""
    return name.casefold().endswith(" token")


@lru_cache(1 << 15)
def forms(name: str) -> tuple[str, ...]:
    """Return the normalised forms that a name may have in the catalogue: whole, its front, without sites' additions."""
    forms = [fold(name)]
    if energy := _BASIC_ENERGY.fullmatch(forms[0]):
        forms.append(energy[1])
    front = _HALVES.split(name, maxsplit=1)[0]
    # One decoration at a time comes off the end: `Bolt (Promo) [M10]` has three forms.
    bare, shorter = name, _DECORATION.sub("", name)
    while shorter and shorter != bare:
        forms.append(fold(shorter))
        bare, shorter = shorter, _DECORATION.sub("", shorter)
    if front and front != name:
        forms.append(fold(front))
    return tuple(form for form in dict.fromkeys(forms) if form)


@lru_cache(1 << 14)
def bare_name(name: str) -> str:
    """Return the normalised printed name, without additions that distinguish cards of one name.

    >>> bare_name("Ley Line Nexus (141)"), bare_name("The Cage [M]"), bare_name("Mercury Princess, Level 2")
    ('ley line nexus', 'the cage', 'mercury princess')
    """
    return fold(_NOT_PRINTED.sub("", name.strip())) or fold(name)


def card_forms(card: Candidate) -> frozenset[str]:
    """Return the normalised texts on a card: its name, each half of it, its name in its language."""
    own = _forms_of_halves(card.name)
    return own | _forms_of_halves(card.printed_name) if card.printed_name else own


@lru_cache(1 << 14)
def _forms_of_halves(name: str) -> frozenset[str]:
    return frozenset(map(fold, (name, *_HALVES.split(name))))


def agrees(name: str, card: Candidate) -> bool:
    """Return whether a name is that of a card, ignoring accents, punctuation, halves and additions to either."""
    if name in (card.name, card.printed_name) or not card_forms(card).isdisjoint(forms(name)):
        return True
    return bare_name(card.name) == fold(name)  # Professor's Research, which data call that of (Professor Sada)


@lru_cache(1 << 12)
def squeeze(name: str) -> str:
    """Return the folded form of a name without its spaces.

    >>> squeeze("Giant growth") == squeeze("GiantGrowth")
    True
    """
    return fold(name).replace(" ", "")


def is_spelled_alike(name: str, card: Candidate) -> bool:
    """Return whether a name is that of a card but for case, accents, punctuation and spaces."""
    return squeeze(name) in {form.replace(" ", "") for form in card_forms(card)}


def is_printed_as(name: str, card: Candidate) -> bool:
    """Return whether a name is that of a card if spaces do not count, nor what sites add to it."""
    return agrees(name, card) or is_spelled_alike(name, card)


def added_words(name: str, card: Candidate) -> str:
    """Return the words that a misspelt name has in front of the name of a card or behind it, or "".

    >>> card = Candidate("mtg:m10/146", "mtg", "Lightning Bolt", "m10", "", "146", "en", None, True, "", "")
    >>> [added_words(name, card) for name in ("Lightnin Bolt 4 LP", "Lightnin Bolt (Promo)", "Lighting bo lt")]
    ['4 LP', '', '']
    """
    from rapidfuzz.fuzz import ratio

    if is_printed_as(name, card):
        return ""
    # The same text on the card for all: without a misspelt word, a name may be more like one of its halves.
    own = max(sorted(card_forms(card)), key=lambda other: ratio(fold(name), other))

    def likeness(words: Sequence[str]) -> float:
        return max((ratio(form, own) for form in forms(" ".join(words))), default=0.0)

    words, behind, before = name.split(), list[str](), list[str]()
    # What a name has beyond that of the card makes it less similar, unlike parts of a misspelt word.
    while len(words) > 1 and likeness(words[:-1]) > likeness(words):
        behind.insert(0, words.pop())
    while len(words) > 1 and likeness(words[1:]) > likeness(words):
        before.append(words.pop(0))
    return " ".join((*before, *behind))


def is_rebalanced(name: str, card: Candidate) -> bool:
    """Return whether a name is that of Arena's rebalanced version of a card: `A-Shock`."""
    return name.startswith("A-") and agrees(name.removeprefix("A-"), card)


def similarity(name: str, card: Candidate) -> float:
    """Return the similarity, 0 to 100, of a name to the name of a card."""
    from rapidfuzz.fuzz import ratio

    return max(ratio(form, other) for form in forms(name) or ("",) for other in card_forms(card))


def number_forms(number: str, code: str) -> list[str]:
    """Return the spellings of a collector number in the catalogue; users write `46`, `046`, `46/264`, `OGN-001`."""
    text = number.strip()
    if text.isdecimal() and not text.startswith("0"):  # as nearly all are
        plain = [text] if len(text) > 2 else [text, text.zfill(3)] if len(text) > 1 else [text, f"0{text}", f"00{text}"]
        # Some sources write the code of the set before the number.
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


@lru_cache(1 << 14)
def plain_number(number: str, code: str) -> str:
    """Return a collector number in comparable form: `★222`, `0222*` and `222★/264` are `222★`, `72+` is `72†`."""
    text = number.partition("/")[0].strip().casefold().removeprefix(f"{code.casefold()}-")
    # A mark may be on either side of a number; it is moved behind it.
    marked = text.translate(_MARKS)
    bare = marked.lstrip("★†")
    whole = bare + marked[: len(marked) - len(bare)]
    return whole.lstrip("0") or whole


def base_number(number: str) -> str:
    """Return a collector number without the mark of a promotional or foil printing: `153s`, `12★`."""
    return _SUFFIX.sub("", plain_number(number, ""))


def same_number(one: str, other: str) -> bool:
    """Return whether two spellings of a collector number are the same."""
    return plain_number(one, "") == plain_number(other, "")
