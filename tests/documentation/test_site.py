"""The documentation site: it builds without warnings, and a script draws its pictures."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HAS_TOOLS = all(find_spec(name) for name in ("mkdocs", "material", "mkdocstrings"))


@pytest.mark.skipif(not HAS_TOOLS, reason="the extra 'docs' is not installed")
def test_site_builds_without_warnings_and_has_every_page(tmp_path: Path) -> None:
    # Not `--quiet`: it hides the warnings that `--strict` counts.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=240)
    assert done.returncode == 0, done.stderr
    listed = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert (tmp_path / "site" / page.stem / "index.html").exists()
        assert f": {page.name}\n" in listed, f"{page.name} is in no part of the site"
    api = (tmp_path / "site" / "api" / "index.html").read_text("utf-8")
    assert "<blockquote>" not in api, "an example is shown as a quotation"
    assert "&gt;&gt;&gt; " in api


def test_every_picture_of_pages_exists_and_is_drawn_by_script() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    import pictures

    drawn = {f"{name}.svg" for name in pictures.PICTURES}
    of_phones = {"serve-scan.png", "serve-table.png"}  # A browser draws these.
    assert {path.name for path in (ROOT / "docs" / "pictures").iterdir()} == drawn | of_phones
    for name in drawn:
        assert "<svg" in (ROOT / "docs" / "pictures" / name).read_text("utf-8")
