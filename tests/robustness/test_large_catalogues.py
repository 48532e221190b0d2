"""Misspelled names in a large catalogue: found by their correct parts, without reading all names."""

import random
import string
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA
from readers import MADE_UP

from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.matching.names import NearNames, fold, nearest_names
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.store import lookup
from ccgrid.catalog.store import names as store_names
from ccgrid.catalog.store.catalogue import Store, sample_pool
from ccgrid.catalog.store.imports import Provenance, import_rows
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.store.names import NameIndex
from ccgrid.engine.dice import Dice
from ccgrid.services.choices import Choices
from ccgrid.services.decks import check_deck_file

pytestmark = pytest.mark.slow

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
    rng = random.Random(11)
    plain = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(4, 9))).title() for _ in range(200)]
    return sorted({" ".join(rng.choices([*WORDS, *plain], k=rng.randint(1, 4))) for _ in range(count)})


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with stored(made_up(4000)) as store:
        yield store


def edited(name: str, edits: int, rng: random.Random) -> str:
    for _ in range(edits):
        place, letter = rng.randrange(len(name)), rng.choice(string.ascii_lowercase)
        kind = rng.randrange(4)
        if kind == 0:
            name = name[:place] + name[place + 1 :]
        elif kind == 1:
            name = name[:place] + letter + name[place:]
        elif kind == 2:
            name = name[:place] + letter + name[place + 1 :]
        else:
            name = name[:place] + name[place + 1 : place + 2] + name[place : place + 1] + name[place + 2 :]
    return name


def found_first(store: Store, asked: Sequence[tuple[str, str]]) -> int:
    near = NearNames(StoreLookup(store))
    return sum(near.nearest(wrong)[:1] == [name] for name, wrong in asked)


def found_first_among_all(store: Store, asked: Sequence[tuple[str, str]]) -> int:
    pairs = store.connection.execute("SELECT name, folded FROM names ORDER BY id").fetchall()
    folded = [own for _, own in pairs]
    near = [(name, nearest_names(fold(wrong), folded, 1)) for name, wrong in asked]
    return sum([pairs[one.position][0] for one in found] == [name] for name, found in near)


@pytest.mark.parametrize("edits", [1, 2])
def test_misspelt_names_found_by_parts_agree_with_full_search(store: Store, edits: int) -> None:
    rng = random.Random(edits)
    asked = [(name, edited(fold(name), edits, rng)) for name in rng.sample(made_up(4000), 150)]
    assert found_first(store, asked) >= found_first_among_all(store, asked) > 120


def test_name_with_missing_or_reordered_words_is_found(store: Store) -> None:
    rng = random.Random(5)
    long = [name for name in made_up(4000) if name.count(" ") == 3]
    asked = []
    for name in rng.sample(long, 60):
        words = name.split()
        rng.shuffle(words)
        asked.append((name, " ".join(words[:3] if len(asked) % 2 else words)))
    assert found_first(store, asked) >= found_first_among_all(store, asked) > 20


@given(st.text(LETTERS, min_size=6, max_size=24), st.integers(0, 2), st.integers(0, 1 << 30))
def test_two_edits_never_hide_a_name(name: str, edits: int, seed: int) -> None:
    folded = fold(name)
    wrong = " ".join(edited(folded, edits, random.Random(seed)).split())
    if len(folded) < 6 or OSA.distance(folded, wrong) > 2:
        return
    with stored([name]) as store:
        assert [found for _, found in NameIndex(store.connection).like(wrong)] == [folded], wrong


def test_search_in_large_set_finds_only_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "_LARGE_SET", 1)
    with stored(["Amber Drake", "Dusk Hare"], "old") as store:
        rows = [Printing(f"ants:new/{name}", name, {}, "new") for name in ("Amber Brake", "Iron Owl")]
        import_rows(store, rows, MADE_UP.compiled(), Provenance("more", "", ""))
        looked = StoreLookup(store)
        assert looked.names("new") is None
        near = NearNames(looked)
        assert [near.sure("Amber Xrake", code) for code in ("old", "NEW", "none")] == ["Amber Drake", "Amber Brake", ""]
        assert near.tied("Amber Xrake") == ("Amber Drake", "Amber Brake")


