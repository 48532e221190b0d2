"""What a card says besides its numbers: type, cost, colours, keywords, rules text and the game's own fields."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ccgrid.catalog.lazy_patterns import lazy_pattern

LONGEST_TEXT: Final = 10_000
"""The most characters of a rules text that are kept."""
LONGEST_VALUE: Final = 200
"""The most characters of any other value that are kept."""
MOST_FIELDS: Final = 60
"""The most fields of a card that are kept."""
COLOURS: Final[Mapping[str, str]] = {"w": "White", "u": "Blue", "b": "Black", "r": "Red", "g": "Green"}
"""The letters of Magic's colours, in their order, and their names."""
_SYMBOL: Final = lazy_pattern(r"\{([^{}]*)\}")
_WHOLE: Final = lazy_pattern(r"\d{1,6}")


class Description(NamedTuple):
    """What a card says, as its source has it. Unknown values are empty, or None.

    Attributes:
        cost: The cost as the game writes it: `{2}{G}`, or 5.
        mana_value: The cost as a number.
        colours: Names of colours; empty for a colourless card, None if the game has none.
        identity: The colour identity, in the same form.
        keywords: Keywords or traits.
        fields: The game's other fields, each a name and a value.
        text: The rules text.
    """

    type: str = ""
    cost: str = ""
    mana_value: float | None = None
    colours: tuple[str, ...] | None = None
    identity: tuple[str, ...] | None = None
    keywords: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    text: str = ""


UNKNOWN: Final = Description()
"""The description of an unknown card."""


class PrintedDescription(NamedTuple):
    """The description of a card with the rarity and the artist of its printing; unknown values are empty, or None."""

    description: Description = UNKNOWN
    rarity: str = ""
    artist: str = ""


NOTHING_SAID: Final = PrintedDescription()
"""The description of an unknown printing."""


def mana_value(cost: str) -> float | None:
    """Return a cost as a number: a whole number, or the sum of its symbols; None for any other text.

    >>> mana_value("5"), mana_value("{2}{G}{G/W}"), mana_value("{X}{2/U}"), mana_value("3 gold")
    (5, 4, 2, None)
    """
    if _WHOLE.fullmatch(cost):
        return int(cost)
    symbols = _SYMBOL.findall(cost)
    return sum(map(_symbol_value, symbols)) if symbols and not _SYMBOL.sub("", cost).strip(" /") else None


def _symbol_value(symbol: str) -> int:
    first = symbol.partition("/")[0]
    if _WHOLE.fullmatch(first):
        return int(first)
    return 0 if first.casefold() in ("x", "y", "z") else 1


def split_list(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the entries of lists between commas, semicolons, bars or line ends, each once.

    >>> split_list(["Elf, Warrior", "Elf"])
    ('Elf', 'Warrior')
    """
    parts = (part.strip(" .\t") for text in texts for part in re.split(r"[,;|\n]+|\. ", text))
    return tuple(dict.fromkeys(part[:LONGEST_VALUE] for part in parts if part))


def colour_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the colours in texts such as `Red/Blue` or `WU`, each once; letters of Magic become their names.

    >>> colour_names(["W", "U"]), colour_names(["Red/Blue"]), colour_names(["dark green"]), colour_names(["UR"])
    (('White', 'Blue'), ('Red', 'Blue'), ('Dark Green',), ('Blue', 'Red'))
    """
    found: list[str] = []
    for text in texts:
        for word in re.split(r"[,;/|&+\n]| and ", text):
            name = word.strip()
            if name and len(name) <= len(COLOURS) and name.isupper() and set(name.casefold()) <= COLOURS.keys():
                found += [COLOURS[letter] for letter in name.casefold()]
            elif name and name.casefold() not in ("colorless", "colourless", "none", "-"):
                found.append(name[:LONGEST_VALUE].title())
    return tuple(dict.fromkeys(found))
