"""Tables of what a person owns, and reports on files that were imported."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ccgrid.view.output import Column, remark, show, show_table
from ccgrid.view.words import counted

if TYPE_CHECKING:
    from catalog.collection_import import Entry, Report
    from catalog.collection_session import Session
    from catalog.holdings import Holding

MOST_SHOWN: Final = 20
"""How many rows in doubt a report shows."""
_HOLDINGS: Final = (
    Column("copies", "right"),
    Column("name", wrap=True),
    Column("set", wrap=True),
    Column("number"),
    Column("kind", wrap=True),
    Column("place", wrap=True),
    Column("id"),
)


def show_holdings(holdings: Sequence["Holding"]) -> None:
    """Print a table of holdings and how many they are."""
    if not holdings:
        show("Nothing.")
        return
    show_table(
        _HOLDINGS,
        [
            (one.copies, one.name, one.set_code, one.number, kind_in_words(one), place_in_words(one), one.card_id)
            for one in holdings
        ],
    )
    copies = counted(sum(one.copies for one in holdings), "copy", "copies")
    show("", f"{copies} in {counted(len(holdings), 'entry', 'entries')}.")


def kind_in_words(holding: "Holding") -> str:
    """Finish, condition and language, as far as they are not the usual."""
    finish = "" if holding.finish == "normal" else holding.finish
    language = "" if holding.language == "en" else holding.language
    return " ".join(part for part in (finish, holding.condition, language) if part)


def place_in_words(holding: "Holding") -> str:
    """Where copies are, and how many of them are out in decks."""
    out = f"{holding.out} out in decks" if holding.out else ""
    return "; ".join(part for part in (str(holding.place), out) if part)


def show_added(holding: "Holding", copies: int) -> None:
    """Say what was added, and how many there are now."""
    kind, place = kind_in_words(holding), place_in_words(holding)
    more = ", ".join(part for part in (f"{holding.set_code} {holding.number}".strip(), kind, place) if part)
    show(f"Added {copies} {holding.name} ({more}). You have {holding.copies}.")


def show_taken(what: str, plan: Sequence[tuple["Holding", int]]) -> None:
    """Say from where how many copies were taken."""
    for holding, copies in plan:
        where = f" from {holding.place}" if any(holding.place) else ""
        show(f"{what} {counted(copies, 'copy', 'copies')} of {holding.name} ({holding.card_id}){where}.")
    if not plan:
        show("Nothing to do.")


def show_report(report: "Report", corrections: Path | None) -> None:
    """Print what an import did: counts that add up, and the rows that were not certain."""
    if report.known is not None:
        show(f"{report.file} was imported before ({report.known}).", "")
    else:
        show(f"{report.file}: {report.title} ({report.written}).", "")
    outcomes = report.outcomes
    matched = [(how, outcomes[how]) for how in ("id", "number", "name")]
    named = {"id": "matched by id", "number": "matched by set and number", "name": "matched by name"}
    rows = [(named[how], count) for how, count in matched]
    rows += [("matched, but not for certain", outcomes["fuzzy"]), ("missed", outcomes["missed"])]
    rows += [("skipped", outcomes["skipped"]), ("rows in all", report.rows)]
    show_table([Column("rows", "left"), Column("", "right")], rows)
    would = "would be " if report.dry_run else ""
    show("", f"{counted(report.added, 'copy', 'copies')} {would}added{'' if report.added else '; nothing is changed'}.")
    if report.settled:
        show(f"{counted(report.settled, 'row')} in doubt {would}settled.")
    if report.unsure:
        show(
            f"{counted(report.unsure, 'row')} did not say which printing; the earliest that may be in a deck was taken."
        )
    if report.unused:
        show(f"Not kept: {', '.join(report.unused)}.")
    if report.entries:
        show("")
        show_doubts(report.entries[:MOST_SHOWN])
        more = len(report.entries) - MOST_SHOWN
        if more > 0:
            show(f"… and {more:,} more: --json has all of them.")
    if corrections is not None:
        remark(
            f"The rows in doubt are written to {corrections}. Correct it, then: ccgrid collection import {corrections}"
        )


def show_doubts(entries: Sequence["Entry"]) -> None:
    """Print rows that were not matched for certain, and why."""
    if not entries:
        show("No row is in doubt.")
        return
    show_table(
        [
            Column("line", "right"),
            Column("outcome"),
            Column("why", wrap=True),
            Column("card or candidates", wrap=True),
            Column("row", wrap=True),
        ],
        [
            (entry.line, entry.outcome, entry.reason, entry.card or " ".join(entry.candidates), entry.raw)
            for entry in entries
        ],
    )


def show_session(session: "Session") -> None:
    """Print what a session of entering cards added."""
    lines = counted(len(session.entered), "line")
    beside = [f"{session.undone} taken back"] if session.undone else []
    beside += [f"{counted(session.failed, 'line')} not understood"] if session.failed else []
    show(", ".join([f"Added {counted(session.copies, 'copy', 'copies')} in {lines}", *beside]) + ".")
