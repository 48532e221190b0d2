"""JSON files and the results of reading them as sources."""

from collections.abc import Mapping
from pathlib import Path

from ccgrid.catalog.evidence import CardReading
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing, UnreadRow
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.sources.source import TreeModule
from helpers.small_sources import (
    NETRUNNER,
    NETRUNNER_PACKS,
    body,
)

PACKS = {"packs.json": NETRUNNER_PACKS, "pack/dusk.json": NETRUNNER}


class Read:
    """The result of reading data with a source: printings and readings by id, skipped rows, and warnings."""

    def __init__(self, source: str, path: Path) -> None:
        found = find_source(source)
        module, layout = found.load(), find_layout(str(found.layout))
        assert isinstance(module, TreeModule)
        self.remarks: list[str] = []
        with open_tree(path) as tree:
            rows = list(module.read_tree(tree, layout, self.remarks.append))
        self.unread = [row.why for row in rows if isinstance(row, UnreadRow)]
        self.cards = {row.id: row for row in rows if isinstance(row, Printing)}
        reader = layout.compiled()
        self.readings: dict[str, CardReading] = {name: reader.read(card.fields) for name, card in self.cards.items()}
        assert len(self.cards) + len(self.unread) == len(rows)

    def zones(self, name: str) -> dict[str, list[int]]:
        return self.readings[name].zones


def folder(path: Path, files: Mapping[str, object]) -> Path:
    for name, value in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(value if isinstance(value, bytes) else body(value))
    return path


def one_file(path: Path, value: object, name: str = "cards.json") -> Path:
    return folder(path, {name: value}) / name
