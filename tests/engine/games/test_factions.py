"""Factions: the bundled ones, and what a faction file may hold."""

import re
import tomllib
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.four_sides.cards import SIDES, sides
from ccgrid.engine.games.four_sides.factions import faction_bytes
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.simulation import Lineup, simulate

GOOD = """
format = 1
name = "mill"
title = "The Mill"
about = "Grinds slowly."
cards = [
  { name = "Miller", top = 1, right = 2, bottom = 3, left = 4 },
  { name = "Wheel", top = 10, right = 0, bottom = 3, left = 4 },
  { name = "Wheel", top = 10, right = 0, bottom = 3, left = 4 },
]
"""


def problems(text):
    return [str(problem) for problem in FACTIONS.problems(text.encode(), "mill.toml")]


# The bundled ones


def test_there_are_four_of_18_cards_with_names_of_their_own():
    factions = FACTIONS.bundled()
    assert len(factions) == 4
    names = [card.name for faction in factions for card in faction.cards]
    assert len(names) == len(set(names)) == 4 * 18
    assert all(faction.title and faction.about for faction in factions)
    assert all(set(card.zones) == set(SIDES) for faction in factions for card in faction.cards)


def test_they_are_of_different_characters():
    def spread(faction):
        return sum(max(sides(card)) - min(sides(card)) for card in faction.cards) / 18

    walls, glass, rounders, lances = map(FACTIONS.find, ("bastion", "cinder", "harbor", "lancers"))
    assert spread(walls) < spread(rounders) < spread(glass) < spread(lances)
    front, back = (sum(sides(card)[one] + sides(card)[two] for card in glass.cards) for one, two in ((0, 1), (2, 3)))
    assert front > 2 * back
    assert all(sum(number >= 9 for number in sides(card)) == 1 for card in lances.cards)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), list(combinations(("bastion", "cinder", "harbor", "lancers"), 2)))
def test_they_are_of_even_strength(one, other):
    """A thousand games: a coarse net; `scripts/balance_factions` measures finely."""
    decks = FACTIONS.find(one).cards, FACTIONS.find(other).cards
    won = 0.0
    for seat in (0, 1):
        match = Lineup("tactics", ("greedy", "greedy"), FixedDecks(decks if seat == 0 else decks[::-1]), 11)
        tally = simulate(match, 500, workers=1).tally
        won += tally.wins[seat] + tally.draws / 2
    assert 0.42 < won / 1000 < 0.58


def test_at_a_table_of_four_none_of_them_takes_it_all():
    """Every seating, a few games each; `scripts/tune_factions` measures finely."""
    factions = FACTIONS.bundled()
    won = dict.fromkeys((faction.name for faction in factions), 0.0)
    for seating in permutations(factions):
        lineup = Lineup("tactics", ("greedy",) * 4, FixedDecks(tuple(faction.cards for faction in seating)), 5)
        tally = simulate(lineup, 4, workers=1).tally
        for seat, faction in enumerate(seating):
            won[faction.name] += tally.wins[seat] + tally.shared[seat] / 2
    assert all(0.13 < points / (24 * 4) < 0.37 for points in won.values()), won


def test_a_faction_is_found_by_its_name():
    assert FACTIONS.find("bastion").name == "bastion"
    with pytest.raises(EngineError, match='no faction is called "bastoin": did you mean bastion'):
        FACTIONS.find("bastoin")


# Files


def test_a_good_file_has_no_problems():
    assert problems(GOOD) == []
    faction = FACTIONS.read(GOOD.encode(), "mill.toml")
    assert (faction.name, faction.title, faction.about) == ("mill", "The Mill", "Grinds slowly.")
    assert [sides(card) for card in faction.cards] == [(1, 2, 3, 4), (10, 0, 3, 4), (10, 0, 3, 4)]


