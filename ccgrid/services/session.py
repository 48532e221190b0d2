"""A game in progress: what each seat sees, what people type and computers answer, its record; and the demo."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import PrintedNumber
from ccgrid.catalog.deck_toml import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.store.statistics import CatalogueStats
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, MalformedMoveError
from ccgrid.engine.game import Outcome, Setup, State
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.notation import play, read_move
from ccgrid.engine.players import ForfeitError, Player, choose_move, find_player
from ccgrid.engine.records.files import write_game
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import RESIGNED, Ply, Record
from ccgrid.services.catalogue import open_bundled
from ccgrid.services.decks import find_decks

if TYPE_CHECKING:
    from ccgrid.engine.search import Thought


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A player made a move; `ply` holds it with the position before it."""

    ply: Ply


@dataclass(frozen=True, slots=True)
class TookBack:
    """So many moves were taken back."""

    moves: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gave the game up; or lost it, a program without a legal move in time, and why."""

    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over by its rules."""

    outcome: Outcome


Event = MoveMade | TookBack | Resigned | Ended
"""What happened in a game."""


def plies_in(events: Sequence[Event]) -> list[Ply]:
    """The moves among events."""
    return [event.ply for event in events if isinstance(event, MoveMade)]


_LONGEST_NUMBER: Final = 9
"""So many digits the number of a move may have: what is longer is not even looked at."""

_HINT_ROUNDS: Final = 600
_HINT_SECONDS: Final = 2.0
"""What a hint may take: so many games played on, and no more time however slow the machine."""

LONGEST_LINE: Final = 4096
"""So many characters a typed move may have: what is longer is not even looked at."""


