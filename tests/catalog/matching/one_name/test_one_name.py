"""One name, one card, in every command: with three games that hold a Griffin, and Bolts."""

import io
import json
import sys
from collections.abc import Callable

import pexpect
import pytest
from helpers.catalogues import Shell
from three_griffins import ENTERED, GRIFFINS, SPELLFIRE, WYVERN, write


def shown(shell: Shell, *words: str) -> str:
    return str(shell.good("show", *words, "--json").json["id"])


def decked(shell: Shell, line: str) -> str:
    deck = write(shell.folder / "deck.txt", f"20 {line}\n")
    return str(shell.good("deck", "show", deck, "--json").json["cards"][0]["id"])


def scored(shell: Shell, name: str) -> str:
    """The card that a pile of a record means, told by its score."""
    pile = write(shell.folder / "piles.toml", f'game = "grid"\n[piles]\nAnn = ["{name}"]\nBob = []\n')
    score = shell.good("score", "--piles", pile, "--json").json["scores"]["Ann"]
    return next(card for card, _, _, own in GRIFFINS.values() if own == score)


def added(shell: Shell, name: str) -> str:
    card = str(shell.good("collection", "add", name, "--json").json["id"])
    shell.good("collection", "undo")
    return card


EVERYWHERE = (shown, decked, scored, added)


@pytest.mark.parametrize("find", EVERYWHERE)
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
def test_an_id_and_what_stands_beside_a_name_mean_the_same_card_everywhere(
    griffins: Shell, find: Callable[[Shell, str], str], text: str, card: str
) -> None:
    assert find(griffins, text) == card


@pytest.mark.parametrize("owned", [WYVERN, SPELLFIRE, ENTERED])
def test_what_one_owns_is_meant_everywhere(griffins: Shell, owned: str) -> None:
    griffins.good("collection", "add", owned, "--box", "A")
    for find in EVERYWHERE:
        assert find(griffins, "Griffin") == owned
    deck = write(griffins.folder / "deck.txt", "1 Griffin\n")
    pull = griffins.good("collection", "pull", deck, "--json").json
    assert [(one["id"], one["copies"]) for one in pull["found"]] == [(owned, 1)]
    game = owned.partition(":")[0]
    assert f"Found by name: 1 of {game}." in griffins("collection", "pull", deck).err


def test_a_name_of_several_games_is_an_error_in_a_script_that_lists_them(griffins: Shell) -> None:
    griffins("show", "Griffin").refused(WYVERN, SPELLFIRE, ENTERED, "3RD 191", "'Griffin (arcadia)'")
    griffins("collection", "add", "Griffin").refused("a card of 3 games")
    deck = write(griffins.folder / "deck.txt", "20 Griffin\n")
    (problem,) = (one for one in griffins("deck", "check", deck, "--json").json["problems"] if one["card"] is not None)
    assert (problem["card"], problem["reason"][:32]) == ("Griffin", "'Griffin' is a card of 3 games: ")
    assert "\n" not in problem["reason"]
    griffins("simulate", "grid", "--deck", deck, "-n", "1").refused("a card of 3 games")
    pile = write(griffins.folder / "piles.toml", 'game = "grid"\n[piles]\nAnn = ["Griffin"]\nBob = []\n')
    told = griffins("score", "--piles", pile, "--json")
    assert told.status == 1
    assert "a card of 3 games" in told.json["errors"][0]["message"]


def test_a_session_says_in_one_line_that_a_name_is_of_several_games(
    griffins: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("Griffin\n2x Griffin (3RD) 191\nGriffin\n"))
    done = griffins("collection", "add")
    assert (done.status, done.out) == (1, "Added 3 copies in 2 lines, 1 line skipped.\n")
    assert len(done.err.splitlines()) == 1
    assert "wyvern:hand/griffin). Say which: " in done.err
    assert [one["id"] for one in griffins.good("collection", "list", "--json").json_lines] == [SPELLFIRE]


def test_a_game_may_be_said_with_an_option(griffins: Shell) -> None:
    assert shown(griffins, "Griffin", "--game", "wyvern") == WYVERN
    assert griffins.good("collection", "add", "Griffin", "-g", "spellfire", "--json").json["id"] == SPELLFIRE
    griffins.good("collection", "add", WYVERN)
    where = griffins.good("collection", "where", "Griffin", "--game", "wyvern", "--json").json_lines
    assert [one["id"] for one in where] == [WYVERN]
    assert len(griffins.good("collection", "where", "Griffin", "--json").json_lines) == 2
    griffins("show", "Griffin", "--game", "mtg").nothing(
        "'Griffin' is not found: it is no card of mtg; it is one of: arcadia, spellfire, wyvern."
    )
    griffins("show", "Griffin", "--game", "xyz").misnamed("no cards of the game 'xyz'")


