"""What is read on a card is the same packed for the catalogue, and read anew for each card whatever came before it."""

import random
from typing import Any

from made_up_layouts import DRAGONS, made_up

from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.packed import NO_NUMBER, NO_TEXT, pack

TEXTS = (
    "",
    "0",
    "3",
    "7",
    "10",
    "12",
    "2/3",
    "+1",
    "A-4",
    "Draw 2 of 3",
    "none",
    ("2", "5"),
    ("Hero", "4"),
    "9".rjust(120),
)
FIELDS = ("level", "bonus", "code", "gold", "odds", "strength", "story", "width")


def row(rng: random.Random) -> dict[str, Any]:
    fields: dict[str, Any] = {name: rng.choice(TEXTS) for name in FIELDS if rng.random() < 0.7}
    kind = rng.choice(("Champion", "Hero", "Ally", "Realm", ("Realm", "Hero"), None))
    return fields if kind is None else {**fields, "kind": kind}


def test_cards_are_packed_as_they_are_read_whatever_was_read_before(dragons: Layout) -> None:
    rng, compiled, seen = random.Random(1), dragons.compiled(), set()
    for _ in range(120):
        fields = row(rng)
        packed = compiled.packed(fields)
        alone = made_up(DRAGONS, 'format = 1\nname = "Dragons"\nslash = "stats"').compiled().read(fields)
        assert packed == pack(compiled.read(fields)) == pack(alone)
        seen.add((packed[3] == NO_TEXT, packed[4] == NO_NUMBER, packed[5] == NO_NUMBER, packed[1] == "[]"))
    assert len(seen) > 8


def test_a_text_on_every_card_that_has_no_number_in_range_is_no_number() -> None:
    read = made_up('[[printed]]\ntext = "99"\nzone = "top"\n').compiled().read
    assert (read({}).zones, read({}).reason) == ({}, "no-number")
