"""A deck that is edited in its file, card by card."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic, NamedTuple

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import DeckProblem, ShownCard, deck_check, shown_card
from ccgrid.catalog.collection.deck_files import own_text
from ccgrid.catalog.deck_changes import DeckChanges, edited_text
from ccgrid.catalog.deck_text import parse_deck, read_line
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck, DeckEntry, ListedDeck, Problem, check_deck
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.lines import readings
from ccgrid.catalog.matching.names import fold, rank
from ccgrid.catalog.matching.sets import is_in_game_or_set
from ccgrid.engine.cards import AnyNamed, label, without
from ccgrid.engine.errors import harmless, quoted
from ccgrid.engine.games import GAMES
from ccgrid.services.catalogue import has_cards, open_catalogue
from ccgrid.services.choices import Choices
from ccgrid.services.decks import EntryFinder, read_listed_deck
from ccgrid.services.drawn_decks import find_decks

_MOST_NAMED: Final = 4
_MOST_WORDS: Final = 8
"""The maximum number of words of a card's name in a line without commas."""

_SURELY_NEARER: Final = 8.0
"""The lead, of 100, of the best match of a misspelt name over others that makes it certain."""

_MISSPELT: Final = 20
"""The cost of a misspelt name if a line can be read in several ways; other readings cost 1 to 4."""

_EXACT: Final = 1
_JOINED: Final = 15
"""The cost of each further word of a misspelt name."""

SAME_NAME: Final = re.compile(r" #\d+$")
"""The suffix of a card's name if several different cards of a deck have the same name."""
_LONGEST_LINE: Final = 1000


def find_card(
    text: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed], numbers: Callable[[AnyNamed], str]
) -> AnyNamed:
    """Return the card that a text names: by its number in the deck, counted from 1, its name, or a part of its name.

    Args:
        text: The text that the user typed.
        deck: The cards in the order that numbers them.
        among: The candidates.
        numbers: Returns a card's printed numbers as text, to distinguish cards in messages.

    Raises:
        CatalogError: If no candidate matches, or several do.
    """
    found, _ = _possible_cards(text, deck, among)
    if len(found) == 1:
        return found[0]
    if found:
        named = [_card_label(card, deck, numbers) for card in found[:_MOST_NAMED]]
        more = f" or {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise CatalogError(f"{quoted(text)} may be {' or '.join(named)}{more}: type more of it, or its number.")
    elsewhere, _ = _possible_cards(text, deck, deck)
    if len(elsewhere) == 1:
        raise CatalogError(
            f"{quoted(elsewhere[0].name)} is already on the table, or was named twice.\nType deck for the rest."
        )
    raise CatalogError(f"{quoted(text)} is not among the remaining cards.\nType deck to see them.")


def _card_label(card: AnyNamed, deck: Sequence[AnyNamed], numbers: Callable[[AnyNamed], str]) -> str:
    """Return a card's number in the deck, its name and its printed numbers as text."""
    number = f"{deck.index(card) + 1} " if card in deck else ""
    return f"{number}{harmless(card.name)}" + (f" ({numbers(card)})" if numbers(card) else "")


def matching_cards(text: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed] | None = None) -> list[AnyNamed]:
    """Return the cards that a text may name, one entry per name: by number in the deck, name or part of a name."""
    return _possible_cards(text, deck, deck if among is None else among)[0]


