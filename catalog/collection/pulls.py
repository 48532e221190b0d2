"""Decks of owned cards: drawing, finding, checking out, returning and counting them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, cast, get_args

import msgspec

from ccgrid.catalog.answer_fields import with_fields
from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import DeckProblem
from ccgrid.catalog.card_pool import Sampler
from ccgrid.catalog.collection.selection import select_holdings
from ccgrid.catalog.decks import USUAL_DECK, Problem
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.holding_answers import ShownHolding, shown_holding
from ccgrid.catalog.matching.asking import same_numbers
from ccgrid.catalog.store.holdings import CollectionStore, DeckOut
from ccgrid.catalog.store.statistics import FieldStats, count_by
from ccgrid.catalog.zones import ZONES, Zone, ZoneNumbers

_AT_ONCE: Final = 1000  # cards in memory
_OTHER_NUMBERS: Final = 2
"""Where among the choices for a card those with other numbers are, the last."""


class WantedCopies(NamedTuple):
    """How many copies of a card a deck needs, and its other printings that may be used instead."""

    card: Card
    copies: int
    printings: tuple[Card, ...] = ()

    def choices(self) -> tuple[frozenset[str], ...]:
        """Return the ids in order of preference: the card, printings with its numbers, other printings."""
        others = [one for one in self.printings if one.id != self.card.id]
        same = frozenset(one.id for one in others if same_numbers(one, self.card))
        return frozenset((self.card.id,)), same, frozenset(one.id for one in others) - same

    def ids(self) -> frozenset[str]:
        """Return all ids that may be taken."""
        return frozenset().union(*self.choices())


class Pull(NamedTuple):
    """Where the cards of a deck are, in walking order, and of which cards there are too few.

    `instead` maps the id of a printing that was taken to the card that it replaces, where their numbers differ.
    """

    found: list[tuple[Holding, int]]
    missing: list[tuple[Card, int]]
    instead: dict[str, Card]


class PulledCopies(ShownHolding, frozen=True, kw_only=True):
    """Copies to take; `instead_of` is the card for which a printing with other numbers stands in, or null."""

    instead_of: str | None


class MissingCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a deck without enough copies; `copies` is the number of missing copies."""

    id: str
    name: str
    game: str
    copies: int


class PullList(msgspec.Struct, frozen=True, kw_only=True):
    """Where the cards of a deck are, in box order, and what is missing."""

    deck: str
    found: list[PulledCopies]
    missing: list[MissingCard]
    unknown: list[DeckProblem]


class CopiesInDeck(ShownHolding, frozen=True, kw_only=True):
    """Copies that are out in a deck."""

    deck: str


def pull_list(deck: str, pull: Pull, unknown: Sequence[Problem]) -> PullList:
    """Build the answer of `collection pull`."""
    instead = {taken: card.id for taken, card in pull.instead.items()}
    return PullList(
        deck=deck,
        found=[
            with_fields(shown_holding(one, copies), PulledCopies, instead_of=instead.get(one.card_id))
            for one, copies in pull.found
        ],
        missing=[MissingCard(id=card.id, name=card.name, game=card.game, copies=count) for card, count in pull.missing],
        unknown=[DeckProblem(card=one.card, reason=one.reason) for one in unknown],
    )


def copies_out(found: Iterable[DeckOut]) -> list[CopiesInDeck]:
    """Build the answers of copies that are out in decks."""
    return [with_fields(shown_holding(one.holding, one.copies), CopiesInDeck, deck=one.deck) for one in found]


def draw_copies(collection: CollectionStore, count: int, dice: Sampler, games: Sequence[str] = ()) -> list[Card]:
    """Draw legal cards from the available copies, each copy with the same probability.

    The result depends only on the collection and the random number generator.

    Raises:
        CatalogError: If there are too few.
    """
    owned = legal_copies(collection, games)
    if len(owned) < count:
        what = f" of {', '.join(games)}" if games else ""
        raise CatalogError(
            f"You own {counted(len(owned), 'usable card')}{what}; a deck needs {count}.\n"
            "To add more: ccgrid collection import, or ccgrid collection add"
        )
    return [owned[number] for number in dice.sample(len(owned), count)]


def legal_copies(collection: CollectionStore, games: Sequence[str] = ()) -> list[Card]:
    """Return the available legal cards, one entry per copy. Copies in a checked-out deck are not available."""
    copies = collection.owned_ids(available=True)
    # Sorted, so that the same dice draw the same cards whatever order the store answers in.
    cards = collection.store.cards(sorted(copies))
    legal = (card for card in cards if card.legal and (not games or card.game in games))
    return [card for card in legal for _ in range(copies[card.id])]


