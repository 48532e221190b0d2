"""Tests that kernels in plain Python play the same games as the readable rules, move for move."""

import json
import random
from dataclasses import replace

import pytest
from helpers.differential import games
from helpers.made_up import random_battle_deck, random_deck, random_side_deck, variants_of
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_pool import CardPool
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from ccgrid.engine.dice import Dice, fork_seeds
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Ending, Outcome
from ccgrid.engine.games import find_game
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.many.kernels import CoreKernel, KernelMatches, find_kernel
from ccgrid.engine.many.simulation import Lineup, play_game, simulate
from ccgrid.engine.many.tally import Tally
from ccgrid.engine.records.match import Match

POOL = tuple(random_deck(random.Random(1), 60))
SPARSE = tuple(
    Card(id=f"dusk:{number}", game="dusk", name=f"Card {number}", zones={"top-right": number % 5}, score=number % 4)
    for number in range(20)
)


def any_decks(dice):
    """Return a random deck. Kernels do not know this source."""
    return [dice.shuffled(POOL)[:20]]


def make_card(numbers, text):
    zones = {zone: number for zone, number in zip(ZONES, numbers[:-1], strict=True) if number is not None}
    return Card(f"gale:{text}", "gale", text, zones, numbers[-1])


SAME_NUMBERS = CardPool.of(
    [(*map(card.zones.get, ZONES), card.score, f"{copy}") for copy in range(3) for card in POOL], make_card
)
SOURCES = {
    "fixed": FixedDecks((POOL[:20],)),
    "copies": FixedDecks((POOL[:4] * 5,)),
    "sparse": FixedDecks((SPARSE,)),
    "drawn": RandomDecks(POOL, 20),
    "drawn of twenty": RandomDecks(POOL[:20], 20),
    "drawn from a catalogue": RandomDecks(SAME_NUMBERS, 20),
    "different": DifferentDecks((POOL[:20], POOL[20:40], SPARSE), 1),
}


ENDING = Ending("over", "it is over")


def python_kernel(lineup):
    """Return the kernel that runs the core in plain Python, even if the compiler is installed."""
    kernel = find_kernel(lineup, games=1)
    assert type(kernel) is CoreKernel
    assert not kernel.is_compiled
    return kernel


def assert_equal_matches(kernel, lineup, plan, count):
    lines = []
    summary = simulate(lineup, count, plan=plan, workers=1, write=lines.append)
    records = iter(map(json.loads, lines))
    matches = [[next(records)] for _ in range(count)] if plan.length == 1 else []
    for record in records:
        if record["match"]["number"] == 1:
            matches.append([])
        matches[-1].append(record)
    kernel_matches = KernelMatches(kernel, lineup, plan, range(1, count + 1))
    for number, (places, batch, turn) in enumerate(kernel_matches.rounds(keep_moves=True)):
        assert list(places) == [place for place, games in enumerate(matches) if len(games) > number]
        assert turn == (number % len(lineup.policies) if plan.same_deal else 0)
        for entry, place in enumerate(places):
            record = matches[place][number]
            assert list(batch.moves[entry]) == record["moves"]
            assert batch.rows()[entry] == tuple(record["result"]["scores"][name] for name in record["players"])
            if "first" in record:
                assert record["players"][batch.first[entry]] == record["first"]
    counted = KernelMatches(kernel, lineup, plan, range(1, count + 1)).count()
    assert counted == (summary.tally, summary.matches)


