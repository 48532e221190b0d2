"""What holds for the whole catalogue: where files and tables are written, and which names it shows to programs."""

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

# --- Files are made, replaced, renamed and removed in one place ---------------------------------------------------


WRITERS = ("catalog/files.py", "catalog/temporary.py")
CHANGING = {
    *("unlink", "rmtree", "rmdir", "mkdir", "makedirs", "touch", "symlink_to", "hardlink_to", "link"),
    *("write_text", "write_bytes", "chmod", "mkdtemp", "mkstemp", "NamedTemporaryFile", "TemporaryDirectory"),
    *("copyfile", "copytree", "copy2", "renames", "extractall"),
}
BY_ONE_PATH = {"rename", "replace"}
"""Of a path they take one argument; `replace` of texts and dates, and `rename` of boxes, take others."""
NO_FILES = {
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
"""What is opened to be written elsewhere, all of it devices: a terminal, a help page, and the null device."""


def changes(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls that may change what lies on the disk."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        of = getattr(getattr(function, "value", None), "id", "")
        one = isinstance(function, ast.Attribute) and len(node.args) == 1 and not node.keywords
        of_os = of == "os" and name in ("open", "remove", "rename", "replace", "truncate")
        if name in CHANGING or (name in BY_ONE_PATH and one) or of_os or (name == "open" and writes(node)):
            yield node


def writes(node: ast.Call) -> bool:
    """Whether `open` of a path, or of a name, writes, by the mode that stands there."""
    place = 0 if isinstance(node.func, ast.Attribute) else 1
    modes = [word.value for word in node.keywords if word.arg == "mode"] + node.args[place : place + 1]
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
    assert found == NO_FILES


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
    assert writing == {"catalog/csv_lines.py", "catalog/readers/worksheets.py"}, "the second for our own reader alone"


# --- What `from ccgrid import catalog` shows --------------------------------------------------------------------------


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
