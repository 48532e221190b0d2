"""One name of several cards: pulled from boxes, and asked about at a terminal."""

import json
import sys
from collections.abc import Callable

import pexpect
import pytest
from helpers.catalogues import Shell, rows
from helpers.processes import asleep
from three_griffins import SPELLFIRE, WYVERN, write

# --- boxes --------------------------------------------------------------------------------------------------------


def test_all_printings_of_a_card_are_pulled_those_asked_for_first(griffins: Shell) -> None:
    for card, copies, box in (("mtg:prm/7", 5, "A"), ("mtg:m11/149", 4, "B"), ("mtg:m10/146", 3, "C")):
        griffins.good("collection", "add", card, "-n", str(copies), "--box", box)
    deck = write(griffins.folder / "deck.txt", "12 Bolt\n")
    pull = griffins.good("collection", "pull", deck, "--json").json
    assert [(one["id"], one["copies"]) for one in pull["found"]] == [
        *(("mtg:prm/7", 5), ("mtg:m11/149", 4), ("mtg:m10/146", 3))
    ]
    assert (pull["missing"], pull["unknown"]) == ([], [])
    check = griffins("deck", "check", deck, "--from", "collection", "--json").json
    assert [one["reason"] for one in check["problems"]] == ["the deck has 12 cards, and 20 are needed"]
    asked = write(griffins.folder / "asked.txt", "5 Bolt (M11) 149\n")
    found = griffins.good("collection", "pull", asked, "--json").json["found"]
    assert [(one["id"], one["copies"], one["instead_of"]) for one in found] == [
        ("mtg:m11/149", 4, None),
        ("mtg:m10/146", 1, None),  # it has the same numbers
    ]
    asked = write(griffins.folder / "asked.txt", "8 Bolt (M11) 149\n")
    found = griffins.good("collection", "pull", asked, "--json").json["found"]
    assert [(one["id"], one["copies"], one["instead_of"]) for one in found] == [
        ("mtg:prm/7", 1, "mtg:m11/149"),
        ("mtg:m11/149", 4, None),
        ("mtg:m10/146", 3, None),
    ]
    told = griffins.good("collection", "pull", asked).out
    assert "Other numbers: mtg:prm/7 replaces Bolt (mtg:m11/149)." in told
    more = write(griffins.folder / "more.txt", "15 Bolt\n")
    (problem,) = (
        one
        for one in griffins("deck", "check", more, "--from", "collection", "--json").json["problems"]
        if one["card"] is not None
    )
    assert problem == {"card": "Bolt", "reason": "15 needed, 12 owned"}


def test_a_pull_list_takes_any_printing_where_the_set_that_a_deck_names_is_not_known(griffins: Shell) -> None:
    griffins.good("collection", "add", "mtg:m10/146", "--box", "A", "-n", "3")
    deck = write(griffins.folder / "deck.txt", "1 Bolt (XXX) 5\n1 Bolt (M11) 7\n1 Griffin (mtg)\n")
    pulled = griffins("collection", "pull", deck, "--json")
    assert [one["copies"] for one in pulled.json["found"]] == [2]
    assert [one["card"] for one in pulled.json["unknown"]] == ["Griffin"]
    assert "so matched by name: Bolt (xxx) 5, Bolt (m11) 7." in " ".join(pulled.err.split())


def test_a_pull_list_names_what_is_unknown_or_missing_and_goes_on(griffins: Shell) -> None:
    griffins.good("collection", "add", "mtg:m10/146", "--box", "A")
    deck = write(griffins.folder / "deck.txt", "1 Grifon\n1 Griffin\n2 Bolt (M10)\n1 Amber Drake\n")
    pulled = griffins("collection", "pull", deck)
    assert pulled.status == 1
    assert "Unknown: No card matches 'Grifon'. Did you mean: Griffin?" in pulled.out
    assert "Unknown: 'Griffin' is a card of 3 games: " in pulled.out
    assert "Missing: 1 Bolt (mtg:m10/146)." in pulled.out
    assert "Missing: 1 Amber Drake (mtg:dsk/5)." in pulled.out
    result = griffins("collection", "pull", deck, "--json").json
    assert [one["card"] for one in result["unknown"]] == ["Grifon", "Griffin"]
    assert [(one["name"], one["game"], one["copies"]) for one in result["missing"]] == [
        ("Bolt", "mtg", 1),
        ("Amber Drake", "mtg", 1),
    ]
    griffins("collection", "pull", deck, "--out").refused("nothing is marked as out", "Grifon")


def test_for_a_card_written_out_only_printings_with_its_numbers_are_pulled(griffins: Shell) -> None:
    griffins.good("collection", "add", "mtg:prm/7", "-n", "20")
    card = griffins.good("show", "mtg:m10/146", "--json").json
    deck = write(griffins.folder / "deck.json", json.dumps({"cards": [card]}))
    (missing,) = griffins("collection", "pull", deck, "--json").json["missing"]
    assert missing["id"] == "mtg:m10/146"
    check = griffins("deck", "check", deck, "--from", "collection", "--json").json
    assert {"card": "Bolt", "reason": "1 needed, none owned"} in check["problems"]


# --- at a terminal ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_at_a_terminal_one_is_asked_which_of_several_is_meant(
    griffins: Shell, at_terminal: Callable[..., pexpect.spawn]
) -> None:
    child = at_terminal("show", "Griffin")
    child.expect("1 to 3, Enter for none> ")
    for words in ("arcadia", "spellfire", "wyvern", "3RD", "191", "t7"):
        assert words in child.before
    child.sendline("9")
    child.expect("> ")
    child.sendline("2")
    child.expect(SPELLFIRE)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    child = at_terminal("collection", "add", "Griffin")
    child.expect("> ")
    child.sendline("wyvern")
    child.expect(pexpect.EOF)
    assert [one["id"] for one in griffins.good("collection", "list", "--json").json_lines] == [WYVERN]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_who_chooses_none_at_a_terminal_ends_the_command(at_terminal: Callable[..., pexpect.spawn]) -> None:
    for answer in ("\r", "\x04", "\x03"):
        child = at_terminal("show", "Griffin")
        child.expect("Enter for none> ")
        asleep(child)
        child.send(answer)
        child.expect("No card was chosen for 'Griffin'.")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_deck_is_asked_about_once(griffins: Shell, at_terminal: Callable[..., pexpect.spawn]) -> None:
    deck = write(griffins.folder / "deck.txt", "18 Griffin\n1 GRIFFIN\n1 Bolt\n")
    child = at_terminal("deck", "check", deck, "--from", "collection")
    for _ in ("Griffin", "GRIFFIN"):
        child.expect("Enter for none> ")
        child.sendline("3")
    child.expect("needed, none owned")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_simulation_with_a_deck_asks_before_it_plays(
    griffins: Shell, at_terminal: Callable[..., pexpect.spawn]
) -> None:
    griffins.import_rows(rows(19), "--add")
    names = "\n".join(f"1 {card['name']} ({card['set']}) {card['collector_number']}" for card in rows(19))
    deck = write(griffins.folder / "deck.txt", f"1 Griffin\n{names}\n")
    child = at_terminal("simulate", "grid", "--deck", deck, "--games", "3")
    child.expect("1 to 3, Enter for none> ")
    child.sendline("2")
    child.expect("3 games of grid")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    griffins("simulate", "grid", "--deck", deck, "--games", "3").refused("Griffin", "3 games")
