"""Tables of cards, of sources and of imports."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ccgrid.catalog.card import short_reason
from ccgrid.catalog.runtime import local_minute
from ccgrid.view.output import Column, show, show_table
from ccgrid.view.text import ZONE_LETTERS, counted

if TYPE_CHECKING:
    from ccgrid.catalog.card import Card
    from ccgrid.catalog.custom_card import Correction
    from ccgrid.catalog.store.ledger import Deed, ImportEntryJson

_CARDS: Final = (
    Column("id", whole=True),
    Column("name", wrap=True),
    Column("set", wrap=True, spare=3),
    Column("numbers", wrap=True),
    Column("score", "right", spare=2),
    Column("legal", wrap=True),
)


def show_cards(cards: Sequence["Card"]) -> None:
    """Print a table of cards, a line each: `tr3` is a 3 in the top-right corner."""
    rows = [
        (card.id, card.name, card.set_name or card.set_code, short_zones(card), card.score, _legality(card))
        for card in cards
    ]
    show_table(_CARDS, rows)


def show_corrected(cards: Mapping[str, "Card"], corrections: Mapping[str, "Correction"]) -> None:
    """Print the cards of sources on which something is corrected, each with what that is."""
    if not corrections:
        return
    show("", "Cards of sources, corrected by hand:", "")
    show_table(
        [Column("id", wrap=True), Column("name", wrap=True), Column("corrected", wrap=True)],
        [
            (card_id, cards[card_id].name if card_id in cards else "(in no source now)", ", ".join(correction.words()))
            for card_id, correction in corrections.items()
        ],
    )
    show("", "To revert a correction: ccgrid card remove ID")


def show_candidates(cards: Sequence["Card"]) -> None:
    """Print a numbered list of cards of several games, one of which is to be chosen."""
    columns = (Column("", "right"), *map(Column, ("game", "name")), Column("set", wrap=True), Column("number"))
    rows = [
        (number, card.game, card.name, card.set_name or card.set_code, card.collector_number, _numbers(card))
        for number, card in enumerate(cards, 1)
    ]
    show_table((*columns, Column("numbers", wrap=True)), rows)


def _numbers(card: "Card") -> str:
    """The numbers of a card in few letters, those on its face behind the zones, and why it is barred if it is."""
    face = f"face {' '.join(map(str, card.face))}" if card.face else ""
    barred = "" if card.legal else f"barred: {short_reason(card.reason or 'no')}"
    return ", ".join(part for part in (short_zones(card), face, barred) if part)


def short_zones(card: "Card") -> str:
    """The numbers of a card in few letters.

    >>> from ccgrid.catalog.card import Card
    >>> short_zones(Card("a:1", "a", "Ant", {"top-right": 3, "bottom": 7}, 10))
    'tr3 b7'
    """
    return " ".join(f"{ZONE_LETTERS[zone]}{number}" for zone, number in card.zones.items())


def _legality(card: "Card") -> str:
    return "yes" if card.legal else short_reason(card.reason or "no")


def show_sources(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print what can be imported, a line each, and what of it the catalogue has."""
    columns = [Column("source"), Column("what it is"), Column("cards", "right"), Column("newest card")]
    show_table(columns, [(row["source"], row["title"], row["cards"], row["newest"]) for row in rows])
    held = sum(row["cards"] for row in rows)
    show(
        "",
        f"{counted(held, 'card')} imported. To import a source: ccgrid import SOURCE. Details: ccgrid sources SOURCE",
    )


def show_source(row: Mapping[str, Any]) -> None:
    """Print all that is known of one source."""
    guesses = (f"{one['field']} {one['zone']} ({one['confidence']})" for one in row["guesses"])
    found = {
        "from": row["keeper"],
        "address": row["address"],
        "cards": f"{row['cards']:,}",
        "newest card": row["newest"],
        "data of": row["version"],
        "imported": row["imported"] and local_minute(row["imported"]),
        "terms": row["terms"] or "none are stated",
        "note": row["note"],
        "unverified positions": ", ".join(guesses),
    }
    show(f"{row['source']}: {row['title']}", "")
    show_table([Column("what"), Column("value", wrap=True)], [(name, value) for name, value in found.items() if value])


def show_history(found: Sequence[tuple["Deed", "ImportEntryJson | None"]]) -> None:
    """Print what was done, the oldest first; of an import where it came from."""
    show_table(
        [
            Column("when", wrap=True),
            Column("what", wrap=True),
            Column("", wrap=True),
            Column("version", wrap=True, spare=2),
            Column("from", wrap=True, spare=3),
            Column("sha256", spare=4),
        ],
        [
            (
                local_minute(deed.made),
                deed.what,
                "undone" if deed.undone else None,
                entry and entry["version"],
                entry and entry["address"],
                ((entry and entry["sha256"]) or "")[:12] or None,
            )
            for deed, entry in found
        ],
    )


def show_undone(entry: "ImportEntryJson") -> None:
    """Print what became of an import that was taken back."""
    back = entry["changed"] + entry["removed"]
    show(
        f"Undone: the import of {entry['source']} of {local_minute(entry['imported'])}, from {entry['address']}.",
        f"Removed {counted(entry['added'], 'card')} that it had added; restored {back:,} that it changed or removed.",
    )


def show_config(found: Mapping[str, Any], *, explain: bool) -> None:
    """Print the settings and where each comes from (`config --json`)."""
    show(f"Settings: {found['path']}{'' if found['exists'] else ' (no file yet)'}", "")
    columns = [Column("setting"), Column("value", wrap=True), Column("from")]
    more = [Column("variable", wrap=True), Column("what it is", wrap=True)] if explain else []
    rows = [
        (one["name"], one["value"], one["source"], *((one["variable"], one["about"]) if explain else ()))
        for one in found["settings"]
    ]
    show_table([*columns, *more], rows)
    order = "An option comes before the environment, the environment before the file."
    show("", order if explain else "To change one: ccgrid config set NAME VALUE. More: ccgrid config --explain")
