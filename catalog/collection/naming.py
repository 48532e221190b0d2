"""The card that somebody names where copies of it are added: by an id, a name, or a set and a number."""

from collections.abc import Sequence

from catalog.collection.edit import stored
from catalog.holding import NORMAL
from catalog.matching.asking import Choose, UnknownCardError
from catalog.matching.beside import Asked
from catalog.matching.lookup import Lookup, MatchResult
from catalog.matching.resolver import Resolver
from catalog.matching.row import Row
from catalog.store.holdings import CollectionStore
from catalog.store.lookup import StoreLookup


def typed_row(name: str, set_code: str = "", number: str = "", language: str = "") -> Row:
    """What a person typed as a row to match; a name with a colon may be an id."""
    name, set_code = stored(name), stored(set_code)
    ids = (("card", name),) if ":" in name else ()
    return Row(0, name, ((NORMAL, 1),), name, set_code, set_code, stored(number), ids, "", language)


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
    """The card of which a person adds copies; `choose` asks them where cards of several games are called so.

    Raises CatalogError where there is none, or it is not plain which.
    """
    lookup = StoreLookup(collection.store)
    resolver = Resolver(lookup, games=games, choose=choose, as_owned=False)
    return find_typed(resolver, lookup, typed_row(name, set_code, number, language))


def find_typed(resolver: Resolver, lookup: Lookup, row: Row) -> MatchResult:
    """The card that a person names in a row by an id, a name, or a set and a number; exact, or not at all.

    Its reason is what has to be said of the choice among printings with different numbers.

    Raises:
        UnknownCardError: there is none; it names those that may be meant.
        CatalogError: it is not plain which is meant.
    """
    if row.name:
        beside = (*row.more, row.set_code) if row.set_code else ()
        asked = Asked(row.name, resolver.games, beside, row.number, row.language)
        try:
            found = resolver.resolve(asked)
        except UnknownCardError:
            if any(resolver.is_name(reading.text) for reading in asked.readings()):
                raise
        else:
            is_id = found.card.id.casefold() == row.name.casefold()
            card = lookup.card(found.card.id)
            return MatchResult(card, "id" if is_id else "name", found.remark, others=len(found.fitting) - 1)
    match = resolver.match(row)
    if match.card is None or match.how == "fuzzy":
        near = [f"{card.name} ({card.id})" for card in lookup.cards(match.candidates)]
        hint = f" Did you mean: {', '.join(near)}?" if near else ""
        raise UnknownCardError(f"{row.name or f'number {row.number}'!r} is not found: {match.reason}.{hint}")
    return match
