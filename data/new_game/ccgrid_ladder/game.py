"""Dealing of Ladder, and reading of its setups and final positions from files."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ccgrid.catalog.card import Card
from ccgrid.engine import schema
from ccgrid.engine.cards import ZONE_CARD, label, no_lookup, read_cards, read_zone_card, zone_card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, RecordError
from ccgrid.engine.game import Game, Lookup, check_deal

from .notation import LadderNotation
from .rules import HAND, LadderSetup, LadderState


class LadderGame(Game[LadderState]):
    """The game as ccgrid knows it."""

    name = "ladder"
    title = "Ladder"
    player_counts = (2,)
    notation = LadderNotation()
    setup_schema = staticmethod(schema.table({"decks": schema.table_of(schema.list_of(ZONE_CARD))}))
    ending_schema = staticmethod(schema.table({"points": schema.table_of(schema.whole)}))

    def heuristic(self, state: LadderState, move: str) -> float:
        """Return the value of a move: prefer the lowest card that takes the round, else the lowest card."""
        led, card = state.on_table(), state.card_in_hand(move)
        takes = led is not None and card.score > led.score
        return (1000 if takes else 0) - card.score

    def reveal(self, view: LadderState, cards: Mapping[str, Card]) -> LadderState:
        """Return the full position of a view with these cards in the other hand."""
        return view.with_hidden(cards)

    def playable_card(self, card: Card) -> Card | None:
        """Return the card as records contain it, or None if it is not legal."""
        return zone_card(card) if card.legal else None

    def decks_needed(self, players: int) -> int:
        """Return the number of decks: one for each player."""
        return players

    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        dice: Dice,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> LadderSetup:
        """Deal each player the five cards of a deck."""
        check_deal(self, players, decks)
        self.option_values(options)
        if any(len(deck) != HAND for deck in decks):
            raise EngineError(f"{self.name} takes {HAND} cards for each player")
        hands = tuple(label([zone_card(card) for card in dice.shuffled(deck)]) for deck in decks)
        return LadderSetup(tuple(players), dice.below(len(players)) if first is None else first, hands)

    def read_setup(
        self, table: Mapping[str, Any], players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> LadderSetup:
        """Return the setup of a record."""
        hands = []
        for place, cards in schema.player_entries(table, "decks", players, "every player has a deck"):
            if len(cards) != HAND:
                raise RecordError(place, f"must be {HAND} cards, not {len(cards)}")
            hands.append(label(read_cards(cards, place, read_zone_card, lookup)))
        return LadderSetup(players, first or 0, tuple(hands))

    def score_ending(self, document: Mapping[str, Any], lookup: Lookup = no_lookup) -> dict[str, int]:
        """Return each player's points in a file with the final position only."""
        return dict(document["points"])


GAME: Final = LadderGame()
