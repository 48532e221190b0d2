"""Tests of searches for lively, balanced and good decks, and of the figures that they report."""

import json
import random
from dataclasses import replace

import msgspec
import pytest
from helpers.everyday import sampled
from helpers.made_up import card, random_deck

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.decks import TooFewCardsError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.grid import deck_search
from ccgrid.engine.games.grid.deck_search import (
    GREEDY,
    MOST_OF_POINTS,
    GridDeckSearch,
    Halving,
    SearchPlan,
    evenness_of_cards,
    plan_of,
    threshold_distances,
)
from ccgrid.engine.games.grid.decks import Meeting, can_meet, takes
from ccgrid.engine.insight.deck_rating import DeckCounts, ThresholdDistances, count_games, rate
from ccgrid.engine.many.runner import Runner
from ccgrid.engine.many.simulation import Lineup, simulate

CARDS = tuple(random_deck(random.Random(1), 200))
CORNERED = tuple(card(f"Corner {number}", top_right=number % 10) for number in range(60))
MIXED = tuple(
    card(f"Mixed {number}", **{("top_right" if number % 3 else "bottom_left"): number % 10}) for number in range(90)
)
SHORT = SearchPlan(
    (Halving(1, 16, (100, 100)), Halving(3, 16, (200, 200))),
    1_000,
    ascents=3,
    steps=400,
    lively_games=200,
    rated=300,
    usual=(60, 10),
)
SHORTER = SearchPlan(
    (Halving(1, 4, (20,)), Halving(2, 4, (30,))), 200, ascents=3, steps=100, lively_games=40, rated=60, usual=(20, 10)
)
SHORTER_SLOW = replace(SHORTER, lively_games=4, rated=20, usual=(5, 2), slow_halvings=(Halving(2, 4, (2, 4)),))


@pytest.fixture
def short_search(monkeypatch):
    """Deck searches that evaluate fewer decks and compile nothing."""
    for module in (deck_search, deck_search):
        monkeypatch.setattr(module, "can_compile", lambda: False)
    monkeypatch.setattr(deck_search, "PLAIN_PLAN", SHORT)


@pytest.fixture
def minimal_search(short_search, monkeypatch):
    """Deck searches that evaluate very few decks, for tests that do not depend on the quality of the result."""
    monkeypatch.setattr(deck_search, "PLAIN_PLAN", SHORTER)
    monkeypatch.setattr(deck_search, "PLAIN_SLOW_PLAN", SHORTER_SLOW)


# Figures computed without games


def test_meetings_equal_captures_of_all_neighbours():
    deck = list(random_deck(random.Random(4), 8))
    captures = met = 0
    for one in deck:
        for other in deck:
            for zone, ways in (("left", 6), ("right", 6), ("top", 6), ("bottom", 6)):
                captures += ways * (one is not other and takes(one, other, zone))
            for zone in ("top-left", "top-right", "bottom-left", "bottom-right"):
                captures += 4 * (one is not other and takes(one, other, zone))
    opposite = {"left": "right", "top": "bottom", "top-left": "bottom-right", "top-right": "bottom-left"}
    opposite |= {other: one for one, other in opposite.items()}
    for one in deck:
        for other in deck:
            for zone in one.zones:
                if one is not other and takes(one, other, zone) and opposite[zone] in other.zones:
                    met += 4 if "-" in zone else 6
    meeting = Meeting(deck)
    assert meeting.share == pytest.approx(met / captures)
    assert meeting.choices == pytest.approx(captures / (8 * 7))


def test_swapping_cards_updates_counts_correctly():
    rng = random.Random(5)
    deck = list(CARDS[:20])
    meeting = Meeting(deck)
    for _ in range(30):
        place, other = rng.randrange(20), rng.choice(CARDS)
        meeting.swap(place, other)
        deck[place] = other
    again = Meeting(deck)
    assert (meeting.share, meeting.choices) == (again.share, again.choices)


