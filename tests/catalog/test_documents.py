"""The loader of untrusted TOML and JSON: it reads valid documents and rejects others with a message of one line."""

import gzip
import json
import tomllib

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.documents import (
    LARGEST_DOCUMENT,
    LARGEST_WHOLE,
    DocumentError,
    Limits,
    load_json,
    load_toml,
    read_text,
)

LIMITS = Limits(1 << 16, depth=8, key=50)
keys = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20)
wholes = st.integers(-LARGEST_WHOLE - 1, LARGEST_WHOLE)
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
values = st.recursive(
    wholes | texts | st.booleans() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
tables = st.dictionaries(keys, values, max_size=4)


def depth(value: object) -> int:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + max(map(depth, inner), default=0)


@given(table=tables)
def test_valid_documents_are_read_like_the_standard_library(table: dict[str, object]) -> None:
    written = json.dumps(table)
    assert load_json(written, LIMITS) == json.loads(written) == table
    if depth(table) <= LIMITS.depth:
        written = tomli_w.dumps(table)
        assert load_toml(written, LIMITS) == tomllib.loads(written)


@given(data=st.binary(max_size=60) | st.text('[]{}="1.\\ue\n', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_rejected_in_one_line(data: bytes) -> None:
    for load in (load_toml, load_json):
        message = ""
        try:
            load(read_text(data, LIMITS), LIMITS)
        except DocumentError as error:
            message = str(error)
        assert message.isprintable()
        assert len(message) < 300


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = 1\n" * 20_000, "is larger than 64 KiB$"),
        ("a = " + "[" * 30_000, "is nested too deeply to be read$"),
        ("a = " + "[" * 10 + "]" * 10, "is nested too deeply to be read$"),
        (".".join("a" * 30_000) + " = 1", "has a key of more than 8 parts: no table is nested that deep$"),
        ("a = 1\n[b" + " . c" * 9 + "]", "has a key of more than 8 parts: no table is nested that deep$"),
        ("a = 9223372036854775808", "has a number of more than 64 bits"),
        ("a = [{ b = -9223372036854775809 }]", "has a number of more than 64 bits$"),
        ("a = " + "9" * 5000, "is not TOML: [A-Z]"),
        (f'"{"k" * 61}" = 1', f'has a key that is too long or contains control characters: "{"k" * 60}…"$'),
        (f'"{"k" * 51}" = 1', f'has a key that is too long or contains control characters: "{"k" * 51}"$'),
        ('a = { "\\u001b[2J" = 1 }', r'has a key that is too long or contains control characters: " \[2J"$'),
        ("a = '\x1b'", "is not TOML: [A-Z]"),
        ("a = 1\na = 2", "is not TOML: [A-Z]"),
    ],
)
def test_toml_beyond_limits_is_rejected(text: str, words: str) -> None:
    with pytest.raises(DocumentError, match=f"^{words}"):
        load_toml(text, LIMITS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json.dumps("x" * 70_000), "is larger than 64 KiB$"),
        ("[" * 60_000, "is nested too deeply to be read$"),
        ('{"a": 9223372036854775808}', "has a number of more than 64 bits"),
        ("[" + "9" * 5000 + "]", "has a number of more than 64 bits$"),
        ('{"a": -9223372036854775809}', "has a number of more than 64 bits$"),
        ("[1e999]", "has a number that is too large$"),
        ("[Infinity]", "is not JSON: Infinity is not a number$"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', 'has the key "c" twice$'),
        ('{"\\u001b": 1, "\\u001b": 2}', 'has the key " " twice$'),
        ('["\\ud800"]', "holds half of a surrogate pair, not a character$"),
        ('["\x1b"]', "is not JSON: [A-Z]"),
    ],
)
def test_json_beyond_limits_is_rejected(text: str, words: str) -> None:
    with pytest.raises(DocumentError, match=f"^{words}"):
        load_json(text, LIMITS)


def test_largest_and_smallest_64_bit_numbers_are_read() -> None:
    low, high = -(2**63), 2**63 - 1
    assert load_json(f"[{low}, {high}]", LIMITS) == load_toml(f"a = [{low}, {high}]", LIMITS)["a"] == [low, high]


def test_document_may_have_exactly_the_maximum_size() -> None:
    assert load_toml("a = 1".ljust(LIMITS.size), LIMITS) == {"a": 1}
    assert load_json("1".ljust(LIMITS.size), LIMITS) == 1
    for load, text in ((load_toml, "a = 1"), (load_json, "1")):
        with pytest.raises(DocumentError, match=r"^is larger than 64 KiB$"):
            load(text.ljust(LIMITS.size + 1), LIMITS)
    with pytest.raises(DocumentError, match=r"^is larger than 16 MiB$"):
        read_text(bytes(LARGEST_DOCUMENT + 1), Limits(LARGEST_DOCUMENT))


def test_too_deep_dotted_key_is_reported_with_its_line() -> None:
    with pytest.raises(DocumentError) as caught:
        load_toml("a = 1\n\n" + ".".join("abcdefghij") + " = 1", LIMITS)
    assert caught.value.line == 3


def test_utf_8_is_read_with_or_without_byte_order_mark() -> None:
    assert read_text(b"\xef\xbb\xbfa = 1", LIMITS) == "a = 1"
    with pytest.raises(DocumentError, match=r"^is not UTF-8 text \(byte 3\): save it as UTF-8$"):
        read_text(b"ab\xff", LIMITS)
    with pytest.raises(DocumentError, match=r"^is larger than 64 KiB$"):
        read_text(b"a" * (LIMITS.size + 1), LIMITS)
    assert len(read_text(b"a" * LIMITS.size, LIMITS)) == LIMITS.size
    with pytest.raises(DocumentError, match=r"^is larger than 1 MiB$"):
        read_text(b"a" * ((1 << 20) + 1), Limits(1 << 20))


def test_compressed_document_is_rejected_with_advice_to_unpack() -> None:
    with pytest.raises(DocumentError, match="unpack it with gzip"):
        read_text(gzip.compress(b"game = 'grid'"), LIMITS)
