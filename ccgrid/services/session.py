"""A game in progress at one keyboard: whose turn it is, what went before, taking back, and writing down."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from engine.dice import Dice
from engine.game import EngineError, MalformedMoveError, Setup, State
from engine.notation import play, read_move
from engine.players import GreedyPlayer, Player, choose_move
from engine.record import Ply, Record
from engine.record_files import write_game

_RESIGNED: Final = "resigned"
"""The key in a record's notes under which stands who gave the game up."""

_LONGEST_NUMBER: Final = 9
"""So many digits the number of a move may have: what is longer is not even looked at."""


@dataclass(slots=True)
class Session:
    """A game in progress: what its record begins with, the moves so far and the positions between them, the seats.

    `computers` maps a seat to the policy that plays it; every other seat is a person's. Of `origin` the moves and the
    result are not used, but everything that the players noted goes into the record.
    """

    origin: Record
    computers: dict[int, Player]
    dice: Dice
    states: list[State] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    resigned: str | None = None
    saved: "tuple[Path, Record] | None" = None

    def __post_init__(self) -> None:
        if not self.states:
            self.states.append(self.setup.start())

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
    def last_move(self) -> str | None:
        """The move that led here."""
        return self.moves[-1] if self.moves else None

    def play(self, move: str) -> None:
        """Plays a legal move in canonical notation; raises MoveError where it is none."""
        self.states.append(play(self.state, move))
        self.moves.append(move)

    def computer_move(self) -> str:
        """Lets the computer player whose turn it is move; returns the move."""
        move = choose_move(self.computers[self.state.to_move], self.state, self.dice)
        self.play(move)
        return move

    def read(self, text: str) -> str:
        """The legal move that a person means: notation, or its number in the list; raises MoveError."""
        if not text.isdecimal():
            return read_move(self.state, text)
        legal = self.state.legal_moves()
        number = int(text) if len(text) <= _LONGEST_NUMBER else 0
        if not 1 <= number <= len(legal):
            raise MalformedMoveError(text, f"the moves are numbered 1 to {len(legal)}")
        return legal[number - 1]

    @property
    def is_secret(self) -> bool:
        """Whether several people play who may not see the same: they hand the keyboard over."""
        start = self.setup.start()
        people = [seat for seat in range(len(start.players)) if seat not in self.computers]
        return any(start.view(seat) != start.view(people[0]) for seat in people)

    def plies(self, since: int = 0) -> list[Ply]:
        """The moves from one on, counted from 0, each with the position before it."""
        return [Ply(state, move) for state, move in zip(self.states[since:], self.moves[since:], strict=False)]

    def decided(self, seat: int | None = None) -> int | None:
        """The place in `moves` of the last one that this seat made, or any person; nothing where there is none."""
        seats = [state.to_move for state in self.states[: len(self.moves)]]
        for place in reversed(range(len(seats))):
            if seats[place] == seat or (seat is None and seats[place] not in self.computers):
                return place
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
        return self.plies(self.decided() or 0)

    def undo(self, seat: int | None = None) -> int:
        """Goes back to the last decision of this seat, or of any person; returns how many moves were taken back.

        Raises EngineError where there is none.
        """
        back = self.decided(seat)
        if back is None:
            raise EngineError("There is nothing to take back.")
        taken = len(self.moves) - back
        del self.states[back + 1 :], self.moves[back:]
        return taken

    def hint(self) -> str:
        """The move that the greedy player would make, the same however often it is asked for."""
        return choose_move(GreedyPlayer(), self.state, Dice(len(self.moves)))  # the game's own dice stay as they are

    def resign(self) -> None:
        """The player whose turn it is gives the game up."""
        self.resigned = self.player

    def record(self) -> Record:
        """The game so far as a record; a finished one claims its result, a resignation stands in its notes."""
        notes = {key: value for key, value in self.origin.notes.items() if key != _RESIGNED}
        if self.resigned is not None:
            notes[_RESIGNED] = self.resigned
        written = replace(self.origin, moves=tuple(self.moves), result=None, notes=notes)
        return written if self.state.outcome() is None else written.with_result()

    def save(self, path: Path) -> None:
        """Writes the record; raises EngineError where that cannot be done."""
        record = self.record()
        write_game(record, path)
        self.saved = path, record

    @property
    def saved_to(self) -> Path | None:
        """The file that holds the game as it stands; None where what was played last is in none."""
        return self.saved[0] if self.saved is not None and self.saved[1] == self.record() else None


def take_up(record: Record, computers: dict[int, Player], dice: Dice) -> Session:
    """A table at which a recorded game goes on; raises MoveError where a move of it is not legal."""
    table = Session(record, computers, dice)
    for move in record.moves:
        table.play(move)
    return table
