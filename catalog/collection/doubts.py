"""What an import into the collection reports: counts, and uncertain rows, which are listed, confirmed or dropped."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TextIO, cast

import msgspec

from ccgrid.catalog.answer_fields import with_fields
from ccgrid.catalog.collection.edit import check_many
from ccgrid.catalog.collection.formats.apps import own_table
from ccgrid.catalog.collection.formats.format import SAYS, detail_cell, is_mistake
from ccgrid.catalog.collection.newer import Difference, ReportedDifference, key_of_row, row_of, rows_of
from ccgrid.catalog.csv_lines import csv_line
from ccgrid.catalog.details import parse_details
from ccgrid.catalog.holding import NOWHERE
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.resolver import NO_GAME, SEVERAL, UNKNOWN
from ccgrid.catalog.store.collection_files import Doubt
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lists import LatestCard
from ccgrid.catalog.store.lookup import StoreLookup

MATCHED: Final = ("id", "number", "name", "fuzzy")


Outcome = Literal["id", "number", "name", "fuzzy", "missed", "skipped"]


class ReportedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the report: what became of it, why, and which cards it may mean.

    Attributes:
        card: the card that a fuzzy row may be, or that an added row is in another printing; null if it was missed.
    """

    line: int
    raw: str
    outcome: Outcome
    reason: str
    card: str | None
    candidates: list[str]


class UncertainRow(ReportedRow, frozen=True, kw_only=True):
    """An uncertain row with its number and its file; null if the file is no longer stored."""

    number: int
    file: str | None


