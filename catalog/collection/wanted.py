"""What a person lacks, has to spare and could trade: lists made of the collection, of sets and of other people's files.

A list is of holdings, so that any format that the collection is written in can hold it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ccgrid.catalog.card import PLAYSET
from ccgrid.catalog.collection.formats import games_of, open_rows
from ccgrid.catalog.collection.formats.format import SkippedRow
from ccgrid.catalog.collection.owned_copies import all_copies
from ccgrid.catalog.collection.selection import select_holdings
from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.holding import NOWHERE, Holding
from ccgrid.catalog.holding_answers import ShownHolding
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.store.holdings import CollectionStore, walking_order
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.store.set_counts import SetCount, missing_ids, set_counts
from ccgrid.catalog.words import CONDITIONS

_CONDITION_RANK: Final = {condition: rank for rank, condition in enumerate(CONDITIONS)}


def wanted_holding(card: Candidate, copies: int = 1) -> Holding:
    """Return wanted copies of a card, which have no box."""
    fields = (card.game, card.name, card.set_code, card.set_name, card.number, card.ids)
    return Holding(0, card.id, copies, NORMAL, "", card.lang, NOWHERE, *fields)


def missing(
    collection: CollectionStore, sets: Sequence[str] = (), games: Sequence[str] = (), *, every: bool = False
) -> list[Holding]:
    """Return one copy of each card that the collection lacks in some sets, by set and number.

    Raises:
        CatalogError: If there is no such set.
    """
    sets = _set_names(collection, sets, games)
    return want_list(collection, [(card_id, 1) for card_id in missing_ids(collection, sets, games, every=every)])


def want_list(collection: CollectionStore, ids: Iterable[tuple[str, int]]) -> list[Holding]:
    """Return copies of cards from pairs of id and count; if an id is repeated, the larger count applies."""
    most = dict[str, int]()
    for card_id, copies in ids:
        most[card_id] = max(copies, most.get(card_id, copies))
    lookup = StoreLookup(collection.store)
    found = ((lookup.card(card_id), copies) for card_id, copies in most.items())
    return [wanted_holding(card, copies) for card, copies in found if card is not None]


def counts(collection: CollectionStore, sets: Sequence[str], games: Sequence[str], *, every: bool) -> list[SetCount]:
    """Count the owned cards of sets: of these, of every set, or of the sets with any owned card.

    Raises:
        NotFoundError: If the catalogue has no set of one of these codes or names.
    """
    sets = _set_names(collection, sets, games)
    return set_counts(collection, sets, games, every=every)


def _set_names(collection: CollectionStore, sets: Sequence[str], games: Sequence[str]) -> list[str]:
    """Return the codes or names of sets, without the `set:` that a query has."""
    named = [one.removeprefix("set:") for one in sets]
    for one in named:
        if not set_counts(collection, [one], games):
            raise NotFoundError(f"There is no set with the code or the name {one!r}.", kind="set", name=one)
    return named


@cache
def playset(game: str) -> int:
    """Return the maximum number of copies of a card in a deck: by the layout of its game, or 4."""
    try:
        return find_layout(game).playset
    except CatalogError:
        return PLAYSET


def _keeping(keep: int | None, game: str) -> int:
    return playset(game) if keep is None else keep


def spares(
    collection: CollectionStore, keep: int | None, text: str = "", games: Sequence[str] = (), *, printings: bool = False
) -> list[Holding]:
    """Return the copies beyond `keep` of each name or printing.

    Copies in decks and those in the best condition are kept. If `keep` is None, a playset of the game is kept.

    Raises:
        QueryError: If the text cannot be read as a query.
    """
    groups = defaultdict[tuple[str, str], list[Holding]](list)
    for holding in select_holdings(collection, text, games):
        groups[_key(holding, printings=printings)].append(holding)
    found = []
    for (game, _), holdings in groups.items():
        # Copies of a name are gone through from those to keep to those to spare: out in decks first, then by condition;
        # an unknown one counts as near mint. `left` is how many may still be kept.
        left = _keeping(keep, game)
        for one in sorted(
            holdings, key=lambda one: (-one.out, _CONDITION_RANK.get(one.condition, 1), walking_order(one))
        ):
            # What is out stays even where more than `keep` is out.
            staying = max(one.out, min(left, one.copies))
            left -= min(left, staying)
            if staying < one.copies:
                found.append(one._replace(copies=one.copies - staying))
    return sorted(found, key=walking_order)


def _key(one: Holding | Candidate, *, printings: bool) -> tuple[str, str]:
    card_id = one.card_id if isinstance(one, Holding) else one.id
    # A name that folds to nothing, such as one of signs alone, stands for itself.
    return (one.game, card_id) if printings else (one.game, fold(one.name) or one.name)


class TradeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Cards to give, cards to receive, and the number of unknown rows in the file."""

    give: list[ShownHolding]
    take: list[ShownHolding]
    unknown: int


