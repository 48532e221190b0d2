"""Trials of layouts: what a layout reads from data, without storing anything."""

from collections import Counter
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Final, cast

import msgspec

from ccgrid.catalog.file_kinds import DATA_FILES, FileKind, check_kind
from ccgrid.catalog.layouts import described
from ccgrid.catalog.layouts.described import JSON_PATTERNS
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import SkippedRows, UnreadRow
from ccgrid.catalog.readers.archives import Tree, open_tree
from ccgrid.catalog.readers.xml_elements import roots
from ccgrid.catalog.sources import cockatrice, lackey, octgn
from ccgrid.catalog.zones import Zone

MOST_ROWS: Final = 100_000
"""The most rows to read."""
_EXAMPLES: Final = 5


class ReadCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that was read: the numbers in each zone, and on its face."""

    id: str
    name: str
    zones: dict[Zone, list[int]]
    face: list[int]


class LayoutReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a layout reads from data: rows read and skipped, cards legal and barred by reason, and the first legal ones.

    Attributes:
        zones: the number of cards with a number in each zone.
    """

    read: int
    skipped: int
    legal: int
    barred: dict[str, int]
    zones: dict[Zone, int]
    examples: list[ReadCard]
    remarks: list[str]


def try_layout(layout: Layout, data: Path) -> tuple[LayoutReport, SkippedRows]:
    """Read a data file, or a folder of them, by a layout; store nothing.

    Raises:
        CatalogError: If the data cannot be read.
    """
    check_kind(data, DATA_FILES, FileKind.CARD_DATA.value)
    reasons, remarks, reader = SkippedRows(), list[str](), layout.compiled()
    read = skipped = legal = 0
    barred, zones, examples = Counter[str](), Counter[Zone](), list[ReadCard]()
    with open_tree(data) as tree:
        is_json = tree.matching(*JSON_PATTERNS) and not lackey.is_plugin(tree)
        is_lackey = layout.lackey and not is_json
        module = xml_source(tree) or (lackey if is_lackey else described)
        for row in islice(module.read_tree(tree, layout, remarks.append), MOST_ROWS):
            read += 1
            if isinstance(row, UnreadRow):
                skipped += 1
                reasons.note(row.where, row.why)
                continue
            reading = reader.read(row.fields)
            numbers = cast("dict[Zone, list[int]]", reading.zones)
            zones.update(numbers.keys())
            if reading.reason is not None:
                barred[reading.reason] += 1
                continue
            legal += 1
            if len(examples) < _EXAMPLES:
                examples.append(ReadCard(id=row.id, name=row.name, zones=numbers, face=reading.face))
    report = LayoutReport(
        read=read,
        skipped=skipped,
        legal=legal,
        barred=dict(barred.most_common()),
        zones=dict(zones.most_common()),
        examples=examples,
        remarks=remarks,
    )
    return report, reasons


def xml_source(tree: Tree) -> ModuleType | None:
    """Return the module that reads a data set in XML, or None if it is not XML or of an unknown kind."""
    kinds = set(roots(tree).values())
    return octgn if "set" in kinds else cockatrice if cockatrice.ROOT in kinds else None
