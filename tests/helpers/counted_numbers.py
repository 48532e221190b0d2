"""What a text counts, in short."""

from ccgrid.catalog.numbers import (
    Slash,
    numerals,
    scan,
)


def values(text: str, slash: Slash = "fraction") -> list[int]:
    """Every value, out of range or not."""
    return [numeral.value for numeral in numerals(text, slash)]


def counted(text: str, slash: Slash = "fraction") -> list[int]:
    return list(scan(text, slash) or ())
