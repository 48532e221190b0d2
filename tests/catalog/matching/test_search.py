"""Search by name: misspelt, partial or reordered names, names without accents, and the command `search`."""

import gzip
import json
import random
import string
from pathlib import Path

import pytest
from helpers.catalogues import Shell, row, rows
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.matching.names import fold, rank
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.names import names_containing

NAMES = (
    "Lightning Bolt",
    "Lightning Blast",
    "Ball Lightning",
    "Bolt of Keranos",
    "Wisdom-Eye Magician",
    "Disk Magician",
    "Dark Magician",
    "Lim-Dûl's Vault",
    "Time Vault",
    "Æther Vial",
    "Æthersnipe",
    "Fire // Ice",
    "Ice",
    "Firebolt",
    "Jötun Grunt",
    "Question Elemental?",
    "Sword of Fire and Ice",
    "Who/What/When/Where/Why",
    "B.F.M. (Big Furry Monster)",
    "+2 Mace",
    "1996 World Champion",
    "Forest",
    "Forest Bear",
    "黒い蓮",
)
QUERIES_WITH_SET = [
    ("amber drake m10", ["mtg:m10/1"]),
    ("drake m10", ["mtg:m10/1"]),
    ("amber darke m10", ["mtg:m10/1"]),
    ("amber drake dusk", ["mtg:dsk/1"]),
    ("amber drake", ["mtg:dsk/1", "mtg:m10/1"]),
    ("drake dusk", ["mtg:dsk/2"]),  # "Dusk" is also a word of a name.
]
PAIRS = [(name, fold(name)) for name in NAMES]


def best_name(query: str) -> str:
    found = rank(query, PAIRS)
    return found[0].name if found else ""


@pytest.mark.parametrize(
    ("query", "intended"),
    [
        ("lightening bolt", "Lightning Bolt"),
        ("lihgtning blot", "Lightning Bolt"),
        ("bolt lightning", "Lightning Bolt"),
        ("LIGHTNING BOLT", "Lightning Bolt"),
        ("  lightning   bolt ", "Lightning Bolt"),
        ("lightningbolt", "Lightning Bolt"),
        ("lightning", "Lightning Bolt"),
        ("wisdom magician", "Wisdom-Eye Magician"),
        ("magician wisdom eye", "Wisdom-Eye Magician"),
        ("lim dul vault", "Lim-Dûl's Vault"),
        ("Lim-Dul's Vault", "Lim-Dûl's Vault"),
        ("limduls vault", "Lim-Dûl's Vault"),
        ("aether vial", "Æther Vial"),
        ("AETHER VIAL", "Æther Vial"),
        ("ǼTHER VIAL", "Æther Vial"),
        ("𝑨𝑬𝑻𝑯𝑬𝑹 vial", "Æther Vial"),
        ("ether vial", "Æther Vial"),
        ("fire // ice", "Fire // Ice"),
        ("Fire/Ice", "Fire // Ice"),
        ("fire ice", "Fire // Ice"),
        ("ice", "Ice"),
        ("jotun grunt", "Jötun Grunt"),
        ("question elemental", "Question Elemental?"),
        ("sword fire ice", "Sword of Fire and Ice"),
        ("who what when", "Who/What/When/Where/Why"),
        ("big furry monster", "B.F.M. (Big Furry Monster)"),
        ("+2 mace", "+2 Mace"),
        ("1996 world champion", "1996 World Champion"),
        ("forest", "Forest"),
        ("forrest bear", "Forest Bear"),
        ("黒い蓮", "黒い蓮"),
    ],
)
def test_query_finds_intended_name(query: str, intended: str) -> None:
    assert best_name(query) == intended


def test_exact_name_comes_first_and_scores_100() -> None:
    found = rank("forest", PAIRS)
    assert found[0] == ("Forest", 100.0)
    assert [one.name for one in found].index("Forest Bear") > 0


def test_shorter_names_come_first_among_equal_scores() -> None:
    pairs = [(name, fold(name)) for name in ("Dark Ants", "Dark Bee", "Dark")]
    assert [one.name for one in rank("dark", pairs)] == ["Dark", "Dark Bee", "Dark Ants"]


