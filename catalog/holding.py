"""Copies of a card that somebody owns: what kind they are, where, what is noted of them, and the words for it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypedDict

from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.words import CONDITIONS, fold, vocabulary

NO_DETAILS: Final = "{}"
"""The text where nothing is known."""
_PRICE: Final = re.compile(
    r"(?P<before>[^\d\s.,-]{0,3})\s*"
    r"(?P<price>[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d{1,4})?|(?:\.\d{3})+,\d{1,4})|\d{1,9}(?:[.,]\d{1,4})?)"
    r"\s*(?P<after>[^\d\s.,]{0,3})"
)
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_SIGNS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_GRADE: Final = re.compile(r"(?P<grader>[A-Za-z][A-Za-z. ]*?)[ :-]*(?P<grade>\d.*)")
_NO_GRADES: Final = frozenset(("ungraded", "raw", "na"))
_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
MARKS: Final = ("signed", "altered", "proxy")
"""What a copy may be, by its field of `Details`."""
_FLAGS: Final = (*MARKS, "for_trade")
_REMEMBERED: Final = 1 << 12  # different details; most rows of a file have one of a few


class DetailsJson(TypedDict):
    """What an owner knows of copies; null, false or empty where nothing is. `own` has columns of their own."""

    acquired: str | None
    price: str | None
    currency: str | None
    tags: list[str]
    signed: bool
    altered: bool
    proxy: bool
    for_trade: bool
    grader: str | None
    grade: str | None
    own: dict[str, str]


class Details(NamedTuple):
    """What an owner knows of copies.

    `acquired` is a date as it was written, `price` what one copy cost, as a decimal number, in `currency`; `grader` the
    company that gave the `grade`; `own` pairs of a heading and a text, for what has no field here. `for_trade` counts
    the copies that may be traded in a row of a file, and is 1 or 0 for copies that are kept, all of which may or may
    not.
    """

    acquired: str = ""
    price: str = ""
    currency: str = ""
    tags: tuple[str, ...] = ()
    signed: int = 0
    altered: int = 0
    proxy: int = 0
    for_trade: int = 0
    grader: str = ""
    grade: str = ""
    own: tuple[tuple[str, str], ...] = ()

    @property
    def graded(self) -> str:
        """Company and grade in one text: PSA 9."""
        return f"{self.grader} {self.grade}".strip()

    def text(self) -> str:
        """The same as it is kept: JSON with what is known, its keys in order."""
        return _text(self)

    def to_dict(self) -> DetailsJson:
        """The documented shape beside the other fields of a holding."""
        return {
            "acquired": self.acquired or None,
            "price": self.price or None,
            "currency": self.currency or None,
            "tags": list(self.tags),
            "signed": bool(self.signed),
            "altered": bool(self.altered),
            "proxy": bool(self.proxy),
            "for_trade": bool(self.for_trade),
            "grader": self.grader or None,
            "grade": self.grade or None,
            "own": dict(self.own),
        }

    def __str__(self) -> str:
        cost = f"{self.price} {self.currency}".strip()
        flags = [name.replace("_", " ") for name in _FLAGS if getattr(self, name)]
        own = [f"{heading}: {text}" for heading, text in self.own]
        words = [self.graded, *flags, *(f"#{tag}" for tag in self.tags), cost, self.acquired, *own]
        return ", ".join(part for part in words if part)


@lru_cache(_REMEMBERED)  # many rows of a file say the same
def _text(details: Details) -> str:
    known: dict[str, Any] = {name: value for name, value in zip(details._fields, details, strict=True) if value}
    if not known:
        return NO_DETAILS
    if details.own:
        known["own"] = dict(details.own)
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@lru_cache(_REMEMBERED)
def details_of(text: str) -> Details:
    """The details in a text that `Details.text` made."""
    if text == NO_DETAILS:
        return Details()
    known = json.loads(text)
    fields = {name: known[name] for name in Details._fields if name in known}
    fields["tags"] = tuple(fields.get("tags", ()))
    fields["own"] = tuple(sorted(fields.get("own", {}).items()))
    return Details(**fields)


def split_for_trade(text: str, copies: int) -> Iterator[tuple[str, int]]:
    """The details of a row's copies as they are stored, each with a count: those for trade apart from the rest."""
    if '"for_trade"' not in text:
        yield text, copies
        return
    details = details_of(text)
    traded = min(details.for_trade, copies)
    yield details._replace(for_trade=1).text(), traded
    if traded < copies:
        yield details._replace(for_trade=0).text(), copies - traded


