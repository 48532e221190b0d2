"""Tests of the join code for other devices: its validity, and the limit of wrong attempts."""

import re
from pathlib import Path
from typing import Any

import requests
from helpers.browsers import DESK, PHONE
from helpers.error_messages import error_of
from helpers.phones import guests, open_table, wait_for_update
from helpers.web_server import server

from ccgrid.catalog.errors import CatalogError
from ccgrid.web.join_code import JoinCode

WRONG = "This is not the code that the board shows now."
MANY = "Too many wrong codes. Wait a minute, or scan the QR code."


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def wrong_code(letters: str) -> str:
    return ("B" if letters[0] == "A" else "A") + letters[1:]


def test_code_is_valid_only_while_a_page_shows_it():
    code = JoinCode(Clock())
    assert re.fullmatch("[A-HJ-NP-Z]{4}", code.letters)
    assert error_of(lambda: code.enter(code.letters, "a"), CatalogError) == WRONG
    with code.shown_for("/table/3"):
        assert code.enter(f" {code.letters.lower()} ", "b") == "/table/3"
        with code.shown_for("/table/4"):
            assert code.enter(code.letters, "b") == "/"
    assert error_of(lambda: code.enter(code.letters, "b"), CatalogError) == WRONG


def test_code_changes_after_use_and_after_ten_minutes():
    clock = Clock()
    code = JoinCode(clock)
    with code.shown_for("/table/1"):
        used = code.letters
        assert code.enter(used, "a") == "/table/1"
        assert code.letters != used
        assert error_of(lambda: code.enter(used, "a"), CatalogError) == WRONG
        later = code.letters
        clock.now = 599
        assert code.letters == later
        clock.now = 600
        assert code.letters != later
        assert error_of(lambda: code.enter(later, "b"), CatalogError) == WRONG


def test_wrong_codes_are_limited_to_five_per_minute_and_address_and_fifty_in_total():
    clock = Clock()
    code = JoinCode(clock)
    with code.shown_for("/table/1"):
        for _ in range(5):
            assert error_of(lambda: code.enter(wrong_code(code.letters), "a"), CatalogError) == WRONG
        assert error_of(lambda: code.enter(code.letters, "a"), CatalogError) == MANY
        clock.now = 60
        for _ in range(5):
            assert error_of(lambda: code.enter(wrong_code(code.letters), "a"), CatalogError) == WRONG
        for number in range(40):
            assert (
                error_of(lambda number=number: code.enter(wrong_code(code.letters), str(number)), CatalogError) == WRONG
            )
        assert code.letters == ""
        assert error_of(lambda: code.enter("ABCD", "new"), CatalogError) == MANY
        clock.now = 601
        assert code.enter(code.letters, "new") == "/table/1"


def test_browser_without_token_gets_the_form_for_the_code(tmp_path: Path):
    with server(tmp_path / "tables") as served:
        found = requests.get(served.address, timeout=60)
        assert (found.status_code, 'name="code"' in found.text) == (403, True)
        found = requests.get(f"{served.address}/?code=AAAA", timeout=60)
        assert (found.status_code, WRONG in found.text, "set-cookie" in found.headers) == (403, True, False)
        assert "<script>" not in requests.get(f"{served.address}/?code=<script>", timeout=60).text


def test_tablet_joins_table_with_code_on_television(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE, DESK) as (ann, television):
        table = open_table(served, ann, "grid")
        television.goto(f"{served.address}/table/{table.number}/board")
        wait_for_update(television, table)
        letters = television.locator(".letters").inner_text()
        context = browser.new_context(**PHONE)
        page = context.new_page()
        page.goto(served.address)
        page.get_by_label("The four letters").fill(letters.lower())
        page.get_by_role("button", name="Join").click()
        page.get_by_role("button", name="Play as Bob").click()
        page.wait_for_selector("text=Leave the seat", state="attached")
        television.wait_for_selector(f".letters:not(:text-is('{letters}'))")
        context.close()