@dataclass(slots=True)
class Session:
    """A game in progress: what its record begins with, the moves so far and the positions between them, the seats.

    Attributes:
        origin: of it the moves and the result are not used, but everything that the players noted goes into the record.
        computers: the policies by the seats that they play; every other seat is a person's.
        dice: what computer players throw.
        resigned: who gave the game up; a program that lost it without an ending, too, and `forfeit` says why.
        is_helped: whether a hint was asked for, or a move taken back: such a game says little of who won it.
        on_change: is told after every change, when it is whole; what it raises leaves the change as it is.
    """

    origin: Record
    computers: dict[int, Player]
    dice: Dice
    on_change: "Callable[[Session], object] | None" = None
    states: list[State] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    resigned: str | None = None
    forfeit: str = ""
    is_helped: bool = False
    saved: "tuple[Path, Record] | None" = None

    def __post_init__(self) -> None:
        if not self.states:
            self.states.append(self.setup.start())

    # --- what there is to know ---------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        """Who plays, what was dealt, who starts."""
        return self.origin.setup

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    @property
    def player(self) -> str:
        """The name of who is to move."""
        return self.state.players[self.state.to_move]

    @property
    def is_person(self) -> bool:
        """Whether a person is to move."""
        return self.state.to_move not in self.computers

    @property
    def is_over(self) -> bool:
        """Whether nobody moves any more: the game has ended or was given up."""
        return self.resigned is not None or self.state.outcome() is not None

    @property
    def last_move(self) -> str | None:
        """The move that led here."""
        return self.moves[-1] if self.moves else None

    @property
    def is_secret(self) -> bool:
        """Whether several people play who may not see the same: they hand the keyboard over."""
        start = self.setup.start()
        people = [seat for seat in range(len(start.players)) if seat not in self.computers]
        return any(start.unseen(seat) != start.unseen(people[0]) for seat in people)

    def plies(self, since: int = 0) -> list[Ply]:
        """The moves from one on, counted from 0, each with the position before it."""
        return [Ply(state, move) for state, move in zip(self.states[since:], self.moves[since:], strict=False)]

    def last_decision(self, seat: int | None = None) -> int | None:
        """The number in `moves` of the last one that this seat made, or any person; nothing where there is none."""
        seats = [state.to_move for state in self.states[: len(self.moves)]]
        for number in reversed(range(len(seats))):
            if seats[number] == seat or (seat is None and seats[number] not in self.computers):
                return number
        return None

    def news(self) -> list[Ply]:
        """What the others did between the last turn of who is to move and this one."""
        seat, end = self.state.to_move, len(self.moves)
        while end > 0 and self.states[end - 1].to_move == seat:
            end -= 1
        start = end
        while start > 0 and self.states[start - 1].to_move != seat:
            start -= 1
        return self.plies(start)[: end - start]

    def last_plies(self) -> list[Ply]:
        """The last decision of a person, and what computer players did after it."""
        return self.plies(self.last_decision() or 0)

    def read(self, text: str) -> str:
        """The legal move that a person means: notation, loosely, or its number in the list; raises MoveError."""
        return typed_move(self.state, text)

    def hint(self) -> "Thought":
        """What the moves are worth to who is to move, the same however often it is asked for."""
        self.is_helped = True
        return hint_for(self.state, len(self.moves))

    # --- what can be done --------------------------------------------------------------------------------------

    def submit(self, seat: int, text: str) -> tuple[Event, ...]:
        """Plays the move that a person at a seat typed, as `read` understands it.

        Raises:
            EngineError: it is not the seat's turn, the game is over, or the line is longer than any move.
            MoveError: the text means no legal move, or several.
        """
        if len(text) > LONGEST_LINE:
            raise EngineError(f"This line has {len(text):,} characters, too many for a move.")
        self._check_turn(seat)
        return self.play(text if text in self.state.legal_moves() else self.read(text))  # whatever a card is called

    def play(self, move: str) -> tuple[Event, ...]:
        """Plays a legal move in canonical notation; raises MoveError where it is not one."""
        before = self.state
        after = play(before, move)
        self.states.append(after)
        self.moves.append(move)
        self._notify()
        outcome, event = after.outcome(), MoveMade(Ply(before, move))
        return (event,) if outcome is None else (event, Ended(outcome))

    def advance(self) -> tuple[Event, ...]:
        """Lets the computer player whose turn it is make all the moves of its turn; nothing in a person's turn."""
        events: list[Event] = []
        seat = self.state.to_move
        # One turn, not all computers in a row: what each did is shown before the next one moves.
        while not self.is_over and not self.is_person and self.state.to_move == seat:
            try:
                events += self.play(self.choose())
            except ForfeitError as error:
                events.append(self.forfeit_game(error))
        return tuple(events)

    def choose(self) -> str:
        """The move that the computer player whose turn it is would make; ForfeitError where it makes none."""
        return choose_move(self.computers[self.state.to_move], self.state, self.dice)

    def forfeit_game(self, error: ForfeitError) -> Resigned:
        """The player whose turn it is loses the game for what the error says."""
        self.resigned, self.forfeit = self.player, str(error)
        self._notify()
        return Resigned(self.player, self.forfeit)

    def undo(self, seat: int | None = None) -> TookBack:
        """Goes back to the last decision of this seat, or of any person.

        Raises:
            EngineError: there is none.
        """
        back = self.last_decision(seat)
        if back is None:
            raise EngineError("There is nothing to undo.")
        taken = len(self.moves) - back
        self.is_helped = True
        del self.states[back + 1 :], self.moves[back:]  # there is one position more than moves
        self._notify()
        return TookBack(taken)

    def correct(self, origin: Record, states: Sequence[State], moves: Sequence[str]) -> None:
        """Makes it the game that it really was: this setup, these positions and the moves between them."""
        self.origin, self.states, self.moves = origin, list(states), list(moves)
        self._notify()

    def resign(self, seat: int) -> Resigned:
        """The player whose turn it is gives the game up; raises EngineError where it is not the seat's turn."""
        self._check_turn(seat)
        self.resigned = self.player
        self._notify()
        return Resigned(self.player)

    def _check_turn(self, seat: int) -> None:
        if self.is_over:
            raise EngineError("The game is over.")
        if seat != self.state.to_move:
            raise EngineError(f"It is {self.player}'s turn.")

    def _notify(self) -> None:
        if self.on_change is not None:
            self.on_change(self)

    # --- what is written down ----------------------------------------------------------------------------------

    def record(self) -> Record:
        """The game so far as a record; a finished one claims its result, a resignation stands in its notes."""
        notes = {key: value for key, value in self.origin.notes.items() if key != RESIGNED}
        if self.resigned is not None:
            notes[RESIGNED] = self.resigned
            if self.forfeit:
                notes["reason"] = self.forfeit
        written = replace(self.origin, moves=tuple(self.moves), result=None, notes=notes)
        return written if self.state.outcome() is None else written.with_result()

    def save(self, path: Path) -> None:
        """Writes the record, whole or not at all; raises EngineError where that cannot be done."""
        record = self.record()
        write_game(record, path)
        self.saved = path, record

    @property
    def saved_to(self) -> Path | None:
        """The file that holds the game as it stands; None where what was played last is in none."""
        return self.saved[0] if self.saved is not None and self.saved[1] == self.record() else None


