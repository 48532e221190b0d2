"""Tests of deck ratings: figures against records and plain formulas, verdicts, and dead decks."""

import json
import random
from math import sqrt
from statistics import fmean, stdev

import msgspec
import pytest
from helpers.made_up import card, random_battle_deck, random_deck, random_side_deck

from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.engine.board import OPPOSITE
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.four_sides import sided_card
from ccgrid.engine.games.grid.decks import met_share
from ccgrid.engine.games.grid.moves import BOARD
from ccgrid.engine.insight.deck_rating import (
    DeckCounts,
    Lead,
    RatingFigures,
    Use,
    count_by_readable_rules,
    count_games,
    default_games,
    rate,
)
from ccgrid.engine.many.runner import Runner
from ccgrid.engine.many.simulation import Lineup, play_game
from ccgrid.services.deck_search import explain_rating

DECK = tuple(random_deck(random.Random(3), 20))
DEAD = tuple(card(f"Wall {number}", top=5, bottom=5) for number in range(20))
CORNERED = tuple(card(f"Corner {number}", top_right=number % 10) for number in range(20))


def lineup(*policies, deck=DECK, seed=5):
    return Lineup("grid", policies, FixedDecks((deck,)), seed)


# Counts


@pytest.mark.parametrize("policies", [("greedy", "greedy"), ("random", "greedy"), ("random", "greedy", "random")])
def test_rating_kernel_equals_readable_rules(policies):
    games_lineup = lineup(*policies)
    assert count_games(games_lineup, range(1, 120)) == count_by_readable_rules(games_lineup, range(1, 120))


def test_counts_equal_records():
    games_lineup = lineup("greedy", "random")
    counts = count_games(games_lineup, range(1, 60))
    met, choices, dead, margins, leads_of_takers = [], [], 0, [], {}
    for number in range(1, 60):
        record = play_game(games_lineup, number)
        state = record.setup.start()
        takers = []
        for move in record.moves:
            taken = state.card_taken(move)
            met.append(OPPOSITE[BOARD.zone_towards(move[:2], move[3:])] in taken.zones)
            choices.append(len(state.legal_moves()))
            takers.append((taken.name, state.to_move))
            state = state.play_unchecked(move)
        dead += state.pile > 0
        one, other = record.result
        margins.append((one - other) * (1 if record.setup.first == 0 else -1))
        for name, seat in takers:
            leads_of_takers.setdefault(name, []).append((one - other) * (1 if seat == 0 else -1))
    rating = rate("grid", DECK, 59, 5, policies=("greedy", "random"))
    figures = msgspec.to_builtins(rating.figures())
    assert rating.counts == counts
    assert figures["met"] == pytest.approx(fmean(met))
    assert figures["mean_choices"] == pytest.approx(fmean(choices))
    assert figures["forced"] == pytest.approx(choices.count(1) / len(choices))
    assert figures["dead"] == dead / 59
    won = [(margin > 0) / 2 + (margin >= 0) / 2 for margin in margins]
    assert figures["first_share"] == pytest.approx(fmean(won))
    assert figures["first_stderr"] == pytest.approx(stdev(won) / sqrt(59))
    for figure in figures["cards"]:
        seen = leads_of_takers[figure["name"]]
        assert figure["worth"] == pytest.approx(fmean(seen))
        assert figure["stderr"] == pytest.approx(stdev(seen) / sqrt(len(seen)))


def test_rating_is_independent_of_runner():
    alone = rate("grid", DECK, 900, 2, runner=Runner(1))
    assert rate("grid", DECK, 900, 2, runner=Runner(2)) == alone


def test_rating_is_resumable(tmp_path):
    for games in (100, 100, 700):
        resumed = rate("grid", DECK, games, 2, resume=tmp_path / "kept.json")
    assert resumed == rate("grid", DECK, 700, 2)
    with pytest.raises(EngineError, match="the cards are not the same"):
        rate("grid", DEAD, 700, 2, resume=tmp_path / "kept.json")


def test_komi_makes_game_even():
    counts = DeckCounts(games=100, margins={10: 40, 6: 25, -4: 30, 0: 5})
    assert counts.first_share == pytest.approx(0.675)
    shares = {points: counts.share_with(points) for points in range(12)}
    assert counts.komi == min(shares, key=lambda points: (abs(shares[points] - 0.5), points))
    assert counts.share_with(6) == pytest.approx(0.525)
    dice = random.Random(5)
    for _ in range(300):
        counts = DeckCounts(games=9, margins={dice.randint(-9, 9): dice.randint(1, 5) for _ in range(4)})
        reach = max(map(abs, counts.margins))
        shares = {points: counts.share_with(points) for points in range(reach + 1)}
        assert counts.komi == min(shares, key=lambda points: (abs(shares[points] - 0.5), points))


