"""Names of cards in several games: every command finds the same card, asks, or fails with the choices."""

import json
import sys
from collections.abc import Callable

import pexpect
import pytest
from helpers.catalogues import Shell, rows
from helpers.processes import wait_until_reading
from helpers.text_files import write
from three_griffins import ENTERED, GRIFFINS, SPELLFIRE, WYVERN

from ccgrid.catalog.layouts.layout_file import game_title


def show_card(shell: Shell, *words: str) -> str:
    return str(shell.good("show", *words, "--json").json["id"])


def deck_line(shell: Shell, line: str) -> str:
    deck = write(shell.folder / "deck.txt", f"20 {line}\n")
    return str(shell.good("deck", "show", deck, "--json").json["cards"][0]["id"])


def card_by_score(shell: Shell, name: str) -> str:
    """Return the card that a name in a pile stands for, identified by the score of the pile."""
    pile = write(shell.folder / "piles.toml", f'game = "grid"\n[piles]\nAnn = ["{name}"]\nBob = []\n')
    score = shell.good("score", "--piles", pile, "--json").json["scores"]["Ann"]
    return next(card for card, _, _, own in GRIFFINS.values() if own == score)


def add_card(shell: Shell, name: str) -> str:
    card = str(shell.good("collection", "add", name, "--json").json["id"])
    shell.good("undo")
    return card


FINDERS = (show_card, deck_line, card_by_score, add_card)


@pytest.mark.parametrize("find", FINDERS)
@pytest.mark.parametrize(
    ("text", "card"),
    [
        (SPELLFIRE, SPELLFIRE),
        ("Griffin (wyvern)", WYVERN),
        ("Griffin (wyvern) *F* NM", WYVERN),
        ("Griffin (wyvern) - foil", WYVERN),
        ("Griffin (3RD) 191", SPELLFIRE),
        ("Griffin (spellfire)", SPELLFIRE),
        ("griffin (ARCADIA)", ENTERED),
    ],
)
def test_id_or_qualified_name_finds_same_card_everywhere(
    three_games: Shell, find: Callable[[Shell, str], str], text: str, card: str
) -> None:
    assert find(three_games, text) == card


@pytest.mark.parametrize("owned", [WYVERN, SPELLFIRE, ENTERED])
def test_owned_printing_is_preferred_everywhere(three_games: Shell, owned: str) -> None:
    three_games.good("collection", "add", owned, "--box", "A")
    for find in FINDERS:
        assert find(three_games, "Griffin") == owned
    deck = write(three_games.folder / "deck.txt", "1 Griffin\n")
    pull = three_games.good("collection", "pull", deck, "--json").json
    assert [(one["id"], one["copies"]) for one in pull["found"]] == [(owned, 1)]
    game = owned.partition(":")[0]
    assert f"Matched by name: 1 {game_title(game)}." in three_games("collection", "pull", deck).err


def test_name_in_several_games_is_script_error_listing_them(three_games: Shell) -> None:
    three_games("show", "Griffin").fails(WYVERN, SPELLFIRE, ENTERED, "3RD 191", "'Griffin (arcadia)'")
    three_games("collection", "add", "Griffin").fails("a card of 3 games")
    deck = write(three_games.folder / "deck.txt", "20 Griffin\n")
    (problem,) = (
        one for one in three_games("deck", "check", deck, "--json").json["problems"] if one["card"] is not None
    )
    assert (problem["card"], problem["reason"][:32]) == ("Griffin", "'Griffin' is a card of 3 games: ")
    assert "\n" not in problem["reason"]
    three_games("simulate", "grid", "--deck", deck, "-n", "1").fails("a card of 3 games")
    pile = write(three_games.folder / "piles.toml", 'game = "grid"\n[piles]\nAnn = ["Griffin"]\nBob = []\n')
    output = three_games("score", "--piles", pile, "--json")
    assert output.status == 1
    assert "a card of 3 games" in output.json["errors"][0]["message"]


def test_session_reports_name_in_several_games_in_one_line(three_games: Shell) -> None:
    done = three_games("collection", "add", typed="Griffin\n2x Griffin (3RD) 191\nGriffin\n")
    assert (done.status, done.out) == (1, "Added 3 copies in 2 lines, 1 line skipped.\n")
    assert len(done.err.splitlines()) == 1
    assert "wyvern:hand/griffin). Say which: " in done.err
    assert [one["id"] for one in three_games.entries()] == [SPELLFIRE]


