"""Pictures of decks, each as the game that it is for uses its cards."""

from collections.abc import Sequence
from typing import Final

from catalog.card import Card
from ccgrid.view.output import remark, show
from ccgrid.view.pictures import picture_cells, show_picture
from engine.game_view import deck_tiles
from engine.games import find_game
from engine.picture import Tiles

_WIDE_ENOUGH: Final = 72
_COLUMNS: Final = 3
"""In fewer cells than that, cards stand in so many columns: names have the room that they need."""


def show_deck(game: str | None, name: str, cards: Sequence[Card]) -> None:
    """Print a deck with its name."""
    show(name, "")
    show_cards(game, cards)


def show_cards(game: str | None, cards: Sequence[Card]) -> None:
    """Print cards as a game uses them, or, for no certain game, with all that is known of them."""
    picture = deck_tiles if game is None else find_game(game).pictures.deck
    shown = picture(cards)
    if isinstance(shown, Tiles) and picture_cells() < _WIDE_ENOUGH:
        shown = shown._replace(columns=min(shown.columns, _COLUMNS))
    show_picture(shown)


def warn_of_dead(game: str, cards: Sequence[Card]) -> bool:
    """Says where nothing can happen in a game with a deck that is legal all the same."""
    decks = find_game(game).decks
    reason = decks.why_dead(cards) if decks else None
    if reason is not None:
        remark(f"A dead deck: {reason}.")
    return reason is not None
