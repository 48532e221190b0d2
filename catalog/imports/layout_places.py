"""Zones of fields, learned from cards whose numbers were seen on pictures."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

FEWEST: Final = 2
"""The least cards that must show a field in a zone."""
_P_VALUES: Final = {"high": 1e-4, "medium": 2e-3, "low": 1e-2}  # the largest p-value for each confidence
_HIGH: Final = (6, 0.85)  # the least cards with the field, and the least share that shows it
_MEDIUM: Final = (3, 0.6)  # the same for medium confidence
_LOW: Final = (2, 0.34)  # and for low
_SIGNIFICANCE_LEVEL: Final = 0.02  # for a column that separates cards, before Bonferroni's correction
_MOST_VALUES: Final = 8  # of a column that determines the zone
_MOST_PLACES: Final = 40  # places in a draft

Reading = tuple[str, str]
"""How a field is read (`collector` or "") and which part of it."""


class KnownCard(NamedTuple):
    """A card: the numbers of each field and reading of its data, its columns of words, and the numbers on it."""

    values: Mapping[tuple[str, Reading], Counter[int]]
    columns: Mapping[str, str]
    zones: Mapping[str, Sequence[int]]


class LearnedPlace(NamedTuple):
    """A field and its zone, seen on `seen` of the `cards` with a number in the field.

    Attributes:
        reading: How the field is read.
        column: The column that determines on which cards it is in this zone; "" for all cards.
        among: The values of the column on those cards.
        unseen: Values of the column without a picture.
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
        """A note for the layout: how often it was seen."""
        unseen = f"; no scan shows {', '.join(self.unseen)}" if self.unseen else ""
        return f"seen there on {self.seen} of {self.cards} scans{unseen}"

    @property
    def cases(self) -> str:
        """The cards for which it holds, as text; "" for all."""
        return f" where {self.column} is {' or '.join(self.among)}" if self.column else ""


class UnexplainedZone(msgspec.Struct, frozen=True, kw_only=True):
    """A zone with numbers that no field of the data accounts for, and the number of cards that show some."""

    zone: str
    cards: int


def places(known: Sequence[KnownCard]) -> tuple[list[LearnedPlace], list[UnexplainedZone]]:
    """Return the places of the fields, the clearest first, and the zones with unexplained numbers."""
    # The unexplained numbers of each zone of each card.
    left = [{zone: Counter(numbers) for zone, numbers in card.zones.items()} for card in known]
    found: list[LearnedPlace] = []
    # Greedy: find the clearest place, and remove the numbers that it explains before finding the next.
    for _ in range(_MOST_PLACES):
        best = min(_candidates(known, left, found), key=lambda one: one[0], default=None)
        if best is None:
            break
        _, place, hits = best
        found.append(place)
        for card in hits:
            left[card][place.zone] -= known[card].values[place.field, place.reading]
    rest: Counter[str] = Counter(zone for zones in left for zone, numbers in zones.items() if numbers.total())
    return found, [UnexplainedZone(zone=zone, cards=cards) for zone, cards in rest.most_common() if cards >= FEWEST]


_Candidate = tuple[float, LearnedPlace, list[int]]
"""The cost of a place, the place, and the cards that show it."""


def _candidates(
    known: Sequence[KnownCard], left: Sequence[Mapping[str, Counter[int]]], found: Sequence[LearnedPlace]
) -> Iterator[_Candidate]:
    """Yield the places that the unexplained numbers support."""
    readings = dict.fromkeys(key for card in known for key in card.values)
    zones = sorted({zone for card in left for zone, numbers in card.items() if numbers.total()})
    chosen = {place.field: place.reading for place in found}
    for field, reading in readings:
        if chosen.get(field, reading) != reading:
            continue  # a field has only one reading
        having = [card for card in range(len(known)) if (field, reading) in known[card].values]
        for zone in zones:
            taken = [place for place in found if (place.field, place.zone) == (field, zone)]
            if taken and not all(place.column for place in taken):
                # It is already in this zone on all cards.
                continue
            # Skip cards of types for which this field already has this zone.
            cards = [card for card in having if not any(known[card].columns.get(p.column) in p.among for p in taken)]
            # `<=` of counters: the zone has every number of the field.
            hits = [card for card in cards if known[card].values[field, reading] <= left[card].get(zone, Counter())]
            if len(hits) >= FEWEST:
                column, among = _best_column(known, cards, hits)
                within = [card for card in cards if not column or known[card].columns.get(column) in among]
                shown = sorted(set(hits).intersection(within))
                candidate = _weigh(
                    known, left, LearnedPlace(field, zone, 0, 0, "", reading, column, among), within, shown
                )
                if candidate is not None:
                    yield candidate