PLANS = {
    "three games": lambda game, players: Match.by_points(game, players),
    "best of five": lambda game, players: Match.best_of(game, players, 5),
    "the same deal": lambda game, players: Match.by_points(game, players, 2 * len(players), same_deal=True),
    "best of the same deals": lambda game, players: Match.best_of(game, players, 2 * len(players), same_deal=True),
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("options", [{}, {"komi": 5, "order": "1-2-2", "empty-pile": True}], ids=str)
@pytest.mark.parametrize("source", ["sparse", "drawn", "different"])
@pytest.mark.parametrize("policies", [("random", "greedy"), ("greedy", "random", "random")])
def test_grid_kernel_matches_equal_readable_rules(policies, source, options, plan):
    lineup = Lineup("grid", policies, SOURCES[source], 7, options)
    assert_equal_matches(python_kernel(lineup), lineup, PLANS[plan]("grid", lineup.players), games(2, parts=10))


def assert_equal_games(kernel, lineup, numbers):
    assert_games_are(readable(lineup, numbers), kernel, lineup, numbers)


def readable(lineup, numbers):
    return [play_game(lineup, number) for number in numbers]


def assert_games_are(records, kernel, lineup, numbers):
    batch = kernel.run(lineup, numbers, keep_moves=True)
    assert batch.numbers == numbers
    for entry, record in enumerate(records):
        assert batch.moves[entry] == record.moves
        assert batch.plies[entry] == len(record.moves)
        assert batch.first[entry] == record.setup.start().to_move
        assert tuple(column[entry] for column in batch.scores) == record.result
        assert batch.codes[batch.endings[entry]] == record.final().ending().code
    counted = Tally(len(lineup.policies))
    for first, plies, *scores in zip(batch.first, batch.plies, *batch.scores, strict=True):
        counted.count(Outcome.of(tuple(map(int, scores)), ENDING), int(first), int(plies))
    assert batch.tally() == counted
    assert all(type(number) is int for number in (counted.games, *batch.tally().points))
    bare = kernel.run(lineup, numbers)
    assert bare.moves is None
    for one, other in zip(
        (bare.first, bare.plies, *bare.scores), (batch.first, batch.plies, *batch.scores), strict=True
    ):
        assert list(one) == list(other)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "policies", [("random",) * 2, ("greedy",) * 2, ("greedy", "random", "random"), ("random", "greedy") * 2]
)
def test_grid_kernel_equals_readable_rules(policies, source):
    lineup = Lineup("grid", policies, SOURCES[source], 7)
    assert_equal_games(python_kernel(lineup), lineup, range(1, 1 + games(10)))


VARIANTS = [options for options in variants_of("grid") if set(options) <= find_game("grid").core.OPTIONS]
"""The options that the kernels know. `test_fast_paths` tests that kernels decline all others."""


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("source", ["sparse", "drawn", "different"])
@pytest.mark.parametrize("policies", [("random", "greedy"), ("greedy", "random", "random"), ("random",) * 4])
def test_grid_kernel_variants_equal_readable_rules(policies, source, options):
    lineup = Lineup("grid", policies, SOURCES[source], 7, options)
    assert_equal_games(python_kernel(lineup), lineup, range(1, 1 + games(4)))


SIDE_POOL = tuple(random_side_deck(random.Random(2), 1300))
DECKS = tuple(tuple(random_side_deck(random.Random(seed), size)) for seed, size in enumerate((18, 18, 3, 25, 5)))
PLAIN = tuple(tuple({card.name: card for card in SIDE_POOL}.values())[:18] * 2 for _ in range(4))


def tables_of_tactics():
    for policies in (("random",) * 2, ("greedy",) * 2, ("random",) * 4, ("greedy", "random") * 2):
        seats = len(policies)
        sources = {
            "fixed": FixedDecks(DECKS[:seats]),
            "copies": FixedDecks(PLAIN[:seats]),
            "different": DifferentDecks(DECKS, seats),
            "drawn": RandomDecks(SIDE_POOL, 18, seats),
        }
        for name, source in sources.items():
            yield pytest.param(Lineup("tactics", policies, source, 7), id=f"{'-'.join(policies)}-{name}")


every_table_of_tactics = pytest.mark.parametrize("lineup", list(tables_of_tactics()))


@every_table_of_tactics
def test_tactics_kernel_equals_readable_rules(lineup):
    assert_equal_games(python_kernel(lineup), lineup, range(3, 3 + games(10)))


