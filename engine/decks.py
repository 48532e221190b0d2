"""Interfaces for the decks of a game: which cards a deck may contain, and its size."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError

if TYPE_CHECKING:
    from ccgrid.engine.faction_answers import FactionProblem, ShownFaction

DeckSource = Callable[[Dice], Sequence[Sequence[Card]]]
"""Returns the decks of one game. It must be picklable: a module-level function, or a value such as `FixedDecks`."""

PrintedFields = Callable[[], Mapping[str, str]]
"""Returns what is printed in each field of a card, by the name of the field in the card data."""


class ReadyDeck(Protocol):
    """A ready-made deck of a game, also called a faction."""

    @property
    def name(self) -> str:
        """The name that selects it in commands."""

    @property
    def title(self) -> str:
        """The title shown to the user."""

    @property
    def about(self) -> str:
        """A sentence about its character; may be empty."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, one entry per copy."""

    def answer(self) -> "ShownFaction":
        """Return the deck as `faction show --json` prints it, with the cards as records of the game store them."""


class ReadyDecks(Protocol):
    """The ready-made decks of a game."""

    def bundled(self) -> Sequence[ReadyDeck]:
        """Return the decks that come with the program."""

    def find(self, name: str) -> ReadyDeck:
        """Read the deck from a file if the name ends in `.toml`, else return the bundled deck of this name.

        Raises:
            EngineError: If there is no such deck, or the file is invalid.
        """

    def read(self, data: bytes, file: str) -> ReadyDeck:
        """Read the deck in the content of a file; raise EngineError if it is invalid."""

    def problems(self, data: bytes, file: str) -> "Sequence[FactionProblem]":
        """Return all problems in the content of a file, which is named `file` in them; empty if it is valid."""


class GameDecks(Protocol):
    """The deck rules of one game. Storing and finding cards is the caller's task."""

    @property
    def sizes(self) -> range:
        """The allowed numbers of cards in a deck."""

    @property
    def any_legal(self) -> bool:
        """Whether any set of different legal cards of an allowed size is a deck.

        A caller may then draw a deck without checking all cards.
        """

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the integer parameters of random decks, such as their size."""

    def fault(self, card: Card) -> str | None:
        """Return why a card may not be in a deck, as text, or None if it may."""

    def dead_deck_reason(self, cards: Sequence[Card]) -> str | None:
        """Return why a legal deck is unplayable because no card can ever have an effect, or None if it is playable."""

    def facing_share(self, cards: Sequence[Card]) -> float | None:
        """Return the mean share (0 to 1) of other cards with a number facing one of a card's; None if irrelevant."""

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """Return a catalogue card with the numbers that this game uses, wherever on the card they are printed.

        The card is returned unchanged if the game uses the numbers in its zones, or cannot use it at all.
        """

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> DeckSource:
        """Return a source that draws `count` decks per game from cards that may be in one.

        Args:
            cards: The cards to draw from.
            count: The number of decks per game.
            numbers: Values for parameters listed in the property `numbers`.

        Raises:
            EngineError: If the parameters do not describe a deck.
            TooFewCardsError: If there are too few cards, or too few of one kind.
        """


class TooFewCardsError(EngineError):
    """Raised if a deck takes `needed` cards of some kind and only `available` exist."""

    def __init__(self, needed: int, kind: str, available: int) -> None:
        super().__init__(needed, kind, available)
        self.needed = needed
        self.kind = kind
        self.available = available

    def __str__(self) -> str:
        return f"a deck takes {self.needed} {self.kind}, and there are {self.available}"


class NumbersNeverMeetError(EngineError):
    """Raised if no two numbers of the cards are in opposite zones."""

    def __str__(self) -> str:
        return "the numbers of these cards cannot meet: none are in opposite zones"
