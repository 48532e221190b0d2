"""What a process needs besides: how an extra is installed beside the program, and modules imported when asked for."""

import importlib.metadata
import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ccgrid.catalog.runtime import install_command, lazy_modules


def noted(monkeypatch: pytest.MonkeyPatch, document: dict[str, Any] | None) -> None:
    """Lets the program be installed as pip notes it in direct_url.json."""
    text = None if document is None else json.dumps(document)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: SimpleNamespace(read_text=lambda _: text))
    monkeypatch.setattr(sys, "prefix", "/home/ann/.venv")


def test_from_an_index_an_extra_has_the_name_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    noted(monkeypatch, None)
    assert shlex.split(install_command("pdf")) == ["pip", "install", "ccgrid[pdf]"]


def test_an_extra_is_installed_from_the_folder_or_wheel_of_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "Ann's ccgrid"
    folder.mkdir()
    noted(monkeypatch, {"url": folder.as_uri(), "dir_info": {}})
    assert shlex.split(install_command("web")) == ["pip", "install", f"{folder}[web]"]
    noted(monkeypatch, {"url": folder.as_uri(), "dir_info": {"editable": True}})
    assert shlex.split(install_command("web")) == ["pip", "install", "-e", f"{folder}[web]"]


def test_what_was_made_elsewhere_is_installed_from_an_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    noted(monkeypatch, {"url": (tmp_path / "gone").as_uri(), "dir_info": {}})
    assert shlex.split(install_command("web")) == ["pip", "install", "ccgrid[web]"]


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ("/home/ann/.local/share/pipx/venvs/ccgrid", ["pipx", "install", "--force", "ccgrid[scan]"]),
        ("/home/ann/.local/share/uv/tools/ccgrid", ["uv", "tool", "install", "ccgrid[scan]"]),
    ],
)
def test_who_installed_the_program_installs_the_extra(
    monkeypatch: pytest.MonkeyPatch, prefix: str, words: list[str]
) -> None:
    noted(monkeypatch, None)
    monkeypatch.setattr(sys, "prefix", prefix)
    assert shlex.split(install_command("scan")) == words


# --- modules that are imported when they are first asked for ----------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    house = tmp_path / "made_up_package"
    house.mkdir()
    (house / "__init__.py").write_text("")
    (house / "kitchen.py").write_text("TABLES = 1\n")
    (house / "cellar.py").write_text("import made_up_wine\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("made_up_package", "made_up_package.kitchen", "made_up_package.cellar"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return house.name


def test_a_module_is_imported_when_it_is_asked_for(package: str) -> None:
    module = lazy_modules(package)
    assert f"{package}.kitchen" not in sys.modules
    assert module("kitchen").TABLES == 1


def test_any_other_name_is_missing_as_in_any_module(package: str) -> None:
    with pytest.raises(AttributeError, match="module 'made_up_package' has no attribute 'attic'"):
        lazy_modules(package)("attic")


def test_what_a_module_lacks_itself_is_said_as_it_is(package: str) -> None:
    with pytest.raises(ModuleNotFoundError, match="made_up_wine"):
        lazy_modules(package)("cellar")
