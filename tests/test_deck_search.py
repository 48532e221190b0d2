"""Decks that are searched for: lively ones, even ones, several that share no card; and what is promised is measured."""

import json
import random
from dataclasses import replace

import pytest
from made_up import card, random_deck

from engine import deck_search
from engine.deck_rating import rate
from engine.deck_search import GREEDY, Search, most_games
from engine.deck_sources import FixedDecks, TooFewCardsError
from engine.errors import EngineError
from engine.games.grid.meeting import Meeting, can_meet, takes
from engine.runner import Runner
from engine.simulation import Lineup, simulate

CARDS = tuple(random_deck(random.Random(1), 200))
CORNERED = tuple(card(f"Corner {number}", top_right=number % 10) for number in range(60))
MIXED = tuple(
    card(f"Mixed {number}", **{("top_right" if number % 3 else "bottom_left"): number % 10}) for number in range(90)
)
SHORT = deck_search._Plan(1, 8, 100, (3, 150), (3, 300), 4, 1_000)


@pytest.fixture
def short(monkeypatch):
    """Searches that look less far, and do not compile."""
    monkeypatch.setattr(deck_search, "can_compile", lambda: False)
    monkeypatch.setattr(deck_search, "_PLAIN", SHORT)
    monkeypatch.setattr(deck_search, "_STEPS", 400)
    monkeypatch.setattr(deck_search, "_CLIMBS", 3)
    monkeypatch.setattr(deck_search, "_CLIMB_GAMES", 200)
    monkeypatch.setattr(deck_search, "_RATED", 300)
    monkeypatch.setattr(deck_search, "_USUAL_GAMES", 10)


@pytest.fixture
def shorter(short, monkeypatch):
    """Searches that hardly look, where it does not matter how good is what they find."""
    monkeypatch.setattr(deck_search, "_PLAIN", deck_search._Plan(1, 4, 20, (2, 30), (2, 40), 3, 200))
    monkeypatch.setattr(deck_search, "_STEPS", 100)
    monkeypatch.setattr(deck_search, "_CLIMB_GAMES", 40)
    monkeypatch.setattr(deck_search, "_RATED", 60)
    monkeypatch.setattr(deck_search, "_USUAL_DECKS", 20)


# What numbers alone tell


def test_meetings_are_counted_like_captures_of_every_two_neighbours():
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


def test_swapping_cards_counts_like_beginning_anew():
    rng = random.Random(5)
    deck = list(CARDS[:20])
    meeting = Meeting(deck)
    for _ in range(30):
        place, other = rng.randrange(20), rng.choice(CARDS)
        meeting.swap(place, other)
        deck[place] = other
    again = Meeting(deck)
    assert (meeting.share, meeting.choices) == (again.share, again.choices)


def test_whether_numbers_can_meet_is_known_at_once():
    assert not can_meet(CORNERED)
    assert not can_meet([card("One", top=5), card("Two", bottom=5)])
    assert can_meet([card("One", top=5), card("Two", bottom=6)])
    assert can_meet(MIXED)


# Searches


@pytest.mark.usefixtures("short")
def test_a_lively_deck_has_numbers_that_meet_and_more_choices_than_random_ones():
    found = Search(CARDS, 3, Runner(1)).lively()
    figures = found.rating.to_dict()
    assert figures["met"] > 1.2 * found.usual.met_share
    assert len(found.cards) == 20
    points = sum(one.score for one in found.cards)
    assert max(one.score for one in found.cards) / points <= deck_search.MUCH


@pytest.mark.usefixtures("short")
def test_what_is_promised_is_what_other_games_show():
    found = Search(CARDS, 3, Runner(1)).lively()
    figures = found.rating.to_dict()
    again = rate("grid", found.cards, 600, 12345, runner=Runner(1)).to_dict()
    assert figures["met"] == pytest.approx(again["met"], abs=0.05)
    assert figures["mean_choices"] == pytest.approx(again["mean_choices"], abs=0.4)
    tally = simulate(Lineup("grid", GREEDY, FixedDecks((found.cards,)), 999), 3000, workers=1).tally
    assert found.start_share == pytest.approx((tally.first_player_wins + tally.draws / 2) / 3000, abs=0.05)