class MatchedRows(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows were matched, by how."""

    id: int
    number: int
    name: int
    fuzzy: int


class ImportCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file held; `rows` is the sum of the outcomes, `copies` those of matched rows."""

    file: str
    format: str
    rows: int
    copies: int
    matched: MatchedRows
    missed: int
    skipped: int


class ImportAnswer(ImportCounts, frozen=True, kw_only=True):
    """What an import into the collection did; `rows` is the sum of the outcomes, `copies` those of matched rows.

    Attributes:
        report: the rows that are fuzzy, missed or skipped, and `reasons` their number by kind of reason.
        added: copies that this import added; 0 if the file was imported before.
        unsure: rows that fit several printings, `differing` those whose other printings have other numbers.
        settled: uncertain rows that this file settled.
        any_printing: missed rows whose card is there in another printing.
        of_games: missed rows that may mean cards of several games.
        unused: headings that a collection has no place for.
        written: how the file is written, such as `semicolon, utf-8`.
        known: when the same file was imported before, or null.
        difference: what changed, where the file replaces an earlier one, a box, or the whole collection.
    """

    report: list[ReportedRow]
    added: int
    unsure: int
    differing: int
    settled: int
    any_printing: int
    of_games: int
    reasons: dict[str, int]
    unused: list[str]
    written: str
    known: str | None
    dry_run: bool
    difference: ReportedDifference | None


class ReportRow(NamedTuple):
    """A row in the report: what became of it, and why."""

    line: int
    raw: str
    outcome: str
    reason: str
    card: str | None = None
    candidates: tuple[str, ...] = ()
    doubt: Doubt | None = None

    @property
    def is_correctable(self) -> bool:
        """Whether a file of corrections has the row."""
        return self.doubt is not None or (self.outcome == "skipped" and is_mistake(self.reason))

    def answer(self) -> ReportedRow:
        """Return the row as the report of an import has it."""
        line, raw, outcome, reason, card, candidates, _ = self
        return ReportedRow(
            line=line,
            raw=raw,
            outcome=cast("Outcome", outcome),
            reason=reason,
            card=card,
            candidates=list(candidates),
        )


# 'Isle' or "Isle": in quotation marks of either kind, of which a backslash makes part of the text; not the mark in
# "it's".
_QUOTED: Final = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
# In this order: later patterns match what the earlier ones have made of a reason.
_KINDS: Final = (
    (re.compile(r"\bnumber [^\s,;]+"), "number …"),
    (re.compile(r"\bnumber … of [^\s,;]+ is\b"), "number … of the set is"),
    (re.compile(r"\bid (?!is )[^\s,;]+"), "id …"),
    (re.compile(r"\bnot as [^\s,;]+"), "not as …"),
    (re.compile(r" \([^()]*\), but .* is …$"), ", but set and number are …"),
    (re.compile(r"^(?!it |the )[^\s,;]+ has (?=no |…)"), "the set has "),
    (re.compile(r"(?<=not in )[^;]+(?=; found in: )"), "the game"),
    (re.compile(r"(?<=; found in: ).*"), "others"),
    (re.compile(r"; this is the one (?:from|of) .*"), "; this is another printing"),
)


def kind_of_reason(reason: str) -> str:
    """Return a reason without the names, sets and numbers of its row.

    >>> kind_of_reason("dsk has 'Isle' as number 11, not as 9")
    'the set has … as number …, not as …'
    """
    # Names are taken out first: what is left is one of a few sentences, which are remembered.
    return _kind(_QUOTED.sub("…", reason))


@lru_cache(1 << 12)
def _kind(reason: str) -> str:
    for pattern, words in _KINDS:
        reason = pattern.sub(words, reason)
    return reason


def reasons_of(entries: Iterable[ReportRow]) -> dict[str, int]:
    """Count the entries of each kind of reason, most frequent first."""
    kinds: Counter[str] = Counter()
    # Each different reason is looked at once.
    for reason, count in Counter(entry.reason for entry in entries).items():
        kinds[kind_of_reason(reason)] += count
    return dict(kinds.most_common())


@dataclass(slots=True)
class ImportReport:
    """What an import did; `rows` is the sum of the outcomes, and `copies` those of the rows that were matched."""

    file: str
    format: str = ""
    title: str = ""
    written: str = ""
    copies: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    added: int = 0
    """Copies that this import added; 0 if the file was imported before."""
    unsure: int = 0
    """Rows that fit several printings, of which they did not say which."""
    differing: int = 0
    """Those among them of which other printings have other numbers."""
    entries: list[ReportRow] = field(default_factory=list)
    unused: tuple[str, ...] = ()
    not_namable: int = 0
    """Missed rows that cannot be cards of the catalogue: of sets that it does not have, and lines without a letter."""
    known: str | None = None
    """When the same file was imported before."""
    settled: int = 0
    any_printing: int = 0
    """Missed rows whose card is there in another printing."""
    dry_run: bool = False
    replaces: bool = False
    """Whether the file was to replace what it repeats."""
    difference: Difference | None = None
    """What the file changed, where it replaces an earlier one, a box, or the whole collection."""
    latest: LatestCard | None = None
    """The latest card of the game whose sets or ids the catalogue lacks, if all matched cards are of one game."""

    @property
    def unknown(self) -> int:
        """Missed rows whose set or id the catalogue does not have."""
        return sum(entry.outcome == "missed" and entry.reason.startswith(UNKNOWN) for entry in self.entries)

    @property
    def rows(self) -> int:
        """The number of rows in the file."""
        return self.outcomes.total()

    @property
    def matched(self) -> int:
        """The number of matched rows."""
        return sum(self.outcomes[how] for how in MATCHED)

    @property
    def open(self) -> int:
        """The number of rows that were not matched for certain."""
        return self.outcomes["missed"] + self.outcomes["fuzzy"]

    @property
    def likely(self) -> int:
        """The number of rows that are cards, nearly cards, or cards of several games."""
        return self.matched + sum(entry.outcome == "missed" and _is_of_games(entry) for entry in self.entries)

    @property
    def namable(self) -> int:
        """The number of rows that could name a card of the catalogue."""
        return self.matched + self.outcomes["missed"] - self.not_namable

    @property
    def of_games(self) -> int:
        """Rows in doubt that may mean cards of several games."""
        return sum(map(_is_of_games, self.entries))

    @property
    def other_printings(self) -> int:
        """The number of rows that are added as another printing, because the user allowed that."""
        return sum(entry.outcome in ("id", "number", "name") for entry in self.entries)

    def reasons(self) -> dict[str, int]:
        """Count the uncertain rows of each kind of reason, most frequent first."""
        return reasons_of(self.entries)

    def counts(self) -> ImportCounts:
        """Return the counts, which the catalogue keeps with the file."""
        return ImportCounts(
            file=self.file,
            format=self.format,
            rows=self.rows,
            copies=self.copies,
            matched=MatchedRows(**{how: self.outcomes[how] for how in MATCHED}),
            missed=self.outcomes["missed"],
            skipped=self.outcomes["skipped"],
        )

    def answer(self) -> ImportAnswer:
        """Return the answer of `collection import --json`."""
        return with_fields(
            self.counts(),
            ImportAnswer,
            report=[entry.answer() for entry in self.entries],
            added=self.added,
            unsure=self.unsure,
            differing=self.differing,
            settled=self.settled,
            any_printing=self.any_printing,
            of_games=self.of_games,
            reasons=self.reasons(),
            unused=list(self.unused),
            written=self.written,
            known=self.known,
            dry_run=self.dry_run,
            difference=None if self.difference is None else self.difference.answer(),
        )


def _is_of_games(entry: ReportRow) -> bool:
    return entry.reason.startswith(SEVERAL) or entry.reason.endswith(NO_GAME)


@dataclass(frozen=True, slots=True)
class DoubtFilter:
    """A filter of uncertain rows; all conditions must hold."""

    file: str = ""
    """The name of a file that was imported."""
    outcome: str = ""
    """fuzzy or missed."""
    reason: str = ""
    """Words that the reason contains, or the kind of reason that a report counts."""

    def doubts(self, collection: CollectionStore) -> Iterator[Doubt]:
        """Yield the uncertain rows that match, in the order of their import."""
        words = self.reason.casefold()
        for doubt in collection.doubts(file_name=self.file, outcome=self.outcome):
            # As it stands, or as reports count it.
            is_so = words in doubt.reason.casefold() or words in kind_of_reason(doubt.reason).casefold()
            if is_so:
                yield doubt


class SettledRows(msgspec.Struct, frozen=True, kw_only=True):
    """What became of uncertain rows: how many were settled, copies that were added, and rows that were left.

    Attributes:
        removed: Always 0.
    """

    rows: int
    added: int
    removed: int
    left: int


class SettledDoubts(NamedTuple):
    """What became of uncertain rows: how many were settled, copies that were added, and why how many were left."""

    rows: int
    added: int = 0
    left: Mapping[str, int] = MappingProxyType({})

    def answer(self) -> SettledRows:
        """Return the answer of `collection doubts --confirm` and `--dismiss`."""
        return SettledRows(rows=self.rows, added=self.added, removed=0, left=sum(self.left.values()))


def uncertain_rows(entries: Iterable[ReportRow], files: Mapping[int, str]) -> Iterator[UncertainRow]:
    """Yield the answers of uncertain rows, each with its number and its file."""
    for entry in entries:
        if entry.doubt is not None:
            row = msgspec.structs.asdict(entry.answer())
            yield UncertainRow(**row, number=entry.doubt.id, file=files.get(entry.doubt.file_id))


def entries_in_doubt(collection: CollectionStore, wanted: DoubtFilter = DoubtFilter()) -> list[ReportRow]:
    """Return the uncertain rows that match a filter as entries of a report."""
    return [
        ReportRow(doubt.line, doubt.raw, doubt.outcome, doubt.reason, doubt.card_id, tuple(doubt.candidates), doubt)
        for doubt in wanted.doubts(collection)
    ]


def confirm(collection: CollectionStore, wanted: DoubtFilter, *, yes: bool = False) -> SettledDoubts:
    """Add the copies of uncertain rows, as one change.

    A fuzzy row becomes the card that it may be. A row that was missed becomes its candidate if it has a single one, and
    only if `wanted` asks for missed rows.

    Raises:
        NotConfirmedError: If the rows are many, without `yes`.
    """
    lookup = StoreLookup(collection.store)
    meant: list[tuple[Doubt, Candidate | None]] = []
    left: Counter[str] = Counter()
    for doubt in wanted.doubts(collection):
        # A missed row has candidates, a fuzzy one the card that it may be.
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
    check_many(len(meant), yes=yes, what="uncertain rows")
    return _settle(collection, meant, "confirm uncertain rows", left)


def choose_cards(collection: CollectionStore, choices: Mapping[int, str]) -> SettledDoubts:
    """Take uncertain rows for the cards that their owner chose, as one change.

    `choices` has the id of a card for the number of each row; an empty one dismisses the row.
    """
    lookup = StoreLookup(collection.store)
    meant: list[tuple[Doubt, Candidate | None]] = []
    for number, chosen in choices.items():
        card = lookup.card(chosen) if chosen else None
        if card is not None or not chosen:
            meant += [(doubt, card) for doubt in collection.doubts(number=number)]
    return _settle(collection, meant, "settle uncertain rows")


def dismiss(collection: CollectionStore, wanted: DoubtFilter, *, yes: bool = False) -> SettledDoubts:
    """Forget uncertain rows, as one change; newer exports that have them skip them.

    Raises:
        NotConfirmedError: If the rows are many, without `yes`.
    """
    meant = [(doubt, None) for doubt in wanted.doubts(collection)]
    check_many(len(meant), yes=yes, what="uncertain rows")
    return _settle(collection, meant, "drop uncertain rows")


def _settle(
    collection: CollectionStore,
    meant: Iterable[tuple[Doubt, Candidate | None]],
    what: str,
    left: Mapping[str, int] = MappingProxyType({}),
) -> SettledDoubts:
    """Take each row for a card, or for none, as one change."""
    settled = added = 0
    with collection.change(what):
        for doubt, card in meant:
            written = row_of(doubt)
            rows = rows_of(written, card, NOWHERE)
            collection.rewrite_row(doubt.file_id, doubt.line, rows, decided=True)
            collection.settle(doubt)
            settled += 1
            if card is None:
                continue
            for row in rows:
                collection.add(card, row.copies, key_of_row(row), written.rarity)
                added += row.copies
            collection.store_app_name(card.id, written.called)
    return SettledDoubts(settled, added, left)


_REPORT_HEADINGS: Final = ("Why", "Candidates", "Row in the file")


def write_corrections(
    file: TextIO, entries: Iterable[ReportRow], collection: CollectionStore, *, numbered: bool
) -> None:
    """Write the fuzzy and missed rows, and those that were skipped for a mistake, as a table of ccgrid.

    Importing the table confirms a fuzzy row if its id is unchanged, and chooses a candidate if the user fills in an
    empty id. Without `numbered`, as in a dry run, the rows settle nothing. Of a skipped row only the text is known: the
    table adds it if the user fills in the cells.
    """
    entries = list(entries)
    table = own_table()
    names = collection.card_names(card_id for entry in entries for card_id in entry.candidates)
    file.write(csv_line([*(heading for heading, _ in table.columns), *_REPORT_HEADINGS]))
    for entry in entries:
        if entry.doubt is None:
            if entry.is_correctable:
                file.write(csv_line([*("" for _ in table.columns), entry.reason, "", entry.raw]))
            continue
        row = row_of(entry.doubt)
        shown = "; ".join(f"{card_id} {names[card_id]}" for card_id in entry.candidates if card_id in names)
        for finish, copies in row.amounts:
            # A cell for each field of a table of ccgrid, which is then written in the order of its columns.
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
            known = parse_details(row.details)
            # Copies for trade are those of the row, not of each of its finishes.
            traded = min(known.for_trade, copies)
            for heading, column in table.columns:
                if column in SAYS:
                    cells[column] = detail_cell(column, heading, known, traded, table.dialect)
            about = (entry.reason, shown, entry.raw)
            file.write(csv_line([*(cells[field] for _, field in table.columns), *about]))
    file.flush()  # report a full disk here, while everything can be rolled back