def tables_of_matrix():
    pairs = ("random",) * 2, ("greedy",) * 2, ("greedy", "random")
    for policies in (*pairs, ("random",) * 3, ("greedy", "random", "greedy"), ("random", "greedy") * 2):
        for rotate in ("quarter", "step"):
            lineup = Lineup("matrix", policies, FixedDecks(()), 7, {"rotate": rotate})
            yield pytest.param(lineup, id=f"{'-'.join(policies)}-{rotate}")


every_table_of_matrix = pytest.mark.parametrize("lineup", list(tables_of_matrix()))


def has_playouts(lineup):
    """Return whether a greedy player plays out the last rounds, which is slow."""
    return len(lineup.policies) > 2 and "greedy" in lineup.policies


@every_table_of_matrix
def test_matrix_kernel_equals_readable_rules(lineup):
    assert_equal_games(python_kernel(lineup), lineup, range(3, 3 + games(2 if has_playouts(lineup) else 10)))


@pytest.mark.parametrize("plan", ["best of five", "the same deal"])
def test_tactics_kernel_matches_equal_readable_rules(plan):
    lineup = Lineup("tactics", ("greedy", "random") * 2, DifferentDecks(DECKS, 4), 7)
    assert_equal_matches(python_kernel(lineup), lineup, PLANS[plan]("tactics", lineup.players), games(2, parts=10))


@pytest.mark.parametrize("plan", ["best of five", "the same deal"])
def test_matrix_kernel_matches_equal_readable_rules(plan):
    lineup = Lineup("matrix", ("greedy", "random"), FixedDecks(()), 7)
    assert_equal_matches(python_kernel(lineup), lineup, PLANS[plan]("matrix", lineup.players), games(2, parts=10))


BATTLE_DECKS = tuple(tuple(random_battle_deck(random.Random(seed), 30)) for seed in range(6))
BATTLE_POOL = tuple(random_battle_deck(random.Random(6), 400))
RENAMED = ("Elk", "Elk banner", "Elk b", "Elk Queen", "Elk of old")
"""Names whose order changes when a column follows them."""
INTERLEAVED = tuple(replace(card, name=RENAMED[number % 5]) for number, card in enumerate(BATTLE_POOL[:30]))


def tables_of_ninecard():
    for policies in (
        ("random",) * 2,
        ("greedy", "random"),
        ("random", "greedy", "random"),
        ("random",) * 4,
        ("greedy",) * 4,
    ):
        seats = len(policies)
        sources = {
            "fixed": FixedDecks(BATTLE_DECKS[:seats]),
            "different": DifferentDecks((*BATTLE_DECKS, INTERLEAVED), seats),
            "drawn": RandomDecks(BATTLE_POOL, 24, seats),
            "along the curve": BattleDecks.of(BATTLE_POOL, seats),
        }
        for name, source in sources.items():
            for options in variants_of("ninecard"):
                if find_game("ninecard").core.OPTIONS.issuperset(options):
                    lineup = Lineup("ninecard", policies, source, 7, options)
                    yield pytest.param(lineup, id=f"{'-'.join(policies)}-{name}-{options}")


TABLES_OF_NINECARD = [
    pytest.param(*one.values, id=one.id, marks=[pytest.mark.slow] * bool(number % 5))
    for number, one in enumerate(tables_of_ninecard())
]
every_table_of_ninecard = pytest.mark.parametrize("lineup", TABLES_OF_NINECARD)


@every_table_of_ninecard
def test_ninecard_kernel_equals_readable_rules(lineup):
    assert_equal_games(python_kernel(lineup), lineup, range(3, 3 + games(1, parts=8)))


@pytest.mark.parametrize("seats", [2, 3])
def test_card_names_that_sort_differently_with_column_keep_move_order(seats):
    lineup = Lineup("ninecard", ("random", "greedy", "random")[:seats], FixedDecks((INTERLEAVED,) * seats), 7)
    assert_equal_games(python_kernel(lineup), lineup, range(1, 11))


@pytest.mark.parametrize("plan", ["best of five", "the same deal"])
def test_ninecard_kernel_matches_equal_readable_rules(plan):
    lineup = Lineup("ninecard", ("random", "greedy", "random"), FixedDecks(BATTLE_DECKS[:3]), 7, {"limit": 30})
    assert_equal_matches(python_kernel(lineup), lineup, PLANS[plan]("ninecard", lineup.players), games(2, parts=10))


