"""Full positions that agree with what a seat sees: what it cannot see is drawn with dice, and looked at nowhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import without
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import Game, State, Unseen
from ccgrid.engine.games import find_game


@dataclass(frozen=True, slots=True)
class Pool:
    """What hidden cards may be where the rules do not tell, as the game plays them.

    `cards` are those that any deck may be made of; `decks` are all the cards of the decks of seats of which that is
    known, such as a faction that somebody plays.
    """

    cards: tuple[Any, ...] = ()
    decks: Mapping[int, tuple[Any, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, cards: Sequence[Card] = (), decks: Mapping[int, Sequence[Card]] | None = None) -> "Pool":
        """The pool of cards of a catalogue, less those that this game cannot be played with."""
        return cls(_playable(game, cards), {seat: _playable(game, deck) for seat, deck in (decks or {}).items()})


def sample_world(view: State, seat: int, dice: Dice, pool: Pool | Sequence[Card] | None = None) -> State:
    """A full position that looks to a seat like this view of its, drawn with the dice.

    Where the rules tell which cards the seat cannot see, every way in which they can lie is as likely as any other.
    Where they do not, the hidden cards are drawn from `pool`, as far as it goes each once and without those of the same
    owner that are known; without a pool they are copies of known cards, of the same owner if there are any.

    Args:
        view: what the seat sees, or a full position, of which what the seat cannot see is not looked at.
        seat: who sees it.
        dice: what alone decides about what is hidden.
        pool: the cards that hidden ones may be; make a `Pool` once where many worlds are drawn.

    Raises:
        UnknownCardError: nothing at all is known of a hidden card.
    """
    game = find_game(view.game)
    if pool is not None and not isinstance(pool, Pool):
        pool = Pool.of(game, pool)
    # A full position may be given: what the seat cannot see goes away here.
    view = view.view(seat)
    groups = view.unseen(seat)
    # Groups without places count, too: they say what was seen of others.
    known = tuple(chain.from_iterable((*group.seen, *(group.cards or ())) for group in groups))
    cards: dict[str, Any] = {}
    for group in groups:
        if group.cards is not None:
            cards.update(zip(group.places, dice.shuffled(group.cards), strict=True))
        else:
            cards.update(_guess(game, group, pool or Pool(), known, dice))
    return game.reveal(view, cards)


def _guess(game: Game, group: Unseen, pool: Pool, known: Sequence[Any], dice: Dice) -> dict[str, Any]:
    # From what is known best to what is a guess: the deck of that player, the pool, cards of the same owner, any
    # others.
    whole = pool.decks.get(_owner(group.places[0]), ()) or pool.cards or group.seen or known
    # Where the seen cards themselves stand in, copies of them are what is drawn.
    drawn = _draw(without(whole, group.seen) if whole is not group.seen else whole, len(group.places), dice)
    cards = {}
    for place in group.places:
        # A card of its own for each place; copies only where none that fits is left.
        fitting = next((number for number, card in enumerate(drawn) if game.fits(place, card)), None)
        if fitting is not None:
            cards[place] = drawn.pop(fitting)
            continue
        others = [card for card in (*whole, *known) if game.fits(place, card)] or whole
        if not others:
            raise UnknownCardError(f"nothing is known about {place}: give the cards it may be")
        cards[place] = dice.choose(others)
    return cards


def _draw(cards: Sequence[Any], count: int, dice: Dice) -> list[Any]:
    return [cards[number] for number in dice.sample(len(cards), min(count, len(cards)))]


def _owner(place: str) -> int:
    parts = place.split(":")
    # `pile:0` has no owner, `hand:1:2` has.
    return int(parts[1]) if len(parts) > 2 else -1


def _playable(game: Game, cards: Sequence[Card]) -> tuple[Any, ...]:
    return tuple(played for card in cards if (played := game.playable_card(card)) is not None)
