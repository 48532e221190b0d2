"""Any row is a card or none, and memory stays flat."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scryfall_rows import LAYOUT, READER, SHAPES, Fields, _stream, made_up, peak_of, scryfall_rows

from ccgrid.catalog.card import Printing
from ccgrid.catalog.readers.streams import LONGEST_ROW, open_data
from ccgrid.catalog.sources import scryfall


@given(content=st.binary(max_size=200))
def test_any_bytes_are_rows_or_an_error(content: bytes) -> None:
    for start in (b"", b"{", b"[", b"[\n{", b'{"data":[', b"\xef\xbb\xbf["):
        scryfall_rows(start + content)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)
texts = st.text("0123459+-−—/½.,{}[]():*X \nabé", max_size=20)
TEXT_KEYS = ["name", "mana_cost", "type_line", "oracle_text", "printed_text", "flavor_text", "power", "toughness"]
MORE_TEXT_KEYS = ["loyalty", "defense", "frame", "layout", "released_at", "collector_number", "set", "lang"]
OTHER_KEYS = ["games", "card_faces", "attraction_lights", "digital", "textless", "oversized", "x"]
card_texts = st.dictionaries(st.sampled_from(TEXT_KEYS + MORE_TEXT_KEYS), texts | st.none())
card_others = st.dictionaries(st.sampled_from(TEXT_KEYS + OTHER_KEYS), json_values, max_size=2)


@given(
    fields=card_texts,
    others=card_others,
    faces=st.lists(card_texts, max_size=2),
    kind=st.sampled_from(["Planeswalker", "Battle", "Artifact"]),
    layout=st.sampled_from(["adventure", "normal", "split"]),
)
def test_whatever_a_row_says_it_is_a_card_with_sound_numbers_or_unread(
    fields: Fields, others: Fields, faces: list[Fields], kind: str, layout: str
) -> None:
    whole = {**made_up(type_line=kind, layout=layout, card_faces=faces), **fields, **others}
    for row in scryfall.read(_stream(json.dumps(whole).encode()), "x"):
        if isinstance(row, Printing):
            found = READER.read(row.fields)
            numbers = [number for zone in found.zones.values() for number in zone] + found.face
            assert all(0 <= number <= 10 for number in numbers)
            assert found.score == sum(numbers)
            assert (found.reason is None) <= all(len(zone) == 1 for zone in found.zones.values())


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "pretty array", "array in one line"])
def test_twice_the_file_takes_the_same_memory(tmp_path: Path, shape: str, packed: bool) -> None:
    def read(count: int) -> int:
        path = tmp_path / f"{count}.json"
        cards = [made_up(name=f"Grob {i}", collector_number=str(i), flavor_text="x" * 1000) for i in range(count)]
        content = SHAPES[shape](cards).encode()
        path.write_bytes(gzip.compress(content, 1, mtime=0) if packed else content)
        del cards, content

        def work() -> None:
            with open_data(path) as stream:
                assert sum(1 for row in scryfall.read(stream, path.name) if isinstance(row, Printing)) == count

        return peak_of(work)

    small, large = read(1500), read(3000)
    assert large < small * 1.15 + (64 << 10)


def test_nothing_long_is_remembered() -> None:
    reader = LAYOUT.compiled()

    def fields() -> Iterator[Fields]:
        for i in range(50):
            long = f"{i}" + "x" * 100_000
            yield {"frame": long, "layout": long, "power": long, "toughness": long, "collector_number": long}
            yield {
                "games": (long,),
                "kind": long,
                "mana_cost": long,
                "text": long,
                "set": long,
                "loyalty_costs": (long,),
            }

    assert peak_of(lambda: [reader.read(card).score for card in fields()]) < 4 << 20


def test_a_row_of_the_longest_size_costs_little_however_it_is_filled() -> None:
    filling = "{}," * (LONGEST_ROW // 3 - 100)
    row = json.dumps(made_up(card_faces="@")).replace('"@"', f"[{filling}{{}}]").encode()
    assert len(row) < LONGEST_ROW
    assert peak_of(lambda: list(scryfall.read(_stream(row + b"\n" + row + b"\n"), "x"))) < 100 << 20
