"""What a game owes to everything built on it, what its states share, and what can go wrong; no rule of any one game.

A game is one folder: a `Setup` (who plays, what was dealt, who starts), a `State` (a position), a `Notation` and a
`Game`; then its name in `engine.games`. Setup and moves together give one result. Whatever else the game can do is a
module in its folder, a part (`Game.part`), and is imported when somebody asks for it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self, cast

from ccgrid.catalog.card import Card
from ccgrid.catalog.runtime import module_of, part_of
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.options import Option, option_values, variant

if TYPE_CHECKING:
    from ccgrid.engine.decks import GameDecks, ReadyDecks
    from ccgrid.engine.game_view import GameView

Lookup = Callable[[str], Card]
"""Finds the card with a catalogue id or a name; raises `CatalogError` where there is none."""


class Ending(NamedTuple):
    """Why a game is over: a code for programs, `board-full`, and words for people."""

    code: str
    words: str

    def __str__(self) -> str:
        return self.words


class Outcome(NamedTuple):
    """How a game ended: each seat's score in points, the seat that won or `None` for a draw, and why it was over."""

    scores: tuple[int, ...]
    winner: int | None
    ending: Ending

    @classmethod
    def of(cls, scores: tuple[int, ...], ending: Ending) -> Self:
        """The outcome of a game that ended with these scores: the highest wins, equal is a draw."""
        best = max(scores)
        return cls(scores, scores.index(best) if scores.count(best) == 1 else None, ending)

    @property
    def reason(self) -> str:
        """Why it was over, in words."""
        return self.ending.words

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the highest score: the winner, or those who share a draw."""
        return tuple(seat for seat, score in enumerate(self.scores) if score == max(self.scores))


class Unseen(NamedTuple):
    """Places that a seat cannot see, and what is known of the cards that lie there, as the game plays them.

    A place is named `pile:0`, `hand:1:2`, `deck:0:5`: where, whose where cards have owners, and the number in it, from
    0; number 0 of a pile or a deck is its top. `cards` are all the cards that lie at these places, in an order that
    tells nothing; `None` where the rules do not say which. `seen` are the cards of the same owner that this seat knows.
    Where nothing is seen of an owner, hidden cards are taken for ones like those seen of others: a group without places
    tells of these.
    """

    places: tuple[str, ...]
    cards: tuple[Any, ...] | None = None
    seen: tuple[Any, ...] = ()


class State(ABC):
    """A position, a value: a move makes a new one. Seats are counted from 0 in the order of `players`.

    A game's state is a frozen, slotted dataclass whose fields are hashable, so that states compare and hash: positions
    of one deal, that is, for what was dealt and never changes is not compared.
    """

    __slots__ = ()

    game: ClassVar[str]
    """The name of the game, by which `find_game` finds what else there is to know about it."""

    to_move: int
    """The seat that moves next, which may be the one that moved last; meaningless once the game is over."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""

    @property
    def variant(self) -> Mapping[str, object]:
        """The options by which it is played that are not as usual, as records have them."""
        return {}

    @abstractmethod
    def legal_moves(self) -> tuple[str, ...]:
        """Every legal move in canonical notation, sorted by code point; none when the game is over.

        This is the definition of legality: a move is legal exactly when it is in here.
        """

    @abstractmethod
    def play_unchecked(self, move: str) -> Self:
        """The position after a legal move, not asking whether it is one: for search, and whoever took it from the list.

        Raises:
            UnknownCardError: the move turns up a card that is not known.
        """

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Each seat's points so far."""

    @abstractmethod
    def ending(self) -> Ending | None:
        """Why the game is over; nothing while it is not."""

    @abstractmethod
    def view(self, seat: int) -> Self:
        """The position as this seat sees it: what is hidden from it is not in there at all.

        Its legal moves are right when that seat is to move. Playing a move that reveals what is hidden raises
        `UnknownCardError`.
        """

    @abstractmethod
    def unseen(self, seat: int) -> tuple[Unseen, ...]:
        """What this seat cannot see, group by group: the same of a position and of the seat's view of it."""

    def is_known(self) -> bool:
        """Whether nobody's cards are hidden in it, nor missing; a game in which something can be says when."""
        return True

    def is_open(self, seat: int) -> bool:
        """Whether a seat sees all that there is."""
        return not any(group.places for group in self.unseen(seat))

    def outcome(self) -> Outcome | None:
        """How the game ended, or nothing while it is not over."""
        ending = self.ending()
        return None if ending is None else Outcome.of(self.scores(), ending)


