"""Every reader of untrusted input with every malicious file: it is read, or rejected plainly.

One in fifteen readers is tried on each file, in turn, and so is every reader that the file has harmed before; with
CCGRID_EVERY_READER all readers are.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs fork and limits of processes", allow_module_level=True)

from limits import DONE, REFUSED, Outcome, limited_each
from readers import ARCHIVES, ORDINARY, READERS, warm
from shapes import SHAPES

EVERY_READER = bool(os.environ.get("CCGRID_EVERY_READER"))
if EVERY_READER:
    pytestmark = pytest.mark.timeout(0)  # Each reader has its own limit; together they are slow.
SHARE = 15
AT_ONCE = 12
"""The number of shapes tried in one process; each input still has its own limits."""
HARMED_BEFORE = {
    "a gzip of blank lines": ("import file",),
    "a packed tarball of gzip files": ("source lackey",),
    "a zip of overlapping files": ("source file",),
    "TOML of dotted keys": ("deck", "record", "layout"),
    "a deck of thousands of digits": ("deck",),
    "a score of 10^400": ("deck",),
    "TOML digits": ("deck",),
    "TOML score of 10^400": ("deck",),
    "a control character in a key": ("import mtg", "source pokemon", "source file"),
    "a raw control character in a key of objects": ("source mtgjson", "source file"),
    "MTGJSON with a control character": ("source mtgjson",),
    "a tarball of 3000 pax headers": ("source file",),
    "a tarball of 3000 long names": ("source file",),
    "a tarball with odd sparse keys": ("source file",),
    "a zip with a damaged LZMA file": ("source file",),
    "settles too much": ("collection jsonl",),
}
"""Readers that a shape has harmed before, which are always tried on it."""


@pytest.fixture(scope="module", autouse=True)
def warmed(tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(tmp_path_factory.mktemp("warm"))


def test_shapes_that_did_harm_are_in_the_table() -> None:
    assert set(HARMED_BEFORE) <= set(SHAPES)
    assert {name for names in HARMED_BEFORE.values() for name in names} <= set(READERS)


Outcomes = dict[str, Outcome]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Outcomes]]:
    """Return a function for the outcomes of a shape's readers; the next shapes are tried in the same process."""
    folder = tmp_path_factory.mktemp("hostile")
    known: dict[str, Outcomes] = {}
    shapes = list(SHAPES)

    def outcomes_of(shape: str) -> Outcomes:
        if shape not in known:
            place = shapes.index(shape)
            known.update(outcomes_in_one_process(shapes[place : place + (1 if EVERY_READER else AT_ONCE)], folder))
        return known[shape]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        yield outcomes_of


def outcomes_in_one_process(shapes: Sequence[str], folder: Path) -> dict[str, Outcomes]:
    """Return the outcomes of the readers of some shapes, tried in one process unless a reader ends it."""
    path = folder / "hostile"

    def read(name: str, content: bytes) -> None:
        path.write_bytes(content)
        READERS[name](path)

    contents = {shape: SHAPES[shape]() for shape in shapes}
    pairs = [(shape, name) for shape, content in contents.items() for name in readers_of(shape, content)]
    ended = limited_each([partial(read, name, contents[shape]) for shape, name in pairs])
    found: dict[str, Outcomes] = {shape: {} for shape in shapes}
    for (shape, name), outcome in zip(pairs, ended, strict=True):
        found[shape][name] = outcome
    return found


def readers_of(shape: str, content: bytes) -> tuple[str, ...]:
    """Return the readers that are tried on a shape."""
    if EVERY_READER:
        return tuple(READERS)
    packed = content.startswith((b"PK", b"\x1f\x8b")) or content[257:262] == b"ustar"
    names = ARCHIVES if packed else ORDINARY
    turn = list(SHAPES).index(shape) % min(SHARE, len(names))
    return (*names[turn::SHARE], *HARMED_BEFORE.get(shape, ()))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_readers_survive_hostile_shapes(shape: str, tried: Callable[[str], Outcomes]) -> None:
    ended = tried(shape)
    assert ended
    wrong = {name: outcome for name, outcome in ended.items() if outcome.how not in (DONE, REFUSED)}
    assert not wrong, "\n\n".join(f"{name}: {outcome.how}\n{outcome.report[-1500:]}" for name, outcome in wrong.items())