def test_names_containing_query_are_ranked_alike_with_and_without_index(tmp_path: Path) -> None:
    with Store(tmp_path / "cards.db", create=True) as store:
        store.connection.executemany("INSERT INTO names (name, folded) VALUES (?, ?)", PAIRS)
        store.connection.execute("INSERT INTO names_fts (rowid, folded) SELECT id, folded FROM names")
        for query in ("ice", "fire", "forest", "jotun g", "li", "fire // ice"):
            containing = names_containing(store.connection, query, 100)
            assert containing
            assert containing == [hit for hit in rank(query, PAIRS) if hit in containing]
            assert containing[:2] == names_containing(store.connection, query, 2)


@pytest.mark.parametrize("query", ["", " ", "//", "...", "qqqqqqqq", "\0", "\x1b[2J"])
def test_nonsense_finds_nothing(query: str) -> None:
    assert rank(query, PAIRS) == []


def test_ascii_and_unicode_names_are_normalised_alike() -> None:
    for letter in map(chr, range(128)):
        assert fold(f"Fog{letter}Owl") == fold(f"Fog{letter}Owl é").removesuffix(" e")


@given(st.text())
def test_normalising_twice_changes_nothing(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@given(st.text())
def test_normalised_name_has_no_punctuation_and_single_spaces(name: str) -> None:
    folded = fold(name)
    assert folded == " ".join(folded.split())
    assert not set(folded) & set(string.punctuation)


@given(st.text(), st.lists(st.text(), max_size=8))
def test_ranking_never_fails_and_never_invents_a_name(query: str, names: list[str]) -> None:
    found = rank(query, [(name, fold(name)) for name in names])
    assert all(one.name in names and 0 <= one.score <= 100 for one in found)
    scores = [round(one.score) for one in found]
    assert scores == sorted(scores, reverse=True)


@given(st.sampled_from(NAMES), st.text(alphabet=" -'.,", max_size=3))
def test_punctuation_around_a_name_changes_nothing(name: str, around: str) -> None:
    assert best_name(around + name + around) == name


def misspelt(rng: random.Random, word: str, edits: int) -> str:
    """Return the word with `edits` letters dropped, added, changed, or swapped with the next."""
    letters = list(word)
    for _ in range(edits):
        place, letter = rng.randrange(len(letters)), rng.choice(string.ascii_lowercase)
        kind = rng.choice(("drop", "add", "change", "swap"))
        if kind == "swap":
            letters[place : place + 2] = reversed(letters[place : place + 2])
        else:
            letters[place : place + (kind != "add")] = [] if kind == "drop" else [letter]
    return "".join(letters)


def real_names(shared_data: Path) -> list[str]:
    packed = shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz"
    return sorted({card["name"] for card in json.loads(gzip.decompress(packed.read_bytes()))})


@pytest.mark.slow
def test_97_percent_of_misspelt_real_names_are_found_first(shared_data: Path) -> None:
    rng = random.Random(20)
    pairs = [(name, fold(name)) for name in real_names(shared_data)]
    asked = [(folded, misspelt(rng, folded, rng.choice((1, 2)))) for _, folded in rng.choices(pairs, k=120) if folded]
    wrong = [
        (intended, query)
        for intended, query in asked
        if not (found := rank(query, pairs)) or fold(found[0].name) != intended
    ]
    assert len(wrong) <= 0.03 * len(asked), wrong


def test_misspelt_name_among_30_000_is_found_first() -> None:
    rng = random.Random(20)
    words = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(3, 10))) for _ in range(12_000)]
    pairs = [(name, name) for name in {" ".join(rng.choices(words, k=rng.randint(2, 4))) for _ in range(30_000)}]
    for name, _ in rng.sample(sorted(pairs), 2):
        assert rank(misspelt(rng, name, 1), pairs)[0].name == name


# --- the command `search` ---------------------------------------------------------------------------------------


@pytest.fixture
def searched(shell: Shell) -> Shell:
    shell.import_rows(
        [
            *rows(20),
            *(row(100 + place, name=name) for place, name in enumerate(NAMES)),
            row(200, name="Forest", cost=30, collector_number="ten"),
            {**row(201, name="Black Lotus"), "lang": "ja", "printed_name": "黒蓮"},
        ]
    )
    return shell


