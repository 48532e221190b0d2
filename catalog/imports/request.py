"""What somebody asks to be imported."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catalog.sources import Source


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to import: a source, from a file or from the network, and what to do where cards would go."""

    source: "Source"
    path: Path | None = None
    url: str | None = None
    layout: Path | str | None = None
    """A layout file, or the name of a layout; None stands for the source's own."""
    bulk: str | None = None
    keep_missing: bool = False
    force: bool = False
    dry_run: bool = False
    """Only say what the import would do."""
