"""Every reader of what comes from outside, on every file that means harm: it is read, or refused in plain words.

Every seventh reader is tried on each file, another seventh on the next; with CCGRID_EVERY_READER all of them are.
"""

import os
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs fork and limits of processes", allow_module_level=True)

from limits import DONE, REFUSED, attempt, limited
from readers import ARCHIVES, ORDINARY, READERS, warm
from shapes import SHAPES


@pytest.fixture(scope="module", autouse=True)
def warmed(tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(tmp_path_factory.mktemp("warm"))


def in_turn(readers: Iterable[str], path: Path, content: bytes) -> None:
    """Tries all of them in this process; fails at the first that lets something else out than words for people."""
    for name in readers:
        path.write_bytes(content)
        assert attempt(partial(READERS[name], path))[0] in (DONE, REFUSED)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_reader_is_harmed_by(shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    content, wrong = SHAPES[shape](), []
    packed = content.startswith((b"PK", b"\x1f\x8b")) or content[257:262] == b"ustar"
    readers = ARCHIVES if packed else ORDINARY
    readers = list(READERS) if os.environ.get("CCGRID_EVERY_READER") else readers[list(SHAPES).index(shape) % 7 :: 7]
    path = tmp_path / "hostile"
    if limited(partial(in_turn, readers, path, content)).how == DONE:
        return
    for name in readers:  # one of them, or all of them together, took too much: each has the same room alone
        path.write_bytes(content)
        outcome = limited(partial(READERS[name], path))
        if outcome.how not in (DONE, REFUSED):
            wrong.append(f"{name} ({outcome.seconds:.1f} s): {outcome.how}\n{outcome.told[-1500:]}")
    assert not wrong, "\n\n".join(wrong)