def test_search_lists_each_printing_once_with_best_name_first(searched: Shell) -> None:
    found = searched.good("search", "forest", "--json").json_lines
    assert [card["name"] for card in found[:3]] == ["Forest", "Forest", "Forest Bear"]
    assert len({card["id"] for card in found}) == len(found)


def test_search_finds_misspelt_and_printed_names(searched: Shell) -> None:
    assert searched.good("search", "lightening", "bolt", "--json").json_lines[0]["name"] == "Lightning Bolt"
    assert searched.good("search", "黒蓮", "--json").json_lines[0]["name"] == "Black Lotus"


def test_search_can_be_limited_to_legal_cards_and_games(searched: Shell) -> None:
    assert [card["legal"] for card in searched.good("search", "forest", "--legal", "--json").json_lines[:1]] == [True]
    everything = searched.good("search", "forest", "--game", "mtg", "--json").json_lines
    assert {card["game"] for card in everything} == {"mtg"}
    searched("search", "forest", "--game", "chess").names_unknown("no cards of the game 'chess'", "mtg")


def test_search_respects_its_limit(searched: Shell) -> None:
    assert len(searched.good("search", "a", "-n", "3", "--json").json_lines) <= 3
    assert searched("search", "a", "-n", "0").status == 2


def test_search_without_results_reports_it_and_exits_1(searched: Shell) -> None:
    result = searched("search", "qqqqqqqq", "--json")
    assert (result.status, result.out, result.err) == (1, "", "Error: No card matches 'qqqqqqqq'.\n")


def test_export_follows_order_of_query(searched: Shell) -> None:
    scores = [one["score"] for one in searched.good("export", "sort:-score").json_lines]
    assert scores == sorted(scores, reverse=True)
    ids = [one["id"] for one in searched.good("export").json_lines]
    assert ids == sorted(ids)


def test_search_reports_total_and_option_for_all(searched: Shell) -> None:
    found = searched.good("search", "forest", "-n", "1", "--json")
    everything = searched.good("search", "forest", "--all", "--json")
    total = len(everything.json_lines)
    assert (len(found.json_lines), everything.err) == (1, "")
    assert found.err == f"1 of {total} cards; --all shows all.\n"


def test_search_lists_all_cards_in_json_and_20_as_text(starter: Path, shell: Shell) -> None:
    scripted = shell.good("search", "is:legal", "--db", starter, "--json")
    assert (len(scripted.json_lines) > 2000, scripted.err) == (True, "")
    assert shell.good("search", "is:legal", "--db", starter).err.startswith("20 of ")
    assert len(shell.good("search", "is:legal", "--db", starter, "--json", "-n", "3").json_lines) == 3


@pytest.mark.parametrize(
    "query",
    [
        "'; DROP TABLE cards; --",
        '" OR 1=1 --',
        "a* NEAR b",
        "folded:a",
        "AND OR NOT",
        "((((",
        "-",
        "^a",
        '"',
        "%",
        "_",
        "a " * 5000,
        "b" * 100_000,
    ],
)
def test_query_with_special_characters_changes_nothing(searched: Shell, query: str) -> None:
    before = searched.catalogue()
    assert searched("search", "--", query).status in (0, 1, 2)
    assert searched("show", "--", query).status == 1
    assert searched.catalogue() == before


def test_best_name_is_the_same_with_and_without_index(searched: Shell) -> None:
    with Store(searched.database) as store:
        for name in NAMES:
            assert store.near(name, 1)[0].name == store.near(name, 10**6)[0].name == name


@pytest.mark.parametrize(("query", "wanted"), QUERIES_WITH_SET)
def test_known_set_without_sign_narrows_search(shell: Shell, query: str, wanted: list[str]) -> None:
    other = {"set": "m10", "set_name": "Magic 2010", "collector_number": "1"}
    dusk = {"set": "dsk", "set_name": "Dusk"}
    shell.import_rows(
        [row(1, "Amber Drake", 2, **dusk), row(2, "Dusk Drake", 2, **dusk), row(3, "Amber Drake", 2, **other)]
    )
    found = [one["id"] for one in shell.good("search", query, "--json").json_lines]
    assert found[: len(wanted)] == wanted
    assert len(found) == len(wanted) or "m10" not in query
