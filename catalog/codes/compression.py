"""Short texts made shorter: each character by how likely it is after the four before it (PPM and an arithmetic coder).

What is likely is learnt from `primer.txt` and from the text itself. All numbers are whole, so that every machine reads
what another one wrote. The primer is a part of the format: whoever changes it makes a new version of codes.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

LONGEST_TEXT: Final = 1 << 15
"""In bytes: nothing longer is made shorter, nor unpacked."""

_DEEPEST: Final = 4
_END: Final = 256
_SYMBOLS: Final = 257
_MOST_COUNTS: Final = 255
"""A context in which a symbol was seen so often forgets the half."""

_BITS: Final = 32
_WHOLE: Final = (1 << _BITS) - 1
_HALF: Final = 1 << (_BITS - 1)
_QUARTER: Final = 1 << (_BITS - 2)

_Counts = dict[int, int]


class _Share(NamedTuple):
    """The part of the range from `low` to less than `high`, of `total`."""

    low: int
    high: int
    total: int


def compress(text: str) -> int:
    """The text as a number.

    Raises:
        ValueError: it is longer than `LONGEST_TEXT`.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > LONGEST_TEXT:
        raise ValueError(f"a text of {len(data):,} bytes is too long")
    model, encoder = _Model(_primed()), _Encoder()
    for symbol in (*data, _END):
        for share in model.shares(symbol):
            encoder.put(share)
    return encoder.number()


def decompress(number: int) -> str:
    """The text in a number that `compress` made.

    Raises:
        ValueError: there is none in it.
    """
    model, decoder, data = _Model(_primed()), _Decoder(number), bytearray()
    while (symbol := model.next_symbol(decoder)) != _END:
        data.append(symbol)
        if len(data) > LONGEST_TEXT:
            raise ValueError("the text is too long")
    return data.decode("utf-8", "surrogatepass")


class _Model:
    """What followed which characters how often: `contexts` by the last four characters, the last three, and so on."""

    def __init__(self, primed: "dict[bytes, _Counts] | None" = None) -> None:
        # A context of the primer is copied when something new is seen in it.
        self._primed = primed or {}
        self.contexts: dict[bytes, _Counts] = {}
        self._last = b""

    def shares(self, symbol: int) -> Iterator[_Share]:
        """How likely the symbol is, as parts of ranges one after the other; then it has been seen."""
        excluded: set[int] = set()
        depth = -1
        for depth, counts in self._known():
            likely = _likely(counts, excluded)
            if not likely:
                continue
            total, low = _total(likely), 0
            if symbol in counts:
                for other, weight in likely:
                    if other == symbol:
                        yield _Share(low, low + weight, total)
                        self._see(symbol, depth)
                        return
                    low += weight
            escape = len(likely)
            yield _Share(total - escape, total, total)
            excluded.update(counts)
        left = [other for other in range(_SYMBOLS) if other not in excluded]
        place = left.index(symbol)
        yield _Share(place, place + 1, len(left))
        self._see(symbol, -1)

    def next_symbol(self, decoder: "_Decoder") -> int:
        """The symbol that the decoder's number goes on with; then it has been seen."""
        excluded: set[int] = set()
        for depth, counts in self._known():
            likely = _likely(counts, excluded)
            if not likely:
                continue
            total, low = _total(likely), 0
            target = decoder.target(total)
            for symbol, weight in likely:
                if target < low + weight:
                    decoder.take(_Share(low, low + weight, total))
                    self._see(symbol, depth)
                    return symbol
                low += weight
            decoder.take(_Share(low, total, total))
            excluded.update(counts)
        left = [other for other in range(_SYMBOLS) if other not in excluded]
        place = decoder.target(len(left))
        decoder.take(_Share(place, place + 1, len(left)))
        self._see(left[place], -1)
        return left[place]

    def learn(self, data: Sequence[int]) -> None:
        """Sees a text."""
        for symbol in data:
            depth = next((depth for depth, counts in self._known() if symbol in counts), -1)
            self._see(symbol, depth)

    def _known(self) -> Iterator[tuple[int, _Counts]]:
        """The contexts that fit and in which anything was seen, the longest first."""
        for depth in range(len(self._last), -1, -1):
            context = self._last[len(self._last) - depth :]
            counts = self.contexts.get(context) or self._primed.get(context)
            if counts:
                yield depth, counts

    def _see(self, symbol: int, depth: int) -> None:
        """Counts a symbol in the context in which it was found, and in the longer ones, where it was not expected."""
        for longer in range(max(depth, 0), len(self._last) + 1):
            context = self._last[len(self._last) - longer :]
            counts = self.contexts.get(context)
            if counts is None:
                counts = self.contexts[context] = dict(self._primed.get(context, ()))
            counts[symbol] = counts.get(symbol, 0) + 1
            if counts[symbol] > _MOST_COUNTS:
                for other in counts:
                    counts[other] = (counts[other] + 1) // 2
        if symbol != _END:
            self._last = (self._last + bytes((symbol,)))[-_DEEPEST:]


