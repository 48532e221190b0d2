"""The printed command for installing an extra, which depends on how ccgrid was installed."""

import importlib.metadata
import json
import shlex
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ccgrid.catalog.extras import EXTRAS, install_command


def set_direct_url(monkeypatch: pytest.MonkeyPatch, document: dict[str, Any] | None) -> None:
    """Simulate an installation with this `direct_url.json`, or without one if it is None."""
    text = None if document is None else json.dumps(document)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: SimpleNamespace(read_text=lambda _: text))
    monkeypatch.setattr(sys, "prefix", "/home/ann/.venv")


def test_extra_of_program_from_index_is_installed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    set_direct_url(monkeypatch, None)
    assert shlex.split(install_command("pdf")) == ["pip", "install", "ccgrid[pdf]"]


def test_extra_of_program_from_folder_is_installed_from_that_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "Ann's ccgrid"
    folder.mkdir()
    set_direct_url(monkeypatch, {"url": folder.as_uri(), "dir_info": {}})
    assert shlex.split(install_command("web")) == ["pip", "install", f"{folder}[web]"]
    set_direct_url(monkeypatch, {"url": folder.as_uri(), "dir_info": {"editable": True}})
    assert shlex.split(install_command("web")) == ["pip", "install", "-e", f"{folder}[web]"]


def test_builds_without_source_install_extras_from_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_direct_url(monkeypatch, {"url": (tmp_path / "gone").as_uri(), "dir_info": {}})
    assert shlex.split(install_command("web")) == ["pip", "install", "ccgrid[web]"]


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ("/home/ann/.local/share/pipx/venvs/ccgrid", ["pipx", "install", "--force", "ccgrid[scan]"]),
        ("/home/ann/.local/share/uv/tools/ccgrid", ["uv", "tool", "install", "ccgrid[scan]"]),
    ],
)
def test_extra_is_installed_with_pipx_or_uv_like_the_program(
    monkeypatch: pytest.MonkeyPatch, prefix: str, words: list[str]
) -> None:
    set_direct_url(monkeypatch, None)
    monkeypatch.setattr(sys, "prefix", prefix)
    assert shlex.split(install_command("scan")) == words


def test_every_extra_but_those_of_developers_is_known() -> None:
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"].keys()
    assert {*EXTRAS, "fast"} == extras - {"docs", "test"}
