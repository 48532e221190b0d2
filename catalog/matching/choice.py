"""Which of several printings that fit a row is taken, and what an id or a miss says beside the card."""

from collections.abc import Iterable, Sequence
from typing import Final

from ccgrid.catalog.card import id_part
from ccgrid.catalog.matching.row import MatchResult, Row
from ccgrid.catalog.matching.sets import is_special
from ccgrid.catalog.matching.spellings import Candidate, similarity

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

    def in_deck(card: Candidate) -> tuple[bool, bool, tuple[bool, bool, bool, bool, str, int, str]]:
        return card.id not in playable, not card.legal, order(row, card)

    return [min(by_game[game], key=in_deck) for game in sorted(by_game)]


def order(row: Row, card: Candidate) -> tuple[bool, bool, bool, bool, str, int, str]:
    """In this order: the row's rarity and language, English, no promo, the earliest, the lowest number.

    Whether it is legal in a deck does not matter: people own cards that are not.
    """
    digits = "".join(filter(str.isdigit, card.number))[:9]
    own = card.lang != (row.language or "en")
    return (
        not says_rarity(row, card),
        own,
        card.lang != "en",
        is_promo(card),
        card.released,
        int(digits or 0),
        card.id,
    )


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
