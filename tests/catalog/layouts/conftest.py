"""Fixtures for the tests of layouts."""

import pytest
from made_up_layouts import DRAGONS, made_up

from ccgrid.catalog.layouts.layout import Layout


@pytest.fixture(scope="module")
def dragons() -> Layout:
    return made_up(DRAGONS, 'format = 1\nname = "Dragons"\nslash = "stats"')
