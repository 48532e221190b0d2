"""Brings files of other apps into the collection: every row is matched and counted, and told of where in doubt."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from catalog.card import CatalogError
from catalog.collection.formats import Format, open_rows
from catalog.collection.formats.row import Skipped
from catalog.collection.import_report import Report, ReportRow
from catalog.holding import NOWHERE, Place
from catalog.matching.lookup import MatchResult
from catalog.matching.matcher import Matcher
from catalog.matching.row import Row
from catalog.store.holdings import CollectionStore, CopyKey, Doubt
from catalog.store.lookup import StoreLookup

LARGEST_FILE: Final = 1 << 30
"""How large a collection file may be, in bytes."""
_CHUNK: Final = 1 << 20


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
    strict: bool = False
    """Whether one row that is not matched stops it all."""
    dry_run: bool = False


def run(order: CollectionImport, collection: CollectionStore, remark: Callable[[str], None]) -> Report:
    """Imports a file and reports on every row that was not matched for certain, all or nothing.

    Raises CatalogError, and changes nothing, where the file cannot be read, has no rows, or none that is a card of the
    catalogue; and for a `strict` order where one of them is not.
    """
    sha256 = _sha256(order.path, order.name)
    with collection.change(f"import {order.name}", dry_run=order.dry_run):
        known = None if order.again else collection.file(sha256)
        if known is not None:
            return _look_again(order, collection, *known)
        job = _Import(order, collection, sha256)
        job.carry_out(remark)
    return job.report


class _Import:
    """The import of one file."""

    def __init__(self, order: CollectionImport, collection: CollectionStore, sha256: str) -> None:
        self.order, self.collection = order, collection
        self.report = Report(order.name, dry_run=order.dry_run)
        self.matcher = _matcher(order, collection)
        self.file_id = collection.add_file(order.name, sha256)

    def carry_out(self, remark: Callable[[str], None]) -> None:
        """Reads the file row by row, and adds what is matched."""
        order, report = self.order, self.report
        reading = open_rows(order.path, order.name, order.format, order.columns, remark)
        report.format, report.title, report.written = reading.format.name, reading.format.title, reading.written
        report.unused = reading.unused
        for row in reading.rows:
            entry = self._skipped(row) if isinstance(row, Skipped) else self._matched(row)
            if entry is None:
                continue
            if order.strict and entry.outcome != "fuzzy":
                raise CatalogError(
                    f"{order.name}, line {entry.line}: {entry.reason}: {entry.raw[:200]!r}. Nothing is changed."
                )
            report.entries.append(entry)
        self._check()
        self.collection.close_file(self.file_id, report.format, report.counts())

    def _check(self) -> None:
        report, name = self.report, self.order.name
        if not report.rows:
            raise CatalogError(f"{name}: there are no rows in it, read as {report.title} ({report.written}).")
        if not report.matched and not report.settled:
            first = report.entries[0]
            raise CatalogError(
                f"{name}: none of its {report.rows} rows, read as {report.title}, is a card of the catalogue;"
                f" nothing is changed.\nLine {first.line}: {first.reason}. Are the cards of its game imported?"
            )

    def _skipped(self, row: Skipped) -> ReportRow:
        self.report.outcomes["skipped"] += 1
        return ReportRow(row.line, row.raw, "skipped", row.reason)

    def _matched(self, row: Row) -> ReportRow | None:
        earlier = None
        if row.doubt is not None:
            earlier = next(self.collection.doubts(number=row.doubt), None)
            if earlier is None:
                return self._skipped(Skipped(row.line, row.raw, "the row that it settles is settled already"))
        match = self.matcher.match(row)
        row = match.finished(row)
        self.report.outcomes[match.how] += 1
        if match.card is None:
            return self._in_doubt(row, match) if earlier is None else _entry(row, match)
        if earlier is not None:
            _take_back(self.collection, earlier)
            self.collection.settle(earlier)
            self.report.settled += 1
        self.report.copies += row.copies
        self.report.unsure += bool(match.others)
        self.report.added += _add(self.collection, row, match, self.order.place)
        return self._in_doubt(row, match) if match.how == "fuzzy" else None

    def _in_doubt(self, row: Row, match: MatchResult) -> ReportRow:
        entry = _entry(row, match)
        doubt = Doubt(
            0,
            self.file_id,
            row.line,
            match.how,
            match.reason,
            entry.raw,
            _written(row, self.order),
            entry.card,
            list(match.candidates),
        )
        return entry._replace(doubt=doubt._replace(id=self.collection.add_doubt(doubt)))


def _matcher(order: CollectionImport, collection: CollectionStore) -> Matcher:
    return Matcher(StoreLookup(collection.store), games=order.games, any_printing=order.any_printing)


def _entry(row: Row, match: MatchResult) -> ReportRow:
    card = None if match.card is None else match.card.id
    return ReportRow(row.line, row.raw, match.how, match.reason, card, match.candidates)


def _kinds(row: Row, match: MatchResult, place: Place) -> Iterator[tuple[CopyKey, int]]:
    """The kinds of copies that a row has, and how many of each."""
    card = match.card
    own = row.language or (card.lang if card is not None else "en")
    where = row.place if any(row.place) else place
    for finish, copies in row.amounts:
        yield CopyKey(finish, row.condition, own, where), copies


def _add(collection: CollectionStore, row: Row, match: MatchResult, place: Place) -> int:
    """Puts the copies of a row into the collection, and returns how many they are."""
    if match.card is None:
        return 0
    for kind, copies in _kinds(row, match, place):
        collection.add(match.card, copies, kind)
    return row.copies


def _written(row: Row, order: CollectionImport) -> list[Any]:
    """What was read in a row, to be matched again later."""
    return list(row._replace(place=row.place if any(row.place) else order.place, raw=""))


def row_of(doubt: Doubt) -> Row:
    """The row that is in doubt, as it was read."""
    line, _, amounts, name, set_code, set_name, number, ids, condition, language, place, _, written = doubt.written
    return Row(
        line,
        doubt.raw,
        tuple((finish, copies) for finish, copies in amounts),
        name,
        set_code,
        set_name,
        number,
        tuple((kind, value) for kind, value in ids),
        condition,
        language,
        Place(*place),
        doubt.id,
        written,
    )


def _take_back(collection: CollectionStore, doubt: Doubt) -> None:
    """Takes the copies out again that a row in doubt brought."""
    if doubt.card_id is None:
        return
    row = row_of(doubt)
    for finish, copies in row.amounts:
        alike = [
            holding
            for holding in collection.of_cards([doubt.card_id])
            if (finish, row.condition) == (holding.finish, holding.condition) and row.language in ("", holding.language)
        ]
        # They may have been moved since, or removed.
        for holding in sorted(alike, key=lambda holding: holding.place != row.place):
            taken = min(copies, holding.copies)
            copies -= taken
            if taken:
                collection.take(holding, taken)


def _look_again(
    order: CollectionImport, collection: CollectionStore, file_id: int, imported: str, summary: dict[str, Any]
) -> Report:
    """The report on a file that was imported before; only the rows that were missed then are matched again."""
    report = Report(order.name, summary["format"], known=imported, dry_run=order.dry_run, copies=summary["copies"])
    report.outcomes.update({**summary["matched"], "missed": summary["missed"], "skipped": summary["skipped"]})
    matcher = _matcher(order, collection)
    for doubt in collection.doubts(file_id):
        row = row_of(doubt)
        match = matcher.match(row) if doubt.outcome == "missed" else None
        row = row if match is None else match.finished(row)
        if match is None or match.card is None:
            report.entries.append(
                ReportRow(
                    doubt.line, doubt.raw, doubt.outcome, doubt.reason, doubt.card_id, tuple(doubt.candidates), doubt
                )
            )
            continue
        report.outcomes["missed"] -= 1
        report.outcomes[match.how] += 1
        report.copies += row.copies
        report.added += _add(collection, row, match, order.place)
        report.settled += 1
        collection.settle(doubt)
        if match.how == "fuzzy":
            fuzzy = doubt._replace(
                outcome="fuzzy", reason=match.reason, card_id=match.card.id, candidates=list(match.candidates)
            )
            report.entries.append(_entry(row, match)._replace(doubt=fuzzy._replace(id=collection.add_doubt(fuzzy))))
    if report.settled:
        collection.close_file(file_id, report.format, report.counts())
    return report


def _sha256(path: Path, name: str) -> str:
    try:
        if path.is_dir():
            raise CatalogError(f"{name}: this is a folder; name the file in it.")
        if path.stat().st_size > LARGEST_FILE:
            raise CatalogError(f"{name}: larger than {LARGEST_FILE >> 30} GiB; is it a collection?")
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CatalogError(f"{name}: {error.strerror or error}.") from None


@contextmanager
def spooled(stream: BinaryIO, name: str) -> Iterator[Path]:
    """What comes out of a pipe as a file, which is gone afterwards; CatalogError where it is too long."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        left = LARGEST_FILE
        with path.open("wb") as file:
            while data := stream.read(min(_CHUNK, left + 1)):
                left -= len(data)
                if left < 0:
                    raise CatalogError(f"{name}: larger than {LARGEST_FILE >> 30} GiB; is it a collection?")
                file.write(data)
        yield path
