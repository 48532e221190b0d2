"""The ninecard game, 9 Card: creatures of two to four players, each on its own grid, meet column by column."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import ClassVar, Final

from ccgrid.catalog.card import HIGHEST, Card
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN, label, no_lookup, read_cards, read_piles, sorted_by_name, without
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, RecordError, quoted
from ccgrid.engine.game import Game, Lookup, check_deal, level_table, read_seats
from ccgrid.engine.games.ninecard.cards import (
    BATTLE_CARD,
    GAP,
    HAND_SIZE,
    LONGEST_NAME,
    BattleCard,
    Creature,
    DealtDeck,
    DeckList,
    Energy,
    as_battle_card,
    battle_card_table,
    battle_deck,
    known_cards,
    read_battle_card,
    shuffled,
)
from ccgrid.engine.games.ninecard.combat import Side
from ccgrid.engine.games.ninecard.heuristic import heuristic
from ccgrid.engine.games.ninecard.notation import NinecardNotation, menu, steps
from ccgrid.engine.games.ninecard.options import MOST, OPENINGS, OPTIONS, USUAL, Options
from ccgrid.engine.games.ninecard.rules import NinecardState, begin_turn
from ccgrid.engine.options import OptionValues, schemas, values_in, variant
from ccgrid.engine.schema import Schema, Table

ENDING: Final[Schema] = schema.table(
    {"life": schema.table_of(schema.whole)}, dict.fromkeys(("start", "turns", "limit"), schema.whole)
)


def score(document: Table) -> dict[str, int]:
    """Return each player's life, 0 if eliminated, for a valid ending (`ENDING`).

    Raises:
        RecordError: If no game can have this ending; with the place in the document.
    """
    life: Mapping[str, int] = document["life"]
    start, limit, turns = document.get("start", USUAL.life), document.get("limit", USUAL.limit), document.get("turns")
    for key, value, most in (("start", start, MOST["life"]), ("limit", limit, MOST["limit"]), ("turns", turns, limit)):
        if value is not None and not 1 <= value <= most:
            raise RecordError(key, f"must be 1 to {most}, not {value}")
    for player, points in life.items():
        if points > start:
            said = (
                ""
                if "start" in document
                else f". If the players started with more life, write how much: start = {points}"
            )
            message = f"cannot be {points}: each player starts with {start} and cannot gain life{said}"
            raise RecordError(f"life.{schema.key_name(player)}", message)
        # A player is out as soon as an attack brings the life to 0 or less: the last attack takes at most `HIGHEST`.
        if points <= -HIGHEST:
            message = f"cannot be {points}: the last attack takes at most {HIGHEST} from a life above 0"
            raise RecordError(f"life.{schema.key_name(player)}", message)
    left = [player for player, points in life.items() if points > 0]
    if not left:
        raise RecordError("life", "is 0 for every player, but the winner has more than 0")
    # A player who attacks another one out keeps the attacker, and so cannot be out in the same turn.
    if turns is not None and (out := len(life) - len(left)) > turns:
        raise RecordError("turns", f"cannot be {turns}: {out} players are out, at most one in each turn")
    if len(left) > 1 and turns != limit:
        raise RecordError(
            "life",
            f"is more than 0 for {' and '.join(map(quoted, left))}, but a game ends only when one player is left, "
            f"or after {limit} turns. If it ended after {limit} turns, add turns = {limit}. Otherwise write 0 for each "
            "player who is out",
        )
    return {player: max(points, 0) for player, points in life.items()}


@dataclass(frozen=True, slots=True)
class NinecardSetup:
    """The players, the starting seat, each seat's deck with its top card first, and the options.

    `opening` is how the decks were shuffled.
    """

    players: tuple[str, ...]
    first: int
    decks: tuple[DealtDeck, ...]
    options: Options
    lists: tuple[DeckList | None, ...] = field(default=(), repr=False, compare=False)
    opening: str = field(default=OPENINGS[0], repr=False)
    game: ClassVar[str] = "ninecard"

    def __post_init__(self) -> None:
        if not self.lists:
            object.__setattr__(self, "lists", tuple(_list(deck) for deck in self.decks))

    def start(self) -> NinecardState:
        """Return the first position: five cards in every hand, and one more in the starting player's."""
        sides = [Side(self.options.life, deck).draw(HAND_SIZE) for deck in self.decks]
        return begin_turn(self.players, self.options, sides, self.first, turn=1, lists=self.lists)

    def to_table(self) -> dict[str, object]:
        """Return the `[setup]` table of a record: the options that differ from their defaults, and the decks.

        Known cards that are not in a known order are the `pile` of a deck.
        """
        options = variant(OPTIONS, {**asdict(self.options), "opening": self.opening})
        dealt = list(zip(self.players, self.decks, self.lists, strict=True))
        pile = {
            player: [battle_card_table(card) for card in sorted_by_name(without(whole, known_cards(deck)))]
            for player, deck, whole in dealt
            if whole is not None and GAP in deck
        }
        decks = {player: [battle_card_table(card) for card in deck] for player, deck, _ in dealt}
        return {**options, "decks": decks, **({"pile": pile} if pile else {})}


