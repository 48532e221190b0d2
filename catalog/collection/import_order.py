"""What to import into the collection, and how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from catalog.collection.formats import Format
from catalog.holding import NOWHERE, Place


@dataclass(frozen=True, slots=True)
class CollectionImport:
    """What to import and how; what the file does not say of its cards is as `kind` says."""

    path: Path
    name: str
    format: Format | None = None
    columns: Mapping[str, str] | None = None
    games: Sequence[str] = ()
    place: Place = NOWHERE
    any_printing: bool = False
    again: bool = False
    replace: bool = False
    """Whether the file stands for the earlier one that it repeats, for what is in its box, or for all that one owns."""
    everything: bool = False
    """Whether it may stand for all that one owns; else it is refused where it would."""
    strict: bool = False
    """Whether one row that is not matched stops it all."""
    dry_run: bool = False
