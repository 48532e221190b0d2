"""What the tests of this folder share."""

import sys
from collections.abc import Callable
from types import ModuleType

import pytest
import typer
from acting import Run

from ccgrid import app as frame
from ccgrid.commands import CommandEntry


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a function as the command `ccgrid act`, and return the exit status."""

    def run_act(act: Callable[[], None]) -> int:
        module = ModuleType("ccgrid.commands.acting")
        module.app = typer.Typer()  # type: ignore[attr-defined]
        module.app.command("act")(act)
        monkeypatch.setitem(sys.modules, "ccgrid.commands.acting", module)
        monkeypatch.setattr(frame, "COMMANDS", (CommandEntry("act", "acting", "Act."),))
        return frame.run(["act"])

    return run_act
