"""Decks, the entries of their files, and the check of a deck."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError, NotFoundError

USUAL_DECK: Final = 20
"""The number of cards of a deck if its game is unknown."""


class Deck(NamedTuple):
    """A deck with one entry per copy; `seed` drew the cards, `plays` is the game that it is for."""

    name: str
    cards: tuple[Card, ...]
    seed: int | None = None
    plays: str | None = None


class DeckEntry(NamedTuple):
    """One line of a deck as written: a card to look up, or one that is spelled out with its numbers.

    `written` is the text of a line before a set and a number were parsed, "" if it has none. `ids` are ids of other
    programs, such as ("konami", "46986414"); `text` is the first of them if there is no name. `plain` is a card without
    numbers of this name, for games that allow one: the entry means it if no other card has the name.
    """

    where: str
    text: str
    card: Card | None = None
    set_code: str = ""
    collector_number: str = ""
    written: str = ""
    ids: tuple[tuple[str, str], ...] = ()
    plain: Card | None = None


class Problem(NamedTuple):
    """A reason why a deck is not legal; `card` is None if it concerns the whole deck.

    `missing` is the number of copies of the card that were left out because it was not found.
    """

    card: str | None
    reason: str
    missing: int = 0

    @classmethod
    def of(cls, card: str, error: CatalogError) -> "Problem":
        """Return the problem of a card that an error describes, in one line."""
        return cls(card, str(error).replace("\n", " "))


class ListedDeck(NamedTuple):
    """A deck as written, before its cards are looked up.

    `plays` is the game that it is for, if the file says so (under the key `game`).
    `second` is a smaller block after a blank line: a sideboard, or the rest of the deck if it completes it.
    `left_out` is the number of cards in each other part of the file, such as a sideboard or a maybeboard.
    """

    name: str
    entries: tuple[DeckEntry, ...]
    seed: int | None = None
    second: tuple[DeckEntry, ...] = ()
    plays: str | None = None
    left_out: tuple[tuple[str, int], ...] = ()


Find = Callable[[DeckEntry], Card]
"""Finds the card that an entry names; raises CatalogError if there is none."""


DeckFault = Callable[[Card], str | None]
"""Returns why a card is not allowed in a deck for a certain game, or None if it is."""


def bar_reason(card: Card) -> str | None:
    """Return why a card is not allowed in a deck of legal cards, or None (docs/numbers.md, rules 9 to 12)."""
    return None if card.legal else card.reason or "barred"


def check_deck(
    listed: ListedDeck, find: Find, size: int | range = USUAL_DECK, fault: DeckFault = bar_reason
) -> tuple[Deck, list[Problem]]:
    """Return the deck with the cards that were found, and its problems; it is legal if there are none.

    `size` is the required number of cards, or the allowed range. A problem of several copies is reported once.
    """
    sizes = range(size, size + 1) if isinstance(size, int) else size
    entries, second = split_entries(listed, sizes)
    looked_up = {entry: _look_up(entry, find, fault) for entry in dict.fromkeys(entries)}
    cards = tuple(card for entry in entries if (card := looked_up[entry][0]) is not None)
    missing = Counter(problem for card, problem in map(looked_up.__getitem__, entries) if card is None and problem)
    problems = []
    if len(entries) not in sizes:
        problems.append(Problem(None, _wrong_size(len(cards), len(entries) - len(cards), len(second), sizes)))
    found = (problem for _, problem in looked_up.values() if problem is not None)
    problems += [problem._replace(missing=missing[problem]) for problem in dict.fromkeys(found)]
    return Deck(listed.name, cards, listed.seed, listed.plays), problems


def split_entries(listed: ListedDeck, sizes: Collection[int]) -> tuple[tuple[DeckEntry, ...], tuple[DeckEntry, ...]]:
    """Return the lines of a deck, and those of the block behind its blank line if that does not complete the deck."""
    if len(listed.entries) not in sizes and len(listed.entries) + len(listed.second) in sizes:
        return listed.entries + listed.second, ()
    return listed.entries, listed.second


def _wrong_size(found: int, missing: int, beside: int, sizes: Sequence[int]) -> str:
    """Return what is wrong with the number of cards of a deck."""
    needed = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    cards = f"{found} card{'s' * (found != 1)}"
    others = f" and {missing} that {'was' if missing == 1 else 'were'} not found" if missing else ""
    second = f"; the {beside} after the blank line count as a sideboard" if beside else ""
    return f"the deck has {cards}{others}, and {needed} are needed{second}"


def _look_up(entry: DeckEntry, find: Find, fault: DeckFault) -> tuple[Card | None, Problem | None]:
    """Return the card that an entry names, if it was found, and its problem, if it has one."""
    try:
        card = find(entry)
    except CatalogError as error:
        if not isinstance(error, NotFoundError) or entry.plain is None or fault(entry.plain) is not None:
            return None, Problem.of(entry.text, error)
        card = entry.plain
    reason = fault(card)
    return card, None if reason is None else Problem(card.name, reason)
