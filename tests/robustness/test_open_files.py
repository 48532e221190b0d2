"""Open files as on Windows, where they can be neither renamed, replaced nor removed."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.everyday import one_in
from writing import EXAMPLES, MIGRATION, Example, Trial

from ccgrid.catalog.temporary import HIDDEN

OPEN = Path("/proc/self/fd")

if not OPEN.exists():
    pytest.skip("open files are listed in /proc", allow_module_level=True)

_refuses = False
_EVENTS = {"os.rename": ((0, 2), (1, 3)), "os.remove": ((0, 1),), "os.rmdir": ((0, 1),)}
"""The indices of each event's paths and their folder descriptors."""


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if not _refuses or event not in _EVENTS:
        return
    for path, folder in _EVENTS[event]:
        if _full(os.fsdecode(arguments[path]), arguments[folder]) in _open_files():
            raise PermissionError(errno.EACCES, "another process has this file open", os.fsdecode(arguments[path]))


def _full(path: str, folder: int | None) -> Path:
    return (Path() if folder in (-1, None) else (OPEN / str(folder)).readlink()).joinpath(path).absolute()


def _open_files() -> set[Path]:
    found = set()
    for entry in OPEN.iterdir():
        with suppress(OSError):  # The descriptor of the listing itself is closed by now.
            found.add(entry.readlink())
    return {path for path in found if path.is_file()}


sys.addaudithook(_refuse)  # Audit hooks cannot be removed.


@contextmanager
def as_on_windows() -> Iterator[None]:
    global _refuses
    _refuses = True
    try:
        yield
    finally:
        _refuses = False


def test_windows_stand_in_refuses_only_open_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("1")
    other.write_text("2")
    with as_on_windows(), other.open():
        for work in (lambda: one.replace(other), lambda: other.rename(one), other.unlink):
            with pytest.raises(PermissionError):
                work()
    with as_on_windows():
        one.replace(other)
        other.unlink()


@pytest.mark.parametrize(
    "example",
    one_in(4, [MIGRATION, *chain(*EXAMPLES.values())]),
    ids=lambda one: "-".join((one.before.__name__, *one.words[:2])),
)
def test_no_command_renames_or_removes_a_file_that_it_has_open(
    shell: Shell, example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(shell, example, monkeypatch)
    trial.reset()
    with as_on_windows():
        result = trial.run()
    assert result.status == example.status, result
    assert trial.state() != trial.before
    assert not [path for path in shell.folder.iterdir() if path.name.startswith(HIDDEN)]


READING = {
    "export": ("export", "-o", "cards.csv"),
    "deck new": ("deck", "new", "--seed", "1", "-o", "deck.toml"),
    "collection export": ("collection", "export", "-o", "owned.csv"),
    "simulate": ("simulate", "grid", "--games", "3", "--seed", "1", "--records", "games.jsonl"),
    "demo": ("demo", "-o", "demo"),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", READING.values(), ids=READING)
def test_files_are_closed_before_they_are_overwritten(shell: Shell, words: tuple[str, ...]) -> None:
    shell.import_starter()
    shell.good("collection", "add", "Arakni, Redback")
    target = shell.folder / words[-1]
    with as_on_windows():
        shell.good(*words[:-1], target)
        if words[0] != "demo":
            shell.good(*words[:-1], target, "--force")
    assert not [path for path in shell.folder.iterdir() if path.name.startswith(HIDDEN)]
