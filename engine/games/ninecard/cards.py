"""Cards of the ninecard game: creatures and energy, and their form in files."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ccgrid.catalog.card import HIGHEST, LOWEST, Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN, CardEntry, label
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import RecordError
from ccgrid.engine.game import Lookup
from ccgrid.engine.games.ninecard.options import OPENINGS, Options

LARGEST_DECK: Final = 1_000
LONGEST_NAME: Final = 200

_FIGHT: Final = ("attack", "defense")

BATTLE_CARD: Final = schema.text_or_table(schema.table({"name": schema.text}, dict.fromkeys(_FIGHT, schema.whole)))
"""A card with a name and, for a creature, an attack and a defense; or its name or id."""


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
        """The ready energy that it takes to play the creature."""
        return self.attack + self.defense


@dataclass(frozen=True, slots=True)
class HiddenCard:
    """A card that a seat may not see, or that is not known at all; a player who draws one holds it nevertheless."""

    is_gap: bool = False


BattleCard = Energy | Creature | HiddenCard
DealtDeck = tuple[BattleCard, ...]
"""A deck with its top card first, possibly with unknown cards."""

DeckList = tuple[Energy | Creature, ...]
"""A deck before it was shuffled."""

HIDDEN: Final = HiddenCard()
GAP: Final = HiddenCard(is_gap=True)


def known_cards(cards: Sequence[object]) -> DeckList:
    """Return the known cards among these."""
    return tuple([card for card in cards if isinstance(card, Energy | Creature)])


def is_creature(card: Card) -> bool:
    """Return whether a catalogue card has an attack and a defense in range; any other is an energy card here."""
    return all(number is not None and LOWEST <= number <= HIGHEST for number in (card.attack, card.defense))


ENERGY_RULE: Final = f"every card without an attack and a defense from {LOWEST} to {HIGHEST} is energy"
"""Why a card is energy, as far as a game in progress can tell: it stores nothing else of such a card."""


def energy_reason(card: Card) -> str:
    """Return which of its two numbers make a catalogue card energy."""
    numbers = ("attack", card.attack), ("defense", card.defense)
    lacks = [what for what, number in numbers if number is None or not LOWEST <= number <= HIGHEST]
    return f"no {' and no '.join(lacks)} from {LOWEST} to {HIGHEST}"


def as_battle_card(card: Card) -> Energy | Creature:
    """Return a catalogue card as a creature or energy."""
    return _battle_card(_fight_only(card))


@lru_cache(maxsize=1 << 8)  # games share some hundreds of decks
def battle_deck(cards: tuple[Card, ...]) -> DeckList:
    """Return a deck of catalogue cards, top first, for this game; legality in the grid game does not matter.

    Different cards of one name are renamed `Name #2`, `Name #3`; cards with equal name, attack and defense are copies.

    Raises:
        RecordError: If it has no card or too many, or a name is empty or too long; with the place in the list.
    """
    if not 1 <= len(cards) <= LARGEST_DECK:
        raise RecordError("", f"must be 1 to {LARGEST_DECK} cards, not {len(cards)}")
    labelled = label([_fight_only(card) for card in cards])
    for index, card in enumerate(labelled):
        if not card.name.strip():
            raise RecordError(f"[{index}].name", "is empty: moves need card names")
        if len(card.name) > LONGEST_NAME:
            raise RecordError(f"[{index}].name", f"has {len(card.name)} characters: at most {LONGEST_NAME} can be")
    return tuple(_battle_card(card) for card in labelled)


def read_battle_card(value: CardEntry, number: int, lookup: Lookup) -> Card:
    """Read a card from a valid value (`BATTLE_CARD`), or return a placeholder for an unknown card.

    Raises:
        RecordError: If it is not found, has only one of attack and defense, or one out of range; with the place.
    """
    if value == UNKNOWN:
        return _fight_card(UNKNOWN, None, None)
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
    return _fight_card(value["name"], value.get("attack"), value.get("defense"))


def battle_card_table(card: BattleCard) -> dict[str, object] | str:
    """Return the table of a card in a record, or the mark of an unknown card."""
    if isinstance(card, HiddenCard):
        return UNKNOWN
    fight = {key: getattr(card, key) for key in _FIGHT} if isinstance(card, Creature) else {}
    return {"name": card.name, **fight}


def _fight_card(name: str, attack: int | None, defense: int | None) -> Card:
    return Card(id="", game="", name=name, zones={}, score=0, attack=attack, defense=defense)


def _fight_only(card: Card) -> Card:
    return (
        _fight_card(card.name, card.attack, card.defense) if is_creature(card) else _fight_card(card.name, None, None)
    )


def _battle_card(card: Card) -> Energy | Creature:
    if card.attack is None or card.defense is None:
        return Energy(card.name)
    return Creature(card.name, card.attack, card.defense)


HAND_SIZE: Final = 5
"""The number of cards that a player draws at the start, and may hold at the end of a turn."""

MAX_RESHUFFLES: Final = 10
"""The maximum number of times that a deck is shuffled again: some have hardly a creature that can be played."""


def energy_allowed(hand: Sequence[BattleCard], options: Options, *, has_sacrificed: bool = False) -> int:
    """Return the maximum energy that can be laid from a hand, with one of its creatures kept to be played."""
    creatures = sum(isinstance(card, Creature) for card in hand)
    energy = sum(isinstance(card, Energy) for card in hand)
    if options.facedown:
        # All creatures except the one to be played may be laid face down.
        return energy + creatures - 1
    if options.one_creature and not has_sacrificed:
        # One creature may be sacrificed if another one is kept to be played.
        return energy + (creatures > 1)
    return energy


def can_open(hand: Sequence[BattleCard], options: Options) -> bool:
    """Return whether a hand has a creature that is playable in the first turn with all energy that it allows."""
    energy = energy_allowed(hand, options)
    return any(isinstance(card, Creature) and card.cost <= energy for card in hand)


def shuffled(deck: DeckList, dice: Dice, options: Options, opening: str) -> DeckList:
    """Return a shuffled deck, shuffled again while the opening requires it."""
    cards = dice.shuffled(deck)
    # `OPENINGS[0]` is the opening that is repeated.
    for _ in range(MAX_RESHUFFLES if opening == OPENINGS[0] else 0):
        if can_open(cards[:HAND_SIZE], options):
            break
        cards = dice.shuffled(deck)
    return tuple(cards)