class Setup(Protocol):
    """What is fixed before the first move, a hashable value: with the moves it gives one result."""

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""

    @property
    def first(self) -> int | None:
        """The seat that starts; `None` in a game whose rules say who starts."""

    def start(self) -> State:
        """The position before the first move."""

    def to_table(self) -> dict[str, Any]:
        """The `[setup]` table of a record, from which `Game.read_setup` makes an equal setup."""


class Notation(Protocol):
    """How the moves of one game are written and typed, and why one is not legal: words, and no rules.

    `state` is a state of that game.
    """

    @property
    def example(self) -> str:
        """A move as it is written, for messages: `a1xb2`."""

    def is_notation(self, state: Any, move: str) -> bool:
        """Whether a text is a move in canonical notation, legal here or not."""

    def why_illegal(self, state: Any, move: str) -> str:
        """Why a move in canonical notation is not legal in this unfinished game, in words a player understands."""

    def moves_meant(self, state: Any, text: str) -> tuple[str, ...]:
        """The moves in canonical notation that a text typed by a person may mean, legal or not; none if none."""


class Game(ABC):
    """What a game owes: its names, how it is dealt, and how its setup and its bare endings are read from files.

    What has a default may be left out. The game itself is the `GAME` of the module `game` in its folder.

    Attributes:
        name: what people type, and the name of the folder: `grid`.
        title: what people read: `3x3 CCG Battle`.
        player_counts: the numbers of players that may play, in ascending order.
        has_first: whether a record says who starts; in some games the rules do.
        notation: how its moves are written.
        mistakes: the points given away from which on a move has each mark, `?!`, `?` and `??`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    player_counts: ClassVar[tuple[int, ...]]
    has_first: ClassVar[bool] = True
    notation: ClassVar[Notation]
    mistakes: ClassVar[tuple[float, float, float]] = (1, 2, 4)

    @property
    def package(self) -> str:
        """The game's folder as it is imported."""
        # ccgrid.engine.games.grid.game → ccgrid.engine.games.grid
        return type(self).__module__.rpartition(".")[0]

    def part(self, name: str) -> Any:
        """What the game hands out as a part: of `solver` it is the `SOLVER` of the module `solver` in its folder.

        It is imported when it is first asked for; None where the folder has no such module. Who uses a part says what
        it has to be.
        """
        return part_of(self.package, name)

    @property
    def core(self) -> ModuleType | None:
        """Its rules on rows of whole numbers (`engine.rows.core`), the module `core` in its folder, if it has one."""
        return module_of(self.package, "core")

    @property
    def pictures(self) -> "GameView":
        """How the game is shown, its part `view`: its pictures, words for its moves, its rules page."""
        return cast("GameView", self.part("view"))

    @property
    def decks(self) -> "GameDecks | None":
        """What decks it is played with, its part `decks`; None for a game with its own cards."""
        return cast("GameDecks | None", self.part("decks"))

    @property
    def factions(self) -> "ReadyDecks | None":
        """Its ready-made decks, its part `factions`, with which it is played where nothing is said of cards."""
        return cast("ReadyDecks | None", self.part("factions"))

    @property
    def options(self) -> tuple[Option, ...]:
        """Its variants, its part `options`."""
        return self.part("options") or ()

    def option_values(self, given: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Every option's value where these are given; EngineError where one is not there, or cannot be so."""
        return option_values(self.name, self.options, given or {})

    def variant(self, given: Mapping[str, object] | None = None) -> dict[str, Any]:
        """The given options that are not as usual; raises what `option_values` raises."""
        return variant(self.options, self.option_values(given))

    def move_menu(self, state: Any) -> tuple[str, ...]:
        """The legal moves in the order in which people are shown them, and by whose numbers they type them."""
        legal: tuple[str, ...] = state.legal_moves()
        return legal

    def heuristic(self, state: Any, move: str) -> float:
        """How good a legal move looks at once to who moves, higher is better: what the greedy player goes by."""
        return 0.0

    def rounds_for(self, view: Any, asked: int | None) -> int | None:
        """How many rounds a search plays in a position when `asked` are wanted; None: as many as the time allows."""
        return asked

    def is_too_early(self, view: Any) -> bool:
        """Whether to think is of no use yet: the heuristic says what is played."""
        return False

    @abstractmethod
    def setup_schema(self, value: object, /) -> None:
        """Checks the keys and types of a record's `[setup]`; raises RecordError with the place."""

    @abstractmethod
    def ending_schema(self, value: object, /) -> None:
        """The same of a file by people who kept no record but what they ended with."""

    @abstractmethod
    def reveal(self, view: Any, cards: Mapping[str, Any]) -> State:
        """The view with these cards at the unseen places of the same names: a full position."""

    def playable_card(self, card: Card) -> Any | None:
        """What a card of a catalogue is in this game; `None` where it cannot be played with."""
        return None

    def fits(self, place: str, card: Any) -> bool:
        """Whether a card, as the game plays it, can lie at an unseen place."""
        return True

    def decks_needed(self, players: int) -> int:
        """How many decks a deal takes: one for all, one for each player, or none."""
        return 0

    @abstractmethod
    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        dice: Dice,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> Setup:
        """Shuffles and deals; the dice say who starts unless `first` does. `options` are the game's variants.

        Raises:
            EngineError: the number of players, a deck or an option is not as the rules want it.
        """

    @abstractmethod
    def read_setup(
        self, table: Mapping[str, Any], players: tuple[str, ...], first: int | None, lookup: Lookup
    ) -> Setup:
        """The setup in a `[setup]` table that has passed `setup_schema`; RecordError, with the place, where none is."""

    @abstractmethod
    def score_ending(self, document: Mapping[str, Any], lookup: Lookup) -> dict[str, int]:
        """Each player's points, from an ending that has passed `ending_schema`; RecordError where it cannot be so."""


def check_seats(game: Game, players: Sequence[str]) -> None:
    """Refuses a wrong number of players, an empty name, and two of one name.

    Raises:
        EngineError: as said.
    """
    if len(players) not in game.player_counts:
        raise EngineError(f"{game.name} is for {counts_in_words(game.player_counts)} players, not {len(players)}")
    if not all(name.strip() for name in players):
        raise EngineError("a player has no name: name every player")
    if len(set(players)) < len(players):
        twice = next(name for name in players if list(players).count(name) > 1)
        raise EngineError(f"two players are called {quoted(twice)}: give them different names")


def check_deal(game: Game, players: Sequence[str], decks: Sequence[Sequence[Card]]) -> None:
    """Refuses what no deal of a game can be made of: the seats, or another number of decks than it takes.

    Raises:
        EngineError: as said.
    """
    check_seats(game, players)
    needed = game.decks_needed(len(players))
    if len(decks) == needed:
        return
    if needed == 0:
        raise EngineError(f"{game.name} has its own cards: leave --deck out")
    wanted = "one deck" if needed == 1 else f"a deck for each player, {needed} here"
    raise EngineError(f"{game.name} is played with {wanted}, not {len(decks)}")


def counts_in_words(counts: Sequence[int]) -> str:
    """Numbers of players, in ascending order, as a sentence says them.

    >>> counts_in_words((2, 3, 4)), counts_in_words((2, 4))
    ('2 to 4', '2 or 4')
    """
    # No gap between them: the ends are enough.
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return " or ".join(map(str, counts))