def test_game_may_be_given_as_option(three_games: Shell) -> None:
    assert show_card(three_games, "Griffin", "--game", "wyvern") == WYVERN
    assert three_games.good("collection", "add", "Griffin", "-g", "spellfire", "--json").json["id"] == SPELLFIRE
    three_games.good("collection", "add", WYVERN)
    where = three_games.good("collection", "where", "Griffin", "--game", "wyvern", "--json").json_lines
    assert [one["id"] for one in where] == [WYVERN]
    assert len(three_games.good("collection", "where", "Griffin", "--json").json_lines) == 2
    three_games("show", "Griffin", "--game", "mtg").finds_none(
        "'Griffin' not found: not in mtg; found in: arcadia, spellfire, wyvern."
    )
    three_games("show", "Griffin", "--game", "xyz").names_unknown("no cards of the game 'xyz'")


def test_search_where_and_remove_read_game_and_set_after_name(three_games: Shell) -> None:
    for text, card in (("Griffin (wyvern)", WYVERN), ("Grifin (3RD) 191", SPELLFIRE)):
        assert [one["id"] for one in three_games.good("search", text, "--json").json_lines] == [card]
    for card in (WYVERN, SPELLFIRE):
        three_games.good("collection", "add", card)
    where = three_games.good("collection", "where", "Griffin (3RD)", "--json").json_lines
    assert [one["id"] for one in where] == [SPELLFIRE]
    three_games("collection", "remove", "Griffin").fails("1 Griffin (wyvern, LIM 12", "1 Griffin (spellfire, 3RD 191")
    three_games.good("collection", "remove", "Griffin (wyvern)")
    assert [one["id"] for one in three_games.entries()] == [SPELLFIRE]


def test_chosen_card_is_reported_with_its_game(three_games: Shell) -> None:
    assert "Griffin (wyvern LIM 12)" in three_games.good("collection", "add", "Griffin (wyvern)").out
    deck = write(three_games.folder / "deck.txt", "10 Griffin (wyvern)\n10 Griffin (3RD)\n")
    drawn = three_games.good("deck", "show", deck)
    assert drawn.out.count("wyvern") == drawn.out.count("LIM 12") == drawn.out.count("spellfire") == 10
    assert drawn.err.startswith(f"Matched by name: 1 {game_title('spellfire')}, 1 {game_title('wyvern')}.\n")


def test_earliest_printing_is_taken_and_reported_if_numbers_differ(three_games: Shell) -> None:
    first = three_games.good("show", "Bolt")
    assert "mtg:lea/161" in first.out
    assert first.err.startswith("Bolt (mtg:lea/161) is the earliest of 4 printings; ")
    three_games.good("collection", "add", "mtg:prm/7")
    assert (
        "Bolt (mtg:prm/7) is the printing you own; 3 other printings have other numbers."
        in three_games.good("show", "Bolt").err
    )
    add_card = three_games.good("collection", "add", "Bolt").err
    assert "Bolt (mtg:lea/161) is the earliest of 4" in add_card, "what is new is not of what one has"
    three_games.good("undo", "--yes")
    deck = write(three_games.folder / "deck.txt", "19 Bolt\n1 Griffin (wyvern)\n")
    assert "Bolt (mtg:prm/7) is the printing you own" in three_games.good("deck", "check", deck).err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_loaded_game_resolves_card_names_and_reports_games(
    three_games: Shell, at_terminal: Callable[..., pexpect.spawn]
) -> None:
    names = ["Griffin", *(["Bolt (m10)"] * 19)]
    game = {"game": "grid", "players": ["Ann", "Bob"], "first": "Ann", "moves": [], "setup": {"cards": names}}
    record = write(three_games.folder / "game.jsonl", json.dumps(game) + "\n")
    assert "a card of 3 games" in three_games("validate", record).out
    three_games.good("collection", "add", SPELLFIRE)
    matched = f"Matched by name: 1 {game_title('mtg')}, 1 {game_title('spellfire')}."
    for command in ("validate", "replay"):
        assert three_games.good(command, record).err == f"{matched}\n"
    terminal = at_terminal("play", "--load", record)
    terminal.expect_exact(matched)
    terminal.expect("Griffin")
    terminal.expect("Ann> ")


