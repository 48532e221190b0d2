"""The card and its copies that typed words mean, such as `4 Lightning Bolt (M10) *F* NM`."""

from collections.abc import Sequence
from typing import NamedTuple

from ccgrid.catalog.card_ids import CARD_ID
from ccgrid.catalog.collection.edit import clean_text, copy_key
from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.lines import WrittenCard, known_reading, most_detailed_reading
from ccgrid.catalog.matching.asking import Choose
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey
from ccgrid.catalog.store.lookup import StoreLookup


def typed_row(name: str, set_code: str = "", number: str = "", language: str = "") -> Row:
    """Return typed words as a row to match; a name with a colon may be an id."""
    name, set_code = clean_text(name), clean_text(set_code)
    ids = (("card", name),) if ":" in name else ()
    return Row(0, name, (), name, set_code, set_code, clean_text(number), ids, language=language)


class CopiesToAdd(NamedTuple):
    """A card that the user named, with the stated kind and number of copies."""

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
) -> CopiesToAdd:
    """Return the card, kind and number of copies that a line names: `4 Lightning Bolt (M10) *F* NM`.

    `choose` asks the user if cards of several games match.

    Raises:
        CatalogError: If there is no such card, the line is ambiguous, or line and options contradict each other.
    """
    resolver = Resolver(StoreLookup(collection.store), games=games, choose=choose, prefer_owned=False)
    kind = kind or copy_key()
    # An id needs no reading. Else use the reading whose name exists, or for the error the most detailed one.
    by_name = known_reading(words, resolver.known.is_name, resolver.known.is_place, resolver.known.is_code)
    read = WrittenCard(words) if CARD_ID.fullmatch(words) else by_name or most_detailed_reading(words)
    if (read.front and not read.number) or (not read.is_plain and copies is None):
        raise CatalogError(f"{read.question}.")
    # What the words say against what was said apart from them, by options: each may be said once, or twice alike.
    apart = copies, "" if kind.finish == NORMAL else kind.finish, kind.condition, kind.language, number
    own = read.copies, read.finish, read.condition, read.language, read.number
    for word, said in zip(own, apart, strict=True):
        if word and said and word != said:
            raise UsageError(f"{words!r} says {word}, but the option says {said}.")
    kind = kind._replace(
        finish=read.finish or kind.finish,
        condition=read.condition or kind.condition,
        language=read.language or kind.language,
        note=read.note or kind.note,
        details=read.details if read.details != NO_DETAILS else kind.details,
    )
    # The row has room for one set. Further words next to the name become conditions on the card.
    more, last = (read.beside, set_code) if set_code else (read.beside[:-1], read.set_hint)
    row = typed_row(read.name, last, number or read.number, kind.language)._replace(more=more)
    found = resolver.resolve(row)
    return CopiesToAdd(found.candidate, copies or read.copies_meant, kind, len(found.fitting) - 1, found.remark)