@pytest.mark.usefixtures("short")
def test_a_balanced_deck_is_more_even_than_random_ones():
    found = Search(CARDS, 3, Runner(1)).balanced()
    assert abs(found.start_share - 0.5) < abs(found.usual.first_share - 0.5)


@pytest.mark.usefixtures("shorter")
@pytest.mark.parametrize("kind", ["lively", "balanced"])
def test_the_seed_decides_what_is_found_wherever_it_is_searched(kind):
    search = Search(CARDS, 3, Runner(1))
    found = getattr(search, kind)()
    assert getattr(replace(search, runner=Runner(2)), kind)() == found
    assert getattr(replace(search, seed=4), kind)().cards != found.cards


@pytest.mark.usefixtures("shorter")
@pytest.mark.parametrize("kind", ["lively", "balanced"])
def test_no_more_games_are_played_than_was_said(kind):
    played = []
    getattr(Search(CARDS, 3, Runner(1), played.append), kind)()
    assert 0 < sum(played) <= most_games(kind)


def test_cards_whose_numbers_cannot_meet_are_told_at_once():
    played = []
    with pytest.raises(EngineError, match="cannot meet"):
        Search(CORNERED, 1, progress=played.append).lively()
    assert played == []


@pytest.mark.parametrize("kind", ["lively", "balanced", "random"])
def test_too_few_cards_are_told(kind):
    with pytest.raises(TooFewCardsError, match="there are 19"):
        getattr(Search(CARDS[:19], 1), kind)()


# The command


@pytest.fixture
def stocked(shell):
    shell.good("import", "starter")
    return shell


def decks(shell, *words):
    return [json.loads(line) for line in shell.good("deck", "new", "--seed", "5", "--json", *words).out.splitlines()]


@pytest.mark.usefixtures("shorter")
def test_the_command_finds_a_lively_deck_and_says_what_it_promises(stocked):
    [found] = decks(stocked, "--lively", "--explain")
    assert len(found["cards"]) == 20
    assert found["rating"]["met"] > found["rating"]["usual_met"]
    assert found["explanation"]
    assert len(found["meets"]) == 20
    file = stocked.folder / "lively.toml"
    done = stocked.good("deck", "new", "--lively", "--seed", "5", "-o", file)
    assert "Two numbers meet in" in done.out
    assert "Legal" in stocked.good("deck", "check", file).out


@pytest.mark.usefixtures("shorter")
def test_several_decks_share_no_card(stocked):
    found = decks(stocked, "--lively", "--count", "3")
    names = [(one["game"], one["name"]) for deck in found for one in deck["cards"]]
    assert len(found) == 3
    assert len(set(names)) == 60
    assert [deck["name"] for deck in found] == [f"Lively deck 5-{number}" for number in (1, 2, 3)]


def test_several_random_decks_share_no_card_and_the_first_is_the_one_alone(stocked):
    [alone] = decks(stocked)
    found = decks(stocked, "--count", "4")
    assert found[0]["cards"] == alone["cards"]
    assert len({(one["game"], one["name"]) for deck in found for one in deck["cards"]}) == 80
    assert "rating" not in found[0]
    file = stocked.folder / "deck.toml"
    stocked.good("deck", "new", "--count", "2", "-o", file)
    assert sorted(path.name for path in stocked.folder.glob("deck*.toml")) == ["deck-1.toml", "deck-2.toml"]


@pytest.mark.usefixtures("shorter")
def test_decks_are_searched_in_the_cards_that_one_owns(stocked):
    [deck] = decks(stocked)
    for one in deck["cards"]:
        stocked.good("collection", "add", one["id"])
    [found] = decks(stocked, "--balanced", "--from", "collection")
    assert sorted(one["id"] for one in found["cards"]) == sorted(one["id"] for one in deck["cards"])
    done = stocked("deck", "new", "--lively", "--from", "collection", "--count", "2")
    assert done.status == 3
    assert "after 1 of 2 decks 0 of your cards are left" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tactics", "--lively"), "are for grid"),
        (("ninecard", "--count", "2"), "are for grid"),
    ],
)
def test_what_cannot_be_searched_for_is_told(stocked, words, message):
    done = stocked("deck", "new", *words)
    assert done.status == 3
    assert message in done.err
    assert stocked("deck", "new", "--lively", "--balanced").misnamed("leave one of them out")
