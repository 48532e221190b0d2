"""The decks made on phones: numbered files in a folder."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from ccgrid.catalog.card import LONGEST_NAME, Card
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck, Problem
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.files import make_folder, write_atomically
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.joiners import is_visible
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.services.catalogue import open_catalogue, open_collection
from ccgrid.services.choices import Choices
from ccgrid.services.deck_editing import DeckChange, edit_deck
from ccgrid.services.deck_files import DeckPull, pull_deck
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.deck_search import RatedDeck, Runner, draw_owned, fill_deck, rate_deck, search_decks
from ccgrid.services.decks import check_deck_file
from ccgrid.services.drawn_decks import draw_deck, find_decks
from ccgrid.services.numbered_files import next_number, numbers, remove_numbered

RANDOM: Final = "random"
KINDS: Final = (RANDOM, "lively", "balanced", "good")
"""The kinds of decks that can be made; most games have only random ones."""
MOST: Final = 500
"""Maximum number of decks."""
_SUFFIX: Final = ".toml"
_SEED: Final = 1
"""The seed of ratings, so that rating a deck twice gives the same result."""


class ShelvedDeck(NamedTuple):
    """A deck with its number, and the problems that make it not legal in its game."""

    number: int
    deck: Deck
    game: str
    problems: tuple[Problem, ...]


class DeckShelf:
    """The decks in a folder."""

    def __init__(self, folder: Path, database: Path | None) -> None:
        self._folder, self._database = folder, database

    def __iter__(self) -> Iterator[ShelvedDeck]:
        """Iterate over the readable decks, newest first."""
        for number in sorted(numbers(self._folder, _SUFFIX), reverse=True):
            try:
                yield self.find(number)
            except CatalogError:
                continue

    def file(self, number: int) -> Path:
        """Return the file of a deck; raise NotFoundError if there is none."""
        path = self._folder / f"{number}{_SUFFIX}"
        if not path.is_file():
            raise NotFoundError(f"There is no deck {number}.", kind="deck", name=str(number))
        return path

    def find(self, number: int) -> ShelvedDeck:
        """Return the deck with a number.

        Raises:
            NotFoundError: If there is no such deck.
            CatalogError: If it cannot be read.
        """
        deck, problems = check_deck_file(self.file(number), self._database, None, Choices(None))
        return ShelvedDeck(number, deck, deck.plays or GAMES.having("decks")[0], tuple(problems))

    def kinds(self, game: str) -> tuple[str, ...]:
        """Return the kinds of decks that can be made for a game."""
        return KINDS if game in GAMES.having("deck_search") else (RANDOM,)

    def make(
        self,
        request: DeckRequest,
        name: str,
        seed: int,
        progress: Callable[[int, int], object] = lambda done, total: None,
    ) -> tuple[Deck, tuple[str, ...]]:
        """Return a new deck, which is not yet on the shelf, and the sentences about its expected play.

        Raises:
            CatalogError: If there are too few cards or too many decks.
            EngineError: If there is no such game.
        """
        game, kind = request.game, request.kind
        request = request._replace(database=self._database)
        if len(name) > LONGEST_NAME or not is_visible(name):
            raise CatalogError(f"The name of a deck has at most {LONGEST_NAME} characters, all of them visible.")
        if find_game(game).decks is None or kind not in self.kinds(game):
            raise CatalogError(f"There are no {kind} decks for {game}.")
        self._check_room()
        title, promise = f"{kind.capitalize()} deck {seed}", tuple[str, ...]()
        cards: tuple[Card, ...]
        if kind == RANDOM and not request.is_owned:
            found, drawn = draw_deck(request, Dice(seed))
            title, cards = found or title, tuple(drawn)
        elif kind == RANDOM:
            notices: list[str] = []
            cards = tuple(draw_owned(request._replace(fill=True), Dice(seed), lambda: None, notices.append))
            promise = tuple(notices)
        else:
            (proposal,) = search_decks(request, seed, runner=Runner(1), waiting=lambda: None, progress=progress)
            cards, promise = proposal.cards, proposal.promise
        return Deck(name.strip() or title, cards, seed, game), promise

    def add(self, path: Path) -> ShelvedDeck:
        """Add the deck in a file.

        Raises:
            CatalogError: If it cannot be read, or there are too many decks.
        """
        return self.find(self.write(check_deck_file(path, self._database, None, Choices(None))[0]))

    def keep(self, card_ids: Sequence[str], seed: int) -> tuple[int, str]:
        """Make a legal deck of the last of these cards, and of bundled cards if they are too few.

        Returns:
            The number of the deck, and sentences about cards that were added or left out.

        Raises:
            CatalogError: If none of these cards is legal, or there are too many decks.
        """
        with open_catalogue(self._database) as store:
            found = {card.id: card for card in store.cards(list(dict.fromkeys(card_ids)))}
        cards: Sequence[Card] = [found[one] for one in card_ids if one in found and found[one].legal]
        if not cards:
            raise CatalogError("There are no legal cards for a deck. Keep some first.")
        barred = len(card_ids) - len(cards)
        notices = (
            [f"Left out {counted(barred, 'card')} that {'is' if barred == 1 else 'are'} not legal."] if barred else []
        )
        game = GAMES.having("decks")[0]
        size = find_decks(game).sizes[0]
        if len(cards) < size:
            cards = fill_deck(cards, size, Dice(seed), notices.append)
        deck = Deck(f"Scanned on {date.today():%d %B}", tuple(cards[-size:]), None, game)
        return self.write(deck), " ".join(notices)

    def _check_room(self) -> None:
        if len(numbers(self._folder, _SUFFIX)) >= MOST:
            raise CatalogError(f"There are already {MOST} decks, the maximum. Remove one first.")

    def write(self, deck: Deck) -> int:
        """Add a deck and return its number; raise CatalogError if there are too many decks.

        It gets another name if a deck has its name: copies of cards are marked as out in a deck by its name.
        """
        self._check_room()
        number = next_number(self._folder)
        names, name, times = {one.deck.name.casefold() for one in self}, deck.name, 1
        while name.casefold() in names:
            times += 1
            name = f"{deck.name[: LONGEST_NAME - 6]} ({times})"
        make_folder(self._folder, private=True)
        write_atomically(self._folder / f"{number}{_SUFFIX}", deck_toml(deck._replace(name=name)))
        return number

    def rate(self, number: int, progress: Callable[[int, int], object]) -> RatedDeck:
        """Rate a deck by playing games with it; raise CatalogError if it is not legal."""
        return rate_deck(
            self.file(number),
            game=None,
            games=None,
            players=("greedy",),
            seed=_SEED,
            runner=Runner(1),
            database=self._database,
            choices=Choices(None),
            waiting=lambda: None,
            progress=progress,
        )

    def swap(self, number: int, old: str, new: str) -> DeckChange:
        """Replace a card of a deck; raise CatalogError if either name is ambiguous or unknown."""
        with edit_deck(self.file(number), self._database, None, Choices(None)) as deck:
            change = deck.swap(old, new)
            deck.write(None)
        return change

    def pull(self, number: int, *, out: bool = False) -> DeckPull:
        """Return the locations of the cards of a deck; with `out`, also mark them as checked out.

        Raises:
            CatalogError: If the cards cannot be checked out.
        """
        with open_collection(self._database) as collection:
            return pull_deck(self.file(number), collection, Choices(None), out=out)

    def remove(self, number: int) -> None:
        """Delete a deck; raise NotFoundError if there is none. No other deck gets its number."""
        remove_numbered(self.file(number))
