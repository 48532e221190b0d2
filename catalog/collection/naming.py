"""The card that somebody names where copies of it are added: by an id, a name, or a set and a number."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from catalog.card import CatalogError
from catalog.collection.edit import kind_of, stored
from catalog.holding import NORMAL
from catalog.lines import Reading, fullest, meant
from catalog.matching.asking import Choose, UnknownCardError
from catalog.matching.beside import Asked
from catalog.matching.lookup import Lookup, MatchResult
from catalog.matching.resolver import Resolver
from catalog.matching.row import Row
from catalog.matching.spellings import Candidate
from catalog.store.holdings import CollectionStore, CopyKey
from catalog.store.lookup import StoreLookup


def typed_row(name: str, set_code: str = "", number: str = "", language: str = "") -> Row:
    """What a person typed as a row to match; a name with a colon may be an id."""
    name, set_code = stored(name), stored(set_code)
    ids = (("card", name),) if ":" in name else ()
    return Row(0, name, ((NORMAL, 1),), name, set_code, set_code, stored(number), ids, "", language)


_ID: Final = re.compile(r"[^\s:]+:[^\s:]+")


class Found(NamedTuple):
    """A card that somebody named, and what they said of its copies."""

    card: Candidate
    copies: int
    kind: CopyKey
    others: int
    """How many other printings the words could have meant."""
    remark: str
    """What has to be said of the choice among printings with different numbers."""


def find_card(
    collection: CollectionStore,
    words: str,
    kind: CopyKey | None = None,
    copies: int | None = None,
    *,
    set_code: str = "",
    number: str = "",
    games: Sequence[str] = (),
    choose: Choose | None = None,
) -> Found:
    """The card of which a person adds copies, named in the words of a line: `4 Lightning Bolt (M10) *F* NM`.

    `choose` asks them where cards of several games are called so. Raises CatalogError where there is no such card, it
    is not plain which, or the words and what is said apart from them contradict each other.
    """
    lookup = StoreLookup(collection.store)
    resolver = Resolver(lookup, games=games, choose=choose, as_owned=False)
    kind = kind or kind_of()
    by_name = meant(words, resolver.is_name, resolver.is_place)
    read = Reading(words) if _ID.fullmatch(words) else by_name or fullest(words)
    apart = copies, "" if kind.finish == NORMAL else kind.finish, kind.condition, kind.language, number
    own = read.copies, read.finish, read.condition, read.language, read.number
    for word, said in zip(own, apart, strict=True):
        if word and said and word != said:
            raise CatalogError(f"{words!r} says {word}, and an option says {said}.")
    kind = kind._replace(
        finish=read.finish or kind.finish,
        condition=read.condition or kind.condition,
        language=read.language or kind.language,
        note=", ".join(read.tags) or kind.note,
    )
    more, last = (read.beside, set_code) if set_code else (read.beside[:-1], read.set_said)
    row = typed_row(read.name, last, number or read.number, kind.language)._replace(more=more)
    match = find_typed(resolver, lookup, row)
    assert match.card is not None  # noqa: S101  an exact match has a card
    return Found(match.card, copies or read.copies_meant, kind, match.others, match.reason)


def find_typed(resolver: Resolver, lookup: Lookup, row: Row) -> MatchResult:
    """The card that a person names in a row by an id, a name, or a set and a number; exact, or not at all.

    Its reason is what has to be said of the choice among printings with different numbers.

    Raises:
        CatalogError: there is none, and those that may be meant are named, or it is not plain which is meant.
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
        raise CatalogError(f"{row.name or f'number {row.number}'!r} is not found: {match.reason}.{hint}")
    return match