def test_possible_meetings_are_detected_without_games():
    assert not can_meet(CORNERED)
    assert not can_meet([card("One", top=5), card("Two", bottom=5)])
    assert can_meet([card("One", top=5), card("Two", bottom=6)])
    assert can_meet(MIXED)


# Searches


@pytest.mark.usefixtures("short_search")
def test_lively_deck_has_more_meetings_and_choices_than_random_ones():
    found = GridDeckSearch(CARDS, 3, Runner(1)).lively()
    figures = msgspec.to_builtins(found.rating.figures())
    assert figures["met"] > 1.2 * found.usual.met_share
    assert len(found.cards) == 20
    points = sum(one.score for one in found.cards)
    assert max(one.score for one in found.cards) / points <= MOST_OF_POINTS


@pytest.mark.slow
@pytest.mark.usefixtures("short_search")
def test_reported_figures_hold_in_new_games():
    found = GridDeckSearch(CARDS, 3, Runner(1)).lively()
    figures = msgspec.to_builtins(found.rating.figures())
    again = msgspec.to_builtins(rate("grid", found.cards, 600, 12345, runner=Runner(1)).figures())
    assert figures["met"] == pytest.approx(again["met"], abs=0.05)
    assert figures["mean_choices"] == pytest.approx(again["mean_choices"], abs=0.4)
    tally = simulate(Lineup("grid", (GREEDY, GREEDY), FixedDecks((found.cards,)), 999), 3000, workers=1).tally
    assert found.start_share == pytest.approx((tally.first_player_wins + tally.draws / 2) / 3000, abs=0.05)


@pytest.mark.slow
@pytest.mark.usefixtures("short_search")
def test_balanced_deck_is_more_even_than_random_ones():
    found = GridDeckSearch(CARDS, 3, Runner(1)).balanced()
    assert abs(found.start_share - 0.5) < abs(found.usual.first_share - 0.5)


@pytest.mark.usefixtures("minimal_search")
@pytest.mark.parametrize("kind", sampled(["lively", "balanced", "good"], "lively"))
def test_deck_search_depends_only_on_seed(kind):
    search = GridDeckSearch(CARDS, 3, Runner(1))
    found = getattr(search, kind)()
    assert getattr(replace(search, runner=Runner(2)), kind)() == found
    assert getattr(replace(search, seed=4), kind)().cards != found.cards


@pytest.mark.usefixtures("minimal_search")
@pytest.mark.parametrize("kind", ["lively", "balanced", pytest.param("good", marks=pytest.mark.slow)])
def test_deck_search_plays_at_most_announced_games(kind):
    reports = []
    getattr(GridDeckSearch(CARDS, 3, Runner(1), reports.append), kind)()
    assert 0 < sum(reports) <= plan_of(GREEDY).most_games(kind)


@pytest.mark.slow
@pytest.mark.usefixtures("minimal_search")
def test_searching_players_select_even_deck_themselves():
    reports = []
    search = GridDeckSearch(CARDS, 3, Runner(1), reports.append, "strong:2")
    found = search.balanced()
    assert found.rating.lineup.policies == ("strong:2", "strong:2")
    assert found.start_share == found.rating.counts.first_share
    assert found.start_games == found.rating.counts.games == SHORTER_SLOW.rated
    assert found.usual.games == SHORTER_SLOW.usual[0] * SHORTER_SLOW.usual[1]
    most = plan_of("strong:2").most_games("balanced")
    assert most == 20 + 10 + 2 * (4 * 2 + 2 * 4)
    assert most / 2 < sum(reports) <= most
    again = replace(search, runner=Runner(2), progress=lambda _: None).balanced()
    assert (again.cards, again.rating.counts) == (found.cards, found.rating.counts)


