"""The measure of how even factions are: what it counts, and what it calls even."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ccgrid.engine.games.four_sides.cards import sided_card
from ccgrid.engine.games.four_sides.factions import Faction

MEASURE = runpy.run_path(str(Path(__file__).resolve().parents[3] / "scripts" / "balance_factions"))


def faction(name, number):
    return Faction("tactics", name, name, "", tuple(sided_card(f"{name} {card}", *[number] * 4) for card in range(6)))


def test_at_a_table_of_four_the_strong_one_is_ahead_of_each_of_the_others():
    factions = [faction("giants", 9), *(faction(name, 1) for name in ("mice", "rats", "bats"))]
    shares, first = MEASURE["at_tables_of_four"](factions, "random", 2, 1)
    assert all(shares[0, other][0] > 0.5 for other in (1, 2, 3))
    assert all(shares[one, other][0] + shares[other, one][0] == pytest.approx(1) for one, other in shares)
    assert sum(first) == pytest.approx(1)
    assert first[0] > 0.5


def test_even_is_from_47_to_53_over_all_and_from_42_to_58_between_two():
    is_even = MEASURE["is_even"]
    assert is_even([(0.47, 0.01), (0.53, 0.01)], [(0.42, 0.01), (0.58, 0.01)])
    assert not is_even([(0.469, 0.01), (0.5, 0.01)], [(0.5, 0.01)])
    assert not is_even([(0.5, 0.01)], [(0.581, 0.01)])


def test_the_status_says_that_uneven_factions_are_uneven(monkeypatch, capsys):
    uneven = SimpleNamespace(find=None, bundled=lambda: (faction("giants", 9), faction("mice", 1)))
    globals_of_main = MEASURE["main"].__globals__
    monkeypatch.setitem(globals_of_main, "FACTIONS", uneven)
    monkeypatch.setattr(sys, "argv", ["balance_factions", "--player", "random", "--games", "10", "--workers", "1"])
    assert MEASURE["main"]() == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("giants")
    assert lines[-1] == "random, 10 games a pairing; ± is the standard error"
