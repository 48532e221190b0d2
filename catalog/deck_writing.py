"""The text of deck files in TOML."""

import msgspec
import tomli_w

from ccgrid.catalog.card_answers import shown_deck
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.toml_values import toml_value


def deck_toml(deck: Deck) -> str:
    """Return the text of a deck file, with one card per line."""
    table = msgspec.to_builtins(shown_deck(deck))
    head = {key: value for key, value in table.items() if key != "cards" and value is not None}
    lines = [f"  {toml_value(card)}," for card in table["cards"]]
    return tomli_w.dumps(head) + "\n".join(["cards = [", *lines, "]"]) + "\n"
