"""Tests of decks, records and endings of tactics."""

import json
import random
import re
from itertools import compress, product

import pytest
from helpers.hypothesis_examples import EXAMPLES
from helpers.made_up import random_sided_card
from helpers.random_records import assert_reads_back
from tactics_positions import SIDES, TACTICS, random_game

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.decks import TooFewCardsError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import RecordError
from ccgrid.engine.games.four_sides import as_sided_card, sided_card, sides
from ccgrid.engine.games.tactics.decks import DECKS
from ccgrid.engine.games.tactics.rules import EMPTY
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import RandomPlayer
from ccgrid.engine.records.files import read_ending
from ccgrid.engine.records.record import read_document


# Cards and decks from other cards
def test_card_is_made_of_a_name_and_four_numbers():
    cards = sided_card("Geezard", 1, 4, 1, 5), sided_card("Squall", 10, 4, 6, 9)
    assert [(each.name, sides(each), each.score) for each in cards] == [
        ("Geezard", (1, 4, 1, 5), 11),
        ("Squall", (10, 4, 6, 9), 29),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [((" ", 1, 1, 1, 1), "name: is empty"), (("A", 1, 11, 1, 1), "right: must be 0 to 10, not 11")],
)
def test_invalid_card_is_rejected_with_location(row, message):
    with pytest.raises(RecordError, match=f"^{re.escape(message)}"):
        sided_card(*row)


def test_random_deck_has_different_cards_with_a_number_on_every_side():
    rng = random.Random(3)
    usable = [random_sided_card(rng) for _ in range(30)]
    others = [Card(id="", game="", name="Flat", zones={"top": 1}, score=1)] * 50
    [deck] = DECKS.random_decks([*others, *usable], 1, {})(Dice(1))
    assert len(deck) == len(set(map(id, deck))) == 18
    assert set(deck) <= {as_sided_card(each) for each in usable}
    with pytest.raises(TooFewCardsError) as caught:
        DECKS.random_decks([*others, *usable[:17]], 1, {})
    assert str(caught.value) == "a deck takes 18 cards with a number on every side, and there are 17"


# Records
def read_setup(setup, players=("Ann", "Bob"), lookup=None):
    TACTICS.setup_schema(setup)
    return TACTICS.read_setup(setup, players, 0, *([lookup] if lookup else []))


def rows(count=3, **changes):
    return [{"name": f"Sentry {n}", "top": 1, "right": 2, "bottom": 3, "left": 4, **changes} for n in range(count)]


@pytest.mark.parametrize(
    ("decks", "where", "message"),
    [
        ({"Ann": rows()}, "decks.Bob", "is missing: every player has a deck"),
        ({"Ann": rows(), "Bob": rows(), "Cid": rows()}, "decks.Cid", "is not one of the players"),
        ({"Ann": rows(2), "Bob": rows()}, "decks.Ann", "a deck has 3 to 1000 cards, not 2"),
        ({"Ann": rows(), "Bob": rows(1001)}, "decks.Bob", "a deck has 3 to 1000 cards, not 1001"),
        ({"Ann": rows(left=11), "Bob": rows()}, "decks.Ann[0].left", "must be 0 to 10, not 11"),
        ({"Ann": rows(), "Bob": rows(top=-1)}, "decks.Bob[0].top", "must be 0 to 10, not -1"),
        ({"Ann": rows(name=""), "Bob": rows()}, "decks.Ann[0].name", "is empty: moves need card names"),
        ({"Ann": rows(power=1), "Bob": rows()}, "decks.Ann[0].power", "unknown key"),
        ({"Ann": rows(top="A"), "Bob": rows()}, "decks.Ann[0].top", "must be a whole number"),
        ({"Ann": [{"name": "A"}], "Bob": rows()}, "decks.Ann[0].top", "is missing"),
        ({"Ann": ["Sentry"] * 3, "Bob": rows()}, "decks.Ann[0]", "there is no catalogue"),
    ],
)
def test_invalid_setup_is_rejected_with_location(decks, where, message):
    with pytest.raises(RecordError) as caught:
        read_setup({"decks": decks})
    assert caught.value.where == where
    assert caught.value.message.startswith(message)


