"""The page docs/promises.md: its limits are those of the program, and the tests that it names exist."""

import re
from pathlib import Path

import pytest

from ccgrid.browsing.guard import LONGEST_ANSWER
from ccgrid.browsing.serve import LONGEST_QUESTION
from ccgrid.catalog import documents, read_limits
from ccgrid.catalog.collection.deck_files import LARGEST_TEXT
from ccgrid.catalog.collection.formats.format import MOST_ROWS as MOST_ROWS_OF_A_COLLECTION
from ccgrid.catalog.download.connection import GRACE, MOST_AROUND, SLOWEST
from ccgrid.catalog.download.hosts import LONGEST_TIME
from ccgrid.catalog.readers.archives import MOST_EXTRACTED
from ccgrid.catalog.store.browse_copy import LONGEST_VALUE, MOST_MEMORY
from ccgrid.catalog.store.imports import MOST_ROWS

HOME = Path(__file__).resolve().parents[2]
PAGE = (HOME / "docs" / "promises.md").read_text(encoding="utf-8")
LIMITS = (
    f"{read_limits.STEEPEST} times its size from {read_limits.ALWAYS_UNPACKED >> 20} MiB on",
    f"{read_limits.LARGEST_UNPACKED >> 30} GiB; {MOST_EXTRACTED >> 30} GiB taken out of a tarball",
    f"{read_limits.QUIET_SECONDS:g} seconds of processor time, and one more for each MiB",
    f"{read_limits.MOST_BLANK:,} empty lines",
    f"{MOST_ROWS // 1_000_000} million rows, {MOST_ROWS_OF_A_COLLECTION // 1_000_000} million of a collection",
    f"{LARGEST_TEXT >> 20} MiB for a deck; {documents.Limits(1).depth} levels of TOML",
    f"{SLOWEST:,} bytes of body a second after the first {GRACE:g} seconds",
    f"{MOST_AROUND >> 10} KiB of headers and framing",
    f"{LONGEST_TIME / 3600:g} hours, after which no new attempt begins",
    f"{LONGEST_QUESTION:g} seconds, {LONGEST_ANSWER} for an answer",
    f"{LONGEST_VALUE >> 20} MiB for a value, {MOST_MEMORY >> 20} MiB for SQLite",
)


@pytest.mark.parametrize("limit", LIMITS)
def test_promised_limits_are_those_of_the_program(limit: str) -> None:
    assert limit in PAGE


def test_every_promise_names_existing_tests() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) > 10
    rows += re.findall(r"^- (?:.+\n)(?:  .+\n)*", PAGE, re.MULTILINE)  # The list of things that never happen.
    assert [row for row in rows if not re.search(r"`tests/[\w/]+\.py`", row)] == []
    named = re.findall(r"`((?:tests|scripts)/[\w/.]+?)[` ]", PAGE)
    assert [name for name in named if not (HOME / name).exists()] == []
