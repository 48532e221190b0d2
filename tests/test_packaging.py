"""What is installed: every package of ours, and every file that is no Python in it."""

import json
import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETTINGS = ABOUT["tool"]["setuptools"]
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


def test_the_version_is_the_same_wherever_it_stands() -> None:
    version = ABOUT["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_the_tests_need_is_in_the_source_archive() -> None:
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").split()
    here = {path.name for path in ROOT.iterdir() if path.is_file() or (path / "__init__.py").exists()}
    assert {"tests", "docs", "scripts", ".ci", ".github"} <= set(manifest)
    assert {name for name in here if name.endswith((".md", ".cff", ".yaml"))} <= {*manifest, "README.md"}


def test_the_notice_names_every_game_of_the_bundled_cards() -> None:
    cards = (ROOT / "data" / "starter.jsonl").read_text(encoding="utf-8").splitlines()
    notice = (ROOT / "data" / "NOTICE.md").read_text(encoding="utf-8")
    games = {json.loads(card)["id"].partition(":")[0] for card in cards}
    assert {game for game in games if f"\n| `{game}` |" not in notice} == set()
    assert f"{len(cards):,} cards" in notice
