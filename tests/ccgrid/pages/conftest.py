"""Fixtures for the tests of pages."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from helpers.browsers import run_chromium

OPEN: dict[str, Any] = {}
"""The open browser, and the function that closes it."""


@pytest.fixture
def browser() -> Any:
    """A Chromium shared by consecutive tests of this folder, as its start takes seconds."""
    if not OPEN:
        with ExitStack() as stack:
            chromium_browser = stack.enter_context(contextmanager(run_chromium)())
            OPEN.update(browser=chromium_browser, close=stack.pop_all().close)
    return OPEN["browser"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Close the browser before a test of another folder, which may need its own event loop."""
    result = yield
    if OPEN and (nextitem is None or nextitem.path.parent != item.path.parent):
        OPEN.pop("close")()
        OPEN.clear()
    return result
