"""Lazy import of a package's modules on first use."""

import sys
from pathlib import Path

import pytest

from ccgrid.catalog.lazy_modules import lazy_modules


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "made_up_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "kitchen.py").write_text("TABLES = 1\n")
    (folder / "cellar.py").write_text("import made_up_wine\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("made_up_package", "made_up_package.kitchen", "made_up_package.cellar"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder.name


def test_module_is_imported_on_first_use(package: str) -> None:
    module = lazy_modules(package)
    assert f"{package}.kitchen" not in sys.modules
    assert module("kitchen").TABLES == 1


def test_unknown_module_raises_attribute_error(package: str) -> None:
    with pytest.raises(AttributeError, match="module 'made_up_package' has no attribute 'attic'"):
        lazy_modules(package)("attic")


def test_missing_import_within_module_is_reported_unchanged(package: str) -> None:
    with pytest.raises(ModuleNotFoundError, match="made_up_wine"):
        lazy_modules(package)("cellar")
