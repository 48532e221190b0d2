"""The four games as they are played at the keyboard."""

from collections.abc import Callable

import pytest

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of

from helpers.terminals import Terminal

SHORT = ("--option", "life=6", "--option", "limit=12")
"""With these options a game of ninecard is soon over."""
GAMES = {"grid": (), "ninecard": SHORT, "tactics": (), "matrix": ()}
PROMPT = r"\n(?:\x1b\[\?2004h)?([\w ]+)> "
Sit = Callable[..., Terminal]
