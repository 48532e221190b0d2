"""Independent browser sessions of guests, and the requirements for every page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from helpers.browsers import DESK, PHONE
from helpers.web_server import RunningServer

LYING = {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True}


@contextmanager
def guests(browser: Any, served: RunningServer, *screens: dict[str, Any]) -> Iterator[list[Any]]:
    """Open a page for each screen in a separate session, joined by the token; errors in the pages fail the test."""
    wrong: list[str] = []
    pages = []
    for screen in screens:
        page = browser.new_context(**screen).new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.goto(served.invitation)
        pages.append(page)
    try:
        yield pages
    finally:
        for page in pages:
            page.context.close()
    assert [line for line in wrong if "net::ERR" not in line] == []


NAMELESS = """[...document.querySelectorAll('a, button, summary, select, input:not([type=hidden])')]
    .filter((one) => one.offsetParent && !(one.ariaLabel || one.textContent.trim() || one.labels?.length))
    .map((one) => one.outerHTML)"""
SMALL = """[...document.querySelectorAll(
        'button, select, input:not([type=hidden], [type=checkbox]), label.check, nav a')]
    .filter((one) => one.offsetParent && !one.matches('.aside') && one.getBoundingClientRect().height < 30)
    .map((one) => one.outerHTML)"""


def check_fits(page: Any, address: str) -> None:
    """Assert that nothing overflows three sizes of screen, and that touch targets are labelled and large enough."""
    page.goto(address)
    for screen in (PHONE, LYING, DESK):
        page.set_viewport_size(screen["viewport"])
        where = (address, screen["viewport"]["width"])
        assert (where, page.evaluate("document.documentElement.scrollWidth <= innerWidth")) == (where, True)
        assert (where, page.evaluate(NAMELESS)) == (where, [])
        assert (where, page.evaluate(SMALL)) == (where, [])


def check_page(page: Any, address: str) -> list[tuple[str, str, str]]:
    """Return the serious and critical findings of axe, in light and dark mode: the page, the rule and the element."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    wrong = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.goto(address)
        found = axe.Axe().run(page).response
        assert found["passes"]
        for one in found["violations"]:
            if one["impact"] in ("serious", "critical"):
                wrong += [(f"{address} {scheme}", one["id"], node["html"][:200]) for node in one["nodes"][:3]]
    return wrong
