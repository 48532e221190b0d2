"""Life totals without a record: how a game can have ended, in whole sentences."""

import pytest
from ninecard_positions import NAMES, NINECARD, SPARK

from ccgrid.engine.games.ninecard.cards import GAP
from ccgrid.engine.games.ninecard.game import NinecardSetup
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.schema import RecordError

GOES_ON = (
    'is left to "Ann" and "Bob": a game goes on until one player has some, or for 200 turns; '
    "write turns = 200 if that was so, and 0 for a player who was out"
)


@pytest.mark.parametrize(
    ("document", "scores"),
    [
        ({"life": {"Ann": 50, "Bob": -3}}, {"Ann": 50, "Bob": 0}),
        ({"life": {"Ann": 1, "Bob": 0}}, {"Ann": 1, "Bob": 0}),
        ({"life": {"Ann": 80, "Bob": 0}, "start": 80}, {"Ann": 80, "Bob": 0}),
        ({"life": {"Ann": 1, "Bob": 1}, "turns": 200}, {"Ann": 1, "Bob": 1}),
    ],
)
def test_life_that_can_be_left_is_the_score(document, scores):
    assert NINECARD.score_ending(document) == scores


@pytest.mark.parametrize(
    ("document", "where", "message"),
    [
        (
            {"life": {"Ann": 51, "Bob": 0}},
            "life.Ann",
            "cannot be 51: everybody starts with 50, and nobody gains any; "
            "with another life at the start, write it: start = 51",
        ),
        (
            {"life": {"Ann": 51, "Bob": 0}, "start": 20},
            "life.Ann",
            "cannot be 51: everybody starts with 20, and nobody gains any",
        ),
        ({"life": {"Ann": 1, "Bob": 1}}, "life", GOES_ON),
        ({"life": {"Ann": 0, "Bob": 0}}, "life", "is 0 for everybody: the last player left wins, and has some"),
        ({"life": {"Ann": 1, "Bob": 0}, "limit": 2001}, "limit", "must be 1 to 2000, not 2001"),
    ],
)
def test_life_that_cannot_be_left_is_refused_with_the_reason(document, where, message):
    with pytest.raises(RecordError) as caught:
        NINECARD.score_ending(document)
    assert (caught.value.where, caught.value.message) == (where, message)


def test_the_list_of_a_deck_is_that_of_its_cards_where_all_are_known():
    setup = NinecardSetup(NAMES[:2], 0, ((SPARK,) * 6, (SPARK,) * 5 + (GAP,)), Options())
    assert setup.lists == ((SPARK,) * 6, None)
