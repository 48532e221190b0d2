"""Print the parts of the documentation that cog writes: help pages, sessions, rules, examples.

python -m cogapp -r -P README.md docs/*.md          # updates them
python -m cogapp --check -P README.md docs/*.md     # fails if they are out of date
"""

import ast
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


def commands() -> Iterator[tuple[str, Any]]:
    """Return every command with its words; a group comes before its commands."""
    from ccgrid.app import build
    from ccgrid.commands.lazy import LazyCommand

    def below(words: tuple[str, ...], command: Any) -> Iterator[tuple[str, Any]]:
        yield " ".join(words), command.loaded() if isinstance(command, LazyCommand) else command
        for name, inner in getattr(command, "commands", {}).items():
            yield from below((*words, name), inner)

    yield from below(("ccgrid",), build())


def print_help(words: str) -> None:
    """Print the help of a command for a terminal of 80 columns."""
    from ccgrid.app import run

    os.environ["COLUMNS"] = "80"
    print("```text")
    run([*(words.split()[1:] or ["--all"]), "--help"])
    print("```")


def print_commands() -> None:
    """Print every command with its help."""
    for words, _ in commands():
        print(f"\n## {words}\n")
        print_help(words)
    print()


def manual() -> str:
    """Return the manual page of the program: the help of every command, in the format of `man`."""

    def set_as_is(text: str) -> str:
        escaped = text.replace("\\", "\\e").replace("-", "\\-")
        return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.splitlines())

    parts = ['.TH CCGRID 1 "" "ccgrid" "User commands"', ".SH NAME", "ccgrid \\- a use for old trading cards"]
    for words, _ in commands():
        said = io.StringIO()
        with redirect_stdout(said):
            print_help(words)
        usage, _, rest = said.getvalue().removeprefix("```text\n").removesuffix("```\n").partition("\n\n")
        heading = ".SH SYNOPSIS" if words == "ccgrid" else f".SS {set_as_is(words)}"
        parts += [heading, ".nf", set_as_is(usage.removeprefix("Usage: ")), ".sp", set_as_is(rest), ".fi"]
        parts += [".SH COMMANDS"] if words == "ccgrid" else []
    return "\n".join(parts) + "\n"


def print_answers() -> None:
    """Print a table of the answers of each command with --json, and of their schemas."""
    from ccgrid.answers import ANSWERS

    print("\n| command | prints | schema |\n|---|---|---|")
    for words, answer in ANSWERS.items():
        file = f"schemas/{words.replace(' ', '-')}.json"
        print(f"| `{words}` | {'documents, one per line' if answer.lines else 'one document'} | [{file}]({file}) |")
    print()


def print_terms() -> None:
    """Print a table of the sources and the terms of use of their data."""
    from ccgrid.catalog.sources import SOURCES

    print("\n| source | from | terms |\n|---|---|---|")
    for source in SOURCES:
        terms = re.sub(r"(https://[^ ]+)", r"<\1>", source.terms) or "none are stated"
        print(f"| `{source.name}` | {source.keeper} | {terms} |")
    print()


def print_rules() -> None:
    """Print the rules of every bundled game."""
    from ccgrid.engine.games import GAMES, find_game

    for game in map(find_game, GAMES.bundled):
        print("\n" + re.sub(r"^#", "##", game.pictures.rules_page(), flags=re.MULTILINE))


def print_example(name: str) -> None:
    """Print a file of docs/examples."""
    language = {".jsonl": "json", ".sh": "shell", ".csv": "text"}.get(Path(name).suffix, "toml")
    print(f"```{language}")
    print((EXAMPLES / name).read_text(encoding="utf-8").rstrip())
    print("```")


def print_board(line: str) -> None:
    """Print the first board of a game that a command line starts, and the legal moves."""
    print("```text")
    with tempfile.TemporaryDirectory() as name:
        answer = _answer(line, ["quit"], Path(name))
    print(re.search(r"^┌.*?(?=\n\w+> )", answer, re.DOTALL | re.MULTILINE)[0])  # type: ignore[index]
    print("```")


def print_source(path: str, *names: str) -> None:
    """Print a source file, or only the named classes, functions and methods (`State.view`)."""
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = text.splitlines()
    found = {}
    for node in ast.parse(text).body:
        for inner, prefix in [
            (node, ""),
            *((child, f"{getattr(node, 'name', '')}.") for child in getattr(node, "body", ())),
        ]:
            if isinstance(inner, ast.ClassDef | ast.FunctionDef):
                first = min([inner.lineno, *(one.lineno for one in inner.decorator_list)])
                found[prefix + inner.name] = "\n".join(lines[first - 1 : inner.end_lineno])
    print("```python")
    print("\n\n".join(found[name] for name in names) if names else text.rstrip())
    print("```")


def print_session(*steps: tuple[str, Sequence[str]]) -> None:
    """Run commands in sequence in a folder with the examples; print them and their output.

    A step is a command line and the lines typed while it runs. For a game, the first move and the end are printed.
    """
    print("```text")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in EXAMPLES.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        for line, typed in steps:
            print(f"$ {line}")
            print(_shortened(_answer(line, typed, folder), typed).rstrip("\n"))
    print("```")


def _answer(line: str, typed: Sequence[str], folder: Path) -> str:
    """Return the output of a command, with the typed text after each prompt."""
    environment = {**os.environ, "CCGRID_DB": str(folder / "catalogue.db"), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *line.split()],
        cwd=folder,
        env=environment,
        input="\n".join(typed),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    lines = iter(typed)
    return re.sub(r"^(\w+> )", lambda prompt: f"{prompt[1]}{next(lines, '')}\n", done.stdout, flags=re.MULTILINE)


def _shortened(answer: str, typed: Sequence[str]) -> str:
    if not typed:
        return answer
    first, end = answer.index(f"> {typed[0]}\n"), answer.index("\nThe game is over")
    return f"{answer[: first + len(typed[0]) + 2]}\n\n[... they play on ...]\n{answer[end:]}"
