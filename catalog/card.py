"""The words every other module speaks: zones, cards, and many of them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, Protocol, Self, TypedDict, cast, get_args, overload

Zone = Literal["top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right"]
ZONES: Final[tuple[str, ...]] = get_args(Zone)
"""The eight zones on the rim of a card held upright, in the order in which the house rules name them."""

ZoneOrFace = Literal[Zone, "face"]
"""Where on a card a number is printed."""
Confidence = Literal["high", "medium", "low"]
"""How sure it is that a number is printed where it is said to be."""

LOWEST: Final = 0
HIGHEST: Final = 10


LONGEST_NAME: Final = 200
"""The most characters of a name, of a card, a set, a box or a game, wherever it comes from."""


def short_reason(reason: str) -> str:
    """Why a card is barred, in two or three words; an unknown reason as it is.

    >>> short_reason("multiple-numbers:bottom-right")
    'two numbers, bottom right'
    """
    kind, _, detail = reason.partition(":")
    if kind == "multiple-numbers" and detail in ZONES:
        return f"two numbers, {detail.replace('-', ' ')}"
    if kind in ("layout", "data") and detail:
        return f"{'layout' if kind == 'layout' else 'data lack'} {detail.replace('-', ' ')}"
    return {"digital": "digital-only", "no-number": "no number"}.get(reason, reason)


ZoneNumbers = TypedDict(
    "ZoneNumbers",
    {
        "top-left": int,
        "top": int,
        "top-right": int,
        "left": int,
        "right": int,
        "bottom-left": int,
        "bottom": int,
        "bottom-right": int,
    },
    total=False,
)
"""A number, or a count, for each zone that has one."""


EveryZone = TypedDict(
    "EveryZone",
    {
        "top-left": int | None,
        "top": int | None,
        "top-right": int | None,
        "left": int | None,
        "right": int | None,
        "bottom-left": int | None,
        "bottom": int | None,
        "bottom-right": int | None,
    },
)
"""The number in each of the eight zones, null where there is none or more than one."""


class PrintedCardJson(TypedDict):
    """What is known of a card beside its zones; `face` holds the numbers printed elsewhere."""

    id: str
    game: str
    name: str
    set_code: str
    collector_number: str
    face: list[int]
    score: int
    legal: bool
    reason: str | None
    attack: int | None
    defense: int | None


class CardJson(PrintedCardJson):
    """A card: its numbers by zone, which leave out a zone with no number or with several, and on its face."""

    zones: ZoneNumbers


class ExportedCardJson(PrintedCardJson):
    """A card as tables want it: each of the eight zones is there, null where there is no number or more than one."""

    zones: EveryZone


class NumberJson(TypedDict):
    """A number printed on a card: where it was read, what it comes to, whether it counts and why.

    `confidence` says how sure it is that the field is printed there.
    """

    zone: ZoneOrFace
    field: str
    raw: str
    value: int
    counts: bool
    why: str
    confidence: Confidence


class CorrectionJson(TypedDict, total=False):
    """What is corrected on a card: the keys that are there; `printed` has a text for each place that is."""

    name: str
    set_code: str
    collector_number: str
    attack: int | None
    defense: int | None
    printed: dict[ZoneOrFace, str]
    number_at: str


@dataclass(frozen=True, slots=True)
class Card:
    """One printing of one card with its numbers, each 0 to 10, read by the house rules.

    `zones` maps a zone to its number; a zone with no number, or with several, is left out. `face` holds the numbers
    printed elsewhere, in reading order; `score` is the sum of all of them (rule 13).
    """

    id: str
    game: str
    name: str
    zones: Mapping[str, int]
    score: int
    set_code: str = ""
    set_name: str = ""
    collector_number: str = ""
    face: tuple[int, ...] = ()
    legal: bool = True
    reason: str | None = None
    attack: int | None = None
    defense: int | None = None
    released: str | None = None
    lang: str = "en"
    printed_name: str | None = None

    def __hash__(self) -> int:
        # `zones` is a mapping, which has no hash.
        return hash((self.id, self.name, self.score))

    def to_dict(self) -> CardJson:
        """The card as scripts see it: the keys of the documented JSON shape, in that order."""
        return {
            "id": self.id,
            "game": self.game,
            "name": self.name,
            "set_code": self.set_code,
            "collector_number": self.collector_number,
            "zones": cast("ZoneNumbers", dict(self.zones)),
            "face": list(self.face),
            "score": self.score,
            "legal": self.legal,
            "reason": self.reason,
            "attack": self.attack,
            "defense": self.defense,
        }


class Printing(NamedTuple):
    """One printing of one card as its source describes it; `fields` is what a layout reads and asks about.

    `ids` is what others call the card, such as `mtgo:64236 tcgplayer:131370`: collection files name cards so.
    """

    id: str
    name: str
    fields: dict[str, Any]
    set_code: str = ""
    set_name: str = ""
    collector_number: str = ""
    released: str | None = None
    lang: str = "en"
    printed_name: str | None = None
    ids: str = ""


class UnreadRow(NamedTuple):
    """A row that lacks what a card needs: where it is and why it was left out."""

    where: str
    why: str


SourceRow = Printing | UnreadRow


class SkippedRows(dict[str, tuple[str, int]]):
    """Why rows were skipped: for each reason where the first such row is, and how many there are."""

    _MOST: Final = 20
    OTHER: Final = "other reasons"
    """What reasons beyond the first twenty are counted as."""

    def note(self, where: str, why: str) -> None:
        """Counts a row."""
        if why not in self and len(self) >= self._MOST:
            why = self.OTHER
        first, count = self.get(why, (where, 0))
        self[why] = first, count + 1


def with_file_name(rows: Iterator[SourceRow], name: str, several: bool) -> Iterator[SourceRow]:
    """The rows of one of several files, of which those that could not be read say in which file they are."""
    if not several:
        yield from rows
        return
    for row in rows:
        yield UnreadRow(f"{name}, {row.where}", row.why) if isinstance(row, UnreadRow) else row


def storable(text: str) -> str:
    """A text without halves of surrogate pairs, which no catalogue holds: command lines and names of files may."""
    return text.encode("utf-8", "replace").decode()


def card_game(text: str) -> str:
    """The name of a card game as the catalogue has it, of what somebody wrote."""
    return text.strip().lower()


CUSTOM: Final = "custom"
"""The source of the cards that somebody entered by hand: no other source ever changes or removes them."""

_NOT_IN_ID: Final = re.compile(r"[^\w.+★†-]+")


@lru_cache(maxsize=1 << 12)
def id_part(text: str) -> str:
    """A text as a part of an id: small letters, whatever is not a letter, digit or mark of a number as a hyphen.

    >>> id_part("Ærie of the 3 Dragons!"), id_part("Café"), id_part("T26/T46")
    ('ærie-of-the-3-dragons', 'cafe', 't26-t46')
    """
    plain = text
    if not text.isascii():
        # An accented letter becomes the letter and a mark, which is dropped.
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return _NOT_IN_ID.sub("-", plain.casefold()).strip("-")


Numbers = tuple[int | None, ...]
"""A card's numbers in the order of `ZONES`, None where a zone has none, and then its score."""

