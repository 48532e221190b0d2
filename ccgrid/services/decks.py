"""Decks in files: the cards of their lines, and checks by the rules of a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.decks import Deck, DeckEntry, ListedDeck, Problem, check_deck, split_entries
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.formatting import sentence, shell_word
from ccgrid.catalog.store.catalogue import Store
from ccgrid.engine.decks import GameDecks
from ccgrid.engine.games import GAMES
from ccgrid.services.catalogue import has_cards, open_catalogue
from ccgrid.services.choices import Choices, with_game_numbers
from ccgrid.services.drawn_decks import find_decks
from ccgrid.services.factions import bundled_faction

if TYPE_CHECKING:
    from ccgrid.catalog.matching.resolver import Resolver
    from ccgrid.catalog.matching.rows import Row


def read_listed_deck(file: Path) -> ListedDeck:
    """Read the deck in a file.

    Raises:
        CatalogError: If it contains no deck or does not exist; the message says so if a faction has this name.
    """
    from ccgrid.catalog.collection.deck_files import read_deck  # it loads every format of collections

    name = str(file)
    if (faction := bundled_faction(name)) and not file.exists():
        game = faction.game
        raise CatalogError(
            f"{name}: No such file or directory. It is a faction of {game}; to see it: ccgrid faction show {name}\n"
            f"To play with it: ccgrid play {game} --faction {name}"
        )
    from ccgrid.catalog.file_kinds import DECK_FILES, FileKind, check_kind

    check_kind(file, DECK_FILES | {FileKind.TOML}, FileKind.DECK.value)
    try:
        return read_deck(file)
    except FileFormatError as error:
        if file.suffix or not isinstance(error.__context__, FileNotFoundError):
            raise
        raise CatalogError(f"{error}\nA deck is a file. To show a card: ccgrid show {shell_word(name)}") from error


class EntryFinder:
    """Finds the cards of the lines of a deck, either for a game, whose rules exclude some cards, or for none.

    `games` restricts the card games; empty allows all.
    """

    def __init__(
        self, store: Store, choices: Choices, decks: GameDecks | None = None, games: Sequence[str] = ()
    ) -> None:
        self._store, self._choices, self._decks = store, choices, decks
        self._resolver = choices.resolver(store, self._may_be_in, games)

    def find(self, entry: DeckEntry) -> Card:
        """Return the card of a line, with the numbers that the game uses.

        Raises:
            CatalogError: If there is none, the line is ambiguous, or its numbers differ from the catalogue's.
        """
        card = self._entry(entry)
        return card if self._decks is None else with_game_numbers(self._store, card, self._decks)

    def printings(self, card: Card) -> tuple[Card, ...]:
        """Return all printings of a card in its game."""
        return self._resolver.printings(card)

    def _entry(self, entry: DeckEntry) -> Card:
        if entry.card is None:
            row = matching.rows.Row(
                name=entry.text, set_code=entry.set_code, number=entry.collector_number, written=entry.written
            )
            by_id = self._by_id(entry) if entry.ids else None
            return self._choices.take(*(by_id or (self._resolver, row))).card
        cards_there = self._store.cards([entry.card.id])
        if not cards_there:
            return entry.card
        if (dict(cards_there[0].zones), cards_there[0].score) != (dict(entry.card.zones), entry.card.score):
            raise CatalogError(f"The numbers of {entry.card.id} in the deck differ from the catalogue.")
        return cards_there[0]

    def _by_id(self, entry: DeckEntry) -> "tuple[Resolver, Row] | None":
        """Return the row and the resolver for the ids of a line, or None if no card has them and its name decides."""
        name = "" if entry.text == " ".join(entry.ids[0]) else entry.text
        row = matching.rows.Row(
            raw=entry.text,
            name=name,
            set_code=entry.set_code,
            set_name=entry.set_code,
            number=entry.collector_number,
            ids=entry.ids,
        )
        match = self._resolver.match(row)
        if match.how == "id" and match.card is not None:
            if not match.others:
                return self._resolver, matching.rows.Row(name=match.card.id)
            # Any printing is acceptable: choose as usual.
            return self._resolver.of_game(match.card.game), matching.rows.Row(name=match.card.name)
        if match.card is None and (not name or "id is that of" in match.reason):
            raise CatalogError(sentence(match.reason))
        return None

    def _may_be_in(self, card: Card) -> bool:
        if self._decks is None:
            return card.legal
        return self._decks.fault(with_game_numbers(self._store, card, self._decks)) is None


def read_legal_deck(file: Path, database: Path | None, game: str | None = None, choices: Choices | None = None) -> Deck:
    """Read a deck as `check_deck_file` does; raise CatalogError with its first problem if it is not legal."""
    deck, problems = check_deck_file(file, database, game, choices)
    if problems:
        first = problems[0]
        what = f"{first.card}: {first.reason}" if first.card else first.reason
        option = "" if game in (None, GAMES.default) else f" --for {game}"
        raise CatalogError(
            f"{file} is not a legal deck: {what.rstrip('.')}.\nDetails: ccgrid deck check {shell_word(file)}{option}"
        )
    return deck


def check_deck_file(
    file: Path, database: Path | None, game: str | None = None, choices: Choices | None = None
) -> tuple[Deck, list[Problem]]:
    """Read the deck in a file with its cards, and check it; cards that are written out need no catalogue.

    The game is `game`, or else the game that the file names, or else the default one. `choices` collects notices about
    interpreted names.

    Raises:
        CatalogError: If the file contains no deck, or one for another game.
    """
    listed = read_listed_deck(file)
    choices = choices or Choices()
    choices.left_out |= listed.left_out
    decks = find_decks(_game(listed, file, game))
    sizes: int | range = decks.sizes if len(decks.sizes) > 1 else decks.sizes[0]
    if second := split_entries(listed, decks.sizes)[1]:
        choices.left_out["the block after the blank line"] = len(second)
    written_out = {entry: card for entry in listed.entries if (card := entry.card or entry.plain) is not None}
    if len(written_out) == len(set(listed.entries)) and not has_cards(database):
        return check_deck(listed, lambda entry: written_out[entry], sizes, decks.fault)
    with open_catalogue(database) as store:
        finder = EntryFinder(store, choices, decks)
        return check_deck(listed, finder.find, sizes, decks.fault)


def _game(listed: ListedDeck, file: Path, game: str | None) -> str:
    if game is not None:
        find_decks(game)
    if game is not None and listed.plays is not None and game != listed.plays:
        raise CatalogError(f"{file} is a deck for {listed.plays!r}, not for {game}.")
    if game is None and listed.plays is not None:
        try:
            find_decks(listed.plays)
        except CatalogError as error:  # the file names the game, not the command line
            raise CatalogError(f"{file}: {error}") from None
    return game or listed.plays or GAMES.default
