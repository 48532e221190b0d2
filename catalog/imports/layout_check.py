"""Reads data by a layout without storing anything: what comes of them, for who writes the layout."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from catalog.layouts import described
from catalog.layouts.layout import Layout
from catalog.printing import Unread
from catalog.readers.archives import open_tree
from catalog.sources import lackey

MOST_ROWS: Final = 100_000
"""So many rows are read."""
_EXAMPLES: Final = 5


@dataclass(slots=True)
class LayoutReport:
    """What a layout makes of data: rows read and skipped, cards legal and barred, and the first of them."""

    read: int = 0
    skipped: int = 0
    legal: int = 0
    barred: Counter[str] = field(default_factory=Counter)
    zones: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    reasons: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of `layout check --json`."""
        return {
            **{name: getattr(self, name) for name in ("read", "skipped", "legal")},
            "barred": dict(self.barred.most_common()),
            "zones": dict(self.zones.most_common()),
            "examples": self.examples,
            "remarks": self.remarks,
        }


def try_layout(layout: Layout, data: Path) -> LayoutReport:
    """Reads a data file, or a folder of them, by a layout; raises CatalogError where it cannot be read."""
    trial, reader = LayoutReport(), layout.compiled()
    with open_tree(data) as tree:
        is_json = tree.matching("*.json", "*.jsonl", "*.ndjson", "*.json.gz", "*.jsonl.gz") and not lackey.is_plugin(
            tree
        )
        module = lackey if layout.lackey and not is_json else described
        for row in islice(module.read_tree(tree, layout, trial.remarks.append), MOST_ROWS):
            trial.read += 1
            if isinstance(row, Unread):
                trial.skipped += 1
                if len(trial.reasons) < _EXAMPLES:
                    trial.reasons.append((row.where, row.why))
                continue
            reading = reader.read(row.fields)
            trial.zones.update(reading.zones.keys())
            if reading.reason is None:
                trial.legal += 1
            else:
                trial.barred[reading.reason] += 1
            if reading.reason is None and len(trial.examples) < _EXAMPLES:
                trial.examples.append({"id": row.id, "name": row.name, "zones": reading.zones, "face": reading.face})
    return trial
