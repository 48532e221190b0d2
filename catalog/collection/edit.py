"""The collection by hand: add copies, take them out, move them, say where they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from catalog.card import CatalogError
from catalog.collection.formats.row import LONGEST_TEXT, MOST_COPIES
from catalog.holding import NORMAL, NOWHERE, Holding, Place
from catalog.matching.beside import Asked, has_number, is_of
from catalog.matching.search import fold, rank
from catalog.matching.spellings import Candidate
from catalog.store.holdings import CollectionStore, CopyKey, walking_order
from catalog.words import condition_word, finish_word, language_code

_SUGGESTED: Final = 3
SORTS: Final = ("name", "set", "copies", "place", "game")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which holdings are meant: those for which all that is said here is so."""

    words: str = ""
    """An id, or words of a name, with a game or a set behind it where somebody wrote one: `Griffin (wyvern)`."""
    games: tuple[str, ...] = ()
    set_code: str = ""
    number: str = ""
    finish: str = ""
    condition: str = ""
    language: str = ""
    box: str = ""
    row: str = ""
    slot: str = ""

    def holds(self, holding: Holding) -> bool:
        """Whether a holding is meant."""
        place = holding.place
        return (
            (not self.words or self.words == holding.card_id or any(_means(one, holding) for one in _read(self.words)))
            and (not self.games or holding.game in self.games)
            and self.set_code.casefold() in ("", holding.set_code.casefold(), holding.set_name.casefold())
            and self.number.casefold() in ("", holding.number.casefold())
            and (not self.finish or finish_word(self.finish) == holding.finish)
            and (not self.condition or condition_word(self.condition) == holding.condition)
            and (not self.language or language_code(self.language) == holding.language)
            and self.box.casefold() in ("", place.box.casefold())
            and self.row.casefold() in ("", place.row.casefold())
            and self.slot.casefold() in ("", place.slot.casefold())
        )


def kind_of(finish: str = "", condition: str = "", language: str = "", place: Place = NOWHERE) -> CopyKey:
    """A kind of copies from what a person typed, in house words; a language that is not said is left empty."""
    return CopyKey(
        finish_word(stored(finish)) or NORMAL,
        condition_word(stored(condition)) if condition else "",
        language_code(stored(language)) if language else "",
        Place(*map(stored, place)),
    )


def stored(text: str) -> str:
    """What is kept of a text that somebody typed: no more than fits, no half characters, no blanks at its ends."""
    return text.encode("utf-8", "replace").decode().strip()[:LONGEST_TEXT]


def select(collection: CollectionStore, selection: Selection, sort: str = "name") -> list[Holding]:
    """The holdings that are meant, in an order of `SORTS`."""
    found = filter(selection.holds, collection.holdings())
    if sort == "place":
        return sorted(found, key=walking_order)
    if sort == "copies":
        return sorted(found, key=lambda one: (-one.copies, fold(one.name), one.card_id, one.id))
    if sort == "set":
        return sorted(found, key=lambda one: (one.game, one.set_code, _padded(one.number), one.id))
    if sort == "game":
        return sorted(found, key=lambda one: (one.game, fold(one.name), one.card_id, one.id))
    return sorted(found, key=lambda one: (fold(one.name), one.set_code, _padded(one.number), one.id))


def add(collection: CollectionStore, card: Candidate, copies: int, kind: CopyKey) -> CopyKey:
    """Adds copies of a card as one change, and returns the kind with the language that was taken."""
    _check_copies(copies)
    whole = kind._replace(language=kind.language or card.lang)
    with collection.change(f"add {copies} {card.name}"):
        collection.add(card, copies, whole)
    return whole


def remove(collection: CollectionStore, selection: Selection, copies: int | None) -> list[tuple[Holding, int]]:
    """Takes copies out as one change, all of them where `copies` is None, and returns from where how many.

    Raises CatalogError where there are not so many, or where it is not plain which are meant.
    """
    with collection.change(f"remove {'all' if copies is None else copies} {selection.words or 'cards'}"):
        plan = _plan(collection, selection, copies)
        for holding, taken in plan:
            collection.take(holding, taken)
    return plan


def move(
    collection: CollectionStore, selection: Selection, copies: int | None, place: Place
) -> list[tuple[Holding, int]]:
    """Moves copies to a place as one change, all of them where `copies` is None, and returns from where how many."""
    target = Place(*map(stored, place))
    with collection.change(f"move {selection.words or 'cards'} to {target if any(target) else 'nowhere'}"):
        found = _plan(collection, selection, copies, target)
        plan = [(holding, taken) for holding, taken in found if holding.place != target]
        for holding, taken in plan:
            if taken == holding.copies:
                collection.carry(holding, target)
                continue
            collection.take(holding, taken)
            collection.put(holding, taken, CopyKey(holding.finish, holding.condition, holding.language, target))
    return plan