def find_cards(
    line: str,
    deck: Sequence[AnyNamed],
    among: Sequence[AnyNamed],
    most: int,
    numbers: Callable[[AnyNamed], str],
    noun: str = "card",
) -> list[AnyNamed]:
    """Return the cards named in a line, each as `find_card` finds it.

    Commas or semicolons separate the names; without them blanks do.

    Args:
        line: The line that the user typed.
        deck: The cards in the order that numbers them.
        among: The candidates.
        most: The maximum number of cards.
        numbers: Returns a card's printed numbers as text, to distinguish cards in messages.
        noun: What a card is called in messages.

    Raises:
        CatalogError: If a name is ambiguous or unknown, or there are too many.
    """
    if len(line) > _LONGEST_LINE:
        raise CatalogError(f"This line has {len(line):,} characters, too many for a card's name.")
    joint = next((mark for mark in (";", ",") if mark in line), None)
    pieces = [piece.strip() for piece in line.split(joint)]
    texts = _segments([piece for piece in pieces if piece], f"{joint or ''} ", deck, among)
    if len(texts) > most:
        raise CatalogError(
            f"{'This is' if len(texts) == 1 else 'These are'} {counted(len(texts), noun)}; "
            f"{most} {'is' if most == 1 else 'are'} wanted."
        )
    cards: list[AnyNamed] = []
    for text in texts:
        cards.append(find_card(text, deck, without(among, cards), numbers))
    return cards


def _segments(pieces: Sequence[str], joint: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed]) -> Sequence[str]:
    """Join pieces of a line so that each text names one card, at the lowest cost; return the pieces if that fails."""
    best: list[_Way[AnyNamed] | None] = [_Way(0, (), ())]
    for end in range(1, len(pieces) + 1):
        ways = []
        for start in range(max(0, end - _MOST_WORDS), end):
            before, text, joined = best[start], joint.join(pieces[start:end]), end - start - 1
            if before is None:
                continue
            found, cost = _possible_cards(text, deck, without(among, before.cards))
            if len(found) == 1 and (cost == _EXACT or not joined or not joint.strip()):
                cost += joined * _JOINED if cost == _MISSPELT else 0
                ways.append(_Way(before.cost + cost, (*before.texts, text), (*before.cards, found[0])))
        best.append(min(ways, key=lambda way: way.cost, default=None))
    last = best[-1]
    return pieces if last is None else last.texts


class _Way(NamedTuple, Generic[AnyNamed]):
    """One reading of the beginning of a line."""

    cost: int
    texts: tuple[str, ...]
    cards: tuple[AnyNamed, ...]


def _possible_cards(text: str, deck: Sequence[AnyNamed], among: Sequence[AnyNamed]) -> tuple[list[AnyNamed], int]:
    """Return the cards that a text may name, one entry per name, and the cost of this reading."""
    cards = list({card.name: card for card in among}.values())
    wanted = fold(text)
    words = wanted.split()
    if not words:
        return [], 0
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: wanted in (fold(name), fold(SAME_NAME.sub("", name))),
        lambda name: _are_beginnings(words, iter(fold(name).split())),
        lambda name: all(_are_beginnings([word], iter(fold(name).split())) for word in words),
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


def _are_beginnings(words: Sequence[str], name: Iterator[str]) -> bool:
    """Return whether words are prefixes of words of a name, in this order."""
    return all(any(have.startswith(word) for have in name) for word in words)


Find = Callable[[DeckEntry], Card]


class ShownDeckChange(msgspec.Struct, frozen=True, kw_only=True, rename={"new": "in"}):
    """A card that was removed, a card that was added, or both."""

    out: ShownCard | None
    new: ShownCard | None


