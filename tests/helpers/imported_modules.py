"""The modules of the program and their imports, read from the source with `ast`."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ("catalog", "engine", "data")
PACKAGES = ("ccgrid", *BESIDE)
TEMPLATE = ROOT / "data" / "new_game"
"""The package that `ccgrid new-game` copies, which is not part of the program."""
MODULES = sorted(
    path.relative_to(ROOT)
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if not path.is_relative_to(TEMPLATE)
)


def name_of(path: Path) -> str:
    """Return a module's name by its path in the checkout: `engine.dice` for the module `ccgrid.engine.dice`."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path): path for path in MODULES}


STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def imported(path: Path, *, inside_functions: bool = False) -> Iterator[str]:
    """Yield every module that a file imports anywhere, or only in functions; `from a import b` counts as `a.b`.

    The packages next to `ccgrid` in the checkout are named without `ccgrid`, as by `name_of`.
    """

    def below(node: ast.AST, inside: bool) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if inside or not inside_functions:
                if isinstance(child, ast.Import):
                    yield from (_in_checkout(alias.name) for alias in child.names)
                elif isinstance(child, ast.ImportFrom):
                    assert child.level == 0, f"{path}:{child.lineno}: relative import"
                    yield from (_in_checkout(f"{child.module}.{alias.name}") for alias in child.names)
            if isinstance(child, STATEMENTS):  # Expressions contain no imports.
                yield from below(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    return below(tree_of(path), False)


def _in_checkout(name: str) -> str:
    package, _, rest = name.partition(".")
    assert package not in BESIDE, f"{name} is ccgrid.{name}: by another name every class in it is another class"
    return rest if package == "ccgrid" and rest.partition(".")[0] in BESIDE else name


def modules_imported(path: Path) -> Iterator[str]:
    """Yield every module of the program that a file imports."""
    for name in imported(path):
        module = name
        while module and module not in NAMES:
            module = module.rpartition(".")[0]
        if module and module != name_of(path):
            yield module


def starts(name: str, beginning: str) -> bool:
    return f"{name}.".startswith(f"{beginning}.")
