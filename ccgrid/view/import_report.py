"""Reports on files that were imported into the collection: details first, then reasons with counts, then totals."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from catalog.collection.import_report import reasons_of
from ccgrid.view.output import Column, on_terminal, remark, show, show_table, shown
from ccgrid.view.text import shorten
from ccgrid.view.words import counted

if TYPE_CHECKING:
    from catalog.collection.doubts import Settled
    from catalog.collection.import_report import Report, ReportRow
    from catalog.collection.newer import CopyChange, Difference
    from catalog.store.holdings import CopyKey

MOST_SHOWN: Final = 20
"""How many rows in doubt, and how many changes, are shown one by one."""
MOST_REASONS: Final = 12
MOST_OF_A_ROW: Final = 60
"""On a terminal so many cells of a row in doubt are shown."""
_MATCHED: Final = {"id": "matched by id", "number": "matched by set and number", "name": "matched by name"}

_CHANGES: Final = (
    Column(""),
    Column("copies", "right"),
    Column("name", wrap=True),
    Column("id", wrap=True, spare=1),
    Column("kind", wrap=True),
)
_DOUBTS: Final = (
    Column("line", "right"),
    Column("outcome", spare=1),
    Column("why", wrap=True),
    Column("card or candidates", wrap=True, spare=2),
    Column("row", wrap=True),
)


def show_report(report: "Report", corrections: Path | None) -> None:
    """Print what an import did: the rows that were not certain, the reasons, and last the counts, which add up."""
    if report.known is not None:
        show(f"{report.file} was imported before ({report.known}).", "")
    else:
        show(f"{report.file}: {report.title} ({report.written}).", "")
    if report.unused:
        show(f"Not kept: {', '.join(report.unused)}.", "")
    if report.entries:
        show_doubts(report.entries, report.reasons(), all_of_them="--json, or --corrections FILE")
        show("")
    if report.difference is not None:
        show_difference(report.difference, would=report.dry_run)
        show("")
    _show_counts(report)
    _show_totals(report)
    if corrections is not None:
        remark(
            f"The rows in doubt are written to {corrections}. Correct it, then: ccgrid collection import {corrections}"
        )


def _show_counts(report: "Report") -> None:
    outcomes = report.outcomes
    rows = [(_MATCHED[how], outcomes[how]) for how in _MATCHED]
    rows += [("matched, but not for certain", outcomes["fuzzy"]), ("missed", outcomes["missed"])]
    rows += [("skipped", outcomes["skipped"]), ("rows in all", report.rows)]
    show_table([Column("rows", "left"), Column("", "right")], rows)
    show("")


def _show_totals(report: "Report") -> None:
    would = "would be " if report.dry_run else ""
    if report.unsure:
        show(f"{counted(report.unsure, 'row')} did not say which printing; the earliest ordinary one was taken.")
        if report.differing:
            show(f"Of {report.differing:,} of them other printings have other numbers.")
    if report.any_printing:
        verb = "has its card" if report.any_printing == 1 else "have their cards"
        show(f"{counted(report.any_printing, 'missed row')} {verb} in another printing: --any-printing takes it.")
    if report.of_games:
        verb = "may be a card" if report.of_games == 1 else "may be cards"
        show(f"{counted(report.of_games, 'missed row')} {verb} of several games: --game says which is meant.")
    if report.settled:
        show(f"{counted(report.settled, 'row')} in doubt {would}settled.")
    difference = report.difference
    if difference is not None:
        counts = ", ".join(f"{difference.copies(what):,} {what}" for what in ("added", "removed", "changed"))
        show(f"Copies that {'would be' if report.dry_run else 'were'} {counts}.")
        if difference.gone:
            show(f"{counted(difference.gone, 'copy', 'copies')} to be removed were no longer there.")
        if report.dry_run and not report.replaces:
            show("Say --replace where it is a newer export of the same cards, --again to add its cards a second time.")
        return
    added = counted(report.added, "copy", "copies")
    show(f"{added} {would}added{'' if report.added else '; nothing is changed'}.")


def show_difference(difference: "Difference", *, would: bool) -> None:
    """Print which copies a newer export has more, has no more, or has as another kind or in another place."""
    for one in difference.files:
        show(f"In place of {one.name}, imported {one.imported[:16].replace('T', ' ')}:")
    if not difference.files:
        show("In place of what you own:" if not would else "In place of what you own it would bring:")
    if not difference.changes:
        show("the same copies.")
        return
    shown = sorted(difference.changes, key=lambda change: _ORDER.index(change.what))[:MOST_SHOWN]
    show_table(_CHANGES, [(one.what, one.copies, one.name, one.card_id, _kinds(one)) for one in shown])
    more = len(difference.changes) - MOST_SHOWN
    if more > 0:
        show(f"… and {more:,} more: --dry-run --replace --json has all of them.")


_ORDER: Final = ("removed", "changed", "added")


def _kinds(change: "CopyChange") -> str:
    """The kind of copies that come or go, or only what of it changed."""
    before, now = change.before, change.now
    if before is None or now is None:
        kind = now or before
        return "" if kind is None else ", ".join(_words(kind))
    was = [word for word in _words(before) if word not in _words(now)]
    becomes = [word for word in _words(now) if word not in _words(before)]
    return f"{', '.join(was) or 'nothing said'} → {', '.join(becomes) or 'nothing said'}"


def _words(kind: "CopyKey") -> list[str]:
    return [word for word in (kind.finish, kind.condition, kind.language, str(kind.place)) if word]


def show_doubts(entries: Sequence["ReportRow"], reasons: Mapping[str, int], *, all_of_them: str) -> None:
    """Print the first rows that were not matched for certain, and why how many were not."""
    if not entries:
        show("No row is in doubt.")
        return
    most = MOST_OF_A_ROW if on_terminal() else None
    show_table(
        _DOUBTS,
        [
            (one.line, one.outcome, one.reason, one.card or " ".join(one.candidates), _beginning(one.raw, most))
            for one in entries[:MOST_SHOWN]
        ],
    )
    more = len(entries) - MOST_SHOWN
    if more > 0:
        show(f"… and {more:,} more: {all_of_them}.")
    show("")
    frequent = list(reasons.items())[:MOST_REASONS]
    rest = sum(reasons.values()) - sum(count for _, count in frequent)
    rows = [*frequent, *([(f"{len(reasons) - len(frequent)} other reasons", rest)] if rest else [])]
    show_table([Column("why", wrap=True), Column("rows", "right")], rows)


def _beginning(text: str, most: int | None) -> str:
    """A text that is cut after so many cells; where the card's name stands in rows, nearly always."""
    return text if most is None else shorten(shown(text), most)


