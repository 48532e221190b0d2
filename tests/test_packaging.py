"""What is installed: every package of ours, and every file that is no Python in it."""

import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
TOP = ("ccgrid", "catalog", "engine", "data")


def packages() -> set[str]:
    found = (path.parent for top in TOP for path in (ROOT / top).rglob("__init__.py"))
    return {".".join(folder.relative_to(ROOT).parts) for folder in found}


def test_every_package_is_installed_and_nothing_else() -> None:
    found = SETTINGS["packages"]["find"]
    everything = {".".join(path.parent.relative_to(ROOT).parts) for path in ROOT.rglob("__init__.py")}
    ours = {name for name in everything if any(fnmatch(name, pattern) for pattern in found["include"])}
    assert ours == packages()
    assert not found["namespaces"], "what has no __init__.py is no package: see below"


def test_every_folder_with_a_module_is_a_package() -> None:
    folders = {path.parent for top in TOP for path in (ROOT / top).rglob("*.py")}
    assert {".".join(folder.relative_to(ROOT).parts) for folder in folders} == packages()


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
