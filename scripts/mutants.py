"""Makes mutants of a module: its text with one small thing changed, each a mistake that a test should notice; pure."""

import ast
import contextlib
import copy
import difflib
from collections.abc import Iterator
from typing import Final, NamedTuple

_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_OPPOSITES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_CLEANING: Final = frozenset(("strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title"))
_COMPOUND: Final = (ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.NamedExpr)
ALTERED: Final = "XX"
"""What stands before a text that was altered."""


_Node = ast.expr | ast.stmt


class Mutant(NamedTuple):
    """One change: where and what it is, and the whole text of the module with it."""

    line: int
    change: str
    text: str
    lines: tuple[int, int]
    """First and last line of the statement that it is in; of one that holds others, up to the change."""
    in_function: bool
    """Whether the change is to what runs when a function is called, not to what runs when the module is imported."""

    def diff(self, original: str) -> str:
        """The lines that change, with one line around them."""
        before, after = original.splitlines(), self.text.splitlines()
        return "\n".join(list(difflib.unified_diff(before, after, n=1, lineterm=""))[2:])


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its text.

    Documentation, annotations, decorators, imports and what is for type checkers alone stay as they are.

    Raises:
        SyntaxError: the text is not a module.
    """
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for anchor, change, replacement, statement, in_function in _changes(ast.parse(source)):
        start = starts[anchor.lineno - 1] + anchor.col_offset
        end = starts[(anchor.end_lineno or 0) - 1] + (anchor.end_col_offset or 0)
        text = (data[:start] + replacement.encode() + data[end:]).decode()
        if text != source:
            whole = anchor if hasattr(statement, "body") else statement
            lines = (statement.lineno, whole.end_lineno or whole.lineno)
            found.append(Mutant(anchor.lineno, change, text, lines, in_function))
    return sorted(dict.fromkeys(found), key=lambda mutant: mutant.line)


def _changes(tree: ast.Module) -> Iterator[tuple[_Node, str, str, ast.stmt, bool]]:
    """What is replaced, how, by what, the statement it is in, and whether a function holds it."""

    def below(
        node: ast.AST, text: ast.JoinedStr | None, statement: ast.stmt, inside: bool
    ) -> Iterator[tuple[_Node, str, str, ast.stmt, bool]]:
        if isinstance(node, ast.JoinedStr):
            text = text or node
        if isinstance(node, ast.stmt):
            statement = node
        for old, change, new in _variants(node):
            # What stands in a formatted text has no place of its own in every Python: the whole text is replaced.
            anchor = text or old
            with contextlib.suppress(ValueError):  # a text that this Python cannot write on one line
                written = _written(new if anchor is old else _with(anchor, old, new))
                yield anchor, change, written, statement, inside
        function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in _children(node):
            # What a parameter is without an argument is computed where the function is made, not where it is called.
            runs_later = function and not isinstance(child, ast.arguments)
            yield from below(child, text, statement, inside or runs_later)

    for statement in _children(tree):
        if isinstance(statement, ast.stmt):
            yield from below(statement, None, statement, False)


def _written(node: ast.AST) -> str:
    text = ast.unparse(node)
    return f"({text})" if isinstance(node, _COMPOUND) else text


def _with(whole: ast.AST, old: ast.AST, new: ast.AST) -> ast.AST:
    """A copy of a tree with one of its nodes replaced."""
    return copy.deepcopy(whole, {id(old): new})


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What may be changed below a node."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return
    if isinstance(node, ast.JoinedStr):  # but its beginning, which is a change of its own
        yield from (part.value for part in node.values if isinstance(part, ast.FormattedValue))
        return
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "bases"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _for_readers(child):
                    yield child


def _for_readers(node: ast.AST) -> bool:
    """Whether a node is documentation, or for type checkers alone."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Subscript(value=ast.Name(id="Literal" | "Callable" | "Annotated")):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.Call(func=ast.Name(id="cast" | "TypeVar" | "NewType")):
            return True
    return False


def _replace(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of a node with other fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _variants(node: ast.AST) -> Iterator[tuple[_Node, str, ast.AST]]:
    """The small mistakes that could be made in one node, without what is below it: what is replaced, how, by what."""
    for test in _conditions(node):
        yield test, "swapped branches", ast.UnaryOp(ast.Not(), test)
    if isinstance(node, (ast.expr, ast.stmt)):
        for change, new in _slips(node):
            yield node, change, new


def _conditions(node: ast.AST) -> Iterator[ast.expr]:
    """The conditions directly in a node, but those of which a comparison or a sign makes the opposite."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.If):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = node.ifs
    for test in tests:
        if not isinstance(test, (ast.Compare, ast.UnaryOp)) or (isinstance(test, ast.Compare) and len(test.ops) > 1):
            yield test


def _slips(node: _Node) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(ops=[operator]):
            for other in _COMPARISONS[type(operator)]:
                yield "comparison", _replace(node, ops=[other()])
        case ast.BoolOp(op=operator):
            yield "boolean", _replace(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "sign", operand
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            if type(operator) in _ARITHMETIC:
                yield "arithmetic", _replace(node, op=_ARITHMETIC[type(operator)]())
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", ast.Constant(value + 1)
        case ast.Constant(value=str(value)):
            yield "text", ast.Constant(ALTERED + value)
        case ast.JoinedStr(values=values):
            yield "text", ast.JoinedStr([ast.Constant(ALTERED), *values])
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return value", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            yield "removed statement", ast.Pass()
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "swapped branches", ast.IfExp(test, orelse, body)
        case ast.Call(func=ast.Name(id=name)) if name in _OPPOSITES:
            yield "opposite call", _replace(node, func=ast.Name(_OPPOSITES[name]))
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[]) if name in _CLEANING:
            yield "removed call", value
    if isinstance(node, ast.Call) and any(word.arg == "key" for word in node.keywords):
        yield "removed key", _replace(node, keywords=[word for word in node.keywords if word.arg != "key"])