def test_few_of_many_similar_names_are_loaded() -> None:
    with stored([f"Ant {number:05}" for number in range(9000)]) as store:
        found = NameIndex(store.connection).like("atn 04321")
        assert ("Ant 04321", "ant 04321") in found
        assert len(found) < 5000
        assert NameIndex(store.connection).like("") == []


def test_near_names_belong_to_the_given_games() -> None:
    with stored(["Amber Drake", "Dusk Hare"]) as store:
        rows = [Printing("bees:x/1", "Amber Brake", {}, "x", printed_name="Ambre Xrake")]
        import_rows(store, rows, BEES.compiled(), Provenance("bees", "", ""))
        looked = StoreLookup(store)
        found = [NearNames(looked, games).nearest("Amber Xrake") for games in ((), ("bees",), ("ants",), ("cats",))]
        assert [sorted(names) for names in found] == [
            *(["Amber Brake", "Amber Drake", "Ambre Xrake"], ["Amber Brake", "Ambre Xrake"], ["Amber Drake"], []),
        ]
        assert [NearNames(looked, (game,)).sure("Amber Xrake", "x") for game in ("ants", "cats")] == ["Amber Drake", ""]


@pytest.mark.parametrize(("set_code", "games"), [("", ("ants",)), ("x", ())])
def test_names_of_a_large_game_or_set_are_found_without_reading_its_cards(
    store: Store, monkeypatch: pytest.MonkeyPatch, set_code: str, games: tuple[str, ...]
) -> None:
    monkeypatch.setattr(lookup, "_LARGE_SET", 1)

    def steps(set_code: str, games: tuple[str, ...]) -> int:
        counted: list[int] = []
        near = NearNames(StoreLookup(store), games)
        store.connection.set_progress_handler(lambda: counted.append(1), 100)
        for name in made_up(4000)[::100]:
            near.nearest(name[:-1], set_code)
        store.connection.set_progress_handler(None, 0)
        return len(counted)

    assert steps(set_code, games) < 1.2 * steps("", ())


def test_long_list_of_unknown_words_needs_no_more_queries(store: Store) -> None:
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


# --- Search in a catalogue that is too large for every name to be compared ----------------------------------------


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
    rng = random.Random(7)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))) for _ in range(count)]
    return sorted({" ".join(rng.choices(words, k=rng.randint(1, 3))).title() for _ in range(count)})


@pytest.fixture(scope="module")
def store_of_search() -> Iterator[Store]:
    rows = [Printing(f"ants:x/{number}", name, {"number": "3"}) for number, name in enumerate(names(8_000))]
    with Store.in_memory() as store_of_search:
        import_rows(store_of_search, rows, MADE_UP.compiled(), Provenance("ants", "", ""))
        yield store_of_search


def misspell(name: str, rng: random.Random) -> str:
    place = rng.randrange(1, len(name) - 1)
    kind = rng.randrange(3)
    if kind == 0:
        return name[:place] + name[place + 1 :]
    if kind == 1:
        return name[:place] + rng.choice("aeiourstn") + name[place:]
    return name[: place - 1] + name[place] + name[place - 1] + name[place + 1 :]


