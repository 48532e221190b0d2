"""What stands beside a name that somebody wrote, as in `Griffin (wyvern)` and `Griffin (3RD) 191`: pure."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from catalog import lines
from catalog.matching.search import fold
from catalog.matching.sets import TODAYS
from catalog.matching.spellings import Candidate, number_forms, same_number, set_key


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
