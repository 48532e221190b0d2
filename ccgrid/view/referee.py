"""What a referee of real cards shows beside the table: cards that nobody has seen, who draws, what was understood."""

from collections.abc import Callable, Sequence
from typing import Any

from ccgrid.view.games import in_columns
from ccgrid.view.names import player_name, say
from ccgrid.view.output import console, show, shown
from ccgrid.view.text import shorten, width
from engine.cards import NamedCard
from engine.picture import Words

_WIDEST_NAME = 34
_MOST_LINES = 7
_GAP = 2


def show_deck(deck: Sequence[NamedCard], unseen: Sequence[NamedCard], numbers: Callable[[Any], str]) -> None:
    """Print the cards that nobody has seen, each with its number in the deck, copies once."""
    lines = []
    for number, card in enumerate(deck, 1):
        if (count := unseen.count(card)) and card not in deck[: number - 1]:
            copies = f"  x{count}" if count > 1 else ""
            lines.append(f"{number:>2}  {_name(card)}  {numbers(card)}".rstrip() + copies)
    columns = max(1, (console().width + _GAP) // (max(map(width, lines), default=0) + _GAP))
    show(*(in_columns(lines, console().width, max(_MOST_LINES, -(-len(lines) // columns))) or ["No cards are left."]))


def show_draws(players: Sequence[str], draws: Sequence[tuple[int, int]]) -> None:
    """Print who draws how many cards."""
    for seat, count in draws:
        show(f"{player_name(players[seat])} draws {'a card' if count == 1 else f'{count} cards'}.")


def show_forecast(lines: Sequence[Words]) -> None:
    """Print what an attack would come to."""
    show(*map(say, lines))


def told_cards(places: Sequence[str], cards: Sequence[NamedCard]) -> str:
    """Which cards were understood to lie where, in a sentence."""
    named = zip([*places, *[""] * len(cards)], cards, strict=False)
    return ", ".join(f"{place} {_name(card)}".strip() for place, card in named) + "."


def _name(card: NamedCard) -> str:
    return shorten(shown(card.name), _WIDEST_NAME)
