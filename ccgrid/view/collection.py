"""Tables of what a person owns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ccgrid.view.output import Column, show, show_table
from ccgrid.view.words import counted

if TYPE_CHECKING:
    from catalog.collection.pulls import Pull
    from catalog.collection.session import EntrySession
    from catalog.collection.upstream import Finding
    from catalog.decks.listed import Problem
    from catalog.holding import Holding
    from catalog.store.holdings import DeckOut

_HOLDINGS: Final = (
    Column("copies", "right"),
    Column("name", wrap=True),
    Column("set", wrap=True),
    Column("number"),
    Column("kind", wrap=True),
    Column("place", wrap=True),
    Column("id", wrap=True, spare=1),
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
    """Finish, condition and language, as far as they are not the usual, and the note."""
    finish = "" if holding.finish == "normal" else holding.finish
    language = "" if holding.language == "en" else holding.language
    note = f'"{holding.note}"' if holding.note else ""
    return " ".join(part for part in (finish, holding.condition, language, note) if part)


def place_in_words(holding: "Holding") -> str:
    """Where copies are, and how many of them are out in decks."""
    out = f"{holding.out} out in decks" if holding.out else ""
    return "; ".join(part for part in (str(holding.place), out) if part)


def show_added(holding: "Holding", copies: int) -> None:
    """Say what was added, and how many there are now."""
    kind, place = kind_in_words(holding), place_in_words(holding)
    printed = f"{holding.game} {holding.set_code} {holding.number}".rstrip()
    more = ", ".join(part for part in (printed, kind, place) if part)
    show(f"Added {copies} {holding.name} ({more}). You have {holding.copies}.")


def show_taken(what: str, plan: Sequence[tuple["Holding", int]], preposition: str = "from") -> None:
    """Say from where how many copies were taken, or in which place they were changed."""
    for holding, copies in plan:
        where = f" {preposition} {holding.place}" if any(holding.place) else ""
        show(f"{what} {counted(copies, 'copy', 'copies')} of {holding.name} ({holding.card_id}){where}.")
    if not plan:
        show("Nothing to do.")


def taken_json(plan: Sequence[tuple["Holding", int]]) -> Iterator[dict[str, Any]]:
    """The documented lines of what was taken or moved: the holdings as they were, and of each how many copies."""
    return ({**holding.to_dict(), "copies": copies} for holding, copies in plan)


def show_session(session: "EntrySession") -> None:
    """Print what a session of entering cards added."""
    lines = counted(len(session.entered), "line")
    beside = [f"{session.undone} taken back"] if session.undone else []
    beside += [f"{counted(session.failed, 'line')} not understood"] if session.failed else []
    show(", ".join([f"Added {counted(session.copies, 'copy', 'copies')} in {lines}", *beside]) + ".")


def show_pull(deck: str, pull: "Pull", unknown: Sequence["Problem"], *, out: bool) -> None:
    """Print where the cards of a deck are, box by box, which are missing, and which nobody knows."""
    if pull.found:
        show_table(
            [
                Column("place", wrap=True),
                Column("copies", "right"),
                Column("name", wrap=True),
                Column("game"),
                Column("set", wrap=True),
                Column("kind", wrap=True, spare=1),
            ],
            [
                (str(one.place), copies, one.name, one.game, f"{one.set_code} {one.number}".strip(), kind_in_words(one))
                for one, copies in pull.found
            ],
        )
    for taken, card in pull.instead.items():
        show(f"Other numbers: {taken} stands in for {card.name} ({card.id}).")
    for card, count in pull.missing:
        show(f"Missing: {count} {card.name} ({card.id or card.game}).")
    for problem in unknown:
        show(f"Unknown: {problem.reason}")
    copies = counted(sum(count for _, count in pull.found), "copy", "copies")
    show("", f"{deck}: {copies} {'marked as out' if out else 'to take'}.")


def pull_json(deck: str, pull: "Pull", unknown: Sequence["Problem"]) -> dict[str, Any]:
    """A pull list for scripts; `instead_of` is the card for which a printing with other numbers stands in."""
    instead = {taken: card.id for taken, card in pull.instead.items()}
    return {
        "deck": deck,
        "found": [
            {**one.to_dict(), "copies": copies, "instead_of": instead.get(one.card_id)} for one, copies in pull.found
        ],
        "missing": [
            {"id": card.id, "name": card.name, "game": card.game, "copies": count} for card, count in pull.missing
        ],
        "unknown": [problem.to_dict() for problem in unknown],
    }


def out_json(one: "DeckOut") -> dict[str, Any]:
    """The documented shape of copies that are out in a deck."""
    return {**one.holding.to_dict(), "deck": one.deck, "copies": one.copies}


def show_out(found: Sequence["DeckOut"]) -> None:
    """Print copies that are out in decks, and where they belong."""
    if not found:
        show("No deck is out.")
        return
    show_table(
        [
            Column("deck", wrap=True),
            Column("copies", "right"),
            Column("name", wrap=True),
            Column("game"),
            Column("belongs to", wrap=True),
        ],
        [(one.deck, one.copies, one.holding.name, one.holding.game, str(one.holding.place)) for one in found],
    )


def show_stats(stats: Mapping[str, Any]) -> None:
    """Print what one owns, by game and zone, and how many decks it makes."""
    show_table(
        [Column("game"), Column("copies", "right"), Column("cards", "right"), Column("legal copies", "right")],
        [(game["game"], game["copies"], game["cards"], game["legal"]) for game in stats["games"]],
    )
    show("")
    show_table(
        [Column("zone"), Column("legal copies with a number there", "right", wrap=True)],
        [(zone, stats["zones"][zone]) for zone in stats["zones"]],
    )
    if stats["rare_zones"]:
        show("", f"Rare: {', '.join(stats['rare_zones'])}.")
    show("", f"Different legal decks of 20: {magnitude(stats['decks'])}.")


def magnitude(number: int) -> str:
    """A whole number, about and in powers of ten where it is long.

    >>> magnitude(12345), magnitude(10**30)
    ('12,345', 'about 1.0 × 10^30')
    """
    digits = str(number)
    return f"{number:,}" if len(digits) <= 15 else f"about {digits[0]}.{digits[1]} × 10^{len(digits) - 1}"


def show_findings(found: Sequence["Finding"], *, applied: bool) -> None:
    """Print which owned cards are not what they were."""
    if not found:
        show("All your cards are in the catalogue as you have them.")
        return
    show_table(
        [
            Column("copies", "right"),
            Column("name", wrap=True),
            Column("id", wrap=True, spare=1),
            Column("what", wrap=True),
        ],
        [(one.holding.copies, one.holding.name, one.holding.card_id, one.reason) for one in found],
    )
    gone = sum(one.card is None for one in found)
    known = len(found) - gone
    show("", f"{counted(len(found), 'entry', 'entries')} changed upstream.")
    if gone:
        show(f"{counted(gone, 'entry', 'entries')} gone from the catalogue; your copies stay in the collection.")
    if known:
        show(
            f"{counted(known, 'change')} noted."
            if applied
            else "Note what changed with: ccgrid collection verify --apply"
        )