def test_search_where_and_remove_read_a_game_and_a_set_beside_a_name(griffins: Shell) -> None:
    for text, card in (("Griffin (wyvern)", WYVERN), ("Grifin (3RD) 191", SPELLFIRE)):
        assert [one["id"] for one in griffins.good("search", text, "--json").json_lines] == [card]
    for card in (WYVERN, SPELLFIRE):
        griffins.good("collection", "add", card)
    where = griffins.good("collection", "where", "Griffin (3RD)", "--json").json_lines
    assert [one["id"] for one in where] == [SPELLFIRE]
    griffins("collection", "remove", "Griffin").refused("1 Griffin (wyvern, LIM 12", "1 Griffin (spellfire, 3RD 191")
    griffins.good("collection", "remove", "Griffin (wyvern)")
    assert [one["id"] for one in griffins.good("collection", "list", "--json").json_lines] == [SPELLFIRE]


def test_what_was_taken_is_said_with_its_game(griffins: Shell) -> None:
    assert "Griffin (wyvern LIM 12)" in griffins.good("collection", "add", "Griffin (wyvern)").out
    deck = write(griffins.folder / "deck.txt", "10 Griffin (wyvern)\n10 Griffin (3RD)\n")
    drawn = griffins.good("deck", "show", deck)
    assert drawn.out.count("wyvern") == drawn.out.count("LIM 12") == drawn.out.count("spellfire") == 10
    assert drawn.err.startswith("Found by name: 1 of spellfire, 1 of wyvern.\n")


def test_of_printings_with_other_numbers_the_earliest_is_taken_and_said(griffins: Shell) -> None:
    first = griffins.good("show", "Bolt")
    assert "mtg:lea/161" in first.out
    assert first.err.startswith("Bolt (mtg:lea/161) is the earliest of 4 printings; ")
    griffins.good("collection", "add", "mtg:prm/7")
    assert (
        "Bolt (mtg:prm/7) is the printing you own; 3 other printings have other numbers."
        in griffins.good("show", "Bolt").err
    )
    added = griffins.good("collection", "add", "Bolt").err
    assert "Bolt (mtg:lea/161) is the earliest of 4" in added, "what is new is not of what one has"
    griffins.good("undo", "--yes")
    deck = write(griffins.folder / "deck.txt", "19 Bolt\n1 Griffin (wyvern)\n")
    assert "Bolt (mtg:prm/7) is the printing you own" in griffins.good("deck", "check", deck).err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_game_is_played_on_with_the_cards_that_its_names_mean(
    griffins: Shell, at_terminal: Callable[..., pexpect.spawn]
) -> None:
    names = ["Griffin", *(["Bolt (m10)"] * 19)]
    game = {"game": "grid", "players": ["Ann", "Bob"], "first": "Ann", "moves": [], "setup": {"cards": names}}
    record = write(griffins.folder / "game.jsonl", json.dumps(game) + "\n")
    assert "a card of 3 games" in griffins("validate", record).out
    griffins.good("collection", "add", SPELLFIRE)
    for command in ("validate", "replay"):
        assert griffins.good(command, record).err == "Found by name: 1 of mtg, 1 of spellfire.\n"
    played = at_terminal("play", "--load", record)
    played.expect("Found by name: 1 of mtg, 1 of spellfire.")
    played.expect("Griffin")
    played.expect("Ann> ")


@pytest.mark.parametrize("word", ["wyvern", "zzz"])
def test_a_set_or_game_beside_a_name_that_has_no_such_card_is_refused_when_cards_are_added(
    shell: Shell, word: str
) -> None:
    shell.good("import", "starter")
    shell("collection", "add", f"Engolo ({word})").refused("'Engolo' is not found", word)
    assert shell("collection", "list", "--json").out == ""
    shell.good("collection", "add", "Engolo (netrunner)")


def test_a_card_is_corrected_and_taken_out_by_its_name(griffins: Shell) -> None:
    for command in (("edit", "--top", "5"), ("remove",)):
        griffins("card", command[0], "Griffin", *command[1:]).refused("a card of 3 games", "'Griffin (arcadia)'")
        griffins("card", command[0], "Griffin (zzz)", *command[1:]).refused("'zzz' is unknown")
    assert griffins.good("card", "edit", "Griffin (wyvern)", "--top", "5", "--json").json["id"] == WYVERN
    griffins.good("collection", "add", SPELLFIRE)
    assert griffins.good("card", "remove", "Griffin", "--json").json["id"] == SPELLFIRE, "what one owns is meant"
    assert shown(griffins, "Griffin", "--game", "wyvern") == WYVERN


def test_cards_of_one_name_in_a_deck_that_is_changed_are_told_apart_by_their_games(griffins: Shell) -> None:
    deck = write(griffins.folder / "deck.txt", "1 Griffin (wyvern)\n1 Griffin (arcadia)\n")
    griffins("deck", "edit", deck, "--out", "Griffin").refused("1 Griffin (wyvern) or 2 Griffin #2 (arcadia)")
    done = griffins("deck", "edit", deck, "--swap", "Griffin (arcadia)=Griffin (3RD)", "--json")
    assert [(step["out"]["id"], step["in"]["id"]) for step in done.json["changes"]] == [(ENTERED, SPELLFIRE)]
