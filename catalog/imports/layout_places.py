"""In which zones fields are printed, told by cards whose numbers were seen on pictures and whose data are known.

A field stands where its numbers are seen far more often than another card's would be. The clearest place is taken
first, and what it explains is taken off the pictures; so a number teaches one field, and two fields may share a zone.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

FEWEST: Final = 2
"""So many cards at least must show a field in a zone."""
_LUCK: Final = {"high": 1e-4, "medium": 2e-3, "low": 1e-2}  # how likely chance alone may be to show as much
_HIGH: Final = (6, 0.85)  # so many cards have the field, and that part of them show it
_MEDIUM: Final = (3, 0.6)
_LOW: Final = (2, 0.34)
_TELLING: Final = 0.02  # how likely chance may be to part cards by a column as they are parted
_MOST_VALUES: Final = 8  # of a column that tells where a field is printed
_MOST_PLACES: Final = 40

Reading = tuple[str, str]
"""How a field is read (`collector` or nothing) and which part of it."""


class Told(NamedTuple):
    """One card: what each field and reading of its data gives, what parts it from others, and the numbers on it."""

    values: Mapping[tuple[str, Reading], Counter[int]]
    columns: Mapping[str, str]
    zones: Mapping[str, Sequence[int]]


class LearnedPlace(NamedTuple):
    """A field and the zone it stands in, on `seen` of the `cards` whose data have a number there, and how sure.

    `reading` is how the field is read; `column` and `among` say of which cards this holds, nothing of all; `unseen` are
    values of that column that are on no picture.
    """

    field: str
    zone: str
    seen: int
    cards: int
    confidence: str
    reading: Reading = ("", "")
    column: str = ""
    among: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """How often it was seen, in words, for a layout."""
        unseen = f"; no scan shows {', '.join(self.unseen)}" if self.unseen else ""
        return f"seen there on {self.seen} of {self.cards} scans{unseen}"

    @property
    def cases(self) -> str:
        """Of which cards it holds, in words; nothing of all."""
        return f" where {self.column} is {' or '.join(self.among)}" if self.column else ""


class Unexplained(NamedTuple):
    """A zone with numbers that no field of the data accounts for, on so many of the cards."""

    zone: str
    cards: int


def places(told: Sequence[Told]) -> tuple[list[LearnedPlace], list[Unexplained]]:
    """Where the fields are printed, the clearest first, and the zones whose numbers stay unexplained."""
    left = [{zone: Counter(numbers) for zone, numbers in card.zones.items()} for card in told]
    found: list[LearnedPlace] = []
    for _ in range(_MOST_PLACES):
        best = min(_candidates(told, left, found), key=lambda one: one[0], default=None)
        if best is None:
            break
        _, place, hits = best
        found.append(place)
        for card in hits:
            left[card][place.zone] -= told[card].values[place.field, place.reading]
    rest: Counter[str] = Counter(zone for zones in left for zone, numbers in zones.items() if numbers.total())
    return found, [Unexplained(zone, cards) for zone, cards in rest.most_common() if cards >= FEWEST]


_Candidate = tuple[float, LearnedPlace, list[int]]
"""How good a place is, the least the best and of equals the first; the place; and the cards that show it."""


def _candidates(
    told: Sequence[Told], left: Sequence[Mapping[str, Counter[int]]], found: Sequence[LearnedPlace]
) -> Iterator[_Candidate]:
    """The places that the numbers left speak for."""
    readings = dict.fromkeys(key for card in told for key in card.values)
    zones = sorted({zone for card in left for zone, numbers in card.items() if numbers.total()})
    chosen = {place.field: place.reading for place in found}
    for field, reading in readings:
        if chosen.get(field, reading) != reading:
            continue  # a field is read in one way
        having = [card for card in range(len(told)) if (field, reading) in told[card].values]
        for zone in zones:
            taken = [place for place in found if (place.field, place.zone) == (field, zone)]
            if taken and not all(place.column for place in taken):
                continue
            cards = [card for card in having if not any(told[card].columns.get(p.column) in p.among for p in taken)]
            hits = [card for card in cards if told[card].values[field, reading] <= left[card].get(zone, Counter())]
            if len(hits) >= FEWEST:
                column, among = _parted(told, cards, hits)
                within = [card for card in cards if not column or told[card].columns.get(column) in among]
                shown = sorted(set(hits).intersection(within))
                candidate = _weighed(
                    told, left, LearnedPlace(field, zone, 0, 0, "", reading, column, among), within, shown
                )
                if candidate is not None:
                    yield candidate


def _weighed(
    told: Sequence[Told],
    left: Sequence[Mapping[str, Counter[int]]],
    place: LearnedPlace,
    cards: Sequence[int],
    hits: list[int],
) -> _Candidate | None:
    """A place with how sure it is; None where chance alone may well show as much."""
    key = (place.field, place.reading)
    alike = _fitting([told[card].values[key] for card in cards], [left[card].get(place.zone) for card in cards])
    others = len(cards) * (len(cards) - 1)
    luck = at_least(len(hits), len(cards), (alike - len(hits) + 0.5) / (others + 1))
    once = Counter(told[card].columns.get(place.column, "") for card in cards) if place.column else Counter[str]()
    for confidence, (fewest, part) in (("high", _HIGH), ("medium", _MEDIUM), ("low", _LOW)):
        if len(cards) >= fewest and len(hits) >= max(FEWEST, part * len(cards)) and luck < _LUCK[confidence]:
            if confidence == "high" and 1 in once.values():
                confidence = "medium"  # one card says little of all of its type
            seen = place._replace(seen=len(hits), cards=len(cards), confidence=confidence)
            return luck * len(cards) / len(hits), seen, hits
    return None


def _fitting(values: Sequence[Counter[int]], zones: Sequence[Counter[int] | None]) -> int:
    """How often the numbers of a field of one card are in a zone of one, its own or another; equal ones told once."""
    fields = Counter(frozenset(value.items()) for value in values)
    shown = Counter(frozenset((zone or Counter()).items()) for zone in zones)
    return sum(
        many * often
        for value, many in fields.items()
        for zone, often in shown.items()
        if Counter(dict(value)) <= Counter(dict(zone))
    )


def _parted(told: Sequence[Told], cards: Sequence[int], hits: Sequence[int]) -> tuple[str, tuple[str, ...]]:
    """The column that tells on which cards a field stands in a zone, and its values there; nothing where none tells."""
    columns = dict.fromkeys(column for card in cards for column in told[card].columns)
    best: tuple[float, str, tuple[str, ...]] = (_TELLING / max(1, len(columns)), "", ())
    for column in columns:
        every = Counter(told[card].columns.get(column, "") for card in cards)
        shown = Counter(told[card].columns.get(column, "") for card in hits)
        among = tuple(sorted(value for value in shown if value and 2 * shown[value] > every[value]))
        within, right = sum(every[value] for value in among), sum(shown[value] for value in among)
        if not among or within == len(cards) or len(every) > _MOST_VALUES:
            continue
        chance = drawn(right, len(hits), within, len(cards))
        if chance < best[0]:
            best = chance, column, among
    return best[1:]


def at_least(hits: int, cards: int, chance: float) -> float:
    """How likely so many hits or more are on so many cards, each of them a hit with that chance.

    >>> at_least(2, 2, 0.5), at_least(0, 2, 0.5)
    (0.25, 1.0)
    """
    return sum(math.comb(cards, n) * chance**n * (1 - chance) ** (cards - n) for n in range(hits, cards + 1))


def drawn(right: int, hits: int, within: int, cards: int) -> float:
    """How likely it is that of so many hits so many or more fall within a part of the cards, if they fall anyhow.

    >>> drawn(2, 2, 2, 4) == 1 / 6, drawn(0, 2, 2, 4)
    (True, 1.0)
    """
    ways = sum(math.comb(within, n) * math.comb(cards - within, hits - n) for n in range(right, min(within, hits) + 1))
    return ways / math.comb(cards, hits)
