"""Documents that arrive in chunks: long skipped values, values of the largest length, and values split in two."""

import io
from typing import Any

import pytest
from helpers.error_messages import error_of
from inline_snapshot import snapshot

from ccgrid.catalog.readers.json_paths import values_at, values_at_paths


class Drops(io.RawIOBase):
    """A stream that returns a few bytes at a time."""

    def __init__(self, body: bytes, size: int = 1) -> None:
        self.body, self.size = io.BytesIO(body), size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self.body.read(self.size)
        buffer[: len(found)] = found
        return len(found)


def bodies(text: str, path: str = "z", longest: int = 1 << 20, size: int = 1) -> list[bytes]:
    return [body for *_, body in values_at(Drops(text.encode(), size), "a.json", path, longest)]  # type: ignore[arg-type]


DOCUMENT = '\ufeff{"a": [{"b": "}]\\"", "ü": [1.5e3, null]}, true], "z": [12345, "é\\"y", {"k": [ ]}, -1, false]}'


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_result_does_not_depend_on_the_chunk_size(size: int) -> None:
    assert bodies(DOCUMENT, size=size) == [b"12345", '"é\\"y"'.encode(), b'{"k": [ ]}', b"-1", b"false"]


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_paths_do_not_depend_on_the_chunk_size(size: int) -> None:
    stream: Any = Drops(DOCUMENT.encode(), size)
    assert list(values_at_paths(stream, "a.json", ["a.*.ü.*", "z", "a.*.b"])) == [
        (("a", "", "b"), b'"}]\\""'),
        (("a", "", "ü", ""), b"1.5e3"),
        (("a", "", "ü", ""), b"null"),
        (("z",), '[12345, "é\\"y", {"k": [ ]}, -1, false]'.encode()),
    ]


def test_value_at_the_end_of_a_chunk_may_have_the_largest_length() -> None:
    assert bodies('{"z": ["12345678", 1234567890]}', longest=10) == [b'"12345678"', b"1234567890"]
    assert error_of(lambda: bodies('{"z": ["123456789"]}', longest=10)) == (
        "a.json: a value of over 0 MiB, or damaged; is it the right file?"
    )


def test_skipped_value_may_be_longer_than_the_limit() -> None:
    beside = ", ".join(f'"card {number}"' for number in range(60_000))
    text = f'{{"a": [{beside}], "z": [1, 2]}}'
    assert len(text) > 800_000
    for size in (1000, 1 << 20):
        assert bodies(text, longest=100, size=size) == [b"1", b"2"]


def test_document_is_read_only_as_far_as_needed() -> None:
    values = ", ".join(f'{{"number": {number}}}' for number in range(60_000))
    stream = io.BytesIO(f'{{"z": [{values}]}}'.encode())
    first = next(values_at(stream, "a.json", "z"))
    assert first == ("value 1", "", b'{"number": 0}')
    assert stream.tell() < len(stream.getvalue()) / 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"z": [1, 2', snapshot("a.json: the file ends too early. Download it again.")),
        ('{"a": "cut', snapshot("a.json: the file ends too early. Download it again.")),
        ('{"a": [[1], [2', snapshot("a.json: the file ends too early. Download it again.")),
        ('{"a": 1, 2: 3}', snapshot("a.json: not JSON: '2' stands where a key should.")),
        ('{"a": 1]', snapshot("a.json: not JSON: ']' found where one of , } should.")),
        ('{"z": [1}', snapshot("a.json: not JSON: '}' found where one of , ] should.")),
        ('{"a" 1}', snapshot("a.json: not JSON: '1' found where one of : should.")),
        ("1", snapshot("a.json: it has no list at 'z', where the layout looks for cards (rows).")),
        ('{"z": 1}', snapshot("a.json: it has no list at 'z', where the layout looks for cards (rows).")),
    ],
)
def test_errors_do_not_depend_on_the_chunk_size(text: str, words: str) -> None:
    assert error_of(lambda: bodies(text)) == error_of(lambda: bodies(text, size=1000)) == words


def test_incomplete_character_is_reported() -> None:
    words = "a.json: not UTF-8, which JSON requires; is it the right file?"
    cut: Any = Drops('{"z": ["é'.encode()[:-1])
    assert error_of(lambda: list(values_at(cut, "a.json", "z"))) == words


def test_only_lists_and_objects_contain_values() -> None:
    text = '{"z": {"one": [1], "two": {"deep": 2}}, "y": [[1, 2], 3, {"deep": 4}]}'

    def at(path: str) -> list[tuple[str, str, bytes]]:
        return list(values_at(io.BytesIO(text.encode()), "a.json", path))

    assert at("z") == [("entry 'one'", "one", b"[1]"), ("entry 'two'", "two", b'{"deep": 2}')]
    assert at("y.*") == [("value 1", "", b"1"), ("value 2", "", b"2"), ("entry 'deep'", "deep", b"4")]
    assert at("*.two") == [("entry 'deep'", "deep", b"2")]