def merge_details(old: str, new: str, fields: frozenset[str]) -> str:
    """New details, with the old ones in the fields that are not among `fields`: of these the new ones say nothing."""
    if old in (NO_DETAILS, new):
        return new
    before, now = details_of(old), details_of(new)
    whole = now._replace(**{name: getattr(before, name) for name in Details._fields if name not in fields})
    if "own" in fields:  # each heading by itself
        whole = whole._replace(own=tuple(sorted((dict(before.own) | dict(now.own)).items())))
    return whole.text()


class DetailEdit(NamedTuple):
    """What becomes otherwise of details: None leaves it as it is, an empty text or an empty tuple takes it away."""

    acquired: str | None = None
    price: str | None = None
    tags: tuple[str, ...] | None = None
    signed: bool | None = None
    altered: bool | None = None
    proxy: bool | None = None
    for_trade: bool | None = None
    grade: str | None = None
    own: tuple[str, ...] | None = None
    """Texts such as `Shelf=3`; one that ends in the sign takes the column away."""

    def of(self, text: str) -> str:
        """What the details in a text become.

        Raises CatalogError where a price, a date or a column of one's own is none.
        """
        if self == DetailEdit():
            return text
        details = details_of(text)
        flags = {name: getattr(self, name) for name in _FLAGS}
        changed: dict[str, Any] = {name: int(wanted) for name, wanted in flags.items() if wanted is not None}
        details = details._replace(**changed)
        if self.acquired is not None:
            if self.acquired and not _DATE.fullmatch(self.acquired):
                raise CatalogError(f"{self.acquired!r} is no date: write it year first, such as 2024-05-31.")
            details = details._replace(acquired=self.acquired)
        if self.price is not None:
            price = price_of(self.price) if self.price else ("", "")
            if price is None:
                raise CatalogError(f"{self.price!r} is no price: write it as 1.50 or '1.50 EUR'.")
            details = details._replace(price=price[0], currency=price[1])
        if self.tags is not None:
            details = details._replace(tags=tags_of(",".join(self.tags)))
        if self.grade is not None:
            grader, grade = grade_of(self.grade)
            details = details._replace(grader=grader, grade=grade)
        own = dict(details.own)
        for pair in self.own or ():
            heading, sign, said = (part.strip() for part in pair.partition("="))
            if not heading or not sign:
                raise CatalogError(f"{pair!r} names no column of your own: write HEADING=TEXT.")
            own[heading] = said
        return details._replace(own=tuple(sorted((name, said) for name, said in own.items() if said))).text()

    def __str__(self) -> str:
        words = []
        for name, wanted in zip(self._fields, self, strict=True):
            word = name.replace("_", " ")
            if isinstance(wanted, bool):
                words.append(word if wanted else f"not {word}")
            elif wanted is not None:
                words.append(f"{word} {wanted if isinstance(wanted, str) else ', '.join(wanted)}".strip() or "none")
        return ", ".join(words)


# --- what people write ------------------------------------------------------------------------------------------


def is_yes(text: str) -> bool:
    """Return whether a text says yes, in any language.

    >>> is_yes("WAHR"), is_yes("1"), is_yes("False"), is_yes("perhaps")
    (True, True, False, False)
    """
    return vocabulary().truth(fold(text)) is True


