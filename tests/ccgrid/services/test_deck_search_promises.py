"""Tests of the sentences that report found and rated decks, and of errors of deck searches."""

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Shell
from helpers.made_up import deck_for
from inline_snapshot import snapshot

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.dice import Dice
from ccgrid.engine.insight.deck_rating import RatingRules
from ccgrid.engine.many.runner import Runner
from ccgrid.services import deck_search
from ccgrid.services.choices import Choices
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.deck_search import FoundRating, draw_owned, rate_deck, search_decks

RATING = FoundRating(
    games=200,
    met=0.5,
    first_share=0.5,
    first_stderr=0.02,
    draws=0.0,
    mean_moves=20.0,
    mean_choices=5.0,
    dead=None,
    cards=[],
    game="grid",
    seed=1,
    players=["greedy", "strong:2"],
    forced=0.0,
    lead_changes=0.0,
    komi=0,
    komi_share=0.5,
    by_one=0.4,
    decider=None,
    first_games=5000,
    usual_met=0.25,
    usual_choices=4.0,
    usual_first_share=0.45,
)
"""The rating of a deck that just reaches every threshold."""


def report_lines(kind: str, **other: Any) -> Sequence[str]:
    return [*deck_search._promise(kind, msgspec.structs.replace(RATING, **other))]


def check_lines(**other: Any) -> Sequence[str]:
    return [*deck_search._check_lines(msgspec.structs.replace(RATING, **other))]


def test_lively_deck_reports_meetings_and_choices_next_to_random_decks() -> None:
    report = "Two numbers meet in 50 % of captures (random decks: 25 %), and there are 5.0 choices a turn (4.0)."
    better = "No better deck was found. Add a card game with numbers in opposite corners."
    assert report_lines("lively") == [report]
    assert "meet in 60 % of captures (random decks: 30 %)" in report_lines("lively", met=0.6, usual_met=0.3)[0]
    assert report_lines("lively", mean_choices=4.9)[1:] == [better]
    assert report_lines("lively", met=0.44)[1:] == [better]
    assert report_lines("lively", met=0.46)[1:] == []


def test_balanced_deck_reports_share_of_starting_player() -> None:
    assert report_lines("balanced", first_share=0.515) == [
        "The first player gets 51.5 % of the points between two greedy players, in 5,000 fresh games (random decks: "
        "45 %)."
    ]
    assert report_lines("balanced", first_share=0.47)[1:] == [
        "That is not even. Try another --seed, or more card games."
    ]


def test_good_deck_reports_every_threshold_and_the_missed_ones() -> None:
    assert "numbers meet in 90 % of captures" in report_lines("good", met=0.9)[0]
    (report,) = report_lines("good")
    assert report == (
        "Between two greedy players: numbers meet in 50 % of captures; the first player gets 50.0 % of the points; one "
        "card decides 40 % of games; there are 1.25 times the choices of random decks."
    )
    _, missing = report_lines("good", met=0.4, mean_choices=4.0)
    assert missing == (
        "No deck meets all conditions. Missing: numbers meet in 40 % of captures (50 % or more wanted); there are "
        "1.00 times the choices of random decks (1.25 or more wanted). Try another --seed, or more card games."
    )
    assert "Players take the high cards in turn" in report_lines("good", by_one=0.41)[1]
    assert "there are 2.00 times the choices" in report_lines("good", mean_choices=1.0, usual_choices=0.5)[0]


def test_good_deck_may_be_even_with_komi() -> None:
    (report,) = report_lines("good", first_share=0.6, komi=3, komi_share=0.51)
    assert "the first player gets 60.0 % of the points, 51.0 % with --option komi=3;" in report
    uneven = "the first player gets 60.0 % of the points, 55.0 % with --option komi=3 (48 to 52 % wanted)"
    assert uneven in report_lines("good", first_share=0.6, komi=3, komi_share=0.55)[1]
    assert "60.0 % of the points (48 to 52 % wanted)" in report_lines("good", first_share=0.6)[1]