def test_card_is_looked_up_and_needs_a_number_on_every_side():
    found = {
        "tt:1": Card(id="tt:1", game="tt", name="Geezard", zones=dict(zip(SIDES, (1, 4, 1, 5), strict=True)), score=11),
        "flat": Card(id="flat", game="tt", name="Flat", zones={"top": 1}, score=1),
    }

    def lookup(wanted):
        if wanted not in found:
            raise CatalogError(f"there is no {wanted}")
        return found[wanted]

    setup = read_setup({"decks": {"Ann": ["tt:1", *rows(2)], "Bob": rows()}}, lookup=lookup)
    assert sides(setup.decks[0][0]) == (1, 4, 1, 5)
    for reference, message in (("flat", "no number at its right and bottom and left"), ("none", "there is no none")):
        with pytest.raises(RecordError, match=message) as caught:
            read_setup({"decks": {"Ann": rows(), "Bob": [*rows(2), reference]}}, lookup=lookup)
        assert caught.value.where == "decks.Bob[2]"


def test_record_has_one_card_per_line():
    record, _ = random_game(1)
    assert re.search(
        r'\[setup\]\n\[setup\.decks\]\nAnn = \[\n  \{ name = "[^"]+", top = \d+, right = \d', record.to_toml()
    )


def test_random_games_replay_from_toml_and_json_to_the_same_scores():
    for seed in range(4 * EXAMPLES):
        record, final = random_game(seed, 4 if seed % 8 == 0 else 2, 3 + seed % 9)
        assert_reads_back(record, final)


def test_damaged_record_is_rejected_with_location():
    record, _ = random_game(3)
    document = json.loads(record.to_json_line())
    document["moves"][4] = document["moves"][3]
    error = read_document(document).error
    assert error.where.startswith("moves[4] ")
    document = json.loads(record.to_json_line()) | {"result": {"scores": {"Ann": 999, "Bob": record.result[1]}}}
    assert read_document(document).error.where == "result.scores.Ann"


# Endings without a record
def ending(tmp_path, text):
    file = tmp_path / "end.toml"
    file.write_text(f'game = "tactics"\n{text}')
    return read_ending(file)


def test_the_final_board_and_captures_are_enough_for_the_score(tmp_path):
    board = 'board = ["Ann", "Bob", "Ann", "Bob", "Ann", "Bob", "Bob", "Bob", "Ann"]\n'
    read = ending(tmp_path, board + "[captures]\nAnn = 3\nBob = 5\n")
    assert read.error is None
    assert dict(read.scores) == {"Ann": 1 + 1 + 3 + 1 + 3, "Bob": 2 + 2 + 2 + 1 + 2 + 5}
    large = ending(tmp_path, f"deck = 1000\nboard = {['Ann'] * 9}\n[captures]\nAnn = 900\nBob = 891\n")
    assert dict(large.scores) == {"Ann": 900 + 15, "Bob": 891}


