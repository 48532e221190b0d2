"""Requests for decks, and for the cards that they are drawn from, which a command, a page or a script fills."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSelection:
    """The cards from which decks for a game are drawn.

    Attributes:
        game: The name of the game that is played.
        card_games: The card games to draw from; all if empty.
        factions: The names of ready-made decks, or files with one, which are used instead of drawn decks.
        source: `all`, `collection` (owned copies that are not checked out), or a query.
        database: The catalogue file; None for the default one.
    """

    game: str
    card_games: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    source: str = "all"
    database: Path | None = None

    @property
    def is_owned(self) -> bool:
        """Whether only owned copies that are not checked out are drawn."""
        return self.source == "collection"

    @property
    def query(self) -> str:
        """The query that selects the cards; empty for all cards and for the collection."""
        return "" if self.source == "all" or self.is_owned else self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRequest(CardSelection):
    """New decks, as a user asks for them.

    Attributes:
        size: The number of cards, in games with decks of several sizes.
        energy: The number of energy cards, in games that have them.
        lively: Whether to search for a deck whose numbers meet.
        balanced: Whether to search for a deck that is fair to both players.
        good: Whether to search for a deck that is lively and fair and not decided by one card.
        explain: Whether to measure and explain random decks, too.
        count: The number of decks, which share no card.
        player: The policy that plays on both seats while decks are measured; None for the default.
        fill: Whether bundled cards complete a deck if the collection has too few.
    """

    size: int | None = None
    energy: int | None = None
    lively: bool = False
    balanced: bool = False
    good: bool = False
    explain: bool = False
    count: int = 1
    player: str | None = None
    fill: bool = False

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
        return self.kind != "random" or self.explain or self.count > 1 or self.player is not None
