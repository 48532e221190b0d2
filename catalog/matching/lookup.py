"""What matching asks of a catalogue, and what it answers."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from catalog.card import Card
from catalog.holding import NORMAL
from catalog.matching.row import Row
from catalog.matching.search import NameHit
from catalog.matching.spellings import Candidate

How = Literal["id", "number", "name", "fuzzy", "missed"]


class Lookup(Protocol):
    """Where cards are looked up."""

    def card(self, card_id: str) -> Candidate | None:
        """The card with this id of the catalogue."""

    def by_source_id(self, kind: str, value: str) -> Sequence[Candidate]:
        """The cards that others call so."""

    def numbered(self, set_code: str, numbers: Sequence[str]) -> Sequence[Candidate]:
        """The cards of a set with one of these collector numbers."""

    def named(self, name: str, set_code: str | None = None) -> Sequence[Candidate]:
        """The printings of a name as it is written, in a set or in all."""

    def spelled(self, folded: str) -> Sequence[str]:
        """The names of which this is the folded form, else those of which it is that of a half."""

    def cards(self, ids: Sequence[str]) -> Sequence[Card]:
        """The cards with these ids, whole, in this order."""

    def halved(self, half: str) -> Sequence[str]:
        """The names with halves of which a folded text is the first, else those of which it is another."""

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids of which somebody owns copies."""

    def near(self, query: str) -> Sequence[NameHit]:
        """The names that a person may mean who types, best first, however they are misspelt."""

    def games(self) -> Sequence[str]:
        """The games of which there are cards."""

    def sets(self) -> Iterable[tuple[str, str]]:
        """Code and name of every set."""

    def names(self, set_code: str = "") -> Sequence[tuple[str, str]] | None:
        """Every name of a set or of all, and its folded form; None for too many to compare them one by one."""

    def names_like(self, folded: str, set_code: str = "") -> Sequence[tuple[str, str]]:
        """Of the names of a set or of all those that a folded one may mean, with their folded forms."""


class MatchResult(NamedTuple):
    """What a row means: the card, how it was found, and, where that is not exact, why.

    `others` counts printings that fit as well, of which the row did not say which, `differing` those among them with
    other numbers; `finish` is what an id says of it.
    """

    card: Candidate | None
    how: How
    reason: str = ""
    candidates: tuple[str, ...] = ()
    others: int = 0
    differing: int = 0
    finish: str = ""

    def finished(self, row: Row) -> Row:
        """The row with the finish that its id says, where it says none of its own."""
        if not self.finish:
            return row
        return row._replace(
            amounts=tuple((self.finish if kind == NORMAL else kind, copies) for kind, copies in row.amounts)
        )