@pytest.mark.parametrize("sizes", [(18, 18), (3, 3), (4, 9), (6, 6, 6, 6), (3, 10, 7, 4)], ids=str)
def test_endings_of_played_games_are_accepted_and_impossible_ones_are_not(tmp_path, sizes):
    rng, names = random.Random(5), ("Ann", "Bob", "Cid", "Dan")[: len(sizes)]
    rejected = 0
    for seed in range(12):
        decks = [[sided_card(str(n), *(rng.randint(0, 10) for _ in range(4))) for n in range(size)] for size in sizes]
        _, final = play_out(TACTICS.deal(names, decks, Dice(seed)).start(), [RandomPlayer()] * len(sizes), Dice(seed))
        board = [names[final.setup.owners[card]] if card != EMPTY else "" for card in final.grid]
        captures = dict(zip(names, map(len, final.captured), strict=True))
        deck = "{ " + ", ".join(f"{name} = {size}" for name, size in zip(names, sizes, strict=True)) + " }"

        def read_captures(counts, deck=deck, board=board):
            taken = "\n".join(f"{name} = {count}" for name, count in counts.items())
            return ending(tmp_path, f"deck = {deck}\nboard = {board}\n[captures]\n{taken}\n")

        read = read_captures(captures)
        assert read.error is None, read.error
        assert tuple(read.scores.values()) == final.scores()
        # With two more cards for one player, an opponent would have played two more cards than the turns allow.
        rejected += read_captures({**captures, names[0]: captures[names[0]] + 2}).error is not None
    assert rejected >= 6


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ('board = [""]\n[captures]\nAnn = 1\nBob = 1', "board", "of 2 players has 9 cells, not 1"),
        ("board = []\n[captures]\nAnn = 1", "captures", "tactics is for 2 or 4 players, not 1"),
        (f"board = {[''] * 9}\n[captures]\nAnn = 1\nBob = -1", "captures.Bob", "cannot be -1"),
        (f"board = {[''] * 8 + ['Cid']}\n[captures]\nAnn = 1\nBob = 1", "board[8]", '"Cid" is not one of the players'),
        ("[captures]\nAnn = 1\nBob = 1", "board", "is missing"),
        (
            f"board = {['Ann'] * 9}\n[captures]\nAnn = 900\nBob = 1",
            "captures.Ann",
            "cannot be 900: the others have 18 cards, and 0 of them are on the board; if decks had not 18 cards, write",
        ),
        (
            f"deck = 20\nboard = {['Ann', 'Bob', 'Bob'] * 3}\n[captures]\nAnn = 15\nBob = 1",
            "captures.Ann",
            "cannot be 15: the others have 20 cards, and 6 of them are on the board",
        ),
        (
            f"deck = 8\nboard = {['Ann', 'Bob', ''] * 3}\n[captures]\nAnn = 5\nBob = 4",
            "board",
            "has an open cell, so all 16 cards were played, but 15 are there or captured",
        ),
        (
            f"board = {['Ann', 'Bob', 'Cid', 'Dan'] * 4}\n[captures]\nAnn = 40\nBob = 17\nCid = 0\nDan = 0",
            "captures",
            "and board come to 73 cards, and the decks have 72",
        ),
        (
            'board = ["Ann", "Bob", "Ann", "", "Ann", "Bob", "Bob", "Bob", "Ann"]\n[captures]\nAnn = 2\nBob = 4',
            "board",
            "has an open cell, so all 36 cards were played, but 14 are there or captured; if decks had not 18 cards,",
        ),
        (
            f"board = {['Ann', 'Bob', 'Bob'] * 3}\n[captures]\nAnn = 5\nBob = 1",
            "captures",
            "and board come to 15 cards, but not from players who took turns",
        ),
        (
            # Bob would have played the tenth card last, so that it would be on the board.
            f"board = {['Ann'] * 9}\n[captures]\nAnn = 10\nBob = 0",
            "captures",
            "and board come to 19 cards, but not from players who took turns",
        ),
        (f"deck = {{ Ann = 9 }}\nboard = {['Ann'] * 9}\n[captures]\nAnn = 8\nBob = 0", "deck.Bob", "is missing"),
        (f"deck = 2\nboard = {['Ann'] * 9}\n[captures]\nAnn = 0\nBob = 0", "deck", "must be 3 to 1000 cards, not 2"),
    ],
)
def test_impossible_ending_is_rejected_with_location(tmp_path, text, where, message):
    error = ending(tmp_path, text).error
    assert error.where == where
    assert error.message.startswith(message)


_NEIGHBOURS = [
    [other for other in range(9) if abs(cell % 3 - other % 3) + abs(cell // 3 - other // 3) == 1] for cell in range(9)
]


def reachable_counts(sizes):
    """Return the possible numbers of cards on the board and captures of both players at the end of a game."""
    ends = set()
    # A position: the cells of each player as bits, the captures, the unplayed cards, and the player to move.
    positions = {((0, 0), (0, 0), sizes, first) for first in (0, 1)}
    while positions:
        following = set()
        for cells, captures, left, mover in positions:
            taken = cells[0] | cells[1]
            seats = [seat for seat in (mover, 1 - mover) if left[seat]]
            if taken == 0b111111111 or not seats:
                ends.add((cells[0].bit_count(), cells[1].bit_count(), *captures))
                continue
            seat, other = seats[0], 1 - seats[0]
            for cell in range(9):
                if taken >> cell & 1:
                    continue
                neighbours = [1 << near for near in _NEIGHBOURS[cell] if cells[other] >> near & 1]
                # With suitable numbers, any subset of them is captured.
                for selection in product((0, 1), repeat=len(neighbours)):
                    held, caught, cards = list(cells), list(captures), list(left)
                    held[seat] |= 1 << cell
                    held[other] &= ~sum(compress(neighbours, selection))
                    caught[seat] += sum(selection)
                    cards[seat] -= 1
                    following.add((tuple(held), tuple(caught), tuple(cards), other))
        positions = following
    return ends


@pytest.mark.parametrize("sizes", [(3, 3), (3, 4)], ids=str)
def test_exactly_the_reachable_counts_are_accepted(sizes):
    def is_accepted(south, north, *captures):
        board = ["Ann"] * south + ["Bob"] * north + [""] * (9 - south - north)
        deck, taken = (dict(zip(("Ann", "Bob"), counts, strict=True)) for counts in (sizes, captures))
        try:
            TACTICS.score_ending({"board": board, "captures": taken, "deck": deck})
        except RecordError:
            return False
        return True

    counts_up_to_all_cards = range(sum(sizes) + 1)
    found = {
        counts for counts in product(counts_up_to_all_cards, repeat=4) if sum(counts[:2]) <= 9 and is_accepted(*counts)
    }
    assert found == reachable_counts(sizes)
