"""Views of imports into the collection: reports, differences from earlier files, and rows without a certain match.

The sentences that say why a row has no certain match come from `catalog/matching/resolver.py`.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ccgrid.catalog.clock import local_minute
from ccgrid.catalog.collection.doubts import kind_of_reason, reasons_of
from ccgrid.catalog.details import parse_details
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.matching.resolver import UNKNOWN
from ccgrid.view.output import OutputColumn, is_on_terminal, printable, remark, show, show_table
from ccgrid.view.text import shorten

if TYPE_CHECKING:
    from ccgrid.catalog.collection.doubts import ImportReport, ReportRow, SettledDoubts
    from ccgrid.catalog.collection.newer import CopyChange, Difference
    from ccgrid.catalog.store.holdings import CopyKey

MOST_SHOWN: Final = 20
"""How many uncertain rows, and how many changes, are shown one by one."""
MOST_OF_A_KIND: Final = 3
"""How many uncertain rows are shown of each kind of reason."""
MOST_SETS: Final = 5
"""How many unknown sets are named, the most frequent first."""
MOST_REASONS: Final = 12
MOST_OF_A_ROW: Final = 60
"""The width of an uncertain row on a terminal, in cells."""
_MATCHED: Final = {"id": "matched by id", "number": "matched by set and number", "name": "matched by name"}

_CHANGES: Final = (
    OutputColumn(""),
    OutputColumn("copies", "right"),
    OutputColumn("name", wrap=True),
    OutputColumn("id", wrap=True, spare=1),
    OutputColumn("kind", wrap=True),
)
_DOUBTS: Final = (
    OutputColumn("line", "right"),
    OutputColumn("outcome", spare=1),
    OutputColumn("why", wrap=True),
    OutputColumn("card or candidates", wrap=True, spare=2),
    OutputColumn("row", wrap=True),
)


def show_report(report: "ImportReport", corrections: Path | None) -> None:
    """Print what an import did: the rows that were not certain, the reasons, and last the counts, which add up."""
    if report.known is not None:
        show(f"{report.file} was imported before, on {local_minute(report.known)}.", "")
    else:
        show(f"{report.file}: {report.title} ({report.written}).", "")
    if report.unused:
        show(f"Columns ignored: {', '.join(report.unused)}.", "")
    if report.entries:
        # A file of corrections has no rows that are in order, such as those without copies.
        in_file = all(entry.is_correctable for entry in report.entries)
        show_doubts(report.entries, all_of_them="--json, or --corrections FILE" if in_file else "--json")
        show("")
    if report.difference is not None:
        show_difference(report.difference, would=report.dry_run)
        show("")
    _show_counts(report)
    _show_totals(report)
    if corrections is not None:
        then = f"ccgrid collection import {shell_word(corrections)}"
        if any(entry.is_correctable for entry in report.entries):
            remark(f"The rows to correct are written to {corrections}. Correct it, then: {then}")
        else:
            remark(f"No row is to be corrected, so {corrections} has only headings.")


def _show_counts(report: "ImportReport") -> None:
    outcomes = report.outcomes
    rows = [(_MATCHED[how], outcomes[how]) for how in _MATCHED]
    rows += [("similar, not added", outcomes["fuzzy"]), ("missed", outcomes["missed"])]
    rows += [("skipped", outcomes["skipped"]), ("rows in all", report.rows)]
    show_table([OutputColumn("rows", "left"), OutputColumn("", "right")], rows)
    show("")


def _show_totals(report: "ImportReport") -> None:
    would = "would be " if report.dry_run else ""
    if report.unsure:
        show(f"{counted(report.unsure, 'row')} did not name a printing; the earliest ordinary one was used.")
        if report.differing:
            show(f"For {report.differing:,} of them, other printings have other numbers.")
    if latest := report.latest:
        from ccgrid.catalog.sources import all_sources  # loads what reads them

        what = "names a set or an id" if report.unknown == 1 else "name sets or ids"
        known = any(source.name == latest.source and source.address for source in all_sources())
        fetch = f" To fetch newer ones: ccgrid import {latest.source}" if known else ""
        show(f"{counted(report.unknown, 'missed row')} {what} that the catalogue does not have.")
        show(f"Its {latest.game} cards end on {latest.released}.{fetch}")
    if report.other_printings:
        verb = "is" if report.other_printings == 1 else "are"
        show(f"{counted(report.other_printings, 'row')} {verb} matched in another printing.")
    if fuzzy := report.outcomes["fuzzy"]:
        verb = "is" if fuzzy == 1 else "are"
        show(
            f"{counted(fuzzy, 'row')} {verb} not certain, and nothing is added for {'it' if fuzzy == 1 else 'them'} "
            "until you confirm: ccgrid collection doubts --confirm"
        )
    if report.any_printing:
        verb = "has a match" if report.any_printing == 1 else "have matches"
        show(f"{counted(report.any_printing, 'missed row')} {verb} in another printing: add --any-printing to use it.")
    if report.of_games:
        verb = "may be a card" if report.of_games == 1 else "may be cards"
        show(f"{counted(report.of_games, 'missed row')} {verb} of several games: choose one with --game.")
    if report.settled:
        show(f"{counted(report.settled, 'uncertain row')} {would}settled.")
    difference = report.difference
    if difference is not None:
        added, removed, changed = (difference.copies(what) for what in ("added", "removed", "changed"))
        copies = counted(changed, "copy", "copies")
        if report.dry_run:
            show(f"Would add {added:,}, remove {removed:,} and change {copies}.")
        else:
            show(f"Added {added:,}, removed {removed:,} and changed {copies}.")
        if difference.gone:
            show(f"{counted(difference.gone, 'copy', 'copies')} to remove were already gone.")
        if report.dry_run and not report.replaces:
            show("For a newer export of the same cards use --replace. To add the cards again use --again.")
        return
    copies = counted(report.added, "copy", "copies")
    show(f"{copies} {would}added{'' if report.added else '; nothing changed'}.")


def show_difference(difference: "Difference", *, would: bool) -> None:
    """Print which copies a newer export has more, has no more, or has as another kind or in another place."""
    for one in difference.files:
        show(f"Replacing {one.name}, imported {local_minute(one.imported)}:")
    if not difference.files:
        show("Replacing your collection:" if not would else "Replacing your collection would change:")
    if not difference.changes:
        show("nothing; the copies are the same.")
        return
    shown = sorted(difference.changes, key=lambda change: _ORDER.index(change.what))[:MOST_SHOWN]
    show_table(_CHANGES, [(one.what, one.copies, one.name, one.card_id, _kinds(one)) for one in shown])
    more = len(difference.changes) - MOST_SHOWN
    if more > 0:
        show(f"… and {more:,} more: --dry-run --replace --json has all of them.")


_ORDER: Final = ("removed", "changed", "added")


def _kinds(change: "CopyChange") -> str:
    """Describe the kind of added or removed copies, or what of it changed."""
    before, now = change.before, change.now
    if before is None or now is None:
        kind = now or before
        return "" if kind is None else ", ".join(_words(kind))
    was = [word for word in _words(before) if word not in _words(now)]
    becomes = [word for word in _words(now) if word not in _words(before)]
    return f"{', '.join(was) or 'not given'} → {', '.join(becomes) or 'not given'}"


def _words(kind: "CopyKey") -> list[str]:
    words = (kind.finish, kind.condition, kind.language, str(kind.place), kind.note, str(parse_details(kind.details)))
    return [word for word in words if word]


def show_doubts(entries: Sequence["ReportRow"], *, all_of_them: str) -> None:
    """Print some rows of each kind that were not matched for certain, and why how many were not."""
    if not entries:
        show("No row is uncertain.")
        return
    most, examples = MOST_OF_A_ROW if is_on_terminal() else None, _examples(entries)
    show_table(
        _DOUBTS,
        [
            (one.line, one.outcome, one.reason, one.card or " ".join(one.candidates), _beginning(one.raw, most))
            for one in examples
        ],
    )
    more = len(entries) - len(examples)
    if more > 0:
        show(f"… and {more:,} more: {all_of_them}.")
    show("")
    reasons = reasons_of(entries)
    frequent = list(reasons.items())[:MOST_REASONS]
    rest = sum(reasons.values()) - sum(count for _, count in frequent)
    rows = [*frequent, *([(f"{len(reasons) - len(frequent)} other reasons", rest)] if rest else [])]
    show_table([OutputColumn("why", wrap=True), OutputColumn("rows", "right")], rows)
    if sets := Counter(found[1] for one in entries if (found := _NO_SET.match(one.reason))):
        named = ", ".join(f"{printable(code)} ({count:,})" for code, count in sets.most_common(MOST_SETS))
        others = f" and {counted(len(sets) - MOST_SETS, 'other')}" if len(sets) > MOST_SETS else ""
        show("", f"Unknown sets: {named}{others}.")


_NO_SET: Final = re.compile(re.escape(f"{UNKNOWN}set ") + r"['\"](.*?)['\"](?:;|$)")


def _examples(entries: Sequence["ReportRow"]) -> list["ReportRow"]:
    """Return the first rows of each kind of reason, in the order of the file."""
    kinds: Counter[str] = Counter()
    examples: list[ReportRow] = []
    for entry in entries:
        kind = kind_of_reason(entry.reason)
        kinds[kind] += 1
        if kinds[kind] <= MOST_OF_A_KIND:
            examples.append(entry)
        if len(examples) == MOST_SHOWN:
            break
    return examples


def _beginning(text: str, most: int | None) -> str:
    """Cut a text to a number of cells; nearly always the name of the card is within them."""
    return text if most is None else shorten(printable(text), most)


def show_all_doubts(entries: Sequence["ReportRow"], files: Mapping[int, str]) -> None:
    """Print the uncertain rows, their reasons with counts, and the number of rows of each file."""
    show_doubts(entries, all_of_them="--json, or -o FILE")
    rows = Counter(entry.doubt.file_id for entry in entries if entry.doubt is not None)
    outcomes = Counter(entry.outcome for entry in entries)
    if not entries:
        return
    show("")
    if len(rows) > 1:
        table = [(files.get(number, ""), count) for number, count in rows.items()]
        show_table([OutputColumn("file", wrap=True), OutputColumn("rows", "right")], table)
        show("")
    show(f"{counted(len(entries), 'uncertain row')}: {outcomes['fuzzy']:,} fuzzy, {outcomes['missed']:,} missed.")


def show_settled(settled: "SettledDoubts", what: str) -> None:
    """Print what became of uncertain rows, such as "confirmed"."""
    more = [f"{counted(settled.added, 'copy', 'copies')} added"] if settled.added else []
    show("; ".join([f"{counted(settled.rows, 'row')} {what}", *more]) + ".")
    for why, count in settled.left.items():
        show(f"{counted(count, 'row')} left, {why}.")
