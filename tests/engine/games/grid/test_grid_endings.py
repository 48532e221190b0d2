"""Piles without a record: what is added up, and what cannot be; and which cards of a catalogue are played."""

from dataclasses import replace

import pytest
from grid_deals import GRID
from helpers.made_up import card

from ccgrid.catalog.card import Card
from ccgrid.engine.schema import RecordError


def piles(**counts):
    return {name: [{"name": f"Card {number}", "score": 1} for number in range(count)] for name, count in counts.items()}


@pytest.mark.parametrize(
    ("document", "scores"),
    [
        ({"piles": piles(Ann=3, Bob=5)}, {"Ann": 3, "Bob": 5}),
        ({"piles": piles(Ann=9, Bob=10)}, {"Ann": 9, "Bob": 10}),
        ({"piles": piles(Ann=3, Bob=3), "first": "Ann", "komi": 4}, {"Ann": 3, "Bob": 7}),
        ({"piles": piles(Ann=2, Bob=3, Cid=2), "first": "Bob"}, {"Ann": 2, "Bob": 3, "Cid": 2}),
        ({"piles": piles(Ann=3, Bob=4), "first": "Ann", "order": "1-2-2"}, {"Ann": 3, "Bob": 4}),
    ],
)
def test_each_pile_is_added_up_with_komi_for_all_but_who_started(document, scores):
    assert GRID.score_ending(document) == scores


TURNS = "nobody passes: when Ann starts and takes"


@pytest.mark.parametrize(
    ("document", "where", "message"),
    [
        ({"piles": piles(Ann=1)}, "piles", "grid is for 2 to 4 players, not 1"),
        ({"piles": piles(Ann=10, Bob=10)}, "piles", "hold 20 cards; at most 19 can be taken"),
        ({"piles": piles(Ann=1, Bob=1), "first": "Cid"}, "first", '"Cid" has no pile'),
        ({"piles": piles(Ann=1, Bob=1), "komi": 5}, "first", "is missing: whoever started has no komi"),
        ({"piles": piles(Ann=2, Bob=4), "first": "Ann"}, "piles", f"{TURNS} 3, the others have taken 3"),
        ({"piles": piles(Ann=2, Bob=3, Cid=1), "first": "Ann"}, "piles", f"{TURNS} 2, the others have taken 2 and 2"),
        ({"piles": piles(Ann=2, Bob=3, Cid=0), "first": "Ann"}, "piles", f"{TURNS} 2, the others have taken 2 and 1"),
    ],
)
def test_piles_that_cannot_be_are_refused_with_the_reason(document, where, message):
    with pytest.raises(RecordError) as caught:
        GRID.score_ending(document)
    assert (caught.value.where, caught.value.message) == (where, message)


def test_only_legal_cards_with_a_number_in_a_zone_are_played():
    lance = Card(id="dusk:1", game="dusk", name="Lance", zones={"top": 3}, score=3)
    assert GRID.as_played(lance).zones == {"top": 3}
    assert GRID.as_played(replace(lance, legal=False)) is None
    assert GRID.as_played(replace(lance, zones={})) is None
    assert GRID.fits("pile:0", card())


def test_grid_draws_itself():
    assert GRID.pictures.package == "ccgrid.engine.games.grid"