def _plan(
    collection: CollectionStore, selection: Selection, copies: int | None, target: Place | None = None
) -> list[tuple[Holding, int]]:
    """From which holdings how many copies are taken; from the place to which they are to go, only the last of them."""
    found = select(collection, selection, "place")
    if not found:
        raise CatalogError("The collection has no such card. See what it has: ccgrid collection list")
    if copies is None:
        return [(holding, holding.copies) for holding in found]
    _check_copies(copies)
    exact = [one for one in found if _is_called(one, selection.words)]
    found = exact or found
    free = [(holding, holding.copies - holding.out) for holding in found if holding.copies > holding.out]
    if sum(count for _, count in free) < copies:
        raise CatalogError(f"There are only {sum(count for _, count in free)} such copies that are not out in decks.")
    if len({(one.card_id, one.finish, one.condition, one.language) for one, _ in free}) > 1:
        several = "; ".join(describe(one) for one, _ in free[:4])
        raise CatalogError(
            f"Which of these is meant: {several}?\n"
            "Say more: an id, --set, --finish, --condition, --language, --box; or --all."
        )
    plan = []
    for holding, count in sorted(free, key=lambda one: one[0].place == target):
        taken = min(copies, count)
        copies -= taken
        plan += [(holding, taken)] if taken else []
    return plan


def describe(holding: Holding) -> str:
    """A holding in a few words.

    >>> describe(Holding(1, "a:1", 3, "foil", "good", "en", Place("Attic"), "a", "Ant", "x", "X", "7", ""))
    '3 Ant (a, x 7, foil, good, en) in Attic'
    """
    printed = f"{holding.set_code} {holding.number}".strip()
    kind = [holding.game, printed, holding.finish, holding.condition, holding.language]
    inside = ", ".join(part for part in kind if part and part != NORMAL)
    where = f" in {holding.place}" if any(holding.place) else ""
    return f"{holding.copies} {holding.name} ({inside}){where}"


def where_is(collection: CollectionStore, name: str, games: tuple[str, ...] = ()) -> Iterator[Holding]:
    """The holdings of every printing of a card, in walking order; CatalogError where there are none.

    It names the cards one owns that may be meant, else those of the catalogue.
    """
    found = select(collection, Selection(name, games), "place")
    exact = [holding for holding in found if _is_called(holding, name)]
    if not found:
        raise CatalogError(_nothing_called(collection, name, games))
    yield from exact or found


def _nothing_called(collection: CollectionStore, name: str, games: tuple[str, ...]) -> str:
    """That one owns nothing of a name, and what may be meant."""
    asked = Asked(name).readings()[-1].text
    owned = {one.name: fold(one.name) for one in collection.holdings() if not games or one.game in games}
    near = [hit.name for hit in rank(asked, owned.items())][:_SUGGESTED]
    if near:
        return f"The collection has nothing called {name!r}. Did you mean: {', '.join(near)}?"
    there = [hit.name for hit in collection.store.near(asked)[:_SUGGESTED]]
    known = f"\nThe catalogue has: {', '.join(there)}." if there else ""
    return f"The collection has nothing called like {name!r}.{known}"


def _check_copies(copies: int) -> None:
    if not 0 < copies <= MOST_COPIES:
        raise CatalogError(f"{copies} copies: a number from 1 to {MOST_COPIES:,} is needed.")


@lru_cache(64)
def _read(words: str) -> tuple[tuple[str, tuple[str, ...], Asked], ...]:
    """The ways in which words can be read: the folded name, its words, and what stands beside it."""
    readings = [(fold(asked.text), asked) for asked in Asked(words).readings()]
    return tuple((folded, tuple(folded.split()), asked) for folded, asked in readings if folded)


def _means(reading: tuple[str, tuple[str, ...], Asked], holding: Holding) -> bool:
    """Whether a holding has the words of a name, and what stands beside it."""
    _, words, asked = reading
    have = fold(holding.name)
    return (
        all(word in have for word in words)
        and all(is_of(holding, word) for word in asked.beside)
        and (not asked.number or has_number(holding.number, holding.set_code, asked.number))
    )


def _is_called(holding: Holding, words: str) -> bool:
    """Whether a holding is of the card that words are the id, or the whole name, of."""
    name = fold(holding.name)
    return words in (holding.card_id, holding.name) or any(
        folded == name and _means((folded, parts, asked), holding) for folded, parts, asked in _read(words)
    )


def _padded(number: str) -> str:
    digits = "".join(filter(str.isdecimal, number))
    return f"{digits[:12]:0>12}{number}"
