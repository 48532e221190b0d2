"""Cards that one command matched to names, each ambiguous one asked about once."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card

if TYPE_CHECKING:
    from ccgrid.catalog.matching.asking import Choose, ResolvedCard
    from ccgrid.catalog.matching.resolver import Resolver
    from ccgrid.catalog.matching.rows import Row
    from ccgrid.catalog.store.catalogue import Store
    from ccgrid.engine.decks import GameDecks

_NAMED: Final = 5


class Choices:
    """Cards matched to names.

    Attributes:
        ask: Lets the user choose among several cards; it remembers the choices. None without a terminal.
        elsewhere: The names of cards that are not in the set that the user named, for which any printing was accepted.
        left_out: The number of cards in each part of a deck's file that is not in the deck, such as a sideboard.
    """

    def __init__(self, ask: "Choose | None" = None) -> None:
        self.ask = ask and matching.asking.choose_once(ask)
        self.taken: dict[Row, ResolvedCard] = {}
        self.elsewhere: dict[str, None] = {}
        self.left_out: dict[str, int] = {}

    def resolver(
        self, store: "Store", playable: Callable[[Card], bool] | None = None, games: Sequence[str] = ()
    ) -> "Resolver":
        """Return a resolver for cards of these games, or of all; `playable` tells whether a card may be in the deck."""
        from ccgrid.catalog.store.lookup import StoreLookup

        return matching.resolver.Resolver(StoreLookup(store), games=games, choose=self.ask, playable=playable)

    def take(self, resolver: "Resolver", row: "Row") -> "ResolvedCard":
        """Return the matched card, and note it unless the user gave its id.

        Raises:
            CatalogError: If there is none, or the name is ambiguous.
        """
        found = resolver.resolve(row)
        if found.card.id.casefold() != row.name.casefold():
            self.taken[row] = found
        return found

    def remarks(self) -> list[str]:
        """Return remarks on the matched cards: their games, and differing numbers of printings."""
        parts = ", ".join(f"{count} in {part}" for part, count in self.left_out.items())
        said = [f"Not in the deck: {parts}."] if parts else []
        found = list({one.card.id: one for one in self.taken.values()}.values())
        if not found:
            return said
        from ccgrid.catalog.layouts.layout_file import game_title

        games = Counter(game_title(one.card.game) for one in found)
        said += [f"Matched by name: {', '.join(f'{count} {title}' for title, count in sorted(games.items()))}."]
        if self.elsewhere:
            said.append(f"Set or number not found, so matched by name: {_short_list(self.elsewhere)}.")
        differing = [one for one in found if one.differing]
        if len(differing) == 1:
            said.append(differing[0].remark)
        elif differing:
            named = _short_list([f"{one.card.name} ({one.card.id})" for one in differing])
            said.append(
                f"{len(differing):,} names have printings with other numbers; ccgrid takes the one you own, "
                f"else the earliest legal one: {named}."
            )
        return said


def _short_list(names: Collection[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(list(names)[:_NAMED]) + more


def games_with(store: "Store", card: Card) -> list[str]:
    """Return the names of the games whose decks may have a card, also one that is not legal in decks of grid."""
    from ccgrid.engine.games import GAMES

    return [
        name
        for name, decks in GAMES.parts("decks").items()
        if decks.fault(with_game_numbers(store, card, decks)) is None
    ]


def with_game_numbers(store: "Store", card: Card, decks: "GameDecks") -> Card:
    """Return a card with the numbers that the game reads from its printed fields."""
    return decks.with_numbers(card, lambda: {number.field: number.raw for number in store.explain(card.id)})
