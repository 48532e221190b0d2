"""What stands beside a name that somebody wrote, as in `Griffin (wyvern)` and `Griffin (3RD) 191`: pure."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from catalog.card import Card
from catalog.matching.search import fold
from catalog.matching.set_codes import TODAYS
from catalog.matching.spellings import number_forms, same_number, set_key

_BESIDE: Final = re.compile(
    r"(?P<name>.*\S)\s*[(\[](?P<beside>[^()\[\]]{1,80})[)\]](?:\s*(?:#|no\.?)?\s*(?P<number>[^\s()\[\]]{1,20}))?\s*"
)
_APART: Final = re.compile(r"\s*[,;:]\s*")


class Asked(NamedTuple):
    """What somebody wrote of a card: an id or a name, and what was said beside it, as far as it was.

    `beside` are words of which each is a game or a set, by its code or its name; `number` is a collector number.
    `whole` is the text before anything was read out of it, for a name that only looks so: `B.F.M. (Left)`.
    """

    text: str
    games: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    number: str = ""
    language: str = ""
    whole: str = ""

    def readings(self) -> list["Asked"]:
        """The ways in which it can be read, the likeliest first: as it stands, then with a set or game at its end."""
        found = [self._replace(text=self.whole, beside=(), number="")] if self.whole not in ("", self.text) else []
        found.append(self)
        if match := _BESIDE.fullmatch(self.text):
            number = self.number or match["number"] or ""
            words = tuple(filter(None, _APART.split(match["beside"])))
            for beside in dict.fromkeys(((match["beside"].strip(),), words)):
                found.append(self._replace(text=match["name"], beside=(*self.beside, *beside), number=number))
        return found


def is_of_game(card: Card, word: str) -> bool:
    """Whether a word is the game that a card is of, in any case and spacing."""
    return fold(word).replace(" ", "") == card.game.casefold()


def is_in_set(card: Card, word: str) -> bool:
    """Whether a word is the set that a card is in: its code, an older one, or its name."""
    code = word.casefold()
    if card.set_code and card.set_code.casefold() in (code, TODAYS.get(code, code)):
        return True
    return bool(card.set_name) and (
        fold(word) == fold(card.set_name) or ((key := set_key(word)) != "" and key == set_key(card.set_name))
    )


def fitting(cards: Iterable[Card], word: str) -> list[Card]:
    """Those of the cards whose game or set a word is."""
    return [card for card in cards if is_in_set(card, word) or is_of_game(card, word)]


def numbered(cards: Iterable[Card], number: str) -> list[Card]:
    """Those of the cards with a collector number as people write it; some lists number the halves of a card: 153a."""
    held = list(cards)
    for meant in (number, number.rstrip("ab")):
        if found := [card for card in held if _has_number(card, meant) and (meant == number or " // " in card.name)]:
            return found
    return []


def _has_number(card: Card, number: str) -> bool:
    forms = {form.casefold() for form in number_forms(number, card.set_code)}
    return card.collector_number.casefold() in forms or same_number(number, card.collector_number)
