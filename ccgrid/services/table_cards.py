"""Cards that lie on a real table, as people type them: numbers in the deck, names, parts of names, many in a line."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from catalog.card import CatalogError
from catalog.matching.search import fold, rank
from engine.cards import AnyNamed, without
from engine.errors import harmless, quoted

_MOST_NAMED: Final = 4
_MOST_WORDS: Final = 8
"""So many words a name in a line without commas may have."""

_SURELY_NEARER: Final = 8.0
"""So much better than the next a misspelt name has to fit, of 100."""

_MISSPELT: Final = 20
"""What reading a misspelt name costs where a line may be read in several ways; other readings cost 1 to 4."""

_EXACT: Final = 1
_JOINED: Final = 15
"""What each further word of a misspelt name costs."""

_SAME_NAME: Final = re.compile(r" #\d+$")
_LONGEST_LINE: Final = 1000


def find_card(
    text: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed], numbers: Callable[[AnyNamed], str]
) -> AnyNamed:
    """The card that somebody means, one of `among`: its number in the deck, counted from 1, its name or part of it.

    `numbers` says the numbers of a card, to tell it from others.

    Raises:
        CatalogError: it is none of them, or it may be several.
    """
    found, _ = _meant(text, deck, among)
    if len(found) == 1:
        return found[0]
    if found:
        named = [_told_apart(card, deck, numbers) for card in found[:_MOST_NAMED]]
        more = f" or {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise CatalogError(f"{quoted(text)} may be {' or '.join(named)}{more}: type more of it, or its number.")
    elsewhere, _ = _meant(text, deck, deck)
    if len(elsewhere) == 1:
        raise CatalogError(f"{quoted(elsewhere[0].name)} was seen before. Type deck for the cards that were not.")
    raise CatalogError(f"{quoted(text)} is not among the cards that are left. Type deck to see them.")


def _told_apart(card: AnyNamed, deck: Sequence[AnyNamed], numbers: Callable[[AnyNamed], str]) -> str:
    """A card with its number, if it is in this deck, its name, and its numbers, if it has any."""
    number = f"{deck.index(card) + 1} " if card in deck else ""
    return f"{number}{harmless(card.name)}" + (f" ({numbers(card)})" if numbers(card) else "")


def cards_called(text: str, deck: Sequence[AnyNamed]) -> list[AnyNamed]:
    """The cards of a deck that somebody may mean, copies once: by a number in it, a name, or a part of a name."""
    return _meant(text, deck, deck)[0]


def find_cards(
    line: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed], most: int, numbers: Callable[[AnyNamed], str]
) -> list[AnyNamed]:
    """The cards that somebody typed in one line, at most so many, each as `find_card` reads it.

    Between them stand commas or semicolons, or nothing but blanks.

    Raises:
        CatalogError: one of them is not plain, or they are too many.
    """
    if len(line) > _LONGEST_LINE:
        raise CatalogError(f"This line has {len(line):,} characters; cards are named in fewer.")
    joint = next((mark for mark in (";", ",") if mark in line), None)
    pieces = [piece.strip() for piece in line.split(joint)]
    texts = _segments([piece for piece in pieces if piece], f"{joint or ''} ", deck, among)
    if len(texts) > most:
        raise CatalogError(f"These are {len(texts)} cards; {most} {'is' if most == 1 else 'are'} wanted.")
    cards: list[AnyNamed] = []
    for text in texts:
        cards.append(find_card(text, deck, without(among, cards), numbers))
    return cards


def _segments(pieces: Sequence[str], joint: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed]) -> Sequence[str]:
    """The pieces joined to texts that each mean one card, in the likeliest way; as they are where there is none."""
    best: list[_Way | None] = [_Way(0, (), ())]
    for end in range(1, len(pieces) + 1):
        ways = []
        for start in range(max(0, end - _MOST_WORDS), end):
            before, text, joined = best[start], joint.join(pieces[start:end]), end - start - 1
            if before is None:
                continue
            found, cost = _meant(text, deck, without(among, before.cards))
            if len(found) == 1 and (cost == _EXACT or not joined or not joint.strip()):
                cost += joined * _JOINED if cost == _MISSPELT else 0
                ways.append(_Way(before.cost + cost, (*before.texts, text), (*before.cards, found[0])))
        best.append(min(ways, key=lambda way: way.cost, default=None))
    last = best[-1]
    return pieces if last is None else last.texts


class _Way(NamedTuple):
    """One way to read the beginning of a line."""

    cost: int
    texts: tuple[str, ...]
    cards: tuple[Any, ...]


def _meant(text: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed]) -> tuple[list[AnyNamed], int]:
    """The cards that a text may mean, copies once, and what reading it so costs."""
    cards = list({card.name: card for card in among}.values())
    wanted = fold(text)
    words = wanted.split()
    if not words:
        return [], 0
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: wanted in (fold(name), fold(_SAME_NAME.sub("", name))),
        lambda name: _begin(words, iter(fold(name).split())),
        lambda name: all(_begin([word], iter(fold(name).split())) for word in words),
        lambda name: wanted in fold(name),
    )
    for cost, fits in enumerate(tests, _EXACT):
        found = [card for card in cards if fits(card.name)]
        if found:
            return found, cost
        if cost == _EXACT and text.strip().isdecimal():
            number = int(text) if len(text.strip()) < 4 else 0
            named = deck[number - 1] if 1 <= number <= len(deck) else None
            return [card for card in cards if card == named], cost
    hits = rank(text, [(card.name, fold(card.name)) for card in cards])
    if not hits:
        return [], 0
    near = [hit.name for hit in hits if hit.score > hits[0].score - _SURELY_NEARER]
    return [card for card in cards if card.name in near], _MISSPELT


def _begin(words: Sequence[str], name: Iterator[str]) -> bool:
    """Whether words are, in their order, the beginnings of words of a name."""
    return all(any(have.startswith(word) for have in name) for word in words)
