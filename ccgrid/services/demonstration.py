"""What the demo shows: a card, a deck and a game of the bundled cards, the same for the same seed."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.decks import Deck, deck_toml
from ccgrid.catalog.evidence import NumberJson
from ccgrid.catalog.files import write_whole
from ccgrid.catalog.store.catalogue import StatsJson
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import find_player
from ccgrid.engine.records.record import Record
from ccgrid.services.catalogue import open_bundled
from ccgrid.services.decks import find_decks
from ccgrid.services.session import Session

GAME: Final = GAMES.default
PLAYERS: Final = ("Ann", "Bob")
DECK: Final = "deck.toml"
RECORD: Final = "game.toml"
"""What the deck and the game are called in a folder in which they are kept."""

_FOLDER: Final = "demo"


class DemoStep(NamedTuple):
    """What somebody may type after the demo, and what it does; one after the other, all of them work as they are."""

    command: str
    about: str


def next_steps(folder: Path | None) -> list[DemoStep]:
    """The commands to go on with; `folder` is where the deck and the game were kept, None where they were not."""
    where = folder or Path(_FOLDER)
    keep = [] if folder else [DemoStep(f"ccgrid demo -o {_FOLDER}", "keep this deck and this game")]
    return [
        DemoStep("ccgrid play", "against the computer"),
        *keep,
        DemoStep(f"ccgrid replay {quote(str(where / RECORD))}", "the game, step by step"),
        DemoStep(f"ccgrid score {quote(str(where / RECORD))}", "a game, checked and scored"),
        DemoStep("ccgrid import starter", "keep these cards"),
        DemoStep("ccgrid search flyswater", "find a card"),
        DemoStep("ccgrid deck new -o mine.toml", "a deck of your own"),
        DemoStep("ccgrid play --deck mine.toml", "play with it"),
        DemoStep("ccgrid import mtg", "all of Magic: The Gathering"),
    ]


@dataclass(frozen=True, slots=True)
class Demonstration:
    """Everything once.

    Attributes:
        stats: what the bundled cards are, in the documented shape of `stats --json`.
        cards: a deck drawn of them.
        sample: the card of the deck with numbers in most zones.
        numbers: where each number of that card was read.
        session: a game between two computer players with this deck, in which nobody has moved.
    """

    stats: StatsJson
    cards: tuple[Card, ...]
    sample: Card
    numbers: list[NumberJson]
    session: Session

    def write_deck(self, path: Path, seed: int) -> None:
        """Writes the deck whole; raises OSError."""
        write_whole(path, deck_toml(Deck("Demo", self.cards, seed)))


def demonstration(seed: int) -> Demonstration:
    """The card, the deck and the game that follow from a seed."""
    dice = Dice(seed)
    with open_bundled() as store:
        cards = tuple(store.draw(find_decks(GAME).sizes[0], dice))
        sample = max(cards, key=lambda card: (len(card.zones), len(card.face), card.id))
        stats, numbers = store.stats(), store.explain(sample.id)
    greedy = find_player("greedy")
    setup = find_game(GAME).deal(PLAYERS, [cards], dice)
    session = Session(Record(setup, date=date.today(), seed=seed), {0: greedy, 1: greedy}, dice)
    return Demonstration(stats, cards, sample, numbers, session)
