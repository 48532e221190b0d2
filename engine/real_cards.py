"""What a referee has to know of a game that people play with real cards, of which it sees what everybody sees."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Protocol

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import NamedCard
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Setup, State
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.picture import Words


class RealCards(Protocol):
    """How one game is refereed: what is entered before and in it, and what may still be where only a player looks.

    What has a default may be left out. `setup` and `state` are of that game; a seat's cards are those that it alone
    plays with, or those that all share.
    """

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def beginning(self) -> str:
        """What people do before the first move, in a sentence or two."""

    @property
    def typing_help(self) -> str:
        """How a move and a card are typed, in a sentence or two."""

    def without_cards(self, setup: Any) -> Any:
        """A setup that was dealt, with nothing known of it but who plays, by which rules, and with which decks."""

    def is_open(self, setup: Any) -> bool:
        """Whether there are cards that are known, but not where they are."""

    def with_decks(self, setup: Any, dealt: Any) -> Any:
        """The setup with the decks of another one, which was dealt, for those of which not all cards are known.

        Raises:
            EngineError: the cards that are known are not of these decks.
        """

    def places(self, setup: Any) -> Sequence[str]:
        """The cells whose cards must be entered before the game begins; none where all of them were."""
        return ()

    def deck(self, setup: Any, seat: int) -> tuple[NamedCard, ...]:
        """All the cards of a seat, in the order that numbers them."""

    def in_order(self, setup: Any, names: Sequence[Sequence[str]]) -> Any:
        """The setup with every deck in the order of these names of its cards, as `deck` gives them, seat by seat."""
        return setup

    def unseen(self, setup: Any, seat: int) -> tuple[NamedCard, ...]:
        """The cards of a seat that were not entered yet."""

    def numbers(self, card: Any) -> str:
        """The numbers of a card in a few words, to tell it from others."""

    def with_card(self, setup: Any, state: Any, card: Any) -> Any:
        """The setup with one more card known: the next one turned up, or one in the hand of who is to move.

        `state` is the position, `None` before the game begins.
        """

    def goes_to(self, setup: Any, state: Any, move: str) -> str:
        """The cell for which the next card is turned up, empty where it is another's matter.

        `state` is the position before the move that waits for it; before the game begins both are empty.
        """
        return ""

    def asks(self, setup: Any, state: Any, move: str) -> str:
        """What is asked where a move waits for a card, or the beginning of the game: `Card turned up for b2`."""
        return ""

    def most_shown(self, state: Any) -> int:
        """How many cards may be entered at a time where a move waits for one."""
        return 0

    def why(self, state: Any, move: str) -> str:
        """Why a move waits for a card, in a sentence; empty where everybody knows."""
        return ""

    def brings(self, move: str) -> str | None:
        """The name of the card that a move brings out of a hand; None where it brings none."""
        return None

    def instead(self, move: str, name: str) -> str:
        """The same move with another card; only of moves that bring one.

        Raises:
            EngineError: that card does nothing of the kind.
        """

    def names(self, state: Any, text: str) -> str:
        """The words for a card in what somebody typed as a move; empty where there can be none."""
        return ""

    def possible(self, setup: Any, state: Any) -> Any:
        """The position in which who is to move holds every card that may be in that hand: its moves may be made."""

    def before(self, setup: Any, state: Any, move: str) -> Any:
        """The setup as far as it was known before a move, which was made in this position."""

    def lying_on(self, state: Any, cell: str) -> tuple[int, NamedCard] | None:
        """The card on a cell and its owner's seat; None where there is none."""

    def taken_for(self, setup: Any, seat: int) -> tuple[NamedCard, ...]:
        """The cards that something entered beside the moves may have been, in the order that numbers them."""
        return self.deck(setup, seat)

    def exchange(self, setup: Any, wrong: Any, right: Any) -> Any:
        """The setup in which a card entered beside the moves was another; if that is there, the two change places."""
        return setup

    def to_do(self, before: Any, after: Any) -> Sequence[tuple[int, int]]:
        """What hands have to do after a move: how many cards each of these seats draws."""
        return ()

    def hidden_in_hand(self, state: Any) -> int:
        """How many cards in the hand of who is to move are not known."""
        return 0

    def in_hand(self, state: Any) -> tuple[NamedCard, ...]:
        """The cards in the hand of who is to move that are known."""
        return ()

    def forecast(self, state: Any, text: str) -> Sequence[Words]:
        """What an attack would come to, in lines.

        Raises:
            EngineError: there is no such thing in this game, or not now.
        """
        raise EngineError(f"There is nothing to forecast in {self.game}.")

    def with_hand(self, setup: Any, state: Any, cards: Sequence[Any]) -> Any:
        """The position in which who is to move holds exactly these cards, as that player sees it.

        Raises:
            EngineError: it cannot be these.
        """


def find_real_cards(game: str) -> RealCards:
    """How a game is refereed, its part `referee`.

    Raises:
        EngineError: it cannot be.
    """
    cards: RealCards | None = find_game(game).part("referee")
    if cards is None:
        raise EngineError(f"{game} has no referee: there is one for {', '.join(GAMES.having('referee'))}.")
    return cards


def hides_hand(state: State) -> bool:
    """Whether a position does not show the whole hand of the player to move: what may be played is then not known."""
    cards: RealCards | None = find_game(state.game).part("referee")
    return cards is not None and state.ending() is None and cards.hidden_in_hand(state) > 0


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A game that starts with cards laid out in rows.

    Attributes:
        cells: where, row by row.
        setup: the setup with these cards there: the players, the seat that is to move, a card for each cell.
    """

    cells: Sequence[str]
    setup: Callable[[tuple[str, ...], int, tuple[Card, ...]], Setup]


@dataclass(frozen=True, slots=True)
class TablePage:
    """The page of a deck, which knows the rules by data that the engine made.

    Attributes:
        package: where the page is, `table.html`, and its script, `table.js`.
        options: the names of the options that the script knows.
        data: what the script is given, of a deck of legal cards by its name, and the options of a game.
    """

    package: str
    data: Callable[[str, Sequence[Card], Mapping[str, object]], dict[str, Any]]
    options: tuple[str, ...] = ()

    def text(self, name: str) -> str:
        """The text of one of the two files."""
        return (resources.files(self.package) / name).read_text(encoding="utf-8")
