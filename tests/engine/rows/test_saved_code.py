"""Tests that compiled code is stored only where no other user can write, because Numba executes what it loads."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccgrid.engine.rows import core, saved_code

if sys.platform == "win32":
    pytest.skip("who may write to a folder is told otherwise there", allow_module_level=True)

FUNCTION = "0a1b"
COMPILED = "core.best_first-1.py311.nbi"


def is_saved() -> bool:
    """Return whether the compiled code of a function is known to be stored."""
    return saved_code.is_saved(core.best_first, core)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of compiled code, with the code of one function."""
    found = tmp_path / "cache" / "ccgrid" / "compiled" / "0123"
    monkeypatch.setattr(saved_code, "cache_folder", lambda: found)
    monkeypatch.setattr(saved_code, "code_folder", lambda function, core: found / FUNCTION)
    saved_code.unsaved_reason.cache_clear()
    assert saved_code.unsaved_reason() == ""
    (found / FUNCTION / "compiled_0").mkdir(parents=True)
    (found / FUNCTION / "compiled_0" / COMPILED).write_bytes(b"")
    saved_code.unsaved_reason.cache_clear()
    yield found
    saved_code.unsaved_reason.cache_clear()


def test_private_folder_is_created_and_used(folder: Path) -> None:
    for made in (folder, *folder.parents[:3]):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert is_saved()
    announcement = saved_code.announcement("matrix", "some seconds")
    assert announcement == "Compiling matrix takes some seconds, only this once."


def is_rejected(folder: Path) -> bool:
    """Check the announcement, and return whether the stored code is ignored."""
    announcement = saved_code.announcement("matrix", "some seconds")
    assert announcement == (
        f"Compiling matrix takes some seconds. The result is not kept: other users can write in {folder}, or above it."
    )
    return not is_saved()


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_folder_writable_by_others_is_not_used(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    assert is_rejected(folder)


@pytest.mark.parametrize(("mode", "is_used"), [(0o755, True), (0o1777, True), (0o777, False), (0o757, False)])
def test_replaceable_folder_is_not_used(folder: Path, mode: int, is_used: bool) -> None:
    folder.parents[1].chmod(mode)
    assert is_saved() is is_used
    assert is_used or is_rejected(folder)


def test_symbolic_links_are_not_used(folder: Path) -> None:
    (folder / "compiled_1").symlink_to(folder / FUNCTION / "compiled_0")
    assert is_rejected(folder)
    (folder / "compiled_1").unlink()
    elsewhere = folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(elsewhere)
    saved_code.unsaved_reason.cache_clear()
    assert is_rejected(folder)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("inside", [".", FUNCTION, f"{FUNCTION}/compiled_0", f"{FUNCTION}/compiled_0/{COMPILED}", ".."])
def test_files_of_other_users_are_not_used(folder: Path, inside: str) -> None:
    os.chown(folder / inside, 12_345, -1)
    assert is_rejected(folder)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize(("group", "is_used"), [(0, True), (12_345, False)])
def test_parent_may_be_writable_by_private_group(folder: Path, group: int, is_used: bool) -> None:
    os.chown(folder.parent, -1, group)
    folder.parent.chmod(0o770)
    assert is_saved() is is_used


def test_folder_creation_error_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_code, "cache_folder", lambda: tmp_path / "closed" / "compiled")
    (tmp_path / "closed").write_bytes(b"")
    saved_code.unsaved_reason.cache_clear()
    assert "cannot be made" in saved_code.unsaved_reason()
    saved_code.unsaved_reason.cache_clear()


def test_functions_are_compiled_without_saving(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = pytest.importorskip("ccgrid.engine.rows.compiling")
    folder.chmod(0o777)
    monkeypatch.setattr(compiling, "_LOADED", {})
    moves, priorities = compiling.ints([7, 8, 9]), compiling.ints([1, 3, 2])
    compiling.compiled(core.best_first, core)(moves, priorities, 3)
    assert list(moves) == [8, 9, 7]
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [COMPILED]


def test_is_saved_does_not_import_numba(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    source = (
        "import sys\n"
        "from ccgrid.engine.games.tactics import core\n"
        "from ccgrid.engine.search import Clock, core_search\n"
        "print(core_search.is_search_compiled(core, 100, Clock.of(None)), 'numba' in sys.modules)\n"
    )
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, env=environment, check=True, text=True)
    assert done.stdout.split() == ["False", "False"]