def resume_session(
    record: Record, computers: dict[int, Player], dice: Dice, on_change: Callable[[Session], object] | None = None
) -> Session:
    """A session in which a recorded game goes on; raises MoveError where a move of it is not legal."""
    session = Session(record, computers, dice)
    for move in record.moves:
        session.play(move)
    session.on_change = on_change
    return session


def typed_move(state: State, text: str) -> str:
    """The legal move that a person means: notation, loosely, or its number in the list; raises MoveError."""
    if not text.isdecimal():
        return read_move(state, text)
    legal = find_game(state.game).move_menu(state)
    number = int(text) if len(text) <= _LONGEST_NUMBER else 0
    if not 1 <= number <= len(legal):
        raise MalformedMoveError(text, f"moves are numbered 1 to {len(legal)}")
    return legal[number - 1]


def hint_for(state: State, moves: int) -> "Thought":
    """What the moves are worth to who is to move after so many moves: what the player `strong` would think of them."""
    from ccgrid.engine.search import Clock, prepare_proof, think  # which a game without hints does not need

    dice = Dice(moves)  # the game's own dice stay as they are
    prepare_proof(state)
    return think(state, dice, rounds=_HINT_ROUNDS, clock=Clock.of(_HINT_SECONDS))


@dataclass(slots=True)
class MatchSession:
    """A match in progress: the games that are over, and the one that is played.

    Attributes:
        match: the match with the games that are over.
        session: the game that is played, or the last one.
        deal: deals the next game of a match.
    """

    match: Match
    session: Session
    deal: Callable[[Match], Session]

    @classmethod
    def begin(cls, match: Match, deal: Callable[[Match], Session]) -> "MatchSession":
        """A match whose first game is dealt."""
        return cls(match, deal(match), deal)

    @property
    def number(self) -> int:
        """The number of the game that is played, counted from 1."""
        return len(self.match.records) + 1

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return len(self.session.computers) < len(self.match.players)

    def end_game(self) -> Outcome | None:
        """Counts the game, which is over, and returns how the match ended; None where there are more games to play."""
        self.match = self.match.add(self.session.record())
        return self.match.outcome()

    def next_game(self) -> Session:
        """Deals the next game and returns it; raises EngineError where the match is over."""
        self.session = self.deal(self.match)
        return self.session

    def write(self, path: Path) -> None:
        """Writes the games, a line each, the last one perhaps unfinished; nothing where none was begun."""
        lines = self.match.to_json_lines()
        game = self.session.record()
        is_counted = any(replace(record, match=game.match) == game for record in self.match.records)
        if self.session.moves and not is_counted:
            lines += replace(game, match=self.match.next_game).to_json_line() + "\n"
        if lines:
            write_atomically(path, lines)


DEMO_GAME: Final = GAMES.default
_DEMO_PLAYERS: Final = ("Ann", "Bob")
DEMO_DECK: Final = "deck.toml"
DEMO_RECORD: Final = "game.toml"
"""What the deck and the game are called in a folder in which they are kept."""

_DEMO_FOLDER: Final = "demo"


class DemoStep(NamedTuple):
    """What somebody may type after the demo, and what it does; one after the other, all of them work as they are."""

    command: str
    about: str


def next_steps(folder: Path | None) -> list[DemoStep]:
    """The commands to go on with; `folder` is where the deck and the game were kept, None where they were not."""
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
    """Everything once.

    Attributes:
        stats: what the bundled cards are, in the documented shape of `stats --json`.
        cards: a deck drawn of them.
        sample: the card of the deck with numbers in most zones.
        numbers: where each number of that card was read.
        session: a game between two computer players with this deck, in which nobody has moved.
    """

    stats: CatalogueStats
    cards: tuple[Card, ...]
    sample: Card
    numbers: list[PrintedNumber]
    session: Session

    def write_deck(self, path: Path, seed: int) -> None:
        """Writes the deck whole; raises OSError."""
        write_atomically(path, deck_toml(Deck("Demo", self.cards, seed)))


def demonstration(seed: int) -> Demonstration:
    """The card, the deck and the game that follow from a seed."""
    dice = Dice(seed)
    with open_bundled() as store:
        cards = tuple(store.draw(find_decks(DEMO_GAME).sizes[0], dice))
        sample = max(cards, key=lambda card: (len(card.zones), len(card.face), card.id))
        stats, numbers = store.stats(), store.explain(sample.id)
    greedy = find_player("greedy")
    setup = find_game(DEMO_GAME).deal(_DEMO_PLAYERS, [cards], dice)
    session = Session(Record(setup, date=date.today(), seed=seed), {0: greedy, 1: greedy}, dice)
    return Demonstration(stats, cards, sample, numbers, session)
