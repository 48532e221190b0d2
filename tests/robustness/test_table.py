"""Every reader of what comes from outside, on every file that means harm: it is read, or refused in plain words.

Every tenth reader is tried on each file, another tenth on the next; with CCGRID_EVERY_READER all of them are.
"""

import os
import sys
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs fork and limits of processes", allow_module_level=True)

from limits import DONE, REFUSED, limited_each
from readers import ARCHIVES, ORDINARY, READERS, warm
from shapes import SHAPES

SHARE = 10


@pytest.fixture(scope="module", autouse=True)
def warmed(tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(tmp_path_factory.mktemp("warm"))


@pytest.mark.parametrize("shape", SHAPES)
def test_no_reader_is_harmed_by(shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    content = SHAPES[shape]()
    packed = content.startswith((b"PK", b"\x1f\x8b")) or content[257:262] == b"ustar"
    names = ARCHIVES if packed else ORDINARY
    names = (
        tuple(READERS) if os.environ.get("CCGRID_EVERY_READER") else names[list(SHAPES).index(shape) % SHARE :: SHARE]
    )
    path = tmp_path / "hostile"

    def read(name: str) -> None:
        path.write_bytes(content)
        READERS[name](path)

    ended = dict(zip(names, limited_each([partial(read, name) for name in names]), strict=True))
    wrong = {name: outcome for name, outcome in ended.items() if outcome.how not in (DONE, REFUSED)}
    assert not wrong, "\n\n".join(f"{name}: {outcome.how}\n{outcome.told[-1500:]}" for name, outcome in wrong.items())
