"""What a game owes about its decks: which cards may be in one, how many, and how the decks of many games are had."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypedDict

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError

DeckSource = Callable[[Dice], Sequence[Sequence[Card]]]
"""Gives the decks of one game. Other processes are sent it: a function of a module, or a value like `FixedDecks`."""

PrintedFields = Callable[[], Mapping[str, str]]
"""Says what is printed in each field of a card, by the field's name, as the card's data have it."""


class SidedCardJson(TypedDict):
    """A card with four numbers, as records hold it."""

    name: str
    top: int
    right: int
    bottom: int
    left: int


class FactionJson(TypedDict):
    """A ready-made deck of a game: the name that people type, the title that they read, and a sentence about it."""

    game: str
    name: str
    title: str
    about: str
    cards: list[SidedCardJson]


class ReadyDeck(Protocol):
    """A ready-made deck of a game, a faction."""

    @property
    def name(self) -> str:
        """What people type to choose it."""

    @property
    def title(self) -> str:
        """What people read."""

    @property
    def about(self) -> str:
        """A sentence about its character; may be empty."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """Its cards, each copy by itself."""

    def to_dict(self) -> FactionJson:
        """The deck as scripts see it: name, title, about, and the cards as records of the game hold them."""


class FactionProblemJson(TypedDict):
    """One thing that is wrong with the file of a ready-made deck; `card` and `key` are null where it is about none."""

    file: str
    card: str | None
    key: str | None
    reason: str


class FactionProblem(NamedTuple):
    """One thing that is wrong with the file of a ready-made deck; `card` and `key` are None where it is about none."""

    file: str
    card: str | None
    key: str | None
    message: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.card and f"card {self.card}", self.key) if part)
        return f"{self.file}: {place}: {self.message}" if place else f"{self.file}: {self.message}"

    def to_dict(self) -> FactionProblemJson:
        """The problem as scripts see it."""
        return {"file": self.file, "card": self.card, "key": self.key, "reason": self.message}


class ReadyDecks(Protocol):
    """The ready-made decks of a game."""

    def bundled(self) -> Sequence[ReadyDeck]:
        """Those that come with the program."""

    def find(self, name: str) -> ReadyDeck:
        """The one in a file, where the name ends in `.toml`, else the bundled one of this name.

        Raises:
            EngineError: there is none, or something is wrong with it.
        """

    def read(self, data: bytes, file: str) -> ReadyDeck:
        """The one in the bytes of a file; raises EngineError where something is wrong with it."""

    def problems(self, data: bytes, file: str) -> Sequence[FactionProblem]:
        """Everything that is wrong with the bytes of a file, called `file` in the answers; none if all is well."""


class GameDecks(Protocol):
    """The decks of one game. Where cards are kept, and how one is found there, is not its business."""

    @property
    def sizes(self) -> range:
        """How many cards a deck may have."""

    @property
    def any_legal(self) -> bool:
        """Whether different cards that a catalogue holds to be legal make a deck, as many as a deck has.

        Whoever keeps cards may then draw a deck without looking at all of them.
        """

    @property
    def numbers(self) -> tuple[str, ...]:
        """What may be said in whole numbers of decks to be drawn, such as their size."""

    def fault(self, card: Card) -> str | None:
        """What keeps a card out of a deck, in words; None where it may be in one."""

    def why_dead(self, cards: Sequence[Card]) -> str | None:
        """Why nothing can happen in a game with a deck that is legal all the same, in words; None where it can."""

    def facing_share(self, cards: Sequence[Card]) -> float | None:
        """How many of the other cards have a number facing one of a card, from 0 to 1; None if it does not matter."""

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """A card of a catalogue with the numbers that this game plays, wherever on the card they are printed.

        It is the card itself where the game plays it by its zones, or cannot play it at all.
        """

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> DeckSource:
        """`count` decks for each of many games, drawn from cards that may be in one; `numbers` are those of `numbers`.

        Raises:
            EngineError: the numbers make no deck.
            TooFewCardsError: there are too few cards, or too few of one kind.
        """


class TooFewCardsError(EngineError):
    """There are fewer cards than a deck takes: `needed` of some kind, and only `there` exist."""

    def __init__(self, needed: int, kind: str, there: int) -> None:
        super().__init__(needed, kind, there)
        self.needed = needed
        self.kind = kind
        self.there = there

    def __str__(self) -> str:
        return f"a deck takes {self.needed} {self.kind}, and there are {self.there}"


@dataclass(frozen=True, slots=True)
class FixedDecks:
    """The same decks for every game."""

    decks: tuple[tuple[Card, ...], ...]

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """The decks."""
        return self.decks


@dataclass(frozen=True, slots=True)
class RandomDecks:
    """New decks for every game, each of `size` different ones of the cards, drawn at random."""

    cards: Sequence[Card] = field(repr=False)
    size: int
    count: int = 1

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Such decks; raises TooFewCardsError."""
        if len(self.cards) < self.size:
            raise TooFewCardsError(self.size, "different cards", len(self.cards))
        return [[self.cards[place] for place in dice.sample(len(self.cards), self.size)] for _ in range(self.count)]


@dataclass(frozen=True, slots=True)
class DifferentDecks:
    """For every game `count` different decks of these, drawn at random."""

    decks: tuple[tuple[Card, ...], ...] = field(repr=False)
    count: int

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Such decks; raises EngineError where there are fewer."""
        if len(self.decks) < self.count:
            raise EngineError(f"{self.count} different decks are needed, and there are {len(self.decks)}")
        return [self.decks[place] for place in dice.sample(len(self.decks), self.count)]
