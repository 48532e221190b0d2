"""Readings of cards in the few values that the catalogue stores, because binding a value takes time.

The zones are one number with four bits per zone:

    bits    28..31         24..27   20..23        16..19   12..15   8..11       4..7   0..3
            bottom-right   bottom   bottom-left   right    left     top-right   top    top-left

A missing value is something that its column never has, since Python looks for an adapter of every None, which takes
longer than binding two texts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import msgspec

from ccgrid.catalog.evidence import CardReader, CardReading, Fields
from ccgrid.catalog.zones import ZONES

PackedReading = tuple[int, str, int, str | int, int | str, int | str, str]
"""Zones, face (JSON), score, reason, attack, defense, evidence (JSON)."""

NO_TEXT: Final = 0
"""Stands for a missing text: no text equals a number."""
NO_NUMBER: Final = ""
BITS: Final = 4
"""The bits of a zone, from the lowest in the order of `ZONES`."""
EMPTY: Final = 15
"""The bits of a zone without a number or with several."""
_ALL_EMPTY: Final = (1 << BITS * len(ZONES)) - 1
_FILLED: Final = {
    zone: tuple((number - EMPTY) << BITS * place for number in range(EMPTY)) for place, zone in enumerate(ZONES)
}
"""The difference that each number in a zone makes to empty zones."""

as_json: Final = msgspec.json.Encoder().encode


@runtime_checkable
class PackingReader(CardReader, Protocol):
    """A reader that packs its readings itself, which is faster."""

    def packed(self, fields: Fields, /) -> PackedReading:
        """Read and pack a card's numbers."""


def packed_zones(zones: Mapping[str, Sequence[int]]) -> int:
    """Return the zones with exactly one number as one number.

    >>> f"{packed_zones({'top-left': [3], 'left': [1, 2], 'bottom-right': [0]}):08x}"
    '0ffffff3'
    """
    return _ALL_EMPTY + sum(_FILLED[zone][found[0]] for zone, found in zones.items() if len(found) == 1)


def pack(reading: CardReading) -> PackedReading:
    """Pack a reading."""
    zones, face, score, reason, attack, defense, evidence = reading
    return (
        *(packed_zones(zones), as_json(face).decode(), score),
        NO_TEXT if reason is None else reason,
        NO_NUMBER if attack is None else attack,
        NO_NUMBER if defense is None else defense,
        as_json(evidence).decode(),
    )


def packing(reader: CardReader) -> Callable[[Fields], PackedReading]:
    """Return a function that reads cards with a reader and packs the readings."""
    return reader.packed if isinstance(reader, PackingReader) else lambda fields: pack(reader.read(fields))
