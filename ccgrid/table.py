"""A game at one keyboard: whose turn it is, what they typed, and what comes of it; drawing is left to the view."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random
from typing import Final

from engine.files import write_game
from engine.game import EngineError, Setup, State
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


class LeftTable(Exception):  # noqa: N818  not an error
    """Somebody left: the game stays unfinished."""


@dataclass(slots=True)
class Table:
    """A game in progress: the setup, the moves so far with the positions between them, and who sits where.

    `computers` maps a seat to the policy that plays it; every other seat is a person's.
    """

    setup: Setup
    computers: dict[int, Player]
    rng: Random
    seed: int | None = None
    states: list[State] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    resigned: str | None = None

    def __post_init__(self) -> None:
        if not self.states:
            self.states.append(self.setup.start())

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

    def replay(self, moves: "tuple[str, ...]") -> None:
        """Plays the moves of a game that is taken up again; raises MoveError where one is not legal."""
        for move in moves:
            self.play(move)

    def computer_move(self) -> str:
        """Lets the computer player whose turn it is move; returns the move."""
        move = choose_move(self.computers[self.state.to_move], self.state, self.rng)
        self.play(move)
        return move

    def read(self, text: str) -> str:
        """The legal move that a person means: notation, or its number in the list; raises MoveError."""
        legal = self.state.legal_moves()
        if text.isdecimal() and 1 <= int(text[:9]) <= len(legal):
            return legal[int(text) - 1]
        return self.state.read_move(text)

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
        """The move that the greedy player would make."""
        return choose_move(GreedyPlayer(), self.state, self.rng)

    def resign(self) -> None:
        """The player whose turn it is gives the game up."""
        self.resigned = self.player

    def record(self) -> Record:
        """The game so far as a record; a finished one claims its result, a resignation stands in its notes."""
        notes = {"resigned": self.resigned} if self.resigned else {}
        written = Record(self.setup, tuple(self.moves), date=date.today(), seed=self.seed, notes=notes)
        return written if self.state.outcome() is None else written.with_result()

    def save(self, path: Path) -> None:
        """Writes the record; raises EngineError where that cannot be done."""
        write_game(self.record(), path)


@dataclass(frozen=True, slots=True)
class Voice:
    """How a table talks to people: asks a line of somebody, says a line, shows the position, the moves, the rules.

    `played` says what a computer player did: it is given the table, the position before, and the move.
    """

    ask: Callable[[str], str]
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
        try:
            line = voice.ask(f"{table.player}> ").strip()
        except EOFError:
            raise LeftTable from None
        if line:
            try:
                _obey(table, voice, line, save_to)
            except EngineError as error:
                voice.say(str(error))


def _obey(table: Table, voice: Voice, line: str, save_to: Path | None) -> None:
    """Does what a person typed: a command or a move; raises EngineError in words where it cannot."""
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
            path = Path(rest.strip()) if rest.strip() else save_to
            if path is None:
                raise EngineError("Save it where? For example: save game.toml")
            table.save(path)
            voice.say(f"Saved to {path}.")
        case _:
            table.play(table.read(line))


def take_up(record: Record, computers: dict[int, Player], rng: Random) -> Table:
    """A table at which a recorded game goes on."""
    table = Table(record.setup, computers, rng, record.seed)
    table.replay(record.moves)
    return table
