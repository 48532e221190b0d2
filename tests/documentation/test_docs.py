"""The documentation: it covers every command and column, is current, and its examples run offline."""

import ast
import doctest
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.command_examples import with_fewer_games
from helpers.everyday import one_in
from helpers.used_folder import CAN_SCAN, in_copy, prepare

from ccgrid import catalog, engine
from ccgrid.engine.games import GAMES, find_game

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from documentation import commands, manual  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = dict(commands())
LEAVES = [words for words, command in COMMANDS.items() if not hasattr(command, "commands")]


def test_manual_page_has_help_of_every_command() -> None:
    page = (ROOT / "docs" / "man" / "ccgrid.1").read_text("utf-8")
    assert page == manual(), "run scripts/manpage"
    assert all(words in page.replace("\\-", "-") for words in LEAVES)


NO_JSON = {
    "ccgrid play": "is played at a keyboard; --record writes the game",
    "ccgrid table": "asks what lies on a table; --record writes the game",
    "ccgrid engine": "speaks a protocol of lines, in which positions are JSON",
    "ccgrid demo": "shows people around; each of its steps is a command that has it",
}
"""The commands without --json, and why."""


SERVES = {
    "ccgrid browse": "serves until it is stopped; tests/ccgrid/browsing/test_browse.py asks it over HTTP",
    "ccgrid serve": "serves until it is stopped; tests/ccgrid/web/test_web_server.py asks it over HTTP",
    "ccgrid workers": "plays until it is stopped; tests/engine/many/test_cluster.py",
}

NETWORK = {
    "ccgrid import mtg": "ccgrid import starter",
}
"""Examples that need the network or another game's cards, and their replacements."""


def example_of(shell: Shell, words: str) -> str:
    """Return the example of the command's help page as a single line."""
    page = shell.good(*words.split()[1:], "--help").out
    found = re.search(r"^ *Example: ((?:.*\\\n)*.+)$", page, re.MULTILINE)
    assert found, f"{words} has no example in its help"
    return " ".join(found[1].replace("\\\n", "").split())


