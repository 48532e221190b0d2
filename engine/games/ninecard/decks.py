"""Decks of the ninecard game: creatures along a curve of costs, and energy, from any cards."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import GameDecks, PrintedFields
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError
from ccgrid.engine.games.ninecard.cards import LARGEST_DECK, LONGEST_NAME, is_creature

USUAL_DECK: Final = 60
USUAL_ENERGY: Final = 24

CURVE: Final = ((2, 3), (4, 2), (20, 4))
"""The curve of a random deck: `(cost, creatures)`, how many of nine creatures cost at most this, if possible.

A player who can play no creature into an empty grid is eliminated, which happens soon with expensive creatures only.
With too many cheap ones, the grids fill up with creatures that cannot hurt each other, and the game continues to its
last turn.
"""


@dataclass(frozen=True, slots=True)
class BattleDecks:
    """Random decks from catalogue cards: a `DeckSource` for simulations, which can be sent to other processes.

    A deck has `size` cards, including `energy` energy cards; the others are creatures along the `CURVE` with a cost
    above 0. Cards differ if there are enough: a card is repeated only when every other one of its kind is in the deck.
    `count` decks are drawn at a time. `creatures` are sorted by cost.
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
        """Prepare decks of these cards, from any card games, legal in the grid game or not.

        Raises:
            EngineError: If the numbers are impossible, or there is no creature or no energy card.
        """
        if not 1 <= size <= LARGEST_DECK or not 0 <= energy <= size:
            raise ContradictionError(
                f"a deck has 1 to {LARGEST_DECK} cards, none, some or all of them energy: not {energy} of {size}"
            )
        kinds: tuple[list[Card], list[Card]] = ([], [])
        for card in cards:
            if not is_creature(card):
                kinds[0].append(card)
            elif _cost(card) > 0:  # free walls would fill the grid, and no player would ever be eliminated
                kinds[1].append(card)
        for wanted, kind, what in (
            (energy, kinds[0], "card without an attack and a defense, to be energy"),
            (size - energy, kinds[1], "card with an attack and a defense, to be a creature"),
        ):
            if wanted and not kind:
                raise EngineError(f"there is no {what}: the deck takes {wanted}. Add a card game that has such cards.")
        return cls(tuple(sorted(kinds[1], key=_cost)), tuple(kinds[0]), count, size, energy)

    def __call__(self, dice: Dice) -> list[tuple[Card, ...]]:
        """Return `count` decks, each shuffled."""
        return [self.draw(dice) for _ in range(self.count)]

    def draw(self, dice: Dice) -> tuple[Card, ...]:
        """Return a shuffled deck."""
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
            # Cards that are drawn already may be drawn again, and are then skipped.
            candidates = dice.sample(available, min(available, wanted))
            fresh = [place for place in candidates if place not in drawn]
            drawn += fresh[: wanted - len(drawn)]
        return [self.creatures[place] for place in drawn]

    def along_the_curve(self, count: int) -> list[tuple[int, int]]:
        """Return for each part of the curve the number of cheap enough creatures, and the number drawn up to it."""
        parts, wanted = [], 0.0
        for cost, ninths in CURVE:
            wanted += count * ninths / 9
            parts.append((bisect_right(self.creatures, cost, key=_cost), round(wanted)))
        return parts


def draw_deck(
    cards: Iterable[Card], dice: Dice, size: int = USUAL_DECK, energy: int = USUAL_ENERGY
) -> tuple[Card, ...]:
    """Return a random deck like `BattleDecks`, of catalogue cards.

    Raises:
        EngineError: See `BattleDecks.of`.
    """
    return BattleDecks.of(cards, 1, size, energy).draw(dice)


def _cost(card: Card) -> int:
    return (card.attack or 0) + (card.defense or 0)


class NinecardDecks:
    """The decks of the ninecard game; the numbers are the size of a random deck, and its number of energy cards."""

    sizes: Final = range(1, LARGEST_DECK + 1)
    any_legal: Final = False
    numbers: Final = ("size", "energy")

    def fault(self, card: Card) -> str | None:
        """Return why a move cannot contain the card's name, or None; legality in the grid game does not matter."""
        return None if 0 < len(card.name.strip()) <= LONGEST_NAME else f"a name has 1 to {LONGEST_NAME} characters"

    def dead_deck_reason(self, cards: Sequence[Card]) -> str | None:
        """Return that no creature survives, or none does damage, or None if neither holds."""
        creatures = [card for card in cards if is_creature(card)]
        if cards and not creatures:
            return "it has no creature, so its player is out in the first turn"
        if cards and not any(card.attack for card in creatures):
            return "none of its creatures has an attack"
        return None

    def facing_share(self, cards: Sequence[Card]) -> None:
        """Return None: numbers have no zones here."""

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """Return the card unchanged: only its attack and defense matter."""
        return card

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> BattleDecks:
        """Return decks of creatures and energy like `BattleDecks`."""
        return BattleDecks.of(cards, count, **numbers)


DECKS: Final[GameDecks] = NinecardDecks()