class EditedDeck(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of a deck, the file that was written, and whether the deck is legal."""

    file: str
    changes: list[ShownDeckChange]
    ok: bool
    cards: int
    problems: list[DeckProblem]


@dataclass(frozen=True, slots=True)
class DeckChange:
    """One change: the removed card, the added card, or both."""

    out: Card | None = None
    new: Card | None = None

    def answer(self) -> ShownDeckChange:
        """Return the change for `--json`."""
        out, new = (None if card is None else shown_card(card) for card in (self.out, self.new))
        return ShownDeckChange(out=out, new=new)


@dataclass(slots=True)
class DeckEditing:
    """A deck that is edited; nothing is written before `write`.

    Attributes:
        file: The file of the deck.
        listed: The deck as it was read.
        cards: The cards of its entries; a placeholder with the name only for an entry without a card.
        lost: The reason why no card was found for an entry, by the index of the entry.
        plays: The game that the deck is for.
        find: Finds the card of an entry.
        changes: All changes together.
        steps: The changes in their order.
    """

    file: Path
    listed: ListedDeck
    cards: tuple[Card, ...]
    lost: Mapping[int, str]
    plays: str
    find: Find
    changes: DeckChanges = field(default_factory=DeckChanges)
    steps: list[DeckChange] = field(default_factory=list)
    _before: list[DeckChanges] = field(default_factory=list)

    @property
    def deck(self) -> Deck:
        """The edited deck."""
        return Deck(self.listed.name, self.changes.apply(self.cards), self.listed.seed, self.listed.plays)

    def answer(self, path: Path, problems: Sequence[Problem]) -> EditedDeck:
        """Return the answer for a deck that was written to `path`."""
        check = deck_check(self.deck.cards, problems)
        changes = [step.answer() for step in self.steps]
        return EditedDeck(file=str(path), changes=changes, ok=check.ok, cards=check.cards, problems=check.problems)

    def problems(self) -> list[Problem]:
        """Return everything wrong with the edited deck; empty if it is legal."""
        decks = find_decks(self.plays)
        sizes: int | range = decks.sizes if len(decks.sizes) > 1 else decks.sizes[0]
        entries = tuple(DeckEntry(str(place), card.name, card) for place, card in self._slots())
        return check_deck(ListedDeck(self.listed.name, entries), self._card_at, sizes, decks.fault)[1]

    def _card_at(self, entry: DeckEntry) -> Card:
        """Return the card of an entry of the edited deck, whose `where` is its index."""
        if (why := self._lost_now().get(int(entry.where))) is not None:
            raise CatalogError(why)
        assert entry.card is not None  # noqa: S101  as `problems` made it
        return entry.card

    def _lost_now(self) -> dict[int, str]:
        return {place: why for place, why in self.lost.items() if place not in self.changes.at}

    def swap(self, old: str, new: str) -> DeckChange:
        """Replace a card by another; raise CatalogError if one of them is unknown or ambiguous."""
        place, out = self._place(old)
        return self._step(place, out, self._new(new))

    def add(self, new: str) -> DeckChange:
        """Add a card at the end; raise CatalogError if it is unknown or ambiguous."""
        return self._step(None, None, self._new(new))

    def take_out(self, old: str) -> DeckChange:
        """Remove one copy of a card; raise CatalogError if it is unknown or ambiguous."""
        place, out = self._place(old)
        return self._step(place, out, None)

    def undo(self) -> DeckChange:
        """Undo the last step and return it; raise CatalogError if there is none."""
        if not self.steps:
            raise CatalogError("There is nothing to undo.")
        self.changes = self._before.pop()
        return self.steps.pop()

    def text(self) -> str:
        """Return the text of the file with all changes.

        Raises:
            CatalogError: If the format of the file cannot be edited, or a card would be ambiguous in it.
        """
        text = edited_text(own_text(self.file), self.listed, self.changes)
        lost = self._lost_now()
        wanted = Counter(card for place, card in self._slots() if place not in lost)
        again = parse_deck(text, self.file.stem)
        for entry, count in Counter(again.entries).items():
            with suppress(CatalogError):
                wanted[self.find(entry)] -= count
        if wrong := [card for card, count in wanted.items() if count]:
            raise CatalogError(f"{quoted(wrong[0].name)} is ambiguous in this list: write the deck with -o deck.toml")
        return text

    def write(self, output: Path | None) -> None:
        """Write the deck atomically: to another file as TOML, or to its own file, whose other content stays.

        Raises:
            CatalogError: If the format of its own file cannot be edited.
            OSError: If the file cannot be written.
        """
        if output is not None and (lost := self._lost_now()):
            raise CatalogError(f"{next(iter(lost.values()))} Remove or replace it.")
        write_atomically(output or self.file, self.text() if output is None else deck_toml(self.deck))

    # --- input ----------------------------------------------------------------------------------------------------

    def _place(self, text: str) -> tuple[int, Card]:
        """Return the index of the card that a text names, in the list of original and added cards, and the card."""
        slots = self._slots()
        named = label([card for _, card in slots])
        found = _matching_cards(text, named)
        if not found:
            raise NotFoundError(
                f"{quoted(text)} is not in the deck. To see its cards: ccgrid deck show {shell_word(self.file)}",
                kind="card",
                name=text,
            )
        if len(found) > 1:
            choices = " or ".join(f"{named.index(card) + 1} {_with_game(card, named)}" for card in found[:5])
            raise CatalogError(f"{quoted(text)} may be {choices}: type more of it, or its number in the deck.")
        at = int(text) - 1 if text.strip().isdecimal() and named[int(text) - 1 : int(text)] == (found[0],) else None
        return slots[named.index(found[0]) if at is None else at]

    def _slots(self) -> list[tuple[int, Card]]:
        places = [(place, self.changes.at.get(place, card)) for place, card in enumerate(self.cards)]
        slots = [(place, card) for place, card in places if card is not None]
        return slots + list(enumerate(self.changes.added, len(self.cards)))

    def _new(self, text: str) -> Card:
        line = read_line(" ".join(text.split()), 1)
        if line is None or line.copies != 1:
            raise CatalogError(f"{quoted(text)} matches several cards: add its set and number.")
        return self.find(DeckEntry(text, line.name, None, line.set_code, line.collector_number, line.written))

    def _step(self, place: int | None, out: Card | None, new: Card | None) -> DeckChange:
        at, added = dict(self.changes.at), list(self.changes.added)
        if place is None:
            added += [] if new is None else [new]
        elif place >= len(self.cards):
            added[place - len(self.cards) : place - len(self.cards) + 1] = [] if new is None else [new]
        else:
            at[place] = new
        self._before.append(self.changes)
        self.changes = DeckChanges(at, tuple(added))
        self.steps.append(DeckChange(out, new))
        return self.steps[-1]


@contextmanager
def edit_deck(file: Path, database: Path | None, game: str | None, choices: Choices) -> Iterator[DeckEditing]:
    """Open a deck for editing as a deck for `game`, or else for the game that it names, or else for the default game.

    Raises:
        CatalogError: If the file contains no deck, or one for another game.
    """
    listed = read_listed_deck(file)
    choices.left_out |= listed.left_out
    plays = game or listed.plays or GAMES.default
    decks = find_decks(plays)
    if listed.plays not in (None, plays):
        raise CatalogError(f"{file} is a deck for {listed.plays!r}, not for {plays}.")
    if all(entry.card for entry in listed.entries) and not has_cards(database):
        yield _begin_editing(file, listed, plays, _card_in_entry)
        return
    with open_catalogue(database) as store:
        yield _begin_editing(file, listed, plays, EntryFinder(store, choices, decks).find)


def _matching_cards(text: str, named: Sequence[Card]) -> list[Card]:
    """Return the cards of a deck that a text may name; the text may contain a game or set next to the name."""
    for read in reversed(readings(text)):
        fits = [card for card in named if all(is_in_game_or_set(card, word) for word in read.beside)]
        if read.beside and (found := matching_cards(read.name, fits)):
            return found
    return matching_cards(text, named)


def _with_game(card: Card, named: Sequence[Card]) -> str:
    """Return a card's name, with its game if the deck has cards of several games."""
    several = len({one.game for one in named if one.game}) > 1
    return f"{card.name} ({card.game})" if several and card.game else card.name


def _card_in_entry(entry: DeckEntry) -> Card:
    """Return the card written out in an entry; raise CatalogError if there is none, since there is no catalogue."""
    if entry.card is None:
        raise CatalogError(f"There is no catalogue to find {quoted(entry.text)} in. To fill it: ccgrid import starter")
    return entry.card


def _begin_editing(file: Path, listed: ListedDeck, plays: str, find: Find) -> DeckEditing:
    cards, lost, found = list[Card](), dict[int, str](), dict[DeckEntry, Card]()
    for place, entry in enumerate(listed.entries):
        try:
            if entry not in found:
                found[entry] = find(entry)
            cards.append(found[entry])
        except CatalogError as error:
            lost[place] = str(error)
            cards.append(Card("", "", entry.text, {}, 0))
    return DeckEditing(file, listed, tuple(cards), lost, plays, find)