@pytest.mark.parametrize("word", ["wyvern", "zzz"])
def test_adding_card_with_wrong_set_or_game_is_rejected(shell: Shell, word: str) -> None:
    shell.import_starter()
    shell("collection", "add", f"Engolo ({word})").finds_none("'Engolo' not found", word)
    assert shell("collection", "list", "--json").out == ""
    shell.good("collection", "add", "Engolo (netrunner)")


def test_card_edit_and_remove_find_card_by_name(three_games: Shell) -> None:
    for command in (("edit", "--top", "5"), ("remove",)):
        three_games("card", command[0], "Griffin", *command[1:]).fails("a card of 3 games", "'Griffin (arcadia)'")
        three_games("card", command[0], "Griffin (zzz)", *command[1:]).finds_none("'zzz' is unknown")
    assert three_games.good("card", "edit", "Griffin (wyvern)", "--top", "5", "--json").json["id"] == WYVERN
    three_games.good("collection", "add", SPELLFIRE)
    assert three_games.good("card", "remove", "Griffin", "--json").json["id"] == SPELLFIRE, (
        "the owned card is preferred"
    )
    assert show_card(three_games, "Griffin", "--game", "wyvern") == WYVERN


def test_edited_deck_distinguishes_same_names_by_game(three_games: Shell) -> None:
    deck = write(three_games.folder / "deck.txt", "1 Griffin (wyvern)\n1 Griffin (arcadia)\n")
    three_games("deck", "edit", deck, "--out", "Griffin").fails("1 Griffin (wyvern) or 2 Griffin #2 (arcadia)")
    done = three_games("deck", "edit", deck, "--swap", "Griffin (arcadia)=Griffin (3RD)", "--json")
    assert [(step["out"]["id"], step["in"]["id"]) for step in done.json["changes"]] == [(ENTERED, SPELLFIRE)]


# --- pulling copies from boxes ------------------------------------------------------------------------------------


def test_pull_prefers_named_printing_and_fills_with_others(three_games: Shell) -> None:
    for card, copies, box in (("mtg:prm/7", 5, "A"), ("mtg:m11/149", 4, "B"), ("mtg:m10/146", 3, "C")):
        three_games.good("collection", "add", card, "-n", str(copies), "--box", box)
    deck = write(three_games.folder / "deck.txt", "12 Bolt\n")
    pull = three_games.good("collection", "pull", deck, "--json").json
    assert [(one["id"], one["copies"]) for one in pull["found"]] == [
        *(("mtg:prm/7", 5), ("mtg:m11/149", 4), ("mtg:m10/146", 3))
    ]
    assert (pull["missing"], pull["unknown"]) == ([], [])
    check = three_games("deck", "check", deck, "--from", "collection", "--json").json
    assert [one["reason"] for one in check["problems"]] == ["the deck has 12 cards, and 20 are needed"]
    asked = write(three_games.folder / "asked.txt", "5 Bolt (M11) 149\n")
    found = three_games.good("collection", "pull", asked, "--json").json["found"]
    assert [(one["id"], one["copies"], one["instead_of"]) for one in found] == [
        ("mtg:m11/149", 4, None),
        ("mtg:m10/146", 1, None),  # This printing has the same numbers.
    ]
    asked = write(three_games.folder / "asked.txt", "8 Bolt (M11) 149\n")
    found = three_games.good("collection", "pull", asked, "--json").json["found"]
    assert [(one["id"], one["copies"], one["instead_of"]) for one in found] == [
        ("mtg:prm/7", 1, "mtg:m11/149"),
        ("mtg:m11/149", 4, None),
        ("mtg:m10/146", 3, None),
    ]
    output = three_games.good("collection", "pull", asked).out
    assert "Other numbers: mtg:prm/7 replaces Bolt (mtg:m11/149)." in output
    more = write(three_games.folder / "more.txt", "15 Bolt\n")
    (problem,) = (
        one
        for one in three_games("deck", "check", more, "--from", "collection", "--json").json["problems"]
        if one["card"] is not None
    )
    assert problem == {"card": "Bolt", "reason": "15 needed, 12 owned"}


