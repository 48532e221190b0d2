"""Questions about names in records and decks that may mean several cards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ccgrid import services, terminal
from ccgrid.engine.errors import RecordError

if TYPE_CHECKING:
    from ccgrid.services.choices import Choices


@contextmanager
def asked_choices(*, as_json: bool, record: Path | None = None) -> "Iterator[Choices]":
    """Yield choices that ask about ambiguous names, and report them after the block.

    The command ends with a report if the record that the block reads is not valid.
    """
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    try:
        yield choices
    except RecordError as error:
        raise typer.Exit(terminal.checks.report_record_error(str(record), error)) from None
    terminal.choosing.show_choices(choices)
