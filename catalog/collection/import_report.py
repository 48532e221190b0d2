"""What is told of an import into the collection: counts, and every row that was not matched for certain."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypedDict, cast

from ccgrid.catalog.collection.newer import Difference, DifferenceJson
from ccgrid.catalog.matching.resolver import SEVERAL
from ccgrid.catalog.store.collection_files import Doubt

MATCHED: Final = ("id", "number", "name", "fuzzy")


Outcome = Literal["fuzzy", "missed", "skipped"]


class ReportRowJson(TypedDict):
    """A row that was not matched for certain: what became of it, why, and which cards it may mean."""

    line: int
    raw: str
    outcome: Outcome
    reason: str
    card: str | None
    candidates: list[str]


class MatchedJson(TypedDict):
    """How many rows were matched, by how."""

    id: int
    number: int
    name: int
    fuzzy: int


class ImportCountsJson(TypedDict):
    """What a file held; `rows` is the sum of the outcomes, `copies` those of matched rows."""

    file: str
    format: str
    rows: int
    copies: int
    matched: MatchedJson
    missed: int
    skipped: int


class ImportReportJson(ImportCountsJson):
    """What an import into the collection did; `rows` is the sum of the outcomes, `copies` those of matched rows.

    Attributes:
        report: the rows that are fuzzy, missed or skipped, and `reasons` how many there are by kind of reason.
        added: copies that this import brought; 0 where the file was known.
        unsure: rows that fit several printings, `differing` those whose other printings have other numbers.
        settled: rows in doubt that this file settled.
        any_printing: missed rows whose card is there in another printing.
        of_games: missed rows that may mean cards of several games.
        unused: headings that a collection has no place for.
        written: how the file is written, such as `semicolon, utf-8`.
        known: when the same file was imported before, or null.
        difference: what changed, where the file stands for an earlier one, a box, or all that one owns.
    """

    report: list[ReportRowJson]
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
    difference: DifferenceJson | None


class ReportRow(NamedTuple):
    """A row in the report: what became of it, and why."""

    line: int
    raw: str
    outcome: str
    reason: str
    card: str | None = None
    candidates: tuple[str, ...] = ()
    doubt: Doubt | None = None

    def to_dict(self) -> ReportRowJson:
        """The documented shape of a row in the report of `collection import --json`."""
        return {
            "line": self.line,
            "raw": self.raw,
            "outcome": cast("Outcome", self.outcome),
            "reason": self.reason,
            "card": self.card,
            "candidates": list(self.candidates),
        }


_KINDS: Final = (
    (re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""), "…"),
    (re.compile(r"\bnumber [^\s,;]+"), "number …"),
    (re.compile(r"\bnumber … of [^\s,;]+ is\b"), "number … of the set is"),
    (re.compile(r"\bid (?!is )[^\s,;]+"), "id …"),
    (re.compile(r"\bnot as [^\s,;]+"), "not as …"),
    (re.compile(r"^(?!it |the )[^\s,;]+ has (?=no |…)"), "the set has "),
    (re.compile(r"(?<=no card of )[^;]+(?=; it is one of )"), "the game"),
    (re.compile(r"(?<=; it is one of: ).*"), "others"),
    (re.compile(r"; this is the one from .*"), "; this is one from another set"),
)


def kind_of_reason(reason: str) -> str:
    """A reason without the names, sets and numbers of its row.

    >>> kind_of_reason("dsk has 'Isle' as number 11, not as 9")
    'the set has … as number …, not as …'
    """
    for pattern, words in _KINDS:
        reason = pattern.sub(words, reason)
    return reason


def reasons_of(entries: Iterable[ReportRow]) -> dict[str, int]:
    """How many entries there are for each kind of reason, the most frequent first."""
    kinds: Counter[str] = Counter()
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
    """Copies that this import brought; nothing where the file was known."""
    unsure: int = 0
    """Rows that fit several printings, of which they did not say which."""
    differing: int = 0
    """Those among them of which other printings have other numbers."""
    entries: list[ReportRow] = field(default_factory=list)
    unused: tuple[str, ...] = ()
    known: str | None = None
    """When the same file was imported before."""
    settled: int = 0
    any_printing: int = 0
    """Missed rows whose card is there in another printing."""
    dry_run: bool = False
    replaces: bool = False
    """Whether the file was to stand for what it repeats."""
    difference: Difference | None = None
    """What the file changed, where it stands for an earlier one, for a box, or for all that one owns."""

    @property
    def rows(self) -> int:
        """How many rows the file has."""
        return self.outcomes.total()

    @property
    def matched(self) -> int:
        """How many rows were matched, however."""
        return sum(self.outcomes[how] for how in MATCHED)

    @property
    def of_games(self) -> int:
        """Missed rows that may mean cards of several games."""
        return sum(entry.outcome == "missed" and entry.reason.startswith(SEVERAL) for entry in self.entries)

    def reasons(self) -> dict[str, int]:
        """How many rows were not certain for each kind of reason, the most frequent first."""
        return reasons_of(self.entries)

    def counts(self) -> ImportCountsJson:
        """The documented counts."""
        return {
            "file": self.file,
            "format": self.format,
            "rows": self.rows,
            "copies": self.copies,
            "matched": cast("MatchedJson", {how: self.outcomes[how] for how in MATCHED}),
            "missed": self.outcomes["missed"],
            "skipped": self.outcomes["skipped"],
        }

    def to_dict(self) -> ImportReportJson:
        """The documented shape of `collection import --json`."""
        return {
            **self.counts(),
            "report": [entry.to_dict() for entry in self.entries],
            "added": self.added,
            "unsure": self.unsure,
            "differing": self.differing,
            "settled": self.settled,
            "any_printing": self.any_printing,
            "of_games": self.of_games,
            "reasons": self.reasons(),
            "unused": list(self.unused),
            "written": self.written,
            "known": self.known,
            "dry_run": self.dry_run,
            "difference": None if self.difference is None else self.difference.to_dict(),
        }
