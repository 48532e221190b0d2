"""Add the pages next to `docs` and the program's design to the site: README is its first page, and links work."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
BESIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "data/NOTICE.md": "notice.md",
}


DESIGN = ROOT / "ccgrid" / "pages" / "assets" / "design.css"
_DARK = re.compile(r"@media[^{]*\{\s*:root[^{]*\{(.*?)\}\s*\}", re.DOTALL)


def _design() -> str:
    """Return the design, with the dark colours where the reader chooses the site's dark scheme."""
    return _DARK.sub(r'[data-md-color-scheme="slate"] {\1}', DESIGN.read_text("utf-8"))


def _linked(text: str) -> str:
    pages = "|".join(map(re.escape, BESIDE))
    text = re.sub(rf"\]\((?:\.\./)?({pages})", lambda at: f"]({BESIDE[at[1]]}", text)
    text = re.sub(r"\[(LICENSE)\]\(LICENSE\)", r"\1", text)
    return re.sub(r"(\]\(|src=\")docs/", r"\1", text)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are next to the folder, and the design."""
    files.append(File.generated(config, "design.css", content=_design()))
    for name, page in BESIDE.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Adapt links to those pages, and to the game that the site includes.

    The first page has room for its commands instead of a table of contents.
    """
    if page.is_homepage:
        page.meta["hide"] = ["toc"]
    above = "" if page.is_homepage else "../"
    return _linked(markdown.replace("https://ccgrid.github.io/ccgrid/play/", f"{above}play/"))