def test_komi_of_huge_margins_is_found_quickly():
    assert DeckCounts(games=2, margins={10**18: 1, -(10**18): 1}).komi == 0
    assert DeckCounts(games=2, margins={10**18: 2}).komi == 10**18


def test_card_decides_if_points_exceed_margin():
    counts = DeckCounts()
    counts.end_game(0, (12, 9), [Use("Dragon", 0, 4), Use("Mouse", 0, 1), Use("Giant", 1, 9)])
    counts.end_game(1, (12, 9), [Use("Dragon", 1, 9), Use("Mouse", 0, 2)])
    assert {name: use.decided for name, use in counts.cards.items()} == {"Dragon": 1, "Mouse": 0, "Giant": 0}
    assert counts.by_one == 1
    assert counts.margins == {3: 1, -3: 1}
    assert counts.cards["Dragon"].total == 0


def test_lead_changes_when_another_seat_leads_alone():
    lead = Lead()
    for scores in ((0, 0), (3, 0), (3, 3), (3, 5), (6, 5), (7, 5)):
        lead.update(scores)
    assert lead.changes == 2


@pytest.mark.parametrize(
    ("game", "deck"),
    [
        ("tactics", tuple(random_side_deck(random.Random(2)))),
        ("ninecard", tuple(random_battle_deck(random.Random(2), 30))),
    ],
)
def test_figures_without_meaning_are_null(game, deck):
    figures = msgspec.to_builtins(rate(game, deck, 12, 1, policies=("random", "random")).figures())
    assert figures["met"] is figures["dead"] is figures["decider"] is None
    assert 0 <= figures["first_share"] <= 1
    assert figures["mean_choices"] > 1
    assert figures["cards"]


@pytest.mark.parametrize(("game", "games"), [("grid", 0), ("matrix", 10), ("chess", 10)])
def test_invalid_rating_requests_are_rejected(game, games):
    with pytest.raises(EngineError):
        rate(game, DECK, games, 1)


def test_illegal_deck_is_rejected_before_playing():
    with pytest.raises(EngineError, match="one deck of 20 cards"):
        rate("grid", DECK[:19], 10, 1)


# Dead decks


def figures_with(**fields):
    """Return the rating of a deck with these figures."""
    others = dict.fromkeys(field for field in RatingFigures.__struct_fields__ if field not in ("name", "interrupted"))
    return RatingFigures(**{**others, **fields})


def dead_deck_reason(game, cards):
    return find_game(game).decks.dead_deck_reason(cards)


def test_deck_without_possible_captures_is_dead():
    assert "no card of it can take another" in dead_deck_reason("grid", DEAD)
    assert explain_rating("grid", DEAD, {}, None) == [
        f"A dead deck: {dead_deck_reason('grid', DEAD)}. Put other cards in."
    ]
    assert msgspec.to_builtins(rate("grid", DEAD, 20, 1).figures())["mean_moves"] == 0
    assert msgspec.to_builtins(rate("grid", DEAD, 20, 1).figures())["dead"] == 1
    assert dead_deck_reason("grid", (*DEAD[:19], card("Ram", top=6, bottom=5))) is None
    assert dead_deck_reason("grid", DECK) is None
    assert dead_deck_reason("grid", CORNERED) is None


def test_dead_decks_of_other_games():
    same = tuple(sided_card(f"Brick {number}", 4, 4, 4, 4) for number in range(18))
    assert "numbers are equal" in dead_deck_reason("tactics", same)
    assert dead_deck_reason("tactics", (*same, sided_card("Ram", 5, 4, 4, 4))) is None
    energy = tuple(each for each in random_battle_deck(random.Random(1), 40) if each.attack is None)
    assert "no creature" in dead_deck_reason("ninecard", energy)
    assert dead_deck_reason("ninecard", tuple(random_battle_deck(random.Random(1), 40))) is None
    assert dead_deck_reason("tactics", ()) is dead_deck_reason("ninecard", ()) is dead_deck_reason("grid", ()) is None


def test_numbers_in_one_corner_never_meet():
    assert met_share(CORNERED) == 0
    assert 0 < met_share(DECK) < 1
    assert msgspec.to_builtins(rate("grid", CORNERED, 50, 1).figures())["met"] == 0


# The command


