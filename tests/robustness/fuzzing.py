"""Inputs that mean harm, made out of good ones: what a reader takes is cut, joined, turned over and packed again."""

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
"""What means something to one reader or another."""


@cache
def seeds() -> tuple[bytes, ...]:
    """The kept files, and the small ones of those that mean harm by themselves."""
    corpus = [path.read_bytes() for path in sorted(CORPUS.iterdir()) if path.is_file()]
    small = [content for make in SHAPES.values() if len(content := make()) <= _LARGEST // 8]
    return (*corpus * 3, *small)


def mutated(dice: random.Random, from_these: Sequence[bytes]) -> bytes:
    """Another input: one of these, or two, changed in a few places; what is JSON may be changed as what it says."""
    data = dice.choice(from_these)
    if dice.random() < 0.3:
        data = _retold(dice, data)
    for _ in range(dice.choice((0, 1, 1, 2, 4, 16))):
        data = dice.choice(_CHANGES)(dice, data, from_these)[:_LARGEST]
    if dice.random() < 0.15:
        data = dice.choice(_PACKED)(dice, data)
    return repaired(data) if data[257:262] == b"ustar" else data


def _place(dice: random.Random, data: bytes) -> int:
    return dice.randrange(len(data) + 1)


def _flip(dice: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place = dice.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :]


def _insert(dice: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    place = _place(dice, data)
    return data[:place] + dice.choice(WORDS) * dice.choice((1, 1, 1, 3, 200)) + data[place:]


def _cut(dice: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = sorted((_place(dice, data), _place(dice, data)))
    return data[:start] + data[end:]


def _double(dice: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = sorted((_place(dice, data), _place(dice, data)))
    return data[:end] + data[start:end] * dice.choice((1, 2, 30)) + data[end:]


def _join(dice: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = dice.choice(others)
    return data[: _place(dice, data)] + other[_place(dice, other) :]


_CHANGES: Final = (_flip, _insert, _insert, _cut, _double, _join)


def _retold(dice: random.Random, data: bytes) -> bytes:
    """JSON, or lines of it, in which a value somewhere is another one."""
    try:
        lines = [json.loads(line) for line in data.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return data
    return b"\n".join(json.dumps(_other(dice, line)).encode() for line in lines) + b"\n"


def _other(dice: random.Random, value: Any, depth: int = 0) -> Any:
    if dice.random() < 0.1 or depth > 6:
        return dice.choice(
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
            key if dice.random() > 0.03 else f"{key}\x07": _other(dice, inner, depth + 1)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_other(dice, inner, depth + 1) for inner in value]
    return value


_PACKED: Final[tuple[Callable[[random.Random, bytes], bytes], ...]] = (
    lambda dice, data: packed(data),
    lambda dice, data: zipped({dice.choice(("a.json", "cards.txt", "sets/a.txt", "plugininfo.txt")): data}),
    lambda dice, data: plain_tar({dice.choice(("a.json", "cards/en/a.json", "a.csv", "pack/a.json")): data}),
    lambda dice, data: packed(plain_tar({"a.jsonl.gz": packed(data)})),
)


def inputs(seed: int) -> Iterator[tuple[str, bytes]]:
    """Readers and what they are to be tried on, without end."""
    dice, these, names = random.Random(seed), seeds(), list(READERS)
    while True:
        yield dice.choice(names), mutated(dice, these)


def tried(name: str, data: bytes, folder: Path) -> Outcome:
    """What a reader makes of an input, in a process of its own."""
    path = folder / "input"
    path.write_bytes(data)
    return limited(lambda: READERS[name](path))


def is_find(outcome: Outcome) -> bool:
    """Whether something came out that is not written for people, or nothing at all."""
    return outcome.how in (ESCAPED, KILLED)
