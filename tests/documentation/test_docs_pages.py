"""The pages of the documentation: current, linked, complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ccgrid.engine.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEST_COMMAND = "pip install --quiet -e '.[test]' && pytest"


def test_what_cog_writes_is_current() -> None:
    pages = [str(page.relative_to(ROOT)) for page in PAGES]
    command = [sys.executable, "-m", "cogapp", "--check", "-P", *pages]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (
        f"{done.stdout}{done.stderr}\nWrite them anew: python -m cogapp -r -P README.md docs/*.md"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} points to {target}"


def test_the_documented_pages_exist_and_are_found_from_the_readme() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    names = {page.name for page in PAGES[1:]}
    assert {"catalogue.md", "commands.md", "numbers.md", "records.md", "rules.md"} <= names
    for name in names:
        assert f"(docs/{name})" in readme


def test_the_rules_are_written_once() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for game in GAMES:
        heading, body = game.pictures.rules_page().split("\n", 1)
        assert f"\n#{heading}\n" in page
        assert body.split("\n\n")[1].strip() in page


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    assert re.search(rf"^python3 -m venv .*{re.escape(TEST_COMMAND)}$", readme, re.MULTILINE)
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(TEST_COMMAND)}\b", run, re.MULTILINE)
    assert "\nscripts/check" in run


def test_the_readme_begins_with_a_command_that_installs_and_runs_the_demo() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    command = "python3 -m venv .venv && . .venv/bin/activate && pip install --quiet . && ccgrid demo"
    assert f"```sh\n{command}\n```" in readme
    assert readme.index(command) < readme.index(TEST_COMMAND) < readme.index("\n## ")
