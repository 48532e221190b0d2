"""Interfaces of a game: setup, position, notation and the game itself. No rule of any particular game is here.

A game is one folder with a `Setup` (players, dealt cards, starting player), a `State` (a position), a `Notation` and a
`Game`; its name is listed in `engine.games`, or is an entry point of another package. A setup and a list of moves
determine the result. Everything else that a game provides is an optional module in its folder, called a part
(`Game.part`), imported on first use.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar, cast

from ccgrid.catalog.card import Card
from ccgrid.catalog.lazy_modules import has_part, load_part
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError, RecordError, quoted
from ccgrid.engine.options import NamedRules, Option, OptionValues, option_values, variant
from ccgrid.engine.schema import Table

if TYPE_CHECKING:
    from ccgrid.engine.decks import GameDecks, ReadyDecks
    from ccgrid.engine.game_view import GameView

Lookup = Callable[[str], Card]
"""Finds the card with a catalogue id or a name; raises `CatalogError` if there is none."""


class Ending(NamedTuple):
    """The reason why a game is over: a code for programs, such as `board-full`, and a text for the user."""

    code: str
    words: str

    def __str__(self) -> str:
        return self.words


class Outcome(NamedTuple):
    """The result of a game: each seat's score in points, the winning seat (None for a draw), and why the game ended."""

    scores: tuple[int, ...]
    winner: int | None
    ending: Ending

    @classmethod
    def of(cls, scores: tuple[int, ...], ending: Ending) -> Self:
        """Return the outcome for these final scores: the highest score wins, a tie for it is a draw."""
        best = max(scores)
        return cls(scores, scores.index(best) if scores.count(best) == 1 else None, ending)

    @classmethod
    def lost(cls, scores: Sequence[int], seat: int, ending: Ending) -> Self:
        """Return the outcome if a seat gives up the game: it scores one point less than the lowest other seat."""
        counted = list(scores)
        counted[seat] = min(score for other, score in enumerate(scores) if other != seat) - 1
        return cls.of(tuple(counted), ending)

    @property
    def reason(self) -> str:
        """Why the game ended, as text."""
        return self.ending.words

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the highest score: the winner, or the seats that share a draw."""
        return tuple(seat for seat, score in enumerate(self.scores) if score == max(self.scores))


CardT = TypeVar("CardT", covariant=True)


class Unseen(NamedTuple, Generic[CardT]):
    """Hidden positions of a seat, and the known facts about their cards, as the game uses them.

    A position is named `pile:0`, `hand:1:2` or `deck:0:5`: the zone, the owner's seat if cards have owners, and the
    index, from 0; index 0 of a pile or a deck is its top.

    Attributes:
        places: The names of the hidden positions. A group without positions only reports `seen` cards: they are the
            model for hidden cards of owners of whom no card was seen.
        cards: All cards at these positions, in an order that reveals nothing; None if the rules do not determine them.
        seen: The cards of the same owner that this seat knows.
    """

    places: tuple[str, ...]
    cards: tuple[CardT, ...] | None = None
    seen: tuple[CardT, ...] = ()


class State(ABC):
    """A position, immutable: a move creates a new one. Seats are counted from 0 in the order of `players`.

    A game's state is a frozen, slotted dataclass with hashable fields, so that states can be compared and hashed. Only
    positions of one deal may be compared: fields that never change after the deal are ignored.
    """

    __slots__ = ()

    game: ClassVar[str]
    """The name of the game, for `find_game`."""

    to_move: int
    """The seat that moves next, possibly the one that moved last; meaningless once the game is over."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""

    @property
    def variant(self) -> Mapping[str, object]:
        """The options whose values differ from the defaults, as stored in records."""
        return {}

    @abstractmethod
    def legal_moves(self) -> tuple[str, ...]:
        """Return all legal moves in canonical notation, sorted by code point; empty if the game is over.

        This defines legality: a move is legal if and only if it is returned here.
        """

    @abstractmethod
    def play_unchecked(self, move: str) -> Self:
        """Return the position after a move without checking its legality.

        Callers must pass one of `legal_moves()`.

        Raises:
            UnknownCardError: If the move reveals an unknown card.
        """

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Return each seat's points so far."""

    @abstractmethod
    def ending(self) -> Ending | None:
        """Return why the game is over, or None if it is not."""

    @abstractmethod
    def view(self, seat: int) -> Self:
        """Return the position as this seat sees it, without any information that is hidden from the seat.

        If that seat is to move, the legal moves are those of the full position. A move that reveals a hidden card
        raises `UnknownCardError`.
        """

    @abstractmethod
    def unseen(self, seat: int) -> tuple[Unseen[object], ...]:
        """Return the positions that are hidden from this seat, in groups.

        The result is the same for a position and for the seat's view of it.
        """

    def is_known(self) -> bool:
        """Return whether all cards are known. Games with hidden or missing cards override this."""
        return True

    def is_open(self, seat: int) -> bool:
        """Return whether a seat has perfect information."""
        return not any(group.places for group in self.unseen(seat))

    def outcome(self) -> Outcome | None:
        """Return the result of the game, or None if it is not over."""
        ending = self.ending()
        return None if ending is None else Outcome.of(self.scores(), ending)


