"""Sampling of full positions consistent with a seat's view (determinisation)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import without
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import AnyGame, State, Unseen
from ccgrid.engine.games import find_game


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates for hidden cards that the rules do not determine, as the game uses them.

    Attributes:
        cards: The cards of which any deck may consist.
        decks: All cards of the decks of seats whose deck is known, such as a faction.
    """

    cards: tuple[object, ...] = ()
    decks: Mapping[int, tuple[object, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: AnyGame, cards: Sequence[Card] = (), decks: Mapping[int, Sequence[Card]] | None = None) -> "Pool":
        """Build a pool from catalogue cards, without those that this game cannot use."""
        return cls(
            _playable_cards(game, cards), {seat: _playable_cards(game, deck) for seat, deck in (decks or {}).items()}
        )


def sample_world(view: State, seat: int, dice: Dice, pool: Pool | Sequence[Card] | None = None) -> State:
    """Sample a full position consistent with a seat's view.

    If the rules determine the set of hidden cards, all their arrangements are equally likely. Otherwise hidden cards
    are drawn from `pool`, without repetition as long as it suffices and without the known cards of the same owner.
    Without a pool they are copies of known cards, of the same owner if there are any.

    Args:
        view: The seat's view, or a full position, whose hidden parts are ignored.
        seat: The seat.
        dice: The random number generator, which alone determines the hidden cards.
        pool: The candidates for hidden cards. To sample many positions, build a `Pool` once.

    Raises:
        UnknownCardError: If nothing is known about a hidden card.
    """
    game = find_game(view.game)
    if pool is not None and not isinstance(pool, Pool):
        pool = Pool.of(game, pool)
    # A full position may be given: remove the parts that the seat cannot see.
    view = view.view(seat)
    groups = view.unseen(seat)
    # Include groups without positions: they contain the seen cards of other owners.
    known = tuple(chain.from_iterable((*group.seen, *(group.cards or ())) for group in groups))
    cards: dict[str, object] = {}
    for group in groups:
        if group.cards is not None:
            cards.update(zip(group.places, dice.shuffled(group.cards), strict=True))
        else:
            cards.update(_guess(game, group, pool or Pool(), known, dice))
    return game.reveal(view, cards)


def _guess(game: AnyGame, group: Unseen[object], pool: Pool, known: Sequence[object], dice: Dice) -> dict[str, object]:
    # In order of reliability: that player's deck, the pool, seen cards of the same owner, any known cards.
    whole = pool.decks.get(_owner(group.places[0]), ()) or pool.cards or group.seen or known
    # If the seen cards themselves are the source, copies of them are drawn.
    drawn = _draw(without(whole, group.seen) if whole is not group.seen else whole, len(group.places), dice)
    cards = {}
    for place in group.places:
        # A different card for each position; copies only if no remaining card fits.
        fitting = next((number for number, card in enumerate(drawn) if game.fits(place, card)), None)
        if fitting is not None:
            cards[place] = drawn.pop(fitting)
            continue
        others = [card for card in (*whole, *known) if game.fits(place, card)] or whole
        if not others:
            raise UnknownCardError(f"no known card fits the hidden card {place}: give a pool of possible cards")
        cards[place] = dice.choose(others)
    return cards


def _draw(cards: Sequence[object], count: int, dice: Dice) -> list[object]:
    return [cards[number] for number in dice.sample(len(cards), min(count, len(cards)))]


def _owner(place: str) -> int:
    parts = place.split(":")
    # `pile:0` has no owner, `hand:1:2` has one.
    return int(parts[1]) if len(parts) > 2 else -1


def _playable_cards(game: AnyGame, cards: Sequence[Card]) -> tuple[object, ...]:
    return tuple(played for card in cards if (played := game.playable_card(card)) is not None)
