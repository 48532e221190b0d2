"""A game at one keyboard: whose turn it is, what they typed, and what comes of it; drawing is left to the view."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

from engine.files import write_game
from engine.game import EngineError, MalformedMoveError, Setup, State
from engine.players import GreedyPlayer, Player, choose_move
from engine.record import Record

HELP: Final = """A move is typed as it is written in the list, or by its number. Besides:
  moves       list the legal moves again
  board       draw the board again
  hint        what the greedy player would do
  undo        take back your last move
  save FILE   write the game down so far
  rules       the rules of the game
  resign      give the game up
  quit        leave the table"""

_RESIGNED: Final = "resigned"
"""The key in a record's notes under which stands who gave the game up."""

_LONGEST_LINE: Final = 4096
_LONGEST_NUMBER: Final = 9
"""So many characters a line may have, and digits the number of a move: what is longer is not even looked at."""


class LeftTable(Exception):  # noqa: N818  not an error
    """Somebody left, or nothing more can be asked: the game stays unfinished."""


@dataclass(slots=True)
class Table:
    """A game in progress: what its record begins with, the moves so far and the positions between them, the seats.

    `computers` maps a seat to the policy that plays it; every other seat is a person's. Of `origin` the moves and the
    result are not used, but everything that the players noted goes into the record.
    """

    origin: Record
    computers: dict[int, Player]
    rng: Random
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
        self.states.append(self.state.play(move))
        self.moves.append(move)

    def computer_move(self) -> str:
        """Lets the computer player whose turn it is move; returns the move."""
        move = choose_move(self.computers[self.state.to_move], self.state, self.rng)
        self.play(move)
        return move

    def read(self, text: str) -> str:
        """The legal move that a person means: notation, or its number in the list; raises MoveError."""
        if not text.isdecimal():
            return self.state.read_move(text)
        legal = self.state.legal_moves()
        number = int(text) if len(text) <= _LONGEST_NUMBER else 0
        if not 1 <= number <= len(legal):
            raise MalformedMoveError(text, f"the moves are numbered 1 to {len(legal)}")
        return legal[number - 1]

    def undo(self) -> int:
        """Goes back to the last time that a person was to move; returns how many moves were taken back.

        Raises EngineError where there is no such time.
        """
        back = len(self.moves) - 1
        while back >= 0 and self.states[back].to_move in self.computers:
            back -= 1
        if back < 0:
            raise EngineError("There is nothing to take back.")
        taken = len(self.moves) - back
        del self.states[back + 1 :], self.moves[back:]
        return taken

    def hint(self) -> str:
        """The move that the greedy player would make, the same however often it is asked for."""
        return choose_move(GreedyPlayer(), self.state, Random(len(self.moves)))  # the game's own dice stay as they are

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


@dataclass(frozen=True, slots=True)
class Voice:
    """How a table talks to people: asks who is to move for a line, says one, shows the position, the moves, the rules.

    `ask` raises LeftTable where nobody answers any more. `played` says what a computer player did: it is given the
    table, the position before, and the move.
    """

    ask: Callable[[Table], str]
    say: Callable[[str], None]
    board: Callable[[Table], None]
    moves: Callable[[Table], None]
    played: Callable[[Table, State, str], None]
    rules: Callable[[Table], None]


def sit_down(table: Table, voice: Voice, save_to: Path | None) -> None:
    """Plays a game to its end, to a resignation, or until somebody leaves, which raises LeftTable."""
    shown: State | None = None
    while table.state.outcome() is None and table.resigned is None:
        if not table.is_person:
            before = table.state
            voice.played(table, before, table.computer_move())
            continue
        if shown is not table.state:
            shown = table.state
            voice.board(table)
            voice.moves(table)
        line = voice.ask(table).strip()
        if line:
            try:
                _obey(table, voice, line, save_to)
            except MalformedMoveError as error:
                voice.say(f"{error}. Type help to see what else can be typed.")
            except EngineError as error:
                voice.say(str(error))


def _obey(table: Table, voice: Voice, line: str, save_to: Path | None) -> None:
    """Does what a person typed: a command or a move; raises EngineError in words where it cannot."""
    if len(line) > _LONGEST_LINE:
        raise EngineError(f"This line has {len(line):,} characters, and no move has so many.")
    command, _, rest = line.partition(" ")
    match command.lower():
        case "help" | "?":
            voice.say(HELP)
        case "quit" | "exit" | "q":
            raise LeftTable
        case "moves":
            voice.moves(table)
        case "board":
            voice.board(table)
        case "rules":
            voice.rules(table)
        case "undo":
            taken = table.undo()
            voice.say(f"Took back {taken} move{'s' if taken > 1 else ''}.")
        case "hint":
            voice.say(f"The greedy player would play {table.hint()}")
        case "resign":
            table.resign()
        case "save":
            path = _path(rest.strip()) if rest.strip() else save_to
            if path is None:
                raise EngineError("Save it where? For example: save game.toml")
            table.save(path)
            voice.say(f"Saved to {path}")
        case _:
            table.play(table.read(line))


def _path(text: str) -> Path:
    """The file that a person means; `~` is their home."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody of that name has a home here
        return Path(text)


def take_up(record: Record, computers: dict[int, Player], rng: Random) -> Table:
    """A table at which a recorded game goes on; raises MoveError where a move of it is not legal."""
    table = Table(record, computers, rng)
    for move in record.moves:
        table.play(move)
    return table
