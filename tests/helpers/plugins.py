"""Packages installed next to the program by writing their modules and metadata into a folder of the import path."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from ccgrid.catalog import lazy_modules, plugins
from ccgrid.engine.games import find_game


def write_package(folder: Path, name: str, entry_points: str, modules: Mapping[str, str]) -> None:
    """Write modules and the metadata of a distribution as `pip install --target` does.

    Args:
        folder: The folder that is on the import path, or will be.
        name: The name of the distribution; its version is 1.0.
        entry_points: The text of `entry_points.txt`.
        modules: The source of each module by its path in the folder: `pips/__init__.py`.
    """
    for path, source in modules.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(source, encoding="utf-8")
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def install(source: Path, folder: Path) -> None:
    """Install the package of a source folder with pip into a folder of packages."""
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "install", *options, "--target", folder, source]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Put a folder of packages on the import path during the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        forget_plugins()
        yield
    own = {path.stem for path in folder.iterdir()}
    for name in [name for name in sys.modules if name.partition(".")[0] in own]:
        del sys.modules[name]
    forget_plugins()


def forget_plugins() -> None:
    """Let the program look for plug-ins again, and load and report them again."""
    for looked_up in (plugins.find_plugins, plugins._has_plugins, plugins._warn, find_game):
        looked_up.cache_clear()
    for looked_up in (lazy_modules._folders, lazy_modules.has_part, lazy_modules.load_part):
        looked_up.cache_clear()
    plugins._loaded.clear()