def tags_of(text: str) -> tuple[str, ...]:
    """The tags in a cell, each once.

    >>> tags_of("cube, #old;cube")
    ('cube', 'old')
    """
    return tuple(dict.fromkeys(filter(None, (tag.strip().lstrip("#").strip() for tag in re.split("[,;]", text)))))


def price_of(text: str) -> tuple[str, str] | None:
    """A price and its currency, where the text says one; None where it is no price.

    A point or a comma before three digits parts thousands where another follows; a comma does so alone, too.

    >>> price_of("$1,50"), price_of("12 EUR"), price_of("dear")
    (('1.50', 'USD'), ('12', 'EUR'), None)
    >>> price_of("$1,234"), price_of("1.234,50 €"), price_of("0,125")
    (('1234', 'USD'), ('1234.50', 'EUR'), ('0.125', ''))
    """
    match = _PRICE.fullmatch(text.strip())
    if match is None:
        return None
    sign = match["before"] or match["after"]
    price = match["price"]
    if "." in price and "," in price:
        # The sign that comes first parts thousands, the other one is the point.
        price = price.replace(min(".,", key=price.find), "")
    elif _THOUSANDS.fullmatch(price):
        price = price.replace(",", "")
    return price.replace(",", "."), _SIGNS.get(sign, sign.upper())


def grade_of(text: str) -> tuple[str, str]:
    """The company that graded, and the grade, as far as a text says them.

    >>> grade_of("PSA 9.5"), grade_of("10"), grade_of("Ungraded")
    (('PSA', '9.5'), ('', '10'), ('', ''))
    """
    text = text.strip()
    if is_no_grade(text):
        return "", ""
    match = _GRADE.fullmatch(text)
    return ("", text) if match is None else (match["grader"].strip(), match["grade"].strip())


def is_no_grade(text: str) -> bool:
    """Whether a cell for a grade says that there is none."""
    return vocabulary().truth(fold(text)) is False or fold(text) in _NO_GRADES


NORMAL: Final = "normal"
"""The finish of a card that nobody says otherwise of."""


class Place(NamedTuple):
    """Where copies are; an empty text where nobody said."""

    box: str = ""
    row: str = ""
    slot: str = ""

    def __str__(self) -> str:
        parts = [self.box, f"row {self.row}" if self.row else "", f"slot {self.slot}" if self.slot else ""]
        return ", ".join(part for part in parts if part)


NOWHERE: Final = Place()
"""The place of copies of which nobody said where they are."""


class HoldingJson(DetailsJson):
    """Copies of one card, of one kind and in one place; `location` is box, row and slot in words.

    `out` counts those that are in decks just now.
    """

    id: str
    name: str
    copies: int
    finish: str
    condition: str | None
    language: str
    location: str | None
    game: str
    set_code: str
    set_name: str
    collector_number: str
    rarity: str | None
    note: str | None
    box: str
    row: str
    slot: str
    out: int


class Holding(NamedTuple):
    """Copies of one card, of one finish, condition and language, in one place, with one note.

    Name, set and number are those that the card had when the catalogue last had it. `rarity` is what a file called it;
    `note` is what the owner wrote of the copies, `details` what else they know of them, as `Details.text` keeps it.
    They were `added`, and became more or fewer (`changed`), at these times, UTC, where that is known; `out` counts
    those that are in decks just now.
    """

    id: int
    card_id: str
    copies: int
    finish: str
    condition: str
    language: str
    place: Place
    game: str
    name: str
    set_code: str
    set_name: str
    number: str
    ids: str
    rarity: str = ""
    note: str = ""
    details: str = NO_DETAILS
    added: str | None = None
    changed: str | None = None
    out: int = 0

    @property
    def known(self) -> Details:
        """What the owner knows of the copies beyond their kind."""
        return details_of(self.details)

    def source_id(self, kind: str) -> str:
        """What others call the card, such as its id at `scryfall`; nothing where that is not known."""
        return next((one.partition(":")[2] for one in self.ids.split() if one.startswith(f"{kind}:")), "")

    def to_dict(self) -> HoldingJson:
        """The documented shape of a line of `collection list --json`."""
        return {
            "id": self.card_id,
            "name": self.name,
            "copies": self.copies,
            "finish": self.finish,
            "condition": self.condition or None,
            "language": self.language,
            "location": str(self.place) or None,
            "game": self.game,
            "set_code": self.set_code,
            "set_name": self.set_name,
            "collector_number": self.number,
            "rarity": self.rarity or None,
            "note": self.note or None,
            "box": self.place.box,
            "row": self.place.row,
            "slot": self.place.slot,
            "out": self.out,
            **self.known.to_dict(),
        }


