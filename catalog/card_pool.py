"""Legal cards of a catalogue as a lazy sequence."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, Self, overload

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES

Numbers = tuple[int | None, ...]
"""A card's numbers in the order of `ZONES`, None for a zone without one, and then its score."""

_NUMBERS: Final = len(ZONES) + 1


class CardPool(Sequence[Card]):
    """A lazy sequence of legal cards. Indexing builds a new, equal `Card` each time.

    `kinds` has an index into `numbers` for each card, because many cards have the same numbers.
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
        """Build a pool from rows: a card's numbers, and one text from which `make` builds the rest of the card.

        `make` must be a function of a module, so that the pool can be sent to other processes.
        """
        places: dict[Numbers, int] = {}
        kinds, texts = [], []
        for row in rows:  # not kept as tuples, which the garbage collector would traverse repeatedly
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
    """A random number generator, such as the dice of games."""

    def sample(self, size: int, count: int, /) -> Sequence[int]:
        """Return `count` different numbers from 0 to `size` - 1 in random order."""
