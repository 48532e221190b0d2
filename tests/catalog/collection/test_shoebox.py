"""From a box of cards to a deck: what is legal, and bundled cards that complete a deck."""

import json
import re

from helpers.catalogues import Shell


def entered(shell: Shell, *texts: str) -> None:
    """Enter a card for each text at its top, and own a copy of it."""
    for number, text in enumerate(texts):
        shell.good(
            *("card", "add", "--game", "attic", "--name", f"Beast {number}", "--top", text, "--own", "1"), "--json"
        )


def test_the_list_says_which_cards_are_legal_and_why_others_are_not(shell: Shell) -> None:
    entered(shell, "4", "2,3")
    listed = shell.good("collection", "list", "--json").out
    legal, other = map(json.loads, listed.splitlines())
    assert (legal["legal"], legal["reason"]) == (True, None)
    assert (other["legal"], other["reason"]) == (False, "multiple-numbers:top")
    printed = shell.good("collection", "list").out
    assert re.search(r"legal +reason", printed)
    assert "two numbers at the top (rule 9)" in " ".join(printed.split())


def test_bundled_cards_complete_a_deck_of_too_few_own_cards_and_are_named(shell: Shell) -> None:
    entered(shell, "4", "7", "2,3")
    assert shell("deck", "new", "--from", "collection").status == 3
    drawn = shell.good("deck", "new", "--from", "collection", "--fill", "--seed", "1", "--json")
    names = [card["name"] for card in drawn.json["cards"]]
    assert len(names) == 20
    assert {"Beast 0", "Beast 1"} <= set(names)
    assert "Beast 2" not in names
    added = [name for name in names if not name.startswith("Beast")]
    said = " ".join(drawn.err.split())
    assert said.startswith("18 bundled cards completed the deck: ")
    assert all(name in said for name in added)


def test_own_cards_alone_make_the_deck_if_there_are_enough(shell: Shell) -> None:
    entered(shell, *"12345678912345678912")
    drawn = shell.good("deck", "new", "--from", "collection", "--fill", "--seed", "1", "--json")
    assert all(card["game"] == "attic" for card in drawn.json["cards"])
    assert "bundled" not in drawn.err


def test_fill_needs_a_collection(shell: Shell) -> None:
    assert "--from collection" in shell("deck", "new", "--fill").err
