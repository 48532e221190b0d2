"""Tables: reasons, imports, counts, checks, scores, shares."""

import re

import pytest
from shown_examples import CARD, IMPORT, NUMBERS, SCORE, SIMULATION, STATS

from ccgrid.catalog.card import ZONES
from ccgrid.view import reports
from ccgrid.view.card import show_card
from ccgrid.view.text import ZONE_PHRASES, reason_in_words


def test_every_reason_is_explained_with_its_rule() -> None:
    reasons = ["digital", "oversized", "no-number", "layout:split", *(f"multiple-numbers:{zone}" for zone in ZONES)]
    assert set(ZONE_PHRASES) == set(ZONES)
    for reason in reasons:
        assert re.search(r"\(rule (9|10|11)\)$", reason_in_words(reason))


def test_a_barred_card_says_why_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    show_card(CARD, NUMBERS)
    out = capsys.readouterr().out
    assert "Barred from decks: two numbers in the bottom-right corner (rule 9)\n" in out
    assert re.search(r"^face +text +3000 +no +above 10 \(rule 6\)$", out, re.MULTILINE)


# Results
def test_an_import_tells_amounts_that_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_import(IMPORT)
    out = capsys.readouterr().out
    assert "Imported mtg (2026-11-20)" in out
    assert re.search(r"^barred +37$", out, re.MULTILINE)
    assert out.index("two numbers, bottom right") < out.index("no number"), "the most frequent reason comes first"


def test_stats_count_cards_and_zones_per_game(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_stats(STATS)
    out = capsys.readouterr().out
    assert "1,200 cards, 60 of them legal." in out
    assert re.search(r"^mtg +1200 +60 +1140$", out, re.MULTILINE)
    assert re.search(r"^mtg +0 +0 +0 +0 +0 +0 +54 +0$", out, re.MULTILINE)


def test_an_empty_catalogue_has_stats_too(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_stats({"cards": 0, "legal": 0, "games": []})
    assert capsys.readouterr().out == "0 cards, 0 of them legal.\n"


def test_a_deck_check_lists_every_problem(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_deck_check({"ok": True, "cards": 20, "problems": []})
    assert capsys.readouterr().out == "Legal: a deck of 20 cards.\n"
    problems = [{"card": None, "reason": "19 cards, not 20"}, {"card": "Jace", "reason": "no-number"}]
    reports.show_deck_check({"ok": False, "cards": 19, "problems": problems})
    out = capsys.readouterr().out
    assert "Not legal: a deck of 19 cards with 2 problems." in out
    assert re.search(r"^Jace +no number$", out, re.MULTILINE)


def test_scores_are_listed_best_first_with_the_winner(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_score(SCORE)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines.index(["Bob", "61", "winner"]) < lines.index(["Ann", "57"])


def test_an_unfinished_game_has_no_winner_yet(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_score({**SCORE, "over": False, "winner": None})
    out = capsys.readouterr().out
    assert "not over yet" in out
    assert "winner" not in out
    assert "draw" not in out


def test_equal_scores_are_a_draw(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_score({**SCORE, "scores": {"Ann": 5, "Bob": 5}, "winner": None})
    assert "A draw." in capsys.readouterr().out


def test_a_wrong_record_shows_where_it_is_wrong_and_no_scores(capsys: pytest.CaptureFixture[str]) -> None:
    errors = [{"where": 'moves[6] "b2xc3"', "message": "c3 has 5 facing b2's 4"}]
    reports.show_score({**SCORE, "ok": False, "errors": errors})
    assert capsys.readouterr().out == 'Not valid: evening.toml\n  moves[6] "b2xc3": c3 has 5 facing b2\'s 4\n'


def test_a_simulation_shows_shares_of_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_simulation(SIMULATION)
    out = capsys.readouterr().out
    assert re.search(r"^south +random +500 +50\.0 % +10 +45\.68$", out, re.MULTILINE)
    assert "The first player won 51.0 %, 1.0 % were draws." in out
