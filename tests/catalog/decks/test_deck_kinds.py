"""Decks of every game with decks: `deck new`, `deck check` and `deck show`."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.made_up import random_battle_deck, random_side_deck
from helpers.text_files import write

from ccgrid.catalog.card import Card
from ccgrid.catalog.deck_text import parse_deck
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.store.catalogue import Store
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.deck_search import lively_command
from ccgrid.services.decks import check_deck_file

KINDS = ("grid", "ninecard", "tactics")


# --- deck new -----------------------------------------------------------------------------------------------------


def test_file_instead_of_a_game_is_rejected_with_advice(shell: Shell) -> None:
    assert "ccgrid deck new -o deck2.toml" in shell("deck", "new", "deck2.toml").names_unknown("'deck2.toml'").err


@pytest.mark.parametrize("command", ["score", "validate", "replay", "solve"])
def test_deck_instead_of_a_record_is_rejected_with_advice(shell: Shell, command: str) -> None:
    file = shell.folder / "deck.toml"
    shell.good("deck", "new", "--seed", "4", "-o", file)
    name = shell_word(file)
    how = f"To see it: ccgrid deck show {name}; to play: ccgrid play --deck {name}"
    expected = f"this is a deck, not a record of games. {how}\n"
    assert shell(command, file).err.endswith(expected)


@pytest.mark.parametrize(
    ("card_games", "source", "found"),
    [
        (("mtg", "pokemon"), "all", "--lively --game mtg --game pokemon"),
        (("mtg",), "all", "--lively --game mtg --game pokemon"),
        (("pokemon",), "tl:any or br:any", "--lively --game pokemon --from 'tl:any or br:any'"),
        ((), "game:mtg", "--lively"),
        (("mtg",), "collection", "--lively --game mtg --from collection"),
    ],
)
def test_lively_command_repeats_request_and_adds_a_game_if_needed(
    starter: Path, card_games: tuple[str, ...], source: str, found: str
) -> None:
    request = DeckRequest(game="grid", card_games=card_games, source=source, database=starter)
    assert lively_command(request) == f"ccgrid deck new {found} --db {shell_word(starter)} -o lively.toml"


def test_warning_about_dull_deck_names_command_for_lively_one(shell: Shell, starter: Path) -> None:
    drawn = shell.good("deck", "new", "--game", "mtg", "--seed", "7", "--json", "--db", starter)
    assert "ccgrid deck new --lively --game mtg --game pokemon --db " in drawn.err
    played = shell.good("play", "--game", "mtg", "--players", "random,random", "--seed", "7", "--db", starter)
    assert "ccgrid deck new --lively --game mtg --game pokemon --db " in played.err


def test_lively_deck_that_is_impossible_is_rejected_with_command(shell: Shell, starter: Path) -> None:
    refused = shell("deck", "new", "--lively", "--game", "mtg", "--db", starter).fails("cannot meet")
    assert "\nTry: ccgrid deck new --lively --game mtg --game pokemon --db " in refused.err


@pytest.mark.parametrize("game", KINDS)
def test_drawn_deck_is_legal_names_its_game_and_can_be_played(shell: Shell, starter: Path, game: str) -> None:
    file = shell.folder / "deck.toml"
    shell.good("deck", "new", game, "--seed", "4", "-o", file, "--db", starter)
    assert parse_deck(file.read_text("utf-8"), "file").plays == game
    size = {"grid": 20, "ninecard": 60, "tactics": 18}[game]
    for database in (["--db", str(starter)], []):
        assert shell.good("deck", "check", file, "--json", *database).json == {
            "ok": True,
            "cards": size,
            "problems": [],
        }
    shell.good("simulate", game, "-n", "1", "--deck", file)
    others = [other for other in KINDS if other != game]
    shell("simulate", others[0], "-n", "1", "--deck", file).fails(f"is a deck for '{game}', not for {others[0]}")


@pytest.mark.parametrize("game", KINDS)
def test_same_seed_draws_same_deck(shell: Shell, starter: Path, game: str) -> None:
    def drawn(seed: str) -> dict[str, Any]:
        answer: dict[str, Any] = shell.good("deck", "new", game, "--seed", seed, "--json", "--db", starter).json
        return answer

    first = drawn("4")
    assert list(first) == ["name", "game", "seed", "cards"]
    assert (first["game"], first["seed"]) == (game, 4)
    assert first == drawn("4")
    assert len({json.dumps(drawn(str(seed))["cards"]) for seed in range(6)}) > 1


def test_ninecard_deck_has_24_energy_cards_among_60_by_default(shell: Shell, starter: Path) -> None:
    def energies(*arguments: str) -> tuple[int, int]:
        cards = shell.good("deck", "new", "ninecard", "--json", "--db", starter, *arguments).json["cards"]
        return sum(card["attack"] is None or card["defense"] is None for card in cards), len(cards)

    assert energies() == (24, 60)
    assert energies("--size", "40", "--energy", "15") == (15, 40)
    for arguments in (["--size", "0"], ["--energy", "61"], ["--size", "1001"]):
        shell("deck", "new", "ninecard", "--db", starter, *arguments).misuses("a deck has 1 to 1000 cards")
    shell("deck", "new", "tactics", "--size", "20").misuses("--size is not for decks of tactics")


def test_deck_new_for_tactics_can_be_a_faction(shell: Shell) -> None:
    deck = shell.good("deck", "new", "tactics", "--faction", "harbor", "--json").json
    assert deck["name"] == "The Harbor League"
    [harbor] = [faction for faction in FACTIONS.bundled() if faction.name == "harbor"]
    assert [card["name"] for card in deck["cards"]] == [card.name for card in harbor.cards]
    shell("deck", "new", "tactics", "--faction", "elves").names_unknown("elves", "bastion")
    shell("deck", "new", "grid", "--faction", "harbor").misuses(
        "grid has no factions", "ccgrid deck new tactics --faction harbor"
    )
    shell("deck", "new", "tactics", "--faction", "harbor", "--game", "mtg").misuses("leave --game and --from out")


def test_ranks_of_triple_triad_are_sides_in_tactics_decks(shell: Shell, starter: Path) -> None:
    file = shell.folder / "triad.toml"
    shell.good("deck", "new", "tactics", "--game", "tripletriad", "--seed", "1", "-o", file, "--db", starter)
    deck, problems = check_deck_file(file, starter)
    assert (len(deck.cards), problems) == (18, [])
    with Store(starter) as store:
        for card in deck.cards:
            [triad] = [one for one in store.by_name(card.name) if one.game == "tripletriad"]
            printed = {number.field: number.raw for number in store.explain(triad.id)}
            ranks = {side: int(printed[side]) for side in ("top", "right", "bottom", "left")}
            assert dict(card.zones) == ranks, "an ace is a 10 in tactics"
    shell.good("simulate", "tactics", "-n", "2", "--game", "tripletriad", "--db", starter)
    shell("deck", "new", "tactics", "--game", "wyvern", "--db", starter).fails("with a number on every side", "wyvern")


def test_triple_triad_cards_are_found_in_tactics_decks_and_records(shell: Shell, starter: Path) -> None:
    with Store(starter) as store:
        cards = [*store.all_cards(["tripletriad"])][:4]
    ids, names = [card.id for card in cards], [card.name for card in cards]
    assert "Cockatrice" in names, "other games have a card of this name"
    text = f'game = "tactics"\ncards = {json.dumps(names)}\n'
    file = write(shell.folder / "triad.toml", text)
    assert shell.good("deck", "check", file, "--db", starter).out == "Legal: a deck of 4 cards.\n"
    document = {
        "game": "tactics",
        "players": ["Ann", "Bob"],
        "first": "Ann",
        "moves": [f"{names[0]}@b2"],
        "setup": {"decks": {"Ann": ids, "Bob": ids}},
    }
    game = write(shell.folder / "game.jsonl", json.dumps(document) + "\n")
    assert shell.good("score", game, "--json", "--db", starter).json["scores"] == {"Ann": 3, "Bob": 0}
    grid = write(shell.folder / "grid.toml", f"cards = {json.dumps(names * 5)}\n")
    assert shell("deck", "check", grid, "--db", starter).status == 1, "the cards must not be legal in the grid game"


def test_matrix_has_no_decks(shell: Shell) -> None:
    shell("deck", "new", "matrix").misuses("no decks for the game 'matrix'", "grid, ninecard, tactics")


# --- deck check and deck show -------------------------------------------------------------------------------------


def test_deck_problems_for_its_game_are_listed_card_by_card(shell: Shell) -> None:
    cards = [*random_side_deck(random.Random(1), 3), Card("", "", "Half", {"top": 1, "left": 2}, 3)]
    file = write(shell.folder / "deck.toml", deck_toml(Deck("Duel", tuple(cards), plays="tactics")))
    answer = shell("deck", "check", file, "--json")
    assert answer.status == 1
    assert answer.json["problems"] == [{"card": "Half", "reason": "it has no number at its right and bottom"}]
    file = write(shell.folder / "two.toml", deck_toml(Deck("Duel", tuple(cards[:2]), plays="tactics")))
    assert shell("deck", "check", file, "--json").json["problems"] == [
        {"card": None, "reason": "the deck has 2 cards, and 3 to 1000 are needed"}
    ]
    shell("simulate", "tactics", "--deck", file).fails("not a legal deck", "2 cards", "deck check")


def test_ninecard_deck_may_contain_cards_not_legal_in_grid(shell: Shell) -> None:
    cards = random_battle_deck(random.Random(1))
    file = write(shell.folder / "deck.toml", deck_toml(Deck("War", tuple(cards), plays="ninecard")))
    assert shell.good("deck", "check", file).out == "Legal: a deck of 12 cards.\n"
    text = file.read_text().replace('game = "ninecard"\n', "")
    file.write_text(text)
    assert shell("deck", "check", file).status == 1, "a deck that names no game is for the grid game"
    assert shell.good("deck", "check", file, "--for", "ninecard").out == "Legal: a deck of 12 cards.\n"
    shell.good("simulate", "ninecard", "-n", "1", "--deck", file)


def test_deck_may_give_numbers_with_card_names(shell: Shell) -> None:
    text = """
        game = "tactics"
        cards = [
          { name = "Spear", top = 1, right = 2, bottom = 3, left = 4 },
          { name = "Shield", top = 5, right = 5, bottom = 5, left = 5 },
          { name = "Bow", top = 0, right = 10, bottom = 0, left = 0 },
        ]
    """
    deck, problems = check_deck_file(write(shell.folder / "duel.toml", text), shell.database)
    assert problems == []
    assert [dict(card.zones) for card in deck.cards][2] == {"top": 0, "right": 10, "bottom": 0, "left": 0}
    wolf, fog = '{ name = "Wolf", attack = 1, defense = 2 }', '{ name = "Fog", zones = {}, score = 0 }'
    text = f'game = "ninecard"\ncards = [{wolf}, {fog}]'
    deck, problems = check_deck_file(write(shell.folder / "war.toml", text), shell.database)
    assert problems == []
    assert [(card.attack, card.defense) for card in deck.cards] == [(1, 2), (None, None)]


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ('{ name = "Spear", top = 11 }', "holds a number of 0 to 10"),
        ('{ name = "Spear", top = "1" }', "holds a number of 0 to 10"),
        ('{ name = "Wolf", attack = -1, defense = 1 }', "attack and defense are numbers of 0 to 10"),
    ],
)
def test_impossible_card_number_is_rejected_with_place(card: str, words: str) -> None:
    with pytest.raises(CatalogError, match=words) as caught:
        parse_deck(f"cards = [{card}]", "file")
    assert "cards[0]" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = 7\ncards = ['Ant']", "game is 7"),
        ("game = 'chess'\ncards = ['Ant']", "no decks for the game 'chess'"),
        ("game = 'matrix'\ncards = ['Ant']", "no decks for the game 'matrix'"),
    ],
)
def test_deck_for_game_without_decks_is_rejected(shell: Shell, text: str, words: str) -> None:
    shell("deck", "check", write(shell.folder / "deck.toml", text)).fails(words)


def test_deck_show_displays_cards_as_used_in_their_game(shell: Shell) -> None:
    rng = random.Random(1)
    side = write(shell.folder / "s.toml", deck_toml(Deck("Duel", tuple(random_side_deck(rng)), plays="tactics")))
    out = shell.good("deck", "show", side).out
    assert out.startswith("Duel\n\n┌─ 1 ─")
    wolf, fog = Card("", "", "Wolf", {}, 0, attack=3, defense=1), Card("", "", "Fog", {}, 0)
    battle = write(shell.folder / "b.toml", deck_toml(Deck("War", (wolf, fog, wolf, fog, fog), plays="ninecard")))
    lines = [line.split() for line in shell.good("deck", "show", battle).out.splitlines()]
    assert ["2", "creatures:"] in lines
    assert ["2", "Wolf", "3/1", "4"] in lines
    assert ["3", "energy", "cards:"] in lines
    assert ["3", "Fog", "no", "attack", "and", "no", "defense", "from", "0", "to", "10"] in lines
    for file in (side, battle):
        assert max(map(len, shell.good("deck", "show", file).out.splitlines())) <= 80


def test_faction_file_is_a_tactics_deck(shell: Shell) -> None:
    file = Path(__file__).resolve().parents[3] / "engine" / "games" / "tactics" / "factions" / "cinder.toml"
    assert shell.good("deck", "check", file, "--for", "tactics").out == "Legal: a deck of 18 cards.\n"
    shell.good("simulate", "tactics", "-n", "1", "--deck", file)
