"""What a person asks of a card's name, and what they are answered: the card, or why it is not plain which; pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from catalog import lines
from catalog.card import Card, CatalogError
from catalog.matching.choice import is_promo
from catalog.matching.search import fold
from catalog.matching.sets import TODAYS
from catalog.matching.spellings import Candidate, number_forms, same_number, set_key

_LISTED: Final = 8

Choose = Callable[[str, Sequence[Card]], Card | None]
"""Asks which card, one of each game, is meant by a text; None where nobody says."""


class UnknownCardError(CatalogError):
    """No card is called so, or none in the game, the set or with the number that was said."""


class OtherPrintingError(UnknownCardError):
    """The name is that of a card, but not in the set, or not with the number, that was said."""


class AmbiguousCardError(CatalogError):
    """Cards of several games are called so, and nothing tells which is meant.

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
    """Somebody was asked which of several cards is meant, and chose none."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The card that is meant; `fitting` are all printings in its game that fit what was written, it among them.

    `owned` says that it was taken because its owner has it, `for_deck` that what may be in a deck came first.
    """

    card: Card
    fitting: tuple[Candidate, ...]
    owned: bool = False
    for_deck: bool = False

    @property
    def differing(self) -> int:
        """How many of the printings that fit as well have other numbers."""
        numbers = next(one.numbers for one in self.fitting if one.id == self.card.id)
        return sum(one.numbers != numbers for one in self.fitting)

    @property
    def remark(self) -> str:
        """What has to be said of the choice: nothing where all printings that fit have the same numbers."""
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
    """Whether two cards have the same numbers, and so are one card in every game that is played with them."""
    return (one.zones, one.face, one.score, one.attack, one.defense) == (
        *(other.zones, other.face, other.score, other.attack, other.defense),
    )


def describe_card(card: Card) -> str:
    """A card in a few words: its name, game, set and number, and its id.

    >>> describe_card(Card("a:x/7", "a", "Ant", {"top": 3}, 3, "x", "", "7"))
    'Ant (a, x 7; a:x/7)'
    """
    printed = f"{card.set_code} {card.collector_number}".strip()
    return f"{card.name} ({card.game}{', ' if printed else ''}{printed}; {card.id})"


class Placed(Protocol):
    """A card, as far as it is told where it is from."""

    @property
    def game(self) -> str:
        """The card game."""

    @property
    def set_code(self) -> str:
        """The code of its set; empty where it has none."""

    @property
    def set_name(self) -> str:
        """The name of its set."""


class Asked(NamedTuple):
    """What somebody wrote of a card: an id or a name, and what was said beside it, as far as it was.

    `beside` are words of which each is a game or a set, by its code or its name; `number` is a collector number.
    `whole` is the text with all marks that stand behind it, where copies and finish are of no account: in a deck.
    """

    text: str
    games: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    number: str = ""
    language: str = ""
    whole: str = ""

    def readings(self, is_place: Callable[[str], bool] | None = None) -> list["Asked"]:
        """The ways in which it can be read, in the order in which `catalog.lines` has them tried.

        `is_place` tells which words are a set or a game. What says copies, a finish, a condition or a language is no
        way to name a card.
        """
        if self.whole not in ("", self.text):
            read = [one for one in lines.readings(self.whole, is_place) if one.name]
            found = [self._replace(text=one.name, beside=one.beside, number=one.number, whole="") for one in read]
            return [*dict.fromkeys(found), self]
        found = [self]
        for one in lines.readings(self.text, is_place):
            if one.name and one.copies is None and not (one.finish or one.condition or one.language or one.tags):
                beside, number = (*self.beside, *one.beside), self.number or one.number
                found.append(self._replace(text=one.name, beside=beside, number=number))
        return list(dict.fromkeys(found))


def is_of_game(game: str, word: str) -> bool:
    """Whether a word is a game, in any case and spacing."""
    return fold(word).replace(" ", "") == game.casefold()


def is_in_set(set_code: str, set_name: str, word: str) -> bool:
    """Whether a word is a set: its code, an older one, or its name."""
    code = word.casefold()
    if set_code and set_code.casefold() in (code, TODAYS.get(code, code)):
        return True
    key = set_key(word)
    return bool(set_name) and (fold(word) == fold(set_name) or (bool(key) and key == set_key(set_name)))


def is_of(card: Placed, word: str) -> bool:
    """Whether a word is the game of a card, or its set."""
    return is_in_set(card.set_code, card.set_name, word) or is_of_game(card.game, word)


def fitting(cards: Iterable[Candidate], word: str) -> list[Candidate]:
    """Those of the cards whose game or set a word is."""
    return [one for one in cards if is_of(one, word)]


def numbered(cards: Iterable[Candidate], number: str) -> list[Candidate]:
    """Those of the cards with a collector number as people write it; some lists number the halves of a card: 153a."""
    held = list(cards)
    if found := [one for one in held if has_number(one.number, one.set_code, number)]:
        return found
    bare = number.rstrip("ab")
    return [one for one in held if " // " in one.name and has_number(one.number, one.set_code, bare)]


def has_number(collector_number: str, set_code: str, number: str) -> bool:
    """Whether a number, as people write it, is a collector number of a set."""
    forms = {form.casefold() for form in number_forms(number, set_code)}
    return collector_number.casefold() in forms or same_number(number, collector_number)