_NUMBERS: Final = len(ZONES) + 1


class CardPool(Sequence[Card]):
    """Legal cards as a catalogue keeps them: whoever takes one twice is given two that are equal.

    `kinds` says of each card which numbers it has, as a place in `numbers`: many cards have the same.
    """

    __slots__ = ("_make", "_texts", "kinds", "numbers")

    def __init__(
        self,
        kinds: Sequence[int],
        numbers: Sequence[Numbers],
        texts: Sequence[str],
        make: Callable[[Numbers, str], Card],
    ) -> None:
        self.kinds = kinds
        self.numbers = numbers
        self._texts = texts
        self._make = make

    @classmethod
    def of(cls, rows: Iterable[tuple[Any, ...]], make: Callable[[Numbers, str], Card]) -> Self:
        """The cards of these rows: a card's numbers, and all else about it as `make` reads it, which makes the card.

        `make` is a function of a module, so that other processes can be sent the cards.
        """
        places: dict[Numbers, int] = {}
        kinds, texts = [], []
        for row in rows:  # not kept as tuples: the garbage collector would walk through all of them again and again
            kinds.append(places.setdefault(row[:_NUMBERS], len(places)))
            texts.append(row[_NUMBERS])
        return cls(kinds, list(places), texts, make)

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, place: int) -> Card: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Card, ...]: ...
    def __getitem__(self, place: int | slice) -> Card | tuple[Card, ...]:
        if isinstance(place, slice):
            return tuple([self[one] for one in range(*place.indices(len(self)))])
        return self._make(self.numbers[self.kinds[place]], self._texts[place])


class Sampler(Protocol):
    """A source of random numbers, such as the dice of games."""

    def sample(self, size: int, count: int, /) -> Sequence[int]:
        """`count` different numbers from 0 to `size` - 1 in random order."""
