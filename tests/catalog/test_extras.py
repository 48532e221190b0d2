"""The command that installs an extra fits how the program itself was installed."""

import importlib.metadata
import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ccgrid.catalog.extras import install_command


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


def test_builds_without_source_install_extras_from_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    noted(monkeypatch, {"url": (tmp_path / "gone").as_uri(), "dir_info": {}})
    assert shlex.split(install_command("web")) == ["pip", "install", "ccgrid[web]"]


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ("/home/ann/.local/share/pipx/venvs/ccgrid", ["pipx", "install", "--force", "ccgrid[scan]"]),
        ("/home/ann/.local/share/uv/tools/ccgrid", ["uv", "tool", "install", "ccgrid[scan]"]),
    ],
)
def test_extra_is_installed_by_the_program_s_installer(
    monkeypatch: pytest.MonkeyPatch, prefix: str, words: list[str]
) -> None:
    noted(monkeypatch, None)
    monkeypatch.setattr(sys, "prefix", prefix)
    assert shlex.split(install_command("scan")) == words


# --- modules that are imported when they are first asked for ----------------------------------------------------------
