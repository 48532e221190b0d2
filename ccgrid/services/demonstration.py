"""The demo: a card, a deck and a game from the bundled cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import PrintedNumber
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.store.statistics import CatalogueStats
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import find_player
from ccgrid.engine.records.record import Record
from ccgrid.services.catalogue import open_bundled
from ccgrid.services.drawn_decks import find_decks
from ccgrid.services.session import Session

DEMO_GAME: Final = GAMES.default
_DEMO_PLAYERS: Final = ("Ann", "Bob")
DEMO_DECK: Final = "deck.toml"
DEMO_RECORD: Final = "game.toml"
"""The file names of the deck and the game in the demo's folder."""

_DEMO_FOLDER: Final = "demo"


class DemoStep(NamedTuple):
    """A command to type after the demo, and its description; all of them work in sequence."""

    command: str
    about: str


def next_steps(folder: Path | None) -> list[DemoStep]:
    """Return commands to continue with; `folder` is where the deck and the game were saved, or None."""
    where = folder or Path(_DEMO_FOLDER)
    keep = [] if folder else [DemoStep(f"ccgrid demo -o {_DEMO_FOLDER}", "keep this deck and this game")]
    return [
        DemoStep("ccgrid play", "against the computer"),
        *keep,
        DemoStep(f"ccgrid replay {shell_word(where / DEMO_RECORD)}", "the game, step by step"),
        DemoStep(f"ccgrid score {shell_word(where / DEMO_RECORD)}", "a game, checked and scored"),
        DemoStep("ccgrid import starter", "keep these cards"),
        DemoStep("ccgrid search flyswater", "find a card"),
        DemoStep("ccgrid deck new -o mine.toml", "a deck of your own"),
        DemoStep("ccgrid play --deck mine.toml", "play with it"),
        DemoStep("ccgrid import mtg", "all of Magic: The Gathering"),
    ]


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The content of the demo.

    Attributes:
        stats: counts of the bundled cards.
        cards: a random deck of them.
        sample: the card of the deck with numbers in most zones, if its explanation fits a screen.
        numbers: the numbers of that card.
        session: a game between two computer players with this deck, before the first move.
    """

    stats: CatalogueStats
    cards: tuple[Card, ...]
    sample: Card
    numbers: list[PrintedNumber]
    session: Session

    def write_deck(self, path: Path, seed: int) -> None:
        """Write the deck atomically.

        Raises:
            OSError: If it cannot be written.
        """
        write_atomically(path, deck_toml(Deck("Demo", self.cards, seed)))


def _fits_a_screen(numbers: Sequence[PrintedNumber]) -> bool:
    """Return whether the table of a card's numbers fits next to its picture on a terminal of 80x24."""
    return len(numbers) <= 8 and all(len(number.field) < 15 and len(number.raw) < 10 for number in numbers)


def demonstration(seed: int) -> Demonstration:
    """Return the card, the deck and the game for a seed."""
    dice = Dice(seed)
    with open_bundled() as store:
        cards = tuple(store.draw(find_decks(DEMO_GAME).sizes[0], dice))
        ranked = sorted(cards, key=lambda card: (len(card.zones), len(card.face), card.id), reverse=True)
        explained = ((card, store.explain(card.id)) for card in ranked)
        sample, numbers = min(explained, key=lambda pair: not _fits_a_screen(pair[1]))  # the first that fits
        stats = store.stats()
    greedy = find_player("greedy")
    setup = find_game(DEMO_GAME).deal(_DEMO_PLAYERS, [cards], dice)
    session = Session(Record(setup, date=date.today(), seed=seed), {0: greedy, 1: greedy}, dice)
    return Demonstration(stats, cards, sample, numbers, session)
