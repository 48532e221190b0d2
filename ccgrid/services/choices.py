"""What one command took for the names that somebody wrote: asked once where they are ambiguous, and told at its end."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.formatting import counted

if TYPE_CHECKING:
    from ccgrid.catalog.matching.asking import Choose, ResolvedCard, Row
    from ccgrid.catalog.matching.resolver import Resolver
    from ccgrid.catalog.store.catalogue import Store
    from ccgrid.engine.decks import GameDecks

_NAMED: Final = 5


@dataclass(slots=True)
class Choices:
    """Cards taken for names; `ask` asks a person which card is meant, None where nobody can be asked."""

    ask: "Choose | None" = None
    taken: "dict[Row, ResolvedCard]" = dataclasses.field(default_factory=dict)
    elsewhere: dict[str, None] = dataclasses.field(default_factory=dict)
    """What was written of cards that are not in the set that was named, and of which any printing will do."""
    left_out: dict[str, int] = dataclasses.field(default_factory=dict)
    """The number of cards in each part of a deck's file that is not in the deck, such as a sideboard."""

    def __post_init__(self) -> None:
        """Asks about each name once."""
        self.ask = self.ask and matching.asking.choose_once(self.ask)

    def resolver(
        self, store: "Store", playable: Callable[[Card], bool] | None = None, games: Sequence[str] = ()
    ) -> "Resolver":
        """Finds cards of these games, or of all; `playable` tells those that may be in the deck that is meant."""
        from ccgrid.catalog.store.lookup import StoreLookup

        return matching.resolver.Resolver(StoreLookup(store), games=games, choose=self.ask, playable=playable)

    def take(self, resolver: "Resolver", row: "Row") -> "ResolvedCard":
        """The card that is meant, which is remembered where it was not told by its id.

        Raises:
            CatalogError: there is none, or it is not plain which.
        """
        found = resolver.resolve(row)
        if found.card.id.casefold() != row.name.casefold():
            self.taken[row] = found
        return found

    def remarks(self) -> list[str]:
        """What is to be said of the cards that were taken for names: their games, and where numbers differ."""
        parts = ", ".join(f"{count} in {part}" for part, count in self.left_out.items())
        said = [f"Not in the deck: {parts}."] if parts else []
        found = list({one.card.id: one for one in self.taken.values()}.values())
        if not found:
            return said
        games = Counter(one.card.game for one in found)
        said += [f"Found by name: {', '.join(f'{count} of {game}' for game, count in sorted(games.items()))}."]
        if self.elsewhere:
            said.append(f"Set or number not found, so matched by name: {_short_list(self.elsewhere)}.")
        differing = [one for one in found if one.differing]
        if len(differing) == 1:
            said.append(differing[0].remark)
        elif differing:
            named = _short_list([f"{one.card.name} ({one.card.id})" for one in differing])
            said.append(
                f"{counted(len(differing), 'name')} {'has' if len(differing) == 1 else 'have'} printings with "
                "other numbers; chosen was the one you own, or the earliest"
                f" legal: {named}."
            )
        return said


def _short_list(names: Collection[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(list(names)[:_NAMED]) + more


def with_game_numbers(store: "Store", card: Card, decks: "GameDecks") -> Card:
    """The card with the numbers that the game reads off it, wherever they are printed."""
    return decks.with_numbers(card, lambda: {number.field: number.raw for number in store.explain(card.id)})