def _weigh(
    known: Sequence[KnownCard],
    left: Sequence[Mapping[str, Counter[int]]],
    place: LearnedPlace,
    cards: Sequence[int],
    hits: list[int],
) -> _Candidate | None:
    """Return a place with its confidence, or None if chance is a sufficient explanation."""
    key = (place.field, place.reading)
    # Compare the field of every card with the zone of every card: n pairs of one card, and n * (n - 1) of two.
    chance_hits = _fitting([known[card].values[key] for card in cards], [left[card].get(place.zone) for card in cards])
    others = len(cards) * (len(cards) - 1)
    # The probability of a hit by chance is the share of hits with other cards, smoothed so that it is never 0.
    p_value = at_least(len(hits), len(cards), (chance_hits - len(hits) + 0.5) / (others + 1))
    once = Counter(known[card].columns.get(place.column, "") for card in cards) if place.column else Counter[str]()
    for confidence, (fewest, part) in (("high", _HIGH), ("medium", _MEDIUM), ("low", _LOW)):
        if len(cards) >= fewest and len(hits) >= max(FEWEST, part * len(cards)) and p_value < _P_VALUES[confidence]:
            # One card is not enough evidence for its whole type.
            if confidence == "high" and 1 in once.values():
                confidence = "medium"
            seen = place._replace(seen=len(hits), cards=len(cards), confidence=confidence)
            # A higher p-value, or a lower share of the cards, is worse.
            return p_value * len(cards) / len(hits), seen, hits
    return None


def _fitting(values: Sequence[Counter[int]], zones: Sequence[Counter[int] | None]) -> int:
    """Return in how many pairs, of a field of one card and a zone of any card, the zone shows the field."""
    # Many numbers and zones are equal: compare each different pair once, and multiply.
    fields = Counter(frozenset(value.items()) for value in values)
    shown = Counter(frozenset((zone or Counter()).items()) for zone in zones)
    return sum(
        many * often
        for value, many in fields.items()
        for zone, often in shown.items()
        if Counter(dict(value)) <= Counter(dict(zone))
    )


def _best_column(known: Sequence[KnownCard], cards: Sequence[int], hits: Sequence[int]) -> tuple[str, tuple[str, ...]]:
    """Return the column that determines on which cards a field is in a zone, and its values, or "" and ()."""
    columns = dict.fromkeys(column for card in cards for column in known[card].columns)
    # Bonferroni's correction: with more columns one of them more probably fits by chance.
    best: tuple[float, str, tuple[str, ...]] = (_SIGNIFICANCE_LEVEL / max(1, len(columns)), "", ())
    for column in columns:
        every = Counter(known[card].columns.get(column, "") for card in cards)
        shown = Counter(known[card].columns.get(column, "") for card in hits)
        # The values for which the zone shows the field on more than half of the cards.
        among = tuple(sorted(value for value in shown if value and 2 * shown[value] > every[value]))
        within, right = sum(every[value] for value in among), sum(shown[value] for value in among)
        if not among or within == len(cards) or len(every) > _MOST_VALUES:
            continue
        # Fisher's exact test: the probability of at least this number of hits by chance.
        chance = drawn(right, len(hits), within, len(cards))
        if chance < best[0]:
            best = chance, column, among
    return best[1:]


def at_least(hits: int, cards: int, chance: float) -> float:
    """Return the probability of at least `hits` hits on `cards` cards, each with probability `chance`.

    >>> at_least(2, 2, 0.5), at_least(0, 2, 0.5)
    (0.25, 1.0)
    """
    return sum(math.comb(cards, n) * chance**n * (1 - chance) ** (cards - n) for n in range(hits, cards + 1))


def drawn(right: int, hits: int, within: int, cards: int) -> float:
    """Return the probability that at least `right` of `hits` random cards are among `within` of all `cards`.

    >>> drawn(2, 2, 2, 4) == 1 / 6, drawn(0, 2, 2, 4)
    (True, 1.0)
    """
    # The hypergeometric distribution.
    ways = sum(math.comb(within, n) * math.comb(cards - within, hits - n) for n in range(right, min(within, hits) + 1))
    return ways / math.comb(cards, hits)
