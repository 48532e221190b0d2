"""The ninecard game, 9 Card: creatures of two to four players, each on a grid of their own, meet column by column."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Final

from ccgrid.catalog.card import Card
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN, label, no_lookup, read_cards, read_piles, sorted_by_name, without
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, RecordError, quoted
from ccgrid.engine.game import Game, Lookup, check_deal, check_seats
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
from ccgrid.engine.games.ninecard.notation import NinecardNotation
from ccgrid.engine.games.ninecard.options import MOST, OPENINGS, OPTIONS, USUAL, Options
from ccgrid.engine.games.ninecard.state import NinecardState, begin_turn
from ccgrid.engine.options import schemas, values_in, variant
from ccgrid.engine.schema import Schema

ENDING: Final[Schema] = schema.table(
    {"life": schema.table_of(schema.whole)}, dict.fromkeys(("start", "turns", "limit"), schema.whole)
)


def score(document: Mapping[str, Any]) -> dict[str, int]:
    """Each player's life, 0 when out, of an ending that has passed `ENDING`.

    Raises:
        RecordError: no game can have ended so; with the place.
    """
    life: Mapping[str, int] = document["life"]
    start, limit, turns = document.get("start", USUAL.life), document.get("limit", USUAL.limit), document.get("turns")
    for key, value, most in (("start", start, MOST["life"]), ("limit", limit, MOST["limit"]), ("turns", turns, limit)):
        if value is not None and not 1 <= value <= most:
            raise RecordError(key, f"must be 1 to {most}, not {value}")
    for player, points in life.items():
        if points > start:
            said = "" if "start" in document else f"; with another life at the start, write it: start = {points}"
            message = f"cannot be {points}: everybody starts with {start}, and nobody gains any{said}"
            raise RecordError(f"life.{schema.key_name(player)}", message)
    left = [player for player, points in life.items() if points > 0]
    if not left:
        raise RecordError("life", "is 0 for everybody: the last player left wins, and has some")
    if len(left) > 1 and turns != limit:
        raise RecordError(
            "life",
            f"is left to {' and '.join(map(quoted, left))}: a game goes on until one player has some, or for {limit} "
            f"turns; write turns = {limit} if that was so, and 0 for a player who was out",
        )
    return {player: max(points, 0) for player, points in life.items()}


@dataclass(frozen=True, slots=True)
class NinecardSetup:
    """The players, the seat that starts, each seat's deck with its top card first, and the options.

    `opening` says how the decks were shuffled.
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
        """Everybody holds the five top cards of their deck, and who starts has drawn a card more."""
        sides = [Side(self.options.life, deck).draw(HAND_SIZE) for deck in self.decks]
        return begin_turn(self.players, self.options, sides, self.first, turn=1, lists=self.lists)

    def to_table(self) -> dict[str, Any]:
        """The `[setup]` table of a record: options that are not the usual ones, and the decks.

        Cards that are known, but not where they lie in a deck, are its `pile`.
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


class NinecardGame(Game):
    """The ninecard game as `engine.games` lists it."""

    name = "ninecard"
    title = "9 Card"
    player_counts = (2, 3, 4)
    mistakes = (2.0, 4.0, 8.0)
    notation = NinecardNotation()
    heuristic = staticmethod(heuristic)
    setup_schema = staticmethod(
        schema.table(
            {"decks": schema.table_of(schema.list_of(BATTLE_CARD))},
            {**schemas(OPTIONS), "pile": schema.table_of(schema.list_of(BATTLE_CARD))},
        )
    )
    ending_schema = staticmethod(ENDING)

    def reveal(self, view: NinecardState, cards: Mapping[str, Energy | Creature]) -> NinecardState:
        """The view with these cards in hands, decks and face down; hidden ones are renamed where names clash."""
        named: dict[str, BattleCard] = {}
        for owner, side in enumerate(view.sides):
            known = side.visible(own=True)
            places = [place for place in cards if place.split(":")[1] == str(owner)]
            # Names are made different over the known cards and the new ones together; only the new ones can be renamed,
            # as the known ones come first.
            named.update(zip(places, label([*known, *(cards[place] for place in places)])[len(known) :], strict=True))
        sides = tuple(side.with_cards(named, owner) for owner, side in enumerate(view.sides))
        lists = tuple(sorted_by_name((*side.visible(own=True), *side.in_deck())) for side in sides)
        return replace(view, sides=sides, lists=lists)

    def move_menu(self, state: NinecardState) -> tuple[str, ...]:
        """What ends a part of the turn comes last, so that nobody who tries number 1 ends it with nothing laid."""
        # `False` sorts before `True`, and equal ones keep their order.
        return tuple(sorted(state.legal_moves(), key=lambda move: move.startswith("assault ")))

    def playable_card(self, card: Card) -> Energy | Creature | None:
        """The creature or the energy that any card is, unless a move could not name it."""
        return as_battle_card(card) if 0 < len(card.name.strip()) <= LONGEST_NAME else None

    def fits(self, place: str, card: Energy | Creature) -> bool:
        """Creatures alone are laid face down."""
        return isinstance(card, Creature) or not place.startswith("facedown")

    def decks_needed(self, players: int) -> int:
        """One deck for each player."""
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
        """Shuffles each player's deck; a deck may have any cards, barred from the grid game or not, 60 usually."""
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
        self, table: Mapping[str, Any], players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> NinecardSetup:
        """The options and every player's deck; in a record each deck is whole, its cards known or not."""
        options, opening = split_opening(values_in(OPTIONS, table))
        decks: Mapping[str, list[Any]] = table["decks"]
        for name in decks:
            if name not in players:
                raise RecordError(f"decks.{schema.key_name(name)}", "belongs to none of the players")
        piles = read_piles(table, read_battle_card, lookup)
        dealt: list[DealtDeck] = []
        lists: list[DeckList | None] = []
        for player in players:
            place = f"decks.{schema.key_name(player)}"
            if player not in decks:
                raise RecordError(place, "is missing: every player has a deck")
            cards = read_cards(decks[player], place, read_battle_card, lookup)
            try:
                deck = zip(decks[player], battle_deck(tuple(cards)), strict=True)
                dealt.append(tuple([GAP if value == UNKNOWN else card for value, card in deck]))
                # The deck as a list: what the record says in its place, and what it says without a place.
                named = [card for value, card in zip(decks[player], cards, strict=True) if value != UNKNOWN]
                whole = (*named, *piles.get(player, ()))
                lists.append(sorted_by_name(battle_deck(whole)) if len(whole) == len(cards) else None)
            except RecordError as error:
                raise error.under(place) from None
        return NinecardSetup(players, first or 0, tuple(dealt), options, tuple(lists), opening)

    def score_ending(self, document: Mapping[str, Any], lookup: Lookup = no_lookup) -> dict[str, int]:
        """Each player's life, 0 when out: the file's table `life` holds a number for each player."""
        try:
            check_seats(self, tuple(document["life"]))
        except EngineError as error:
            raise RecordError("life", str(error)) from None
        return score(document)


def split_opening(values: dict[str, Any]) -> tuple[Options, str]:
    """All options but the opening, and the opening, which is over when the game begins."""
    opening = values.pop("opening")
    return Options(**values), opening


GAME: Final = NinecardGame()
