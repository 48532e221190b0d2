"""Messages of expected errors."""

from collections.abc import Callable

import pytest

from ccgrid.catalog.errors import CatalogError


def error_of(act: Callable[[], object], kind: type[Exception] = CatalogError) -> str:
    """Return the message of the error that `act` must raise."""
    with pytest.raises(kind) as caught:
        act()
    return str(caught.value)
