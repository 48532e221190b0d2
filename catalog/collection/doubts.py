"""Rows in doubt, many at a time: those that are meant by file, outcome and reason are listed, confirmed or dropped."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from catalog.collection.file_rows import kind_of, row_of, rows_of, take_back
from catalog.collection.import_report import ReportRow, kind_of_reason
from catalog.holding import NOWHERE
from catalog.store.collection_files import Doubt
from catalog.store.holdings import CollectionStore
from catalog.store.lookup import StoreLookup


@dataclass(frozen=True, slots=True)
class DoubtFilter:
    """Which rows in doubt are meant: those for which all that is said here is so."""

    file: str = ""
    """The name of a file that was imported."""
    outcome: str = ""
    """fuzzy or missed."""
    reason: str = ""
    """Words that the reason contains, or the kind of reason that a report counts."""

    def doubts(self, collection: CollectionStore) -> Iterator[Doubt]:
        """The rows that are meant, in the order in which they were imported."""
        words = self.reason.casefold()
        for doubt in collection.doubts(file_name=self.file, outcome=self.outcome):
            if words in doubt.reason.casefold() or words in kind_of_reason(doubt.reason).casefold():
                yield doubt


class Settled(NamedTuple):
    """What became of rows in doubt: how many were settled, copies that came or went, and how many rows were left."""

    rows: int
    added: int = 0
    removed: int = 0
    left: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of what `collection doubts --confirm` and `--dismiss` did."""
        return self._asdict()


def entries_in_doubt(collection: CollectionStore, wanted: DoubtFilter = DoubtFilter()) -> list[ReportRow]:
    """The rows in doubt that are meant as entries of a report."""
    return [
        ReportRow(doubt.line, doubt.raw, doubt.outcome, doubt.reason, doubt.card_id, tuple(doubt.candidates), doubt)
        for doubt in wanted.doubts(collection)
    ]


def confirm(collection: CollectionStore, wanted: DoubtFilter) -> Settled:
    """Takes rows for what they were taken for, as one change.

    A row that was missed becomes its candidate where it has a single one, and only where `wanted` asks for missed rows.
    """
    lookup = StoreLookup(collection.store)
    settled, added, left = 0, 0, 0
    with collection.change("confirm rows in doubt"):
        for doubt in wanted.doubts(collection):
            missed = doubt.outcome == "missed"
            chosen = doubt.candidates[0] if missed and len(doubt.candidates) == 1 else doubt.card_id
            card = None if chosen is None or (missed and wanted.outcome != "missed") else lookup.card(chosen)
            if card is None:
                left += 1
                continue
            written = row_of(doubt)
            rows = rows_of(written, card, NOWHERE)
            collection.rewrite_row(doubt.file_id, doubt.line, rows, decided=True)
            collection.settle(doubt)
            settled += 1
            for row in rows if missed else ():
                collection.add(card, row.copies, kind_of(row), written.rarity)
                added += row.copies
    return Settled(settled, added=added, left=left)


def dismiss(collection: CollectionStore, wanted: DoubtFilter) -> Settled:
    """Drops rows, as one change: what the fuzzy ones brought is taken out again."""
    settled, removed = 0, 0
    with collection.change("drop rows in doubt"):
        for doubt in wanted.doubts(collection):
            removed += take_back(collection, doubt)
            rows = rows_of(row_of(doubt), None, NOWHERE)
            collection.rewrite_row(doubt.file_id, doubt.line, rows, decided=True)
            collection.settle(doubt)
            settled += 1
    return Settled(settled, removed=removed)
