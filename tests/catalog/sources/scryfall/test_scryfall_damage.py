"""Damaged and malicious files of Scryfall, and memory while reading."""

import contextlib
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scryfall_rows import CARDS, LAYOUT, READER, SHAPES, Fields, _stream, made_up, peak_of, rows_of, scryfall_rows

from ccgrid.catalog import read_limits
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.printing import Printing, UnreadRow
from ccgrid.catalog.readers.streams import LONGEST_ROW, open_data
from ccgrid.catalog.sources import scryfall


def error_of(path: Path) -> str:
    with pytest.raises(CatalogError) as caught:
        rows_of(path)
    message = str(caught.value)
    assert path.name in message
    assert len(message.splitlines()) == 1
    assert len(message) < 300
    return message


NESTED = '{"name":"x","deep":' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n \r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (b"\x00" * 1000, "not a JSON file"),
        (b"\x89PNG\r\n\x1a\n\x00", "not a JSON file"),
        (b"name,set,number\n", "not a JSON file"),
        ("[]".encode("utf-16"), "not a JSON file"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"[", "incomplete"),
        (b"{", "incomplete"),
        (b"[\n{", "incomplete"),
        (b"{}{", "incomplete"),
        (b'{"name":\n', "incomplete"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[\n" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{\n"a":' * 100_000, "nested too deeply"),
        (f"[{NESTED}]".encode(), "nested too deeply"),
        (f"[\n {NESTED[:30]}\n{NESTED[30:]}]".encode(), "nested too deeply"),
        (f'{{"data":\n[{NESTED}]}}'.encode(), "nested too deeply"),
        ('[{"name":"Königin"},'.encode("latin-1"), "UTF-8"),
        ('[\n{"name":\n"Königin"},'.encode("latin-1"), "UTF-8"),
        ('{"name":"Königin"}\n'.encode("latin-1"), "UTF-8"),
        ('{"data":[{"name":"Königin"}]}'.encode("latin-1"), "UTF-8"),
        (b'{"name":"' + b"x" * 10_000_000 + b'"}', "over 1 MiB"),
        (b'[{"name":"' + b"x" * 10_000_000 + b'"}]', "over 1 MiB"),
        (b'{"name":"x"}\n{"name":"' + b"x" * 10_000_000 + b'"}\n', "over 1 MiB"),
        (b'[\n{"name":"x"},\n{"name":"' + b"x" * 10_000_000 + b'"}\n]\n', "over 1 MiB"),
        (b'{"data":[{"name":"' + b"x" * 10_000_000 + b'"}]}', "over 1 MiB"),
        (b'{"data":[' + b'{"name":"x"},' * 2_000_000 + b"{}]}", "over 16 MiB"),
        (b'[{"name":"x"}][{"name":"y"}]', "after the end"),
        (b'[\n{"name":"x"}\n]\n[\n', "after the end"),
        (b'[\n{"name":"x"}]\n\n' + b" " * 1_000_000 + b"x", "after the end"),
        (b"\x1f", "not a JSON file"),
        (b"\x1f\x8b", "too early"),
        (b"\x1f\x8b\x08\x00garbage", "damaged|too early"),
        (gzip.compress(b"[]", mtime=0) + b"more", "damaged"),
    ],
)
def test_file_without_cards_has_one_clear_message(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content)
    assert any(word in error_of(path) for word in words.split("|"))


def test_folder_and_missing_file_are_reported(tmp_path: Path) -> None:
    folder = tmp_path / "cards.json"
    folder.mkdir()
    assert "folder" in error_of(folder)
    assert "No such file" in error_of(tmp_path / "nothing.json")


@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "pretty array"])
def test_deep_nesting_in_a_later_row_is_reported(shape: str) -> None:
    good = json.dumps(CARDS[0])
    content = {
        "JSON Lines": f"{good}\n{NESTED}\n{good}\n",
        "array, a line each": f"[\n{good},\n{NESTED},\n{good}\n]",
        "pretty array": f"[\n{json.dumps(CARDS[0], indent=2)},\n{NESTED}]",
    }[shape]
    rows = scryfall.read(_stream(content.encode()), "x", LAYOUT)
    assert isinstance(next(rows), Printing)
    if shape == "pretty array":
        with pytest.raises(CatalogError, match="nested too deeply"):
            list(rows)
    else:
        assert [isinstance(row, UnreadRow) for row in rows] == [True, False]


JSON_LINES = {"JSON Lines", "escaped JSON Lines", "JSON Lines with blank lines"}


@pytest.mark.parametrize("shape", SHAPES)
@given(data=st.data())
def test_truncated_file_is_an_error(shape: str, data: st.DataObject) -> None:
    content = SHAPES[shape](CARDS[:2]).encode()
    cut = content[: data.draw(st.integers(0, len(content.rstrip()) - 1))]
    rows = scryfall_rows(cut)
    if shape in JSON_LINES and (rows is None or not cut.strip() or _ends_with_a_row(cut)):
        return  # JSON Lines truncated after a row are indistinguishable from complete ones.
    assert rows is None


