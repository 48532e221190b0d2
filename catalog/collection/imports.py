"""Imports files of other apps into the collection: every row is matched and counted, and reported where in doubt."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Protocol

import msgspec

from ccgrid.catalog.collection.doubts import ImportReport, ReportRow
from ccgrid.catalog.collection.formats import LISTS, Format, games_of, is_table, open_rows
from ccgrid.catalog.collection.formats.format import A_HEADING, DROPPED, EVERYTHING, SETTLED, SkippedRow
from ccgrid.catalog.collection.newer import (
    Copies,
    Difference,
    Rarities,
    RepeatedError,
    ReplacesAllError,
    apply_difference,
    copies_in_files,
    copy_changes,
    earlier_files,
    identity,
    key_of_row,
    merge_copies,
    owned_copies,
    repeats_copies,
    row_json,
    row_of,
    rows_of,
)
from ccgrid.catalog.details import merge_details
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.file_kinds import FileKind, detect_kind
from ccgrid.catalog.files import new_file
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.garbage import gc_disabled
from ccgrid.catalog.holding import NOWHERE, Place
from ccgrid.catalog.matching.asking import MatchResult
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.resolver import ELSEWHERE, UNKNOWN, Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.store.collection_files import Doubt, FileRow, ImportedFile
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey
from ccgrid.catalog.store.lists import latest_card
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.temporary import temporary_folder


@dataclass(frozen=True, slots=True)
class CollectionImport:
    """What to import and how; copies whose row names no location are in `place`."""

    path: Path
    name: str
    format: Format | None = None
    columns: Mapping[str, str] | None = None
    games: Sequence[str] = ()
    place: Place = NOWHERE
    any_printing: bool = False
    again: bool = False
    replace: bool = False
    """Whether the file replaces the earlier one that it repeats, what is in its box, or the whole collection."""
    everything: bool = False
    """Whether it may replace the whole collection; else it is refused where it would."""
    strict: bool = False
    """Whether one row that is not matched stops it all."""
    partial: bool = False
    """Whether a list is imported of which fewer than half of the rows match a card."""
    dry_run: bool = False


class PartialError(CatalogError):
    """Raised if a plain list matches too few cards to be a list of cards; nothing changed.

    `report` says what became of its rows.
    """

    def __init__(self, report: ImportReport) -> None:
        matched = f"{report.likely:,} of its {report.namable:,} rows that could name a card"
        super().__init__(
            f"{report.file}: only {matched} {'matches' if report.likely == 1 else 'match'} one; nothing changed.\n"
            "Is it a list of cards? To import what matches, and keep the rest as uncertain rows: --partial"
        )
        self.report = report


def matcher_for(request: CollectionImport, lookup: StoreLookup, app: Sequence[str], *, any_printing: bool) -> Resolver:
    """Return the matcher for the rows of a file."""
    return Resolver(lookup, games=request.games, app=app, any_printing=any_printing, prefer_owned=False)


def report_again(request: CollectionImport, collection: CollectionStore, file: ImportedFile) -> ImportReport:
    """Report on a file that was imported before; only the rows that are still missed are matched again."""
    summary = file.summary
    report = ImportReport(
        request.name, summary["format"], known=file.imported, dry_run=request.dry_run, copies=summary["copies"]
    )
    doubts = list(collection.doubts(file.id))
    # The report begins with the numbers of the first time, and rows that were decided on since; below each row that is
    # found now moves from `missed` to how it was found.
    report.outcomes.update({**summary["matched"], "missed": summary["missed"], "skipped": summary["skipped"]})
    for outcome in ("fuzzy", "missed"):
        settled = report.outcomes[outcome] - sum(doubt.outcome == outcome for doubt in doubts)
        report.outcomes[outcome] -= settled
        report.outcomes["id"] += settled
    lines = {row.line for row in collection.decided_rows(file.id) if row.card_id is None}
    dropped = min(len(lines), report.outcomes["id"] - summary["matched"]["id"])
    report.outcomes["id"] -= dropped
    report.outcomes["skipped"] += dropped
    store, app = collection.store, games_of(report.format, request.path)
    # The ids of cards begin with their games.
    games = {card_id.partition(":")[0] for card_id, *_ in collection.copies_in_file(file.id)} if doubts else set()
    matching = _of_one_game(request, games) if request.any_printing else request
    matcher = matcher_for(matching, StoreLookup(store), app, any_printing=request.any_printing)
    for doubt in doubts:
        row = row_of(doubt)
        found = MatchResult(None, "missed")
        if doubt.outcome == "missed":
            row, found = matcher.find(row)
        if found.how == "fuzzy" and found.card is not None:
            # Found, but not for certain: the old doubt is settled, and a new one says which card it may be.
            collection.settle(doubt)
            report.outcomes["missed"] -= 1
            report.outcomes["fuzzy"] += 1
            doubt = doubt._replace(
                outcome="fuzzy", reason=found.reason, card_id=found.card.id, candidates=list(found.candidates)
            )
            doubt = doubt._replace(id=collection.add_doubt(doubt))
        if not found.is_certain:
            # Still uncertain: the entry is that of the first import.
            cells = doubt.line, doubt.raw, doubt.outcome, doubt.reason, doubt.card_id, tuple(doubt.candidates), doubt
            report.entries.append(ReportRow(*cells))
            continue
        assert found.card is not None  # noqa: S101  it is certain
        rows = rows_of(row, found.card, request.place)
        for one in rows:
            collection.add(found.card, one.copies, key_of_row(one), row.rarity)
        collection.store_app_name(found.card.id, row.called)
        collection.rewrite_row(file.id, row.line, rows, decided=False)
        report.outcomes["missed"] -= 1
        report.outcomes[found.how] += 1
        report.copies += row.copies
        report.added += row.copies
        report.settled += 1
        collection.settle(doubt)
        if found.reason:
            report.entries.append(_entry(row, found))
    if report.settled:
        collection.close_file(file.id, report.format, msgspec.to_builtins(report.counts()))
    return report


LARGEST_FILE: Final = 1 << 30
"""How large a collection file may be, in bytes."""
_CHUNK: Final = 1 << 20  # bytes that are hashed or copied at a time


def sha256_of(path: Path, name: str) -> str:
    """Return the SHA-256 digest of a file.

    Raises:
        CatalogError: If the file cannot be read or is too large.
    """
    try:
        if path.is_dir():
            raise FileFormatError("this is a folder; name the file in it.", file=name)
        if path.stat().st_size > LARGEST_FILE:
            raise _too_large(name)
        seen, left = hashlib.sha256(), LARGEST_FILE
        with path.open("rb") as file:
            while data := file.read(_CHUNK):
                left -= len(data)
                if left < 0:  # what is no plain file has no size beforehand
                    raise _too_large(name)
                seen.update(data)
        return seen.hexdigest()
    except OSError as error:
        raise FileFormatError(f"{error.strerror or error}.", file=name) from None


@contextmanager
def spool(stream: BinaryIO, name: str) -> Iterator[Path]:
    """Copy a pipe into a temporary file for the duration of the block.

    Raises:
        CatalogError: If the pipe yields too much data.
    """
    with temporary_folder() as folder:
        path = folder / name
        left = LARGEST_FILE
        with new_file(path) as file:
            # One byte more than may be, to see that there is more.
            while data := stream.read(min(_CHUNK, left + 1)):
                left -= len(data)
                if left < 0:
                    raise _too_large(name)
                file.write(data)
        yield path


def _too_large(name: str) -> CatalogError:
    return FileFormatError(f"larger than {LARGEST_FILE >> 30} GiB.", file=name)


_ROWS_AT_ONCE: Final = 5000  # rows that wait to be written
_MOST_NAMED: Final = 5  # files of an archive in an error
_LONGEST_SHOWN: Final = 60  # characters of a row in an error
_PROGRESS_EVERY: Final = 100  # rows between two reports of progress
_SET_CODE: Final = re.compile(r"[a-z0-9]{2,6}", re.IGNORECASE)


class RowProgress(Protocol):
    """Receives the progress of an import, in rows and cards."""

    def __call__(self, done: int, total: int | None = None, doing: str = "") -> None:
        """Report the progress; `doing` is "reading" or "adding"."""


def _no_progress(done: int, total: int | None = None, doing: str = "") -> None:
    """Ignore progress reports."""


def import_file(
    request: CollectionImport,
    collection: CollectionStore,
    remark: Callable[[str], None],
    progress: RowProgress = _no_progress,
    write: Callable[[ImportReport], None] = lambda report: None,
) -> ImportReport:
    """Import a file atomically and report every row without a certain match.

    `write` is called with the report inside the transaction.

    Raises:
        CatalogError: If the file cannot be read, has no rows, or none of its rows is a card of the catalogue; for a
            `strict` request, if any row is not.
        PartialError: If fewer than half of the rows of a list match, unless the request is `partial`.
        RepeatedError: If it repeats most of an earlier file, and the request does not say whether it replaces that.
    """
    with _unpacked(request) as request:
        return _import(request, collection, remark, progress, write)


@contextmanager
def _unpacked(request: CollectionImport) -> Iterator[CollectionImport]:
    """Take the only file out of an archive, such as an app's zip, while it is imported.

    Raises:
        CatalogError: If there are several, or none.
    """
    if detect_kind(request.path).kind is not FileKind.ARCHIVE:
        yield request
        return
    with open_tree(request.path) as tree:
        if len(tree.names) > 1:
            names = ", ".join(islice(tree.names, _MOST_NAMED)) + (", …" if len(tree.names) > _MOST_NAMED else "")
            raise FileFormatError(
                f"an archive of {len(tree.names)} files: {names}. Unpack it, and name one.", file=request.name
            )
        if not tree.names:
            raise FileFormatError("an empty archive.", file=request.name)
        (name,) = tree.names
        with tree.open(name) as stream, spool(stream, PurePosixPath(name).name) as path:
            yield replace(request, path=path)


def _import(
    request: CollectionImport,
    collection: CollectionStore,
    remark: Callable[[str], None],
    progress: RowProgress,
    write: Callable[[ImportReport], None],
) -> ImportReport:
    sha256 = sha256_of(request.path, request.name)
    with collection.change(f"import {request.name}", dry_run=request.dry_run):
        # A known file is only reported again, unless it is added again or replaces what a box holds now.
        known = None if request.again or (request.replace and request.place.box) else collection.file(sha256)
        if known is not None:
            report = report_again(request, collection, known)
        else:
            job = _Import(request, collection, sha256, progress)
            with gc_disabled():
                job.carry_out(remark)
            report = job.report
        write(report)
    return report


class _Import:
    """The import of one file."""

    def __init__(
        self, request: CollectionImport, collection: CollectionStore, sha256: str, progress: RowProgress
    ) -> None:
        self.request, self.collection, self.progress = request, collection, progress
        self.report = ImportReport(request.name, dry_run=request.dry_run, replaces=request.replace)
        self.lookup = StoreLookup(collection.store)
        self.boxes: dict[str, str] = {}
        """For each box with case folded how it is written: as the collection has it, else as the file has it first."""
        self.waiting: list[Row] = []
        """Rows that are missed, and whose card may be there in another printing."""
        self.elsewhere: set[int] = set()
        """The lines of those for which there is another printing."""
        self.games: set[str] = set()
        """The games of the rows that are matched for certain."""
        self.file_id = collection.add_file(request.name, sha256)
        self.copies: Copies = Counter()
        self.cards: dict[str, Candidate] = {}
        self.rarities: Rarities = {}
        self.called: dict[str, str] = {}
        """What the file's app itself calls printings, by the ids of the cards."""
        self.rows: list[FileRow] = []
        self.fields = EVERYTHING
        self.settled: dict[int, tuple[Doubt, list[FileRow]]] = {}
        """The doubts that rows of this file settle, by their numbers, each with these rows."""

    def carry_out(self, remark: Callable[[str], None]) -> None:
        """Read the file row by row and add the matched copies."""
        request, report = self.request, self.report
        # For prose, report how many lines are cards.
        reading = open_rows(request.path, request.name, request.format, request.columns, remark, may_be_prose=True)
        report.format, report.title, report.written = reading.name, reading.title, reading.written
        report.unused, self.fields = reading.unused, reading.fields
        app = games_of(reading.name, request.path)
        matcher = matcher_for(request, self.lookup, app, any_printing=False)
        for number, row in enumerate(reading.rows, 1):
            if not number % _PROGRESS_EVERY:
                self.progress(number, None, "reading")
            self._note(self._skip(row) if isinstance(row, SkippedRow) else self._match(row, matcher))
        self._match_waiting(app)
        # Only after all rows: whether the file repeats an earlier one shows when it is whole.
        self._note_rows()
        self._check()
        # Corrections take the place of the rows that they correct, in the file in which those were.
        for doubt, rows in self.settled.values():
            self.collection.rewrite_row(doubt.file_id, doubt.line, rows, decided=True)
        self._add_copies()
        for card_id, called in self.called.items():
            self.collection.store_app_name(card_id, called)
        in_doubt = (entry for entry in report.entries if entry.doubt is not None)
        report.any_printing = sum(entry.line in self.elsewhere for entry in in_doubt)
        # After `_add_copies`, which may decide on uncertain rows as an earlier file was decided on.
        self._note_doubts()
        if report.unknown and len(games := {card.game for card in self.cards.values()}) == 1:
            report.latest = latest_card(self.collection.store, *games)
        self.collection.close_file(self.file_id, report.format, msgspec.to_builtins(report.counts()))

    def _note(self, entry: ReportRow | None) -> None:
        """Add an entry to the report.

        Raises:
            CatalogError: If the request is strict and the row is not a card for certain.
        """
        if entry is None:
            return
        if self.request.strict and entry.outcome in ("fuzzy", "missed", "skipped"):
            raise FileFormatError(
                f"{entry.reason}: {entry.raw[:200]!r}. Nothing changed.", file=self.request.name, line=entry.line
            )
        self.report.entries.append(entry)

    def _match_waiting(self, app: Sequence[str]) -> None:
        """Match rows with other printings, of the game of the file's other rows if these are of one game.

        Without --any-printing, only note for which rows there is another printing.
        """
        if not self.waiting:
            return
        lenient = matcher_for(_of_one_game(self.request, self.games), self.lookup, app, any_printing=True)
        for row in self.waiting:
            read, found = lenient.find(row)
            if self.request.any_printing:
                self._note(self._take(read, found, lenient))
            elif found.is_certain:
                self.elsewhere.add(row.line)
        self.report.entries.sort(key=lambda entry: entry.line)

    def _check(self) -> None:
        report, name = self.report, self.request.name
        if not report.rows:
            raise FileFormatError(f"it has no rows, read as {report.title} ({report.written}).", file=name)
        if not report.matched and not report.settled:
            first = min(report.entries, key=lambda entry: (entry.outcome == "skipped", entry.line))
            # Rows of a table have line numbers of their own; other programs' decks are often one line.
            what = f" {first.raw[:_LONGEST_SHOWN]!r}:" if not is_table(report.format) else ""
            if first.outcome == "skipped":
                hint = ""
            else:
                hint = "Choose one with --game." if report.of_games else self._import_hint()
            raise FileFormatError(
                f"none of its {counted(report.rows, 'row')}, read as {report.title}, matches a card; nothing "
                f"changed.\nLine {first.line}:{what} {first.reason}. {hint}".rstrip(),
                file=name,
            )
        if report.format in LISTS and not self.request.partial and 2 * report.likely < report.namable:
            raise PartialError(report)

    def _import_hint(self) -> str:
        """Return what the file may be instead, or how the cards that it names are imported."""
        if detect_kind(self.request.path).kind is FileKind.PROSE:
            return "It is a text of sentences."
        from ccgrid.catalog.sources import SOURCES  # only a file without a card that is here asks for it

        form = self.report.format
        games = () if is_table(form) else games_of(form, self.request.path)
        source = next((one.name for one in SOURCES if one.layout in games and one.address), "")
        return f"To import its cards: ccgrid import {source}" if source else "Is its game imported?"

    def _skip(self, row: SkippedRow) -> ReportRow:
        self.report.outcomes["skipped"] += 1
        return ReportRow(row.line, row.raw, "skipped", row.reason)

    def _match(self, row: Row, matcher: Resolver) -> ReportRow | None:
        if row.doubt is not None:
            return self._correct(row, row.doubt, matcher)
        read, found = matcher.find(row)
        if row.heading and not found.is_certain and found.reason != row.heading:
            return self._skip(SkippedRow(row.line, row.raw, A_HEADING))
        # Only a name that there is is worth a second look: most rows that are missed have none.
        if not found.is_certain and (matcher.known.knows_name(read.name) or found.reason.endswith(ELSEWHERE)):
            self.waiting.append(row)
            if self.request.any_printing:
                return None
        return self._take(read, found, matcher)

    def _correct(self, row: Row, number: int, matcher: Resolver) -> ReportRow | None:
        """Settle an earlier uncertain row by a row of a file of corrections."""
        earlier = self._doubt(number)
        if earlier is None:
            return self._skip(SkippedRow(row.line, row.raw, SETTLED))
        row, found = matcher.find(row)
        self.report.outcomes[found.how] += 1
        # A correction without a match leaves the uncertain row unchanged and adds none.
        if not found.is_certain:
            return _entry(row, found)
        # Details without a column in the file of corrections are those of the first file.
        row = row._replace(details=merge_details(row_of(earlier).details, row.details, self.fields))
        self._settle(earlier, self._count_row(self._placed(row), found))
        return None

    def _take(self, row: Row, found: MatchResult, matcher: Resolver) -> ReportRow | None:
        """Count the copies of a row that is matched for certain; return the entry of any other for the report."""
        self.report.outcomes[found.how] += 1
        row = self._placed(row)
        if found.is_certain:
            self.rows += self._count_row(row, found)
        else:
            self.rows += rows_of(row, None, self.request.place)
        if len(self.rows) >= _ROWS_AT_ONCE:
            self._note_rows()
        if found.is_certain:
            # Another printing, which the request asked for, is added and reported.
            return _entry(row, found) if found.reason else None
        is_nothing = row.written and not any(map(str.isalnum, row.written))
        is_elsewhere = found.reason.startswith(UNKNOWN) and self._names_set(row, matcher)
        self.report.not_namable += bool(is_nothing or is_elsewhere)
        # The doubt keeps the row as it was read, so that it can be matched again with a newer catalogue.
        card_id, own = None if found.card is None else found.card.id, row_json(row, self.request.place)
        candidates = list(found.candidates)
        doubt = Doubt(0, self.file_id, row.line, found.how, found.reason, row.raw, own, card_id, candidates)
        return ReportRow(row.line, row.raw, found.how, found.reason, card_id, found.candidates, doubt)

    def _placed(self, row: Row) -> Row:
        """Return a row with its place: what the row itself says comes before the place that was ordered for all."""
        place = row.place if any(row.place) else self.request.place
        return row._replace(place=self._place(place)) if any(place) else row

    def _count_row(self, row: Row, found: MatchResult) -> list[FileRow]:
        """Count the copies of a row that is a card for certain, and return them."""
        card = found.card
        assert card is not None  # noqa: S101  it is certain
        self.games.add(card.game)
        self.report.copies += row.copies
        self.report.unsure += bool(found.others)
        self.report.differing += bool(found.others and found.differing)
        rows = rows_of(row, card, self.request.place)
        self._count(card, rows, row.rarity)
        # Only where the printing is certain: the app's own word would be noted of a wrong one for good.
        if row.called and not found.others:
            self.called[card.id] = row.called
        return rows

    def _names_set(self, row: Row, matcher: Resolver) -> bool:
        """Return whether a row whose set or id the catalogue lacks may name a card; prose has words in brackets."""
        return bool(row.number or row.ids or _SET_CODE.fullmatch(row.set_code)) or matcher.known.knows_name(row.name)

    def _place(self, place: Place) -> Place:
        """Return a location with its box spelled as in the first row that names it."""
        if not place.box:
            return place
        key = place.box.casefold()
        if key not in self.boxes:
            self.boxes[key] = self.collection.place(place).box
        return place._replace(box=self.boxes[key])

    def _doubt(self, number: int) -> Doubt | None:
        """Return the uncertain row that a row of corrections settles; several rows may settle one, a finish each."""
        # The store has forgotten a doubt that a row before this one settled.
        if number in self.settled:
            return self.settled[number][0]
        return next(self.collection.doubts(number=number), None)

    def _settle(self, doubt: Doubt, rows: Sequence[FileRow]) -> None:
        # All of its rows together stand for it.
        if doubt.id not in self.settled:
            self.collection.settle(doubt)
            self.report.settled += 1
            self.settled[doubt.id] = doubt, []
        # The rows keep the identity of the row as it was written at first: by that a newer export, which still has it,
        # finds what was decided.
        own = identity(row_of(doubt))
        self.settled[doubt.id][1].extend(row._replace(line=doubt.line, identity=own) for row in rows)

    def _count(self, card: Candidate, rows: Iterable[FileRow], rarity: str = "") -> None:
        self.cards[card.id] = card
        for row in rows:
            key = card.id, key_of_row(row)
            self.copies[key] = self.copies.get(key, 0) + row.copies
            if rarity:
                self.rarities[key] = rarity

    def _note_rows(self) -> None:
        self.collection.add_rows(self.file_id, self.rows)
        self.rows = []

    def _add_copies(self) -> None:
        """Add the copies of the file to the collection, or apply their difference to the replaced copies."""
        request, report = self.request, self.report
        # A file of corrections repeats no file: its rows are parts of one.
        files = [] if self.settled else earlier_files(self.collection, self.file_id, report.format, self.copies)
        self._keep_decisions(files)
        repeats = files or (
            not (self.settled or request.place.box) and repeats_copies(owned_copies(self.collection), self.copies)
        )
        # Neither a newer export nor asked to replace anything: every copy is new.
        if not (request.replace or repeats) or request.again:
            self.collection.add_all(self._with_progress())
            report.added += self.copies.total()
            return
        # What the file replaces, `old`, is one of these:
        #
        #     a box is named      the copies that lie in it, and those of the earlier files
        #     earlier files       the copies that they added
        #     neither             the whole collection
        old, is_all = copies_in_files(self.collection, files), False
        if request.replace and request.place.box:
            old = merge_copies(old, owned_copies(self.collection, request.place.box))
        elif not files:
            old, is_all = owned_copies(self.collection), True
            files = [one for one in self.collection.all_files() if request.replace and one.id != self.file_id]
        names = {card_id: card.name for card_id, card in self.cards.items()}
        # Cards that the file does not have any more are named as the collection calls them.
        missing = list({card_id for card_id, _ in old} - names.keys())
        names.update((one.card_id, one.name) for one in self.collection.of_cards(missing))
        difference = Difference(files, list(copy_changes(old, self.copies, names, self.fields)))
        # It repeats something, and the request does not say what to do. The error carries the difference for display;
        # everything recorded so far is rolled back with the change.
        if not request.replace and not request.dry_run:
            raise RepeatedError(request.name, difference)
        if is_all and difference.takes_away() and not (request.everything or request.dry_run):
            raise ReplacesAllError(request.name, difference)
        report.difference = difference
        apply_difference(self.collection, difference, self.cards, self.rarities)
        report.added = difference.copies("added")
        for one in files:
            self.collection.replace_file(one, self.file_id)

    def _with_progress(self) -> Iterator[tuple[Candidate, int, CopyKey, str]]:
        """Yield the copies of the file, card by card, and report progress."""
        for number, ((card_id, kind), copies) in enumerate(self.copies.items()):
            if not number % _PROGRESS_EVERY:
                self.progress(number, len(self.copies), "adding")
            yield self.cards[card_id], copies, kind, self.rarities.get((card_id, kind), "")

    def _keep_decisions(self, files: Sequence[ImportedFile]) -> None:
        """Settle uncertain rows as in an earlier file, where the user decided on them or they were certain.

        So a row that was clear once, and is not now that the catalogue has other cards, removes nothing.
        """
        doubted = {identity(row_of(entry.doubt)) for entry in self.report.entries if entry.doubt is not None}
        known: dict[int, str | None] = {}
        decided: dict[int, str | None] = {}
        # The newest file comes first, so it is read last and counts.
        for one in reversed(files if doubted else ()):
            matched = self.collection.known_rows(one.id)
            known.update((row.identity, row.card_id) for row in matched if row.identity in doubted)
            decided.update((row.identity, row.card_id) for row in self.collection.decided_rows(one.id))
        known.update(decided)
        if not known:
            return
        undecided = []
        # Each entry: in no earlier file, or in doubt there; a card; or dropped, of which the report says so.
        for entry in self.report.entries:
            row = None if entry.doubt is None else row_of(entry.doubt)
            if row is None or (own := identity(row)) not in known:
                undecided.append(entry)
                continue
            chosen = known[own]
            card = None if chosen is None else self.lookup.card(chosen)
            rows = rows_of(row, card, self.request.place)
            self.collection.rewrite_row(self.file_id, row.line, rows, decided=own in decided)
            self.report.outcomes[entry.outcome] -= 1
            self.report.outcomes["skipped" if card is None else "id"] += 1
            if card is not None:
                self._count(card, rows, row.rarity)
                self.report.copies += row.copies
                continue
            undecided.append(entry._replace(outcome="skipped", reason=DROPPED, card=None, doubt=None))
        self.report.entries = undecided

    def _note_doubts(self) -> None:
        """Store the uncertain rows, and put their numbers into the report."""
        doubtful = [entry.doubt for entry in self.report.entries if entry.doubt is not None]
        # The store numbers them in a row and gives the first number back.
        numbers = count(self.collection.add_doubts(doubtful))
        self.report.entries = [
            entry if entry.doubt is None else ReportRow(*entry[:6], Doubt(next(numbers), *entry.doubt[1:]))
            for entry in self.report.entries
        ]


def _of_one_game(request: CollectionImport, games: Collection[str]) -> CollectionImport:
    """Return a request for rows of the game of a file's other rows, if these are all of one."""
    return replace(request, games=tuple(games)) if len(games) == 1 else request


def _entry(row: Row, match: MatchResult) -> ReportRow:
    card = None if match.card is None else match.card.id
    return ReportRow(row.line, row.raw, match.how, match.reason, card, match.candidates)
