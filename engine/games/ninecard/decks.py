"""Decks of the ninecard game: creatures along a curve of costs and energy, of whatever cards."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import GameDecks, PrintedFields
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.ninecard.cards import LARGEST_DECK, LONGEST_NAME, is_creature

USUAL_DECK: Final = 60
USUAL_ENERGY: Final = 24

CURVE: Final = ((2, 3), (4, 2), (20, 4))
"""The curve of a drawn deck: `(cost, creatures)`, how many of nine creatures cost at most that, if there are.

Who can play no creature into an empty grid is out, so whoever has dear ones alone is soon out. With too many cheap
ones the grids fill up with creatures that cannot hurt each other, and the game goes on to its last turn.
"""


@dataclass(frozen=True, slots=True)
class BattleDecks:
    """Draws decks from the cards of a catalogue: a `DeckSource` for simulations, which other processes can be sent.

    A deck has `size` cards, `energy` of them energy cards, the rest creatures along the `CURVE`, none of which costs
    nothing, all different as far as there are enough: a card comes a second time only when every other of its kind is
    in the deck once. `count` decks are drawn at a time. `creatures` stand in the order of their cost.
    """

    creatures: tuple[Card, ...] = field(repr=False)
    energies: tuple[Card, ...] = field(repr=False)
    count: int = 1
    size: int = USUAL_DECK
    energy: int = USUAL_ENERGY

    @classmethod
    def of(
        cls, cards: Iterable[Card], count: int = 1, size: int = USUAL_DECK, energy: int = USUAL_ENERGY
    ) -> "BattleDecks":
        """Decks of these cards, of whatever games, barred from the grid game or not.

        Raises:
            EngineError: the numbers make no deck, or there is no creature or no energy card to draw.
        """
        if not 1 <= size <= LARGEST_DECK or not 0 <= energy <= size:
            raise EngineError(
                f"a deck has 1 to {LARGEST_DECK} cards, none, some or all of them energy: not {energy} of {size}"
            )
        kinds: tuple[list[Card], list[Card]] = ([], [])
        for card in cards:
            if not is_creature(card):
                kinds[0].append(card)
            elif _cost(card) > 0:  # a wall that costs nothing fills the grid, and nobody is ever out
                kinds[1].append(card)
        for wanted, kind, what in (
            (energy, kinds[0], "card without an attack and a defense, to be energy"),
            (size - energy, kinds[1], "card with an attack and a defense, to be a creature"),
        ):
            if wanted and not kind:
                raise EngineError(f"there is no {what}: the deck takes {wanted}. Add a card game that has such cards.")
        return cls(tuple(sorted(kinds[1], key=_cost)), tuple(kinds[0]), count, size, energy)

    def __call__(self, dice: Dice) -> list[tuple[Card, ...]]:
        """That many decks, each shuffled."""
        return [self.draw(dice) for _ in range(self.count)]

    def draw(self, dice: Dice) -> tuple[Card, ...]:
        """One deck, shuffled."""
        cards: list[Card] = []
        while (missing := self.size - self.energy - len(cards)) > 0:
            cards += self._creatures_once(min(missing, len(self.creatures)), dice)
        while (missing := self.size - len(cards)) > 0:
            places = dice.sample(len(self.energies), min(missing, len(self.energies)))
            cards += [self.energies[place] for place in places]
        return tuple(dice.shuffled(cards))

    def _creatures_once(self, count: int, dice: Dice) -> list[Card]:
        drawn: list[int] = []
        for available, wanted in self.along_the_curve(count):
            # As many as are drawn already may come again, and are then passed over.
            candidates = dice.sample(available, min(available, wanted))
            fresh = [place for place in candidates if place not in drawn]
            drawn += fresh[: wanted - len(drawn)]
        return [self.creatures[place] for place in drawn]

    def along_the_curve(self, count: int) -> list[tuple[int, int]]:
        """For each part of the curve, how many creatures are cheap enough for it, and how many are drawn by then."""
        parts, wanted = [], 0.0
        for cost, ninths in CURVE:
            wanted += count * ninths / 9
            parts.append((bisect_right(self.creatures, cost, key=_cost), round(wanted)))
        return parts


def draw_deck(
    cards: Iterable[Card], dice: Dice, size: int = USUAL_DECK, energy: int = USUAL_ENERGY
) -> tuple[Card, ...]:
    """One deck as `BattleDecks` draws it, the cards as the catalogue holds them.

    Raises:
        EngineError: as `BattleDecks.of` says.
    """
    return BattleDecks.of(cards, 1, size, energy).draw(dice)


def _cost(card: Card) -> int:
    return (card.attack or 0) + (card.defense or 0)


class NinecardDecks:
    """The decks of the ninecard game; the numbers are how many cards are drawn, and how many of them energy."""

    sizes: Final = range(1, LARGEST_DECK + 1)
    any_legal: Final = False
    numbers: Final = ("size", "energy")

    def fault(self, card: Card) -> str | None:
        """That its name cannot stand in a move; whether the grid game bars it does not matter."""
        return None if 0 < len(card.name.strip()) <= LONGEST_NAME else f"a name has 1 to {LONGEST_NAME} characters"

    def dead_deck_reason(self, cards: Sequence[Card]) -> str | None:
        """Nobody of it lives, or nobody hurts."""
        creatures = [card for card in cards if is_creature(card)]
        if cards and not creatures:
            return "it has no creature, so its player is out in the first turn"
        if cards and not any(card.attack for card in creatures):
            return "none of its creatures has an attack"
        return None

    def facing_share(self, cards: Sequence[Card]) -> None:
        """Numbers have no zones here."""

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """The card: what matters is its attack and its defense."""
        return card

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> BattleDecks:
        """Decks of creatures and energy as `BattleDecks` draws them."""
        return BattleDecks.of(cards, count, **numbers)


DECKS: Final[GameDecks] = NinecardDecks()