@cache
def _primed() -> dict[bytes, _Counts]:
    model = _Model()
    model.learn(resources.files(__package__).joinpath("primer.txt").read_bytes())
    return model.contexts


def _likely(counts: _Counts, excluded: set[int]) -> list[tuple[int, int]]:
    """The symbols of a context with their weights, in an order that is the same for whoever reads."""
    return [(symbol, 2 * counts[symbol] - 1) for symbol in sorted(counts) if symbol not in excluded]


def _total(likely: Sequence[tuple[int, int]]) -> int:
    """All weights, and that of a symbol which is not among them: as many as there are different ones."""
    return sum(weight for _, weight in likely) + len(likely)


class _Encoder:
    """Narrows a range down by shares, and notes the bits that are certain."""

    def __init__(self) -> None:
        self._low, self._high, self._pending = 0, _WHOLE, 0
        self._bits = ["1"]  # so that zeros at the beginning count

    def put(self, share: _Share) -> None:
        width = self._high - self._low + 1
        self._high = self._low + width * share.high // share.total - 1
        self._low += width * share.low // share.total
        while True:
            if self._high < _HALF:
                self._bit(0)
            elif self._low >= _HALF:
                self._bit(1)
                self._low, self._high = self._low - _HALF, self._high - _HALF
            elif self._low >= _QUARTER and self._high < _HALF + _QUARTER:
                self._pending += 1
                self._low, self._high = self._low - _QUARTER, self._high - _QUARTER
            else:
                return
            self._low, self._high = 2 * self._low, 2 * self._high + 1

    def _bit(self, bit: int) -> None:
        self._bits.append(str(bit) + str(1 - bit) * self._pending)
        self._pending = 0

    def number(self) -> int:
        """The bits as a number; those at the end that are 0 by themselves are left out of its beginning."""
        self._pending += 1
        self._bit(0 if self._low < _QUARTER else 1)
        return int("".join(self._bits), 2)


class _Decoder:
    """Finds the shares by which an encoder narrowed its range down."""

    def __init__(self, number: int) -> None:
        self._bits = bin(max(number, 1))[3:]
        self._place = 0
        self._low, self._high, self._value = 0, _WHOLE, 0
        for _ in range(_BITS):
            self._shift()

    def _shift(self) -> None:
        bit = self._bits[self._place : self._place + 1] or "0"
        self._value = 2 * self._value + int(bit)
        self._place += 1

    def target(self, total: int) -> int:
        """Where in a range of so much the number stands."""
        width = self._high - self._low + 1
        return ((self._value - self._low + 1) * total - 1) // width

    def take(self, share: _Share) -> None:
        """Follows a share."""
        width = self._high - self._low + 1
        self._high = self._low + width * share.high // share.total - 1
        self._low += width * share.low // share.total
        while True:
            if self._high < _HALF:
                shift = 0
            elif self._low >= _HALF:
                shift = _HALF
            elif self._low >= _QUARTER and self._high < _HALF + _QUARTER:
                shift = _QUARTER
            else:
                return
            self._low, self._high, self._value = self._low - shift, self._high - shift, self._value - shift
            self._low, self._high = 2 * self._low, 2 * self._high + 1
            self._shift()
