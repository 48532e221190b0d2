"""The words of the entry session: its commands, what a line may mean, what it says of itself."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from catalog.card import CatalogError
from catalog.matching.spellings import Candidate
from catalog.store.holdings import CopyKey

HELP: Final = """\
210            the card with that number in the set
210x3          three copies of it; also: 3x210, 210 x3, 3 Lightning Bolt, Lightning Bolt x3
210f           a foil; 210e an etched one; also: 210x3f, 210 foil, Lightning Bolt *F*
Lightning Bolt a card by its name; the tabulator completes it
1, 2, 3        after suggestions: the one with that number
set m10        go on with another set; set alone: with any
game mtg       go on with another game; game alone: with any
box Attic 2    put the cards there; so do row 3 and slot 4
foil, normal   what the next cards are, when nothing else is said
yes            after a question about many copies: add them
undo           take the last card back
end            end; so does an empty line at the keyboard
/undo          a command for certain, where a card is called so"""

PLAIN: Final = ("undo", "help", "?", "end", "quit", "foil", "etched", "normal")
"""Commands of one word."""

WITH_VALUE: Final = ("set", "game", "box", "row", "slot")
"""Commands that say what the next cards are of; alone they take that back."""


class Entered(NamedTuple):
    """One line that added cards."""

    change: int
    card: Candidate
    copies: int
    kind: CopyKey


class Choice(NamedTuple):
    """What a line may mean: a card, how many copies of it and of which finish, empty where the line does not say."""

    card: Candidate
    copies: int
    finish: str
    is_number: bool
    is_loose: bool = False
    """Whether it is written in a way that few people mean so."""
    condition: str = ""
    language: str = ""
    note: str = ""
    remark: str = ""
    """What has to be said of the choice among printings."""

    def __str__(self) -> str:
        finish = f"{self.finish} " if self.finish else ""
        printed = f"{self.card.game} {self.card.set_code} {self.card.number}".rstrip()
        return f"{self.copies:,} {finish}{self.card.name} ({printed})"


class UnsureError(CatalogError):
    """A line that is not added before somebody has said what is meant; `choices` are what it may be."""

    def __init__(self, message: str, choices: Sequence[Choice]) -> None:
        super().__init__(message)
        self.choices = tuple(choices)