def deck_file(shell, cards, name="Mine"):
    file = shell.folder / "mine.toml"
    file.write_text(deck_toml(Deck(name, tuple(cards), None, "grid")), encoding="utf-8")
    return file


def rate_as_json(shell, file, *words):
    return json.loads(shell.good("deck", "rate", file, "--json", *words).out)


def test_rate_command_prints_documented_keys_reproducibly(shell):
    file = deck_file(shell, DECK)
    found = rate_as_json(shell, file, "-n", "50")
    keys = ["games", "met", "first_share", "first_stderr", "draws", "mean_moves", "mean_choices", "dead", "cards"]
    assert [key for key in found if key in keys] == keys
    assert list(found["cards"][0])[:3] == ["name", "worth", "stderr"]
    assert rate_as_json(shell, file, "-n", "50") == found
    assert found["games"] == 50
    shown = shell.good("deck", "rate", file, "-n", "50").out
    assert "Most decisive card" in shown


def test_rating_accepts_one_or_two_policies(shell):
    file = deck_file(shell, DECK)
    equal = rate_as_json(shell, file, "-n", "60", "--players", "greedy")
    assert equal == rate_as_json(shell, file, "-n", "60", "--players", "greedy,greedy")
    others = [rate_as_json(shell, file, "-n", "60", "--players", two)["met"] for two in ("greedy,random", "random")]
    assert len({equal["met"], *others}) == 3
    shell("deck", "rate", file, "--players", "greedy,random,greedy").misuses("name one policy for both, or two")


def test_verdict_suggests_games_to_mix_in(shell):
    shell.import_starter()
    found = rate_as_json(shell, deck_file(shell, CORNERED), "-n", "50")["verdict"]
    assert any("mostly top-right; mix in " in line and "bottom-left" in line for line in found)


def test_verdict_names_players(shell):
    file = deck_file(shell, DECK)
    for players, description in (("strong:2", "two strong:2 players"), ("greedy,random", "greedy and random players")):
        found = rate_as_json(shell, file, "-n", "12", "--players", players)
        assert any(f"of the points between {description}" in line for line in found["verdict"])


@pytest.mark.parametrize(
    ("share", "error", "word"),
    [
        (0.55, 0.109, "--games 2000"),
        (0.51, 0.01, "Even: "),
        (0.65, 0.02, "gets 65 %"),
        (0.65, 0.06, "does not balance"),
    ],
)
def test_evenness_needs_enough_games(share, error, word):
    rating = {"first_share": share, "first_stderr": error, "draws": 0.0, "players": ["greedy", "greedy"], "games": 10}
    rating |= {"met": 0.5, "mean_choices": 4.0, "dead": 0.0, "komi_share": 0.5, "komi": 0}
    assert any(word in line for line in explain_rating("grid", DECK, figures_with(**rating), None))


def test_komi_is_suggested_only_if_it_helps():
    rating = {"first_share": 0.4, "first_stderr": 0.01, "draws": 0.0, "players": ["greedy", "greedy"]}
    rating |= {"met": 0.5, "mean_choices": 4.0, "dead": 0.0, "komi_share": 0.4}
    [line] = [
        line
        for line in explain_rating("grid", DECK, figures_with(**rating, komi=0), None)
        if "The first player" in line
    ]
    assert line == (
        "The first player gets 40 % of the points between two greedy players: "
        "komi, for the other player, does not balance that."
    )
    [line] = [
        line
        for line in explain_rating("grid", DECK, figures_with(**rating, komi=3), None)
        if "The first player" in line
    ]
    assert "balance it with the variant komi=3" in line


def test_searching_players_play_fewer_games():
    for game in GAMES.having("rating"):
        many = default_games(game, ("random", "greedy"))
        assert 100 <= default_games(game, ("greedy", "strong:50")) < many


def test_every_command_reports_dead_deck(shell):
    file = deck_file(shell, DEAD)
    assert "A dead deck" in shell.good("deck", "rate", file, "-n", "9").out
    assert "A dead deck" in shell.good("deck", "show", file).err
    checked = shell.good("deck", "check", file, "--json")
    assert json.loads(checked.out)["dead"] is True
    assert "A dead deck" in checked.err
    lively = shell.good("deck", "check", deck_file(shell, DECK), "--json")
    assert "dead" not in json.loads(lively.out)
    assert lively.err == ""


def test_illegal_deck_is_not_rated(shell):
    done = shell("deck", "rate", deck_file(shell, DECK[:19]))
    assert done.status == 3
    assert "not a legal deck" in done.err
