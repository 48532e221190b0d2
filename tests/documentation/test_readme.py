"""All pages and the demo's closing hints, followed in a new home folder: the commands work as printed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.catalogues import SHELL_CHARACTERS, Shell, rows, write_rows
from helpers.command_examples import with_fewer_games
from helpers.everyday import slow_except

from ccgrid.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(
    r"[Ss]ave this as `([\w.]+)`.*?^```\w+\n(.*?)^```|^```sh\n(.*?)^```|`(ccgrid [^`]+)`", re.DOTALL | re.MULTILINE
)
"""A file to write, a block of commands, or a command in a sentence."""
PAGES = [
    page
    for page in ("README.md", *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md")))
    if STEP.search((ROOT / page).read_text(encoding="utf-8")) and page != "docs/commands.md"
]
SERVES = ("browse", "serve", "workers")
NAMES = {f"ccgrid {entry.words}" for entry in COMMANDS} - {"ccgrid demo"}
NOT_TYPED = {
    "ccgrid 1": "a line of the protocol",
    "ccgrid 2": "the same",
    "ccgrid --install-completion": "asks which shell it is; tests/ccgrid/commands/test_options_completion.py",
    "ccgrid play ladder": "a game that is installed first; tests/test_ladder.py",
    "ccgrid rules ladder": "the same",
}
"""Commands in sentences that are not run here, and why; others are names of commands, or have a word to fill in."""
SLOW = ("README.md", *(f"docs/{name}.md" for name in ("start-shell", "start-play", "solving", "many-games", "games")))
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST = "python3 -m venv .venv && . .venv/bin/activate && pip install --quiet . && ccgrid demo"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for a POSIX shell")


@pytest.fixture
def fresh(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell in an empty home folder, with the command on the path."""
    programs = shell.folder / "bin"
    programs.mkdir()
    program = programs / "ccgrid"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ccgrid "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    home = shell.folder / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    return shell


def typed(shell: Shell, lines: list[str]) -> str:
    """Run commands in sequence and return their output; each must end with the status in its comment, usually 0."""
    cards = write_rows(shell.folder / "cards.jsonl", rows(60))
    output = []
    for printed in lines:
        line, _, comment = printed.partition(" #")
        line = with_fewer_games(line.rstrip())
        # A file replaces the network, and a few games many.
        more = {"ccgrid import mtg": shlex.quote(str(cards)), "ccgrid learn grid --measure": "--games 2"}
        line = f"{line} {more.get(line, '')}".rstrip()
        if line.startswith("ccgrid ") and not SHELL_CHARACTERS.intersection(line):
            result = shell(*shlex.split(line)[1:], typed="1\n" * 90)
            status, out, err = result.status, result.out, result.err
        else:
            done = subprocess.run(
                ["sh", "-e", "-c", line], env=shell.environment(), capture_output=True, encoding="utf-8", timeout=240
            )
            status, out, err = done.returncode, done.stdout, done.stderr
        assert status == int(comment.startswith(" status 1")), f"{line}\n{err}"
        assert out or err or " -o " in line, line
        output.append(out)
    return "".join(output)


def test_commands_at_end_of_demo_work_as_printed(fresh: Shell) -> None:
    end = fresh.good("demo").out.partition("\nNow you:\n")[2]
    lines = [re.split(r"\s{2,}", line.strip())[0] for line in end.splitlines()]
    assert len(lines) > 5
    typed(fresh, lines)
    assert {"demo", "mine.toml"} <= {path.name for path in Path().iterdir()}


def test_commands_of_demo_work_in_folder_of_its_files(fresh: Shell) -> None:
    end = fresh.good("demo", "-o", "my games").out.partition("\nNow you:\n")[2]
    lines = [re.split(r"\s{2,}", line.strip())[0] for line in end.splitlines()]
    assert "Valid: my games/game.toml" in typed(fresh, [line for line in lines if "my games" in line])


@pytest.mark.parametrize("page", slow_except(PAGES, *[page for page in PAGES if page not in SLOW][::3]))
def test_commands_of_page_work_in_an_empty_folder(fresh: Shell, page: str) -> None:
    """Check that the page names or writes every file that its commands read; `# status 1` announces a failure."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, content, commands, in_sentence in STEP.findall(text):
        if name:
            Path(name).write_text(content, encoding="utf-8")
        typed(fresh, [line for line in commands.splitlines() if not line.startswith("python3 -m venv")])
        line = " ".join(in_sentence.split())
        has_gap = re.search(r"\b[A-Z]{3,}\b|…", re.sub(r'"[^"]*"', "", line))
        if line and not has_gap and line not in NAMES | NOT_TYPED.keys() and line.split()[1] not in SERVES:
            typed(fresh, [line])


def test_first_command_activates_environment_for_the_next(fresh: Shell) -> None:
    assert f"```sh\n{FIRST}\n```" in README
    # Use an existing environment: filling a new one needs the network.
    bin_folder = Path(".venv/bin")
    bin_folder.mkdir(parents=True)
    (bin_folder / "activate").write_text(f"PATH={shlex.quote(os.environ['PATH'])}; export PATH\n")
    line = FIRST.replace("python3 -m venv .venv", "true").replace("pip install --quiet .", "true")
    done = subprocess.run(
        ["sh", "-e", "-c", f"PATH=/usr/bin:/bin\n{line} >demo.txt\nccgrid sources"],
        env=fresh.environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "Magic: The Gathering" in done.stdout


def test_readme_is_short_and_says_how_to_reactivate() -> None:
    before = README.partition("\n## ")[0]
    assert "pipx install ." in before
    assert "uv tool install ." in before
    assert len(README.splitlines()) <= 150


@pytest.mark.slow
def test_decks_use_bundled_cards_without_catalogue(fresh: Shell) -> None:
    for name, more in (("drawn.toml", ()), ("found.toml", ("--lively",))):
        done = fresh.good("deck", "new", "--seed", "4", "-o", name, *more)
        assert done.err.count("using the bundled cards") == 1
        fresh.good("deck", "check", name)


def test_demo_overwrites_nothing_without_permission(fresh: Shell) -> None:
    fresh.good("demo", "-o", "kept")
    before = Path("kept/game.toml").read_bytes()
    fresh("demo", "-o", "kept", "--seed", "8").fails("exists already", "--force")
    assert Path("kept/game.toml").read_bytes() == before
    fresh.good("demo", "-o", "kept", "--seed", "8", "--force")
    assert Path("kept/game.toml").read_bytes() != before
    Path("kept/deck.toml").write_text("my notes\n", encoding="utf-8")
    fresh("demo", "-o", "kept", "--force").fails("deck.toml is not a deck")