@pytest.mark.parametrize("tail", ['"colors":["R"]', '"card_faces":[{}', '"a":{"b":{}', '"x":[]'])
def test_truncation_after_a_bracket_or_brace_is_detected(tail: str) -> None:
    good = json.dumps(CARDS[0])
    for content in (f"[\n{good},\n{good[:-1]},{tail}", f"{good}\n{good[:-1]},{tail}", f"{good[:-1]},{tail}"):
        assert scryfall_rows(content.encode()) is None, content


def _ends_with_a_row(content: bytes) -> bool:
    try:
        json.loads(content.rstrip().rsplit(b"\n", 1)[-1])
    except ValueError:
        return False
    return True


PACKED = gzip.compress(SHAPES["array, a line each"](CARDS).encode(), mtime=0)


@given(length=st.integers(0, len(PACKED) - 1))
def test_truncated_gzip_file_is_an_error(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "cards.json.gz"
    path.write_bytes(PACKED[:length])
    error_of(path)


@given(place=st.integers(10, len(PACKED) - 1), bit=st.integers(0, 7))
def test_damaged_gzip_file_is_an_error(tmp_path_factory: pytest.TempPathFactory, place: int, bit: int) -> None:
    garbled = bytearray(PACKED)
    garbled[place] ^= 1 << bit
    with contextlib.suppress(OSError, EOFError, zlib.error):
        # The last byte of the compressed data has unused bits.
        assume(gzip.decompress(garbled) != gzip.decompress(PACKED))
    path = tmp_path_factory.mktemp("garbled") / "cards.json.gz"
    path.write_bytes(garbled)
    error_of(path)


@pytest.mark.slow
@pytest.mark.parametrize("piece", [b"\0", b" ", b" " * 2000 + b"\n", b'{"name":"' + b"x" * 2000 + b'"}\n', b"[[],[],"])
def test_gzip_bomb_is_detected_early(tmp_path: Path, piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    believed = 2 << 20
    monkeypatch.setattr(read_limits, "ALWAYS_UNPACKED", believed)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = piece * ((1 << 20) // len(piece))
    path = tmp_path / "bomb.gz"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(squeeze.compress(block))
        file.write(squeeze.flush())
    assert path.stat().st_size < 1 << 18
    read = 0

    def work() -> None:
        nonlocal read
        with open_data(path) as stream:
            for _ in scryfall.read(stream, path.name, LAYOUT):
                read += 1

    def refuse() -> None:
        with pytest.raises(CatalogError) as caught:
            work()
        assert "\n" not in str(caught.value)

    assert peak_of(refuse) < 16 << 20
    assert read * len(piece) <= max(believed, read_limits.STEEPEST * path.stat().st_size) + (1 << 20)


# --- random rows, and memory --------------------------------------------------------------------------------------


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
def test_any_row_is_a_card_with_valid_numbers_or_unread(
    fields: Fields, others: Fields, faces: list[Fields], kind: str, layout: str
) -> None:
    whole = {**made_up(type_line=kind, layout=layout, card_faces=faces), **fields, **others}
    for row in scryfall.read(_stream(json.dumps(whole).encode()), "x", LAYOUT):
        if isinstance(row, Printing):
            found = READER.read(row.fields)
            numbers = [number for zone in found.zones.values() for number in zone] + found.face
            assert all(0 <= number <= 10 for number in numbers)
            assert found.score == sum(numbers)
            assert (found.reason is None) <= all(len(zone) == 1 for zone in found.zones.values())


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "pretty array", "array in one line"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, shape: str, packed: bool) -> None:
    def read(count: int) -> int:
        path = tmp_path / f"{count}.json"
        cards = [made_up(name=f"Grob {i}", collector_number=str(i), flavor_text="x" * 1000) for i in range(count)]
        content = SHAPES[shape](cards).encode()
        path.write_bytes(gzip.compress(content, 1, mtime=0) if packed else content)
        del cards, content

        def work() -> None:
            with open_data(path) as stream:
                assert sum(1 for row in scryfall.read(stream, path.name, LAYOUT) if isinstance(row, Printing)) == count

        return peak_of(work)

    small, large = read(1500), read(3000)
    assert large < small * 1.15 + (64 << 10)


@pytest.mark.slow
def test_caches_store_no_long_texts() -> None:
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


@pytest.mark.slow
def test_row_of_the_largest_size_is_read_quickly() -> None:
    filling = "{}," * (LONGEST_ROW // 3 - 100)
    row = json.dumps(made_up(card_faces="@")).replace('"@"', f"[{filling}{{}}]").encode()
    assert len(row) < LONGEST_ROW
    assert peak_of(lambda: list(scryfall.read(_stream(row + b"\n" + row + b"\n"), "x", LAYOUT))) < 100 << 20
