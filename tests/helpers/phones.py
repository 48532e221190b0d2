"""Independent browser sessions of guests, and the requirements for every page."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ccgrid.services.shared_tables import SharedTable
from helpers.browsers import DESK, PHONE
from helpers.web_server import RunningServer

SMALL_PHONE = {"viewport": {"width": 320, "height": 640}}
TABLET = {"viewport": {"width": 820, "height": 1180}}
TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
PHONE_LANDSCAPE = {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True}
SMALL_LANDSCAPE = {"viewport": {"width": 640, "height": 360}}


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


SHORT_GAME_OPTIONS = {"ninecard": "life=4"}
"""Options that shorten a game."""


def open_table(served: RunningServer, page: Any, game: str) -> SharedTable:
    """Open a table for Ann and Bob with the form, and return it; the user of this page plays Ann."""
    page.goto(f"{served.address}/play/{game}")
    page.locator("[name=name]").nth(0).fill("Ann")
    page.locator("[name=name]").nth(1).fill("Bob")
    page.locator("[name=computer]").nth(1).select_option("")
    name, _, value = SHORT_GAME_OPTIONS.get(game, "").partition("=")
    if name:
        page.locator("details summary", has_text="Variants").click()
        page.locator(f"[name=option-{name}]").fill(value)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#status")
    table = served.tables.find(int(page.url.rpartition("/")[2]))
    assert table is not None
    return table


def is_touched(number: int) -> bool:
    """Return whether the tests make this move of a game by touching a page: the first six, then every fifth."""
    return number < 6 or number % 5 == 0


def wait_for_update(page: Any, table: SharedTable) -> None:
    page.wait_for_selector(f'.play[data-version="{table.version}"]', timeout=60_000)


def make_move_by_touch(page: Any, table: SharedTable, move: str) -> None:
    """Make a move by clicking the elements that the page states for it."""
    ways = dict(json.loads(page.locator(".play").get_attribute("data-ways")))
    before = table.version
    page.evaluate(
        'way => { for (const what of way) document.querySelector(`[data-touch="${CSS.escape(what)}"]`).click(); }',
        ways[move][0],
    )
    page.wait_for_selector(f'.play:not([data-version="{before}"])', timeout=60_000)


NAMELESS = """[...document.querySelectorAll('a, button, summary, select, input:not([type=hidden])')]
    .filter((one) => one.offsetParent && !(one.ariaLabel || one.textContent.trim() || one.labels?.length))
    .filter((one) => one.type !== 'submit' || !one.value)
    .map((one) => one.outerHTML)"""
SMALL = """[...document.querySelectorAll(
        'button, summary, select, input:not([type=hidden], [type=checkbox]), label.check, a')]
    .filter((one) => one.offsetParent && !one.matches('.aside, .aside *, svg *'))
    .filter((one) => one.getBoundingClientRect().height < 43.5)
    .map((one) => `${one.getBoundingClientRect().height} ${one.outerHTML}`)"""
TINY = """[...document.querySelectorAll('body *')]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
    .filter((one) => one.offsetParent && parseFloat(getComputedStyle(one).fontSize) < 12)
    .map((one) => one.outerHTML)"""
OVERLAPPING = """[...document.querySelectorAll('.card')].flatMap((card) => {
    const parts = [...card.querySelectorAll('.name, .caption, .number, .label')]
        .filter((one) => one.textContent.trim() && one.offsetParent && getComputedStyle(one).opacity > 0)
        .map((one) => {
            const text = document.createRange();
            text.selectNodeContents(one);
            return [one, (one.matches('.caption') ? text : one).getBoundingClientRect()];
        });
    return parts.flatMap(([one, place], at) => parts.slice(at + 1)
        .filter(([, other]) => Math.min(place.right, other.right) - Math.max(place.left, other.left) > 1)
        .filter(([, other]) => Math.min(place.bottom, other.bottom) - Math.max(place.top, other.top) > 1)
        .map(([other]) => `${one.className} ${other.className} ${card.textContent}`));
})"""
COVERED = """[...document.querySelectorAll('.play :is(.card, .tile)')].filter((one) => {
    const [place, header] = [one, document.querySelector('header')].map((part) => part.getBoundingClientRect());
    return Math.min(place.right, header.right) - Math.max(place.left, header.left) > 1
        && Math.min(place.bottom, header.bottom) - Math.max(place.top, header.top) > 1;
}).map((one) => one.outerHTML)"""
OVERFLOW = "Math.max(document.documentElement.scrollWidth - innerWidth, 0)"
HEADINGS = "[...document.querySelectorAll('h1')].map((one) => one.textContent.trim())"


def check_fits(page: Any, address: str) -> None:
    """Assert that nothing overflows a screen in light or dark mode, and that touch targets are labelled and large."""
    page.goto(address)
    for screen in (SMALL_PHONE, PHONE, PHONE_LANDSCAPE, SMALL_LANDSCAPE, TABLET, DESK, TELEVISION):
        page.set_viewport_size(screen["viewport"])
        where = (address, screen["viewport"]["width"])
        for scheme in ("dark", "light") if screen is SMALL_PHONE else ("light",):  # Colours do not change the layout.
            page.emulate_media(color_scheme=scheme)
            assert (where, scheme, page.evaluate(OVERFLOW)) == (where, scheme, 0)
        assert (where, page.evaluate(NAMELESS)) == (where, [])
        assert (where, page.evaluate(SMALL)) == (where, [])
        assert (where, page.evaluate(TINY)) == (where, [])
        assert (where, page.evaluate(COVERED)) == (where, [])
    headings = page.evaluate(HEADINGS)
    assert (address, len(headings), all(headings)) == (address, 1, True)


def check_page(page: Any, address: str) -> list[tuple[str, str, str]]:
    """Return the findings of axe on a phone: page, rule and element. Dark mode differs only in colours."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    wrong = []
    page.set_viewport_size(SMALL_PHONE["viewport"])
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(address)
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        found = axe.Axe().run(page, options={"resultTypes": ["violations"], **options}).response
        assert found["passes"] or found["violations"]
        for one in found["violations"]:
            wrong += [(f"{address} {scheme}", one["id"], node["html"][:200]) for node in one["nodes"][:3]]
    return wrong
