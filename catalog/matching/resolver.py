"""Which card a person means by what they wrote: the same for every command, and never another one unsaid.

An id; else the name, within the games that are named and with the game or the set that stands beside it; of several
games what one owns; else the only game that has it; else it is ambiguous: whoever can be asked is asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from catalog.card import Card, CatalogError
from catalog.matching.beside import Asked, fitting, numbered
from catalog.matching.search import NameHit, fold
from catalog.matching.special_sets import is_special

_LISTED: Final = 8
_SUGGESTED: Final = 3
_HELPED: Final = 5
"""For so many unknown names of a list others are suggested: every name of the catalogue is compared each time."""

Choose = Callable[[str, Sequence[Card]], Card | None]
"""Asks which card, one of each game, is meant by a text; None where nobody says."""


class Shelf(Protocol):
    """Where names are looked up."""

    def cards(self, ids: Sequence[str]) -> list[Card]:
        """The cards with these ids, as far as there are such."""

    def called(self, name: str) -> list[Card]:
        """Every printing of a name, of all games, in which no more than case, accents and punctuation may differ."""

    def halved(self, half: str) -> list[Card]:
        """Every printing of the names with halves of which this is one."""

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids of which somebody owns copies."""

    def near(self, query: str) -> list[NameHit]:
        """The names that a misspelt one may mean, best first."""


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
    fitting: tuple[Card, ...]
    owned: bool = False
    for_deck: bool = False

    @property
    def differing(self) -> int:
        """How many of the printings that fit as well have other numbers."""
        return sum(not same_numbers(self.card, other) for other in self.fitting)

    @property
    def remark(self) -> str:
        """What has to be said of the choice: nothing where all printings that fit have the same numbers."""
        if not self.differing:
            return ""
        whole = f"{self.card.name} ({self.card.id})"
        if self.owned:
            return f"{whole} is the printing you own; {_printings(self.differing)} other numbers."
        which = "earliest legal" if self.for_deck and self.card.legal else "earliest"
        if not _is_promo(self.card) and any(map(_is_promo, self.fitting)):
            which += " ordinary one"
        return f"{whole} is the {which} of {len(self.fitting)} printings; {_printings(self.differing)} other numbers."


