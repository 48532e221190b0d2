"""Games of ninecard as `engine.numeric` searches them: the view of a seat in rows of numbers, and moves as numbers."""

from collections.abc import Sequence
from typing import Final

from engine.cards import in_no_order
from engine.game import Unseen
from engine.games.ninecard.cards import BattleCard, Creature, Hidden
from engine.games.ninecard.combat import BOARD, COLUMNS
from engine.games.ninecard.rows import rules
from engine.games.ninecard.state import NinecardState

_VERBS: Final = {
    "energy": rules.ENERGY,
    "facedown": rules.FACEDOWN,
    "sacrifice": rules.SACRIFICE,
    "discard": rules.DISCARD,
    "play": rules.PLAY,
}


def number_of(card: BattleCard | None) -> int:
    """A card as a number: what it fights with; 0 for energy, and for none."""
    return rules.CREATURE + 16 * card.attack + card.defense if isinstance(card, Creature) else 0


def position(view: NinecardState) -> list[int]:
    """The row of a position; hidden cards in hand are 0."""
    options = view.options
    row = [
        view.turn,
        view.to_move,
        view.spent,
        sum(1 << cell for cell in view.moved),
        int(view.has_played),
        int(view.has_sacrificed),
        -1 if view.target is None else view.target,
        -1 if view.last is None else view.last,
        int(view.discarding),
        len(view.sides),
        options.limit,
        int(options.facedown),
        int(options.one_creature),
    ]
    for side in view.sides:
        hand = [number_of(card) for card in side.hand]
        row += [side.life, int(side.is_out), side.all_energy, len(hand), len(side.deck), 0]
        row += [number_of(card) for card in side.grid]
        row += hand + [0] * (rules.MOST_HELD - len(hand))
    return row


def fits(view: NinecardState) -> bool:
    """Whether hands are as small as they are in games, and the own one is known; a record may say otherwise."""
    is_known = not any(isinstance(card, Hidden) for card in view.side.hand)
    return is_known and max(len(side.hand) for side in view.sides) <= rules.MOST_HELD - 2


def pools(view: NinecardState) -> tuple[list[int], list[int]]:
    """Of what cards each seat's hidden ones are, in a row, and for each seat where that begins, and what is hidden.

    Of one's own deck all is known that is left. Others are taken to have such cards as were seen of them, and as one
    has oneself.
    """
    seat = view.to_move
    groups = {_owner(group): group for group in view.unseen(seat)}
    own = list(groups[seat].cards or ()) if seat in groups else []
    own += view.sides[seat].seen(own=True)
    cards: list[int] = []
    hidden: list[int] = []
    for owner, side in enumerate(view.sides):
        group = groups.get(owner)
        if group is None:
            found: list[BattleCard] = []
        elif owner == seat:
            found = list(own if group.cards is None else group.cards)
        else:
            found = [*in_no_order(group.seen), *in_no_order(tuple(own))]
        held = 0 if owner == seat else len(side.hand)
        hidden += [len(cards), len(found), held]
        cards += map(number_of, found)
    return cards, hidden


def _owner(group: Unseen) -> int:
    return int(group.places[0].split(":")[1])


def numbers(view: NinecardState, legal: Sequence[str]) -> dict[int, str]:
    """The moves by their numbers; of those that are the same with other cards, the first."""
    found: dict[int, str] = {}
    cards = {card.name: number_of(card) for card in view.side.hand if hasattr(card, "name")}
    for move in legal:
        verb, _, rest = move.partition(" ")
        found.setdefault(_number(view, verb, rest, cards), move)
    return found


def _number(view: NinecardState, verb: str, rest: str, cards: dict[str, int]) -> int:
    cells = BOARD.cells
    if verb == "play":
        return rules.VERB * rules.PLAY + 4 * cards[rest[:-2]] + COLUMNS.index(rest[-1])
    if verb in _VERBS:
        return rules.VERB * _VERBS[verb] + cards[rest]
    if verb == "assault":
        return rules.VERB * rules.ASSAULT + view.names.index(rest)
    if verb == "attack":
        return rules.VERB * rules.ATTACK + cells.index(rest)
    if verb == "end":
        return rules.VERB * rules.END
    a, b = map(cells.index, rest.split(" "))
    if verb == "move":
        return rules.VERB * rules.STEP + 9 * a + b
    return rules.VERB * rules.SWAP + 9 * min(a, b) + max(a, b)
