"""Decks as values, and as the text of a deck file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from catalog.card import Card

USUAL_DECK: Final = 20
"""How many cards a deck has where nobody says for which game it is."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that belong together, each copy by itself; `seed` drew them, `plays` is the game that they are for."""

    name: str
    cards: tuple[Card, ...]
    seed: int | None = None
    plays: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of `deck new --json`; a deck file is the same as TOML."""
        game = {} if self.plays is None else {"game": self.plays}
        return {"name": self.name, **game, "seed": self.seed, "cards": [card.to_dict() for card in self.cards]}


def deck_toml(deck: Deck) -> str:
    """The text of a deck file, one card a line."""
    import tomli_w

    head = {key: value for key, value in deck.to_dict().items() if key != "cards" and value is not None}
    lines = [f"  {_inline(card.to_dict())}," for card in deck.cards]
    return tomli_w.dumps(head) + "\n".join(["cards = [", *lines, "]"]) + "\n"


def _inline(table: Mapping[str, Any]) -> str:
    """A table in one line of TOML."""
    parts = [f"{key} = {toml_value(value)}" for key, value in table.items() if value is not None]
    return "{ " + ", ".join(parts) + " }" if parts else "{}"


def toml_value(value: object) -> str:
    """A value in one line of TOML."""
    import tomli_w

    if isinstance(value, Mapping):
        return _inline(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")
