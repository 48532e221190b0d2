"""Tests of the bundled factions, of faction files, and of the scripts that measure and tune factions."""

import re
import runpy
import sys
import tomllib
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.games.four_sides import SIDES, Faction, faction_bytes, sided_card, sides
from ccgrid.engine.games.tactics import core
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.simulation import Lineup, simulate

MEASUREMENTS = Path(__file__).resolve().parents[3] / "scripts" / "measurements"

VALID = """
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


def test_four_factions_have_18_uniquely_named_cards_each():
    factions = FACTIONS.bundled()
    assert len(factions) == 4
    names = [card.name for faction in factions for card in faction.cards]
    assert len(names) == len(set(names)) == 4 * 18
    assert all(faction.title and faction.about for faction in factions)
    assert all(set(card.zones) == set(SIDES) for faction in factions for card in faction.cards)


def test_factions_have_different_characters():
    def spread(faction):
        return sum(max(sides(card)) - min(sides(card)) for card in faction.cards) / 18

    walls, glass, rounders, lances = map(FACTIONS.find, ("bastion", "cinder", "harbor", "lancers"))
    assert spread(walls) < spread(rounders) < spread(glass) < spread(lances)
    front, back = (sum(sides(card)[one] + sides(card)[two] for card in glass.cards) for one, two in ((0, 1), (2, 3)))
    assert front > 2 * back
    assert all(sum(number >= 9 for number in sides(card)) == 1 for card in lances.cards)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), list(combinations(("bastion", "cinder", "harbor", "lancers"), 2)))
def test_factions_have_even_strength(one, other):
    """Check roughly, with 1,000 games; `scripts/measurements/balance_factions` measures precisely."""
    decks = FACTIONS.find(one).cards, FACTIONS.find(other).cards
    won = 0.0
    for seat in (0, 1):
        match = Lineup("tactics", ("greedy", "greedy"), FixedDecks(decks if seat == 0 else decks[::-1]), 11)
        tally = simulate(match, 500, workers=1).tally
        won += tally.wins[seat] + tally.draws / 2
    assert 0.42 < won / 1000 < 0.58


def test_no_faction_dominates_table_of_four():
    """Check roughly, with a few games per seating; `scripts/measurements/tune_factions` measures precisely."""
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
    with pytest.raises(EngineError, match=r"There is no faction 'bastoin'\. Did you mean bastion"):
        FACTIONS.find("bastoin")


# Files


def test_valid_file_has_no_problems():
    assert problems(VALID) == []
    faction = FACTIONS.read(VALID.encode(), "mill.toml")
    assert (faction.name, faction.title, faction.about) == ("mill", "The Mill", "Grinds slowly.")
    assert [sides(card) for card in faction.cards] == [(1, 2, 3, 4), (10, 0, 3, 4), (10, 0, 3, 4)]


def test_title_and_description_may_be_missing():
    text = re.sub(r"(format|title|about) = .*\n", "", VALID)
    assert problems(text) == []
    assert FACTIONS.read(text.encode(), "mill.toml").title == "mill"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", "format: must be 1, not the number 2"),
        ('name = "mill"', "", "name: is missing: give the name to type"),
        ('name = "mill"', 'name = " "', 'name: must be a text that is not empty, not the text " "'),
        ('title = "The Mill"', "title = 3", "title: must be a text that is not empty, not the number 3"),
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
    assert old in VALID
    text = VALID.replace(old, new, 1)
    assert any(problem.startswith("mill.toml: ") and message in problem for problem in problems(text))
    with pytest.raises(EngineError, match=r"mill\.toml: "):
        FACTIONS.read(text.encode(), "mill.toml")


def test_all_faction_errors_are_reported_together():
    text = VALID.replace("top = 1,", "top = 77,").replace("left = 4", "left = -4").replace('"mill"', "1")
    assert len(problems(text)) == 1 + 1 + 3
    with pytest.raises(EngineError, match=r"and 4 more"):
        FACTIONS.read(text.encode(), "mill.toml")


def test_problem_has_keys_for_json_output():
    [problem] = FACTIONS.problems(VALID.replace("right = 2", "right = 11").encode(), "mill.toml")
    assert msgspec.to_builtins(problem) == {
        "file": "mill.toml",
        "card": '"Miller"',
        "key": "right",
        "reason": "must be 0 to 10, not 11",
    }


def test_card_may_have_any_name_which_is_escaped():
    text = VALID.replace('"Miller"', r'"\u001b[2J[/red]"').replace("right = 2", "right = 11")
    [problem] = problems(text)
    assert "\x1b" not in problem
    assert r"\x1b[2J[/red]" in problem


@given(st.binary(max_size=200))
def test_any_bytes_give_a_faction_or_problems(data):
    assert FACTIONS.problems(data, "any.toml")


@given(
    st.recursive(st.integers(-2, 12) | st.text(max_size=3) | st.booleans(), lambda inner: st.lists(inner, max_size=3))
)
def test_any_value_of_any_key_gives_a_faction_or_problems(value):
    from ccgrid.engine.games.four_sides import _problems

    good = tomllib.loads(VALID)
    for key in good:
        list(_problems(good | {key: value}, "any.toml", FACTIONS))
    for key in good["cards"][0]:
        list(_problems(good | {"cards": [good["cards"][0] | {key: value}, value]}, "any.toml", FACTIONS))


def test_faction_file_is_read_up_to_size_limit(tmp_path):
    file = tmp_path / "mill.toml"
    file.write_text(VALID)
    assert FACTIONS.find(str(file)) == FACTIONS.read(VALID.encode(), "mill.toml")
    file.write_bytes(b"#" * (2 << 20))
    assert len(faction_bytes(file)) < 2 << 20
    with pytest.raises(EngineError, match="larger than"):
        FACTIONS.find(str(file))
    with pytest.raises(EngineError, match="No such file or directory"):
        FACTIONS.find(str(tmp_path / "none.toml"))


# --- The script that measures factions ------------------------------------------------------------------------------


sys.path.insert(0, str(MEASUREMENTS))  # the scripts import modules next to them
MEASURE = runpy.run_path(str(MEASUREMENTS / "balance_factions"))


def faction(name, number):
    return Faction("tactics", name, name, "", tuple(sided_card(f"{name} {card}", *[number] * 4) for card in range(6)))


def test_strong_faction_leads_others_at_table_of_four():
    factions = [faction("giants", 9), *(faction(name, 1) for name in ("mice", "rats", "bats"))]
    shares, first = MEASURE["at_tables_of_four"](factions, "random", 2, 1)
    assert all(shares[0, other][0] > 0.5 for other in (1, 2, 3))
    assert all(shares[one, other][0] + shares[other, one][0] == pytest.approx(1) for one, other in shares)
    assert sum(first) == pytest.approx(1)
    assert first[0] > 0.5


def test_factions_are_even_from_47_to_53_percent_in_total_and_42_to_58_per_pair():
    is_even = MEASURE["is_even"]
    assert is_even([(0.47, 0.01), (0.53, 0.01)], [(0.42, 0.01), (0.58, 0.01)])
    assert not is_even([(0.469, 0.01), (0.5, 0.01)], [(0.5, 0.01)])
    assert not is_even([(0.5, 0.01)], [(0.581, 0.01)])


def test_uneven_factions_exit_with_status_1(monkeypatch, capsys):
    uneven = SimpleNamespace(find=None, bundled=lambda: (faction("giants", 9), faction("mice", 1)))
    globals_of_main = MEASURE["main"].__globals__
    monkeypatch.setitem(globals_of_main, "FACTIONS", uneven)
    monkeypatch.setattr(sys, "argv", ["balance_factions", "--player", "random", "--games", "10", "--workers", "1"])
    assert MEASURE["main"]() == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("giants")
    assert lines[-1] == "random, 10 games a pairing; ± is the standard error"


# --- The script that tunes factions ---------------------------------------------------------------------------------


ROOT = Path(__file__).resolve().parents[3]
FILES = ROOT / "engine" / "games" / "tactics" / "factions"
TUNING = runpy.run_path(str(MEASUREMENTS / "tune_factions"))
STRONG = tuple(sided_card(f"Giant {number}", 9, 9, 9, 9) for number in range(6))
WEAK = tuple(sided_card(f"Mouse {number}", 1, 1, 1, 1) for number in range(6))


def test_shares_of_each_pairing_sum_to_one():
    shares = TUNING["shares"]([STRONG, WEAK], 2, "random", 40, 1)
    assert shares[0, 1] + shares[1, 0] == pytest.approx(1)
    assert shares[0, 1] > 0.9
    four = TUNING["shares"]([STRONG, WEAK, WEAK, WEAK], 4, "random", 2, 1)
    assert sorted(four) == [(0, 1, 2, 3), (1, 0, 2, 3), (2, 0, 1, 3), (3, 0, 1, 2)]
    assert four[0, 1, 2, 3] > 0.5


def test_even_decks_have_lower_unevenness_than_uneven_ones():
    scale = TUNING["Scale"]("random", 30, 1)
    assert scale([STRONG] * 4) < scale([STRONG, WEAK, WEAK, WEAK])


def test_random_change_moves_few_points_on_few_cards():
    deck = FACTIONS.bundled()[0].cards
    for seed in range(50):
        after = TUNING["changed"](deck, Dice(seed))
        moved = [(sides(old), sides(new)) for old, new in zip(deck, after, strict=True) if old != new]
        assert len(moved) <= 6
        assert all(sum(abs(a - b) for a, b in zip(old, new, strict=True)) <= 2 for old, new in moved)


def test_change_of_character_is_rejected():
    keeps = TUNING["keeps_character"]
    deck = (sided_card("Elk", 8, 6, 4, 2), sided_card("Fox", 7, 6, 4, 2))
    assert keeps(deck, (sided_card("Elk", 7, 6, 4, 3), deck[1]), 1)
    assert not keeps(deck, (sided_card("Elk", 6, 6, 4, 2), deck[1]), 1), "a number went too far"
    assert not keeps(deck, (sided_card("Elk", 9, 6, 4, 2), deck[1]), 2), "it has a number as high as a spear now"
    assert not keeps(deck, (sided_card("Elk", 8, 5, 6, 2), sided_card("Fox", 7, 5, 6, 2)), 2), "its back is its flank"


def test_searching_players_know_tried_decks_while_tuning():
    factions = FACTIONS.bundled()
    tried = [TUNING["changed"](faction.cards, Dice(7)) for faction in factions]
    view = find_game("tactics").deal(["Ann", "Bob"], tried[:2], Dice(1)).start().view(0)

    def candidate_counts():
        groups = core.world(view).hidden.groups
        return [last - first for first, last in zip(groups[2::4], groups[3::4], strict=True)]

    unknown = candidate_counts()
    with TUNING["known"](tried):
        assert max(candidate_counts()) == len(factions)
    assert candidate_counts() == unknown == [1] * len(unknown)


def test_written_factions_equal_their_files():
    for faction in FACTIONS.bundled():
        text = TUNING["written"](faction)
        assert text == (FILES / f"{faction.name}.toml").read_text(encoding="utf-8")
        assert FACTIONS.read(text.encode(), "again.toml") == faction


def test_tuning_without_time_measures_and_writes_nothing(monkeypatch, capsys, tmp_path):
    out = tmp_path / "tuned"
    monkeypatch.setattr(
        sys, "argv", ["tune_factions", "--minutes", "0", "--games", "6", "--player", "random", "--out", str(out)]
    )
    assert TUNING["main"]() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [faction.name for faction in FACTIONS.bundled()]
    assert all(line.count("%") == 5 for line in lines[1:])
    assert not out.exists()


def test_tuning_resumes_from_its_written_decks(tmp_path):
    factions = FACTIONS.bundled()
    decks = [faction.cards for faction in factions]
    assert TUNING["begun"](factions, None) == TUNING["begun"](factions, tmp_path) == decks
    tuned = replace(factions[1], cards=factions[2].cards)
    (tmp_path / f"{tuned.name}.toml").write_text(TUNING["written"](tuned), encoding="utf-8")
    assert TUNING["begun"](factions, tmp_path) == [decks[0], decks[2], *decks[2:]]
