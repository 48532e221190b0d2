"""What one player of the ninecard game has on the table; no turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import UnknownCardError
from engine.games.ninecard.cards import GAP, HIDDEN, BattleCard, Creature, Energy, Hidden, known_cards
from engine.games.ninecard.combat import EMPTY_GRID, Grid, put
from engine.games.ninecard.values import changed


@dataclass(frozen=True, slots=True)
class Side:
    """What is one player's: life in points, and the cards where they are, the deck top first.

    `energy` are the cards laid face up as energy, `facedown` the creatures laid face down as energy.
    """

    life: int
    deck: tuple[BattleCard, ...] = field(repr=False, hash=False)
    hand: tuple[BattleCard, ...] = ()
    energy: tuple[BattleCard, ...] = ()
    facedown: tuple[BattleCard, ...] = ()
    grid: Grid = EMPTY_GRID
    discard: tuple[BattleCard, ...] = ()
    is_out: bool = False

    @property
    def all_energy(self) -> int:
        """How many cards lie in the energy zone, ready or spent."""
        return len(self.energy) + len(self.facedown)

    def drawn(self, count: int) -> "Side":
        """The same with so many cards drawn, or as many as the deck has.

        Raises:
            UnknownCardError: one of them is hidden.
        """
        if count <= 0 or not self.deck:
            return self
        cards = self.deck[:count]
        if HIDDEN in cards:
            raise UnknownCardError("this move draws a card that is hidden")
        return changed(self, deck=self.deck[count:], hand=self.hand + cards)

    def in_deck(self) -> tuple[Energy | Creature, ...]:
        """The cards of the deck that are known, top first."""
        return known_cards(self.deck)

    def seen(self, *, own: bool) -> tuple[Energy | Creature, ...]:
        """The cards of this side that its owner sees, or that the others do."""
        lying = (*self.energy, *self.discard, *(creature for creature in self.grid if creature is not None))
        held = (*self.hand, *self.facedown) if own else ()
        return known_cards((*held, *lying))

    def filled(self, cards: Mapping[str, BattleCard], owner: int) -> "Side":
        """The same with these cards at unseen places such as `deck:0:5`, where `owner` is the seat in their names."""
        hand, facedown, deck = (
            tuple(cards.get(f"{zone}:{owner}:{number}", card) for number, card in enumerate(lying))
            for zone, lying in (("hand", self.hand), ("facedown", self.facedown), ("deck", self.deck))
        )
        return changed(self, hand=hand, facedown=facedown, deck=deck)

    def masked(self, *, own: bool) -> "Side":
        """The same as its owner sees it, who does not see the deck, or as the others do."""
        deck = (HIDDEN,) * len(self.deck)
        if own:
            return changed(self, deck=deck)
        hand, facedown = (HIDDEN,) * len(self.hand), (HIDDEN,) * len(self.facedown)
        return changed(self, deck=deck, hand=hand, facedown=facedown)

    def without_creatures(self, cells: Sequence[int]) -> "Side":
        """The same with the creatures of these cells, as places in the grid, discarded."""
        fallen = tuple([creature for cell in cells if (creature := self.grid[cell]) is not None])
        return changed(self, grid=put(self.grid, dict.fromkeys(cells)), discard=self.discard + fallen)

    def without_gap(self) -> "Side":
        """The same without the first card in hand that nobody knows; `ValueError` where there is none."""
        place = self.hand.index(GAP)
        return changed(self, hand=(*self.hand[:place], *self.hand[place + 1 :]))

    def without_in_hand(self, name: str) -> tuple[Energy | Creature, "Side"]:
        """The card of this name in hand, and the same without it; `ValueError` where there is none."""
        for place, card in enumerate(self.hand):
            if not isinstance(card, Hidden) and card.name == name:
                return card, changed(self, hand=(*self.hand[:place], *self.hand[place + 1 :]))
        raise ValueError(f"not in hand: {name}")
