"""Tests that all commands and the pages on phones find the same cards for a query."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from helpers.catalogues import Shell, row
from helpers.web_server import server

ELVES = {f"mtg:dsk/{number}" for number in range(1, 31)}
QUERIES = ("t:elf", 'o:"draw a card"', "-r:rare", "t:elf or r:mythic", "t:/^creature.*elf$/")
"""Queries that find the elves among the cards."""


@pytest.fixture
def example_catalogue(shell: Shell) -> Shell:
    """A catalogue of 30 elves and 30 other cards, two of each in the collection."""
    words = [
        {"type_line": "Creature — Elf", "rarity": "common", "oracle_text": "Draw a card."},
        {"type_line": "Instant", "rarity": "rare", "oracle_text": "Gain 3 life."},
    ]
    cards = [row(number, f"Drake {number}", number % 11) for number in range(1, 61)]
    shell.import_rows([{**card, **words[place >= len(ELVES)]} for place, card in enumerate(cards)])
    for number in (1, 2, 59, 60):
        shell.good("collection", "add", f"mtg:dsk/{number}")
    return shell


@pytest.mark.parametrize("query", QUERIES)
def test_every_command_finds_the_same_cards(example_catalogue: Shell, query: str) -> None:
    owned = {"mtg:dsk/1", "mtg:dsk/2"}
    assert {card["id"] for card in example_catalogue.good("search", "--json", "--", query).json_lines} == ELVES
    assert {card["id"] for card in example_catalogue.good("export", "--", query).json_lines} == ELVES
    assert example_catalogue.good("stats", "--json", "--", query).json["cards"] == len(ELVES)
    for command in ("list", "where"):
        found = example_catalogue.good("collection", command, "--json", "--", query).json_lines
        assert {card["id"] for card in found} == owned, command
    assert example_catalogue.good("collection", "stats", "--json", "--", query).json["copies"] == len(owned)
    example_catalogue.good("collection", "move", "--to-box", "Elves", "--yes", "--", query)
    moved = example_catalogue.good("collection", "list", "box:elves", "--json").json_lines
    assert {card["id"] for card in moved} == owned


@pytest.mark.parametrize("query", QUERIES[2:])
def test_decks_puzzles_and_phones_have_only_cards_that_match_a_query(
    example_catalogue: Shell, tmp_path: Path, query: str
) -> None:
    deck, puzzle = tmp_path / "deck.toml", tmp_path / "puzzle.toml"
    example_catalogue.good("deck", "new", f"--from={query}", "--seed", "1", "-o", deck)
    example_catalogue.good("puzzle", f"--from={query}", "--seed", "1", "-o", puzzle)
    for file in (deck, puzzle):
        used = set(re.findall(r"mtg:dsk/\d+", file.read_text(encoding="utf-8")))
        assert used
        assert used <= ELVES
    with server(tmp_path / "tables", database=example_catalogue.database) as running:
        page = running.guest().get("/cards", q=query, part="1").text
    listed = set(map(unquote, re.findall(r'href="/card\?id=([^"]+)">', page)))
    assert listed == ELVES