class Setup(Protocol):
    """Everything fixed before the first move, a hashable dataclass. With a list of moves it determines the result."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""

    @property
    def first(self) -> int | None:
        """The seat of the starting player; None in games whose rules determine it."""

    def start(self) -> State:
        """Return the position before the first move."""

    def to_table(self) -> dict[str, Any]:
        """Return the `[setup]` table of a record, which `Game.read_setup` reads back as an equal setup."""


StateT = TypeVar("StateT", bound=State)
PlayedT = TypeVar("PlayedT", bound=State, contravariant=True)


class Notation(Protocol[PlayedT]):
    """The notation of a game's moves: canonical and typed forms, and why a move is illegal. It contains no rules."""

    @property
    def example(self) -> str:
        """A move in canonical notation, for messages: `a1xb2`."""

    def is_notation(self, state: PlayedT, move: str) -> bool:
        """Return whether a text is a move in canonical notation, legal here or not."""

    def why_illegal(self, state: PlayedT, move: str) -> str:
        """Return why a move in canonical notation is illegal in this unfinished game, as a text for the player."""

    def moves_meant(self, state: PlayedT, text: str) -> tuple[str, ...]:
        """Return the moves, legal or not, in canonical notation, that a typed text may refer to; it may be empty."""


def level_table(
    easy: tuple[str, int] = ("greedy", 33),
    fair: tuple[str, int] = ("greedy", 0),
    hard: tuple[str, int] = ("strong:200", 0),
    best: tuple[str, int] = ("strong:1000", 0),
) -> Mapping[str, tuple[str, int]]:
    """Return the levels of a game (`Game.levels`); each game has its own.

    Playouts are counted, so that a level is as strong on a slow or busy machine as on any other.
    """
    return {"easy": easy, "fair": fair, "hard": hard, "best": best}


