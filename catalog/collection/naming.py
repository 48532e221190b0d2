"""The card that somebody names where copies of it are added: by an id, a name, or a set and a number."""

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.card import CatalogError
from catalog.collection.edit import stored
from catalog.holding import NORMAL
from catalog.matching.beside import Asked, is_of
from catalog.matching.lookup import MatchResult
from catalog.matching.matcher import Matcher
from catalog.matching.resolver import Choose, Resolver, UnknownCardError
from catalog.matching.row import Row
from catalog.matching.search import fold
from catalog.matching.spellings import Candidate
from catalog.store.holdings import CollectionStore
from catalog.store.lookup import StoreLookup


def find_card(
    collection: CollectionStore,
    name: str,
    *,
    set_code: str = "",
    number: str = "",
    games: Sequence[str] = (),
    language: str = "",
    choose: Choose | None = None,
) -> MatchResult:
    """The card that a person names by an id, a name, or a set and a number; exact, or not at all.

    Its reason is what has to be said of the choice among printings with different numbers; `choose` asks a person where
    cards of several games are called so. Raises CatalogError where there is none, naming those that may be meant.
    """
    lookup = StoreLookup(collection.store)
    resolver = Resolver(collection.store, choose=choose)
    row = typed_row(name, set_code, number, language)
    return CardFinder(collection, resolver, Matcher(lookup, games=games), lookup, tuple(games)).find(row)


def typed_row(name: str, set_code: str = "", number: str = "", language: str = "") -> Row:
    """What a person typed as a row to match; a name with a colon may be an id."""
    name, set_code = stored(name), stored(set_code)
    ids = (("card", name),) if ":" in name else ()
    return Row(0, name, ((NORMAL, 1),), name, set_code, set_code, stored(number), ids, "", language)


@dataclass(frozen=True, slots=True)
class CardFinder:
    """Finds the cards of a collection's catalogue that rows typed by a person mean, in some games or in all."""

    collection: CollectionStore
    resolver: Resolver
    matcher: Matcher
    lookup: StoreLookup
    games: tuple[str, ...] = ()

    def find(self, row: Row) -> MatchResult:
        """The exact match of what somebody typed; CatalogError where there is none, or it is not plain which."""
        refusal: UnknownCardError | None = None
        try:
            if row.name:
                return self.named(row)
        except UnknownCardError as error:
            refusal = error
        match = self.matcher.match(row)
        if match.card is not None and refusal and not row.set_code and _is_of_another(match.card, row.name):
            raise refusal
        if match.card is not None and match.how != "fuzzy":
            if match.how != "name" or row.set_code:
                return match
            return self.named(row._replace(name=match.card.name))  # the name in another form, of whatever game
        near = [f"{card.name} ({card.id})" for card in self.collection.store.cards(match.candidates)]
        if not near and row.name and not row.set_code:
            near = [found.name for found in self.collection.store.near(row.name)[:3]]
        what = row.name or f"number {row.number}"
        hint = f" Did you mean: {', '.join(near)}?" if near else ""
        raise CatalogError(f"{what!r} is not found: {match.reason}.{hint}")

    def named(self, row: Row) -> MatchResult:
        """The card with an id or a name, as every command takes it.

        Raises:
            UnknownCardError: there is none.
            CatalogError: it is not plain which is meant.
        """
        beside = (*row.more, row.set_code) if row.set_code else ()
        found = self.resolver.resolve(Asked(row.name, self.games, beside, row.number, row.language))
        card = self.lookup.card(found.card.id)
        is_id = found.card.id.casefold() == row.name.casefold()
        return MatchResult(card, "id" if is_id else "name", found.remark, others=len(found.fitting) - 1)


def _is_of_another(card: Candidate, text: str) -> bool:
    """Whether a text calls a card by its name and, beside it, by a set or game of which the card is not."""
    named = [one.beside for one in Asked(text).readings() if one.beside and fold(one.text) == fold(card.name)]
    return bool(named) and not any(all(is_of(card, word) for word in beside) for beside in named)
