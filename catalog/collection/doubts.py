"""Rows in doubt, many at a time: those that are meant by file, outcome and reason are listed, confirmed or dropped."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TextIO, TypedDict

from ccgrid.catalog.collection.edit import check_many
from ccgrid.catalog.collection.file_rows import kind_of, row_of, rows_of, take_back
from ccgrid.catalog.collection.formats.apps import APPS
from ccgrid.catalog.collection.formats.details import SAYS, detail_cell
from ccgrid.catalog.collection.import_report import ReportRow, kind_of_reason
from ccgrid.catalog.csv_lines import csv_line
from ccgrid.catalog.holding import NOWHERE, details_of
from ccgrid.catalog.matching.spellings import Candidate
from ccgrid.catalog.store.collection_files import Doubt
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lookup import StoreLookup


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


class SettledDoubtsJson(TypedDict):
    """What became of rows in doubt: how many were settled, copies that came or went, and rows that were left."""

    rows: int
    added: int
    removed: int
    left: int


class SettledDoubts(NamedTuple):
    """What became of rows in doubt: how many were settled, copies that came or went, and why how many were left."""

    rows: int
    added: int = 0
    removed: int = 0
    left: Mapping[str, int] = MappingProxyType({})

    def to_dict(self) -> SettledDoubtsJson:
        """The documented shape of what `collection doubts --confirm` and `--dismiss` did."""
        return {"rows": self.rows, "added": self.added, "removed": self.removed, "left": sum(self.left.values())}


def entries_in_doubt(collection: CollectionStore, wanted: DoubtFilter = DoubtFilter()) -> list[ReportRow]:
    """The rows in doubt that are meant as entries of a report."""
    return [
        ReportRow(doubt.line, doubt.raw, doubt.outcome, doubt.reason, doubt.card_id, tuple(doubt.candidates), doubt)
        for doubt in wanted.doubts(collection)
    ]


def confirm(collection: CollectionStore, wanted: DoubtFilter, *, yes: bool = False) -> SettledDoubts:
    """Takes rows for what they were taken for, as one change; NotConfirmedError where they are many, without `yes`.

    A row that was missed becomes its candidate where it has a single one, and only where `wanted` asks for missed rows.
    """
    lookup = StoreLookup(collection.store)
    meant: list[tuple[Doubt, Candidate]] = []
    left: Counter[str] = Counter()
    for doubt in wanted.doubts(collection):
        chosen = list(doubt.candidates) if doubt.outcome == "missed" else [doubt.card_id]
        card = lookup.card(chosen[0]) if len(chosen) == 1 and chosen[0] else None
        if doubt.outcome == "missed" and wanted.outcome != "missed":
            left["missed: --outcome missed confirms those with a single candidate"] += 1
        elif card is None:
            several = (
                "several candidates" if len(chosen) > 1 else "a card that is gone" if any(chosen) else "no candidate"
            )
            left[f"with {several}: collection doubts -o FILE writes a table to correct"] += 1
        else:
            meant.append((doubt, card))
    check_many(len(meant), yes=yes, what="rows in doubt")
    added = 0
    with collection.change("confirm rows in doubt"):
        for doubt, card in meant:
            written = row_of(doubt)
            rows = rows_of(written, card, NOWHERE)
            collection.rewrite_row(doubt.file_id, doubt.line, rows, decided=True)
            collection.settle(doubt)
            for row in rows if doubt.outcome == "missed" else ():
                collection.add(card, row.copies, kind_of(row), written.rarity)
                added += row.copies
    return SettledDoubts(len(meant), added=added, left=left)


def dismiss(collection: CollectionStore, wanted: DoubtFilter, *, yes: bool = False) -> SettledDoubts:
    """Drops rows, as one change: what the fuzzy ones brought is removed again.

    Raises NotConfirmedError where they are many, without `yes`.
    """
    meant = list(wanted.doubts(collection))
    check_many(len(meant), yes=yes, what="rows in doubt")
    removed = 0
    with collection.change("drop rows in doubt"):
        for doubt in meant:
            removed += take_back(collection, doubt)
            rows = rows_of(row_of(doubt), None, NOWHERE)
            collection.rewrite_row(doubt.file_id, doubt.line, rows, decided=True)
            collection.settle(doubt)
    return SettledDoubts(len(meant), removed=removed)


_CSV: Final = next(app for app in APPS if app.name == "csv")
_TOLD: Final = ("Why", "Candidates", "Row in the file")


def write_corrections(
    file: TextIO, entries: Iterable[ReportRow], collection: CollectionStore, *, numbered: bool
) -> None:
    """Writes the fuzzy and missed rows as a table of ccgrid.

    Who leaves the id of a fuzzy row as it is confirms it; who puts one of the candidates into an empty one chooses it.
    Without `numbered` the rows settle nothing: they are those of an import that was only tried.
    """
    entries = list(entries)
    names = collection.card_names(card_id for entry in entries for card_id in entry.candidates)
    file.write(csv_line([*(heading for heading, _ in _CSV.columns), *_TOLD]))
    for entry in entries:
        if entry.doubt is None:
            continue
        row = row_of(entry.doubt)
        shown = "; ".join(f"{card_id} {names[card_id]}" for card_id in entry.candidates if card_id in names)
        for finish, copies in row.amounts:
            cells = {
                "copies": str(copies),
                "name": row.name,
                "set_code": row.set_code,
                "set_name": row.set_name,
                "number": row.number,
                "finish": finish,
                "condition": row.condition,
                "language": row.language,
                **row.place._asdict(),
                "card": entry.card or "",
                "doubt": str(entry.doubt.id) if numbered else "",
                "rarity": row.rarity,
                "note": row.note,
            }
            known = details_of(row.details)
            traded = min(known.for_trade, copies)
            for heading, field in _CSV.columns:
                if field in SAYS:
                    cells[field] = detail_cell(field, heading, known, traded, _CSV.dialect)
            told = (entry.reason, shown, entry.raw)
            file.write(csv_line([*(cells[field] for _, field in _CSV.columns), *told]))
    file.flush()  # a full disk is met here, while all can be taken back