def test_stronger_players_check_good_deck_with_standard_error() -> None:
    assert check_lines(first_share=0.55) == [
        "Checked between two strong:100 players in 200 games: numbers meet in 50 %, the first player gets 55 ± 2 %, "
        "one card decides 40 %."
    ]
    assert "numbers meet in 60 %, the" in check_lines(met=0.6)[0]
    assert check_lines(first_share=0.57)[1:] == ["So starting matters more between stronger players."]
    assert check_lines(first_share=0.57, komi=2, komi_share=0.49)[1:] == [
        "So starting matters more between stronger players. komi=2 would make it 49 %."
    ]


def test_dead_deck_has_only_that_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = SimpleNamespace(decks=SimpleNamespace(dead_deck_reason=lambda cards: "no card can be played"))
    monkeypatch.setattr(deck_search, "find_game", lambda game: dead)
    rating = RATING
    verdict = ["A dead deck: no card can be played. Put other cards in."]
    assert deck_search.explain_rating("grid", [], rating, None) == verdict


def test_deciding_card_is_reported_for_stronger_players() -> None:
    assert "one card decides 90 % of games (40 % or fewer wanted)" in report_lines("good", by_one=0.9)[1]
    assert "one card decides 90 %." in check_lines(by_one=0.9)[0]


class RulesWithKomi(RatingRules):
    """Rating rules of a game with an option that evens the players, and without other figures."""

    evens = "komi"

    def use(self, state: Any, move: str) -> None:
        """Count nothing."""


@pytest.mark.parametrize(
    ("other", "evens", "verdict"),
    [
        ({}, "", snapshot(["Even: the first player gets 50 % of the points between two greedy players."])),
        (
            {"first_share": 0.49},
            "",
            snapshot(["Even: the first player gets 49 % of the points between two greedy players."]),
        ),
        ({"first_share": 0.55}, "", snapshot(["The first player gets 55 % of the points between two greedy players."])),
        ({"first_share": 0.45}, "", snapshot(["The first player gets 45 % of the points between two greedy players."])),
        (
            {"first_share": 0.55, "komi": 3, "komi_share": 0.51},
            "komi",
            snapshot(
                [
                    "The first player gets 55 % of the points between two greedy players; "
                    "balance it with the variant komi=3 (then 51 %)."
                ]
            ),
        ),
        (
            {"first_share": 0.45},
            "komi",
            snapshot(
                [
                    "The first player gets 45 % of the points between two greedy players: "
                    "komi, for the other player, does not balance that."
                ]
            ),
        ),
        (
            {"first_share": 0.47, "first_stderr": 0.016},
            "komi",
            snapshot(
                [
                    "The first player gets 47 % of the points between two greedy players.",
                    "Too few games to say whether that is even: --games 600.",
                ]
            ),
        ),
        (
            {"first_share": 0.52, "first_stderr": 0.1, "games": 2345},
            "komi",
            snapshot(
                [
                    "The first player gets 52 % of the points between two greedy players.",
                    "Too few games to say whether that is even: --games 300000.",
                ]
            ),
        ),
        (
            {"first_share": 0.55, "first_stderr": 0.002, "players": ["greedy", "fair"]},
            "",
            snapshot(["The first player gets 55 % of the points between greedy and fair players."]),
        ),
        (
            {"draws": 0.21},
            "",
            snapshot(
                [
                    "Even: the first player gets 50 % of the points between two greedy players.",
                    "21 % of games are drawn.",
                ]
            ),
        ),
    ],
)
def test_verdict_reports_evenness_and_balancing_komi(
    other: dict[str, Any], evens: str, verdict: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RulesWithKomi, "evens", evens)
    monkeypatch.setattr(deck_search, "find_rating", lambda game: RulesWithKomi())
    rating = msgspec.structs.replace(
        RATING, **{"players": ["greedy"] * 2, "first_stderr": 0.005, "draws": 0.2, **other}
    )
    cards = deck_for("tactics", random.Random(1))
    assert deck_search.explain_rating("tactics", cards, rating, None) == verdict


