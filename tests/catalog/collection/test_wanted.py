"""Incomplete sets, wants, spares and trades of a small collection, compared with counts by hand."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from helpers.catalogues import Shell, row, write_rows
from helpers.text_files import write, write_layout
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.collection.wanted import playset
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.view.collection import bar, numbers_in_words

CARDS = [
    *(row(number, f"Dusk {number}", set="dsk", set_name="Dusk") for number in range(1, 13)),
    row(3, "Dusk 3", set="dsk", set_name="Dusk", lang="de"),
    *(
        row(number, f"Dusk {number}", set="old", set_name="Old Dusk", released_at="1999-01-01")
        for number in range(1, 4)
    ),
]
OWNED = {"mtg:dsk/1": 5, "mtg:dsk/2": 1, "mtg:dsk/3/de": 2, "mtg:old/1": 1}


@pytest.fixture
def home(shell: Shell) -> Shell:
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", CARDS))
    for card_id, copies in OWNED.items():
        shell.good("collection", "add", card_id, "--copies", str(copies))
    return shell


def copies(shell: Shell, *words: object) -> dict[str, int]:
    """Return the copies of each card that a command lists."""
    return {one["id"]: one["copies"] for one in shell.good("collection", *words, "--json").json_lines}


def test_sets_count_numbers_in_any_language(home: Shell) -> None:
    assert home.good("collection", "sets", "--json").json_lines == [
        {"game": "mtg", "set_code": "old", "set_name": "Old Dusk", "cards": 3, "owned": 1, "copies": 1},
        {"game": "mtg", "set_code": "dsk", "set_name": "Dusk", "cards": 12, "owned": 3, "copies": 8},
    ]
    assert home.good("collection", "sets", "set:dsk").out == home.good("collection", "sets", "Dusk").out
    output = home.good("collection", "sets", "Dusk").out
    assert "25 %" in output
    assert "Old Dusk" not in output
    home("collection", "sets", "nosuch").finds_none("Error: There is no set with the code or the name 'nosuch'")


def test_unowned_sets_are_listed_on_request(shell: Shell) -> None:
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", CARDS))
    assert shell.good("collection", "sets").out == "You own no card of any set yet.\n"
    assert [one["owned"] for one in shell.good("collection", "sets", "--all", "--json").json_lines] == [0, 0]
    assert [one["owned"] for one in shell.good("collection", "sets", "dsk", "--json").json_lines] == [0]


def test_missing_cards_are_listed_by_number_and_written_as_want_list(home: Shell) -> None:
    assert home.good("collection", "sets", "dsk", "--missing").out.splitlines()[:2] == [
        "Dusk (dsk), 9 of 12 missing:",
        "  4-12",
    ]
    assert list(copies(home, "sets", "dsk", "--missing")) == [f"mtg:dsk/{number}" for number in range(4, 13)]
    wants, table = home.folder / "wants.txt", home.folder / "wants.csv"
    home.good("collection", "sets", "dsk", "-o", wants)
    assert wants.read_text(encoding="utf-8").splitlines()[0] == "1 Dusk 4 (DSK) 4"
    for options in (("--format", "csv"), ()):
        home.good("collection", "sets", "dsk", *options, "-o", table, "--force")
        head, *rows = table.read_text(encoding="utf-8").splitlines()
        assert (head.split(",")[:2], len(rows)) == (["Copies", "Name"], 9)
    home("collection", "sets", "dsk", "-o", wants).fails("exists already")
    home.good("collection", "import", wants)
    assert home.good("collection", "sets", "dsk", "--missing").out == "Nothing is missing.\n"


def test_sets_without_numbers_count_names(shell: Shell) -> None:
    (shell.folder / "cards.csv").write_text("Name,Set,Fire\nAnt,One,1\nBee,One,2\nCow,One,3\n", encoding="utf-8")
    layout = write_layout(shell.folder / "ants.toml", "Fire")
    shell.good("import", "file", shell.folder / "cards.csv", "--layout", layout)
    shell.good("collection", "add", "Bee")
    (counted,) = shell.good("collection", "sets", "--json").json_lines
    assert (counted["cards"], counted["owned"]) == (3, 1)
    assert "Ant, Cow" in shell.good("collection", "sets", "--missing").out


def test_wants_list_unowned_cards_of_decks_and_sets(home: Shell) -> None:
    deck = write(home.folder / "deck.txt", "7 Dusk 1\n2 Dusk 2\n1 Dusk 9 (DSK) 9\n1 Nobody\n")
    output = home.good("collection", "wants", deck, "--json")
    assert sum(one["copies"] for one in output.json_lines if one["name"] == "Dusk 1") == 1
    assert sum(one["copies"] for one in output.json_lines if one["name"] == "Dusk 2") == 1
    assert {one["name"] for one in output.json_lines} == {"Dusk 1", "Dusk 2", "Dusk 9"}
    assert "Unknown: " in output.err
    both = copies(home, "wants", deck, "--set", "old")
    assert {"mtg:old/3", "mtg:dsk/9"} <= both.keys()
    assert len(copies(home, "wants")) == 9 + 2
    home("collection", "wants", "--set", "nosuch").finds_none("There is no set")


def test_spares_are_copies_beyond_kept_number(home: Shell) -> None:
    assert copies(home, "spares") == {"mtg:dsk/1": 4, "mtg:old/1": 1, "mtg:dsk/3/de": 1}
    assert sum(copies(home, "spares", "--keep", "4").values()) == 2
    assert copies(home, "spares", "--printings") == {"mtg:dsk/1": 4, "mtg:dsk/3/de": 1}
    assert sum(copies(home, "spares", "--keep", "0").values()) == sum(OWNED.values())
    assert copies(home, "spares", "set:old", "--keep", "0") == {"mtg:old/1": 1}


def test_playset_follows_layout_and_defaults_to_four(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert playset("mtg") == playset("no such game") == 4
    assert (playset("yugioh"), playset("hearthstone")) == (3, 2)
    assert copies(home, "spares", "--keep", "playset") == copies(home, "spares", "--keep", "4")
    (home.folder / "mtg.toml").write_text(
        'game = "mtg"\nplayset = 1\n[[printed]]\nfield = "x"\nzone = "top"\n', encoding="utf-8"
    )
    monkeypatch.setenv("CCGRID_LAYOUTS", str(home.folder))
    playset.cache_clear()
    assert copies(home, "spares", "--keep", "playset") == copies(home, "spares", "--keep", "1")
    playset.cache_clear()
    assert "neither a number nor 'playset'" in home("collection", "spares", "--keep", "many").err
    with pytest.raises(CatalogError, match="line 2: playset is 0"):
        parse_layout('game = "a"\nplayset = 0\n[[printed]]\nfield = "x"\nzone = "top"\n', "a.toml")


def test_spares_exclude_best_copies_and_those_in_decks(home: Shell) -> None:
    home.good("collection", "add", "mtg:dsk/2", "--condition", "poor")
    home.good("collection", "add", "mtg:dsk/2", "--condition", "mint")
    spare = [one for one in home.good("collection", "spares", "--json").json_lines if one["name"] == "Dusk 2"]
    assert sorted(one["condition"] or "" for one in spare) == ["", "poor"]
    deck = write(home.folder / "deck.txt", "5 Dusk 1 (DSK) 1\n")
    home.good("collection", "pull", deck, "--out")
    assert copies(home, "spares", "--printings", "mtg:dsk/1") == {}


def test_spares_keep_copies_out_in_deck_before_better_ones(home: Shell) -> None:
    home.good("collection", "add", "mtg:dsk/5", "--condition", "poor")
    deck = write(home.folder / "deck.txt", "1 Dusk 5 (DSK) 5\n")
    home.good("collection", "pull", deck, "--out")
    home.good("collection", "add", "mtg:dsk/5", "--condition", "mint")
    (spare,) = home.good("collection", "spares", "mtg:dsk/5", "--json").json_lines
    assert (spare["condition"], spare["copies"]) == ("mint", 1)


def test_wants_default_to_partly_owned_sets(home: Shell) -> None:
    before = copies(home, "wants")
    new = [row(number, f"Dawn {number}", set="daw", set_name="Dawn") for number in (1, 2)]
    home.good("import", "mtg", write_rows(home.folder / "more.jsonl", [*CARDS, *new]))
    assert copies(home, "wants") == before
    lacking = home.good("collection", "wants", "--set", "daw", "--json").json_lines
    assert [(one["id"], one["condition"], one["finish"], one["copies"]) for one in lacking] == [
        ("mtg:daw/1", None, "normal", 1),
        ("mtg:daw/2", None, "normal", 1),
    ]


def write_partners_list(folder: Path, cards: Mapping[str, int]) -> Path:
    return write(folder / "bob.txt", "".join(f"{count} {name}\n" for name, count in cards.items()))


def test_trade_offers_spare_cards_that_other_side_lacks(home: Shell) -> None:
    other = write_partners_list(home.folder, {"Dusk 3": 1, "Dusk 7": 3, "Dusk 8": 1, "Nobody": 1})
    output = home.good("collection", "trade", other, "--json")
    give = {one["name"]: one["copies"] for one in output.json["give"]}
    take = {one["name"]: one["copies"] for one in output.json["take"]}
    assert (give, take, output.json["unknown"]) == ({"Dusk 1": 1}, {"Dusk 7": 2}, 1)
    assert "bob.txt: no certain match for 1 row." in output.err
    shown = home.good("collection", "trade", other).out
    assert shown.index("You could give:") < shown.index("Dusk 1") < shown.index("They could give:")
    assert "They could give:" not in home.good("collection", "trade", other, "--wants").out


def test_trade_matches_other_printings_and_counts_unknown_rows(home: Shell) -> None:
    other = write(home.folder / "bob.csv", "Count,Name,Edition,Collector Number\n3,Dusk 7,xyz,7\nmany,Dusk 8,dsk,8\n")
    output = home.good("collection", "trade", other, "--json").json
    assert ([(one["name"], one["copies"]) for one in output["take"]], output["unknown"]) == ([("Dusk 7", 2)], 1)


def test_trade_offers_number_of_copies_in_want_list(home: Shell) -> None:
    other = write_partners_list(home.folder, {"Dusk 1": 3, "Dusk 2": 1})
    output = home.good("collection", "trade", other, "--wants", "--json").json
    assert (sum(one["copies"] for one in output["give"]), output["take"]) == (3, [])
    home.good("collection", "trade", other, "--wants", "-o", home.folder / "give.txt")
    lines = (home.folder / "give.txt").read_text(encoding="utf-8").splitlines()
    assert sum(int(line.partition(" ")[0]) for line in lines) == 3


def test_printed_lists_have_check_boxes(home: Shell) -> None:
    home.good("collection", "move", "mtg:dsk/1", "--to-box", "Attic <2>")
    for words in (("sets", "dsk"), ("wants",), ("spares",), ("trade", write_partners_list(home.folder, {"Dusk 7": 1}))):
        page = home.folder / f"{words[0]}.html"
        home.good("collection", *words, "-o", page)
        assert page.read_text(encoding="utf-8").count("☐") >= 1
        home.good("collection", *words, "-o", page, "--force")
    pytest.importorskip("weasyprint")
    home.good("collection", "wants", "-o", home.folder / "wants.pdf")
    assert (home.folder / "wants.pdf").read_bytes().startswith(b"%PDF")
    assert "Attic &lt;2&gt;" in (home.folder / "spares.html").read_text(encoding="utf-8")


@given(st.lists(st.integers(1, 60), unique=True).map(sorted))
def test_numbers_in_words_name_every_number_once(numbers: list[int]) -> None:
    found: list[int] = []
    for part in numbers_in_words([str(number) for number in numbers]):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    assert found == numbers


@given(st.integers(1, 1000).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))))
def test_bar_is_full_only_if_nothing_is_missing(counts: tuple[int, int]) -> None:
    part, whole = counts
    drawn = bar(part, whole)
    filled = drawn.count("█") + drawn.count("#")
    assert (filled == 20, filled == 0) == (part == whole, part == 0)


def test_game_option_selects_among_same_named_cards(home: Shell) -> None:
    (home.folder / "ants.csv").write_text("Name,Set,Number,Fire\nDusk 5,Hill,1,2\n", encoding="utf-8")
    layout = write_layout(home.folder / "ants.toml", "Fire")
    home.good("import", "file", home.folder / "ants.csv", "--layout", layout)
    deck = write_partners_list(home.folder, {"Dusk 5": 2})
    assert "is a card of 2 games" in home.good("collection", "wants", deck).err
    assert copies(home, "wants", deck, "--game", "ants") == {"ants:hill/1": 2}
    assert copies(home, "wants", deck, "--game", "mtg") == {"mtg:dsk/5": 2}