class Trade(NamedTuple):
    """A possible trade: copies to give and to receive, and the number of unrecognised rows in the partner's file."""

    give: list[Holding]
    take: list[Holding]
    unknown: int

    def answer(self) -> TradeAnswer:
        """Return the answer of `collection trade --json`."""
        return TradeAnswer(give=all_copies(self.give), take=all_copies(self.take), unknown=self.unknown)


def trade(
    collection: CollectionStore,
    path: Path,
    keep: int | None,
    games: Sequence[str] = (),
    *,
    printings: bool = False,
    wants: bool = False,
    remark: Callable[[str], None] = lambda sentence: None,
) -> Trade:
    """Compare the spares of the collection with a partner's file, of which `keep` copies each are kept as well.

    If `keep` is None, a playset of the game is kept. With `wants` the file lists what the partner wants, and there is
    nothing to take.

    Raises:
        CatalogError: If the file cannot be read.
    """
    theirs, unknown = _read(collection, path, games, remark)
    counted, cards = Counter[tuple[str, str]](), dict[tuple[str, str], Candidate]()
    for card, copies in theirs:
        key = _key(card, printings=printings)
        counted[key] += copies
        cards.setdefault(key, card)
    give = list[Holding]()
    for one in spares(collection, keep, games=games, printings=printings):
        key = _key(one, printings=printings)
        # `counted` is what they want, and falls as it is given; else it is what they have, and rises up to what they
        # keep.
        need = counted[key] if wants else max(0, _keeping(keep, one.game) - counted[key])
        if copies := min(need, one.copies):
            give.append(one._replace(copies=copies))
            counted[key] += -copies if wants else copies
    # Even one copy here, out or not, means that it is not lacking.
    owned = {_key(one, printings=printings) for one in collection.holdings()}
    take = [
        wanted_holding(card, counted[key] - _keeping(keep, card.game))
        for key, card in cards.items()
        if not wants and key not in owned and counted[key] > _keeping(keep, card.game)
    ]
    return Trade(give, sorted(take, key=walking_order), unknown)


def _read(
    collection: CollectionStore, path: Path, games: Sequence[str], remark: Callable[[str], None]
) -> tuple[list[tuple[Candidate, int]], int]:
    """Return the cards of a partner's file with their numbers of copies, and the number of uncertain rows."""
    reading = open_rows(path, path.name, None, None, remark)
    lookup = StoreLookup(collection.store)
    matcher = Resolver(lookup, games=games, app=games_of(reading.name, path), any_printing=True)
    found, unknown = list[tuple[Candidate, int]](), 0
    for one in reading.rows:
        if isinstance(one, SkippedRow):
            unknown += 1
            continue
        row, match = matcher.find(one)
        if match.card is None or not match.is_certain:
            unknown += 1
        else:
            found.append((match.card, row.copies))
    return found, unknown
