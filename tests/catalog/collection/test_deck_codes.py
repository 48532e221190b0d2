"""Deck codes: those of independent encoders are read, and other texts are not mistaken for codes."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers.deck_codes import deckstring, omega, pixelborn, runeterra, ydke
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.collection.formats import find_format, open_rows
from ccgrid.catalog.collection.formats.format import SkippedRow
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.rows import Row

PASSCODES = st.lists(st.integers(0, 2**32 - 1), max_size=60)


def _ignore(message: str) -> None:
    pass


def read(folder: Path, text: str, encoding: str = "utf-8") -> tuple[str, list[Row | SkippedRow]]:
    """Return the format of a text, and its rows."""
    path = folder / "deck.txt"
    path.write_bytes(text.encode(encoding))
    reading = open_rows(path, path.name, None, None, _ignore)
    return reading.name, list(reading.rows)


def copies_by_id(rows: list[Row | SkippedRow], *, beside: bool) -> Counter[str]:
    """Return the copies of each id, in the deck or (with `beside`) in the side deck."""
    found: Counter[str] = Counter()
    for row in rows:
        assert isinstance(row, Row)
        if row.beside is beside:
            found[row.ids[0][1]] += row.copies
    return found


def copies_of(numbers: list[int]) -> Counter[str]:
    return Counter(map(str, numbers))


@given(PASSCODES, PASSCODES, PASSCODES)
def test_yugioh_deck_link_is_read(
    tmp_path_factory: pytest.TempPathFactory, main: list[int], extra: list[int], side: list[int]
) -> None:
    name, rows = read(tmp_path_factory.mktemp("ydke"), ydke(main, extra, side))
    assert name == "ydke"
    assert copies_by_id(rows, beside=False) == copies_of(main + extra)
    assert copies_by_id(rows, beside=True) == copies_of(side)


@given(PASSCODES.filter(bool), PASSCODES, st.none() | st.integers(0, 2**32 - 1))
def test_omega_deck_code_is_read(
    tmp_path_factory: pytest.TempPathFactory, deck: list[int], side: list[int], cover: int | None
) -> None:
    code = omega(deck, side, cover)
    name, rows = read(tmp_path_factory.mktemp("omega"), f"{code[:30]}\r\n{code[30:]}\n")
    assert name == "omega"
    assert copies_by_id(rows, beside=False) == copies_of(deck)
    assert copies_by_id(rows, beside=True) == copies_of(side)


@given(
    st.dictionaries(st.integers(1, 200_000), st.integers(1, 5), min_size=1),
    st.none() | st.lists(st.tuples(st.integers(1, 200_000), st.integers(1, 4), st.integers(1, 200_000))),
)
def test_hearthstone_deck_code_is_read(
    tmp_path_factory: pytest.TempPathFactory, cards: dict[int, int], sideboard: list[tuple[int, int, int]] | None
) -> None:
    name, rows = read(tmp_path_factory.mktemp("hearthstone"), deckstring(cards, sideboards=sideboard))
    assert name == "hearthstone"
    assert copies_by_id(rows, beside=False) == Counter({str(card): copies for card, copies in cards.items()})
    beside: Counter[str] = Counter()
    for card, copies, _ in sideboard or ():
        beside[str(card)] += copies
    assert copies_by_id(rows, beside=True) == beside


@given(
    st.dictionaries(
        st.builds(
            lambda number, region, card: f"{number:02}{region}{card:03}",
            st.integers(1, 9),
            st.sampled_from(("DE", "FR", "PZ", "MT", "RU")),
            st.integers(1, 120),
        ),
        st.integers(1, 6),
        min_size=6,
    )
)
def test_runeterra_deck_code_is_read(tmp_path_factory: pytest.TempPathFactory, cards: dict[str, int]) -> None:
    name, rows = read(tmp_path_factory.mktemp("runeterra"), runeterra(cards))
    assert name == "runeterra"
    assert copies_by_id(rows, beside=False) == Counter(cards)


def test_lorcana_deck_code_is_read(tmp_path: Path) -> None:
    name, rows = read(tmp_path, pixelborn([("Elsa_Snow Queen", 4), ("Let It Go", 2), ("Mulan_Élite_Archer", 1)]))
    assert name == "pixelborn"
    assert [(row.name, row.copies) for row in rows if isinstance(row, Row)] == [
        ("Elsa - Snow Queen", 4),
        ("Let It Go", 2),
        ("Mulan - Élite_Archer", 1),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Kuriboh",
            "COUNTERSPELLCOUNTER",
            "Raigeki\nHinotama\nKuriboh",
            "AAAAAAAAAAAAAAAAAAAAAAAA",
            "4 Agumon BT1-010",
        ),
        *(
            "1_2 Wyvern",
            "Llanowar",
            "CEBAIAIFB4WDANQIAEAQGDAUDAQSIJZUAIAQCAIEAEAQK",
            "# 4 Wyvern",
            "AAE Wyvern",
            "日本語の名前",
        ),
    ],
)
def test_list_is_not_read_as_code(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text)[0] == "arena"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ydke://AAA!!!", "damaged"),
        ("ydke://nothing", "damaged"),
        ("ydke://AQ!!!", "damaged"),
        (deckstring({48040: 2, 440: 1})[:-8], "damaged"),
        ("AAECAQcBuAMBqPcCAAAA", "damaged"),
    ],
)
def test_damaged_code_is_rejected(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(CatalogError, match=says):
        read(tmp_path, text)


@pytest.mark.parametrize("name", ["omega", "pixelborn", "runeterra", "piltover", "riftbound-codes"])
def test_text_without_code_of_named_format_is_rejected(tmp_path: Path, name: str) -> None:
    path = tmp_path / "deck.txt"
    path.write_text("4 Wyvern")
    with pytest.raises(CatalogError):
        list(open_rows(path, path.name, find_format(name), None, _ignore).rows)


def test_random_words_are_not_read_as_codes(tmp_path: Path) -> None:
    rng = random.Random(1)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    names = {read(tmp_path, "".join(rng.choices(letters, k=rng.randint(8, 40))))[0] for _ in range(300)}
    assert names == {"arena"}


def test_code_in_utf_16_is_read(tmp_path: Path) -> None:
    name, rows = read(tmp_path, "\ufeff" + ydke([27847700]), "utf-16-le")
    assert (name, copies_by_id(rows, beside=False)) == ("ydke", Counter({"27847700": 1}))


def test_lines_around_link_are_listed_as_skipped(tmp_path: Path) -> None:
    _, rows = read(tmp_path, f"2 Raigeki\n{ydke([1])}\n")
    skipped = [row for row in rows if isinstance(row, SkippedRow)]
    assert [(row.line, row.raw) for row in skipped] == [(1, "2 Raigeki")]


def test_name_of_deck_in_hearthstone_text_is_shown(starter: Path, shell: Any, tmp_path: Path) -> None:
    path = tmp_path / "deck.txt"
    path.write_text("### Trial\n# 2x (1) Wyvern\n")
    assert "Trial" in shell("deck", "show", path, "--db", starter).out
