"""Files of Scryfall that are damaged or hostile."""

import contextlib
import gzip
import json
import zlib
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scryfall_rows import CARDS, SHAPES, _stream, peak_of, rows_of, scryfall_rows

from ccgrid.catalog import documents
from ccgrid.catalog.card import CatalogError, Printing, Unread
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import scryfall


def refused(path: Path) -> str:
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
        (b"[", "cut off"),
        (b"{", "cut off"),
        (b"[\n{", "cut off"),
        (b"{}{", "cut off"),
        (b'{"name":\n', "cut off"),
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
def test_a_file_that_is_no_card_file_gets_one_clear_message(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content)
    assert any(word in refused(path) for word in words.split("|"))


def test_a_folder_or_a_missing_file_is_told_as_such(tmp_path: Path) -> None:
    folder = tmp_path / "cards.json"
    folder.mkdir()
    assert "folder" in refused(folder)
    assert "No such file" in refused(tmp_path / "nothing.json")


@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "pretty array"])
def test_deep_nesting_in_a_later_row_ends_in_words(shape: str) -> None:
    good = json.dumps(CARDS[0])
    content = {
        "JSON Lines": f"{good}\n{NESTED}\n{good}\n",
        "array, a line each": f"[\n{good},\n{NESTED},\n{good}\n]",
        "pretty array": f"[\n{json.dumps(CARDS[0], indent=2)},\n{NESTED}]",
    }[shape]
    rows = scryfall.read(_stream(content.encode()), "x")
    assert isinstance(next(rows), Printing)
    if shape == "pretty array":
        with pytest.raises(CatalogError, match="nested too deeply"):
            list(rows)
    else:
        assert [isinstance(row, Unread) for row in rows] == [True, False]


LINES_END = {"JSON Lines", "escaped JSON Lines", "JSON Lines with blank lines"}


@pytest.mark.parametrize("shape", SHAPES)
@given(data=st.data())
def test_a_file_that_is_cut_off_is_refused(shape: str, data: st.DataObject) -> None:
    content = SHAPES[shape](CARDS[:2]).encode()
    cut = content[: data.draw(st.integers(0, len(content.rstrip()) - 1))]
    rows = scryfall_rows(cut)
    if shape in LINES_END and (rows is None or not cut.strip() or _ends_with_a_row(cut)):
        return  # a list of lines that ends with a line cannot be told from a whole one
    assert rows is None


@pytest.mark.parametrize("tail", ['"colors":["R"]', '"card_faces":[{}', '"a":{"b":{}', '"x":[]'])
def test_a_cut_behind_a_bracket_or_a_brace_is_noticed(tail: str) -> None:
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
def test_a_gzip_file_that_is_cut_off_is_refused(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "cards.json.gz"
    path.write_bytes(PACKED[:length])
    refused(path)


@given(place=st.integers(10, len(PACKED) - 1), bit=st.integers(0, 7))
def test_a_garbled_gzip_file_is_refused(tmp_path_factory: pytest.TempPathFactory, place: int, bit: int) -> None:
    garbled = bytearray(PACKED)
    garbled[place] ^= 1 << bit
    with contextlib.suppress(OSError, EOFError, zlib.error):
        # The last byte of the packed data has bits that mean nothing.
        assume(gzip.decompress(garbled) != gzip.decompress(PACKED))
    path = tmp_path_factory.mktemp("garbled") / "cards.json.gz"
    path.write_bytes(garbled)
    refused(path)


@pytest.mark.parametrize("piece", [b"\0", b" ", b" " * 2000 + b"\n", b'{"name":"' + b"x" * 2000 + b'"}\n', b"[[],[],"])
def test_a_gzip_bomb_is_stopped_early(tmp_path: Path, piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    believed = 2 << 20
    monkeypatch.setattr(documents, "ALWAYS_UNPACKED", believed)
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
            for _ in scryfall.read(stream, path.name):
                read += 1

    def refuse() -> None:
        with pytest.raises(CatalogError) as caught:
            work()
        assert "\n" not in str(caught.value)

    assert peak_of(refuse) < 16 << 20
    assert read * len(piece) <= max(believed, documents.STEEPEST * path.stat().st_size) + (1 << 20)
