"""A file that was imported before, imported again: only the rows that were missed then are matched once more."""

from collections.abc import Sequence

from catalog.collection.file_rows import kind_of, row_of, rows_of
from catalog.collection.formats import games_of
from catalog.collection.import_order import CollectionImport
from catalog.collection.import_report import Report, ReportRow
from catalog.matching.resolver import Resolver
from catalog.store.collection_files import ImportedFile
from catalog.store.holdings import CollectionStore
from catalog.store.lookup import StoreLookup


def matcher_for(order: CollectionImport, lookup: StoreLookup, app: Sequence[str], *, any_printing: bool) -> Resolver:
    """What matches the rows of a file as an import was ordered; `app` are the games that the file's app is for."""
    return Resolver(lookup, games=order.games, app=app, any_printing=any_printing)


def look_again(order: CollectionImport, collection: CollectionStore, file: ImportedFile) -> Report:
    """The report on a file that was imported before; only the rows that were missed then are matched again."""
    summary = file.summary
    report = Report(order.name, summary["format"], known=file.imported, dry_run=order.dry_run, copies=summary["copies"])
    report.outcomes.update({**summary["matched"], "missed": summary["missed"], "skipped": summary["skipped"]})
    store, app = collection.store, games_of(report.format)
    matcher = matcher_for(order, StoreLookup(store), app, any_printing=order.any_printing)
    for doubt in collection.doubts(file.id):
        row = matcher.read(row_of(doubt))
        match = matcher.match(row) if doubt.outcome == "missed" else None
        row = row if match is None else match.finished(row)
        if match is None or match.card is None:
            told = (doubt.line, doubt.raw, doubt.outcome, doubt.reason, doubt.card_id, tuple(doubt.candidates), doubt)
            report.entries.append(ReportRow(*told))
            continue
        rows = rows_of(row, match.card, order.place)
        for one in rows:
            collection.add(match.card, one.copies, kind_of(one), row.rarity)
        collection.rewrite_row(file.id, row.line, rows, decided=False)
        report.outcomes["missed"] -= 1
        report.outcomes[match.how] += 1
        report.copies += row.copies
        report.added += row.copies
        report.settled += 1
        collection.settle(doubt)
        if match.how == "fuzzy":
            fuzzy = doubt._replace(
                outcome="fuzzy", reason=match.reason, card_id=match.card.id, candidates=list(match.candidates)
            )
            noted = fuzzy._replace(id=collection.add_doubt(fuzzy))
            entry = ReportRow(row.line, row.raw, "fuzzy", match.reason, match.card.id, match.candidates, noted)
            report.entries.append(entry)
    if report.settled:
        collection.close_file(file.id, report.format, report.counts())
    return report
