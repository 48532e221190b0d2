"""Records that name the file of a deck: the cards of their setup are in that deck, and those left are its rest."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ccgrid.catalog.card import Card, CatalogError
from ccgrid.engine.cards import label, zone_card, zone_card_table
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import Game, Lookup
from ccgrid.engine.schema import RecordError

DeckLookup = Callable[[str, str], Sequence[Card]]
"""Finds the cards of the deck that a record names, legal in this game; raises `CatalogError` or `EngineError`."""


def no_decks(name: str, game: str) -> Sequence[Card]:
    """The lookup of whoever knows of no folder: no deck is found."""
    raise CatalogError(f"there is no folder to look for {quoted(name)} in: add the cards to the record")


class SetupWithDeck(NamedTuple):
    """The setup of a record, with the cards that it names from a deck written out, and where to look up the others."""

    table: Mapping[str, Any]
    lookup: Lookup


def with_decks(game: Game, document: Mapping[str, Any], lookup: Lookup, find: DeckLookup) -> SetupWithDeck:
    """The setup of a document, in which the cards are those of the decks that it names under `deck`, if it does.

    Raises:
        RecordError: there is no such deck, or it does not hold a card of the setup.
    """
    table = document["setup"]
    if "deck" not in document:
        return SetupWithDeck(table, lookup)
    named = document["deck"]
    names = [named] if isinstance(named, str) else list(named)
    needed = game.decks_needed(len(document["players"]))
    if len(names) not in {1, needed} or not needed:
        wanted = "no deck" if not needed else "one deck" if needed == 1 else f"one deck for all, or {needed}"
        raise RecordError("deck", f"names {len(names)}, and {game.name} is played with {wanted}")
    decks = [_cards(name, game, find) for name in names]
    if needed > 1:
        return SetupWithDeck(table, lambda text: _in_any(text, names, decks))
    return SetupWithDeck(_shared(table, decks[0], names[0]), lookup)


def _cards(name: str, game: Game, find: DeckLookup) -> tuple[Card, ...]:
    try:
        return tuple(find(name, game.name))
    except (CatalogError, EngineError) as error:
        raise RecordError("deck", " ".join(str(error).split())) from None


def _in_any(text: str, names: Sequence[str], decks: Sequence[Sequence[Card]]) -> Card:
    """The card that a text means in the decks of all players; raises CatalogError where it is in none or not plain."""
    for fits in (_is_called, _is_alike):
        found = [card for deck in decks for card in deck if fits(card, text)]
        if found and any(_numbers(card) != _numbers(found[0]) for card in found):
            raise CatalogError(f"{quoted(text)} has other numbers in each deck: write it with its numbers")
        if found:
            return found[0]
    raise CatalogError(f"{quoted(text)} is not in {' or '.join(names)}; did the deck change?")


def _numbers(card: Card) -> tuple[Any, ...]:
    return dict(card.zones), card.attack, card.defense


def _is_called(card: Card, text: str) -> bool:
    return text in (card.name, card.id)


def _is_alike(card: Card, text: str) -> bool:
    return text.casefold() in (card.name.casefold(), card.id.casefold())


def _shared(table: Mapping[str, Any], deck: Sequence[Card], name: str) -> Mapping[str, Any]:
    """The setup with its cards written out, and the rest of the deck in its pile."""
    left: list[Card | None] = list(label([zone_card(card) for card in deck]))
    known = [_taken(value, left, f"cards[{place}]", name) for place, value in enumerate(table["cards"])]
    pile = [_taken(value, left, f"pile[{place}]", name) for place, value in enumerate(table.get("pile", ()))]
    rest = pile or [zone_card_table(card) for card in left if card is not None]
    return {**table, "cards": known, **({"pile": rest} if rest else {})}


def _taken(value: str | Mapping[str, Any], left: list[Card | None], where: str, name: str) -> Mapping[str, Any]:
    """The table of a card of the setup, which is taken out of those that are left."""
    for fits in (_fits, _fits_alike):
        for place, card in enumerate(left):
            if card is not None and fits(value, card):
                left[place] = None
                return value if isinstance(value, Mapping) else zone_card_table(card)
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 4 else 0
    if 0 < number <= len(left) and (numbered := left[number - 1]) is not None:
        left[number - 1] = None
        return zone_card_table(numbered)
    said = value if isinstance(value, str) else value.get("name", value.get("id", "a card of these numbers"))
    raise RecordError(f"setup.{where}", f"{quoted(said)} is not in {name}, or not so often; did the deck change?")


def _fits(value: str | Mapping[str, Any], card: Card) -> bool:
    if isinstance(value, str):
        return _is_called(card, value)
    table = zone_card_table(card)
    return all(value[key] == table.get(key) for key in ("id", "name", "zones", "score") if key in value)


def _fits_alike(value: str | Mapping[str, Any], card: Card) -> bool:
    return isinstance(value, str) and _is_alike(card, value)