def test_race_is_won_by_most_even_deck(monkeypatch):
    search = GridDeckSearch(CARDS, 3, Runner(1), player="strong:2")
    even = {deck: number / 100 for number, deck in enumerate([tuple(range(20)), tuple(range(20, 40))])}

    def starts(lineups, games):
        places = {card: place for place, card in enumerate(CARDS)}
        decks = [tuple(places[card] for card in lineup.decks(None)[0]) for lineup in lineups]
        return [(0.55 + even.setdefault(deck, 0.3), 0.0) for deck in decks]

    monkeypatch.setattr(GridDeckSearch, "_starts", lambda self, lineups, games: starts(lineups, games))
    halvings = [Halving(1, 8, (5, 5, 5))]
    assert search._most_even([tuple(range(20, 40)), tuple(range(20))], halvings, "strong:2", Dice(1))[0] == tuple(
        range(20)
    )
    assert len(even) == 8


def test_races_end_with_even_deck(monkeypatch):
    rounds = []

    def starts(self, lineups, games):
        rounds.append(games)
        return [(0.5, 0.0)] * len(lineups)

    monkeypatch.setattr(GridDeckSearch, "_starts", starts)
    search = GridDeckSearch(CARDS, 3, Runner(1), player="strong:2")
    search._most_even([], [Halving(50, 4, (5, 6))], "strong:2", Dice(1))
    assert rounds == [5, 6]


def test_one_lucky_result_does_not_end_search(monkeypatch):
    """Simulate a deck that looks even in a comparison but is less even than others in new games."""
    search, fresh = GridDeckSearch(CARDS, 3, Runner(1)), 1_000
    lucky: list[object] = []

    def starts(lineups, games):
        decks = [lineup.decks(None)[0] for lineup in lineups]
        lucky[:] = lucky or [decks[0]]
        share = 0.7 if games == fresh else 0.5
        return [(share if deck == lucky[0] else 0.6, 0.0) for deck in decks]

    monkeypatch.setattr(GridDeckSearch, "_starts", lambda self, lineups, games: starts(lineups, games))
    [found] = search._most_even([], [Halving(3, 4, (5, 5))], GREEDY, Dice(1), fresh)
    assert search._cards(found) != lucky[0]


@pytest.mark.parametrize(
    ("player", "words"),
    [("strong:0.1s", "such as strong:200"), ("stronk", "no computer player"), ("greedy:3", "takes no")],
)
@pytest.mark.parametrize("kind", ["lively", "balanced", "good"])
def test_unsuitable_players_are_rejected_before_search(kind, player, words):
    with pytest.raises(EngineError, match=words):
        getattr(GridDeckSearch(CARDS, 1, player=player), kind)()


def test_cards_without_possible_meetings_are_rejected_immediately():
    reports = []
    with pytest.raises(EngineError, match=r"^the numbers of these cards cannot meet: none are in opposite zones"):
        GridDeckSearch(CORNERED, 1, progress=reports.append).lively()
    assert reports == []


@pytest.mark.parametrize("kind", ["lively", "balanced", "good", "random"])
def test_too_few_cards_are_rejected(kind):
    with pytest.raises(TooFewCardsError, match="there are 19"):
        getattr(GridDeckSearch(CARDS[:19], 1), kind)()


# The command


@pytest.fixture
def starter_shell(shell):
    shell.import_starter()
    return shell


def decks(shell, *words):
    return [json.loads(line) for line in shell.good("deck", "new", "--seed", "5", "--json", *words).out.splitlines()]


@pytest.mark.usefixtures("minimal_search")
def test_command_finds_lively_deck_and_reports_figures(starter_shell):
    [found] = decks(starter_shell, "--lively", "--explain")
    assert len(found["cards"]) == 20
    assert found["rating"]["met"] > found["rating"]["usual_met"]
    assert found["explanation"]
    assert len(found["meets"]) == 20
    file = starter_shell.folder / "lively.toml"
    done = starter_shell.good("deck", "new", "--lively", "--seed", "5", "-o", file)
    assert "Two numbers meet in" in done.out
    assert "Legal" in starter_shell.good("deck", "check", file).out


