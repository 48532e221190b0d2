"""Decks: their cards, their files as this program writes them, and what is wrong with one."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError

USUAL_DECK: Final = 20
"""How many cards a deck has where nobody says for which game it is."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that belong together, each copy by itself; `seed` drew them, `plays` is the game that they are for."""

    name: str
    cards: tuple[Card, ...]
    seed: int | None = None
    plays: str | None = None


class DeckEntry(NamedTuple):
    """One line of a deck as somebody wrote it: what to look up, or a card written out with its numbers.

    `written` is the text of a line before a set and a number were read out of it, empty where there were none.
    `ids` are what other programs call it, such as ("konami", "46986414"), and `text` the first where there is no name.
    """

    where: str
    text: str
    card: Card | None = None
    set_code: str = ""
    collector_number: str = ""
    written: str = ""
    ids: tuple[tuple[str, str], ...] = ()


class Problem(NamedTuple):
    """One thing that is wrong with a deck; `card` is None where it is the deck as a whole.

    `missing` is the number of copies of the card that are left out because it was not found.
    """

    card: str | None
    reason: str
    missing: int = 0

    @classmethod
    def of(cls, card: str, error: CatalogError) -> "Problem":
        """What an error says of a card, in one line."""
        return cls(card, str(error).replace("\n", " "))


class ListedDeck(NamedTuple):
    """A deck as typed: nothing of it has been looked up.

    `plays` is the game that it is for, where the file says so (under the key `game`).
    `second` is a smaller block behind a blank line: a sideboard, or the rest of the deck where it completes it.
    `left_out` is the number of cards in each other part of the file, such as a sideboard or a maybeboard.
    """

    name: str
    entries: tuple[DeckEntry, ...]
    seed: int | None = None
    second: tuple[DeckEntry, ...] = ()
    plays: str | None = None
    left_out: tuple[tuple[str, int], ...] = ()


Find = Callable[[DeckEntry], Card]
"""Finds the card that an entry means; raises CatalogError where there is none."""


DeckFault = Callable[[Card], str | None]
"""What keeps a card out of a deck for a certain game; nothing where it may be in there."""


def bar_reason(card: Card) -> str | None:
    """What keeps a card out of a deck of legal cards (docs/numbers.md, rules 9 to 12)."""
    return None if card.legal else card.reason or "barred"


def check_deck(
    listed: ListedDeck, find: Find, size: int | range = USUAL_DECK, fault: DeckFault = bar_reason
) -> tuple[Deck, list[Problem]]:
    """The deck with every card found, and everything that is wrong with it: an empty list where it is legal.

    `size` is how many cards it has, or how many it may have. What is wrong with all copies of a card is said once.
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
    """The card that an entry means, if there is one, and what is wrong with it, if anything is."""
    try:
        card = find(entry)
    except CatalogError as error:
        return None, Problem.of(entry.text, error)
    reason = fault(card)
    return card, None if reason is None else Problem(card.name, reason)
