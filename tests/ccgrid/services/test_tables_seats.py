"""Which seats of a table computers play, by what the players are called."""

import pytest

from ccgrid.engine.errors import EngineError
from ccgrid.services.seats import computer_seats, computers


def test_seats_named_after_policies_are_the_computers_with_their_parameters() -> None:
    found = computers(["Ann", "greedy", "strong:0.2s", "random"])
    assert {seat: str(player) for seat, player in found.items()} == {1: "greedy", 2: "strong:0.2s", 3: "random"}


@pytest.mark.parametrize("name", ["greedy:5", "strong:soon"])
def test_a_parameter_that_means_nothing_is_refused_where_a_table_is_made(name: str) -> None:
    with pytest.raises(EngineError):
        computers(["Ann", name])


def test_in_a_record_numbered_policies_are_computers_and_what_means_nothing_is_a_person() -> None:
    found = computer_seats(["strong:0.2s-1", "strong:0.2s-2", "greedy:the Great", "Ann-2"])
    assert {seat: str(player) for seat, player in found.items()} == {0: "strong:0.2s", 1: "strong:0.2s"}