@pytest.mark.slow
@pytest.mark.usefixtures("short_search")
def test_good_deck_is_closer_to_thresholds_than_random_one():
    search = GridDeckSearch(CARDS, 3, Runner(1))
    found = search.good()
    choices = found.usual.per_turn(found.usual.choices)
    random = search.measure(search.random())
    assert (
        threshold_distances(found.rating.counts, choices).missing
        < threshold_distances(random.rating.counts, choices).missing
    )


def test_evenness_threshold_counts_best_komi():
    uneven = DeckCounts(
        games=100, turns=1_000, choices=5_000, captures=1_000, met=500, by_one=40, margins={1: 30, 5: 30, -3: 40}
    )
    distances = threshold_distances(uneven, 4.0)
    assert (distances.met, distances.by_one, distances.choices) == (0, 0, 0)
    assert uneven.komi == 1
    assert distances.even == pytest.approx(abs(uneven.share_with(1) - 0.5) - 0.02)
    even = replace(uneven, margins={3: 51, -3: 49})
    assert is_reached(threshold_distances(even, 4.0))
    assert not is_reached(threshold_distances(even, 4.1))
    # 0.25 choices per turn; the threshold is 0.5.
    assert threshold_distances(replace(even, choices=250), 0.4).choices == pytest.approx(0.5)


def test_missing_sums_distances_with_safety_margin():
    assert ThresholdDistances(0.1, 0.02, 0.05, -1.0).missing == pytest.approx(0.11 + (2 * 0.02 + 0.01) + 0.06)
    assert ThresholdDistances(-0.01, -0.005, -0.01, -0.01).missing == 0
    assert ThresholdDistances(0.0, -0.1, -0.1, -0.1).missing == pytest.approx(0.01)


@pytest.mark.usefixtures("minimal_search")
def test_good_deck_search_ends_after_confirmed_deck(monkeypatch):
    counted = []

    def all_reached(self, lineups, games):
        counted.append(games)
        choices = 100 if len(counted) > 1 else 10  # the first call measures the random decks for comparison
        one = DeckCounts(
            games=games, turns=games, choices=choices * games, captures=games, met=games, margins={3: 10, -3: 10}
        )
        return [replace(one) for _ in lineups]

    monkeypatch.setattr(GridDeckSearch, "_count", all_reached)
    monkeypatch.setattr(GridDeckSearch, "measure", lambda self, cards: cards)
    assert len(GridDeckSearch(CARDS, 3, Runner(1)).good()) == 20
    assert counted == [10, 20, 20, 20, 20]


@pytest.mark.parametrize(
    ("kind", "games"),
    [
        ("random", 60 + 20 * 10 + 200),
        ("lively", 460 + 3 * 40),
        ("good", 460 + 200 + 3 * 20 * 61),
        ("balanced", 460 + (4 * 20 + 200) + 2 * (4 * 30 + 200)),
    ],
)
def test_maximum_games_is_sum_of_parts(kind, games):
    assert SHORTER.most_games(kind) == games


def test_searching_players_measure_evenness_themselves():
    search = GridDeckSearch(CARDS, 3, Runner(1), player="strong:2")
    lineup = Lineup("grid", ("strong:2", "strong:2"), FixedDecks((CARDS[:20],)), 5)
    counts = count_games(lineup, range(1, 4))
    assert search._starts([lineup], 3) == [(counts.first_share, counts.margins.get(0, 0) / 3)]


def test_shared_highest_scores_reduce_decisive_cards():
    def evenness(*scores):
        return evenness_of_cards([replace(CARDS[0], score=score) for score in scores])

    halves = evenness(*[20] * 10, *[0] * 10)
    assert halves > evenness(*range(1, 21)) > evenness(40, *[10] * 19)
    assert evenness(*[0] * 20) == evenness(*[10] * 20) == 0
    assert evenness(*[40] * 10, *[0] * 10) == evenness(*[1] * 10, *[0] * 10) == halves
    assert evenness(*[20] * 9, *[0] * 11) == halves


