"""Notes which test runs which statement of a module, in threads, forked children and new processes alike.

The module is written with a call of `mark` before each statement of its functions. As a plugin of pytest, this module
says which test is running. The marks are bytes of a file that all processes share: a row a line, a column a test.
"""

import ast
import json
import mmap
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

FOLDER: Final = "CCGRID_MARKS"
"""The environment variable that names the folder of the marks."""
TEST: Final = "CCGRID_MARKED_TEST"
"""The environment variable that tells new processes the column of the test that started them."""
WIDTH: Final = 1 << 16
"""Tests and fixtures at most. The file has holes where nothing is marked."""


def _marks() -> mmap.mmap | None:
    if FOLDER not in os.environ:
        return None
    with (Path(os.environ[FOLDER]) / "marks").open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)


_shared: Final = _marks()
_column = int(os.environ.get(TEST, "0"))
_columns: dict[str, int] = {}


def mark(row: int) -> None:
    """Notes that the running test runs the statement at this row."""
    if _shared is not None:
        _shared[row * WIDTH + _column] = 1


def marking(source: str, first: int) -> str:
    """A module's text that marks each statement of its functions: the row is `first` and the number of its line."""
    tree = ast.parse(source)
    _add_marks(tree, first, inside=False)
    prologue = [node for node in tree.body if _is_text(node) or _is_future(node)]
    tree.body[len(prologue) : len(prologue)] = ast.parse("from mutation_marks import mark as _mark_").body
    return ast.unparse(ast.fix_missing_locations(tree))


def _add_marks(node: ast.AST, first: int, inside: bool) -> None:
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        children = getattr(node, field, None)
        if not isinstance(children, list):
            continue
        marked: list[ast.AST] = []
        for child in children:
            if inside and isinstance(child, ast.stmt) and not _is_text(child):
                marked += ast.parse(f"_mark_({first + child.lineno})").body
            marked.append(child)
            _add_marks(child, first, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))
        setattr(node, field, marked)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_future(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def prepare(folder: Path, lines: int) -> None:
    """Makes an empty file of marks for so many lines."""
    with (folder / "marks").open("wb") as file:
        file.truncate((lines + 1) * WIDTH)


def marked_tests(folder: Path, first: int, lines: int) -> dict[int, set[str]]:
    """Which tests ran which line of the module that begins after row `first`; a broad fixture stands for its tests."""
    tests: list[tuple[str, Sequence[str]]] = json.loads((folder / "tests").read_text(encoding="utf-8"))
    columns = _numbered(tests)
    users: dict[int, set[str]] = {}
    for test, fixtures in tests:
        for name in (test, *fixtures):
            users.setdefault(columns[name], set()).add(test)
    found = {}
    with (folder / "marks").open("rb") as file:
        for line in range(1, lines + 1):
            file.seek((first + line) * WIDTH)
            row = file.read(WIDTH)
            found[line] = {test for column in _marked(row) for test in users.get(column, ())}
    return {line: found[line] for line in found if found[line]}


def _marked(row: bytes) -> Iterator[int]:
    column = row.find(1)
    while column >= 0:
        yield column
        column = row.find(1, column + 1)


def _numbered(tests: Sequence[tuple[str, Sequence[str]]]) -> Mapping[str, int]:
    """The column of every test and of every fixture; column 0 is for what no test runs."""
    fixtures = {name for _, names in tests for name in names}
    names = [*(test for test, _ in tests), *sorted(fixtures)]
    if len(names) >= WIDTH:
        raise ValueError(f"{len(names)} tests and fixtures are more than {WIDTH - 1}")
    return {name: column for column, name in enumerate(names, 1)}


def _enter(column: int) -> None:
    global _column
    _column = column
    os.environ[TEST] = str(column)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Numbers the tests, alike in each process that runs some of them."""
    if FOLDER in os.environ and session.items:
        tests = [(item.nodeid, [*getattr(item, "fixturenames", ())]) for item in session.items]
        _columns.update(_numbered(tests))
        written = Path(os.environ[FOLDER]) / f"tests.{os.getpid()}"
        written.write_text(json.dumps(tests), encoding="utf-8")
        written.replace(written.with_suffix(""))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _enter(_columns.get(item.nodeid, 0))
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(fixturedef: Any) -> Iterator[None]:
    """What is prepared for many tests is run by all of them."""
    before = _column
    if fixturedef.scope != "function":
        _enter(_columns.get(fixturedef.argname, 0))
    try:
        return (yield)
    finally:
        _enter(before)
