"""Dealing of Quads, and reading of its setups and final positions from files."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ccgrid.catalog.card import Card
from ccgrid.engine import schema
from ccgrid.engine.cards import label, no_lookup, read_cards
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, RecordError
from ccgrid.engine.game import Game, Lookup, check_deal, read_seats
from ccgrid.engine.games.four_sides import SIDED_CARD, SIDES, as_sided_card, read_sided_card
from ccgrid.engine.options import schemas, values_in

from .notation import QuadsNotation
from .options import OPTIONS
from .rules import HAND, QuadsSetup, QuadsState


class QuadsGame(Game[QuadsState]):
    """The interface of the game to ccgrid."""

    name = "quads"
    title = "Quads"
    player_counts = (2,)
    notation = QuadsNotation()
    setup_schema = staticmethod(
        schema.table({"decks": schema.table_of(schema.list_of(SIDED_CARD))}, {**schemas(OPTIONS)})
    )
    ending_schema = staticmethod(schema.table({"cards": schema.table_of(schema.whole)}))

    def heuristic(self, state: QuadsState, move: str) -> float:
        """Return the value of a move: the number of turned cards, then the weakness of the played card."""
        number, _ = state.meaning(move)
        return 100 * len(state.flips(move)) - state.card(number).score

    def reveal(self, view: QuadsState, cards: Mapping[str, Card]) -> QuadsState:
        """Return the view: nothing is hidden."""
        return view

    def playable_card(self, card: Card) -> Card | None:
        """Return the card with its four numbers, or None if a side has none."""
        return as_sided_card(card) if all(side in card.zones for side in SIDES) else None

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
    ) -> QuadsSetup:
        """Deal each player the five cards of a deck."""
        check_deal(self, players, decks)
        chosen = self.option_values(options)
        if any(len(deck) != HAND for deck in decks):
            raise EngineError(f"{self.name} takes {HAND} cards for each player")
        hands = tuple(label([as_sided_card(card) for card in dice.shuffled(deck)]) for deck in decks)
        return QuadsSetup(tuple(players), dice.below(len(players)) if first is None else first, hands, **chosen)

    def read_setup(
        self, table: Mapping[str, Any], players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> QuadsSetup:
        """Return the setup of a record."""
        hands = []
        for place, values in schema.player_entries(table, "decks", players, "every player has a deck"):
            if len(values) != HAND:
                raise RecordError(place, f"must be {HAND} cards, not {len(values)}")
            cards = [card for card in read_cards(values, place, read_sided_card, lookup) if card]
            if len(cards) != HAND:
                raise RecordError(place, "must be cards that are known: they lie open")
            hands.append(label(cards))
        return QuadsSetup(players, first or 0, tuple(hands), **values_in(OPTIONS, table))

    def score_ending(self, document: Mapping[str, Any], lookup: Lookup = no_lookup) -> dict[str, int]:
        """Return each player's number of cards, ten together."""
        cards: dict[str, int] = dict(document["cards"])
        read_seats(self, cards, "cards")
        if sum(cards.values()) != 2 * HAND or min(cards.values()) < 0:
            raise RecordError("cards", f"must be {2 * HAND} together")
        return cards


GAME: Final = QuadsGame()