def deck_problems(collection: CollectionStore, needs: Sequence[WantedCopies], deck: str) -> list[Problem]:
    """Return the cards of a deck without enough copies; copies that are out in this deck count."""
    missing = find_in_boxes(collection, needs, deck).missing
    # By name, as one card of a deck may be there in several printings; a dict keeps the order and drops repetitions.
    short = dict.fromkeys((card.game, card.name) for card, _ in missing)
    owned, out = collection.owned_ids(), collection.decks_out()
    problems = []
    for key in short:
        same = [need for need in needs if (need.card.game, need.card.name) == key]
        ids = frozenset().union(*(need.ids() for need in same))
        decks = sorted({one.deck for one in out if one.holding.card_id in ids and one.deck != deck})
        beside = f"; out in {', '.join(decks)}" if decks else ""
        have = sum(owned.get(card_id, 0) for card_id in ids)
        count = sum(need.copies for need in same)
        problems.append(Problem(key[1], f"{count} needed, {have or 'none'} owned{beside}"))
    return problems


def find_in_boxes(collection: CollectionStore, needs: Sequence[WantedCopies], deck: str) -> Pull:
    """Return where to find the cards of a deck that are not out in it already.

    Prefer the printings in the deck, then printings with the same numbers, then others. Among these prefer boxes that
    are already on the list, then the first in box order.
    """
    missing = [need.copies for need in needs]
    choices = [need.choices() for need in needs]
    # Tier by tier over all cards: no card's own printing is used up as a substitute for another one.
    order = [(tier, index) for tier in range(_OTHER_NUMBERS + 1) for index in range(len(needs))]
    # What is out in this deck counts as found, for its own card first, then as a substitute.
    for out in collection.decks_out(deck):
        left = out.copies
        for tier, index in order:
            if left and out.holding.card_id in choices[index][tier]:
                taken = min(left, missing[index])
                missing[index] -= taken
                left -= taken
    ids = sorted(card_id for index, need in enumerate(needs) if missing[index] for card_id in need.ids())
    lying: dict[str, list[Holding]] = {}
    free: dict[int, int] = {}
    walk = collection.of_cards(list(dict.fromkeys(ids)))
    for holding in walk:
        lying.setdefault(holding.card_id, []).append(holding)
        free[holding.id] = holding.copies - holding.out
    position = {holding.id: number for number, holding in enumerate(walk)}
    boxes: set[str] = set()
    taken_from: Counter[int] = Counter()
    instead: dict[str, Card] = {}
    for tier, index in order:
        if not missing[index]:
            continue
        there = [one for card_id in choices[index][tier] for one in lying.get(card_id, ())]
        # Prefer boxes already on the list, then the nearest on the shelf.
        for holding in sorted(there, key=lambda one: (one.place.box not in boxes, position[one.id])):
            if taken := min(missing[index], free[holding.id]):
                missing[index] -= taken
                free[holding.id] -= taken
                taken_from[holding.id] += taken
                boxes.add(holding.place.box)
                if tier == _OTHER_NUMBERS:
                    instead[holding.card_id] = needs[index].card
    # In walking order, not in the order in which they were chosen.
    found = [(holding, taken_from[holding.id]) for holding in walk if taken_from[holding.id]]
    lacks = [(need.card, count) for need, count in zip(needs, missing, strict=True) if count]
    return Pull(found, lacks, instead)


def take_out(collection: CollectionStore, needs: Sequence[WantedCopies], deck: str) -> Pull:
    """Check out the copies of a deck in one undoable change.

    Raises:
        CatalogError: If copies are missing.
    """
    with collection.change(f"take out {deck}"):
        pull = find_in_boxes(collection, needs, deck)
        if pull.missing:
            names = ", ".join(f"{count} {card.name}" for card, count in pull.missing[:5])
            raise CatalogError(f"The deck {deck!r} is not complete; nothing changed. Missing: {names}.")
        for holding, copies in pull.found:
            collection.mark_out(deck, holding, copies)
    return pull


def put_back(collection: CollectionStore, deck: str) -> list[DeckOut]:
    """Return the copies of a deck to their boxes in one undoable change.

    Returns:
        What belongs where, in box order.
    """
    with collection.change(f"put back {deck}"):
        out = out_in(collection, deck)
        collection.mark_back(deck)
    return out


def out_in(collection: CollectionStore, deck: str) -> list[DeckOut]:
    """Return the copies that are checked out in a deck, in box order.

    Raises:
        NotFoundError: If the deck is not out. The message lists the decks that are.
    """
    found = collection.decks_out(deck)
    if not found:
        decks = sorted({one.deck for one in collection.decks_out()})
        known = f"Decks that are out: {', '.join(decks)}." if decks else "No deck is out."
        raise NotFoundError(f"The deck {deck!r} is not out. {known}", kind="deck", name=deck)
    return found


