"""Requests for games, which a command, a page or a script fills and services take."""

from pathlib import Path
from typing import NamedTuple

from ccgrid.services.deck_requests import DeckRequest


class GameRequest(NamedTuple):
    """A game, a match or a series of games, as a user asks for it.

    Attributes:
        game, card_games, factions, source, database: The game and its cards, as in a `DeckRequest`.
        players: The players' names or policies in seat order.
        decks: Deck files in seat order, or one for all players; without them decks are drawn.
        options: The game's options as text, such as `komi=3`.
        against: Other options, under which an arena plays the same deals.
        best_of: The maximum number of games of a match that is won by games; None for no such match.
        whole_match: Whether to play a match of three games whose points add up.
        same_deal: Whether a match plays each deal from every seat.
        first: The name of the starting player at a table with real cards; None for the default.
    """

    game: str
    card_games: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    source: str = "all"
    database: Path | None = None
    players: tuple[str, ...] = ()
    decks: tuple[Path, ...] = ()
    options: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    best_of: int | None = None
    whole_match: bool = False
    same_deal: bool = False
    first: str | None = None

    @property
    def drawn(self) -> DeckRequest:
        """The request for decks that are drawn."""
        return DeckRequest(self.game, self.card_games, self.factions, self.source, self.database)

    @property
    def is_match(self) -> bool:
        """Whether more than one game is requested."""
        return self.best_of is not None or self.whole_match
