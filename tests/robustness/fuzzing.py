"""Malicious inputs made from valid ones, which are cut, joined, altered and compressed again."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from forged import packed, plain_tar, repaired, zipped
from limits import ESCAPED, KILLED, Outcome, limited
from readers import READERS
from shapes import SHAPES

CORPUS: Final = Path(__file__).with_name("corpus")
_LARGEST: Final = 1 << 16
WORDS: Final = (
    *(b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"\r", b"\t", b";", b"=", b".", b"<", b">", b"&"),
    *(b"\0", b"\x1b", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xff\xfe", "٣".encode(), "½".encode(), "\u2028".encode()),
    *(b"null", b"true", b"-1", b"0", b"1e400", b"9223372036854775808", b"9" * 400, b"NaN", b"0x", b"1_0", b"-0.0"),
    *(b"\\ud800", b"\\u0000", b"\\u001b", b"[[", b"]]", b'"""', b"'''", b"[[cards]]", b"cards = [", b"zones", b"score"),
    *(b"<!DOCTYPE", b"<![CDATA[", b"&#0;", b"<?xml", b"</", b"data", b"../", b"sep=;", b"#", b"//", b"1 ", b"(", b")"),
    *(b"moves", b"players", b"result", b"format", b"game", b"printed", b"settles", b"copies", b"name", b"face"),
)
"""Byte sequences with a special meaning for some reader."""


@cache
def seeds() -> tuple[bytes, ...]:
    """Return the stored files, and the smaller ones of the malicious files."""
    corpus = [path.read_bytes() for path in sorted(CORPUS.iterdir()) if path.is_file()]
    small = [content for make in SHAPES.values() if len(content := make()) <= _LARGEST // 8]
    return (*corpus * 3, *small)


def mutated(rng: random.Random, from_these: Sequence[bytes]) -> bytes:
    """Return a mutation of one or two of these inputs, in a few places; JSON may be changed in its values."""
    data = rng.choice(from_these)
    if rng.random() < 0.3:
        data = _with_other_value(rng, data)
    for _ in range(rng.choice((0, 1, 1, 2, 4, 16))):
        data = rng.choice(_CHANGES)(rng, data, from_these)[:_LARGEST]
    if rng.random() < 0.15:
        data = rng.choice(_PACKED)(rng, data)
    return repaired(data) if data[257:262] == b"ustar" else data


def _place(rng: random.Random, data: bytes) -> int:
    return rng.randrange(len(data) + 1)


def _flip(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _insert(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    place = _place(rng, data)
    return data[:place] + rng.choice(WORDS) * rng.choice((1, 1, 1, 3, 200)) + data[place:]


def _cut(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = sorted((_place(rng, data), _place(rng, data)))
    return data[:start] + data[end:]


def _double(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = sorted((_place(rng, data), _place(rng, data)))
    return data[:end] + data[start:end] * rng.choice((1, 2, 30)) + data[end:]


def _join(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others)
    return data[: _place(rng, data)] + other[_place(rng, other) :]


_CHANGES: Final = (_flip, _insert, _insert, _cut, _double, _join)


def _with_other_value(rng: random.Random, data: bytes) -> bytes:
    """Change a random value in JSON or in lines of JSON."""
    try:
        lines = [json.loads(line) for line in data.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return data
    return b"\n".join(json.dumps(_other(rng, line)).encode() for line in lines) + b"\n"


def _other(rng: random.Random, value: Any, depth: int = 0) -> Any:
    if rng.random() < 0.1 or depth > 6:
        return rng.choice(
            (
                None,
                True,
                -1,
                0.5,
                10**18,
                "",
                "x",
                "\x00",
                "10",
                "²",
                "½",
                "-",
                "1/2",
                [],
                {},
                [[]],
                {"a": 1},
                [value],
                "9" * 99,
            )
        )
    if isinstance(value, dict):
        return {
            key if rng.random() > 0.03 else f"{key}\x07": _other(rng, inner, depth + 1) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_other(rng, inner, depth + 1) for inner in value]
    return value


_PACKED: Final[tuple[Callable[[random.Random, bytes], bytes], ...]] = (
    lambda rng, data: packed(data),
    lambda rng, data: zipped({rng.choice(("a.json", "cards.txt", "sets/a.txt", "plugininfo.txt")): data}),
    lambda rng, data: plain_tar({rng.choice(("a.json", "cards/en/a.json", "a.csv", "pack/a.json")): data}),
    lambda rng, data: packed(plain_tar({"a.jsonl.gz": packed(data)})),
)


def inputs(seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield readers with inputs for them, endlessly."""
    rng, these, names = random.Random(seed), seeds(), list(READERS)
    while True:
        yield rng.choice(names), mutated(rng, these)


def tried(name: str, data: bytes, folder: Path) -> Outcome:
    """Return the outcome of reading an input in a separate process."""
    path = folder / "input"
    path.write_bytes(data)
    return limited(lambda: READERS[name](path))


def is_find(outcome: Outcome) -> bool:
    """Return whether the reader raised an unexpected error or was killed."""
    return outcome.how in (ESCAPED, KILLED)