# --- finishes, conditions and languages: the house words, and which of them people mean --------------------------


FINISHES: Final = (NORMAL, "foil", "etched")
REVERSE: Final = "reverse holo"
"""A finish that shines everywhere but in the picture; some tables have a column for it."""
_FINISH_ENDS: Final = frozenset(("foil", "holo", "holofoil", "edition", "limited", "unlimited"))
"""Words that end the names of finishes which some games alone know: 1st Edition, Cold Foil."""
_SHINES: Final = re.compile("foil|holo|etched|reverse", re.IGNORECASE)
_MOST_WORDS: Final = 5  # of the name of a finish


def condition_word(text: str) -> str:
    """Return the house word for a condition; an unknown word is returned as it is.

    >>> condition_word("NearMint"), condition_word("light_played"), condition_word("Good (Lightly Played)")
    ('near-mint', 'lightly-played', 'good')
    """
    return vocabulary().find("conditions", fold(text)) or text


def finish_word(text: str) -> str:
    """Return the house word for a finish, such as foil; an unknown word is returned as it is.

    >>> finish_word("Yes"), finish_word("regular"), finish_word("1st Edition")
    ('foil', 'normal', '1st Edition')
    """
    known, folded = vocabulary(), fold(text)
    if (found := known.find("finishes", folded)) or (truth := known.truth(folded)) is None:
        return found or text
    return "foil" if truth else NORMAL


def named_finish(text: str) -> str:
    """Return the finish that a text names, or "" if it names none; finishes of single games are named as they are.

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
    """Return the house word for a condition that may be beside a name, or ""."""
    return vocabulary().in_english("conditions", fold(text))


def finish_mark(text: str) -> str | None:
    """Return the house word for a finish that may be beside a name, where `yes` or `standard` may not; or None.

    >>> finish_mark("etched foil"), finish_mark("yes")
    ('etched', None)
    """
    folded = fold(text)
    known = vocabulary()
    # Words of other languages are words of names: Nova.
    return None if known.has("in_names", folded) else known.in_english("finishes", folded) or None


def language_code(text: str) -> str:
    """Return the code of a language as the catalogue has it; an unknown word is returned as it is.

    >>> language_code("Japanese"), language_code("zh_TW"), language_code("Klingon")
    ('ja', 'zht', 'Klingon')
    """
    return vocabulary().find("languages", fold(text)) or text


def known_finish(text: str) -> str:
    """The house word for a finish that a person typed; NoSuchNameError suggests one where there is none such.

    >>> known_finish("F"), known_finish("1st Edition")
    ('foil', '1st Edition')
    """
    if found := named_finish(text) or named_finish(finish_word(text)):
        return found
    raise _unknown("finish", text, vocabulary().known("finishes"), (*FINISHES, REVERSE))


def known_condition(text: str) -> str:
    """The house word for a condition that a person typed; NoSuchNameError suggests one where there is none such."""
    if (found := condition_word(text)) in CONDITIONS:
        return found
    raise _unknown("condition", text, vocabulary().known("conditions"), CONDITIONS)


def known_language(text: str) -> str:
    """The code of a language that a person typed; NoSuchNameError suggests one where there is none such."""
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
    """What people call a language."""
    return vocabulary().language_names.get(code, code)
