"""The SHA-256 of a large file is worked out while its rows are read, and stands in the ledger like any other."""

import hashlib
import threading
from pathlib import Path

import pytest
from helpers.catalogues import Shell, json_lines
from import_world import CARDS

from ccgrid.catalog.imports import run
from ccgrid.catalog.imports.run import hashed_beside
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.ledger import history


@pytest.mark.parametrize("worth", [0, 1 << 40])
def test_a_first_import_knows_its_file_again_whenever_that_was_hashed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, worth: int
) -> None:
    monkeypatch.setattr(run, "WORTH_A_THREAD", worth)
    file = shell.folder / "cards.jsonl"
    file.write_bytes(json_lines(CARDS))
    assert shell.good("import", "mtg", file, "--json").json["added"] == 40
    with Store(shell.database) as store:
        (entry,) = history(store)
    assert entry["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert entry["size"] == file.stat().st_size
    assert shell.good("import", "mtg", file, "--json").json["unchanged"] == 40
    with Store(shell.database) as store:
        assert len(history(store)) == 1


@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_a_file_is_hashed_whole(tmp_path: Path, pieces: int) -> None:
    content = b"ccgrid" * (pieces << 20) + b"."
    (tmp_path / "file").write_bytes(content)
    with hashed_beside(tmp_path / "file") as digest:
        assert digest() == hashlib.sha256(content).hexdigest()


def test_what_cannot_be_read_has_no_digest(tmp_path: Path) -> None:
    with hashed_beside(tmp_path / "nothing") as digest:
        assert digest() is None


def test_nothing_is_hashed_any_more_once_the_import_is_over(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(64 << 20)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), hashed_beside(tmp_path / "file"):
        raise KeyboardInterrupt
    assert threading.active_count() == before