@pytest.fixture(scope="module")
def used_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with typical files of a user."""
    folder = tmp_path_factory.mktemp("evenings")
    prepare(folder)
    return folder


@pytest.fixture
def used(used_folder: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 40))
    return in_copy(used_folder, shell, monkeypatch)


# --- help ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", COMMANDS)
def test_help_fits_80_and_60_columns_and_truncates_nothing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    for columns in (80, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = shell.good(*words.split()[1:], "--help").out.splitlines()
        assert max(map(len, lines)) <= columns
        assert not [line for line in lines[1:] if line.endswith(("...", "-")) and not line.endswith(" -")]


@pytest.mark.parametrize("game", GAMES.names)
def test_ending_file_in_rules_can_be_copied(
    used: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    page = used.good("rules", game).out
    file = tmp_path / "copied.toml"
    file.write_text(page.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    assert used.good("score", "--ending", file, "--json").json["players"] == ["Ann", "Bob"]


@pytest.mark.parametrize("words", one_in(4, LEAVES))
def test_example_in_help_of_every_command_runs(used: Shell, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    example = example_of(used, words)
    assert example.startswith(words)
    if words == "ccgrid scan" and not CAN_SCAN:
        pytest.skip("the extra 'scan' is not installed")
    if words in SERVES:
        return
    forget_written([example], used.folder)
    result = used(*shlex.split(with_fewer_games(NETWORK.get(example, example)))[1:])
    assert result.status == int(example in MISSES), result


MISSES = ("ccgrid collection import moxfield.csv --dry-run",)
"""Commands whose exit status reports a missed row, as the examples show."""


@pytest.mark.parametrize("words", LEAVES)
def test_every_command_has_json_option_or_a_stated_reason(words: str) -> None:
    """Check the option only; tests/ccgrid/test_answers.py checks the output."""
    has = any("--json" in getattr(parameter, "opts", ()) for parameter in COMMANDS[words].params)
    assert has != (words in NO_JSON), words


def test_json_page_lists_commands_without_json() -> None:
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    listed = re.search(r"Every command but (.+?) takes `--json`", page, re.DOTALL)
    assert listed
    assert {f"ccgrid {name}" for name in re.findall(r"`(\w+)`", listed[1])} == set(NO_JSON)


def forget_written(lines: Sequence[str], folder: Path) -> None:
    """Delete the examples that these commands write, as users do not have them before."""
    seen: set[str] = set()
    for line in lines:
        for written in re.findall(r" (?:-o|--records?) (\S+)", line):
            if written not in seen:
                (folder / written).unlink(missing_ok=True)
        seen.update(line.split())


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_is_documented(words: str) -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert f"\n## {words}\n\n```text\nUsage: {words} " in page


# --- pages --------------------------------------------------------------------------------------------------------


def test_every_column_of_the_cards_is_documented(used: Shell) -> None:
    import sqlite3

    page = (ROOT / "docs" / "catalogue.md").read_text(encoding="utf-8")
    with sqlite3.connect(used.database) as connection:
        columns = [column for _, column, *_ in connection.execute("PRAGMA table_info(cards)")]
    connection.close()
    assert len(columns) > 20
    for column in columns:
        assert re.search(rf"`[^`]*\b{column}\b[^`]*`", page), column


# --- examples -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "\n>>> " in page.read_text("utf-8")], ids=lambda page: page.name
)
def test_python_examples_run_in_sequence(page: Path) -> None:
    tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried.attempted > 30
    assert not tried.failed


def test_python_page_uses_only_the_public_interface() -> None:
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    tree = ast.parse("\n".join(re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", page, re.MULTILINE)))
    imported = {
        (getattr(node, "module", None), name.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
        if (getattr(node, "module", None) or name.name).partition(".")[0] == "ccgrid"
    }
    assert imported == {("ccgrid", "catalog"), ("ccgrid", "engine")}
    used = {
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    for package in (catalog, engine):
        name = package.__name__.rpartition(".")[2]
        asked = {attribute for owner, attribute in used if owner == name}
        assert asked
        assert asked <= set(package.__all__)


def mentioned() -> list[str]:
    """Return the commands in the sentences of help texts; `test_readme.py` runs those of pages."""
    found: list[str] = []
    for command in COMMANDS.values():
        helps = [command.help, command.epilog, *(getattr(parameter, "help", "") for parameter in command.params)]
        for text in filter(None, helps):
            found += re.findall(r"'(ccgrid [^']+)'", text)
            found += re.findall(r"(?<!Example): (ccgrid [\w -]+)", text)
    return sorted(set(found))


@pytest.mark.parametrize("line", mentioned())
def test_every_command_in_a_help_text_runs(used: Shell, line: str) -> None:
    values = {"GAME": "tactics", "CODE": used.good("code", "game.toml").out.strip()}
    used.good(*(values.get(word, word) for word in line.split()[1:]))


def test_example_records_are_valid_and_the_deck_is_legal(used: Shell) -> None:
    files = [path for path in Path().iterdir() if path.name in {"game.toml", "games.jsonl"}]
    assert len(files) == 2
    used.good("validate", *files)
    assert used.good("score", "game.toml", "--json").json["over"]
    assert used.good("score", "--piles", "piles.toml", "--json").json["scores"] == {"Ann": 10, "Bob": 2}
    assert used.good("deck", "check", "deck.toml", "--json").json["ok"]


# --- contents of the pages ----------------------------------------------------------------------------------------


TEST_COMMAND = "pip install --quiet -e '.[test]' && pytest"


def test_output_of_cog_in_pages_is_current() -> None:
    pages = [str(page.relative_to(ROOT)) for page in PAGES]
    command = [sys.executable, "-m", "cogapp", "--check", "-P", *pages]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nUpdate them: python -m cogapp -r -P README.md docs/*.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_have_targets(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} points to {target}"


def test_documented_pages_exist_and_readme_links_to_them() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    names = {page.name for page in PAGES[1:]}
    assert {"catalogue.md", "commands.md", "numbers.md", "records.md", "rules.md"} <= names
    for name in names:
        assert f"(docs/{name})" in readme


def test_rules_page_has_the_rules_that_the_program_prints() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for game in map(find_game, GAMES.bundled):
        heading, body = game.pictures.rules_page().split("\n", 1)
        assert f"\n#{heading}\n" in page
        assert body.split("\n\n")[1].strip() in page


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    assert re.search(rf"^python3 -m venv .*{re.escape(TEST_COMMAND)}$", readme, re.MULTILINE)
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    taken = re.search(r"^command=\$\((.+)\)$", run, re.MULTILINE)
    assert taken is not None
    command = subprocess.run(["sh", "-c", taken[1]], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"\n{command}" in readme
    assert command.endswith(f"{TEST_COMMAND}\n")
    assert re.search(r'\bHOME=\S+ .*\bsh -c "\$command"$', run, re.MULTILINE)
    assert re.search(r"^ *scripts/check --no-tests$", run, re.MULTILINE)


def test_readme_begins_with_command_that_installs_and_runs_demo() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    command = "python3 -m venv .venv && . .venv/bin/activate && pip install --quiet . && ccgrid demo"
    assert f"```sh\n{command}\n```" in readme
    assert readme.index(command) < readme.index("\n## ") < readme.index(TEST_COMMAND)


def test_placeholders_in_help_are_capitals() -> None:
    pages = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    usage = re.findall(r"^Usage: ccgrid (.*)$", pages, re.MULTILINE)
    assert len(usage) > 60
    assert [line for line in usage if re.search(r"[{}<>]", line)] == []
    options = re.findall(r"^  (?:-\w, )?--[\w-]+ (\S+)  ", pages, re.MULTILINE)
    assert len(options) > 200
    to_fill_in = re.compile(r"[A-Z01=,-]+(?:\.\.\.)?|\[\S+\]|[\w|]+\|\w+")  # Alternatives are placeholders, too.
    assert [word for word in options if not to_fill_in.fullmatch(word)] == []
