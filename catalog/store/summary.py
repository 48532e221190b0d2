"""What is told of an import: where its cards came from, and what it did."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

COUNTS: Final = ("read", "added", "changed", "unchanged", "removed", "skipped")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the rows of an import come from; `layout` is a fingerprint of how they are read."""

    source: str
    address: str
    layout: str
    version: str | None = None
    sha256: str | None = None
    size: int | None = None
    digest: Callable[[], str | None] | None = None
    """Gives `sha256` in the end, where that is still worked out while the rows are read."""


@dataclass(slots=True)
class ImportSummary:
    """What an import did; `read` is the sum of added, changed, unchanged and skipped."""

    source: str
    version: str | None = None
    read: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: int = 0
    legal: int = 0
    barred: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    reasons: list[tuple[str, str]] = field(default_factory=list)
    """The first rows that were skipped: where each stands, and why."""
    remarks: list[str] = field(default_factory=list)
    """What people should know of how the data were read."""

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of `import --json`."""
        shown = {name: getattr(self, name) for name in self.__slots__ if name not in ("reasons", "barred", "seconds")}
        return {**shown, "barred": dict(self.barred.most_common()), "seconds": round(self.seconds, 3)}

    def count(self, reasons: Iterable[tuple[str | None, int]]) -> None:
        """Notes how many cards there are of each reason; those that have none are legal."""
        for reason, count in reasons:
            if reason is None:
                self.legal = count
            else:
                self.barred[reason] = count
