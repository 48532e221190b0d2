"""Sources and layouts from installed packages, written as docs/extending.md describes."""

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from helpers.plugins import installed, write_package

from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.layouts.layout_file import all_layouts, find_layout, layout_files
from ccgrid.catalog.plugins import PluginError
from ccgrid.catalog.sources import all_sources, find_source

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```(?:python|toml)\n# (?P<where>[\w./]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
GUIDE = {found["where"]: found["text"] for found in BLOCK.finditer((ROOT / "docs/extending.md").read_text("utf-8"))}
CARDS = "Amber Drake: 3 7\nno card at all\nCinder Cartographer: 10 4\n"


def install(folder: Path) -> None:
    """Install the package of the guide into a folder, with its metadata as pip writes them."""
    groups = re.findall(r'^\[project\.entry-points\."(.*)"\]\n(\w+) = "(.*)"$', GUIDE["pyproject.toml"], re.MULTILINE)
    entry_points = "".join(f"[{group}]\n{name} = {target}\n" for group, name, target in groups)
    modules = {
        "ccgrid_pips/__init__.py": GUIDE["ccgrid_pips/__init__.py"],
        "ccgrid_pips/reader.py": GUIDE["catalog/sources/pips.py"],
        "ccgrid_pips/pips.toml": GUIDE["data/layouts/pips.toml"],
    }
    write_package(folder, "ccgrid-pips", entry_points, modules)


def run_program(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CCGRID_DB": str(folder / "cards.db"), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "ccgrid", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, timeout=240, check=False
    )


def test_source_of_an_installed_package_is_listed_and_imported(tmp_path: Path) -> None:
    install(tmp_path)
    (tmp_path / "pips.txt").write_text(CARDS)
    done = run_program(tmp_path, "import", "pips", "pips.txt", "--json")
    assert (done.returncode, done.stderr) == (0, "Skipped line 2: it is not written as NAME: FIRST SECOND\n")
    summary = json.loads(done.stdout)
    assert (summary["read"], summary["added"], summary["skipped"]) == (3, 2, 1)
    listed = [json.loads(line) for line in run_program(tmp_path, "sources", "--json").stdout.splitlines()]
    [pips] = [source for source in listed if source["source"] == "pips"]
    assert (pips["title"], pips["cards"]) == ("Pips", 2)
    assert listed[-1]["source"] != "pips"  # The games with a LackeyCCG plugin follow.
    assert run_program(tmp_path, "layout", "check", "pips").returncode == 0
    assert run_program(tmp_path, "doctor").returncode == 0


def test_broken_source_is_named_in_one_line_and_skipped(tmp_path: Path) -> None:
    target = "broken_source:SOURCE"
    declared = f"[ccgrid.sources]\nbad = {target}\nmtg = {target}\n[ccgrid.layouts]\nbad = {target}\n"
    write_package(tmp_path, "broken", declared, {"broken_source.py": "1 / 0\n"})
    done = run_program(tmp_path, "sources", "--json")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 30
    where = f"{tmp_path / 'broken_source.py'}, line 1"
    reason = f"of broken 1.0 cannot be loaded: ZeroDivisionError: division by zero ({where}); it is skipped."
    assert sorted(done.stderr.splitlines()) == [
        f"Warning: The plug-in 'bad' (ccgrid.layouts) {reason}",
        f"Warning: The plug-in 'bad' (ccgrid.sources) {reason}",
        "Warning: The plug-in 'mtg' (ccgrid.sources) of broken 1.0 is skipped: ccgrid has the same name.",
    ]
    done = run_program(tmp_path, "import", "starter")
    assert (done.returncode, done.stderr) == (0, "")
    done = run_program(tmp_path, "import", "bad", "cards.csv")
    assert (done.returncode, "There is no source 'bad'." in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("source", "layout", "reason"),
    [
        ("SOURCE = 1", "1", "TypeError: it is not a Source, but of type int"),
        ("from ccgrid.catalog import Source\nSOURCE = Source('a', 'b', 'c', '')", "1", "with the name 'a'"),
    ],
)
def test_object_that_is_not_a_source_or_layout_is_skipped(
    tmp_path: Path, source: str, layout: str, reason: str
) -> None:
    name = f"odd_source_{len(source)}"
    declared = f"[ccgrid.sources]\nodd = {name}:SOURCE\n[ccgrid.layouts]\nodd = {name}:LAYOUT\n"
    write_package(tmp_path, "odd", declared, {f"{name}.py": f"{source}\nLAYOUT = {layout}\n"})
    with installed(tmp_path), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert "odd" not in {found.name for found in all_sources()}
        assert "odd" not in {found.game for found in all_layouts()[0]}
        assert "odd" in layout_files()
        with pytest.raises(PluginError, match="it is not a Layout, but of type int"):
            find_layout("odd")
    assert any(reason in str(one.message) for one in caught)
    with pytest.raises(NoSuchNameError):
        find_source("odd")


def test_own_and_shipped_layouts_precede_layout_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_LAYOUTS", str(tmp_path / "layouts"))
    install(tmp_path)
    with installed(tmp_path):
        assert find_layout("pips").name == "Pips"
        assert {"pips", "mtg"} <= {layout.game for layout in all_layouts()[0]}
        (tmp_path / "layouts").mkdir()
        own = GUIDE["data/layouts/pips.toml"].replace('"Pips"', '"My Pips"')
        (tmp_path / "layouts" / "pips.toml").write_text(own)
        assert find_layout("pips").name == "My Pips"
        assert [layout.name for layout in all_layouts()[0] if layout.game == "pips"] == ["My Pips"]


def test_source_whose_module_is_missing_is_reported(tmp_path: Path) -> None:
    made = "from ccgrid.catalog import Source\nSOURCE = Source('gone', 'Gone', 'x', '', 'gone_source.reader', 'mtg')\n"
    write_package(tmp_path, "gone", "[ccgrid.sources]\ngone = gone_source:SOURCE\n", {"gone_source.py": made})
    with installed(tmp_path), pytest.raises(CatalogError, match=r"The source 'gone' cannot be read: No module named"):
        find_source("gone").load()


def test_error_in_reader_of_a_package_names_the_package(tmp_path: Path) -> None:
    install(tmp_path)
    reader = tmp_path / "ccgrid_pips" / "reader.py"
    reader.write_text("READER = 1\n\n\ndef read_tree(tree, layout, remark):\n    return [] + tree.name\n")
    (tmp_path / "pips.txt").write_text(CARDS)
    done = run_program(tmp_path, "import", "pips", "pips.txt")
    first = done.stderr.splitlines()[0]
    assert first.startswith("Error in the plug-in 'pips' (ccgrid."), done
    assert f"({reader}, line 5): TypeError: " in first
    assert done.returncode == 3


@pytest.mark.slow
def test_commands_that_need_no_source_do_not_look_for_plugins(tmp_path: Path) -> None:
    install(tmp_path)
    run_program(tmp_path, "import", "starter")
    for arguments in (["search", "griffin"], ["collection", "list"], ["simulate", "grid", "--games", "1"]):
        script = (
            f"import sys; sys.argv[1:] = {arguments}; from ccgrid.start import main\n"
            "try: main()\nfinally: print('ccgrid_pips' in sys.modules, 'ccgrid.catalog.sources' in sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            env={**os.environ, "CCGRID_DB": str(tmp_path / "cards.db"), "PYTHONPATH": str(tmp_path)},
            check=False,
        )
        assert done.stdout.splitlines()[-1] == "False False", done
