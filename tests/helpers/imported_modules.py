"""The modules of the program, and what each imports, read off the source with `ast`."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("ccgrid", "catalog", "engine", "data")
MODULES = sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    """The name of a module as it is imported."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path): path for path in MODULES}


STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def imported(path: Path, *, inside_functions: bool = False) -> Iterator[str]:
    """Every module that a file imports anywhere, or in functions alone; `from a import b` counts as `a.b`."""

    def below(node: ast.AST, inside: bool) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if inside or not inside_functions:
                if isinstance(child, ast.Import):
                    yield from (alias.name for alias in child.names)
                elif isinstance(child, ast.ImportFrom):
                    assert child.level == 0, f"{path}:{child.lineno}: relative import"
                    yield from (f"{child.module}.{alias.name}" for alias in child.names)
            if isinstance(child, STATEMENTS):  # no expression imports anything
                yield from below(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    return below(tree_of(path), False)


def modules_imported(path: Path) -> Iterator[str]:
    """Every module of ours that a file imports."""
    for name in imported(path):
        module = name
        while module and module not in NAMES:
            module = module.rpartition(".")[0]
        if module and module != name_of(path):
            yield module


def starts(name: str, beginning: str) -> bool:
    return f"{name}.".startswith(f"{beginning}.")
