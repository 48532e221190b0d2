"""The search for even factions: what it counts, what it may change, and what it writes."""

import runpy
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.four_sides.cards import sided_card, sides
from ccgrid.engine.games.tactics import core
from ccgrid.engine.games.tactics.factions import FACTIONS

ROOT = Path(__file__).resolve().parents[3]
FILES = ROOT / "engine" / "games" / "tactics" / "factions"
TUNING = runpy.run_path(str(ROOT / "scripts" / "tune_factions"))
STRONG = tuple(sided_card(f"Giant {number}", 9, 9, 9, 9) for number in range(6))
WEAK = tuple(sided_card(f"Mouse {number}", 1, 1, 1, 1) for number in range(6))


def test_a_share_is_of_the_points_that_could_be_won():
    shares = TUNING["shares"]([STRONG, WEAK], 2, "random", 40, 1)
    assert shares[0, 1] + shares[1, 0] == pytest.approx(1)
    assert shares[0, 1] > 0.9
    four = TUNING["shares"]([STRONG, WEAK, WEAK, WEAK], 4, "random", 2, 1)
    assert sorted(four) == [(0, 1, 2, 3), (1, 0, 2, 3), (2, 0, 1, 3), (3, 0, 1, 2)]
    assert four[0, 1, 2, 3] > 0.5


def test_even_decks_are_nearer_to_nought_than_uneven_ones():
    scale = TUNING["Scale"]("random", 30, 1)
    assert scale([STRONG] * 4) < scale([STRONG, WEAK, WEAK, WEAK])


def test_a_change_moves_a_few_cards_by_a_point():
    deck = FACTIONS.bundled()[0].cards
    for seed in range(50):
        after = TUNING["changed"](deck, Dice(seed))
        moved = [(sides(old), sides(new)) for old, new in zip(deck, after, strict=True) if old != new]
        assert len(moved) <= 6
        assert all(sum(abs(a - b) for a, b in zip(old, new, strict=True)) <= 2 for old, new in moved)


def test_a_faction_keeps_its_character():
    keeps = TUNING["keeps_character"]
    deck = (sided_card("Elk", 8, 6, 4, 2), sided_card("Fox", 7, 6, 4, 2))
    assert keeps(deck, (sided_card("Elk", 7, 6, 4, 3), deck[1]), 1)
    assert not keeps(deck, (sided_card("Elk", 6, 6, 4, 2), deck[1]), 1), "a number went too far"
    assert not keeps(deck, (sided_card("Elk", 9, 6, 4, 2), deck[1]), 2), "it has a number as high as a spear now"
    assert not keeps(deck, (sided_card("Elk", 8, 5, 6, 2), sided_card("Fox", 7, 5, 6, 2)), 2), "its back is its flank"


def test_players_who_think_ahead_know_the_decks_that_are_tried():
    factions = FACTIONS.bundled()
    tried = [TUNING["changed"](faction.cards, Dice(7)) for faction in factions]
    view = find_game("tactics").deal(["Ann", "Bob"], tried[:2], Dice(1)).start().view(0)

    def candidates():
        groups = core.world(view).hidden.groups
        return [last - first for first, last in zip(groups[2::4], groups[3::4], strict=True)]

    unknown = candidates()
    with TUNING["known"](tried):
        assert max(candidates()) == len(factions)
    assert candidates() == unknown == [1] * len(unknown)


def test_a_faction_is_written_as_its_file_holds_it():
    for faction in FACTIONS.bundled():
        text = TUNING["written"](faction)
        assert text == (FILES / f"{faction.name}.toml").read_text(encoding="utf-8")
        assert FACTIONS.read(text.encode(), "again.toml") == faction


def test_it_measures_without_changing_anything_where_it_has_no_time(monkeypatch, capsys, tmp_path):
    out = tmp_path / "tuned"
    monkeypatch.setattr(
        sys, "argv", ["tune_factions", "--minutes", "0", "--games", "6", "--player", "random", "--out", str(out)]
    )
    assert TUNING["main"]() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [faction.name for faction in FACTIONS.bundled()]
    assert all(line.count("%") == 5 for line in lines[1:])
    assert not out.exists()


def test_it_goes_on_from_the_files_that_it_left(tmp_path):
    factions = FACTIONS.bundled()
    decks = [faction.cards for faction in factions]
    assert TUNING["begun"](factions, None) == TUNING["begun"](factions, tmp_path) == decks
    tuned = replace(factions[1], cards=factions[2].cards)
    (tmp_path / f"{tuned.name}.toml").write_text(TUNING["written"](tuned), encoding="utf-8")
    assert TUNING["begun"](factions, tmp_path) == [decks[0], decks[2], *decks[2:]]
