"""Rules for the whole package `ccgrid.catalog`: modules that write files and tables, and its public names."""

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.imported_modules import MODULES, tree_of

from ccgrid import catalog

# --- Only two modules create, replace, rename and remove files --------------------------------------------------------


WRITERS = ("catalog/files.py", "catalog/temporary.py")
CHANGING_CALLS = {
    *("unlink", "rmtree", "rmdir", "mkdir", "makedirs", "touch", "symlink_to", "hardlink_to", "link"),
    *("write_text", "write_bytes", "chmod", "mkdtemp", "mkstemp", "NamedTemporaryFile", "TemporaryDirectory"),
    *("copyfile", "copytree", "copy2", "renames", "extractall"),
}
PATH_METHODS = {"rename", "replace"}
"""Methods of paths with one argument; `replace` of texts and dates, and `rename` of boxes, have more arguments."""
DEVICE_CALLS = {
    (
        "ccgrid/commands/lazy.py",
        """formatter.write_text("'ccgrid help COMMAND' explains one; 'ccgrid help --all' lists everything.")""",
    ),
    ("ccgrid/commands/paths.py", "os.open(path, _INSPECT)"),
    ("ccgrid/commands/paths.py", "os.open(_KEYBOARD, os.O_RDWR)"),
    ("ccgrid/view/streams.py", "os.open(os.devnull, os.O_RDWR)"),
    ("ccgrid/view/streams.py", "os.open(os.devnull, os.O_WRONLY)"),
    ("ccgrid/view/streams.py", "device.open('w', encoding='utf-8', errors='backslashreplace')"),
}
"""Calls in other modules that write to devices only: a terminal, a help page, and the null device."""


def changes(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that may change files."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        owner = getattr(getattr(function, "value", None), "id", "")
        has_one_argument = isinstance(function, ast.Attribute) and len(node.args) == 1 and not node.keywords
        is_in_os = owner == "os" and name in ("open", "remove", "rename", "replace", "truncate")
        is_of_path = name in PATH_METHODS and has_one_argument
        if name in CHANGING_CALLS or is_of_path or is_in_os or (name == "open" and writes(node)):
            yield node


def writes(node: ast.Call) -> bool:
    """Return whether a call of `open` or `Path.open` has a mode that writes."""
    index = 0 if isinstance(node.func, ast.Attribute) else 1
    modes = [word.value for word in node.keywords if word.arg == "mode"] + node.args[index : index + 1]
    return any(
        re.fullmatch(r"[rbt]*[wax+][rwaxbt+]*", mode.value) is not None
        for mode in modes
        if isinstance(mode, ast.Constant) and isinstance(mode.value, str)
    )


@pytest.mark.slow
def test_files_are_changed_only_by_the_file_modules() -> None:
    found = {
        (path.as_posix(), ast.unparse(node))
        for path in MODULES
        if path.as_posix() not in WRITERS
        for node in changes(tree_of(path))
    }
    assert found == DEVICE_CALLS


@pytest.mark.parametrize(
    "code",
    [
        *("path.unlink()", "shutil.rmtree(folder)", "os.remove(path)", "os.replace(a, b)", "path.rename(other)"),
        *("path.replace(other)", 'open(name, "w")', 'path.open("ab", buffering=0)', 'path.open(mode="r+b")'),
        *('path.open("x")', "path.write_text(text)", "path.mkdir()", "os.link(a, b)", "os.open(path, flags)"),
    ],
)
def test_calls_that_change_files_are_found(code: str) -> None:
    assert [ast.unparse(node) for node in changes(ast.parse(code))] == [ast.unparse(ast.parse(code))]


@pytest.mark.parametrize("code", ['path.open("rb")', "path.open()", 'text.replace("a", "b")', "boxes.rename(a, b, c)"])
def test_calls_that_change_no_files_are_not_found(code: str) -> None:
    assert not list(changes(ast.parse(code)))


def test_tables_are_written_only_where_cells_are_escaped() -> None:
    writing = {
        path.as_posix()
        for path in MODULES
        if "csv" in path.read_text(encoding="utf-8")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute)
        and node.attr in ("writer", "DictWriter")
        and ast.unparse(node.value) == "csv"
    }
    assert writing == {"catalog/csv_lines.py", "catalog/readers/worksheets.py"}, (
        "the second converts sheets for the reader of tables"
    )


# --- Public names of `ccgrid.catalog` ---------------------------------------------------------------------------------


def test_every_public_name_exists() -> None:
    assert len(set(catalog.__all__)) == len(catalog.__all__)
    assert set(catalog.__all__) <= set(dir(catalog))
    for name in catalog.__all__:
        value = getattr(catalog, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_public_names_match_type_checking_imports() -> None:
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


def test_other_names_raise_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        catalog.nothing  # noqa: B018


def test_modules_are_loaded_on_first_use() -> None:
    asked = "sorted(name for name in sys.modules if name.startswith('ccgrid'))"
    program = f"import sys; from ccgrid import catalog; print({asked})"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "['ccgrid', 'ccgrid.catalog']"