def count_decks(copies: Iterable[int], size: int = USUAL_DECK) -> int:
    """Return the number of different decks of `size` cards; `copies` has the number of copies of each card.

    The decks of n of the first k cards are those of the first k - 1 with none to all of the copies of card k.

    >>> count_decks([1, 1, 1], 2), count_decks([2, 1], 2), count_decks([3], 2), count_decks([], 2)
    (3, 2, 1, 0)
    """
    # ways[n] counts the decks of n cards made of the cards so far; of none there is one, the empty deck.
    ways = [1] + [0] * size
    for have in copies:
        # ways[n] becomes the sum of ways[n - have] to ways[n]: a difference of running sums.
        sums = [0]
        # sums[n] is ways[0] + ... + ways[n - 1].
        for count in ways:
            sums.append(sums[-1] + count)
        ways = [sums[n + 1] - sums[max(0, n - have)] for n in range(size + 1)]
    return ways[size]


class OwnedGame(msgspec.Struct, kw_only=True):
    """The owned copies of a card game; `cards` counts different cards, `barred` counts copies by reason."""

    game: str
    copies: int
    cards: int
    legal: int
    barred: dict[str, int]
    zones: ZoneNumbers


class OwnedStats(msgspec.Struct, frozen=True, kw_only=True):
    """The owned copies, and the number of different legal decks of them; `rare_zones` have the fewest numbers."""

    copies: int
    cards: int
    legal: int
    legal_cards: int
    decks: int
    zones: ZoneNumbers
    rare_zones: list[Zone]
    games: list[OwnedGame]


def stats_by(collection: CollectionStore, name: str, text: str = "") -> FieldStats:
    """Count the owned copies that match a query by the values of a field.

    Raises:
        QueryError: If the query cannot be read.
        NotFoundError: If nothing matches.
        NoSuchNameError: If there is no such field.
    """
    return count_by(collection.store, name, holdings=[holding.id for holding in _found(collection, text)])


def _found(collection: CollectionStore, text: str) -> list[Holding]:
    """Return the holdings that match a query, or all.

    Raises:
        NotFoundError: If nothing matches.
    """
    holdings = list(select_holdings(collection, text))
    if text and not holdings:
        raise NotFoundError(f"No card in the collection matches {text!r}.", kind="card", name=text)
    return holdings


def stats(collection: CollectionStore, text: str = "") -> OwnedStats:
    """Count the owned cards that match a query, by game and zone, and the different legal decks of them.

    Raises:
        QueryError: If the query cannot be read.
        NotFoundError: If nothing matches.
    """
    holdings = _found(collection, text)
    copies = Counter[str]()
    for holding in holdings:
        copies[holding.card_id] += holding.copies
    ids = sorted(copies)
    games: dict[str, OwnedGame] = {}
    zones = dict.fromkeys(ZONES, 0)
    known = set()
    legal: list[int] = []
    for start in range(0, len(ids), _AT_ONCE):
        for card in collection.store.cards(ids[start : start + _AT_ONCE]):
            known.add(card.id)
            game = _of_game(games, card.game)
            own = copies[card.id]
            game.copies += own
            game.cards += 1
            if not card.legal:
                reason = card.reason or "barred"
                game.barred[reason] = game.barred.get(reason, 0) + own
                continue
            legal.append(own)
            game.legal += own
            at = cast("dict[str, int]", game.zones)
            for zone in card.zones:
                at[zone] += own
                zones[zone] += own
    # Cards that the catalogue does not have any more are counted under the game that they had.
    for holding in holdings:
        if holding.card_id not in known:
            game = _of_game(games, holding.game)
            game.copies += holding.copies
            game.barred["gone"] = game.barred.get("gone", 0) + holding.copies
    return OwnedStats(
        copies=copies.total(),
        cards=len(copies),
        legal=sum(legal),
        legal_cards=len(legal),
        decks=count_decks(legal),
        zones=cast("ZoneNumbers", zones),
        # The three zones in which the fewest copies have a number.
        rare_zones=sorted(get_args(Zone), key=lambda zone: zones[zone])[:3] if legal else [],
        games=[games[name] for name in sorted(games)],
    )


def _of_game(games: dict[str, OwnedGame], name: str) -> OwnedGame:
    """Return the counts of a game, all 0 at first."""
    zones = cast("ZoneNumbers", dict.fromkeys(ZONES, 0))
    return games.setdefault(name, OwnedGame(game=name, copies=0, cards=0, legal=0, barred={}, zones=zones))
