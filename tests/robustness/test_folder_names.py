"""Every command with files and folders whose names are not UTF-8, such as those from old archives."""

import os
import shutil
import sys
from typing import Final

import pytest
from helpers.catalogues import Shell, wait_for_result
from helpers.command_examples import EXAMPLES
from helpers.everyday import sampled

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="needs file names of arbitrary bytes")

NAME: Final = os.fsdecode(b"caf\xe9")
"""A name in Latin-1, whose last byte is not UTF-8."""


def moved(shell: Shell) -> Shell:
    """Copy all files into a folder with such a name, and most of them also to such names in it."""
    folder = shell.folder / "elsewhere" / NAME
    shutil.copytree(shell.folder, folder)
    for file in shell.folder.iterdir():
        if file.suffix not in ("", ".db"):
            shutil.copy(file, folder / f"{NAME}{file.name}")
    return Shell(folder, shell.capture)


@pytest.mark.slow
@pytest.mark.parametrize("command", sampled(EXAMPLES, *[*EXAMPLES][1::2]))
def test_names_that_are_not_utf_8_change_no_command(hostile: Shell, command: str) -> None:
    elsewhere = moved(hostile)
    for words, _ in EXAMPLES[command]:
        renamed = [f"{NAME}{word}" if (elsewhere.folder / f"{NAME}{word}").exists() else word for word in words]
        usual = wait_for_result(hostile.start(*command.split(), *words, cwd=hostile.folder))
        other = wait_for_result(elsewhere.start(*command.split(), *renamed, cwd=elsewhere.folder))
        assert other.status == usual.status, (renamed, other.err, usual.err)
        assert "damaged" not in other.err, (renamed, other.err)
        assert "defect" not in other.err, (renamed, other.err)
