"""Plug-ins: they are listed without import, and a plug-in that cannot be loaded is reported once and skipped."""

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from helpers.plugins import installed, write_package
from inline_snapshot import snapshot

from ccgrid.catalog.plugins import PluginError, PluginWarning, find_plugins, load_plugin, load_plugins

GROUP = "ccgrid.tests"


def accept(name: str, loaded: Any) -> str:
    """Return a text with its name; raise ValueError unless both begin with the same letter."""
    if loaded[0] != name[0]:
        raise ValueError("another letter")
    return f"{name}={loaded}"


def skipped(folder: Path, reserved: tuple[str, ...] = ()) -> tuple[dict[str, str], list[str]]:
    """Load all plug-ins twice: return the objects, and the messages about those that are skipped."""
    with installed(folder), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        first = load_plugins(GROUP, accept, reserved)
        assert load_plugins(GROUP, accept, reserved) == first
    assert {one.category for one in caught} <= {PluginWarning}
    return first, [str(one.message) for one in caught]


def test_plugins_are_listed_by_name_without_being_imported(tmp_path: Path) -> None:
    declared = f"[{GROUP}]\nzinc = missing_module:thing\namber = other.module\n[other.group]\ncopper = nothing\n"
    write_package(tmp_path, "two-metals", declared, {})
    with installed(tmp_path):
        found = find_plugins(GROUP)
    assert list(found) == ["amber", "zinc"]
    assert found["zinc"] == (GROUP, "zinc", "missing_module:thing", "two-metals 1.0")
    assert find_plugins(GROUP) == {}


def test_plugin_is_loaded_once_as_module_or_attribute(tmp_path: Path) -> None:
    modules = {"metal_counted/__init__.py": "COUNT = []\n", "metal_counted/inner.py": "class Box:\n    text = 'iron'\n"}
    declared = f"[{GROUP}]\niron = metal_counted.inner:Box.text\nmodule = metal_counted.inner\n"
    write_package(tmp_path, "metals", declared, modules)
    calls = []
    with installed(tmp_path):
        found = find_plugins(GROUP)
        for _ in range(2):
            assert load_plugin(found["iron"], lambda name, loaded: calls.append(name) or accept(name, loaded)) == (
                "iron=iron"
            )
        assert load_plugin(found["module"], lambda name, loaded: loaded.__name__) == "metal_counted.inner"
    assert calls == ["iron"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "import no_such_module_at_all\n",
            snapshot("ModuleNotFoundError: No module named 'no_such_module_at_all' (/NAME.py, line 1)."),
        ),
        ("\nthing = 1 +\n", snapshot("SyntaxError: invalid syntax (/NAME.py, line 2).")),
        ("raise SystemExit(3)\n", snapshot("SystemExit: 3 (/NAME.py, line 1).")),
        ("def build():\n    raise KeyError\n\n\nbuild()\n", snapshot("KeyError (/NAME.py, line 2).")),
        ("other = 'x'\n", snapshot("AttributeError: module 'NAME' has no attribute 'thing'.")),
        ("thing = 'x'\n", snapshot("ValueError: another letter.")),
        ("thing = 1\n", snapshot("TypeError: 'int' object is not subscriptable.")),
    ],
    ids=["import", "syntax", "exit", "call", "attribute", "value", "type"],
)
def test_broken_plugin_is_named_once_and_skipped(
    tmp_path: Path, source: str, message: str, request: pytest.FixtureRequest
) -> None:
    name = f"metal_{request.node.callspec.id}"
    declared = f"[{GROUP}]\nbroken = {name}:thing\ngold = metal_gold:thing\n"
    write_package(tmp_path, "metals", declared, {f"{name}.py": source, "metal_gold.py": "thing = 'gold'\n"})
    cannot = f"The plug-in 'broken' ({GROUP}) of metals 1.0 cannot be loaded: "
    with installed(tmp_path), pytest.raises(PluginError) as failed:
        load_plugin(find_plugins(GROUP)["broken"], accept)
    reason = str(failed.value).removeprefix(cannot)
    assert reason.replace(str(tmp_path), "").replace(name, "NAME") == message
    assert skipped(tmp_path) == ({"gold": "gold=gold"}, [f"{cannot}{reason.removesuffix('.')}; it is skipped."])


def test_plugin_with_reserved_repeated_or_invalid_name_is_skipped(tmp_path: Path) -> None:
    for package, module in (("aa-metals", "metal_first"), ("bb-metals", "metal_second")):
        declared = f"[{GROUP}]\nlead = {module}:thing\n{module}-tin = no_module\n{module.title()} = no_module\n"
        write_package(tmp_path, package, declared, {f"{module}.py": f"thing = 'lead of {module}'\n"})
    objects, messages = skipped(tmp_path, reserved=("metal_first-tin", "metal_second-tin"))
    [kept] = objects.values()
    first, second = ("aa", "bb") if "first" in kept else ("bb", "aa")
    assert sorted(messages) == sorted(
        (
            f"The plug-in 'lead' ({GROUP}) of {second}-metals 1.0 is skipped: {first}-metals 1.0 has the same name.",
            f"The plug-in 'metal_first-tin' ({GROUP}) of aa-metals 1.0 is skipped: ccgrid has the same name.",
            f"The plug-in 'metal_second-tin' ({GROUP}) of bb-metals 1.0 is skipped: ccgrid has the same name.",
            f"The plug-in 'Metal_First' ({GROUP}) of aa-metals 1.0 is skipped: its name is not valid.",
            f"The plug-in 'Metal_Second' ({GROUP}) of bb-metals 1.0 is skipped: its name is not valid.",
        )
    )


def test_unreadable_package_metadata_disables_only_plugins(tmp_path: Path) -> None:
    write_package(tmp_path, "metals", f"[{GROUP}]\ngold = metal_gold:thing\n", {})
    write_package(tmp_path, "damaged", "", {})
    (tmp_path / "damaged-1.0.dist-info" / "entry_points.txt").write_bytes(b"[console_scripts]\na = \xff\n")
    objects, [message] = skipped(tmp_path)
    assert objects == {}
    assert message.startswith(f"The plug-ins of {GROUP} are skipped: UnicodeDecodeError: ")


def test_looking_for_plugins_without_any_does_not_import_metadata() -> None:
    script = (
        "import sys; from ccgrid.catalog.plugins import load_plugins; "
        "print(load_plugins('ccgrid.tests', None), 'importlib.metadata' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "{} False\n"
