"""What a person asks of a card's name and is answered: the card, which of its printings, or why it is not plain."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ccgrid.catalog.card import Card, CatalogError, NothingFoundError, id_part
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.row import TODAYS, MatchResult, Row, is_special
from ccgrid.catalog.matching.spellings import Candidate, set_key, similarity

_LISTED: Final = 8

Choose = Callable[[str, Sequence[Card]], Card | None]
"""Asks which card, one of each game, is meant by a text; None where nobody says."""


def once(choose: Choose) -> Choose:
    """Asks about each text and its cards once, and remembers the answer."""
    answers: dict[tuple[str, ...], Card | None] = {}

    def remembered(text: str, candidates: Sequence[Card]) -> Card | None:
        key = text, *(card.id for card in candidates)
        if key not in answers:
            answers[key] = choose(text, candidates)
        return answers[key]

    return remembered


class UnknownCardError(NothingFoundError):
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
    def candidate(self) -> Candidate:
        """The card as it was looked up."""
        return next(one for one in self.fitting if one.id == self.card.id)

    @property
    def differing(self) -> int:
        """How many of the printings that fit as well have other numbers."""
        return sum(one.numbers != self.candidate.numbers for one in self.fitting)

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


def is_of_game(game: str, word: str) -> bool:
    """Whether a word is a game, in any case and spacing."""
    return fold(word).replace(" ", "") == game.casefold()


def is_of(card: Card | Candidate, word: str) -> bool:
    """Whether a word is the game of a card, or its set: by its code, an older one, or its name."""
    code, key = word.casefold(), set_key(word)
    if is_of_game(card.game, word) or (card.set_code and card.set_code.casefold() in (code, TODAYS.get(code, code))):
        return True
    return bool(card.set_name) and (fold(word) == fold(card.set_name) or (bool(key) and key == set_key(card.set_name)))


_RARITY_CODES: Final = {
    **{"c": "common", "r": "rare", "sr": "super-rare", "ur": "ultra-rare", "scr": "secret-rare"},
    **{"utr": "ultimate-rare", "gr": "ghost-rare", "gur": "gold-rare", "gscr": "gold-secret-rare", "sp": "short-print"},
    **{"pscr": "prismatic-secret-rare", "plscr": "platinum-secret-rare", "upr": "ultra-parallel-rare"},
    **{"cr": "collector-s-rare", "qcscr": "quarter-century-secret-rare", "msr": "mosaic-rare", "sfr": "starfoil-rare"},
}
CANDIDATES: Final = 3
"""How many cards a report names for a row that is in doubt."""


def best(row: Row, cards: Sequence[Candidate]) -> Candidate:
    """The printing to take of those that fit a row."""
    return min(cards, key=lambda card: order(row, card)) if len(cards) > 1 else cards[0]


def best_of_each_game(row: Row, cards: Sequence[Candidate], playable: frozenset[str] | None = None) -> list[Candidate]:
    """The printing to take of those that fit a row in each game that has one, in the order of the games' names.

    For a deck, `playable` are the ids of those that may be in it: these come first, and then what is legal.
    """
    by_game: dict[str, list[Candidate]] = {}
    for card in cards:
        by_game.setdefault(card.game, []).append(card)
    if playable is None:
        return [best(row, by_game[game]) for game in sorted(by_game)]
    return [
        min(by_game[game], key=lambda card: (card.id not in playable, not card.legal, order(row, card)))
        for game in sorted(by_game)
    ]


def order(row: Row, card: Candidate) -> tuple[bool, bool, bool, bool, str, int, str]:
    """In this order: the row's rarity and language, English, no promo, the earliest, the lowest number.

    Whether it is legal in a deck does not matter: people own cards that are not.
    """
    digits = "".join(filter(str.isdigit, card.number))[:9]
    own = card.lang != (row.language or "en")
    unlike = not says_rarity(row, card), own, card.lang != "en", is_promo(card)
    return *unlike, card.released, int(digits or 0), card.id


def is_promo(card: Candidate) -> bool:
    """Whether a printing is a promo or the like."""
    return is_special(card.game, card.set_code, card.set_name, card.number)


def says_rarity(row: Row, card: Candidate) -> bool:
    """Whether a row says the rarity of a card: where a number has several, each has its id: `yugioh:lob-001/common`.

    Some apps write its code, as it is printed in lists of Yu-Gi-Oh! sets.
    """
    if not row.rarity:
        return False
    return card.id.endswith((f"/{id_part(row.rarity)}", f"/{_RARITY_CODES.get(row.rarity.casefold(), '?')}"))


def likeliest(row: Row, cards: Sequence[Candidate]) -> Candidate:
    """The card whose name is most like that of a row."""
    return max(cards, key=lambda card: similarity(row.name, card)) if len(cards) > 1 else cards[0]


def candidate_ids(cards: Iterable[Candidate]) -> tuple[str, ...]:
    """The ids of the first few cards, for a report that names them."""
    return tuple(dict.fromkeys(card.id for card in cards))[:CANDIDATES]


def with_candidates(found: MatchResult) -> tuple[str, ...]:
    """The card of a match and its candidates, for a report that only names them."""
    own = (found.card.id,) if found.card is not None else ()
    return tuple(dict.fromkeys((*own, *found.candidates)))[:CANDIDATES]


def finish_said(card: Candidate, kind: str, value: str) -> str:
    """The finish that an id says: of two ids that a card has at MTGO, the second is that of the foil."""
    own = [one.partition(":")[2] for one in card.ids.split() if one.startswith("mtgo:")] if kind == "mtgo" else []
    return "foil" if value in own[1:] else ""
