"""Short access to the numbers in a text."""

from ccgrid.catalog.numbers import (
    Slash,
    numerals,
    scan,
)


def values(text: str, slash: Slash = "fraction") -> list[int]:
    """Return every value, including those out of range."""
    return [numeral.value for numeral in numerals(text, slash)]


def counted(text: str, slash: Slash = "fraction") -> list[int]:
    return list(scan(text, slash) or ())
