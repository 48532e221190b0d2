"""Puts the pages beside `docs` into the site: README is its first page, and links between them stay good."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File
from package_tree import make_tree

ROOT = Path(__file__).resolve().parents[1]
BESIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}


def _linked(text: str) -> str:
    text = re.sub(r"\]\((?:\.\./)?(README|CONTRIBUTING|CHANGELOG)\.md", lambda at: f"]({BESIDE[at[1] + '.md']}", text)
    text = re.sub(r"\[(LICENSE)\]\(LICENSE\)", r"\1", text)
    return re.sub(r"(\]\(|src=\")docs/", r"\1", text)


def on_config(config: Any) -> Any:
    """Makes the package as it is installed: the API is read there."""
    make_tree()
    return config


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages that lie beside the folder."""
    for name, page in BESIDE.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Leads links to those pages."""
    return _linked(markdown)
