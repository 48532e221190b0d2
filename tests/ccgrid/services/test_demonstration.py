"""Tests of the card that `ccgrid demo` explains."""

import pytest

from ccgrid.services.demonstration import demonstration


@pytest.mark.parametrize("seed", [7, 77, 82, 84])
def test_explained_card_has_few_numbers_with_short_names(seed: int) -> None:
    demo = demonstration(seed)
    assert demo.sample in demo.cards
    assert 0 < len(demo.numbers) <= 8
    assert max(len(number.field) for number in demo.numbers) < 15
