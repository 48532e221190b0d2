"""Cards as the ninecard game plays them: creatures and energy; how files spell them, and decks drawn of a catalogue."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from catalog.card import HIGHEST, LOWEST, Card, CatalogError
from engine import schema
from engine.cards import label
from engine.dice import Dice
from engine.game import EngineError, Lookup
from engine.schema import RecordError

USUAL_DECK: Final = 60
USUAL_ENERGY: Final = 24
LARGEST_DECK: Final = 1_000
LONGEST_NAME: Final = 200

CURVE: Final = ((1, 1), (2, 3), (4, 3), (20, 2))
"""Of nine creatures in a drawn deck, so many cost at most so much: `(cost, creatures)`, as far as there are such cards.

Who can play no creature into an empty grid is out, so a deck of creatures that cost whatever they cost is often out in
its first turn.
"""

_FIGHT: Final = ("attack", "defense")

BATTLE_CARD: Final = schema.text_or(schema.table({"name": schema.text}, dict.fromkeys(_FIGHT, schema.whole)))
"""A card with a name and, if it is a creature, an attack and a defense; or its name or id to look up."""


@dataclass(frozen=True, slots=True)
class Energy:
    """A card that is laid as energy."""

    name: str


@dataclass(frozen=True, slots=True)
class Creature:
    """A card that fights; attack and defense are 0 to 10."""

    name: str
    attack: int
    defense: int

    @property
    def cost(self) -> int:
        """How much ready energy it takes to play it."""
        return self.attack + self.defense


@dataclass(frozen=True, slots=True)
class Hidden:
    """A card that somebody may not see, or that nobody has seen yet."""


BattleCard = Energy | Creature | Hidden
HIDDEN: Final = Hidden()


def is_creature(card: Card) -> bool:
    """Whether a card of a catalogue has an attack and a defense in range; any other is an energy card here."""
    return all(number is not None and LOWEST <= number <= HIGHEST for number in (card.attack, card.defense))


def battle_deck(cards: Sequence[Card]) -> tuple[Energy | Creature, ...]:
    """A deck of catalogue cards, top first, as this game plays it: whether the grid game bars a card does not matter.

    Of different cards of one name the later are `Name #2`, `Name #3`; cards with the same name, attack and defense are
    copies.

    Raises:
        RecordError: it has no card or too many, or a name is empty or too long; the place is in the list.
    """
    if not 1 <= len(cards) <= LARGEST_DECK:
        raise RecordError("", f"must be 1 to {LARGEST_DECK} cards, not {len(cards)}")
    labelled = label([_plain(card) for card in cards])
    for index, card in enumerate(labelled):
        if not card.name.strip():
            raise RecordError(f"[{index}].name", "is empty: a move names its card")
        if len(card.name) > LONGEST_NAME:
            raise RecordError(f"[{index}].name", f"has {len(card.name)} characters: at most {LONGEST_NAME} can be")
    return tuple(_played(card) for card in labelled)


def read_battle_card(value: str | Mapping[str, Any], number: int, lookup: Lookup) -> Card:
    """The card in a value that has passed `BATTLE_CARD`.

    Raises:
        RecordError: it is not found, has one of attack and defense alone, or one that is not 0 to 10; with the place.
    """
    if isinstance(value, str):
        try:
            return lookup(value)
        except CatalogError as error:
            raise RecordError("", str(error)) from None
    given = [key for key in _FIGHT if key in value]
    if len(given) == 1:
        other = "defense" if given == ["attack"] else "attack"
        raise RecordError("", f"has {given[0]} but no {other}: a creature has both, an energy card neither")
    for key in given:
        if not LOWEST <= value[key] <= HIGHEST:
            raise RecordError(key, f"must be {LOWEST} to {HIGHEST}, not {value[key]}")
    return _named(value["name"], value.get("attack"), value.get("defense"))


def battle_card_table(card: Energy | Creature) -> dict[str, Any]:
    """The table of a card as records hold it."""
    fight = {key: getattr(card, key) for key in _FIGHT} if isinstance(card, Creature) else {}
    return {"name": card.name, **fight}


@dataclass(frozen=True, slots=True)
class BattleDecks:
    """Draws decks from the cards of a catalogue: a `DeckSource` for simulations, which other processes can be sent.

    A deck has `size` cards, `energy` of them energy cards, the rest creatures along the `CURVE`, all different as far
    as there are enough: a card comes a second time only when every other of its kind is in the deck once. `count` decks
    are drawn at a time. `creatures` stand in the order of their cost.
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
                f"a deck has 1 to {LARGEST_DECK} cards, of which none to all are energy: not {energy} of {size}"
            )
        kinds: tuple[list[Card], list[Card]] = ([], [])
        for card in cards:
            kinds[is_creature(card)].append(card)
        for wanted, kind, what in (
            (energy, kinds[0], "card without an attack and a defense, to be energy"),
            (size - energy, kinds[1], "card with an attack and a defense, to be a creature"),
        ):
            if wanted and not kind:
                raise EngineError(f"there is no {what}: the deck takes {wanted}. Bring in a game that has such cards.")
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
        wanted = 0.0
        for cost, ninths in CURVE:
            wanted += count * ninths / 9
            available = bisect_right(self.creatures, cost, key=_cost)
            # As many as are drawn already may come again, and are then passed over.
            candidates = dice.sample(available, min(available, round(wanted)))
            fresh = [place for place in candidates if place not in drawn]
            drawn += fresh[: round(wanted) - len(drawn)]
        return [self.creatures[place] for place in drawn]


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


def _named(name: str, attack: int | None, defense: int | None) -> Card:
    return Card(id="", game="", name=name, zones={}, score=0, attack=attack, defense=defense)


def _plain(card: Card) -> Card:
    return _named(card.name, card.attack, card.defense) if is_creature(card) else _named(card.name, None, None)


def _played(card: Card) -> Energy | Creature:
    if card.attack is None or card.defense is None:
        return Energy(card.name)
    return Creature(card.name, card.attack, card.defense)