@pytest.mark.parametrize(
    ("fields", "found", "words"),
    [
        ({}, 0, snapshot("A deck needs 20 legal cards, but the cards of the catalogue include only 7.")),
        ({"source": "collection"}, 0, snapshot("A deck needs 20 legal cards, but your cards include only 7.")),
        (
            {"source": "tl>=7", "card_games": ("mtg", "wyvern")},
            0,
            snapshot(
                "A deck needs 20 legal cards, but the cards of the catalogue that match 'tl>=7' (mtg, wyvern) "
                "include only 7."
            ),
        ),
        (
            {"decks": 3},
            2,
            snapshot("Found only 2 of 3 decks: a deck needs 20 cards, and 7 of the cards of the catalogue are left."),
        ),
    ],
)
def test_too_few_cards_error_names_requested_cards(fields: dict[str, Any], found: int, words: str) -> None:
    assert deck_search._too_few(DeckRequest(game="grid", lively=True, **fields), found, 7) == words


def test_too_few_cards_error_says_none_instead_of_zero() -> None:
    request = DeckRequest(game="grid", lively=True, source="collection")
    assert deck_search._too_few(request, 0, 0) == "A deck needs 20 legal cards, but your cards include none."
    assert deck_search._too_few(request._replace(decks=2), 1, 0) == (
        "Found only 1 of 2 decks: a deck needs 20 cards, and none of your cards are left."
    )


def test_only_games_with_any_legal_cards_draw_from_collection() -> None:
    with pytest.raises(CatalogError, match=r"^Only the grid game takes decks from a collection, not tactics\.$"):
        draw_owned(DeckRequest(game="tactics"), Dice(1), lambda: None)


def find_deck(shell: Shell, progress_calls: list[tuple[int, int]], *, seed: int = 5, **request: Any) -> Sequence[str]:
    deck_request = DeckRequest(game="grid", database=shell.database, **request)

    def progress(done: int, total: int) -> None:
        progress_calls.append((done, total))

    (deck,) = search_decks(deck_request, seed, runner=Runner(1), waiting=lambda: None, progress=progress)
    return sorted(card.id for card in deck.cards)


@pytest.mark.slow
def test_search_reports_finished_and_total_games(shell: Shell) -> None:
    shell.import_starter()
    progress_calls = list[tuple[int, int]]()
    find_deck(shell, progress_calls, explain=True, player="random")
    done, total = zip(*progress_calls, strict=True)
    assert list(done) == sorted(done)
    assert 0 < done[0] < done[-1] <= total[0]
    assert len(set(total)) == 1


def test_random_deck_from_collection_uses_owned_cards(shell: Shell) -> None:
    shell.import_starter()
    own = find_deck(shell, [])
    for card_id in own:
        shell.good("collection", "add", card_id)
    assert find_deck(shell, [], seed=6, source="collection") == own


def test_unknown_card_game_is_rejected(shell: Shell) -> None:
    shell.import_starter()
    with pytest.raises(CatalogError, match=r"^The catalogue has no cards of the game 'griffins'"):
        find_deck(shell, [], lively=True, card_games=("griffins",))


def test_rating_reports_finished_games_up_to_all(shell: Shell) -> None:
    shell.import_starter()
    progress_calls = list[tuple[int, int]]()
    rated = rate_deck(
        None,
        game="grid",
        games=12,
        players=["random"],
        seed=5,
        runner=Runner(1),
        database=shell.database,
        choices=Choices(),
        waiting=lambda: None,
        progress=lambda done, total: progress_calls.append((done, total)),
    )
    assert progress_calls[-1] == (12, 12)
    assert (rated.name, rated.games, rated.players) == ("Random deck 5", 12, ["random", "random"])
