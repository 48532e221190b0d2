"""Requests for decks, which a command, a page or a script fills."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class DeckRequest(NamedTuple):
    """New decks, as a user asks for them.

    Attributes:
        game: The name of the game that is played.
        card_games: The card games to draw from; all if empty.
        factions: The names of ready-made decks, or files with one, which are used instead of drawn decks.
        source: `all`, `collection` (owned copies that are not checked out), or a query.
        database: The catalogue file; None for the default one.
        size: The number of cards, in games with decks of several sizes.
        energy: The number of energy cards, in games that have them.
        lively: Whether to search for a deck whose numbers meet.
        balanced: Whether to search for a deck that is fair to both players.
        good: Whether to search for a deck that is lively and fair and not decided by one card.
        explain: Whether to measure and explain random decks, too.
        decks: The number of decks, which share no card.
        player: The policy that plays on both seats while decks are measured; None for the default.
        fill: Whether bundled cards complete a deck if the collection has too few.
    """

    game: str
    card_games: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    source: str = "all"
    database: Path | None = None
    size: int | None = None
    energy: int | None = None
    lively: bool = False
    balanced: bool = False
    good: bool = False
    explain: bool = False
    decks: int = 1
    player: str | None = None
    fill: bool = False

    @property
    def is_owned(self) -> bool:
        """Whether only owned copies that are not checked out are drawn."""
        return self.source == "collection"

    @property
    def query(self) -> str:
        """The query that selects the cards; empty for all cards and for the collection."""
        return "" if self.source == "all" or self.is_owned else self.source

    @property
    def kind(self) -> str:
        """The kind of deck: `lively`, `balanced`, `good` (also for both of these) or `random`."""
        if self.good or (self.lively and self.balanced):
            return "good"
        return "lively" if self.lively else "balanced" if self.balanced else "random"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The requested numbers of cards, by the name of the option."""
        return {name: value for name in ("size", "energy") if (value := getattr(self, name)) is not None}

    @property
    def is_search(self) -> bool:
        """Whether games are played to find or measure the decks, or there are several decks."""
        return self.kind != "random" or self.explain or self.decks > 1 or self.player is not None
