"""The words of the entry session: its commands, what a line may mean, what it says of itself."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from catalog.card import ZONES, CatalogError
from catalog.evidence import FACE
from catalog.matching.spellings import Candidate
from catalog.store.holdings import CopyKey

HELP: Final = """\
210            the card with that number in the set
210x3          three copies of it; also: 3x210, 3 Lightning Bolt
210f           a foil; 210e an etched one; also: 210x3f, Lightning Bolt *F*
Lightning Bolt a card by its name; the tabulator completes it
1, 2, 3        after suggestions: the one with that number
tl 4 br 7      after a name that no source has: the card's numbers; enters it
               tl t tr l r bl b br face; game wyvern before them says its game
printing       the printings of the last card; printing 2 takes the second
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

WITH_VALUE: Final = ("set", "game", "box", "row", "slot", "printing")
"""Commands that say what the next cards are of, alone they take that back; and which printing the last card is."""

NUMBERS_HELP: Final = """\
Say what is printed where, a zone and its text each: tl 4 br 7 face 3.
The zones are tl t tr l r bl b br; face is anywhere else.
Before them may stand the game: game wyvern tl 4.
Any other line goes on without the card."""

_ZONE_WORDS: Final = {
    **{zone: zone for zone in (*ZONES, FACE)},
    **{"".join(part[0] for part in zone.split("-")): zone for zone in ZONES},
}


def printed_in(text: str) -> tuple[str, dict[str, str]] | None:
    """The game, empty where it is not said, and the texts of zones that a line says; None where it is no such line.

    >>> printed_in("game wyvern tl 4 br 3 of 25"), printed_in("Griffin tl")
    (('wyvern', {'top-left': '4', 'bottom-right': '3 of 25'}), None)
    """
    words, game = text.split(), ""
    if words[:1] == ["game"] and len(words) > 3:
        game, words = words[1], words[2:]
    printed: dict[str, str] = {}
    zone = ""
    for word in words:
        if (named := _ZONE_WORDS.get(word.casefold(), "")) and named not in printed:
            zone = named
            printed[zone] = ""
        elif not zone:
            return None
        else:
            printed[zone] = f"{printed[zone]} {word}".strip()
    return (game, printed) if printed and all(printed.values()) else None


class Entered(NamedTuple):
    """One line that added cards."""

    change: int
    card: Candidate
    copies: int
    kind: CopyKey
    is_new: bool = False
    """Whether the card itself was entered with it."""


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