def test_misspelt_names_found_by_near_words_agree_with_full_search(
    store_of_search: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(3)
    asked = [(name, misspell(name, rng)) for name in rng.sample(names(8_000), 40) if len(name) > 6]
    everywhere = sum(store_of_search.near(wrong, 1)[0].name == name for name, wrong in asked)
    monkeypatch.setattr(store_names, "MOST_COMPARED", 0)
    few = sum(hits[0].name == name for name, wrong in asked if (hits := store_of_search.near(wrong, 1)))
    assert few >= everywhere - 1


def test_single_letter_matches_only_beginnings_of_words(
    store_of_search: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_names, "names_near", lambda *_: pytest.fail("looks through the words of all names"))
    for letter in "bx":
        hits = store_of_search.near(letter, 10_000)
        assert all(any(word.startswith(letter) for word in hit.name.lower().split()) for hit in hits)
        assert any(hits)


def test_joined_and_separated_words_are_found(store_of_search: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_names, "MOST_COMPARED", 0)
    apart = next(name for name in names(8_000) if name.count(" ") == 1 and len(name) > 14)
    assert store_of_search.near(apart.replace(" ", "").lower(), 20)[0].name == apart
    beginning, end = apart.lower().split()
    assert store_of_search.near(f"{beginning[:-2]}{beginning[-1]}{end}", 20)[0].name == apart, (
        "the end alone is as it was"
    )
    whole = next(name for name in names(8_000) if " " not in name and len(name) > 9)
    assert whole in [hit.name for hit in store_of_search.near(f"{whole[:5]} {whole[5:]}", 20)]


def test_only_candidate_names_are_loaded_from_a_large_catalogue(
    store_of_search: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_names, "MOST_COMPARED", 0)
    likely = dict(store_names.names_near(store_of_search.connection, misspell(names(8_000)[500], random.Random(1))))
    assert 0 < len(likely) < 2000
    assert list(store_names.names_near(store_of_search.connection, "!!!")) == []


# --- Deck search in a catalogue with very many cards --------------------------------------------------------------


@pytest.fixture(scope="module")
def store_of_pools() -> Iterator[Store]:
    rows = [
        Printing(f"ants:x/{number}", f"Ant {number}", {"number": "9" if number % 1000 == 0 else str(number % 8)})
        for number in range(5000)
    ]
    with Store.in_memory() as store_of_pools:
        import_rows(store_of_pools, rows, MADE_UP.compiled(), Provenance("ants", "", ""))
        yield store_of_pools


def test_pool_has_all_of_few_cards(store_of_pools: Store) -> None:
    legal = list(store_of_pools.all_cards(legal=True))
    assert sample_pool(store_of_pools, len(legal), Dice(1)) == legal
    assert sample_pool(store_of_pools, len(legal), Dice(1), ("ants",)) == legal
    assert sample_pool(store_of_pools, len(legal), Dice(1), ("wyvern",)) == []


def test_pool_is_a_random_sample_of_many_cards(store_of_pools: Store) -> None:
    one, same, other = (sample_pool(store_of_pools, 200, Dice(seed)) for seed in (1, 1, 2))
    assert one == same != other
    assert len({card.id for card in one}) == len(one)
    assert [card.id for card in one] == sorted(card.id for card in one)
    assert all(card.legal for card in one)


def test_pool_has_all_cards_of_rare_scores(store_of_pools: Store) -> None:
    pool = sample_pool(store_of_pools, 200, Dice(3))
    rare = [card for card in store_of_pools.all_cards(legal=True) if card.zones == {"top": 9}]
    assert len(rare) == 5
    assert set(rare) <= set(pool)
    assert 200 <= len(pool) <= 205


def test_every_card_may_be_drawn(store_of_pools: Store) -> None:
    ids = {card.id for seed in range(60) for card in sample_pool(store_of_pools, 500, Dice(seed))}
    assert len(ids) > 0.99 * len(list(store_of_pools.all_cards(legal=True)))


# --- Decks of thousands of unknown cards --------------------------------------------------------------------------


def test_deck_of_unknown_names_needs_no_search_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "c.db", create=True) as store:
        rows = [Printing(f"ants:x/{number}", f"Ant {number}", {"number": "3"}) for number in range(100)]
        import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""))
    searches, near = [], Store.near
    monkeypatch.setattr(Store, "near", lambda self, *words: searches.append(words) or near(self, *words))
    deck = tmp_path / "deck.txt"
    deck.write_text("".join(f"1 Nobody {number}\n" for number in range(2000)))
    _, problems = check_deck_file(deck, tmp_path / "c.db", "grid", Choices())
    assert len(problems) == 2001
    assert len(searches) <= 100


# --- Many rows under few ids --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ids", [1, 7, 140, 501])
def test_different_cards_under_one_id_are_all_imported(ids: int) -> None:
    rows = [Printing(f"ants:x/{number % ids}", f"Ant {number}", {"number": "3"}) for number in range(3000)]
    with Store.in_memory() as store:
        summary = import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""), number_versions=True)
        assert (summary.added, summary.skipped) == (3000, 0)
        assert len({card.name for card in store.all_cards()}) == 3000
        again = import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""), number_versions=True)
        assert (again.added, again.unchanged, again.removed) == (0, 3000, 0)


def test_card_repeated_in_many_rows_is_added_once() -> None:
    rows = (Printing(f"ants:x/{number % 10}", "Ant", {"number": "3"}) for number in range(5000))
    with Store.in_memory() as store:
        summary = import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""), number_versions=True)
    assert (summary.added, summary.skipped) == (10, 4990)