def is_reached(distances):
    return max(distances.met, distances.even, distances.by_one, distances.choices) <= 0


@pytest.mark.slow
@pytest.mark.usefixtures("minimal_search")
@pytest.mark.parametrize("words", [("--good",), ("--lively", "--balanced")])
def test_command_reports_reached_and_missed_thresholds(starter_shell, monkeypatch, words):
    monkeypatch.setattr("ccgrid.services.deck_search._CHECK_GAMES", 4)
    monkeypatch.setattr("ccgrid.services.deck_search._CHECK_PLAYER", "strong:2")
    done = starter_shell.good("deck", "new", *words, "--seed", "5").out
    text = " ".join(done.split())
    assert "Between two greedy players: numbers meet in" in text
    assert "times the choices of random decks" in text
    assert "Checked between two strong:2 players in 4 games" in text
    assert ("wanted)" in text) == ("No deck meets all conditions" in text)


@pytest.mark.slow
@pytest.mark.usefixtures("minimal_search")
def test_command_accepts_searching_players(starter_shell):
    [found] = decks(starter_shell, "--lively", "--players", "strong:2")
    assert found["rating"]["players"] == ["strong:2", "strong:2"]
    assert found["rating"]["first_games"] == SHORTER_SLOW.rated
    done = starter_shell.good("deck", "new", "--balanced", "--players", "strong:2", "--seed", "5")
    assert "of the points between two strong:2 players" in done.out


def test_players_are_rejected_if_no_games_are_played(starter_shell):
    done = starter_shell("deck", "new", "--players", "strong:200")
    assert (done.status, done.out) == (2, "")
    assert "--players is for --lively, --balanced, --good and --explain" in done.err
    assert "grid, not for ninecard" in starter_shell("deck", "new", "ninecard", "--players", "greedy").err


@pytest.mark.usefixtures("minimal_search")
def test_several_decks_share_no_card(starter_shell):
    found = decks(starter_shell, "--lively", "--count", "3")
    names = [(one["game"], one["name"]) for deck in found for one in deck["cards"]]
    assert len(found) == 3
    assert len(set(names)) == 60
    assert [deck["name"] for deck in found] == [f"Lively deck 5-{number}" for number in (1, 2, 3)]


def test_several_random_decks_share_no_card_and_start_with_single_one(starter_shell):
    [alone] = decks(starter_shell)
    found = decks(starter_shell, "--count", "4")
    assert found[0]["cards"] == alone["cards"]
    assert len({(one["game"], one["name"]) for deck in found for one in deck["cards"]}) == 80
    assert "rating" not in found[0]
    file = starter_shell.folder / "deck.toml"
    starter_shell.good("deck", "new", "--count", "2", "-o", file)
    assert sorted(path.name for path in starter_shell.folder.glob("deck*.toml")) == ["deck-1.toml", "deck-2.toml"]


@pytest.mark.slow
@pytest.mark.usefixtures("minimal_search")
def test_deck_search_uses_owned_cards(starter_shell):
    [deck] = decks(starter_shell)
    for one in deck["cards"]:
        starter_shell.good("collection", "add", one["id"])
    [found] = decks(starter_shell, "--balanced", "--from", "collection")
    assert sorted(one["id"] for one in found["cards"]) == sorted(one["id"] for one in deck["cards"])
    done = starter_shell("deck", "new", "--lively", "--from", "collection", "--count", "2")
    assert done.status == 3
    assert "Found only 1 of 2 decks: a deck needs 20 cards, and none of your cards are left" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tactics", "--lively"), "are for grid"),
        (("ninecard", "--count", "2"), "are for grid"),
    ],
)
def test_invalid_searches_are_rejected(starter_shell, words, message):
    done = starter_shell("deck", "new", *words)
    assert done.status == 2
    assert message in done.err
