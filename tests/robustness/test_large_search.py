"""Search in a catalogue that is too large for every name to be compared: what is misspelt is found all the same."""

import random
from collections.abc import Iterator
from functools import cache

import pytest
from readers import MADE_UP

from ccgrid.catalog.card import Printing
from ccgrid.catalog.store import names as store_names
from ccgrid.catalog.store.catalogue import Provenance, Store
from ccgrid.catalog.store.imports import import_rows

SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "qui",
    "ro",
    "su",
    "ta",
    "ve",
    "wi",
    "xo",
    "yu",
    "za",
    "bre",
    "cro",
    "dra",
    "fli",
    "gho",
]


@cache
def names(count: int) -> list[str]:
    dice = random.Random(7)
    words = ["".join(dice.choices(SYLLABLES, k=dice.randint(2, 4))) for _ in range(count)]
    return sorted({" ".join(dice.choices(words, k=dice.randint(1, 3))).title() for _ in range(count)})


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    rows = [Printing(f"ants:x/{number}", name, {"number": "3"}) for number, name in enumerate(names(8_000))]
    with Store.in_memory() as store:
        import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""))
        yield store


def misspelt(name: str, dice: random.Random) -> str:
    place = dice.randrange(1, len(name) - 1)
    kind = dice.randrange(3)
    if kind == 0:
        return name[:place] + name[place + 1 :]
    if kind == 1:
        return name[:place] + dice.choice("aeiourstn") + name[place:]
    return name[: place - 1] + name[place] + name[place - 1] + name[place + 1 :]


def test_misspelt_names_are_found_among_those_with_near_words_as_among_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(3)
    asked = [(name, misspelt(name, dice)) for name in dice.sample(names(8_000), 40) if len(name) > 6]
    everywhere = sum(store.near(wrong, 1)[0].name == name for name, wrong in asked)
    monkeypatch.setattr(store_names, "MOST_COMPARED", 0)
    few = sum(hits[0].name == name for name, wrong in asked if (hits := store.near(wrong, 1)))
    assert few >= everywhere - 1


def test_words_written_as_one_or_apart_are_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_names, "MOST_COMPARED", 0)
    apart = next(name for name in names(8_000) if name.count(" ") == 1 and len(name) > 14)
    assert store.near(apart.replace(" ", "").lower(), 20)[0].name == apart
    beginning, end = apart.lower().split()
    assert store.near(f"{beginning[:-2]}{beginning[-1]}{end}", 20)[0].name == apart, "the end alone is as it was"
    whole = next(name for name in names(8_000) if " " not in name and len(name) > 9)
    assert whole in [hit.name for hit in store.near(f"{whole[:5]} {whole[5:]}", 20)]


def test_only_names_that_may_be_meant_are_taken_out_of_a_large_catalogue(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_names, "MOST_COMPARED", 0)
    likely = dict(store_names.likely_names(store.connection, misspelt(names(8_000)[500], random.Random(1))))
    assert 0 < len(likely) < 2000
    assert list(store_names.likely_names(store.connection, "!!!")) == []
