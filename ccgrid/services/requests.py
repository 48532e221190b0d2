"""Requests for games, which a command, a page or a script fills and services take."""

from dataclasses import dataclass
from pathlib import Path

from ccgrid.services.deck_requests import CardSelection


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest(CardSelection):
    """A game, a match or a series of games, as a user asks for it.

    Attributes:
        players: The players' names or policies in seat order.
        decks: Deck files in seat order, or one for all players; without them decks are drawn.
        options: The game's options as text, such as `komi=3`.
        against: Other options, under which an arena plays the same deals.
        best_of: The maximum number of games of a match that is won by games; None for no such match.
        whole_match: Whether to play a match of three games whose points add up.
        same_deal: Whether a match plays each deal from every seat.
        first: The name of the starting player at a table with real cards; None for the default.
    """

    players: tuple[str, ...] = ()
    decks: tuple[Path, ...] = ()
    options: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    best_of: int | None = None
    whole_match: bool = False
    same_deal: bool = False
    first: str | None = None

    @property
    def is_match(self) -> bool:
        """Whether more than one game is requested."""
        return self.best_of is not None or self.whole_match
