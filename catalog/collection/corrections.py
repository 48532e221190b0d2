"""Rows in doubt as a table that a person corrects and imports again; each row says which doubt it settles."""

from collections.abc import Iterable
from typing import Final, TextIO

from catalog.collection.file_rows import row_of
from catalog.collection.formats.apps import APPS
from catalog.collection.import_report import ReportRow
from catalog.csv_lines import csv_line
from catalog.store.holdings import CollectionStore

_COLUMNS: Final = next(app.columns for app in APPS if app.name == "csv")
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
    file.write(csv_line([*(heading for heading, _ in _COLUMNS), *_TOLD]))
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
            told = (entry.reason, shown, entry.raw)
            file.write(csv_line([*(cells[field] for _, field in _COLUMNS), *told]))
    file.flush()  # a full disk is met here, while all can be taken back
