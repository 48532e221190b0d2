"""Printings: which of several fitting printings a row most likely means."""

from collections.abc import Sequence
from typing import Final

from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.matching.candidates import Candidate, similarity
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.matching.sets import is_special

_RARITY_CODES: Final = {
    **{"c": "common", "r": "rare", "sr": "super-rare", "ur": "ultra-rare", "scr": "secret-rare"},
    **{"utr": "ultimate-rare", "gr": "ghost-rare", "gur": "gold-rare", "gscr": "gold-secret-rare", "sp": "short-print"},
    **{"pscr": "prismatic-secret-rare", "plscr": "platinum-secret-rare", "upr": "ultra-parallel-rare"},
    **{"cr": "collector-s-rare", "qcscr": "quarter-century-secret-rare", "msr": "mosaic-rare", "sfr": "starfoil-rare"},
    **{"1": "red", "2": "yellow", "3": "blue"},  # the pitch values of Flesh and Blood
}
COLOURS: Final = frozenset(("red", "yellow", "blue"))
"""The colours that tell cards of one name apart in Flesh and Blood."""


def best(row: Row, cards: Sequence[Candidate]) -> Candidate:
    """Return the preferred printing of those that match a row."""
    return min(cards, key=lambda card: printing_order(row, card)) if len(cards) > 1 else cards[0]


def best_of_each_game(row: Row, cards: Sequence[Candidate], playable: frozenset[str] | None = None) -> list[Candidate]:
    """Return the preferred printing in each game, in the order of the names of the games.

    For a deck, prefer the ids in `playable`, then legal cards.
    """
    by_game: dict[str, list[Candidate]] = {}
    for card in cards:
        by_game.setdefault(card.game, []).append(card)
    if playable is None:
        return [best(row, by_game[game]) for game in sorted(by_game)]
    return [
        min(by_game[game], key=lambda card: (card.id not in playable, not card.legal, printing_order(row, card)))
        for game in sorted(by_game)
    ]


def printing_order(row: Row, card: Candidate) -> tuple[bool, bool, bool, bool, str, int, str]:
    """Return a sort key of printings: the row's rarity and language, English, no promo, release date, number.

    Legality does not matter, because users own cards that are not legal.
    """
    digits = "".join(filter(str.isdigit, card.number))[:9]
    own = card.lang != (row.language or "en")
    unlike = not says_rarity(row, card), own, card.lang != "en", is_promo(card)
    return *unlike, card.released, int(digits or 0), card.id


def is_promo(card: Candidate) -> bool:
    """Return whether a printing is a promo or the like."""
    return is_special(card.game, card.set_code, card.set_name, card.number)


def says_rarity(row: Row, card: Candidate) -> bool:
    """Return whether a row says the rarity of a card, or its colour.

    If a number has several rarities, each has its id: `yugioh:lob-001/common`. If a name has several colours, each has
    its id as well: `fab:snatch/red`. Some apps write codes: `UR`, `1`, and some leave out a word: `Ultimate`.
    """
    if not row.rarity:
        return False
    word = id_part(row.rarity)
    return card.id.endswith((f"/{word}", f"/{word}-rare", f"/{_RARITY_CODES.get(row.rarity.casefold(), '?')}"))


def has_rarity_in_id(card: Candidate) -> bool:
    """Return whether the id of a card ends with its rarity because cards of one number differ in it.

    >>> card = Candidate("yugioh:lob-001/common", "yugioh", "", "", "", "LOB-001", "en", None, True, "", "")
    >>> has_rarity_in_id(card), has_rarity_in_id(card._replace(id="mtg:m10/146", number="146"))
    (True, False)
    """
    return card.id.rpartition("/")[0].endswith(f":{id_part(card.number)}")


def is_variant(card: Candidate, word: str) -> bool:
    """Return whether a word tells a card from others of its name and number: its rarity, or its colour.

    >>> card = Candidate("fab:snatch/red", "fab", "Snatch", "", "", "", "en", None, True, "", "")
    >>> [is_variant(card, word) for word in ("Red", "1", "blue", "snatch")]
    [True, True, False, False]
    """
    return bool(word) and says_rarity(Row(rarity=word), card) and not (word.isdecimal() and card.number)


def likeliest(row: Row, cards: Sequence[Candidate]) -> Candidate:
    """Return the card whose name is most similar to that of a row."""
    return max(cards, key=lambda card: similarity(row.name, card)) if len(cards) > 1 else cards[0]


def finish_of_id(card: Candidate, kind: str, value: str) -> str:
    """Return the finish that an id implies: the second MTGO id of a card is that of the foil."""
    own = [one.partition(":")[2] for one in card.ids.split() if one.startswith("mtgo:")] if kind == "mtgo" else []
    return "foil" if value in own[1:] else ""