class Game(ABC, Generic[StateT]):
    """Base class of games: names, dealing, and reading of setups and final positions from files.

    Methods with a default are optional. The game is the `GAME` of the module `game` in its folder.

    Attributes:
        name: The name in commands and of the folder: `grid`.
        title: The title shown to the user: `3x3 CCG Battle`.
        player_counts: The possible numbers of players, in ascending order.
        has_first: Whether a record names the starting player; in some games the rules determine it.
        notation: The notation of the moves.
        mistakes: The least points lost by a move that is marked `?!`, `?` and `??`.
        levels: For each level, the policy that it plays, and in how many of 100 turns it makes a random move instead.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    player_counts: ClassVar[tuple[int, ...]]
    has_first: ClassVar[bool] = True
    notation: ClassVar[Notation[Any]]
    mistakes: ClassVar[tuple[float, float, float]] = (1, 2, 4)
    levels: ClassVar[Mapping[str, tuple[str, int]]] = level_table()

    @property
    def package(self) -> str:
        """The import path of the game's folder."""
        # ccgrid.engine.games.grid.game → ccgrid.engine.games.grid
        return type(self).__module__.rpartition(".")[0]

    def part(self, name: str) -> Any:
        """Return an optional part of the game: for `solver` the `SOLVER` of the module `solver` in its folder.

        The module is imported on first use. The result is None if there is no such module. The caller defines the type
        that a part must have.
        """
        return load_part(self.package, name)

    @property
    def core(self) -> ModuleType | None:
        """The module `core` in the game's folder, with its rules on integer arrays (`engine.rows.core`), or None."""
        return import_module(f"{self.package}.core") if has_part(self.package, "core") else None

    @property
    def pictures(self) -> "GameView[StateT]":
        """The game's display, its part `view`: pictures, descriptions of moves, and the rules page."""
        return cast("GameView[StateT]", self.part("view"))

    @property
    def decks(self) -> "GameDecks | None":
        """The deck rules, its part `decks`; None for a game with its own cards."""
        return cast("GameDecks | None", self.part("decks"))

    @property
    def factions(self) -> "ReadyDecks | None":
        """The ready-made decks, its part `factions`, used by default; None if the game has none."""
        return cast("ReadyDecks | None", self.part("factions"))

    @property
    def options(self) -> tuple[Option, ...]:
        """The options (variants), its part `options`."""
        return self.part("options") or ()

    @property
    def named_rules(self) -> tuple[NamedRules, ...]:
        """The names for options that are chosen together, its part `named_rules`."""
        return self.part("named_rules") or ()

    def option_values(self, given: Mapping[str, object] | None = None) -> OptionValues:
        """Return the values of all options, given some of them; raise EngineError if a name or value is invalid."""
        return option_values(self.name, self.options, given or {})

    def variant(self, given: Mapping[str, object] | None = None) -> dict[str, object]:
        """Return the given options whose values differ from the defaults; raise EngineError if one is invalid."""
        return variant(self.options, self.option_values(given))

    def move_menu(self, state: StateT) -> tuple[str, ...]:
        """Return the choices in display order, usually the legal moves; the user may type a number in this list."""
        return state.legal_moves()

    def steps(self, state: StateT, choice: str) -> tuple[str, ...]:
        """Return the moves that a legal move or a choice in the menu stands for: usually itself."""
        return (choice,)

    def heuristic(self, state: StateT, move: str) -> float:
        """Return the heuristic value of a legal move for the player to move (higher is better).

        The greedy player maximises it.
        """
        return 0.0

    def rounds_for(self, view: StateT, asked: int | None) -> int | None:
        """Return the number of playouts for a search if `asked` are requested; None means no limit except time."""
        return asked

    def is_too_early(self, view: StateT) -> bool:
        """Return whether searching is not useful yet, so that players follow the heuristic."""
        return False

    @abstractmethod
    def setup_schema(self, value: object, /) -> None:
        """Check the keys and types of a record's `[setup]`; raise RecordError with the location."""

    @abstractmethod
    def ending_schema(self, value: object, /) -> None:
        """Check the keys and types of a file with a final position only; raise RecordError with the location."""

    @abstractmethod
    def reveal(self, view: StateT, cards: Table) -> StateT:
        """Return the full position of a view with these cards at the hidden positions of these names."""

    def playable_card(self, card: Card) -> object | None:
        """Return a catalogue card as this game uses it, or None if it cannot be used."""
        return None

    def fits(self, place: str, card: object) -> bool:
        """Return whether a card, as the game uses it, can be at a hidden position."""
        return True

    def decks_needed(self, players: int) -> int:
        """Return the number of decks that a deal takes: one for all players, one for each, or none."""
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
        """Shuffle and deal.

        Args:
            players: The names in seat order.
            decks: As many decks as `decks_needed` returns.
            dice: The random number generator.
            first: The seat of the starting player, drawn at random if None.
            options: Values of the game's options; the others have their defaults.

        Raises:
            EngineError: If the number of players, a deck or an option does not conform to the rules.
        """

    @abstractmethod
    def read_setup(self, table: Table, players: tuple[str, ...], first: int | None, lookup: Lookup) -> Setup:
        """Return the setup in a `[setup]` table that has passed `setup_schema`.

        Raises:
            RecordError: If it is inconsistent; the location is in `[setup]`.
        """

    @abstractmethod
    def score_ending(self, document: Table, lookup: Lookup) -> dict[str, int]:
        """Return the points by player of an ending that has passed `ending_schema`.

        Raises:
            RecordError: If it is impossible.
        """


AnyGame = Game[State]
"""A game that is found by its name while the program runs; it is given only positions of its own."""


def check_seats(game: Game[StateT], players: Sequence[str]) -> None:
    """Check the number of players and that their names are unique and not blank.

    Raises:
        EngineError: If a check fails.
    """
    if len(players) not in game.player_counts:
        raise ContradictionError(
            f"{game.name} is for {counts_in_words(game.player_counts)} players, not {len(players)}"
        )
    if not all(name.strip() for name in players):
        raise ContradictionError("a player has no name: name every player")
    if len(set(players)) < len(players):
        twice = next(name for name in players if list(players).count(name) > 1)
        raise ContradictionError(f"two players are called {quoted(twice)}: give them different names")


def read_seats(game: Game[StateT], players: Iterable[str], place: str) -> tuple[str, ...]:
    """Return the players that a file names at this place, in seat order.

    Raises:
        RecordError: If a check of `check_seats` fails.
    """
    names = tuple(players)
    try:
        check_seats(game, names)
    except EngineError as error:
        raise RecordError(place, str(error)) from None
    return names


def check_deal(game: Game[StateT], players: Sequence[str], decks: Sequence[Sequence[Card]]) -> None:
    """Check the seats and the number of decks for a deal.

    Raises:
        EngineError: If a check fails.
    """
    check_seats(game, players)
    needed = game.decks_needed(len(players))
    if len(decks) == needed:
        return
    if needed == 0:
        raise ContradictionError(f"{game.name} has its own cards: leave --deck out")
    wanted = "one deck" if needed == 1 else f"a deck for each player, {needed} here"
    raise ContradictionError(f"{game.name} is played with {wanted}, not {len(decks)}")


def counts_in_words(counts: Sequence[int]) -> str:
    """Format numbers of players, in ascending order, as text.

    >>> counts_in_words((2, 3, 4)), counts_in_words((2, 4))
    ('2 to 4', '2 or 4')
    """
    # Without a gap, the first and the last are enough.
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return " or ".join(map(str, counts))
