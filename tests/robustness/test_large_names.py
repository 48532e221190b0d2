"""Misspelt names in a large catalogue: looked up by what of them is spelt right, and never all read."""

import random
import string
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA
from readers import MADE_UP

from ccgrid.catalog.card import Printing
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.matching.search import fold
from ccgrid.catalog.matching.similar_names import NearNames
from ccgrid.catalog.store import lookup
from ccgrid.catalog.store.catalogue import Provenance, Store
from ccgrid.catalog.store.imports import import_rows
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.store.names import NameIndex

WORDS = ("Amber", "Brook", "Crown", "Dusk", "Ember", "Fallow", "Grove", "Hollow", "Iron", "Jade", "Kettle", "Lantern")
LETTERS = string.ascii_lowercase + " "

BEES = parse_layout('format = 1\ngame = "bees"\nname = "Bees"\n[[printed]]\nfield = "n"\nzone = "top"\n', "bees.toml")


def stored(names: Sequence[str], set_code: str = "x") -> Store:
    store = Store.in_memory()
    rows = [
        Printing(f"ants:{set_code}/{number}", name, {"number": "3"}, set_code, "", str(number))
        for number, name in enumerate(names)
    ]
    import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""))
    return store


def made_up(count: int) -> list[str]:
    dice = random.Random(11)
    plain = ["".join(dice.choices(string.ascii_lowercase, k=dice.randint(4, 9))).title() for _ in range(200)]
    return sorted({" ".join(dice.choices([*WORDS, *plain], k=dice.randint(1, 4))) for _ in range(count)})


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with stored(made_up(4000)) as store:
        yield store


def edited(name: str, edits: int, dice: random.Random) -> str:
    for _ in range(edits):
        place, letter = dice.randrange(len(name)), dice.choice(string.ascii_lowercase)
        kind = dice.randrange(4)
        if kind == 0:
            name = name[:place] + name[place + 1 :]
        elif kind == 1:
            name = name[:place] + letter + name[place:]
        elif kind == 2:
            name = name[:place] + letter + name[place + 1 :]
        else:
            name = name[:place] + name[place + 1 : place + 2] + name[place : place + 1] + name[place + 2 :]
    return name


def found_first(near: NearNames, asked: Sequence[tuple[str, str]]) -> int:
    return sum(near.nearest(wrong)[:1] == [name] for name, wrong in asked)


@pytest.mark.parametrize("edits", [1, 2])
def test_misspelt_names_are_found_by_their_parts_as_among_all(
    store: Store, monkeypatch: pytest.MonkeyPatch, edits: int
) -> None:
    dice = random.Random(edits)
    asked = [(name, edited(fold(name), edits, dice)) for name in dice.sample(made_up(4000), 150)]
    among_all = found_first(NearNames(StoreLookup(store)), asked)
    monkeypatch.setattr(lookup, "MOST_NAMES_COMPARED", 0)
    assert StoreLookup(store).names() is None
    assert found_first(NearNames(StoreLookup(store)), asked) >= among_all > 120


def test_a_name_with_a_word_missing_or_its_words_in_another_order_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(5)
    long = [name for name in made_up(4000) if name.count(" ") == 3]
    asked = []
    for name in dice.sample(long, 60):
        words = name.split()
        dice.shuffle(words)
        asked.append((name, " ".join(words[:3] if len(asked) % 2 else words)))
    among_all = found_first(NearNames(StoreLookup(store)), asked)
    monkeypatch.setattr(lookup, "MOST_NAMES_COMPARED", 0)
    assert found_first(NearNames(StoreLookup(store)), asked) >= among_all > 20


@given(st.text(LETTERS, min_size=6, max_size=24), st.integers(0, 2), st.integers(0, 1 << 30))
def test_two_edits_never_hide_a_name(name: str, edits: int, seed: int) -> None:
    folded = fold(name)
    wrong = " ".join(edited(folded, edits, random.Random(seed)).split())
    if len(folded) < 6 or OSA.distance(folded, wrong) > 2:
        return
    with stored([name]) as store:
        assert [found for _, found in NameIndex(store.connection).like(wrong)] == [folded], wrong


def test_in_a_large_set_only_its_own_names_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "MOST_NAMES_COMPARED", 0)
    monkeypatch.setattr(lookup, "_LARGE_SET", 1)
    with stored(["Amber Drake", "Dusk Hare"], "old") as store:
        rows = [Printing(f"ants:new/{name}", name, {}, "new") for name in ("Amber Brake", "Iron Owl")]
        import_rows(store, rows, MADE_UP.compiled(), Provenance("more", "", ""))
        looked = StoreLookup(store)
        assert looked.names("new") is None
        near = NearNames(looked)
        assert [near.sure("Amber Xrake", code) for code in ("old", "NEW", "none")] == ["Amber Drake", "Amber Brake", ""]
        assert near.tied("Amber Xrake") == ("Amber Drake", "Amber Brake")


def test_of_names_that_are_all_alike_few_are_taken_out_of_the_catalogue() -> None:
    with stored([f"Ant {number:05}" for number in range(9000)]) as store:
        found = NameIndex(store.connection).like("atn 04321")
        assert ("Ant 04321", "ant 04321") in found
        assert len(found) < 5000
        assert NameIndex(store.connection).like("") == []


@pytest.mark.parametrize("most", [0, 30_000])
def test_of_several_games_only_the_names_of_those_that_are_meant_are_near(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(lookup, "MOST_NAMES_COMPARED", most)
    with stored(["Amber Drake", "Dusk Hare"]) as store:
        rows = [Printing("bees:x/1", "Amber Brake", {}, "x", printed_name="Ambre Xrake")]
        import_rows(store, rows, BEES.compiled(), Provenance("bees", "", ""))
        looked = StoreLookup(store)
        found = [NearNames(looked, games).nearest("Amber Xrake") for games in ((), ("bees",), ("ants",), ("cats",))]
        assert [sorted(names) for names in found] == [
            *(["Amber Brake", "Amber Drake", "Ambre Xrake"], ["Amber Brake", "Ambre Xrake"], ["Amber Drake"], []),
        ]
        assert [NearNames(looked, (game,)).sure("Amber Xrake", "x") for game in ("ants", "cats")] == ["Amber Drake", ""]


def test_a_list_of_unknown_words_reads_the_catalogue_no_more_often_than_a_short_one(store: Store) -> None:
    def asked(count: int) -> int:
        queries: list[str] = []
        resolver = Resolver(StoreLookup(store))
        store.connection.set_trace_callback(queries.append)
        for number in range(count):
            row = Row(name=f"Zzx{number} Yyv{number} (Showcase) - Foil")
            assert resolver.match(resolver.read(row)).card is None
        store.connection.set_trace_callback(None)
        return sum("SELECT game FROM" in query or "set_name FROM" in query for query in queries)

    assert asked(20) == asked(2) > 0
