"""A headless browser with a phone's or a desktop's window; tests of pages are skipped without one."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any
from weakref import WeakKeyDictionary

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


def run_chromium() -> Iterator[Any]:
    """Run headless Chromium with a home folder of its own; no other event loop can run during the block."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    if find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory(ignore_cleanup_errors=True) as home, sync_playwright() as started:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
        chromium = started.chromium.launch(executable_path=program, env=environment)
        yield chromium
        chromium.close()


browser = pytest.fixture(scope="module")(run_chromium)


_pages: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
"""The open page of each size, reused because opening a page takes longer than most tests of it."""


@contextmanager
def open_page(browser: Any, address: str, screen: dict[str, Any], color_scheme: str = "light") -> Iterator[Any]:
    """Open a page in a window of this size.

    The test fails if the page reports an error or makes a request to the network.
    """
    pages = _pages.setdefault(browser, {})
    page = pages.pop(repr(screen), None) or browser.new_context(**screen).new_page()
    wrong: list[str] = []
    heard = {
        "pageerror": lambda error: wrong.append(str(error)),
        "console": lambda message: wrong.append(message.text) if message.type == "error" else None,
        "request": lambda asked: None if asked.url.startswith(("file:", "blob:")) else wrong.append(asked.url),
    }
    for what, hear in heard.items():
        page.on(what, hear)
    page.emulate_media(color_scheme=color_scheme)
    try:
        page.goto(address)
        yield page
        page.evaluate("localStorage.clear()")
    except BaseException:
        page.context.close()
        raise
    for what, hear in heard.items():
        page.remove_listener(what, hear)
    page.goto("about:blank")  # A changed fragment alone would not reload the page.
    pages[repr(screen)] = page
    assert wrong == []
