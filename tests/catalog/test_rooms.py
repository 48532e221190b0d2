"""Packages whose modules are imported when they are first asked for."""

import sys
from pathlib import Path

import pytest

from ccgrid.catalog.runtime import lazy_modules


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    house = tmp_path / "made_up_house"
    house.mkdir()
    (house / "__init__.py").write_text("")
    (house / "kitchen.py").write_text("TABLES = 1\n")
    (house / "cellar.py").write_text("import made_up_wine\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("made_up_house", "made_up_house.kitchen", "made_up_house.cellar"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return house.name


def test_a_room_is_opened_when_it_is_asked_for(package: str) -> None:
    open_room = lazy_modules(package)
    assert f"{package}.kitchen" not in sys.modules
    assert open_room("kitchen").TABLES == 1


def test_any_other_name_is_missing_as_in_any_module(package: str) -> None:
    with pytest.raises(AttributeError, match="module 'made_up_house' has no attribute 'attic'"):
        lazy_modules(package)("attic")


def test_what_a_room_lacks_itself_is_told_as_it_is(package: str) -> None:
    with pytest.raises(ModuleNotFoundError, match="made_up_wine"):
        lazy_modules(package)("cellar")