@pytest.mark.parametrize(
    "options", [{"life": 0}, {"limit": 2001}, {"facedown": 1}, {"opening": "any"}, {"rotate": 1}], ids=str
)
def test_unknown_ninecard_options_are_declined(options):
    assert find_kernel(Lineup("ninecard", ("random",) * 2, FixedDecks(BATTLE_DECKS[:2]), 1, options)) is None


def test_concurrent_preparation_of_other_decks_is_harmless():
    one, other = (Lineup("tactics", ("greedy", "random"), FixedDecks(decks), 7) for decks in (DECKS[:2], DECKS[1::-1]))
    used_kernel = CoreKernel(python_kernel(one).core, is_compiled=False)
    used_kernel.run(other, range(1, 2))
    other_cache = used_kernel._cache

    class OtherThreadKernel(CoreKernel):
        """A kernel whose prepared decks are always replaced by another thread."""

        _cache = property(lambda _: other_cache, lambda _, value: None)

    disturbed_kernel = OtherThreadKernel(used_kernel.core, is_compiled=False)
    assert disturbed_kernel.run(one, range(1, 20)).tally() == python_kernel(one).run(one, range(1, 20)).tally()


def test_hundreds_of_grid_games_are_equal_for_every_number_of_players():
    for seats in (2, 3, 4):
        lineup = Lineup("grid", ("random",) * seats, SOURCES["drawn"], seats)
        assert_equal_games(python_kernel(lineup), lineup, range(5, 5 + 5 * games(20)))


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**40), st.integers(0, 150))
def test_fork_seeds_equal_forks(seed, start, count):
    numbers = range(start, start + count)
    assert fork_seeds(seed, numbers) == [Dice(seed).fork(number).seed for number in numbers]


@pytest.mark.parametrize(
    ("policies", "source", "options"),
    [
        (("random", "sleepy"), SOURCES["fixed"], {}),
        (("random",) * 2, SOURCES["fixed"], {"komi": -5}),
        (("random",) * 2, any_decks, {}),
    ],
)
def test_unsupported_lineups_have_no_kernel(policies, source, options):
    assert find_kernel(Lineup("grid", policies, source, 1, options)) is None


def test_kernel_is_not_compiled_without_compiler(monkeypatch):
    lineup = Lineup("grid", ("random",) * 2, SOURCES["fixed"], 1)
    monkeypatch.setattr("ccgrid.engine.many.kernels.can_compile", lambda: False)
    assert not find_kernel(lineup, 10**9).is_compiled


@pytest.mark.parametrize(
    ("decks", "seats", "message"),
    [
        (FixedDecks((POOL[:19],)), 2, "grid is played with one deck of 20 cards, not 19"),
        (FixedDecks(()), 2, "grid is played with one deck, not 0"),
        (FixedDecks((POOL[:20],)), 5, "grid is for 2 to 4 players, not 5"),
        (FixedDecks((POOL[:20],)), 1, "grid is for 2 to 4 players, not 1"),
        (RandomDecks(POOL[:19], 20), 2, "a deck takes 20 different cards, and there are 19"),
        (RandomDecks(POOL, 21), 2, "grid is played with one deck of 20 cards, not 21"),
        (RandomDecks((*POOL[:20], Card("x", "", "Nought", {}, 0)), 20), 2, '"Nought" is not playable: .*'),
        (
            RandomDecks((*POOL[:20], replace(POOL[0], name="Barred", legal=False)), 20),
            2,
            '"Barred" is not playable: .*',
        ),
    ],
)
def test_kernels_and_readable_rules_raise_same_error(decks, seats, message):
    lineup = Lineup("grid", ("random",) * seats, decks, 1)
    assert find_kernel(lineup) is None
    with pytest.raises(EngineError, match=f"^{message}$"):
        simulate(lineup, 30, workers=1)
