"""Makes a package of links in which everything is where an installation has it; checkers of types read that."""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TREE = ROOT / ".mypy_cache" / "tree"
BESIDE = ("catalog", "engine", "data")


def make_tree() -> Path:
    """Makes the tree anew and returns the folder that has `ccgrid` in it."""
    shutil.rmtree(TREE, ignore_errors=True)
    package = TREE / "ccgrid"
    package.mkdir(parents=True)
    for path in (*(ROOT / "ccgrid").iterdir(), *(ROOT / name for name in BESIDE)):
        (package / path.name).symlink_to(path)
    return TREE
