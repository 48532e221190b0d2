"""Decks from what one owns: drawn from copies that are there, found in their boxes, out and put back, and counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from catalog.card import ZONES, Card, CatalogError
from catalog.decks.deck import GRID_DECK, DeckEntry, Problem
from catalog.holding import Holding
from catalog.matching.search import fold
from catalog.sampling import Sampler
from catalog.store.holdings import CollectionStore, DeckOut

_AT_ONCE: Final = 1000


class Pull(NamedTuple):
    """Where the cards of a deck are, in walking order, and of which cards there are too few."""

    found: list[tuple[Holding, int]]
    missing: list[tuple[Card, int]]


def draw(collection: CollectionStore, count: int, dice: Sampler, games: Sequence[str] = ()) -> list[Card]:
    """Legal cards drawn from the copies that are owned and not out in a deck, every copy as likely as any other.

    The same for the same collection and dice; raises CatalogError where there are too few.
    """
    copies = collection.owned_ids(available=True)
    legal = [
        card for card in collection.store.cards(sorted(copies)) if card.legal and (not games or card.game in games)
    ]
    there = sum(copies[card.id] for card in legal)
    if there < count:
        what = f" of {', '.join(games)}" if games else ""
        raise CatalogError(
            f"Of your cards{what} {there} may be in a deck and are not out in one, and {count} are needed.\n"
            "Bring more in: ccgrid collection import, or ccgrid collection add"
        )
    owned = [card for card in legal for _ in range(copies[card.id])]
    return [owned[number] for number in dice.sample(len(owned), count)]


def lacking(collection: CollectionStore, cards: Iterable[Card], deck: str) -> list[Problem]:
    """What of a deck is not there to be taken, card by card; what is out in this very deck is there."""
    needed = Counter(card.id or card.name for card in cards)
    names = {card.id or card.name: card.name for card in cards}
    owned, free = collection.owned_ids(), collection.owned_ids(available=True)
    out = collection.decks_out()
    for one in out:
        if one.deck == deck:
            free[one.holding.card_id] = free.get(one.holding.card_id, 0) + one.copies
    problems = []
    for card_id, count in needed.items():
        if free.get(card_id, 0) >= count:
            continue
        decks = sorted({one.deck for one in out if one.holding.card_id == card_id and one.deck != deck})
        beside = f"; out in {', '.join(decks)}" if decks else ""
        have = owned.get(card_id, 0)
        problems.append(Problem(names[card_id], f"{count} needed, {have or 'none'} owned{beside}"))
    return problems


def owned_printing(collection: CollectionStore, entry: DeckEntry) -> Card | None:
    """The printing that is owned of a card that a deck calls by its name alone; None where none is, or more is said."""
    if entry.card is not None or entry.set_code or entry.collector_number or ":" in entry.text:
        return None
    wanted = fold(entry.text)
    ids = [one.card_id for one in collection.holdings() if fold(one.name) == wanted]
    cards = collection.store.cards(sorted(set(ids)))
    return min(cards, key=lambda card: (not card.legal, card.id), default=None)


def find_in_boxes(collection: CollectionStore, cards: Sequence[Card], deck: str) -> Pull:
    """Where to go for the cards of a deck; those that are out in it already are not looked for again."""
    needed = Counter(card.id for card in cards)
    for one in collection.decks_out(deck):
        needed[one.holding.card_id] -= one.copies
    found = []
    for holding in collection.of_cards([card_id for card_id, count in needed.items() if count > 0]):
        taken = min(needed[holding.card_id], holding.copies - holding.out)
        if taken > 0:
            found.append((holding, taken))
            needed[holding.card_id] -= taken
    by_id = {card.id: card for card in cards}
    return Pull(found, [(by_id[card_id], count) for card_id, count in needed.items() if count > 0])


def take_out(collection: CollectionStore, cards: Sequence[Card], deck: str) -> Pull:
    """Marks the copies of a deck as out, as one change; CatalogError where copies are missing."""
    with collection.change(f"take out {deck}"):
        pull = find_in_boxes(collection, cards, deck)
        if pull.missing:
            names = ", ".join(f"{count} {card.name}" for card, count in pull.missing[:5])
            raise CatalogError(f"Not all of {deck!r} is there, so nothing is marked as out. Missing: {names}.")
        for holding, copies in pull.found:
            collection.mark_out(deck, holding, copies)
    return pull


def put_back(collection: CollectionStore, deck: str) -> list[DeckOut]:
    """Marks a deck as back in its boxes, as one change, and returns what goes where, in walking order."""
    with collection.change(f"put back {deck}"):
        out = out_in(collection, deck)
        collection.mark_back(deck)
    return out


def out_in(collection: CollectionStore, deck: str) -> list[DeckOut]:
    """What is out in a deck, in walking order; CatalogError, naming the decks that are out, where that is not."""
    found = collection.decks_out(deck)
    if not found:
        decks = sorted({one.deck for one in collection.decks_out()})
        known = f"Out are: {', '.join(decks)}." if decks else "No deck is out."
        raise CatalogError(f"No deck {deck!r} is out. {known}")
    return found


def count_decks(copies: Iterable[int], size: int = GRID_DECK) -> int:
    """How many different decks of so many cards there are, of cards of which one has so many copies each.

    Of the first k cards, decks of n are those of the first k - 1 with none to all of the copies of card k.

    >>> count_decks([1, 1, 1], 2), count_decks([2, 1], 2), count_decks([3], 2), count_decks([], 2)
    (3, 2, 1, 0)
    """
    ways = [1] + [0] * size
    for have in copies:
        # ways[n] becomes the sum of ways[n - have] to ways[n]: a running sum, less what is too far back.
        sums = [0]
        for count in ways:
            sums.append(sums[-1] + count)
        ways = [sums[n + 1] - sums[max(0, n - have)] for n in range(size + 1)]
    return ways[size]


def stats(collection: CollectionStore) -> dict[str, Any]:
    """What one owns, by game and zone, and how many different legal decks it makes."""
    copies = collection.owned_ids()
    ids = sorted(copies)
    games: dict[str, dict[str, Any]] = {}
    known = set()
    legal: list[int] = []
    for start in range(0, len(ids), _AT_ONCE):
        for card in collection.store.cards(ids[start : start + _AT_ONCE]):
            known.add(card.id)
            game = _of_game(games, card.game)
            own = copies[card.id]
            game["copies"] += own
            game["cards"] += 1
            if not card.legal:
                reason = card.reason or "barred"
                game["barred"][reason] = game["barred"].get(reason, 0) + own
                continue
            legal.append(own)
            game["legal"] += own
            for zone in card.zones:
                game["zones"][zone] += own
    for holding in collection.holdings():
        if holding.card_id not in known:
            game = _of_game(games, holding.game)
            game["copies"] += holding.copies
            game["barred"]["gone"] = game["barred"].get("gone", 0) + holding.copies
    zones = {zone: sum(game["zones"][zone] for game in games.values()) for zone in ZONES}
    return {
        "copies": sum(copies.values()),
        "cards": len(copies),
        "legal": sum(legal),
        "legal_cards": len(legal),
        "decks": count_decks(legal),
        "zones": zones,
        "rare_zones": sorted(ZONES, key=lambda zone: zones[zone])[:3] if legal else [],
        "games": [games[name] for name in sorted(games)],
    }


def _of_game(games: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    fresh = {"game": name, "copies": 0, "cards": 0, "legal": 0, "barred": {}, "zones": dict.fromkeys(ZONES, 0)}
    return games.setdefault(name, fresh)
