"""A game in progress."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, MalformedMoveError
from ccgrid.engine.game import Setup, State
from ccgrid.engine.games import find_game
from ccgrid.engine.notation import play, read_move
from ccgrid.engine.players import ForfeitError, Player, choose_move
from ccgrid.engine.records.files import write_game
from ccgrid.engine.records.record import RESIGNED, Ply, Record

if TYPE_CHECKING:
    from ccgrid.engine.search import Thought


_LONGEST_NUMBER: Final = 9
"""The most digits of the number of a move; longer texts are not parsed."""

_HINT_ROUNDS: Final = 600
_HINT_SECONDS: Final = 2.0
"""The number of playouts for a hint, and its time limit on slow machines."""

LONGEST_LINE: Final = 4096
"""The most characters of a typed move; longer ones are not parsed."""


@dataclass(slots=True)
class Session:
    """A game in progress: its setup, the moves so far with the positions between them, and the seats.

    Attributes:
        origin: a record whose moves and result are ignored, but whose notes go into the new record.
        computers: the policies by the seats that they play; a person plays every other seat.
        dice: the random number generator of computer players.
        resigned: the player who resigned, or whose program forfeited for the reason `forfeit`.
        is_helped: whether a hint was given or a move undone, so that the winner means little.
        on_change: called after every complete change; an exception does not revert the change.
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

    # --- state -------------------------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        """Players, deal and starting player."""
        return self.origin.setup

    @property
    def state(self) -> State:
        """The current position."""
        return self.states[-1]

    @property
    def player(self) -> str:
        """The name of the player to move."""
        return self.state.players[self.state.to_move]

    @property
    def is_person(self) -> bool:
        """Whether a person is to move."""
        return self.state.to_move not in self.computers

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or a player resigned."""
        return self.resigned is not None or self.state.outcome() is not None

    @property
    def last_move(self) -> str | None:
        """The last move."""
        return self.moves[-1] if self.moves else None

    @property
    def is_secret(self) -> bool:
        """Whether several people with different hidden information play, so that they hand the keyboard over."""
        start = self.setup.start()
        people = [seat for seat in range(len(start.players)) if seat not in self.computers]
        return any(start.unseen(seat) != start.unseen(people[0]) for seat in people)

    def plies(self, since: int = 0) -> list[Ply]:
        """Return the moves from number `since` (from 0), each with the position before it."""
        return [Ply(state, move) for state, move in zip(self.states[since:], self.moves[since:], strict=False)]

    def last_decision(self, seat: int | None = None) -> int | None:
        """Return the index in `moves` of the last move of a seat, or of any person; None if there is none."""
        seats = [state.to_move for state in self.states[: len(self.moves)]]
        for number in reversed(range(len(seats))):
            if seats[number] == seat or (seat is None and seats[number] not in self.computers):
                return number
        return None

    def news(self) -> list[Ply]:
        """Return the other players' moves since the last turn of the player to move."""
        seat, end = self.state.to_move, len(self.moves)
        while end > 0 and self.states[end - 1].to_move == seat:
            end -= 1
        start = end
        while start > 0 and self.states[start - 1].to_move != seat:
            start -= 1
        return self.plies(start)[: end - start]

    def last_plies(self) -> list[Ply]:
        """Return the last decision of a person, and the computer players' moves after it."""
        return self.plies(self.last_decision() or 0)

    def read(self, text: str) -> str:
        """Return the choice that a text means, as `typed_move` does."""
        return typed_move(self.state, text)

    def hint(self) -> "Thought":
        """Return the estimated values of the moves for the player to move, the same at each call."""
        self.is_helped = True
        return hint_for(self.state, len(self.moves))

    # --- actions -----------------------------------------------------------------------------------------------

    def submit(self, seat: int, text: str) -> None:
        """Play the move that a person at a seat typed, as `read` interprets it.

        Raises:
            EngineError: If it is not the seat's turn, the game is over, or the line is too long.
            MoveError: If the text matches no legal move, or several.
        """
        if len(text) > LONGEST_LINE:
            raise EngineError(f"This line has {len(text):,} characters, too many for a move.")
        self._check_turn(seat)
        # Canonical moves first: the name of a card may look like other notation.
        choice = text if text in self.state.legal_moves() else self.read(text)
        for move in find_game(self.state.game).steps(self.state, choice):
            self.play(move)

    def play(self, move: str) -> None:
        """Play a legal move in canonical notation.

        Raises:
            MoveError: If the move is not legal.
        """
        self.states.append(play(self.state, move))
        self.moves.append(move)
        self._notify()

    def advance(self) -> list[Ply]:
        """Let the computer player to move make the moves of its turn and return them; none in a person's turn."""
        begin, seat = len(self.moves), self.state.to_move
        # Only one turn: it is shown before the next computer player moves.
        while not self.is_over and not self.is_person and self.state.to_move == seat:
            try:
                self.play(self.choose())
            except ForfeitError as error:
                self.forfeit_game(error)
        return self.plies(begin)

    def choose(self) -> str:
        """Return the move of the computer player to move.

        Raises:
            ForfeitError: If it makes none.
        """
        return choose_move(self.computers[self.state.to_move], self.state, self.dice)

    def forfeit_game(self, error: ForfeitError) -> None:
        """End the game as lost for the player to move, for the reason of the error."""
        self.resigned, self.forfeit = self.player, str(error)
        self._notify()

    def undo(self, seat: int | None = None) -> int:
        """Return to the last decision of this seat, or of any person; return the number of undone moves.

        Raises:
            EngineError: If there is none.
        """
        back = self.last_decision(seat)
        if back is None:
            raise EngineError("There is nothing to undo.")
        game, last = find_game(self.state.game), tuple(self.moves[max(back - 1, 0) : back + 1])
        if back and any(
            game.steps(self.states[back - 1], choice) == last for choice in game.move_menu(self.states[back - 1])
        ):
            back -= 1  # both moves were one choice
        taken = len(self.moves) - back
        self.is_helped = True
        del self.states[back + 1 :], self.moves[back:]  # there is one more position than moves
        self._notify()
        return taken

    def correct(self, origin: Record, states: Sequence[State], moves: Sequence[str]) -> None:
        """Replace setup, positions and moves by those of the real game."""
        self.origin, self.states, self.moves = origin, list(states), list(moves)
        self._notify()

    def resign(self, seat: int) -> None:
        """Resign for the player to move.

        Raises:
            EngineError: If it is not the seat's turn.
        """
        self._check_turn(seat)
        self.resigned = self.player
        self._notify()

    def _check_turn(self, seat: int) -> None:
        if self.is_over:
            raise EngineError("The game is over.")
        if seat != self.state.to_move:
            raise EngineError(f"It is {self.player}'s turn.")

    def _notify(self) -> None:
        if self.on_change is not None:
            self.on_change(self)

    # --- records -----------------------------------------------------------------------------------------------

    def record(self) -> Record:
        """Return a record of the game; a finished one has its result, a resignation is in its notes."""
        notes = {key: value for key, value in self.origin.notes.items() if key != RESIGNED}
        if self.resigned is not None:
            notes[RESIGNED] = self.resigned
            if self.forfeit:
                notes["reason"] = self.forfeit
        written = replace(self.origin, moves=tuple(self.moves), result=None, notes=notes)
        return written if self.state.outcome() is None else written.with_result()

    def save(self, path: Path) -> None:
        """Write the record atomically.

        Raises:
            EngineError: If it cannot be written.
        """
        record = self.record()
        write_game(record, path)
        self.saved = path, record

    @property
    def saved_to(self) -> Path | None:
        """The file with the current state of the game, or None if it is not saved."""
        return self.saved[0] if self.saved is not None and self.saved[1] == self.record() else None