class Resolver:
    """Finds the cards that are meant, one after the other; what was asked once is kept."""

    def __init__(
        self, shelf: Shelf, *, choose: Choose | None = None, playable: Callable[[Card], bool] | None = None
    ) -> None:
        """`choose` asks a person where a name is ambiguous; without it that is an error.

        `playable` tells which cards may be in the deck that is meant: they come first among cards nobody owns.
        """
        self._shelf, self._choose = shelf, choose
        self._playable, self._is_for_deck = playable or (lambda card: True), playable is not None
        self._unknown = 0
        self._answers: dict[Asked, Resolved | CatalogError] = {}
        self._printings: dict[tuple[str, str], tuple[Card, ...]] = {}

    def resolve(self, asked: Asked) -> Resolved:
        """The card that is meant.

        Raises:
            UnknownCardError: there is none; it names those that may be meant.
            AmbiguousCardError: several games have it, and nobody can be asked.
            NoChoiceError: nobody chose one when asked.
        """
        if asked not in self._answers:
            try:
                self._answers[asked] = self._resolved(asked)
            except CatalogError as error:
                self._answers[asked] = error
        answer = self._answers[asked]
        if isinstance(answer, CatalogError):
            raise answer
        return answer

    def printings(self, card: Card) -> tuple[Card, ...]:
        """All printings of a card in its game, the earliest first."""
        key = card.game, fold(card.name)
        if key not in self._printings:
            same = [one for one in self._shelf.called(card.name) if (one.game, fold(one.name)) == key]
            self._printings[key] = tuple(same)
        return self._printings[key] or (card,)

    def _resolved(self, asked: Asked) -> Resolved:
        if found := self._shelf.cards([asked.text]) or self._shelf.cards([asked.text.lower()]):
            return Resolved(found[0], (found[0],))
        refusal: UnknownCardError | None = None
        for reading in asked.readings():
            if not (named := self._named(reading)):
                continue
            try:
                return self._settled(reading, self._fitting(reading, named))
            except UnknownCardError as error:
                refusal = refusal or error
        if refusal is not None:
            raise refusal
        name = asked.readings()[-1].text
        self._unknown += 1
        near = [hit.name for hit in self._shelf.near(name)[:_SUGGESTED]] if self._unknown <= _HELPED else []
        hint = f" Did you mean: {', '.join(near)}?" if near else ""
        raise UnknownCardError(f"No card is called {name!r}.{hint}")

    def _named(self, asked: Asked) -> list[Card]:
        """The cards that a name may mean; in each game only those to which it is nearest."""
        name, wanted = asked.text, asked.games
        cards = self._shelf.called(name)
        if not any(card.game in wanted or not wanted for card in cards):
            cards = self._shelf.halved(name) or cards
        by_game: dict[str, list[Card]] = {}
        for card in cards:
            by_game.setdefault(card.game, []).append(card)
        found = []
        for cards in by_game.values():
            nearest = min(_distance(name, card) for card in cards)
            found += [card for card in cards if _distance(name, card) == nearest]
        return found

    def _fitting(self, asked: Asked, named: Sequence[Card]) -> list[Card]:
        """Those of the cards of a name that have all that was said beside it; UnknownCardError where none has."""
        found = [card for card in named if not asked.games or card.game in asked.games]
        if not found:
            others = ", ".join(dict.fromkeys(card.game for card in named))
            games = " or ".join(asked.games)
            raise UnknownCardError(f"No card of {games} is called {asked.text!r}; it is a card of: {others}.")
        for word in asked.beside:
            if not (matching := fitting(found, word)):
                raise OtherPrintingError(f"{asked.text!r} is not in the set {word!r}; it is in: {_sets(found)}.")
            found = matching
        if asked.number:
            if not (matching := numbered(found, asked.number)):
                numbers = ", ".join(card.collector_number for card in found[:_LISTED])
                where = f" in the set {asked.beside[-1]!r}" if asked.beside else ""
                raise OtherPrintingError(f"{asked.text!r} has no number {asked.number}{where}; it has: {numbers}.")
            found = matching
        return [card for card in found if card.lang == asked.language] or found if asked.language else found

    def _settled(self, asked: Asked, cards: Sequence[Card]) -> Resolved:
        """One of the cards that fit: what one owns first, of one game, the first in the order of choice."""
        owned = self._shelf.owned_among([card.id for card in cards])
        pool = [card for card in cards if card.id in owned] or cards
        by_game: dict[str, list[Card]] = {}
        for card in pool:
            by_game.setdefault(card.game, []).append(card)
        if len(by_game) > 1 and not owned and self._is_for_deck:
            usable = {game: some for game, some in by_game.items() if any(map(self._playable, some))}
            by_game = usable if len(usable) == 1 else by_game
        best = [min(by_game[game], key=self._order) for game in sorted(by_game)]
        taken = best[0] if len(best) == 1 else self._chosen(asked, best)
        fitting = tuple(card for card in cards if card.game == taken.game)
        return Resolved(taken, fitting, bool(owned), self._is_for_deck)

    def _chosen(self, asked: Asked, candidates: Sequence[Card]) -> Card:
        if self._choose is None:
            raise AmbiguousCardError(asked.text, candidates)
        chosen = self._choose(asked.text, candidates)
        if chosen is None:
            raise NoChoiceError(f"No card was chosen for {asked.text!r}.")
        return chosen

    def _order(self, card: Card) -> tuple[bool, bool, bool, bool, str, int, str]:
        """In this order: English, no promo, the earliest, the lowest number; for a deck before all what may be in it.

        What one owns need not be legal: there legality does not matter.
        """
        digits = "".join(filter(str.isdecimal, card.collector_number))[:9]
        barred = self._is_for_deck and not card.legal
        return (
            not self._playable(card),
            barred,
            card.lang != "en",
            _is_promo(card),
            card.released or "",
            int(digits or 0),
            card.id,
        )


def same_numbers(one: Card, other: Card) -> bool:
    """Whether two cards have the same numbers, and so are one card in every game that is played with them."""
    return (one.zones, one.face, one.score, one.attack, one.defense) == (
        *(other.zones, other.face, other.score, other.attack, other.defense),
    )


def _is_promo(card: Card) -> bool:
    return is_special(card.game, card.set_code, card.set_name, card.collector_number)


def describe_card(card: Card) -> str:
    """A card in a few words: its name, game, set and number, and its id.

    >>> describe_card(Card("a:x/7", "a", "Ant", {"top": 3}, 3, "x", "", "7"))
    'Ant (a, x 7; a:x/7)'
    """
    printed = f"{card.set_code} {card.collector_number}".strip()
    return f"{card.name} ({card.game}{', ' if printed else ''}{printed}; {card.id})"


def _distance(name: str, card: Card) -> int:
    """How far a card's name is from what was written: the same, the same in its language, but for accents and case."""
    if name in (card.name, card.printed_name):
        return 0 if name == card.name else 1
    return 2 if fold(name) == fold(card.name) else 3


def _sets(cards: Sequence[Card]) -> str:
    """The sets of cards, with their games where these are several."""
    several = len({card.game for card in cards}) > 1
    sets = dict.fromkeys(f"{card.game} {card.set_code}".strip() if several else card.set_code for card in cards)
    return ", ".join(list(sets)[:_LISTED])


def _printings(count: int) -> str:
    return "1 other printing has" if count == 1 else f"{count} other printings have"
