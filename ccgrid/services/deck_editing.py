"""A deck in a file being changed: cards exchanged, added, taken out; what is wrong with it then; written whole."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catalog.card import Card, CatalogError
from catalog.collection.deck_files import own_text, read_deck
from catalog.decks.deck import Deck, deck_toml
from catalog.decks.deck_lines import read_line
from catalog.decks.edited import Changes, edited_text
from catalog.decks.listed import DeckEntry, ListedDeck, Problem, check_deck, parse_deck
from catalog.files import write_whole
from catalog.matching.beside import Asked, is_of
from ccgrid.services.catalogue import has_cards, open_catalogue
from ccgrid.services.choices import Choices
from ccgrid.services.deck_checks import DEFAULT_GAME
from ccgrid.services.deck_entries import EntryFinder
from ccgrid.services.deck_sources import find_decks
from ccgrid.services.table_cards import cards_called
from engine.cards import label
from engine.errors import quoted

Find = Callable[[DeckEntry], Card]


@dataclass(frozen=True, slots=True)
class Step:
    """One change: the card that goes, the card that comes in, or both; by their numbers in the deck before."""

    out: Card | None = None
    new: Card | None = None

    def to_dict(self) -> dict[str, Any]:
        """The step as scripts see it."""
        return {"out": self.out and self.out.to_dict(), "in": self.new and self.new.to_dict()}


@dataclass(slots=True)
class DeckEditing:
    """A deck that is being changed; nothing is written before `write`.

    Attributes:
        file: where it stands.
        listed: the deck as it was read, and `cards` the cards that its entries mean.
        lost: why no card was found for an entry, by its place; in `cards` it has its name alone.
        plays: the game that it is for.
        find: finds the card that an entry of a deck means.
        changes: what becomes of it, and `steps` one after the other.
    """

    file: Path
    listed: ListedDeck
    cards: tuple[Card, ...]
    lost: Mapping[int, str]
    plays: str
    find: Find
    changes: Changes = field(default_factory=Changes)
    steps: list[Step] = field(default_factory=list)
    _before: list[Changes] = field(default_factory=list)

    @property
    def deck(self) -> Deck:
        """The deck as it is now."""
        return Deck(self.listed.name, self.changes.applied(self.cards), self.listed.seed, self.listed.plays)

    def problems(self) -> list[Problem]:
        """Everything that is wrong with the deck as it is now; nothing where it is legal."""
        decks = find_decks(self.plays)
        sizes: int | range = decks.sizes if len(decks.sizes) > 1 else decks.sizes[0]
        entries = tuple(DeckEntry(str(place), card.name, card) for place, card in self._slots())
        return check_deck(ListedDeck(self.listed.name, entries), self._held, sizes, decks.fault)[1]

    def _held(self, entry: DeckEntry) -> Card:
        """The card of an entry of the deck as it is now, whose `where` is its place."""
        if (why := self._lost_now().get(int(entry.where))) is not None:
            raise CatalogError(why)
        assert entry.card is not None  # noqa: S101  as `problems` made it
        return entry.card

    def _lost_now(self) -> dict[int, str]:
        return {place: why for place, why in self.lost.items() if place not in self.changes.at}

    def swap(self, old: str, new: str) -> Step:
        """Puts one card in the place of another; raises CatalogError where it is not plain which."""
        place, out = self._place(old)
        return self._step(place, out, self._new(new))

    def add(self, new: str) -> Step:
        """Adds a card at the end; raises CatalogError where it is not plain which."""
        return self._step(None, None, self._new(new))

    def take_out(self, old: str) -> Step:
        """Takes out one copy of a card; raises CatalogError where it is not plain which."""
        place, out = self._place(old)
        return self._step(place, out, None)

    def undo(self) -> Step:
        """Takes back the last step, and returns it; raises CatalogError where there is none."""
        if not self.steps:
            raise CatalogError("There is nothing to take back.")
        self.changes = self._before.pop()
        return self.steps.pop()

    def text(self) -> str:
        """The text of the file as the deck is now.

        Raises:
            CatalogError: it is in a format that stays as it is, or a card could not be told from another in it.
        """
        text = edited_text(own_text(self.file), self.listed, self.changes)
        lost = self._lost_now()
        wanted = Counter(card for place, card in self._slots() if place not in lost)
        again = parse_deck(text, self.file.stem)
        for entry, count in Counter(again.entries).items():
            with suppress(CatalogError):
                wanted[self.find(entry)] -= count
        if wrong := [card for card, count in wanted.items() if count]:
            raise CatalogError(
                f"{quoted(wrong[0].name)} could not be told from others in this list: write the deck with -o deck.toml"
            )
        return text

    def write(self, output: Path | None) -> Path:
        """Writes the deck, whole or not at all: as TOML to another file, or to its own, in which all else stays.

        Raises:
            CatalogError: its own file is in a format that stays as it is.
            OSError: it cannot be written.
        """
        path = output or self.file
        if output is not None and (lost := self._lost_now()):
            raise CatalogError(f"{next(iter(lost.values()))} Take it out, or put another card in its place.")
        write_whole(path, self.text() if output is None else deck_toml(self.deck))
        return path

    # --- what a text means ----------------------------------------------------------------------------------------

    def _place(self, text: str) -> tuple[int, Card]:
        """The place of a card in the list of all that is or was in the deck, and the card."""
        slots = self._slots()
        named = label([card for _, card in slots])
        found = _called(text, named)
        if not found:
            raise CatalogError(f"{quoted(text)} is not in the deck. See its cards with: ccgrid deck show {self.file}")
        if len(found) > 1:
            told = " or ".join(f"{named.index(card) + 1} {_with_game(card, named)}" for card in found[:5])
            raise CatalogError(f"{quoted(text)} may be {told}: type more of it, or its number in the deck.")
        at = int(text) - 1 if text.strip().isdecimal() and named[int(text) - 1 : int(text)] == (found[0],) else None
        return slots[named.index(found[0]) if at is None else at]

    def _slots(self) -> list[tuple[int, Card]]:
        kept = [(place, self.changes.at.get(place, card)) for place, card in enumerate(self.cards)]
        slots = [(place, card) for place, card in kept if card is not None]
        return slots + list(enumerate(self.changes.added, len(self.cards)))

    def _new(self, text: str) -> Card:
        line = read_line(" ".join(text.split()), 1)
        if line is None or line.copies != 1:
            raise CatalogError(f"{quoted(text)} is not one card: name it, perhaps with its set and number.")
        return self.find(DeckEntry(text, line.name, None, line.set_code, line.collector_number, line.written))

    def _step(self, place: int | None, out: Card | None, new: Card | None) -> Step:
        at, added = dict(self.changes.at), list(self.changes.added)
        if place is None:
            added += [] if new is None else [new]
        elif place >= len(self.cards):
            added[place - len(self.cards) : place - len(self.cards) + 1] = [] if new is None else [new]
        else:
            at[place] = new
        self._before.append(self.changes)
        self.changes = Changes(at, tuple(added))
        self.steps.append(Step(out, new))
        return self.steps[-1]


@contextmanager
def editing(file: Path, database: Path | None, game: str | None, choices: Choices) -> Iterator[DeckEditing]:
    """A deck to be changed, for `game`, else the game that it names, else grid.

    Raises:
        CatalogError: the file holds no deck, or one for another game.
    """
    listed = read_deck(file)
    plays = game or listed.plays or DEFAULT_GAME
    decks = find_decks(plays)
    if listed.plays not in (None, plays):
        raise CatalogError(f"{file} is a deck for {listed.plays!r}, not for {plays}.")
    if all(entry.card for entry in listed.entries) and not has_cards(database):
        yield _begun(file, listed, plays, _written_out)
        return
    with open_catalogue(database) as store:
        yield _begun(file, listed, plays, EntryFinder(store, choices, decks).find)


def _called(text: str, named: Sequence[Card]) -> list[Card]:
    """The cards of a deck that a text may mean, with a game or a set beside it where somebody wrote one."""
    for asked in reversed(Asked(text).readings()):
        fits = [card for card in named if all(is_of(card, word) for word in asked.beside)]
        if asked.beside and (found := cards_called(asked.text, fits)):
            return found
    return cards_called(text, named)


def _with_game(card: Card, named: Sequence[Card]) -> str:
    """The name of a card of a deck, with its game where the deck has cards of several."""
    several = len({one.game for one in named if one.game}) > 1
    return f"{card.name} ({card.game})" if several and card.game else card.name


def _written_out(entry: DeckEntry) -> Card:
    """The card that stands in an entry itself: there is no catalogue."""
    if entry.card is None:
        raise CatalogError(
            f"There is no catalogue to find {quoted(entry.text)} in. Fill it with: ccgrid import starter"
        )
    return entry.card


def _begun(file: Path, listed: ListedDeck, plays: str, find: Find) -> DeckEditing:
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
