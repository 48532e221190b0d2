"""Tests that no module outside a game's folder names the game, and of the public names of `ccgrid.engine`."""

import ast
import doctest
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator

import pytest
from helpers.imported_modules import MODULES, ROOT

from ccgrid import engine
from ccgrid.engine.games import GAMES

OUTSIDE = [path for path in MODULES if not path.as_posix().startswith("engine/games/") and path.parts[0] != "data"]

NAMED = re.compile("|".join(GAMES.names))
MAY_NAME = re.compile("|".join(f"(?<!cc){name}" for name in GAMES.names), re.IGNORECASE)
"""Most modules contain a game's name only in the name of the program."""
WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

NO_OTHER_WORD = [name for name in GAMES.names if name not in ("grid", "matrix")]
"""The words grid and matrix also have other meanings, so that they are not searched for in text."""


OTHERS = {"GridRow"}
"""Identifiers that begin with a game's name but do not mean the game."""


def names_in(text: str) -> Iterator[str]:
    """Yield the texts in a module's source that name a game: literals, modules and identifiers."""
    if not MAY_NAME.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            in_words = [word for name in NO_OTHER_WORD for word in re.findall(rf"\b{name}\b", node.value)]
            in_commands = re.findall(rf"\bccgrid \w+ (?:\w+ )?(?:{NAMED.pattern})\b", node.value)
            in_words += re.findall(rf"\b(?:{NAMED.pattern}) game\b", node.value)
            in_paths = re.findall(rf"\bgames[./](?:{NAMED.pattern})\b", node.value)
            yield from [node.value] if node.value in GAMES.names else [*in_words, *in_commands, *in_paths]
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (name for name in GAMES.names if name in node.module.split("."))
            yield from (alias.name for alias in node.names if alias.name in GAMES.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if set(alias.name.split(".")) & set(GAMES.names))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        words = WORDS.findall(token.string) if token.type == tokenize.NAME else []
        if token.type == tokenize.NAME and words and words[0].lower() in GAMES.names and len(words) > 1:
            is_named = token.string[0].isupper() or words[0] in NO_OTHER_WORD
            yield from [token.string] if is_named and token.string not in OTHERS else []
        if token.type == tokenize.COMMENT:
            yield from (name for name in NO_OTHER_WORD if name in token.string)


def test_no_game_is_named_outside_its_folder() -> None:
    found = [f"{path}: {name}" for path in OUTSIDE for name in names_in((ROOT / path).read_text(encoding="utf-8"))]
    assert not found


def test_naming_a_game_is_detected() -> None:
    wrong = (
        'x = "grid"',
        'x = "of tactics alone"',
        "from ccgrid.engine.games.matrix.rules import COPIES",
        "import ccgrid.engine.games.ninecard",
        "GridSetup = 1",
        "tactics_games = 3",
        '"""Example: ccgrid play tactics."""',
        '"""A deck of the grid game."""',
        '"""Example: ccgrid deck new grid -o deck.toml."""',
        'import_module("ccgrid.engine.games.grid.rules")',
        "x = 1  # as in ninecard",
    )
    assert [text for text in wrong if not list(names_in(text))] == []
    right = (
        'x = "a 3x3 grid"',
        "grid = Table.grid()",
        "class TextGrid: ...",
        '"""A matrix of numbers."""',
        "grid_row = 1",
    )
    assert [text for text in right if list(names_in(text))] == []


# --- The public names of `ccgrid.engine` ------------------------------------------------------------------------------


def test_public_names_match_all():
    assert dir(engine) == sorted(engine.__all__)
    assert set(engine.__all__) == set(engine._LOCATIONS)
    for name in engine.__all__:
        assert getattr(engine, name) is not None


def test_docstring_example_runs():
    assert doctest.testmod(engine).failed == 0
    assert doctest.testmod(engine).attempted == 5


def test_unknown_attribute_is_an_error():
    with pytest.raises(AttributeError, match=r"^module 'ccgrid.engine' has no attribute 'Chess'$"):
        engine.Chess  # noqa: B018  the access raises


def test_import_loads_no_game():
    loaded = "any(name.startswith('ccgrid.engine.') for name in sys.modules)"
    code = f"import sys; from ccgrid import engine; sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