def test_pull_list_takes_any_printing_if_set_is_unknown(three_games: Shell) -> None:
    three_games.good("collection", "add", "mtg:m10/146", "--box", "A", "-n", "3")
    deck = write(three_games.folder / "deck.txt", "1 Bolt (XXX) 5\n1 Bolt (M11) 7\n1 Griffin (mtg)\n")
    pulled = three_games("collection", "pull", deck, "--json")
    assert [one["copies"] for one in pulled.json["found"]] == [2]
    assert [one["card"] for one in pulled.json["unknown"]] == ["Griffin"]
    assert "so matched by name: Bolt (xxx) 5, Bolt (m11) 7." in " ".join(pulled.err.split())


def test_pull_list_reports_unknown_and_missing_cards(three_games: Shell) -> None:
    three_games.good("collection", "add", "mtg:m10/146", "--box", "A")
    deck = write(three_games.folder / "deck.txt", "1 Grifon\n1 Griffin\n2 Bolt (M10)\n1 Amber Drake\n")
    pulled = three_games("collection", "pull", deck)
    assert pulled.status == 1
    assert "Unknown: No card matches 'Grifon'. Did you mean: Griffin?" in pulled.out
    assert "Unknown: 'Griffin' is a card of 3 games: " in pulled.out
    assert "Missing: 1 Bolt (mtg:m10/146)." in pulled.out
    assert "Missing: 1 Amber Drake (mtg:dsk/5)." in pulled.out
    result = three_games("collection", "pull", deck, "--json").json
    assert [one["card"] for one in result["unknown"]] == ["Grifon", "Griffin"]
    assert [(one["name"], one["game"], one["copies"]) for one in result["missing"]] == [
        ("Bolt", "mtg", 1),
        ("Amber Drake", "mtg", 1),
    ]
    three_games("collection", "pull", deck, "--out").fails("nothing is marked as out", "Grifon")


def test_pull_of_self_contained_card_takes_only_same_numbers(three_games: Shell) -> None:
    three_games.good("collection", "add", "mtg:prm/7", "-n", "20")
    card = three_games.good("show", "mtg:m10/146", "--json").json
    deck = write(three_games.folder / "deck.json", json.dumps({"cards": [card]}))
    (missing,) = three_games("collection", "pull", deck, "--json").json["missing"]
    assert missing["id"] == "mtg:m10/146"
    check = three_games("deck", "check", deck, "--from", "collection", "--json").json
    assert {"card": "Bolt", "reason": "1 needed, none owned"} in check["problems"]


# --- at a terminal ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_terminal_asks_for_card_among_several(three_games: Shell, at_terminal: Callable[..., pexpect.spawn]) -> None:
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
    assert [one["id"] for one in three_games.entries()] == [WYVERN]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_choosing_no_card_at_terminal_ends_command(at_terminal: Callable[..., pexpect.spawn]) -> None:
    for answer in ("\r", "\x04", "\x03"):
        child = at_terminal("show", "Griffin")
        child.expect("Enter for none> ")
        wait_until_reading(child)
        child.send(answer)
        child.expect("No card was chosen for 'Griffin'.")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_deck_check_asks_once_for_each_name(three_games: Shell, at_terminal: Callable[..., pexpect.spawn]) -> None:
    deck = write(three_games.folder / "deck.txt", "18 Griffin\n1 GRIFFIN\n1 Bolt\n")
    child = at_terminal("deck", "check", deck, "--from", "collection")
    for _ in ("Griffin", "GRIFFIN"):
        child.expect("Enter for none> ")
        child.sendline("3")
    child.expect("needed, none owned")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_simulation_asks_for_card_before_it_plays(
    three_games: Shell, at_terminal: Callable[..., pexpect.spawn]
) -> None:
    three_games.import_rows(rows(19), "--add")
    names = "\n".join(f"1 {card['name']} ({card['set']}) {card['collector_number']}" for card in rows(19))
    deck = write(three_games.folder / "deck.txt", f"1 Griffin\n{names}\n")
    child = at_terminal("simulate", "grid", "--deck", deck, "--games", "3")
    child.expect("1 to 3, Enter for none> ")
    child.sendline("2")
    child.expect("3 games of grid")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    three_games("simulate", "grid", "--deck", deck, "--games", "3").fails("Griffin", "3 games")
