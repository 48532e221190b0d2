"""Views of the collection: holdings, boxes, decks, sets and trades."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, cast

from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.formatting import counted
from ccgrid.view.output import OutputColumn, can_draw, show, show_table
from ccgrid.view.reasons import reason_text

if TYPE_CHECKING:
    from ccgrid.catalog.collection.audit import AuditReport
    from ccgrid.catalog.collection.boxes import Box
    from ccgrid.catalog.collection.entry_session import EntrySession
    from ccgrid.catalog.collection.pulls import OwnedStats, Pull
    from ccgrid.catalog.collection.upstream import SourceChange
    from ccgrid.catalog.decks import Problem
    from ccgrid.catalog.holding import Holding
    from ccgrid.catalog.store.holdings import DeckOut
    from ccgrid.catalog.store.set_counts import SetCount

_HOLDINGS: Final = (
    OutputColumn("copies", "right"),
    OutputColumn("name", wrap=True),
    OutputColumn("set", wrap=True),
    OutputColumn("number"),
    OutputColumn("kind", wrap=True),
    OutputColumn("place", wrap=True),
    OutputColumn("id", wrap=True, spare=1),
)


def show_holdings(holdings: Sequence["Holding"], reasons: Mapping[str, str | None] | None = None) -> None:
    """Print a table of holdings and their number.

    With `reasons`, why cards are not legal by id (None if they are), it has columns for that.
    """
    if not holdings:
        show("No cards.")
        return
    legality = (OutputColumn("legal"), OutputColumn("reason", wrap=True)) if reasons is not None else ()
    show_table(
        (*_HOLDINGS, *legality),
        [
            (
                *(one.copies, one.name, one.set_code, one.number, kind_in_words(one), place_in_words(one), one.card_id),
                *(() if reasons is None else _legality(one.card_id, reasons)),
            )
            for one in holdings
        ],
    )
    copies = counted(sum(one.copies for one in holdings), "copy", "copies")
    show("", f"{copies} in {counted(len(holdings), 'entry', 'entries')}.")


def _legality(card_id: str, reasons: Mapping[str, str | None]) -> tuple[str, str]:
    """Return whether a card is legal in decks, and why not; empty if the catalogue does not have it."""
    if card_id not in reasons:
        return "", ""
    reason = reasons[card_id]
    return ("yes", "") if reason is None else ("no", reason_text(reason))


def kind_in_words(holding: "Holding") -> str:
    """Describe a kind of copies: unusual finish and language, condition, note and details."""
    finish = "" if holding.finish == "normal" else holding.finish
    language = "" if holding.language == "en" else holding.language
    note = f'"{holding.note}"' if holding.note else ""
    known = "" if holding.details == NO_DETAILS else str(holding.known)  # as of most
    return " ".join(part for part in (finish, holding.condition, language, note, known) if part)


def place_in_words(holding: "Holding") -> str:
    """Describe the location of copies, and how many are out in decks."""
    out = f"{holding.out} out in decks" if holding.out else ""
    return "; ".join(part for part in (str(holding.place), out) if part)


def show_added(holding: "Holding", copies: int) -> None:
    """Print what was added, and the new number of copies."""
    kind, place = kind_in_words(holding), place_in_words(holding)
    printed = f"{holding.game} {holding.set_code} {holding.number}".rstrip()
    more = ", ".join(part for part in (printed, kind, place) if part)
    show(f"Added {copies} {holding.name} ({more}). You have {holding.copies}.")


def show_taken(what: str, plan: Sequence[tuple["Holding", int]], preposition: str = "from") -> None:
    """Print how many copies were taken from each place, or changed in it."""
    for holding, copies in plan:
        where = f" {preposition} {holding.place}" if any(holding.place) else ""
        show(f"{what} {counted(copies, 'copy', 'copies')} of {holding.name} ({holding.card_id}){where}.")
    if not plan:
        show("Nothing to do.")


def show_session(session: "EntrySession") -> None:
    """Print what a session of entering cards added."""
    lines = counted(len(session.entered), "line")
    beside = [f"{session.undone} undone"] if session.undone else []
    beside += [f"{counted(session.failed, 'line')} skipped"] if session.failed else []
    show(", ".join([f"Added {counted(session.copies, 'copy', 'copies')} in {lines}", *beside]) + ".")


def show_audit(report: "AuditReport") -> None:
    """Print what an audit found."""
    for one in report.missing:
        show(f"Missing: {one.copies} {one.name} ({one.id}), {one.location or ''}.")
    for moved in report.moved:
        show(f"Elsewhere: {moved.copies} {moved.name} ({moved.id}), in {moved.to}, not in {moved.location or ''}.")
    for found in report.found:
        show(f"Found: {found.copies} {found.name} ({found.id}), in {found.location}.")
    gone = sum(one.copies for one in report.missing)
    others = f", {len(report.moved)} elsewhere, {len(report.found)} found" if report.moved or report.found else ""
    show(f"{counted(report.there, 'copy', 'copies')} there, {gone:,} missing{others}.")


def show_pull(deck: str, pull: "Pull", unknown: Sequence["Problem"], *, out: bool) -> None:
    """Print where the cards of a deck are, box by box, and which are missing or unknown."""
    if pull.found:
        show_table(
            [
                OutputColumn("place", wrap=True),
                OutputColumn("copies", "right"),
                OutputColumn("name", wrap=True),
                OutputColumn("game"),
                OutputColumn("set", wrap=True),
                OutputColumn("kind", wrap=True, spare=1),
            ],
            [
                (str(one.place), copies, one.name, one.game, f"{one.set_code} {one.number}".strip(), kind_in_words(one))
                for one, copies in pull.found
            ],
        )
    for taken, card in pull.instead.items():
        show(f"Other numbers: {taken} replaces {card.name} ({card.id}).")
    for card, count in pull.missing:
        show(f"Missing: {count} {card.name} ({card.id or card.game}).")
    for problem in unknown:
        show(f"Unknown: {problem.reason}")
    copies = counted(sum(count for _, count in pull.found), "copy", "copies")
    show("", f"{deck}: {copies} {'marked as out' if out else 'to take'}.")


def show_out(found: Sequence["DeckOut"]) -> None:
    """Print the copies that are out in decks, and where they belong."""
    if not found:
        show("No deck is out.")
        return
    show_table(
        [
            OutputColumn("deck", wrap=True),
            OutputColumn("copies", "right"),
            OutputColumn("name", wrap=True),
            OutputColumn("game"),
            OutputColumn("belongs to", wrap=True),
        ],
        [(one.deck, one.copies, one.holding.name, one.holding.game, str(one.holding.place)) for one in found],
    )


def show_collection_stats(stats: "OwnedStats") -> None:
    """Print the owned cards by game and zone, and the number of possible decks."""
    show_table(
        [
            OutputColumn("game"),
            OutputColumn("copies", "right"),
            OutputColumn("cards", "right"),
            OutputColumn("legal copies", "right"),
        ],
        [(game.game, game.copies, game.cards, game.legal) for game in stats.games],
    )
    show("")
    show_table(
        [OutputColumn("zone"), OutputColumn("legal copies with a number there", "right", wrap=True)],
        list(cast("dict[str, int]", stats.zones).items()),
    )
    if stats.rare_zones:
        show("", f"Rare: {', '.join(stats.rare_zones)}.")
    show("", f"Different legal decks of 20: {magnitude(stats.decks)}.")


def magnitude(number: int) -> str:
    """Format a whole number; as a power of ten if it is long.

    >>> magnitude(12345), magnitude(10**30)
    ('12,345', 'about 1.0 × 10^30')
    """
    digits = str(number)
    return f"{number:,}" if len(digits) <= 15 else f"about {digits[0]}.{digits[1]} × 10^{len(digits) - 1}"


def show_findings(found: Sequence["SourceChange"], *, applied: bool) -> None:
    """Print which owned cards are not what they were."""
    if not found:
        show("All your cards match the catalogue.")
        return
    show_table(
        [
            OutputColumn("copies", "right"),
            OutputColumn("name", wrap=True),
            OutputColumn("id", wrap=True, spare=1),
            OutputColumn("what", wrap=True),
        ],
        [(one.copies, one.name, one.id, one.reason) for one in found],
    )
    gone = sum(one.card is None for one in found)
    known = len(found) - gone
    show("", f"{counted(len(found), 'entry', 'entries')} changed in their sources.")
    if gone:
        show(f"{counted(gone, 'entry', 'entries')} gone from the catalogue; your copies stay in the collection.")
    if known:
        show(
            f"{counted(known, 'change')} recorded."
            if applied
            else "To record the changes: ccgrid collection verify --apply"
        )


def show_boxes(boxes: Sequence["Box"]) -> None:
    """Print what is in which box, and last how much there is in all."""
    if not boxes:
        show("No boxes.")
        return
    show_table(
        [
            OutputColumn("box", wrap=True),
            OutputColumn("copies", "right"),
            OutputColumn("cards", "right"),
            OutputColumn("out", "right"),
        ],
        [(box.name or "in no box", box.copies, box.cards, box.out or None) for box in boxes],
    )
    copies = counted(sum(box.copies for box in boxes), "copy", "copies")
    show("", f"{copies} in {counted(sum(bool(box.name) for box in boxes), 'box', 'boxes')} and outside boxes.")


def show_box_change(inside: Sequence[tuple["Holding", int]], what: str) -> None:
    """Say what became of the cards of a box."""
    copies = sum(count for _, count in inside)
    show(f"{counted(copies, 'copy', 'copies')} {'is' if copies == 1 else 'are'} {what}.")


_BAR: Final = 20
_SETS: Final = (
    OutputColumn("game"),
    OutputColumn("set", wrap=True),
    OutputColumn("code"),
    OutputColumn("owned", "right"),
    OutputColumn("of", "right"),
    OutputColumn("", spare=1),
    OutputColumn("copies", "right", spare=2),
)


def show_sets(counts: Sequence["SetCount"]) -> None:
    """Print how much of each set is owned, with a bar."""
    if not counts:
        show("You own no card of any set yet.")
        return
    show_table(
        _SETS,
        [
            (one.game, one.set_name, one.set_code, one.owned, one.cards, bar(one.owned, one.cards), one.copies)
            for one in counts
        ],
    )
    whole = sum(one.owned == one.cards for one in counts)
    show("", f"{counted(len(counts), 'set')}, {whole:,} complete.")


def bar(part: int, whole: int) -> str:
    """Format a share as a bar and a percentage; the bar is full or empty only for all or nothing."""
    filled = min(_BAR - 1, max(1, round(_BAR * part / whole))) if 0 < part < whole else _BAR * (part == whole)
    full, empty = ("█", "░") if can_draw() else ("#", ".")
    return f"{full * filled}{empty * (_BAR - filled)} {100 * part // whole:3} %"


def show_missing(counts: Sequence["SetCount"], missing: Sequence["Holding"]) -> None:
    """Print the collector numbers that each set lacks, and their count."""
    names = {(one.game, one.set_code): one for one in counts}
    for key, cards in groupby(missing, key=lambda one: (one.game, one.set_code)):
        found = list(cards)
        of_set = names.get(key)
        whole = f" of {of_set.cards:,}" if of_set else ""
        show(f"{found[0].set_name or found[0].set_code} ({key[1]}), {len(found):,}{whole} missing:")
        show(f"  {', '.join(numbers_in_words([one.number or one.name for one in found]))}", "")
    if not missing:
        show("Nothing is missing.")


def numbers_in_words(numbers: Sequence[str]) -> Iterator[str]:
    """Yield numbers in their order, consecutive ones as a range.

    >>> list(numbers_in_words(["1", "2", "3", "5", "7a", "8", "9"]))
    ['1-3', '5', '7a', '8', '9']
    """
    for _, run in groupby(enumerate(numbers), key=lambda pair: int(pair[1]) - pair[0] if pair[1].isdecimal() else pair):
        found = [number for _, number in run]
        yield from [f"{found[0]}-{found[-1]}"] if len(found) > _SHORTEST_RANGE else found


_SHORTEST_RANGE: Final = 2


def show_trade(give: Sequence["Holding"], take: Sequence["Holding"] | None) -> None:
    """Print the cards to give, and those to receive unless they are unknown."""
    show("You could give:", "")
    show_holdings(give)
    if take is not None:
        show("", "They could give:", "")
        show_holdings(take)
