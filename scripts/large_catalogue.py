"""Create catalogues of up to millions of made-up cards, with names of one to three words and numbers in three zones."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

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
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def fill(path: Path, rows: int, ids: int | None = None) -> None:
    """Create a catalogue of `rows` cards, or of `rows` rows that share `ids` ids."""
    reader = parse_layout(LAYOUT, "ants.toml").compiled()
    with Store(path, create=True) as store:
        found = import_rows(store, cards(rows, ids or rows), reader, Provenance("ants", "", ""), tells_apart=True)
        if found.added + found.skipped != rows:
            sys.exit(f"{rows - found.added - found.skipped} rows are lost")


def cards(rows: int, ids: int) -> Iterator[Printing]:
    """Yield the cards, the same in every run."""
    dice = random.Random(1)
    words = ["".join(dice.choices(SYLLABLES, k=dice.randint(2, 4))).capitalize() for _ in range(WORDS)]
    zones = random.Random(2)
    for number in range(rows):
        name = " ".join(dice.choices(words, k=dice.randint(1, 3)))
        texts = {"number": str(number % 11)}
        for field in ("side", "corner"):
            if zones.random() < 0.4:
                texts[field] = str(zones.randrange(11))
        set_code = f"s{number % ids // A_SET}"
        yield Printing(f"ants:{set_code}/{number % ids}", name, texts, set_code, "Set", str(number % ids))


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