def show_all_doubts(entries: Sequence["ReportRow"], files: Mapping[int, str]) -> None:
    """Print rows in doubt, reasons with counts, and last how many rows of which files there are."""
    show_doubts(entries, reasons_of(entries), all_of_them="--json, or -o FILE")
    rows = Counter(entry.doubt.file_id for entry in entries if entry.doubt is not None)
    outcomes = Counter(entry.outcome for entry in entries)
    if not entries:
        return
    show("")
    if len(rows) > 1:
        table = [(files.get(number, ""), count) for number, count in rows.items()]
        show_table([Column("file", wrap=True), Column("rows", "right")], table)
        show("")
    show(f"{counted(len(entries), 'row')} in doubt: {outcomes['fuzzy']:,} fuzzy, {outcomes['missed']:,} missed.")


def doubts_json(entries: Sequence["ReportRow"], files: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """Rows in doubt for scripts, each with its number and its file."""
    for entry in entries:
        if entry.doubt is not None:
            yield {**entry.to_dict(), "number": entry.doubt.id, "file": files.get(entry.doubt.file_id)}


def show_settled(settled: "Settled", *, confirmed: bool) -> None:
    """Print what became of rows in doubt."""
    more = [f"{counted(settled.added, 'copy', 'copies')} added"] if settled.added else []
    more += [f"{counted(settled.removed, 'copy', 'copies')} taken out again"] if settled.removed else []
    what = "confirmed" if confirmed else "dropped"
    show("; ".join([f"{counted(settled.rows, 'row')} {what}", *more]) + ".")
    if settled.left:
        left = counted(settled.left, "row")
        show(f"{left} left: a missed row is confirmed with --outcome missed, where it has a single candidate.")
