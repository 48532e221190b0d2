"""Commands that install an optional extra of this program."""

import sys
from pathlib import Path

from ccgrid.catalog.formatting import shell_word


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
