"""What is told of an import into the collection: counts, and every row that was not matched for certain."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from catalog.store.holdings import Doubt

MATCHED: Final = ("id", "number", "name", "fuzzy")


class ReportRow(NamedTuple):
    """A row in the report: what became of it, and why."""

    line: int
    raw: str
    outcome: str
    reason: str
    card: str | None = None
    candidates: tuple[str, ...] = ()
    doubt: Doubt | None = None

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of a row in the report of `collection import --json`."""
        shape = {name: getattr(self, name) for name in ("line", "raw", "outcome", "reason", "card")}
        return {**shape, "candidates": list(self.candidates)}


@dataclass(slots=True)
class Report:
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
    entries: list[ReportRow] = field(default_factory=list)
    unused: tuple[str, ...] = ()
    known: str | None = None
    """When the same file was imported before."""
    settled: int = 0
    dry_run: bool = False

    @property
    def rows(self) -> int:
        """How many rows the file has."""
        return self.outcomes.total()

    @property
    def matched(self) -> int:
        """How many rows were matched, however."""
        return sum(self.outcomes[how] for how in MATCHED)

    def counts(self) -> dict[str, Any]:
        """The documented counts."""
        return {
            "file": self.file,
            "format": self.format,
            "rows": self.rows,
            "copies": self.copies,
            "matched": {how: self.outcomes[how] for how in MATCHED},
            "missed": self.outcomes["missed"],
            "skipped": self.outcomes["skipped"],
        }

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of `collection import --json`."""
        return {
            **self.counts(),
            "report": [entry.to_dict() for entry in self.entries],
            "added": self.added,
            "unsure": self.unsure,
            "settled": self.settled,
            "unused": list(self.unused),
            "written": self.written,
            "known": self.known,
            "dry_run": self.dry_run,
        }