def _list(deck: DealtDeck) -> DeckList | None:
    known = known_cards(deck)
    return sorted_by_name(known) if len(known) == len(deck) else None


class NinecardGame(Game[NinecardState]):
    """The ninecard game."""

    name = "ninecard"
    title = "9 Card"
    player_counts = (2, 3, 4)
    levels = level_table(easy=("greedy", 49), fair=("greedy", 30), hard=("greedy", 6), best=("strong:500", 0))
    mistakes = (2.0, 4.0, 8.0)
    notation = NinecardNotation()
    heuristic = staticmethod(heuristic)
    move_menu = staticmethod(menu)
    steps = staticmethod(steps)
    setup_schema = staticmethod(
        schema.table(
            {"decks": schema.table_of(schema.list_of(BATTLE_CARD))},
            {**schemas(OPTIONS), "pile": schema.table_of(schema.list_of(BATTLE_CARD))},
        )
    )
    ending_schema = staticmethod(ENDING)

    def reveal(self, view: NinecardState, cards: Mapping[str, Energy | Creature]) -> NinecardState:
        """Return the view with these cards in hands, decks and face down; hidden ones are renamed if names collide."""
        named: dict[str, BattleCard] = {}
        for owner, side in enumerate(view.sides):
            known = side.visible(own=True)
            places = [place for place in cards if place.split(":")[1] == str(owner)]
            # Unique names are assigned to known and new cards together; only new ones are renamed, because known ones
            # come first.
            named.update(zip(places, label([*known, *(cards[place] for place in places)])[len(known) :], strict=True))
        sides = tuple(side.with_cards(named, owner) for owner, side in enumerate(view.sides))
        lists = tuple(sorted_by_name((*side.visible(own=True), *side.in_deck())) for side in sides)
        return replace(view, sides=sides, lists=lists)

    def playable_card(self, card: Card) -> Energy | Creature | None:
        """Return the creature or the energy for a card, or None if a move could not contain its name."""
        return as_battle_card(card) if 0 < len(card.name.strip()) <= LONGEST_NAME else None

    def fits(self, place: str, card: object) -> bool:
        """Return whether a card may be at a position: only creatures are laid face down."""
        return isinstance(card, Creature) or not place.startswith("facedown")

    def decks_needed(self, players: int) -> int:
        """Return the number of players: each has a deck."""
        return players

    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        dice: Dice,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> NinecardSetup:
        """Shuffle each player's deck of usually 60 cards, legal in the grid game or not."""
        check_deal(self, players, decks)
        chosen, opening = split_opening(self.option_values(options))
        lists: list[DeckList] = []
        for player, deck in zip(players, decks, strict=True):
            try:
                lists.append(battle_deck(tuple(deck)))
            except RecordError as error:
                raise EngineError(f"the deck of {quoted(player)}: {str(error).removeprefix(': ')}") from None
        decks_dealt = tuple(shuffled(cards, dice, chosen, opening) for cards in lists)
        starts = dice.below(len(players)) if first is None else first
        return NinecardSetup(tuple(players), starts, decks_dealt, chosen, tuple(lists), opening)

    def read_setup(
        self, table: Table, players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> NinecardSetup:
        """Read the options and every player's deck; in a record each deck is complete, with known or unknown cards."""
        options, opening = split_opening(values_in(OPTIONS, table))
        entries = schema.player_entries(table, "decks", players, "every player has a deck")
        piles = read_piles(table, read_battle_card, lookup)
        dealt: list[DealtDeck] = []
        lists: list[DeckList | None] = []
        for player, (place, values) in zip(players, entries, strict=True):
            cards = read_cards(values, place, read_battle_card, lookup)
            try:
                deck = zip(values, battle_deck(tuple(cards)), strict=True)
                dealt.append(tuple([GAP if value == UNKNOWN else card for value, card in deck]))
                # The deck as a list: its cards in a known order, and those without one.
                named = [card for value, card in zip(values, cards, strict=True) if value != UNKNOWN]
                whole = (*named, *piles.get(player, ()))
                lists.append(sorted_by_name(battle_deck(whole)) if len(whole) == len(cards) else None)
            except RecordError as error:
                raise error.under(place) from None
        return NinecardSetup(players, first or 0, tuple(dealt), options, tuple(lists), opening)

    def score_ending(self, document: Table, lookup: Lookup = no_lookup) -> dict[str, int]:
        """Return each player's life, 0 if eliminated, from the table `life` of the file."""
        read_seats(self, document["life"], "life")
        return score(document)


def split_opening(values: OptionValues) -> tuple[Options, str]:
    """Return all options except the opening, and the opening, which has no effect after the start."""
    opening = values.pop("opening")
    return Options(**values), opening


GAME: Final = NinecardGame()
