"""A real browser without a window, for the tests of pages; they are skipped where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


def launched() -> Iterator[Any]:
    """Chromium without a window; while it is there no other loop of events can run."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    if find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=program)
        yield chromium
        chromium.close()


browser = pytest.fixture(scope="module")(launched)


@contextmanager
def opened(browser: Any, address: str, screen: dict[str, Any], **more: Any) -> Iterator[Any]:
    """A page in a window of this size; what it complains of, and whatever it asks of the network, fails the test."""
    context = browser.new_context(**screen, **more)
    wrong: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda asked: None if asked.url.startswith(("file:", "blob:")) else wrong.append(asked.url))
    page.goto(address)
    try:
        yield page
    finally:
        context.close()
    assert wrong == []
