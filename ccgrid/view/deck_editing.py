"""Shows what was changed in a deck: the cards that went and came, with their numbers, and whether it is legal."""

from collections.abc import Iterator, Sequence

from catalog.card import ZONES, Card
from catalog.decks.listed import Problem
from ccgrid.view.decks import warn_of_dead
from ccgrid.view.output import Column, show, show_table
from ccgrid.view.scores import show_deck_check
from ccgrid.view.words import ZONE_LETTERS

Change = tuple[Card | None, Card | None]
"""The card that went out and the one that came in."""


def show_changes(changes: Sequence[Change]) -> None:
    """Show the cards that went out and came in, in their order."""
    columns = [
        Column(""),
        Column("card", wrap=True),
        Column("game", spare=1),
        Column("numbers", wrap=True),
        Column("score", "right"),
    ]
    show_table(columns, [row for change in changes for row in _rows(change)])
    show("")


def _rows(change: Change) -> Iterator[tuple[str, str, str, str, int]]:
    for word, card in zip(("out", "in"), change, strict=True):
        if card is not None:
            yield word, card.name, card.game, _numbers(card), card.score


def _numbers(card: Card) -> str:
    """The numbers in a card's zones, or those of a creature."""
    zones = " ".join(f"{ZONE_LETTERS[zone]} {card.zones[zone]}" for zone in ZONES if zone in card.zones)
    if card.attack is None or card.defense is None:
        return zones
    return f"{card.attack}/{card.defense} {zones}".strip()


def show_standing(game: str, cards: Sequence[Card], problems: Sequence[Problem]) -> None:
    """Show whether a deck is legal as it is now, and if not everything that is wrong with it."""
    told = [problem.to_dict() for problem in problems]
    show_deck_check({"ok": not problems, "cards": len(cards), "problems": told})
    if not problems:
        warn_of_dead(game, cards)
