"""Makes a package of links in which everything is where an installation has it; checkers of types read that."""

import os
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TREE = ROOT / ".mypy_cache" / "tree"
BESIDE = ("catalog", "engine", "data")


def make_tree() -> Path:
    """Makes what the tree lacks and returns the folder that has `ccgrid` in it; others may read or make it too."""
    package = TREE / "ccgrid"
    package.mkdir(parents=True, exist_ok=True)
    wanted = {path.name: path for path in (*(ROOT / "ccgrid").iterdir(), *(ROOT / name for name in BESIDE))}
    for name, path in wanted.items():
        with suppress(FileExistsError):
            (package / name).symlink_to(os.path.relpath(path, package))
    for link in package.iterdir():
        if link.name not in wanted:
            link.unlink(missing_ok=True)
    return TREE
