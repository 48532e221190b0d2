"""Create catalogues of up to millions of made-up cards, with names of one to three words and numbers in three zones.

Four cards in a row have the same description, about as many as real ones have printings.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from ccgrid.catalog.description import COLOURS, UNKNOWN, Description
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.imports import Provenance, import_rows

A_MILLION = 1_000_000
WORDS = 40_000
A_SET = 250
LAYOUT = """
format = 1
game = "ants"
name = "Ants"
[[printed]]
field = "number"
zone = "top"
[[printed]]
field = "side"
zone = "left"
[[printed]]
field = "corner"
zone = "bottom-right"
"""
SYLLABLES = (
    *("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta", "ve", "wi"),
    *("xo", "yu", "za", "bre", "cro", "dra", "fli", "gho"),
)
TYPES = ("Creature", "Legendary Creature", "Spell", "Land", "Artifact")
RARITIES = ("common", "uncommon", "rare", "mythic")
PRINTINGS = 4
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def fill(path: Path, rows: int, ids: int | None = None) -> None:
    """Create a catalogue of `rows` cards, or of `rows` rows that share `ids` ids."""
    reader = parse_layout(LAYOUT, "ants.toml").compiled()
    with Store(path, create=True) as store:
        found = import_rows(store, cards(rows, ids or rows), reader, Provenance("ants", "", ""), number_versions=True)
        if found.added + found.skipped != rows:
            sys.exit(f"{rows - found.added - found.skipped} rows are lost")


def cards(rows: int, ids: int) -> Iterator[Printing]:
    """Yield the cards, the same in every run."""
    dice = random.Random(1)
    words = ["".join(dice.choices(SYLLABLES, k=dice.randint(2, 4))).capitalize() for _ in range(WORDS)]
    zones = random.Random(2)
    said = UNKNOWN
    for number in range(rows):
        name = " ".join(dice.choices(words, k=dice.randint(1, 3)))
        texts = {"number": str(number % 11)}
        for field in ("side", "corner"):
            if zones.random() < 0.4:
                texts[field] = str(zones.randrange(11))
        set_code = f"s{number % ids // A_SET}"
        if number % PRINTINGS == 0:
            said = description(zones, words)
        of_card = set_code, "Set", str(number % ids), f"{1990 + number % 36}-01-01", "en", None, ""
        rarity, artist = RARITIES[zones.randrange(len(RARITIES))], f"{words[number % 900]} {words[number % 700]}"
        yield Printing(f"ants:{set_code}/{number % ids}", name, texts, *of_card, rarity, artist, said)


def description(dice: random.Random, words: list[str]) -> Description:
    """Return a made-up description with a text of twenty words."""
    colours = tuple(name for name in COLOURS.values() if dice.random() < 0.25)
    kind = f"{dice.choice(TYPES)} — {dice.choice(words[:200])}"
    cost, level = dice.randrange(9), str(dice.randrange(12))
    text = " ".join(dice.choices(words[:5000], k=20))
    keywords = (words[dice.randrange(40)],)
    return Description(kind, str(cost), cost, colours, colours, keywords, (("level", level),), text)


def misspelt(path: Path, count: int) -> list[str]:
    """Return names of a catalogue, each with one or two letters removed, added, changed, or swapped with the next."""
    dice = random.Random(3)
    with Store(path) as store:
        newest = store.connection.execute("SELECT max(id) FROM names").fetchone()[0]
        ids = [dice.randrange(newest) for _ in range(count)]
        query = "SELECT name FROM names WHERE id > ? LIMIT 1"
        names = [store.connection.execute(query, (number,)).fetchone()[0] for number in ids]
    return [
        _edited(_edited(name, dice), dice) if number % 2 else _edited(name, dice) for number, name in enumerate(names)
    ]


def _edited(name: str, dice: random.Random) -> str:
    place, letter = dice.randrange(1, len(name) - 1), dice.choice(LETTERS)
    swapped = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    dropped, added = name[:place] + name[place + 1 :], name[:place] + letter + name[place:]
    return dice.choice((swapped, dropped, added, name[:place] + letter + name[place + 1 :]))
