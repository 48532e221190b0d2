"""Tests of the seats of computer players, which are derived from the players' names."""

import pytest

from ccgrid.engine.errors import EngineError
from ccgrid.services.seats import computer_seats, computers


def test_policy_names_seat_computer_players_with_parameters() -> None:
    found = computers(["Ann", "greedy", "strong:0.2s", "random"])
    assert {seat: str(player) for seat, player in found.items()} == {1: "greedy", 2: "strong:0.2s", 3: "random"}


@pytest.mark.parametrize("name", ["greedy:5", "strong:soon"])
def test_invalid_parameter_is_rejected_for_new_table(name: str) -> None:
    with pytest.raises(EngineError):
        computers(["Ann", name])


def test_record_seats_computer_for_numbered_policy_and_person_otherwise() -> None:
    found = computer_seats(["strong:0.2s-1", "strong:0.2s-2", "greedy:the Great", "Ann-2"])
    assert {seat: str(player) for seat, player in found.items()} == {0: "strong:0.2s", 1: "strong:0.2s"}
