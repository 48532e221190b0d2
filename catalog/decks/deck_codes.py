"""Decks in one line of text: that of a deck, or of a game that is played with one deck."""

from dataclasses import replace
from typing import Final, NamedTuple

from catalog.card import Card, CatalogError
from catalog.codes.card_lines import from_lines
from catalog.codes.code import CodeError, read_code
from catalog.documents import DocumentError, Limits, load_json

_LIMITS: Final = Limits(1 << 16)
_UNNAMED: Final = "The deck of a code"


class DeckCode(NamedTuple):
    """What a line says of a deck: its name, the game that it is for, the seed that drew it, its cards."""

    name: str
    plays: str
    seed: int | None
    cards: tuple[Card, ...]


def read_deck_code(text: str) -> DeckCode:
    """The deck in a line; raises CatalogError where it is damaged, or of a game in which every player has a deck."""
    try:
        code = read_code(text)
    except CodeError as error:
        raise CatalogError(f"This is not a deck: {error}.") from None
    plays, _, lines = code.deck.partition("\n")
    if lines.startswith("{"):
        raise CatalogError("This is the code of a game, not of a deck. Look at it with: ccgrid replay CODE")
    try:
        cards = from_lines(lines)
        said = load_json(code.more, _LIMITS) if code.more else {}
    except (ValueError, DocumentError):
        raise CatalogError("This is the code of something else than a deck or a game.") from None
    name, seed = (said.get(key) for key in ("name", "seed")) if isinstance(said, dict) else (None, None)
    return DeckCode(
        name if isinstance(name, str) and name and code.game is None else _UNNAMED,
        plays,
        seed if isinstance(seed, int) and code.game is None else None,
        tuple(_named(card, number) for number, card in enumerate(cards, 1)),
    )


def _named(card: Card, number: int) -> Card:
    reason = None if card.zones else "no-number"
    return replace(card, name=card.name or card.id or f"card {number}", legal=reason is None, reason=reason)
