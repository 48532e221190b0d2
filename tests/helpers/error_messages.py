"""What is said where something cannot be read."""

from typing import Any

import pytest

from ccgrid.catalog.card import CatalogError


def refusal(act: Any) -> str:
    with pytest.raises(CatalogError) as caught:
        act()
    return str(caught.value)
