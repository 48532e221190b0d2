"""Rows: lists of numbers that keep their length. Where functions are compiled they are arrays.

Whole numbers have 64 bits and a sign when they are compiled, and no limit when they are not: a core keeps them below
2**62, so that both are the same. What a bundle of rows (a `NamedTuple`) holds by the thousand can be stored in less.
"""

from typing import Annotated

Row = list[int]
Floats = list[float]

Row32 = Annotated[Row, "int32"]
Row16 = Annotated[Row, "int16"]
Row8 = Annotated[Row, "uint8"]
"""Rows whose numbers need so many bits; of 8 bits, from 0 to 255. What is read from them is calculated in 64 bits."""

Seeds = Annotated[Row, "uint64"]
"""Rows of dice, which alone use all 64 bits."""