def test_title_and_sentence_may_be_missing():
    text = re.sub(r"(format|title|about) = .*\n", "", GOOD)
    assert problems(text) == []
    assert FACTIONS.read(text.encode(), "mill.toml").title == "mill"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", "format: must be 1, not the number 2"),
        ('name = "mill"', "", "name: is missing: give the name to type"),
        ('name = "mill"', 'name = " "', 'name: must be a text with something in it, not the text " "'),
        ('title = "The Mill"', "title = 3", "title: must be a text with something in it, not the number 3"),
        ("format = 1", 'game = "grid"', 'game: must be "tactics" here, not the text "grid"'),
        ("format = 1", "colour = 1", "colour: unknown key; known here: format, game, name, title, about, cards"),
        ("right = 2", "right = 11", 'card "Miller", right: must be 0 to 10, not 11'),
        ("right = 2", "right = -1", 'card "Miller", right: must be 0 to 10, not -1'),
        ("right = 2", 'right = "2"', 'card "Miller", right: must be a whole number, not the text "2"'),
        ("right = 2, ", "", 'card "Miller", right: is missing'),
        ("right = 2", "right = 2, centre = 5", 'card "Miller", centre: unknown key; known here: name, top'),
        ('name = "Miller"', 'name = ""', "card 1, name: is empty"),
        ('name = "Miller", ', "", "card 1, name: is missing"),
        ('name = "Miller"', "name = 7", "card 1, name: must be a text, not the number 7"),
        ('name = "Miller"', 'name = "Wheel"', 'card "Wheel", name: another card has this name, with other numbers'),
        ('name = "Miller"', 'name = "\\u001b[2J"\n', "is not TOML"),
        ('  { name = "Miller", top = 1, right = 2, bottom = 3, left = 4 },', "3,", "card 1: must be a table like"),
        (
            '  { name = "Miller", top = 1, right = 2, bottom = 3, left = 4 },',
            "",
            "cards: must be 3 to 1000 cards, not 2",
        ),
        ("cards = [", "cards = 3\nothers = [", "cards: must be a list, not the number 3"),
        ("cards = [", "others = [", "cards: is missing"),
    ],
)
def test_a_problem_names_file_card_and_key(old, new, message):
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    assert any(problem.startswith("mill.toml: ") and message in problem for problem in problems(text))
    with pytest.raises(EngineError, match=r"mill\.toml: "):
        FACTIONS.read(text.encode(), "mill.toml")


def test_everything_that_is_wrong_is_said_at_once():
    text = GOOD.replace("top = 1,", "top = 77,").replace("left = 4", "left = -4").replace('"mill"', "1")
    assert len(problems(text)) == 1 + 1 + 3
    with pytest.raises(EngineError, match=r"and 4 more"):
        FACTIONS.read(text.encode(), "mill.toml")


def test_a_problem_is_given_to_scripts_too():
    [problem] = FACTIONS.problems(GOOD.replace("right = 2", "right = 11").encode(), "mill.toml")
    assert problem.to_dict() == {
        "file": "mill.toml",
        "card": '"Miller"',
        "key": "right",
        "reason": "must be 0 to 10, not 11",
    }


def test_a_card_may_be_called_anything_and_is_shown_without_being_obeyed():
    text = GOOD.replace('"Miller"', r'"\u001b[2J[/red]"').replace("right = 2", "right = 11")
    [problem] = problems(text)
    assert "\x1b" not in problem
    assert r"\x1b[2J[/red]" in problem


@given(st.binary(max_size=200))
def test_any_bytes_are_a_faction_or_problems(data):
    assert FACTIONS.problems(data, "any.toml")


@given(
    st.recursive(st.integers(-2, 12) | st.text(max_size=3) | st.booleans(), lambda inner: st.lists(inner, max_size=3))
)
def test_any_value_in_any_place_is_no_crash(value):
    from ccgrid.engine.games.four_sides.factions import _problems

    good = tomllib.loads(GOOD)
    for key in good:
        list(_problems(good | {key: value}, "any.toml", FACTIONS))
    for key in good["cards"][0]:
        list(_problems(good | {"cards": [good["cards"][0] | {key: value}, value]}, "any.toml", FACTIONS))


def test_a_file_is_read_and_an_endless_one_is_not(tmp_path):
    file = tmp_path / "mill.toml"
    file.write_text(GOOD)
    assert FACTIONS.find(str(file)) == FACTIONS.read(GOOD.encode(), "mill.toml")
    file.write_bytes(b"#" * (2 << 20))
    assert len(faction_bytes(file)) < 2 << 20
    with pytest.raises(EngineError, match="larger than"):
        FACTIONS.find(str(file))
    with pytest.raises(EngineError, match="cannot be read"):
        FACTIONS.find(str(tmp_path / "none.toml"))
