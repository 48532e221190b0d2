"""What is said where something is refused."""

from collections.abc import Callable

import pytest

from ccgrid.catalog.errors import CatalogError


def error_of(act: Callable[[], object], kind: type[Exception] = CatalogError) -> str:
    """The message of the error that `act` raises."""
    with pytest.raises(kind) as caught:
        act()
    return str(caught.value)
