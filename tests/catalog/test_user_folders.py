"""The program's folders in the user's home, compared with platformdirs."""

from typing import get_args

import platformdirs
import pytest

from ccgrid.catalog.user_folders import Kind, user_folder


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("own", [None, "", " ", "own", "/tmp/own"])
def test_folders_are_those_of_platformdirs(monkeypatch: pytest.MonkeyPatch, kind: Kind, own: str | None) -> None:
    monkeypatch.delenv(f"XDG_{kind.upper()}_HOME", raising=False)
    if own is not None:
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", own)
    assert user_folder(kind) == getattr(platformdirs, f"user_{kind}_path")("ccgrid", appauthor=False)
