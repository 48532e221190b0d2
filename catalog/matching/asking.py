"""Answers: which card a row or a name means, or why there is none, and the protocol of what looks cards up."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

from ccgrid.catalog.card import Card
from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.names import NameHit, NamePairs
from ccgrid.catalog.matching.printings import is_promo
from ccgrid.catalog.matching.rows import Row

How = Literal["id", "number", "name", "fuzzy", "missed"]


class Lookup(NamePairs, Protocol):
    """Where cards are looked up."""

    def card(self, card_id: str) -> Candidate | None:
        """Return the card with this id of the catalogue."""

    def by_source_id(self, kind: str, value: str) -> Sequence[Candidate]:
        """Return the cards with an id of another program."""

    def numbered(self, set_code: str, numbers: Sequence[str]) -> Sequence[Candidate]:
        """Return the cards of a set with one of these collector numbers."""

    def by_name(self, name: str, set_code: str | None = None) -> Sequence[Candidate]:
        """Return the printings of a name as written, in a set or in all sets."""

    def spelled(self, folded: str) -> Sequence[str]:
        """Return the names with this folded form; if there are none, the names of which it is a half."""

    def cards(self, ids: Sequence[str]) -> Sequence[Card]:
        """Return the cards with these ids, in this order."""

    def names_from(self, start: str) -> Sequence[tuple[str, str]]:
        """Return every name whose folded form has this prefix, with that form."""

    def names_with_half(self, half: str) -> Sequence[str]:
        """Return the names whose first half has this folded form; if there are none, another half."""

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Return the ids of which copies are owned."""

    def near(self, query: str) -> Sequence[NameHit]:
        """Return the names that a misspelt name may mean, best first."""

    def printed_with_code(self, code: str) -> Sequence[Candidate]:
        """Return the cards printed with a code, such as `BT1-010`, or with it in their id: `OP01-016_p1`."""

    def other_codes(self) -> Mapping[str, Sequence[str]]:
        """Return the codes that a client has for sets, in lower case, with the codes of these sets."""

    def games(self) -> Sequence[str]:
        """Return the games of the cards."""

    def sets(self) -> Iterable[tuple[str, str]]:
        """Return the code and name of every set."""


class MatchResult(NamedTuple):
    """What a row means: the card, how it was found, and, where that is not exact, why.

    `others` counts printings that fit as well, of which the row did not say which, `differing` those among them with
    other numbers; `finish` is what an id says of it. `fitting` are all that fit, of a miss one of each game that has
    some; `owned` says that one was taken because its owner has it.
    """

    card: Candidate | None
    how: How
    reason: str = ""
    candidates: tuple[str, ...] = ()
    others: int = 0
    differing: int = 0
    finish: str = ""
    fitting: Sequence[Candidate] = ()
    owned: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether the match is this card, or the printing that was requested instead, which `reason` explains."""
        return self.card is not None and self.how != "fuzzy"

    def with_finish(self, row: Row) -> Row:
        """Return the row with the finish that its id implies, if it has none of its own."""
        if not self.finish:
            return row
        return row._replace(
            amounts=tuple((self.finish if kind == NORMAL else kind, copies) for kind, copies in row.amounts)
        )


_LISTED: Final = 8  # cards in an error

Choose = Callable[[str, Sequence[Card]], Card | None]
"""A function that asks which card, one of each game, a text means; it returns None if the user does not say."""


def choose_once(choose: Choose) -> Choose:
    """Return a function that asks about each text and its cards once, and remembers the answer."""
    answers: dict[tuple[str, ...], Card | None] = {}

    def ask_once(text: str, candidates: Sequence[Card]) -> Card | None:
        key = text, *(card.id for card in candidates)
        if key not in answers:
            answers[key] = choose(text, candidates)
        return answers[key]

    return ask_once


class NoSuchCardError(NotFoundError):
    """Raised if no card has this name, or none in the given game, in the given set or with the given number."""

    def __init__(self, message: str, *, name: str, suggestions: Iterable[str] = ()) -> None:
        super().__init__(message, kind="card", name=name, suggestions=suggestions)


class OtherPrintingError(NoSuchCardError):
    """Raised if a name is that of a card, but not in the given set, or not with the given number."""


class AmbiguousCardError(CatalogError):
    """Raised if cards of several games have a name and nothing decides between them.

    `candidates` are the cards that may be, one of each game.
    """

    def __init__(self, text: str, candidates: Sequence[Card]) -> None:
        self.candidates = tuple(candidates)
        listed = "; ".join(map(describe_card, self.candidates[:_LISTED]))
        more = f"; and {len(self.candidates) - _LISTED} more" if len(self.candidates) > _LISTED else ""
        first = self.candidates[0]
        super().__init__(
            f"{text!r} is a card of {len(self.candidates)} games: {listed}{more}.\n"
            f"Say which: its id, or the name with its game or set, such as '{first.name} ({first.game})'."
        )


class NoChoiceError(CatalogError):
    """Raised if the user was asked to choose among several cards and chose none."""


@dataclass(frozen=True, slots=True)
class ResolvedCard:
    """The card that is meant; `fitting` are all printings in its game that fit what was written, it among them.

    `owned` says that it was taken because its owner has it, `for_deck` that what may be in a deck came first.
    """

    card: Card
    fitting: tuple[Candidate, ...]
    owned: bool = False
    for_deck: bool = False

    @property
    def candidate(self) -> Candidate:
        """The card as it was looked up."""
        return next(one for one in self.fitting if one.id == self.card.id)

    @property
    def differing(self) -> int:
        """The number of equally good printings with other numbers."""
        return sum(one.numbers != self.candidate.numbers for one in self.fitting)

    @property
    def remark(self) -> str:
        """The message about the choice of the printing, empty if all equally good printings have the same numbers."""
        if not self.differing:
            return ""
        printings = "1 other printing has" if self.differing == 1 else f"{self.differing} other printings have"
        which = "printing you own"
        if not self.owned:
            promos = {one.id for one in self.fitting if is_promo(one)}
            ordinary = " ordinary one" if promos and self.card.id not in promos else ""
            legal = " legal" if self.for_deck and self.card.legal else ""
            which = f"earliest{legal}{ordinary} of {len(self.fitting)} printings"
        return f"{self.card.name} ({self.card.id}) is the {which}; {printings} other numbers."


def same_numbers(one: Card, other: Card) -> bool:
    """Return whether two cards have the same numbers, and so are equivalent in every game."""
    return (one.zones, one.face, one.score, one.attack, one.defense) == (
        *(other.zones, other.face, other.score, other.attack, other.defense),
    )


def describe_card(card: Card) -> str:
    """Describe a card by its name, game, set, number and id.

    >>> describe_card(Card("a:x/7", "a", "Ant", {"top": 3}, 3, "x", "", "7"))
    'Ant (a, x 7; a:x/7)'
    """
    printed = f"{card.set_code} {card.collector_number}".strip()
    return f"{card.name} ({card.game}{', ' if printed else ''}{printed}; {card.id})"


CANDIDATES: Final = 3
"""How many cards a report names for a row that is in doubt."""


def candidate_ids(cards: Iterable[Candidate]) -> tuple[str, ...]:
    """Return the ids of the first few cards, for a report."""
    return tuple(dict.fromkeys(card.id for card in cards))[:CANDIDATES]


def with_candidates(found: MatchResult) -> tuple[str, ...]:
    """Return the card of a match and its candidates, for a report."""
    own = (found.card.id,) if found.card is not None else ()
    return tuple(dict.fromkeys((*own, *found.candidates)))[:CANDIDATES]