def resume_session(record: Record, computers: dict[int, Player], dice: Dice) -> Session:
    """Return a session that continues a recorded game.

    Raises:
        MoveError: If one of its moves is not legal.
    """
    session = Session(record, computers, dice)
    for move in record.moves:
        session.play(move)
    return session


def typed_move(state: State, text: str) -> str:
    """Return the legal move or other choice that a text means: loose notation, or its number in the list.

    Raises:
        MoveError: If there is none, or several.
    """
    legal = find_game(state.game).move_menu(state)
    if not text.isdecimal():
        typed = " ".join(text.casefold().split())
        return typed if typed in legal else read_move(state, text)
    number = int(text) if len(text) <= _LONGEST_NUMBER else 0
    if not 1 <= number <= len(legal):
        raise MalformedMoveError(text, f"moves are numbered 1 to {len(legal)}")
    return legal[number - 1]


def hint_for(state: State, moves: int) -> "Thought":
    """Return the values of the moves for the player to move after `moves` moves, as `strong` estimates them."""
    from ccgrid.engine.search import Clock, prepare_proof, think  # a game without hints does not need it

    dice = Dice(moves)  # a separate generator: the game's own stays unchanged
    prepare_proof(state)
    return think(state, dice, rounds=_HINT_ROUNDS, clock=Clock.of(_HINT_SECONDS))
