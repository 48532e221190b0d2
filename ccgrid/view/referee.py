"""A game with real cards as its referee shows it: the grid, everybody's pile, and the cards that nobody has seen."""

from collections.abc import Sequence

from catalog.card import Card
from ccgrid.view.games import draw_state, in_columns
from ccgrid.view.names import player_name
from ccgrid.view.output import console, show, shown
from ccgrid.view.text import shorten
from engine.games.grid.state import GridState

_WIDEST_NAME = 34
_MOST_LINES = 7


def show_table(state: GridState, last: str | None) -> None:
    """Print the grid, each player's points and pile, and how many cards are left in the draw pile."""
    show("", draw_state("grid", state, last))
    for seat, (player, score) in enumerate(zip(state.players, state.scores(), strict=True)):
        pile = ", ".join(f"{_name(card)} {card.score}" for card in state.cards_taken(seat))
        show(f"{player_name(player)} {score}: {pile or 'no cards'}")
    show(f"Draw pile: {state.pile} card{'' if state.pile == 1 else 's'}")


def show_deck(deck: Sequence[Card], unseen: Sequence[Card]) -> None:
    """Print the cards that nobody has turned up, each with its number in the deck."""
    left = list(unseen)
    lines = []
    for number, card in enumerate(deck, 1):
        if card in left:
            left.remove(card)
            lines.append(f"{number:>2}  {_name(card)}")
    show(*(in_columns(lines, console().width, _MOST_LINES) or ["No cards are left."]))


def told_cards(places: Sequence[str], cards: Sequence[Card]) -> str:
    """Which cards were understood to lie where, in a sentence."""
    return ", ".join(f"{place} {_name(card)}" for place, card in zip(places, cards, strict=True)) + "."


def _name(card: Card) -> str:
    return shorten(shown(card.name), _WIDEST_NAME)
