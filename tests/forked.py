"""The program in a process that is forked from the tests, and so need not load what they have loaded already."""

import atexit
import os
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest

from ccgrid.start import main


def at_terminal(
    words: Sequence[str | Path],
    environment: Mapping[str, str],
    *,
    folder: Path | None = None,
    columns: int = 80,
    lines: int = 24,
) -> Any:
    """The command with these words at a real terminal, in a process of its own."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of
    child = pexpect.spawn(
        *(sys.executable, ["-m", "ccgrid", *map(str, words)], 120),  # seconds for an answer: the machine may be busy
        cwd=folder,
        env=dict(environment),
        dimensions=(lines, columns),
        encoding="utf-8",
        preexec_fn=_instead(words, environment),
    )
    child.delaybeforesend = None  # who waits for a prompt need not wait again
    return child


def _instead(words: Sequence[str | Path], environment: Mapping[str, str]) -> Callable[[], None] | None:
    """What the new process does in place of starting Python, unless something here knows of another terminal."""
    return None if "readline" in sys.modules else partial(_carry_out, [str(word) for word in words], environment)


def _carry_out(words: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    os.closerange(3, 256)  # with these goes what tells the tests that the process has begun
    status = 1
    try:
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["ccgrid", *words]
        sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = sys.__stderr__ = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
        atexit._clear()
        warnings.simplefilter("ignore")
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)
