"""Decks from manually entered cards: the legal ones, completed with bundled cards."""

import json
import re

from helpers.catalogues import Shell


def enter_cards(shell: Shell, *texts: str) -> None:
    """Enter a card for each text at its top, and own a copy of it."""
    for number, text in enumerate(texts):
        shell.good(
            *("card", "add", "--game", "attic", "--name", f"Beast {number}", "--top", text, "--own", "1"), "--json"
        )


def test_collection_list_shows_legality_and_reason(shell: Shell) -> None:
    enter_cards(shell, "4", "2,3")
    listed = shell.good("collection", "list", "--json").out
    legal, other = map(json.loads, listed.splitlines())
    assert (legal["legal"], legal["reason"]) == (True, None)
    assert (other["legal"], other["reason"]) == (False, "multiple-numbers:top")
    printed = shell.good("collection", "list").out
    assert re.search(r"legal +reason", printed)
    assert "two numbers at the top (rule 9)" in " ".join(printed.split())


def test_bundled_cards_complete_a_deck_and_are_named(shell: Shell) -> None:
    enter_cards(shell, "4", "7", "2,3")
    assert shell("deck", "new", "--from", "collection").status == 3
    drawn = shell.good("deck", "new", "--from", "collection", "--fill", "--seed", "1", "--json")
    names = [card["name"] for card in drawn.json["cards"]]
    assert len(names) == 20
    assert {"Beast 0", "Beast 1"} <= set(names)
    assert "Beast 2" not in names
    added = [name for name in names if not name.startswith("Beast")]
    notice = " ".join(drawn.err.split())
    assert notice.startswith("18 bundled cards completed the deck: ")
    assert all(name in notice for name in added)


def test_enough_own_cards_need_no_bundled_cards(shell: Shell) -> None:
    enter_cards(shell, *"12345678912345678912")
    drawn = shell.good("deck", "new", "--from", "collection", "--fill", "--seed", "1", "--json")
    assert all(card["game"] == "attic" for card in drawn.json["cards"])
    assert "bundled" not in drawn.err


def test_fill_option_requires_cards_from_collection(shell: Shell) -> None:
    assert "--from collection" in shell("deck", "new", "--fill").err
