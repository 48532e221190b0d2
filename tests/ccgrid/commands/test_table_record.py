"""Tests of the default file names of games with real cards."""

from datetime import datetime
from pathlib import Path

import pytest

from ccgrid.commands.table import _new_record_file


def test_games_of_the_same_second_have_different_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moment = datetime(2026, 11, 21, 20, 15, 3)
    for name in ("table-2026-11-21-201503.toml", "table-2026-11-21-201503-2.toml", "table-2026-11-21-201503-3.toml"):
        file = _new_record_file(moment)
        assert file == Path(name)
        file.touch()
