"""What is asked of the catalogue a person has: one card with its numbers, cards by name, counts."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, cast

from ccgrid.catalog.card import Card, CardJson, NothingFoundError, Zone
from ccgrid.catalog.collection.edit import select
from ccgrid.catalog.custom_card import Correction, CorrectionJson
from ccgrid.catalog.evidence import NumberJson, guessed_zones
from ccgrid.catalog.matching.asking import NoSuchCardError, Row
from ccgrid.catalog.queries import Comparison, field
from ccgrid.catalog.store.catalogue import COLLECTION, SetSpreadJson, StatsJson, Store, YearSpreadJson, distributions
from ccgrid.catalog.store.custom_cards import corrections
from ccgrid.catalog.store.queries import QueryAnswer, answer, cards_where, readings
from ccgrid.services.catalogue import open_catalogue, open_collection
from ccgrid.services.choices import Choices

_ID: Final = re.compile(r"[^\s:]+:[^\s:]+")


class ExplainedCardJson(CardJson):
    """A card with each number printed on it, the zones whose numbers are all guesses, and what was corrected."""

    numbers: list[NumberJson]
    guessed_zones: list[Zone]
    corrected: CorrectionJson | None


class ExplainedCard(NamedTuple):
    """A card, where each of its numbers was read and whether it counts, and how many other printings there are.

    `remark` is what has to be said of the choice among printings with different numbers; `corrected` is what somebody
    corrected on the card, None for nothing.
    """

    card: Card
    numbers: list[NumberJson]
    others: int
    remark: str
    corrected: Correction | None = None

    def to_dict(self) -> ExplainedCardJson:
        """The documented shape of `show --json`."""
        return {
            **self.card.to_dict(),
            "numbers": self.numbers,
            "guessed_zones": guessed_zones(self.numbers),
            "corrected": None if self.corrected is None else self.corrected.to_dict(),
        }


def explained(database: Path | None, text: str, games: Sequence[str], choices: Choices) -> ExplainedCard:
    """The card that is meant by an id or a name.

    Raises:
        NothingFoundError: there is none.
        CatalogError: it is not plain which, or a game has no cards.
    """
    with open_catalogue(database) as store:
        for game in games:
            store.check_game(game)
        resolver = choices.resolver(store, games=games)
        try:
            found = choices.take(resolver, Row(name=text))
        except NoSuchCardError as error:
            raise NothingFoundError(str(error)) from error
        card = found.card
        numbers, others = store.explain(card.id), len(resolver.printings(card)) - 1
        return ExplainedCard(card, numbers, others, found.remark, corrections(store).get(card.id))


def card_meant(store: Store, text: str, choices: Choices) -> tuple[str, str]:
    """The id of the card that is meant, by its id or its name, and what has to be said of the choice among printings.

    An id is taken as it is: a card that is no longer there may have been corrected. Raises CatalogError where there is
    no card that is called so, or it is not plain which.
    """
    if _ID.fullmatch(text):
        return text, ""
    found = choices.take(choices.resolver(store), Row(name=text))
    return found.card.id, found.remark


def search(database: Path | None, text: str, games: Sequence[str], *, legal: bool, limit: int | None) -> QueryAnswer:
    """The cards that answer a query, best first, so many of them, and how many there are.

    Words of a name may be misspelt; a game, a set and a number may stand beside it, as in `Griffin (wyvern)`.

    Raises:
        QueryError: the query means nothing.
        NothingFoundError: nothing answers it.
        CatalogError: a game has no cards.
    """
    with open_catalogue(database) as store:
        for game in games:
            store.check_game(game)
        only = (Comparison(field("is"), ":", "legal"),) if legal else ()
        for query in readings(store, text):
            wanted = replace(query, parts=(*query.parts, *only))
            if (found := answer(store, wanted, games, limit=limit, forgiving=True)).cards:
                return found
    raise NothingFoundError(f"No card matches {text!r}.")


def ids_of(database: Path | None, table: str, text: str) -> frozenset[str | int]:
    """The ids of the cards, or of the entries of the `collection`, that answer a query; none where nothing does.

    Raises:
        QueryError: the query means nothing.
    """
    try:
        if table == COLLECTION:
            with open_collection(database, lambda: None) as collection:
                return frozenset(holding.id for holding in select(collection, text))
        return frozenset(card.id for card in search(database, text, (), legal=False, limit=None).cards)
    except NothingFoundError:
        return frozenset()


class SpreadStatsJson(StatsJson, total=False):
    """What the catalogue holds and, for drawings, how it is spread."""

    sets: list[SetSpreadJson]
    years: list[YearSpreadJson]
    numbers: dict[str, list[int]]


def stats(database: Path | None, text: str = "", *, plots: bool = False) -> SpreadStatsJson:
    """What the catalogue holds of the cards that a query asks for, in the documented shape of `stats --json`.

    With `plots` also how they are spread over sets, years and numbers.

    Raises:
        QueryError: the query means nothing.
        NothingFoundError: nothing answers it.
    """
    with open_catalogue(database) as store:
        only = cards_where(store, text)
        counted = store.stats(only)
        return cast("SpreadStatsJson", {**counted, **distributions(store, only)} if plots else counted)
