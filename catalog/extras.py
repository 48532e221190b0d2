"""Optional extras of this program: whether they are installed, and how to install them."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import MissingExtraError
from ccgrid.catalog.formatting import shell_word

EXTRAS: Final = {
    "browse": ("datasette",),
    "cluster": ("distributed",),
    "hjson": ("hjson",),
    "parquet": ("duckdb",),
    "pdf": ("weasyprint",),
    "scan": ("cv2", "onnxruntime", "rapidocr"),
    "spreadsheet": ("python_calamine",),
    "web": ("starlette", "uvicorn", "jinja2", "segno"),
}
"""The modules of each extra without which it does not work; `can_compile` tells whether the extra `fast` works."""


def is_installed(extra: str) -> bool:
    """Return whether an extra is installed."""
    return all(find_spec(name) is not None for name in EXTRAS[extra])


def check_installed(extra: str, what: str, otherwise: str = "") -> None:
    """Raise MissingExtraError if the extra that `what` needs is not installed; `otherwise` names another way."""
    if not is_installed(extra):
        command = install_command(extra)
        raise MissingExtraError(f"{what} needs an extra. Install it: {command}{otherwise}", extra=extra)


def install_command(extra: str) -> str:
    """Return the command that installs an extra, from the place from which the program was installed (PEP 610)."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        noted = json.loads(distribution("ccgrid").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        noted = {}
    place = unquote(urlsplit(noted.get("url", "")).path)
    place = place.removeprefix("/") if sys.platform == "win32" else place
    wanted = f"ccgrid[{extra}]"
    if place and Path(place).exists():  # else the program was built elsewhere, such as a zipapp
        wanted = f"{place}[{extra}]"
    if "pipx" in (home := Path(sys.prefix).parts):
        return f"pipx install --force {shell_word(wanted)}"
    if {"uv", "tools"} <= set(home):
        return f"uv tool install {shell_word(wanted)}"
    return f"pip install {'-e ' if noted.get('dir_info', {}).get('editable') else ''}{shell_word(wanted)}"
