"""What `ccgrid.catalog` shows: every name that it lists is there, documented, and loaded only when it is used."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from ccgrid import catalog


def test_every_name_that_is_shown_is_there() -> None:
    assert len(set(catalog.__all__)) == len(catalog.__all__)
    assert set(catalog.__all__) <= set(dir(catalog))
    for name in catalog.__all__:
        value = getattr(catalog, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_a_name_means_what_type_checkers_take_it_for() -> None:
    tree = ast.parse(Path(catalog.__file__).read_text(encoding="utf-8"))
    checked = {
        alias.asname or alias.name: (node.module, alias.name)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert checked.keys() == set(catalog.__all__)
    for name, (module, own) in checked.items():
        __import__(str(module))
        assert getattr(catalog, name) is getattr(sys.modules[str(module)], own), name


def test_any_other_name_is_missing_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        catalog.nothing  # noqa: B018


def test_nothing_is_loaded_before_it_is_used() -> None:
    asked = "sorted(name for name in sys.modules if name.startswith('ccgrid'))"
    program = f"import sys; from ccgrid import catalog; print({asked})"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "['ccgrid', 'ccgrid.catalog']"
