"""What is installed: every package of ours, and every file that is no Python in it."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
TOP = ("ccgrid", "catalog", "engine", "data")


def packages() -> set[str]:
    found = (path.parent for top in TOP for path in (ROOT / top).rglob("__init__.py"))
    return {".".join(folder.relative_to(ROOT).parts) for folder in found}


def test_every_package_is_installed() -> None:
    assert sorted(SETTINGS["packages"]) == sorted(packages())


def test_every_file_of_a_package_that_is_no_python_is_installed() -> None:
    patterns = SETTINGS["package-data"]
    for package in sorted(packages()):
        folder = ROOT / package.replace(".", "/")
        listed = {file for pattern in (*patterns.get(package, ()), *patterns["*"]) for file in folder.glob(pattern)}
        inner = [ROOT / other.replace(".", "/") for other in packages() if other.startswith(f"{package}.")]
        for path in folder.rglob("*"):
            own = path.is_file() and not any(path.is_relative_to(other) for other in inner)
            if own and path.suffix != ".py" and "__pycache__" not in path.parts:
                assert path in listed, path
