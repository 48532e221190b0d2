"""Shows decks that were searched for: what they promise, and why their cards are in them."""

from collections.abc import Sequence

from catalog.card import ZONES, Card
from ccgrid.view.decks import show_deck
from ccgrid.view.output import Column, show, show_table
from ccgrid.view.words import ZONE_LETTERS


def show_found(game: str, name: str, cards: Sequence[Card], promise: Sequence[str]) -> None:
    """Show a deck and what was measured of it."""
    show_deck(game, name, cards)
    if promise:
        show("", *promise)


def show_explanation(explanation: Sequence[str], cards: Sequence[Card], meets: Sequence[int]) -> None:
    """Show how the deck plays, and what each card does in it: its numbers, and whom they meet."""
    show("", *explanation, "")
    rows = sorted(zip(cards, meets, strict=True), key=lambda row: (-row[1], row[0].name))
    show_table(
        [
            Column("card", wrap=True),
            Column("game", spare=1),
            Column("numbers", wrap=True),
            Column("score", "right"),
            Column("meets", "right"),
        ],
        [
            (
                card.name,
                card.game,
                " ".join(f"{ZONE_LETTERS[zone]} {card.zones[zone]}" for zone in ZONES if zone in card.zones),
                card.score,
                f"{count} of {len(cards) - 1}",
            )
            for card, count in rows
        ],
    )
