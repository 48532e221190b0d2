"""Packaging: wheels, source archives and editable installs contain every file, and no module is loaded twice."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.plugin.interface import BuilderInterface
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from helpers.imported_modules import BESIDE, NAMES, TEMPLATE
from pathspec import GitIgnoreSpec

ROOT = Path(__file__).resolve().parents[1]
ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOP = ("ccgrid", "catalog", "engine", "data")


def files(builder: type[BuilderInterface], root: Path = ROOT) -> dict[str, str]:
    """Return the files of an archive: the path in the checkout -> the path in the archive."""
    found = builder(str(root)).recurse_included_files()
    return {Path(file.path).relative_to(root).as_posix(): Path(file.distribution_path).as_posix() for file in found}


def kept_files(top: str) -> set[str]:
    """Return the files below a folder of the checkout that git does not ignore."""
    ignored = GitIgnoreSpec.from_lines((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
    found = (path.relative_to(ROOT).as_posix() for path in (ROOT / top).rglob("*") if path.is_file())
    return {path for path in found if not ignored.match_file(path)}


def test_wheel_has_every_file_of_the_four_folders_once() -> None:
    here = {path for top in TOP for path in kept_files(top)}
    assert files(WheelBuilder) == {path: path if path.startswith("ccgrid/") else f"ccgrid/{path}" for path in here}


def copy_without_links(folder: Path) -> Path:
    """Copy the checkout as git does if it cannot create links: each is a text file with its target's name."""
    for name in (*TOP, "docs/man"):
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, folder / name)
    for name in BESIDE:
        link = folder / "ccgrid" / name
        link.unlink(missing_ok=True)
        link.write_text(f"../{name}")
    return folder


def test_links_are_relative() -> None:
    if not (ROOT / "ccgrid" / "engine").is_dir():
        pytest.skip("this copy of the project has no links")
    for name in BESIDE:
        assert (ROOT / "ccgrid" / name).readlink() == Path("..", name)


def test_wheel_of_a_checkout_without_links_is_the_same(tmp_path: Path) -> None:
    assert files(WheelBuilder, copy_without_links(tmp_path)) == files(WheelBuilder)


def test_editable_install_copies_no_module(tmp_path: Path) -> None:
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["editable"])
    with ZipFile(wheel) as archive:
        assert archive.read("_ccgrid.pth").decode() == str(ROOT)
        assert not [name for name in archive.namelist() if name.endswith(".py")]


@pytest.mark.parametrize("links", [True, False])
def test_every_module_is_imported_from_a_checkout_with_and_without_links(links: bool, tmp_path: Path) -> None:
    root = ROOT if links else copy_without_links(tmp_path)
    program = "import ccgrid.catalog.card, ccgrid.engine.dice, ccgrid.data; print(ccgrid.engine.dice.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-c", program], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).samefile(root / "engine" / "dice.py")


@pytest.mark.parametrize("name", ["catalog", "engine"])
def test_import_without_prefix_is_refused(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", f"import {name}"], cwd=ROOT, capture_output=True, text=True)
    assert f"Import this package as ccgrid.{name}." in done.stderr


def test_every_folder_with_a_module_is_a_package() -> None:
    modules = (path for top in TOP for path in (ROOT / top).rglob("*.py"))
    folders = {path.parent for path in modules if not path.is_relative_to(TEMPLATE)}
    assert all((folder / "__init__.py").exists() for folder in folders)


def test_no_module_is_loaded_under_two_names() -> None:
    names = [f"ccgrid.{name}" if name.partition(".")[0] in BESIDE else name for name in NAMES]
    program = f"""
import sys
from contextlib import suppress
from importlib import import_module
for name in {names}:
    with suppress(ImportError):  # An extra may not be installed.
        name.endswith("__main__") or import_module(name)
files = [module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None)]
ours = [file for file in files if file.startswith({tuple(f"{ROOT / top}{os.sep}" for top in TOP)})]
assert len(ours) == len(set(ours)) > 200
assert not sys.modules.keys() & {{"catalog", "engine", "data"}}
with suppress(ModuleNotFoundError):
    import ccgrid.ccgrid
    raise AssertionError("the package is in itself")
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_version_is_the_same_everywhere() -> None:
    version = ABOUT["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_actions_of_workflows_are_pinned_by_commit() -> None:
    workflows = "".join(path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").iterdir())
    actions = [action for action in re.findall(r"\buses: *(.*)", workflows) if not action.startswith("./")]
    assert actions
    assert [action for action in actions if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", action)] == []


def test_links_of_readme_work_on_a_package_index(tmp_path: Path) -> None:
    copy = tmp_path / "README.md"
    shutil.copy(ROOT / "README.md", copy)
    script = ROOT / "scripts" / "absolute_links"
    subprocess.run([sys.executable, script, copy, "https://github.com/ann/cards"], check=True)
    targets = re.findall(r"\]\(([^)]*)\)", copy.read_text(encoding="utf-8"))
    ours = [target for target in targets if "ann" in target]
    assert len(ours) > 30
    assert [target for target in targets if not target.startswith("https://")] == []
    assert "https://ann.github.io/cards/play/" in ours
    assert "https://github.com/ann/cards/blob/main/docs/install.md" in ours
    assert "https://github.com/ann/cards/raw/main/docs/pictures/card.svg" in ours


def test_source_archive_contains_files_of_tests() -> None:
    packed = files(SdistBuilder)
    assert {"README.md", "CONTRIBUTING.md", ".ci/run", ".github/workflows/check.yml", "mkdocs.yml"} <= set(packed)
    for top in (*TOP, "tests", "docs", "scripts"):
        assert kept_files(top) <= set(packed), top


def test_notice_names_every_game_of_the_bundled_cards() -> None:
    cards = (ROOT / "data" / "starter.jsonl").read_text(encoding="utf-8").splitlines()
    notice = (ROOT / "data" / "NOTICE.md").read_text(encoding="utf-8")
    games = {json.loads(card)["id"].partition(":")[0] for card in cards}
    assert {game for game in games if f"\n| `{game}` |" not in notice} == set()
    assert f"{len(cards):,} cards" in notice
