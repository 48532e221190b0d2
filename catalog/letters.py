"""Texts and whole numbers, compressed and encoded as letters and digits."""

import zlib
from typing import Final

LONGEST_TEXT: Final = 1 << 15
"""The most bytes that are compressed or decompressed."""

_RAW: Final = -zlib.MAX_WBITS
"""Deflate without header and checksum: the whole line has one."""

_GROUP: Final = 8
"""The number of base 32 characters for five bytes."""

_MORE: Final = 128
"""A byte from this value on has the lowest seven bits of a number, and another byte follows."""

_LARGEST_NUMBER: Final = 1 << 64  # all numbers are smaller


def to_letters(data: bytes) -> str:
    """Encode bytes in base 32 (RFC 4648), without the padding: capitals and the digits 2 to 7.

    >>> to_letters(b"a1xb2")
    'MEYXQYRS'
    """
    from base64 import b32encode

    return b32encode(data).decode("ascii").rstrip("=")


def from_letters(text: str) -> bytes:
    """Decode base 32 letters.

    Raises:
        ValueError: If they are not base 32.
    """
    from base64 import b32decode

    return b32decode(text + "=" * (-len(text) % _GROUP))


def compress(text: str) -> bytes:
    """Compress a text.

    Raises:
        ValueError: If it is longer than `LONGEST_TEXT`.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > LONGEST_TEXT:
        raise ValueError(f"a text of {len(data):,} bytes is too long")
    return zlib.compress(data, zlib.Z_BEST_COMPRESSION, _RAW)


def decompress(data: bytes) -> str:
    """Decompress a text that `compress` returned.

    Raises:
        ValueError: If the data is not such a text, or is longer than `LONGEST_TEXT`.
    """
    unpacker = zlib.decompressobj(_RAW)
    try:
        text = unpacker.decompress(data, LONGEST_TEXT + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(text) > LONGEST_TEXT or not unpacker.eof or unpacker.unused_data:
        raise ValueError("not one text of an allowed length")
    return text.decode("utf-8", "surrogatepass")


class NumberWriter:
    """Encodes whole numbers in as few seven-bit bytes as possible, the lowest bits first."""

    def __init__(self) -> None:
        self.data = bytearray()

    def put(self, value: int) -> None:
        """Append a number of at least 0."""
        # 300 is 1_0101100 0_0000010: seven bits a byte, the lowest first; the top bit says that another byte follows.
        while value >= _MORE:
            self.data.append(value % _MORE + _MORE)
            value //= _MORE
        self.data.append(value)

    def put_text(self, text: str) -> None:
        """Append a text as its length in UTF-8 bytes, and the bytes."""
        encoded = text.encode("utf-8", "surrogatepass")
        self.put(len(encoded))
        self.data += encoded


class NumberReader:
    """Decodes the numbers of a `NumberWriter` in the same order; `place` is the index of the next byte."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    @property
    def is_at_end(self) -> bool:
        """Whether everything was read."""
        return self.place == len(self.data)

    def take(self, below: int = _LARGEST_NUMBER) -> int:
        """Return the next number.

        Raises:
            ValueError: If there is none, or it is `below` or more.
        """
        value, weight = 0, 1
        while (byte := self._byte()) >= _MORE and weight < _LARGEST_NUMBER:
            value, weight = value + (byte - _MORE) * weight, weight * _MORE
        value += byte * weight
        if value >= below:
            raise ValueError(f"{value} is too large a number")
        return value

    def take_text(self) -> str:
        """Return the next text.

        Raises:
            ValueError: If there is none.
        """
        end = self.take() + self.place
        if end > len(self.data):
            raise ValueError("the text ends too early")
        text, self.place = self.data[self.place : end], end
        return text.decode("utf-8", "surrogatepass")

    def _byte(self) -> int:
        if self.is_at_end:
            raise ValueError("the numbers end too early")
        self.place += 1
        return self.data[self.place - 1]
